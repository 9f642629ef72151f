-- Rows of every table, some of them at the bounds of their types.
INSERT INTO actor (first_name, last_name) VALUES ('Ada', 'Ames'), ('Bea', 'Böhm'), ('Cleo', ''), ('Dai', 'Ó Dónaill'), ('Eve', 'ames');
INSERT INTO category (name) VALUES ('Action'), ('Animation'), ('Classics'), ('Music'), ('Travel'), ('Nobody''s');
INSERT INTO language (name) VALUES ('English'), ('Italian'), ('日本語'), ('Français'), ('Mandarin');
INSERT INTO film (title, description, release_year, language_id, original_language_id, rental_duration, rental_rate, length,
        replacement_cost, rating, special_features)
    SELECT 'Film ' || n, CASE WHEN n % 3 > 0 THEN 'About ' || n || ' cats' END, 1900 + n * 20, 1 + n % 5,
        CASE WHEN n % 2 = 0 THEN 1 END, 1 + n % 7, n / 4.0, CASE WHEN n > 1 THEN n * 3276 END, n * 99.9,
        (enum_range(NULL::mpaa_rating))[1 + n % 6], CASE WHEN n % 4 > 0 THEN ARRAY['Trailers', 'Deleted "Scenes"'] END
    FROM generate_series(1, 10) n;
INSERT INTO award (title) VALUES ('Best of 2022'), ('Worst of 2022'), ('Best lead'), ('Best score');
INSERT INTO foreign_award (title, country) VALUES ('Grand prix', 'FR');
INSERT INTO film_actor (actor_id, film_id) SELECT a, f FROM generate_series(1, 5) a, generate_series(1, 10) f WHERE (a + f) % 4 = 0;
INSERT INTO film_category (film_id, category_id) SELECT n, 1 + n % 5 FROM generate_series(1, 10) n;
INSERT INTO role_name (actor_id, film_id, name) SELECT actor_id, film_id, 'Role, of ' || film_id FROM film_actor;
INSERT INTO film_text SELECT film_id, title, description FROM film WHERE film_id < 7;
INSERT INTO country (country, iso_code) VALUES
    ('Algeria', 'DZ'), ('Japan', 'JP'), ('Türkiye', 'TR'), ('Chad', 'TD'), ('Peru', 'PE');
INSERT INTO city (city, country_id, place) SELECT 'City ' || n, 1 + n % 5, point(n, -n) FROM generate_series(1, 6) n;
INSERT INTO address (address, district, city_id, postal_code, phone)
    SELECT n || ' Main Street', CASE WHEN n % 2 = 0 THEN '' ELSE 'West' END, 1 + n % 6, NULLIF(n * 1000, 3000)::text, '0' || n
    FROM generate_series(1, 8) n;
BEGIN;
INSERT INTO store (manager_staff_id, address_id, deposit, opening, imported, counter) VALUES
    (1, 1, 1234567.89, '{"mon": [9, 17.5]}', '{"a": 1}', ('A', 1)), (2, 2, -0.01, NULL, NULL, NULL);
ALTER TABLE staff DISABLE TRIGGER ALL;
INSERT INTO staff (first_name, last_name, address_id, email, store_id, username, password, picture) VALUES
    ('Mike', 'Hill', 3, 'Mike@example.org', 1, 'mike', 'never shown', '\x89504e470d0a1a0a'),
    ('Jon', 'Stern', 4, NULL, 2, 'jon', NULL, ''),
    ('Kim', 'Ng', 5, 'kim@example.org', 2, 'kim', 'never shown', NULL);
ALTER TABLE staff ENABLE TRIGGER ALL;
COMMIT;
INSERT INTO shift (username, country, begins, lasts) VALUES
    ('mike', 'JP', '09:00', '8 hours'), ('jon', NULL, '23:59:59.999999', '1 day 02:03:04'), (NULL, 'PE', '00:00', '-1 hour'),
    ('mike', 'TR', '12:00', '1 mon'), ('kim', 'TR', '12:00', '0');
INSERT INTO customer (store_id, first_name, last_name, email, address_id, create_date, active, deleted_at)
    SELECT 1 + n % 2, 'First ' || n, 'Last', CASE WHEN n < 5 THEN n || '@example.org' ELSE '4@example.org' END, n, '2022-02-14',
        n % 2, CASE WHEN n > 4 THEN '2022-03-01 00:00+00'::timestamptz END
    FROM generate_series(1, 8) n;
INSERT INTO inventory (film_id, store_id) SELECT 1 + n % 10, 1 + n % 2 FROM generate_series(1, 12) n;
INSERT INTO rental (rental_date, inventory_id, customer_id, return_date, staff_id)
    SELECT '2022-01-25 12:00+00'::timestamptz + n * interval '1 day 1.000001 seconds', n, 1 + n % 8,
        CASE WHEN n % 3 > 0 THEN '2022-06-01 00:00+00'::timestamptz END, 1 + n % 3
    FROM generate_series(1, 12) n;
INSERT INTO payment (customer_id, staff_id, rental_id, amount, payment_date)
    SELECT customer_id, staff_id, rental_id, rental_id * 83.33, rental_date FROM rental;
INSERT INTO receipt SELECT 1 + n % 2, n, NULLIF(n, 3) * 100, n / 3.0 FROM generate_series(1, 7) n;
INSERT INTO search_log SELECT 'cat ' || n FROM generate_series(1, 5) n;
INSERT INTO promotion VALUES ('HALF', 50), ('a,b', 0.1), ('%2C/..', 99.9), (' ', 1), ('ÜBER', 12.5);
INSERT INTO price_import VALUES ('x', 1.50, '1,50', 0.1), ('y', NULL, NULL, NULL), ('z', 1e20, '', 3e38), ('é', 0.000001, 'free', -0), ('/', -1, '-', 1e-30);
INSERT INTO complaint SELECT n, NULLIF(n, 2), NULLIF('HALF', CASE WHEN n > 3 THEN 'HALF' END), 'Too loud ' || n FROM generate_series(1, 5) n;
INSERT INTO tip SELECT n, 1 + n % 2, n FROM generate_series(1, 5) n;
REFRESH MATERIALIZED VIEW rental_by_category;
