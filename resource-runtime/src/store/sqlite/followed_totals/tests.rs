//! Tests of followed totals: what is followed, and what ends it, with several connections to one file.

use std::sync::Arc;

use resource_model::query::{ListParameters, RowChange};
use resource_model::samples::{Address, Person, asked};
use resource_model::schema::ResourceDefinition;
use resource_model::value::{Record, Value};
use resource_sql::{Batch, Dialect};
use rusqlite::Connection;
use tempfile::TempDir;

use super::{FOLLOWED_COMMITS, FollowedTotals, Known};
use crate::authorization::View;
use crate::locked::locked;
use crate::store::row::no_values;
use crate::store::sqlite::group_commit::GroupCommitter;
use crate::store::sqlite::readers::Readers;
use crate::store::sqlite::write_lock::WriteLock;
use crate::{ApiResource, Database};

const TABLES: &str = "
    CREATE TABLE addresses (id INTEGER PRIMARY KEY, line1 TEXT UNIQUE, city TEXT, gate_code TEXT);
    CREATE TABLE Persons (
        id INTEGER PRIMARY KEY, name TEXT UNIQUE, age, score, active, password,
        bill_address_id REFERENCES addresses ON DELETE CASCADE, ship_address_id, country, region_code
    );";

const ROWS: &str = "
    INSERT INTO addresses (id, line1) SELECT value, 'line ' || value FROM generated;
    INSERT INTO persons (id, name, active, bill_address_id) SELECT value, 'person ' || value, 1, value FROM generated;";

/// A file with the readers and the committer of a service, and another program.
struct File {
    totals: Arc<FollowedTotals>,
    readers: Readers,
    committer: GroupCommitter,
    other: Connection,
    _folder: TempDir,
}

impl File {
    /// A file with 2,000 addresses and persons.
    fn with(tables: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("items.db");
        let other = Connection::open(&path).unwrap();
        let rows = "CREATE TEMP TABLE generated AS
            WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 2000) SELECT * FROM n;";
        other
            .execute_batch(&format!(
                "PRAGMA journal_mode = wal; {rows} {tables} {ROWS}"
            ))
            .unwrap();
        let options = Database::options();
        let lock = WriteLock::default();
        let committer =
            GroupCommitter::start(&path, false, &options, lock, Arc::default()).unwrap();
        let totals = Arc::clone(&committer.totals);
        let readers = Readers::start(&path, &options, Arc::default(), &totals).unwrap();
        Self {
            totals,
            readers,
            committer,
            other,
            _folder: folder,
        }
    }

    /// The total, after a comparison with a count by the other program.
    async fn total<R: ApiResource>(&self) -> u64 {
        let view = View::unrestricted(R::DEFINITION);
        let page = resource_sql::page(
            Dialect::Sqlite,
            view,
            &asked(view, &ListParameters::default()),
        );
        let total = self.readers.page(page, no_values()).await.unwrap().1;
        assert_eq!(total, self.counted::<R>());
        total
    }

    fn counted<R: ApiResource>(&self) -> u64 {
        let table = R::DEFINITION.table_identifier().quoted();
        let count = format!("SELECT COUNT(*) FROM {table}");
        let counted = self.other.query_row(&count, [], |row| row.get::<_, u32>(0));
        counted.unwrap().into()
    }

    fn follows<R: ApiResource>(&self) -> bool {
        let table = R::DEFINITION.table_identifier();
        matches!(
            self.totals.known(table, self.totals.moment()),
            Known::Total(_)
        )
    }

    /// Has both tables counted, and followed where they can be.
    async fn read_and_write(&self) {
        for code in ["first", "second", "third"] {
            self.total::<Person>().await;
            self.total::<Address>().await;
            self.write(insertion(code)).await;
        }
        self.total::<Person>().await;
        self.total::<Address>().await;
    }

    async fn write(&self, batch: impl Into<Batch>) {
        self.try_write(batch, None).await.unwrap();
    }

    async fn try_write(
        &self,
        batch: impl Into<Batch>,
        returning: Option<&'static ResourceDefinition>,
    ) -> Result<u64, ()> {
        let written = self.committer.write(Arc::new(batch.into()), returning);
        let written = written.await.map(|written| written.rows).map_err(drop);
        // The committer answers before it is idle.
        drop(locked(&self.totals.writer));
        written
    }
}

fn address(line: &str) -> Record {
    let mut record = Record::absent(4);
    record.set(1, Value::Text(line.to_owned()));
    record
}

fn insertion(line: &str) -> resource_sql::Statement {
    let insertion = RowChange::Insert {
        definition: Address::DEFINITION,
        record: address(line),
        of_other_versions: Vec::new(),
        targets: Vec::new(),
        companion: None,
    };
    resource_sql::change(Dialect::Sqlite, insertion)
}

fn insertions(lines: &[&str]) -> Batch {
    let rows = lines.iter().map(|line| (address(line), Vec::new()));
    resource_sql::insert_many(Dialect::Sqlite, Address::DEFINITION, rows)
}

fn deletion(id: i64) -> resource_sql::Statement {
    let deletion = RowChange::Delete {
        view: View::unrestricted(Address::DEFINITION),
        key: &Value::Integer(id).into(),
        expected: Vec::new(),
    };
    resource_sql::change(Dialect::Sqlite, deletion)
}

/// The reader would count the wrong number otherwise.
#[tokio::test]
async fn followed_total_is_not_counted() {
    let file = File::with(TABLES);
    file.read_and_write().await;
    assert!(file.follows::<Address>());
    let table = Address::DEFINITION.table_identifier().as_str();
    locked(&file.totals.published).1.followed(table).before = Some(1_000_000);
    file.write(insertion("fourth")).await;
    let view = View::unrestricted(Address::DEFINITION);
    let query = asked(view, &ListParameters::default());
    let page = resource_sql::page(Dialect::Sqlite, view, &query);
    let (_, total) = file.readers.page(page, no_values()).await.unwrap();
    assert!(total > 1_000_000, "{total}");
}

#[tokio::test]
async fn rows_that_come_and_go_are_followed_and_refused_ones_are_not() {
    let file = File::with(TABLES);
    file.read_and_write().await;
    let all = || async { (file.total::<Address>().await, file.total::<Person>().await) };
    assert_eq!(all().await, (2003, 2000));
    let definition = Some(Address::DEFINITION);
    // The foreign key deletes the person, too.
    file.write(deletion(7)).await;
    assert_eq!(all().await, (2002, 1999));
    assert_eq!(file.try_write(deletion(7), None).await, Ok(0));
    assert!(
        file.try_write(insertion("first"), definition)
            .await
            .is_err()
    );
    file.write(insertions(&["a", "b", "c"])).await;
    let refused = insertions(&["d", "e", "a"]);
    assert!(file.try_write(refused, definition).await.is_err());
    assert_eq!(all().await, (2005, 1999));
    // Writes that wait at the same time are a group, of which one row is refused.
    let group = tokio::join!(
        file.try_write(insertion("f"), definition),
        file.try_write(insertion("a"), definition),
        file.try_write(deletion(8), None),
        file.try_write(insertions(&["g", "h"]), definition),
    );
    assert_eq!(group, (Ok(1), Err(()), Ok(1), Ok(2)));
    assert_eq!(all().await, (2007, 1998));
    assert!(file.follows::<Address>() && file.follows::<Person>());
}

#[tokio::test]
async fn commits_of_others_end_what_is_known_until_it_is_counted_anew() {
    let file = File::with(TABLES);
    file.read_and_write().await;
    for (number, statements) in [
        "INSERT INTO addresses (line1) VALUES ('other')",
        "DELETE FROM addresses WHERE line1 = 'other'",
        "CREATE TABLE others (value)",
        "BEGIN; INSERT INTO addresses (line1) VALUES ('other'); DELETE FROM persons WHERE id > 9; COMMIT",
        "DELETE FROM addresses",
    ]
    .into_iter()
    .enumerate()
    {
        file.write(insertion(&format!("{number} before"))).await;
        assert!(file.follows::<Address>(), "{statements}");
        file.other.execute_batch(statements).unwrap();
        assert!(!file.follows::<Address>(), "{statements}");
        file.total::<Person>().await;
        let is_large = file.total::<Address>().await > 1000;
        assert_eq!(file.follows::<Address>(), is_large, "{statements}");
        file.write(insertion(&format!("{number} after"))).await;
        file.total::<Person>().await;
        file.total::<Address>().await;
        assert_eq!(file.follows::<Address>(), is_large, "{statements}");
    }
}

/// The connection of the committer tells nothing then.
#[tokio::test]
async fn probe_tells_of_commits_while_the_committer_works() {
    let file = File::with(TABLES);
    file.read_and_write().await;
    let working = locked(&file.totals.writer);
    // It looks after the next commit, since it was wanted now.
    assert!(!file.follows::<Address>());
    drop(working);
    file.write(insertion("fourth")).await;
    let working = locked(&file.totals.writer);
    assert!(file.follows::<Address>());
    let other = "INSERT INTO addresses (line1) VALUES ('other')";
    file.other.execute(other, []).unwrap();
    assert!(!file.follows::<Address>());
    drop(working);
    file.total::<Address>().await;
}

/// A reader that began before a commit has the state before it, whatever was published since.
#[tokio::test]
async fn total_is_that_of_a_snapshot_that_began_after_the_moment() {
    let file = File::with(TABLES);
    file.read_and_write().await;
    let (table, moment) = (Address::DEFINITION.table_identifier(), file.totals.moment());
    file.write(insertion("fourth")).await;
    assert!(matches!(file.totals.known(table, moment), Known::Nothing));
    assert!(file.follows::<Address>());
}

#[tokio::test]
async fn count_of_a_state_before_commits_of_others_is_not_learned() {
    let file = File::with(TABLES);
    file.total::<Address>().await;
    file.write(insertion("first")).await;
    assert!(!file.follows::<Address>());
    let table = Address::DEFINITION.table_identifier();
    let known = file.totals.known(table, file.totals.moment());
    assert!(matches!(known, Known::Change(..)));
    let other = "INSERT INTO addresses (line1) VALUES ('other')";
    file.other.execute(other, []).unwrap();
    assert!(!file.follows::<Address>());
    file.totals.learn(&file.other, table, known, 2001).unwrap();
    assert!(!file.follows::<Address>());
    assert_eq!(file.total::<Address>().await, 2002);
}

#[tokio::test]
async fn tables_whose_rows_sqlite_does_not_report_are_counted() {
    let trigger = "CREATE TRIGGER t AFTER DELETE ON persons BEGIN DELETE FROM addresses; END;";
    for tables in [
        TABLES.replace("line1 TEXT UNIQUE", "line1 TEXT UNIQUE ON CONFLICT REPLACE"),
        TABLES.replace("region_code\n    )", "region_code\n    ) WITHOUT ROWID"),
        format!("{TABLES}{trigger}"),
    ] {
        let file = File::with(&tables);
        file.read_and_write().await;
        assert!(
            !(file.follows::<Address>() && file.follows::<Person>()),
            "{tables}"
        );
        for write in [insertion("line 7").into(), Batch::from(deletion(8))] {
            let _ = file.try_write(write, None).await;
            file.total::<Address>().await;
            file.total::<Person>().await;
        }
    }
}

#[tokio::test]
async fn what_nobody_asks_for_is_followed_no_longer() {
    let file = File::with(TABLES);
    file.read_and_write().await;
    for number in 0..=FOLLOWED_COMMITS {
        file.write(insertion(&number.to_string())).await;
    }
    assert!(!file.follows::<Address>());
    for code in ["a", "b"] {
        file.total::<Address>().await;
        file.write(insertion(code)).await;
    }
    file.total::<Address>().await;
    file.total::<Address>().await;
    assert!(file.follows::<Address>());
}
