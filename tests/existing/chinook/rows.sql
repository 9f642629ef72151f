-- Rows for both databases, with names of tables in braces.
INSERT INTO {Artist} VALUES (1, 'The Placeholders'), (2, 'Ünïcode Ensemble'), (3, NULL);
INSERT INTO {Album} VALUES (1, 'First Light', 1), (2, 'Größenwahn', 2), (3, 'first light', 2);
INSERT INTO {Employee} VALUES
    (1, 'Adams', 'Ann', 'General Manager', NULL, '1962-02-18 00:00:00', '2002-08-14 00:00:00', '1 High Street', 'Edmonton', 'AB', 'Canada', 'T5K 2N1', '+1 (780) 555-0100', NULL, 'ann@example.org'),
    (2, 'Brown', 'Bob', 'Support Agent', 1, '1958-12-08 00:00:00', '2002-05-01 00:00:00', NULL, 'Calgary', 'AB', 'Canada', NULL, NULL, NULL, 'bob@example.org');
INSERT INTO {Customer} VALUES
    (1, 'Luís', 'Gomes', 'Example Ltd', '2 Low Street', 'São Paulo', 'SP', 'Brazil', '12227-000', NULL, NULL, 'luis@example.org', 2),
    (2, 'Leonie', 'Koch', NULL, NULL, 'Stuttgart', NULL, 'Germany', NULL, NULL, NULL, 'leonie@example.org', NULL);
INSERT INTO {Genre} VALUES (1, 'Rock'), (2, 'Jazz');
INSERT INTO {MediaType} VALUES (1, 'MPEG audio file');
INSERT INTO {Track} VALUES
    (1, 'Dawn', 1, 1, 1, 'A. Nobody', 343719, 11170334, 0.99),
    (2, 'Noon', 1, 1, 2, NULL, 205662, NULL, 1.5),
    (3, 'Dusk', 2, 1, NULL, NULL, 230619, 3990994, 2),
    (4, 'Fanfare', NULL, 1, 2, NULL, 1000, 1, 0.99);
INSERT INTO {Invoice} VALUES
    (1, 1, '2009-01-01 00:00:00', '2 Low Street', 'São Paulo', 'SP', 'Brazil', '12227-000', 2.49),
    (2, 2, '2009-01-02 13:30:00', NULL, 'Stuttgart', NULL, 'Germany', NULL, 1.98),
    (3, 2, '2009-02-11 00:00:00', NULL, 'Stuttgart', NULL, 'Germany', NULL, 10);
INSERT INTO {InvoiceLine} VALUES (1, 1, 1, 0.99, 1), (2, 1, 2, 1.5, 1), (3, 2, 4, 0.99, 2), (4, 3, 3, 2, 5);
INSERT INTO {Playlist} VALUES (1, 'Music'), (2, 'On-The-Go 1');
INSERT INTO {PlaylistTrack} VALUES (1, 1), (1, 2), (1, 3), (2, 1);
