-- A wholesaler of food, with the names, types and keys of the well-known sample as PostgreSQL has it, and with more of
-- what such databases have.
CREATE TABLE categories (
    category_id smallint NOT NULL PRIMARY KEY,
    category_name character varying(15) NOT NULL,
    description text,
    picture bytea
);
CREATE TABLE customer_demographics (
    customer_type_id character varying(5) NOT NULL PRIMARY KEY,
    customer_desc text
);
CREATE TABLE customers (
    customer_id character(5) NOT NULL PRIMARY KEY,
    company_name character varying(40) NOT NULL,
    contact_name character varying(30),
    contact_title character varying(30),
    address character varying(60),
    city character varying(15),
    region character varying(15),
    postal_code character varying(10),
    country character varying(15),
    phone character varying(24),
    fax character varying(24)
);
CREATE TABLE customer_customer_demo (
    customer_id character(5) NOT NULL REFERENCES customers,
    customer_type_id character varying(5) NOT NULL REFERENCES customer_demographics,
    PRIMARY KEY (customer_id, customer_type_id)
);
CREATE TABLE employees (
    employee_id smallint NOT NULL PRIMARY KEY,
    last_name character varying(20) NOT NULL,
    first_name character varying(10) NOT NULL,
    title character varying(30),
    birth_date date,
    hire_date date,
    home_phone character varying(24),
    photo bytea,
    notes text,
    reports_to smallint REFERENCES employees,
    password_hash text
);
CREATE TABLE region (region_id smallint NOT NULL PRIMARY KEY, region_description character varying(60) NOT NULL);
CREATE TABLE territories (
    territory_id character varying(20) NOT NULL PRIMARY KEY,
    territory_description character varying(60) NOT NULL,
    region_id smallint NOT NULL REFERENCES region
);
CREATE TABLE employee_territories (
    employee_id smallint NOT NULL REFERENCES employees,
    territory_id character varying(20) NOT NULL REFERENCES territories,
    PRIMARY KEY (employee_id, territory_id)
);
CREATE TABLE shippers (
    shipper_id smallint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    company_name character varying(40) NOT NULL,
    phone character varying(24)
);
CREATE TABLE suppliers (
    supplier_id smallint NOT NULL PRIMARY KEY,
    company_name character varying(40) NOT NULL,
    country character varying(15),
    homepage text
);
CREATE TABLE products (
    product_id smallint NOT NULL PRIMARY KEY,
    product_name character varying(40) NOT NULL,
    supplier_id smallint REFERENCES suppliers,
    category_id smallint REFERENCES categories,
    quantity_per_unit character varying(20),
    unit_price real,
    units_in_stock smallint,
    units_on_order smallint,
    reorder_level smallint,
    discontinued integer NOT NULL
);
CREATE TABLE orders (
    order_id smallint NOT NULL PRIMARY KEY,
    customer_id character(5) REFERENCES customers,
    employee_id smallint REFERENCES employees,
    order_date date,
    required_date date,
    shipped_date date,
    ship_via smallint REFERENCES shippers,
    freight real,
    ship_name character varying(40)
);
CREATE TABLE order_details (
    order_id smallint NOT NULL REFERENCES orders,
    product_id smallint NOT NULL REFERENCES products,
    unit_price real NOT NULL,
    quantity smallint NOT NULL,
    discount real NOT NULL,
    PRIMARY KEY (order_id, product_id)
);
-- Ranges, a time with its zone, a code of bits, a schedule without key.
CREATE TABLE "Price.List" (
    "SKU" character varying(12) NOT NULL UNIQUE,
    "say ""price""" numeric(10,4),
    valid daterange,
    opens time with time zone,
    flags bit varying(8),
    seen timestamp(0) with time zone,
    state text CHECK (state IN ('open', 'closed')),
    note xml
);
CREATE TABLE us_states (state_id smallserial, state_name character varying(100), PRIMARY KEY (state_id));
CREATE TABLE schedule (opens date, closes date);
CREATE VIEW "Order Subtotals" AS
    SELECT order_id AS id, sum(unit_price * quantity * (1 - discount)) AS subtotal FROM order_details GROUP BY order_id;
