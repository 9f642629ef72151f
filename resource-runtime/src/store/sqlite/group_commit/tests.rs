//! Tests of group commits: writes that fail, expire or end the transaction, and the durability of commits.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use resource_model::error::{DatabaseFailure, DatabaseResult, Violation};
use resource_model::query::RowChange;
use resource_model::samples::Region;
use resource_model::value::{Record, Value};
use resource_sql::{self, Batch, Dialect};
use rusqlite::Connection;
use tokio::sync::oneshot;

use super::{Committer, Outcome, Write, Written};
use crate::ApiResource as _;
use crate::locked::locked;
use crate::store::sqlite::connect;
use crate::store::sqlite::followed_totals::FollowedTotals;
use crate::store::sqlite::open_transaction::Endings;
use crate::store::{DatabaseOptions, Durability};

type Reply = oneshot::Receiver<Outcome>;

/// A table of regions. A trigger rolls the transaction back for the code `end`, another fails after the insert for
/// the code `half`. A region may refer to another one, which is checked at the commit.
fn database() -> Committer {
    let connection = Connection::open_in_memory().unwrap();
    let schema = "
        CREATE TABLE regions (
            id INTEGER PRIMARY KEY, country TEXT NOT NULL, code TEXT NOT NULL UNIQUE,
            name TEXT REFERENCES regions (code) DEFERRABLE INITIALLY DEFERRED
        );
        CREATE TRIGGER the_end BEFORE INSERT ON regions WHEN new.code = 'end'
        BEGIN SELECT RAISE(ROLLBACK, 'it is over'); END;
        CREATE TRIGGER halfway AFTER INSERT ON regions WHEN new.code = 'half'
        BEGIN SELECT RAISE(FAIL, 'no further'); END;
        PRAGMA foreign_keys = ON;";
    connection.execute_batch(schema).unwrap();
    let memory = Path::new(":memory:");
    let totals = FollowedTotals::open(connection, memory, &DatabaseOptions::new()).unwrap();
    Committer {
        opened: Arc::default(),
        totals: Arc::new(totals),
    }
}

/// The codes of all regions in the order of their keys.
fn codes(committer: &Committer) -> String {
    let connection = locked(&committer.totals.writer);
    let codes = "SELECT group_concat(code, ' ') FROM (SELECT code FROM regions ORDER BY id)";
    let codes: Option<String> = connection.query_row(codes, [], |row| row.get(0)).unwrap();
    codes.unwrap_or_default()
}

/// The record of a region of this code, which refers to `other`.
fn record(code: &str, other: Option<&str>) -> Record {
    let text = |text: &str| Value::Text(text.into());
    let mut record = Record::absent(4);
    record.set(1, text("de"));
    record.set(2, text(code));
    record.set(3, other.map_or(Value::Null, text));
    record
}

/// A write of a new region of this code, which refers to `other`.
fn region(code: &str, other: Option<&str>) -> (Write, Reply) {
    let insertion = RowChange::Insert {
        definition: Region::DEFINITION,
        record: record(code, other),
        of_other_versions: Vec::new(),
        targets: Vec::new(),
        companion: None,
    };
    write(resource_sql::change(Dialect::Sqlite, insertion))
}

/// A write of several regions.
fn regions(codes: &[&str]) -> (Write, Reply) {
    let rows = codes.iter().map(|code| (record(code, None), Vec::new()));
    write(resource_sql::insert_many(
        Dialect::Sqlite,
        Region::DEFINITION,
        rows,
    ))
}

fn write(batch: impl Into<Batch>) -> (Write, Reply) {
    let (reply, receiver) = oneshot::channel();
    let write = Write {
        batch: Arc::new(batch.into()),
        returning: Some(Region::DEFINITION),
        deadline: Instant::now() + Duration::from_mins(1),
        reply,
    };
    (write, receiver)
}

/// Executes waiting writes in groups; returns the result of each, none for one that was dropped.
fn grouped(
    committer: &Committer,
    waiting: Vec<(Write, Reply)>,
) -> Vec<Option<DatabaseResult<Written>>> {
    let (queue, writes) = flume::unbounded();
    let mut results = Vec::new();
    for (write, reply) in waiting {
        queue.send(write).unwrap();
        results.push(reply);
    }
    while let Ok(first) = writes.try_recv() {
        committer.run(first, &writes);
        assert!(locked(&committer.totals.writer).is_autocommit());
    }
    let results = results.into_iter();
    let results = results.map(|mut reply| reply.try_recv().ok());
    results
        .map(|result| result.map(|it| it.map_err(|failed| failed.failure)))
        .collect()
}

fn is_done(reply: Option<&DatabaseResult<Written>>) -> bool {
    matches!(reply, Some(Ok(Written { rows: 1, keys })) if keys.len() == 1)
}

#[test]
fn refused_write_does_not_affect_others() {
    let committer = database();
    let waiting = ["a", "a", "b"].map(|code| region(code, None));
    let results = grouped(&committer, waiting.into());
    assert!(is_done(results[0].as_ref()) && is_done(results[2].as_ref()));
    let refused = results[1].as_ref().unwrap().as_ref().unwrap_err();
    assert!(matches!(
        refused,
        DatabaseFailure::ConstraintViolation(Violation::Unique(columns), _) if columns == &["code"]
    ));
    assert_eq!(codes(&committer), "a b");
}

#[test]
fn writes_that_another_one_rolled_back_are_retried() {
    let committer = database();
    let waiting = ["a", "b", "end", "c"].map(|code| region(code, None));
    let results = grouped(&committer, waiting.into());
    let done: Vec<bool> = results.iter().map(|it| is_done(it.as_ref())).collect();
    assert_eq!(done, [true, true, false, true]);
    assert!(matches!(results[2], Some(Err(_))));
    assert_eq!(codes(&committer), "a b c");
}

#[test]
fn failed_write_leaves_no_changes() {
    let committer = database();
    let waiting = ["half", "a", "half", "b"].map(|code| region(code, None));
    let results = grouped(&committer, waiting.into());
    let done: Vec<bool> = results.iter().map(|it| is_done(it.as_ref())).collect();
    assert_eq!(done, [false, true, false, true]);
    assert_eq!(codes(&committer), "a b");
}

#[test]
fn deferred_violation_refuses_one_write() {
    let committer = database();
    let waiting = vec![
        region("a", None),
        region("b", Some("nowhere")),
        region("c", Some("a")),
    ];
    let results = grouped(&committer, waiting);
    assert!(is_done(results[0].as_ref()) && is_done(results[2].as_ref()));
    assert!(matches!(
        results[1],
        Some(Err(DatabaseFailure::ConstraintViolation(
            Violation::ForeignKey,
            _
        )))
    ));
    assert_eq!(codes(&committer), "a c");
}

#[test]
fn write_of_a_disconnected_client_is_dropped() {
    let committer = database();
    let abandoned = |code| {
        let (write, gone) = region(code, None);
        drop(gone);
        (write, oneshot::channel().1)
    };
    let waiting = vec![abandoned("a"), region("b", None), abandoned("c")];
    let results = grouped(&committer, waiting);
    assert!(results[0].is_none() && is_done(results[1].as_ref()) && results[2].is_none());
    assert_eq!(codes(&committer), "b");
}

#[test]
fn expired_write_is_unavailable() {
    let committer = database();
    let late = |code| {
        let (write, reply) = region(code, None);
        let deadline = Instant::now();
        (Write { deadline, ..write }, reply)
    };
    let waiting = vec![late("a"), region("b", None), late("c")];
    let results = grouped(&committer, waiting);
    for late in [&results[0], &results[2]] {
        assert!(matches!(late, Some(Err(DatabaseFailure::Unavailable(_)))));
    }
    assert_eq!(codes(&committer), "b");
}

#[test]
fn full_or_read_only_file_is_unavailable_until_it_takes_writes() {
    for (forbidding, permitting) in [
        (
            "PRAGMA max_page_count = 1",
            "PRAGMA max_page_count = 1000000",
        ),
        ("PRAGMA query_only = ON", "PRAGMA query_only = OFF"),
    ] {
        let committer = database();
        let set = |pragma: &str| {
            locked(&committer.totals.writer)
                .execute_batch(pragma)
                .unwrap();
        };
        let long = "long".repeat(10_000);
        set(forbidding);
        let waiting = ["a", "b"].map(|code| region(&format!("{code}{long}"), None));
        for refused in grouped(&committer, waiting.into()) {
            let is_unavailable = matches!(refused, Some(Err(DatabaseFailure::Unavailable(_))));
            assert!(is_unavailable, "{forbidding}: {refused:?}");
        }
        set(permitting);
        let results = grouped(&committer, vec![region("c", None)]);
        assert!(is_done(results[0].as_ref()));
        assert_eq!(codes(&committer), "c");
    }
}

#[test]
fn refused_row_undoes_its_batch_alone() {
    let committer = database();
    let (mut refused, mut done) = (regions(&["b", "c", "b"]), regions(&["d", "e"]));
    let (first, last) = (region("a", None), region("f", None));
    let (queue, writes) = flume::unbounded();
    for write in [refused.0, done.0, last.0] {
        queue.send(write).unwrap();
    }
    committer.run(first.0, &writes);
    assert_eq!(codes(&committer), "a d e f");
    assert_eq!(refused.1.try_recv().unwrap().unwrap_err().row, Some(2));
    assert_eq!(done.1.try_recv().unwrap().unwrap().keys.len(), 2);
}

#[test]
fn group_ends_with_a_long_batch() {
    let committer = database();
    let long: Vec<String> = (0..100).map(|code| code.to_string()).collect();
    let long: Vec<&str> = long.iter().map(String::as_str).collect();
    let (queue, writes) = flume::unbounded();
    let (long, mut next) = (regions(&long), region("next", None));
    queue.send(long.0).unwrap();
    queue.send(next.0).unwrap();
    let first = region("first", None);
    committer.run(first.0, &writes);
    assert!(next.1.try_recv().is_err());
    assert_eq!(writes.len(), 1);
}

#[test]
fn many_writes_take_several_groups() {
    let committer = database();
    let waiting = (0..150).map(|number| region(&number.to_string(), None));
    let results = grouped(&committer, waiting.collect());
    assert!(results.iter().all(|it| is_done(it.as_ref())));
}

/// Compares settings, since no test can cut the power.
#[tokio::test]
async fn both_writers_have_the_chosen_durability() {
    for (durability, expected) in [(Durability::PowerCut, 2), (Durability::ProcessCrash, 1)] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data.db");
        let options = DatabaseOptions::new().durability(durability);
        let file = connect::parse(&format!("sqlite://{}", path.display())).unwrap();
        connect::create_missing(&file).unwrap();
        let pool = connect::transaction_pool(&file, false, &options, &Endings::default())
            .await
            .unwrap();
        let hooks: i64 = sqlx::query_scalar("PRAGMA synchronous")
            .fetch_one(&pool)
            .await
            .unwrap();
        let grouped: i64 = super::connect(&path, &options)
            .unwrap()
            .query_row("PRAGMA synchronous", [], |row| row.get(0))
            .unwrap();
        assert_eq!((hooks, grouped), (expected, expected));
    }
}
