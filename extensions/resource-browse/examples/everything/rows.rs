//! The rows that a new database begins with.

use std::path::Path;

use rusqlite::{Connection, Result, params};

const TABLES: &str = include_str!("../../../../tests/existing/chinook/sqlite.sql");
const ROWS: &str = include_str!("../../../../tests/existing/chinook/rows.sql");
const MUSIC: &str = include_str!("music.sql");
const OURS: &str = include_str!("ours.sql");

/// Makes and fills the tables of the music shop, which the service does not make.
pub fn music(file: &Path) -> Result<()> {
    let connection = Connection::open(file)?;
    if connection.table_exists(None, "Artist")? {
        return Ok(());
    }
    let rows = ROWS.replace('{', "[").replace('}', "]");
    connection.execute_batch(&format!("BEGIN; {TABLES} {rows} {MUSIC} COMMIT;"))
}

/// Fills the tables that the service has made.
pub fn ours(file: &Path, events: u32) -> Result<()> {
    let connection = Connection::open(file)?;
    let is_filled: bool =
        connection.query_row("SELECT EXISTS (SELECT 1 FROM odd)", [], |row| row.get(0))?;
    if !is_filled {
        connection.execute_batch(&format!("BEGIN; {OURS} COMMIT;"))?;
    }
    let sql = "
        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?1)
        INSERT INTO events (id, at, kind, text)
        SELECT n, strftime('%Y-%m-%dT%H:%M:%S.000000Z', 1700000000 + n * 61, 'unixepoch'),
          CASE n % 4 WHEN 0 THEN 'started' WHEN 1 THEN 'stopped' WHEN 2 THEN 'warned' ELSE 'failed' END,
          CASE n
            WHEN 1 THEN substr(replace(hex(zeroblob(2500)), '00', 'long text '), 1, 5000)
            WHEN 2 THEN '<img src=x onerror=alert(1)><script>alert(2)</script>&amp;'
            ELSE 'Event number ' || n
          END
        FROM numbers WHERE ?1 > 0 AND NOT EXISTS (SELECT 1 FROM events)";
    connection.execute(sql, params![events]).map(drop)
}
