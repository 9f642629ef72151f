use std::time::{Duration, Instant};

use resource_model::error::{DatabaseFailure, DatabaseResult, Violation};
use resource_model::query::RowChange;
use resource_model::samples::Region;
use resource_model::value::{Record, Value};
use resource_sql::{self, Dialect};
use rusqlite::Connection;
use tokio::sync::oneshot;

use super::commit_group::run;
use super::{Write, Written};
use crate::ApiResource as _;
use crate::store::sqlite::connect;
use crate::store::sqlite::open_transaction::Endings;
use crate::store::sqlite::opened_file::OpenedFile;
use crate::store::{DatabaseOptions, Durability};

type Answer = oneshot::Receiver<DatabaseResult<Written>>;

/// Regions, of which a trigger takes one for the end of everything and refuses another when it is stored
/// already, and which may refer to the key of another until they are committed.
fn database() -> Connection {
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
    connection
}

fn codes(connection: &Connection) -> String {
    let codes = "SELECT group_concat(code, ' ') FROM (SELECT code FROM regions ORDER BY id)";
    let codes: Option<String> = connection.query_row(codes, [], |row| row.get(0)).unwrap();
    codes.unwrap_or_default()
}

/// A new region of this code, with the code of another as its name.
fn region(code: &str, other: Option<&str>) -> (Write, Answer) {
    let text = |text: &str| Value::Text(text.into());
    let mut record = Record::absent(4);
    record.set(1, text("de"));
    record.set(2, text(code));
    record.set(3, other.map_or(Value::Null, text));
    let insertion = RowChange::Insert {
        definition: Region::DEFINITION,
        record,
        of_other_versions: Vec::new(),
        targets: Vec::new(),
    };
    let statement = resource_sql::change(Dialect::Sqlite, insertion);
    let (reply, answer) = oneshot::channel();
    let write = Write {
        statement,
        returning: Some(Region::DEFINITION),
        deadline: Instant::now() + Duration::from_mins(1),
        reply,
    };
    (write, answer)
}

/// Carries out what waits together; answers what each was answered, if it was.
fn grouped(
    connection: &Connection,
    waiting: Vec<(Write, Answer)>,
) -> Vec<Option<DatabaseResult<Written>>> {
    let (queue, writes) = flume::unbounded();
    let mut answers = Vec::new();
    for (write, answer) in waiting {
        queue.send(write).unwrap();
        answers.push(answer);
    }
    while let Ok(first) = writes.try_recv() {
        run(connection, &OpenedFile::default(), first, &writes);
        assert!(connection.is_autocommit());
    }
    let answers = answers.into_iter();
    answers.map(|mut answer| answer.try_recv().ok()).collect()
}

fn is_done(answer: Option<&DatabaseResult<Written>>) -> bool {
    matches!(
        answer,
        Some(Ok(Written {
            rows: 1,
            key: Some(_)
        }))
    )
}

#[test]
fn what_is_refused_leaves_the_others_alone() {
    let connection = database();
    let waiting = ["a", "a", "b"].map(|code| region(code, None));
    let answers = grouped(&connection, waiting.into());
    assert!(is_done(answers[0].as_ref()) && is_done(answers[2].as_ref()));
    let refused = answers[1].as_ref().unwrap().as_ref().unwrap_err();
    assert!(matches!(
        refused,
        DatabaseFailure::ConstraintViolation(Violation::Unique(columns), _) if columns == &["code"]
    ));
    assert_eq!(codes(&connection), "a b");
}

#[test]
fn what_a_statement_undid_is_done_again() {
    let connection = database();
    let waiting = ["a", "b", "end", "c"].map(|code| region(code, None));
    let answers = grouped(&connection, waiting.into());
    let done: Vec<bool> = answers.iter().map(|it| is_done(it.as_ref())).collect();
    assert_eq!(done, [true, true, false, true]);
    assert!(matches!(answers[2], Some(Err(_))));
    assert_eq!(codes(&connection), "a b c");
}

#[test]
fn what_fails_halfway_leaves_nothing() {
    let connection = database();
    let waiting = ["half", "a", "half", "b"].map(|code| region(code, None));
    let answers = grouped(&connection, waiting.into());
    let done: Vec<bool> = answers.iter().map(|it| is_done(it.as_ref())).collect();
    assert_eq!(done, [false, true, false, true]);
    assert_eq!(codes(&connection), "a b");
}

#[test]
fn what_is_refused_at_the_end_is_refused_alone() {
    let connection = database();
    let waiting = vec![
        region("a", None),
        region("b", Some("nowhere")),
        region("c", Some("a")),
    ];
    let answers = grouped(&connection, waiting);
    assert!(is_done(answers[0].as_ref()) && is_done(answers[2].as_ref()));
    assert!(matches!(
        answers[1],
        Some(Err(DatabaseFailure::ConstraintViolation(
            Violation::ForeignKey,
            _
        )))
    ));
    assert_eq!(codes(&connection), "a c");
}

#[test]
fn what_nobody_waits_for_is_not_done() {
    let connection = database();
    let abandoned = |code| {
        let (write, gone) = region(code, None);
        drop(gone);
        (write, oneshot::channel().1)
    };
    let waiting = vec![abandoned("a"), region("b", None), abandoned("c")];
    let answers = grouped(&connection, waiting);
    assert!(answers[0].is_none() && is_done(answers[1].as_ref()) && answers[2].is_none());
    assert_eq!(codes(&connection), "b");
}

#[test]
fn what_waited_too_long_is_told_so_and_not_done() {
    let connection = database();
    let late = |code| {
        let (write, answer) = region(code, None);
        let deadline = Instant::now();
        (Write { deadline, ..write }, answer)
    };
    let waiting = vec![late("a"), region("b", None), late("c")];
    let answers = grouped(&connection, waiting);
    for late in [&answers[0], &answers[2]] {
        assert!(matches!(late, Some(Err(DatabaseFailure::Unavailable(_)))));
    }
    assert_eq!(codes(&connection), "b");
}

#[test]
fn a_file_that_takes_no_writes_is_unavailable_until_it_does() {
    for (forbidding, permitting) in [
        (
            "PRAGMA max_page_count = 1",
            "PRAGMA max_page_count = 1000000",
        ),
        ("PRAGMA query_only = ON", "PRAGMA query_only = OFF"),
    ] {
        let connection = database();
        let set = |pragma: &str| connection.execute_batch(pragma).unwrap();
        let long = "long".repeat(10_000);
        set(forbidding);
        let waiting = ["a", "b"].map(|code| region(&format!("{code}{long}"), None));
        for refused in grouped(&connection, waiting.into()) {
            let is_told = matches!(refused, Some(Err(DatabaseFailure::Unavailable(_))));
            assert!(is_told, "{forbidding}: {refused:?}");
        }
        set(permitting);
        let answers = grouped(&connection, vec![region("c", None)]);
        assert!(is_done(answers[0].as_ref()));
        assert_eq!(codes(&connection), "c");
    }
}

#[test]
fn more_than_a_round_takes_more_than_one() {
    let connection = database();
    let waiting = (0..150).map(|number| region(&number.to_string(), None));
    let answers = grouped(&connection, waiting.collect());
    assert!(answers.iter().all(|it| is_done(it.as_ref())));
}

/// That a write survives a power cut no test can try.
#[tokio::test]
async fn whoever_writes_waits_for_the_disk_as_long_as_is_wished() {
    for (durability, expected) in [(Durability::PowerCut, 2), (Durability::ProcessCrash, 1)] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data.db");
        let options = DatabaseOptions::new().durability(durability);
        let file = connect::parse(&format!("sqlite://{}", path.display())).unwrap();
        connect::create_missing(&file).unwrap();
        let pool = connect::writer(&file, &options, &Endings::default())
            .await
            .unwrap();
        let hooks: i64 = sqlx::query_scalar("PRAGMA synchronous")
            .fetch_one(&pool)
            .await
            .unwrap();
        let gathered: i64 = super::connect(&path, &options)
            .unwrap()
            .query_row("PRAGMA synchronous", [], |row| row.get(0))
            .unwrap();
        assert_eq!((hooks, gathered), (expected, expected));
    }
}
