-- More rows of the music shop, so that its lists have pages.
WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 60)
INSERT INTO [Artist] ([Name]) SELECT 'Artist ' || n FROM numbers;
WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 120)
INSERT INTO [Album] ([Title], [ArtistId]) SELECT 'Album ' || n, 1 + n % 63 FROM numbers;
WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1200)
INSERT INTO [Track] ([Name], [AlbumId], [MediaTypeId], [GenreId], [Composer], [Milliseconds], [Bytes], [UnitPrice])
SELECT 'Track ' || n, 1 + n % 123, 1, 1 + n % 2, iif(n % 3 = 0, NULL, 'Composer ' || n % 17), 1000 * n, 4096 * n, 0.99
FROM numbers;
INSERT INTO [PlaylistTrack] SELECT 1, [TrackId] FROM [Track] WHERE [TrackId] BETWEEN 4 AND 40;
