//! Tests of readers: interrupts, cancelled counts, inline counts, and log spans.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use resource_model::error::{DatabaseFailure, DatabaseResult};
use resource_model::query::{self, ListParameters, PageLimits, QueryLimits};
use resource_model::samples::Address;
use resource_sql::{self, Dialect, PageQuery};
use tracing::span::Id;
use tracing::{Instrument as _, Subscriber, error_span};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::{Context, SubscriberExt as _};

use super::{Progress, Reader, Readers, interrupt};
use crate::authorization::View;
use crate::store::driver::ReadKind;
use crate::store::sqlite::followed_totals::FollowedTotals;
use crate::store::sqlite::{connect, totals};
use crate::store::{Row, RowVisitor};
use crate::{ApiResource as _, Database};

struct Counted(usize);

impl RowVisitor for Counted {
    fn visit(&mut self, _: &dyn Row) -> DatabaseResult<()> {
        self.0 += 1;
        Ok(())
    }
}

/// A query whose page is full, so that the total must be counted.
fn page() -> PageQuery {
    let view = View::unrestricted(Address::DEFINITION);
    let limits = PageLimits::new(2, 10);
    let parameters = ListParameters::default();
    let query = query::list(view, &parameters, limits, QueryLimits::new()).unwrap();
    resource_sql::page(Dialect::Sqlite, view, &query)
}

fn followed(file: &Path) -> FollowedTotals {
    let options = Database::options();
    let writer = connect::open(file, &options).unwrap();
    FollowedTotals::open(writer, file, &options).unwrap()
}

/// A reader of three addresses, after further `statements`.
fn addresses(statements: &str) -> Reader {
    let connection = connect::open(Path::new(":memory:"), &Database::options()).unwrap();
    let table = "
        CREATE TABLE addresses (id INTEGER PRIMARY KEY, line1 TEXT, city TEXT, gate_code TEXT);
        INSERT INTO addresses (line1) VALUES ('a'), ('b'), ('c');";
    connection.execute_batch(table).unwrap();
    connection.execute_batch(statements).unwrap();
    Reader::of(connection, Arc::new(followed(Path::new(":memory:"))))
}

#[test]
fn interrupt_at_any_moment_leaves_the_reader_usable() {
    let reader = addresses("");
    let read = page();
    let mut interrupted = 0;
    for instructions in (1..80).chain(1..80) {
        let done = interrupt::interruptible(
            || true,
            instructions,
            Duration::ZERO,
            &reader,
            |reader| reader.page(&read, &mut Counted(0)),
        );
        interrupted += usize::from(matches!(done, Err(DatabaseFailure::Unavailable(_))));
        assert!(reader.connection.is_autocommit(), "{instructions}");
    }
    assert!(interrupted > 20, "{interrupted}");
    let in_a_minute = Instant::now() + Duration::from_mins(1);
    let mut counted = Counted(0);
    let read = |reader: &Reader| reader.page(&read, &mut counted);
    let result = interrupt::run_until(in_a_minute, &Arc::default(), &reader, read);
    assert_eq!((result.unwrap(), counted.0), (3, 2));
}

#[test]
fn cancelled_count_is_interrupted_and_the_next_is_not() {
    let reader = addresses("");
    let (read, connection) = (page(), &reader.connection);
    let progress = Progress::default();
    progress.begin();
    let cancelled = progress.run_count(connection, || {
        progress.cancel();
        totals::count(connection, &read.matching.count())
    });
    assert!(
        matches!(cancelled, Err(DatabaseFailure::Unavailable(_))),
        "{cancelled:?}"
    );
    // After the cancellation no count begins.
    let late = progress.run_count(connection, || Ok(()));
    assert!(late.is_err());
    let in_a_minute = Instant::now() + Duration::from_mins(1);
    let next = interrupt::run_until(in_a_minute, &Arc::default(), &reader, |reader| {
        progress.cancel();
        reader.page(&read, &mut Counted(0))
    });
    assert_eq!(next.unwrap(), 3);
}

#[test]
fn table_of_a_large_file_is_not_counted_inline() {
    let query = page();
    let read = |reader: &Reader| reader.page(&query, &mut Counted(0));
    let small = addresses("");
    let total = interrupt::run_inline(&small, read);
    assert_eq!(total.map(Result::unwrap), Some(3));
    let large =
        addresses("CREATE TABLE others (value); INSERT INTO others VALUES (zeroblob(2000000))");
    let total = interrupt::run_inline(&large, read);
    assert!(total.is_none());
    let in_a_minute = Instant::now() + Duration::from_mins(1);
    let total = interrupt::run_until(in_a_minute, &Arc::default(), &large, read);
    assert_eq!(total.unwrap(), 3);
    let total = interrupt::run_inline(&large, read);
    assert_eq!(total.map(Result::unwrap), Some(3));
}

/// The names of the threads that entered a span.
#[derive(Clone, Default)]
struct EnteringThreads(Arc<Mutex<Vec<String>>>);

impl<S: Subscriber> Layer<S> for EnteringThreads {
    fn on_enter(&self, _: &Id, _: Context<'_, S>) {
        let name = std::thread::current().name().map(str::to_owned);
        self.0.lock().unwrap().extend(name);
    }
}

#[tokio::test]
async fn reader_thread_logs_in_the_span_of_the_request() {
    let entered = EnteringThreads::default();
    let subscriber = tracing_subscriber::registry().with(entered.clone());
    let _logging = tracing::subscriber::set_default(subscriber);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("items.db");
    rusqlite::Connection::open(&file).unwrap();
    let totals = Arc::new(followed(&file));
    let readers = Readers::start(&file, &Database::options(), Arc::default(), &totals).unwrap();
    let read = readers.run(ReadKind::List, |_: &Reader| Ok(()));
    read.instrument(error_span!("request")).await.unwrap();
    let entered = entered.0.lock().unwrap();
    assert!(
        entered.iter().any(|it| it == "sqlite-reader"),
        "{entered:?}"
    );
}
