//! The rows, written by statements that both databases understand.

/// The statement of the settings.
pub(super) const SETTINGS: &str = "INSERT INTO settings (name, value) \
     WITH RECURSIVE numbers (number) AS (\
     SELECT CAST(1 AS BIGINT) UNION ALL SELECT number + 1 FROM numbers WHERE number < $1) \
     SELECT 'setting ' || number, 'a value as long as most values are, of ' || number FROM numbers";

/// Statements of the seed, addresses first, since persons refer to them.
pub(super) const STATEMENTS: [&str; 6] = [
    "INSERT INTO addresses (line1, city, country, zip_code) \
     WITH RECURSIVE numbers (number) AS (\
     SELECT CAST(1 AS BIGINT) UNION ALL SELECT number + 1 FROM numbers WHERE number < $1) \
     SELECT 'Long Street ' || number, 'City' || number % 1000, 'Country' || number % 100, \
     CAST(10000 + number % 90000 AS TEXT) FROM numbers",
    "INSERT INTO persons (first_name, last_name, bill_address_id, ship_address_id) \
     WITH RECURSIVE numbers (number) AS (\
     SELECT CAST(1 AS BIGINT) UNION ALL SELECT number + 1 FROM numbers WHERE number < $1) \
     SELECT 'First' || number % 500, 'Name' || number % 20, number, number % $1 + 1 FROM numbers",
    SETTINGS,
    "INSERT INTO documents (content, revision) \
     WITH RECURSIVE numbers (number) AS (\
     SELECT CAST(1 AS BIGINT) UNION ALL SELECT number + 1 FROM numbers WHERE number < $1) \
     SELECT '{\"size\":{\"height\":480,\"width\":640},\"title\":\"a title\"}', number FROM numbers",
    "INSERT INTO seats (hall, number, guest) \
     WITH RECURSIVE numbers (number) AS (\
     SELECT CAST(1 AS BIGINT) UNION ALL SELECT number + 1 FROM numbers WHERE number < $1 AND number < 1000) \
     SELECT CAST(number AS TEXT), number, 'the guest with the number ' || number FROM numbers",
    "INSERT INTO hall_seats (hall, number, guest) \
     WITH RECURSIVE numbers (number) AS (\
     SELECT CAST(1 AS BIGINT) UNION ALL SELECT number + 1 FROM numbers WHERE number < $1 AND number < 1000) \
     SELECT number, number, 'the guest with the number ' || number FROM numbers",
];
