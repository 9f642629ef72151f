-- The first rows of the tables that the service makes.
INSERT INTO odd ("key", "type", "proto", "constructor", "to_string", "total_items", "next", "not", "and", "order", "_leading", "x", "long") VALUES
  ('plain', 'a type', 'a prototype', 'a constructor', 'a string', 3, 'the next one', 'not null', TRUE, 'an order', 'leading', 0.1, 'long'),
  ('a/b c', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('100%,~50', 'percent', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1e300, NULL),
  ('Äpfel & Öl?', 'umlauts', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, -0.0, NULL),
  ('.', 'a dot', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('..', 'two dots', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('"quoted\" #1', 'quotes', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('%2F', 'an escape', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('日本 🎵', 'beyond', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO odd_parts (odd, number) SELECT "key", 1 FROM odd;
INSERT INTO pairs ("text", "number", remark) VALUES
  ('plain', 1, 'a plain one'), ('a,b', -2, 'a comma'), ('a/b ~%', 9007199254740993, 'beyond a double'), ('Äpfel. ', 0, NULL), ('', 5, 'empty');
INSERT INTO triples (uuid, side, "text", position) VALUES
  ('018f3b1c-0000-7000-8000-000000000001', 'Left', 'plain', 1),
  ('018f3b1c-0000-7000-8000-000000000001', 'the right one', 'a,b/c', 2);
INSERT INTO marks (id, pair_text, pair_number, like_id) VALUES
  ('018f3b1c-0000-7000-8000-000000000001', 'a,b', -2, NULL),
  ('018f3b1c-0000-7000-8000-000000000002', 'a/b ~%', 9007199254740993, '018f3b1c-0000-7000-8000-000000000001'),
  ('018f3b1c-0000-7000-8000-000000000003', NULL, 4, NULL);
INSERT INTO fixed ("month", "days", "revision") VALUES ('January', 31, 1), ('February', 28, 1), ('May', 31, 1);
INSERT INTO reports (title, hidden, within_id) VALUES
  ('<b>All</b> & more', 'planted-secret', NULL), ('javascript:alert(1)', 'planted-secret', 1);
INSERT INTO settings (name, value) VALUES ('theme', 'dark'), ('language', NULL);
INSERT INTO kept (title) VALUES ('kept'), ('gone soon');
INSERT INTO wide (subject, answer_03) VALUES ('first', 'text of an answer'), ('second', NULL);
INSERT INTO everything (name, remarks, small, middle, large, single, double, decimal, price, flag, flag_or_null, urgency, urgency_or_null,
  state, day, time, local, instant, uuid, uuid_or_null, bytes, json, json_required, phone, created_at, updated_at, secret, old_name) VALUES
  ('all of it', 'two' || char(10) || 'lines', -10, -2147483648, 9007199254740993, 0.5, 1e300, '12345678901234567890.1234567', '1.50', 1, 1,
    'at once, please', 'späť "jetzt"', 'handed over', '2024-02-29', '07:08:09.5', '2024-02-29T07:08:09.000001', '2024-02-29T06:08:09.500000Z',
    '018f3b1c-0000-7000-8000-000000000001', '018f3b1c-0000-7000-8000-000000000002', x'00010203',
    '{"a":[1,2.5,"x",null,{"__proto__":9007199254740993}]}', '[]', '+4930123456', '2024-02-29T06:08:09.500000Z', '2024-02-29T06:08:09.500000Z',
    'planted-secret', 'an old name'),
  ('as little as may be', NULL, NULL, 7, NULL, NULL, NULL, NULL, '0.00', 0, NULL, 'low', NULL, NULL, NULL, NULL, NULL, NULL,
    '018f3b1c-0000-7000-8000-000000000003', NULL, NULL, NULL, '{}', NULL, '2024-02-29T06:08:09.500000Z', '2024-02-29T06:08:09.500000Z',
    'planted-secret', NULL);
WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 45)
INSERT INTO everything (name, small, middle, price, flag, urgency, day, uuid, json_required, created_at, updated_at, secret)
SELECT 'number ' || n, n % 10, n, '0.' || (10 + n), n % 2, 'low', date('2024-01-01', n || ' days'),
  printf('018f3b1c-0000-7000-8000-0000000001%02d', n), '{"n":' || n || '}', '2024-02-29T06:08:09.500000Z', '2024-02-29T06:08:09.500000Z',
  'planted-secret' FROM numbers;
