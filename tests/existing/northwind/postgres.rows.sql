-- Rows of every table, some of them at the bounds of their types.
INSERT INTO categories VALUES (1, 'Beverages', 'Soft drinks, teas', '\x151c2f00'), (2, 'Produce', NULL, NULL),
    (3, 'Seafood', '', '\x'), (4, 'Condiments', 'Sweet and savoury', NULL), (32767, 'Meat/Poultry', NULL, NULL);
INSERT INTO customer_demographics VALUES ('large', 'Orders often'), ('small', NULL), ('a, b', 'Comma'), ('%2C/', ''), ('ö', NULL);
INSERT INTO customers (customer_id, company_name, city, country) VALUES ('ALFKI', 'Alfreds', 'Berlin', 'Germany'),
    ('ANATR', 'Ana''s', 'México D.F.', 'Mexico'), ('BO', 'alfreds', NULL, 'Spain'), ('a/b %', 'Odd', 'Graz', 'Austria'),
    ('FRANK', 'Frankenversand', 'München', 'Germany');
INSERT INTO customer_customer_demo SELECT customer_id, customer_type_id FROM customers, customer_demographics
    WHERE company_name <> 'Odd' OR customer_type_id <> 'large';
INSERT INTO employees (employee_id, last_name, first_name, birth_date, hire_date, photo, reports_to, password_hash) VALUES
    (2, 'Fell', 'Ann', '1952-02-19', '2012-08-14', NULL, NULL, NULL), (1, 'Dahl', 'Nia', '1968-12-08', '2012-05-01', '\xffd8ff', 2, 'never shown'),
    (3, 'Levi', 'Jo', NULL, '0001-01-01', NULL, 2, NULL), (4, 'Pea', 'Mo', '9999-12-31', NULL, NULL, 3, ''), (5, 'Bux', 'Stu', NULL, NULL, NULL, 5, NULL);
INSERT INTO region VALUES (1, 'Eastern'), (2, 'Western'), (3, 'Northern'), (4, 'Southern'), (-32768, 'Nowhere');
INSERT INTO territories VALUES ('01581', 'Westboro', 1), ('02116', 'Boston', 1), ('80202', 'Denver', 2), ('48084', 'Troy', 3), ('30346', 'Atlanta', 4);
INSERT INTO employee_territories SELECT employee_id, territory_id FROM employees, territories WHERE employee_id + region_id > 3;
INSERT INTO shippers (company_name) VALUES ('Speedy'), ('United'), ('Federal'), ('Slow'), ('');
INSERT INTO suppliers VALUES (1, 'Exotic Liquids', 'UK', '#http://example.org#'), (2, 'Ma Maison', 'Canada', NULL), (3, '日本', 'Japan', NULL), (4, 'Zaanse', NULL, NULL), (5, 'Leka', 'Singapore', NULL);
INSERT INTO products (product_id, product_name, supplier_id, category_id, unit_price, units_in_stock, discontinued) VALUES
    (1, 'Chai', 1, 1, 18, 39, 0), (2, 'Chang', 1, 1, 19.5, 17, 0), (3, 'Konbu', 3, 3, 6.05, 24, 0), (4, 'Tofu', 3, 2, NULL, 0, 1),
    (5, 'Sirop', NULL, NULL, 0.1, 113, 0), (6, 'Pâté', 2, 32767, 3e38, 115, 1);
INSERT INTO orders (order_id, customer_id, employee_id, order_date, required_date, shipped_date, ship_via, freight) VALUES
    (10248, 'ALFKI', 1, '2016-07-04', '2016-08-01', '2016-07-16', 3, 32.38), (10249, 'ANATR', 2, '2016-07-05', '2016-08-16', '2016-07-10', 1, 11),
    (10250, NULL, 4, '2016-07-08', NULL, NULL, 2, 65.825), (10251, 'a/b %', NULL, NULL, '2016-08-05', '2016-07-15', NULL, 0), (10252, 'BO', 5, '2016-07-09', NULL, NULL, NULL, NULL);
INSERT INTO order_details SELECT order_id, product_id, coalesce(unit_price, 1) * 0.8, product_id * 2, product_id / 8.0
    FROM orders, products WHERE (order_id + product_id) % 2 = 0;
INSERT INTO "Price.List" VALUES ('A-1', 1.5, '[2016-01-01,)', '09:00+02', B'101', '2016-07-04 00:00+00', 'open', '<a/>'), ('A-2', 2, NULL, '23:59:59.999999-12', B'', NULL, NULL, NULL),
    ('A,3', NULL, 'empty', NULL, NULL, NULL, 'closed', NULL), ('ä%2', 999999.9999, NULL, NULL, NULL, NULL, 'open', NULL), ('~', -0.0001, NULL, NULL, NULL, NULL, 'open', NULL);
INSERT INTO us_states (state_name) SELECT 'State ' || n FROM generate_series(1, 5) n;
INSERT INTO schedule VALUES ('2016-01-01', NULL);
