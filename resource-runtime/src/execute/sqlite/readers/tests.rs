use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tracing::span::Id;
use tracing::{Instrument as _, Subscriber, error_span};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::{Context, SubscriberExt as _};

use super::{Reader, Readers, bounds};
use crate::error::DatabaseFailure;
use crate::execute::RowVisitor;
use crate::execute::sqlite::stepped;
use crate::extract::ListParameters;
use crate::guard::View;
use crate::plan::{Dialect, PageRead, Planner};
use crate::query::{self, PageLimits, QueryLimits};
use crate::samples::Address;
use crate::value::Row;
use crate::{ApiResource as _, Database};

struct Counted(usize);

impl RowVisitor for Counted {
    fn visit(&mut self, _: &dyn Row) -> Result<(), DatabaseFailure> {
        self.0 += 1;
        Ok(())
    }
}

/// A full page of the addresses, so that their total is counted.
fn page() -> PageRead {
    let view = View::whole(Address::DEFINITION);
    let limits = PageLimits {
        default: 2,
        max: 10,
    };
    let parameters = ListParameters::default();
    let query = query::list(view, &parameters, limits, QueryLimits::new()).unwrap();
    Planner::new(Dialect::Sqlite, view.definition()).page(view, &query)
}

#[test]
fn what_is_interrupted_at_any_moment_leaves_the_reader_as_it_was() {
    let connection = stepped::open(Path::new(":memory:"), &Database::options()).unwrap();
    let addresses = "
        CREATE TABLE addresses (id INTEGER PRIMARY KEY, line1 TEXT, city TEXT, gate_code TEXT);
        INSERT INTO addresses (line1) VALUES ('a'), ('b'), ('c');";
    connection.execute_batch(addresses).unwrap();
    let mut reader = Reader::of(connection);
    let read = page();
    let mut interrupted = 0;
    for instructions in (1..80).chain(1..80) {
        let done = bounds::bounded(
            || true,
            instructions,
            Duration::ZERO,
            &mut reader,
            |reader| reader.page(&read, Counted(0)),
        );
        interrupted += usize::from(matches!(done, Err(DatabaseFailure::Unavailable(_))));
        assert!(reader.connection.is_autocommit(), "{instructions}");
    }
    assert!(interrupted > 20, "{interrupted}");
    let patient = Instant::now() + Duration::from_mins(1);
    let waiting = Arc::new(());
    let waits = Arc::downgrade(&waiting);
    let whole = bounds::before(patient, waits, &mut reader, |reader| {
        reader.page(&read, Counted(0))
    });
    let (visitor, total) = whole.unwrap();
    assert_eq!((visitor.0, total), (2, 3));
}

/// The names of the threads that entered a span.
#[derive(Clone, Default)]
struct Entered(Arc<Mutex<Vec<String>>>);

impl<S: Subscriber> Layer<S> for Entered {
    fn on_enter(&self, _: &Id, _: Context<'_, S>) {
        let name = std::thread::current().name().map(str::to_owned);
        self.0.lock().unwrap().extend(name);
    }
}

#[tokio::test]
async fn what_a_thread_logs_it_logs_for_the_request() {
    let entered = Entered::default();
    let subscriber = tracing_subscriber::registry().with(entered.clone());
    let _logging = tracing::subscriber::set_default(subscriber);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("items.db");
    rusqlite::Connection::open(&file).unwrap();
    let readers = Readers::start(&file, &Database::options(), Arc::default()).unwrap();
    let read = readers.run(|_: &mut Reader| Ok(()));
    read.instrument(error_span!("request")).await.unwrap();
    let entered = entered.0.lock().unwrap();
    assert!(
        entered.iter().any(|it| it == "sqlite-reader"),
        "{entered:?}"
    );
}
