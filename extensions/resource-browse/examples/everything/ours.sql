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
INSERT INTO deleted (title) VALUES ('kept'), ('gone soon');
INSERT INTO wide (subject, answer_03) VALUES ('first', 'text of an answer'), ('second', NULL);
