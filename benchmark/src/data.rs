//! The cost of typed access: reading rows into structs, and an import of many rows beside clients that write.

use std::fmt::Write as _;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use resource_runtime::{Api, ApiResource, Database};
use serde::Serialize;
use sqlx::{Connection as _, PgConnection, SqliteConnection};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::time::sleep;

use crate::Outcome;
use crate::arguments::DataSettings;
use crate::awake::Awake;
use crate::load::Client;
use crate::measure::{median, microseconds, quantile};
use crate::message::{JSON, post};
use crate::output::{self, rounded};
use crate::random::unused_number;
use crate::stores::{Backend, Store};

/// Rows that each contestant reads at once.
const READ: i64 = 1000;

/// Reads of a contestant in one turn.
const READS: usize = 10;

/// Rows of the import.
const IMPORTED: usize = 100_000;

/// Rows that are inserted one by one, from whose time that of all is calculated.
const SAMPLE: usize = 1000;

/// Clients that write during the import.
const WRITERS: usize = 32;

/// The time in which the clients reach their pace.
const WARM_UP: Duration = Duration::from_secs(1);

/// The greatest part of the time of single inserts that the import may take.
const ALLOWED_PART: f64 = 1.0 / 3.0;

const COLUMNS: &str = "SELECT id, name, album, seconds, rating, is_live, note, year FROM lines \
                       ORDER BY id LIMIT 1000";

/// A row of eight columns.
#[derive(Debug, Clone, ApiResource, sqlx::FromRow)]
#[resource(name = "Line", url = "/lines", version = "1.0")]
struct Line {
    id: i64,
    name: String,
    album: Option<i64>,
    seconds: i32,
    rating: f64,
    is_live: bool,
    note: Option<String>,
    year: i16,
}

/// A figure of one subject.
#[derive(Debug, Serialize)]
struct Row {
    database: &'static str,
    measured: &'static str,
    subject: &'static str,
    microseconds: f64,
    /// The time of typed access as a part of the subject's.
    ratio: f64,
}

pub(crate) fn measure(settings: &DataSettings) -> Outcome {
    let _awake = Awake::keep();
    let (mut rows, mut text, mut failed) = (Vec::new(), String::new(), Vec::new());
    for backend in Backend::named_or_found(&settings.database) {
        let mut store = Store::seeded(backend, 1)?;
        let runtime = Runtime::new()?;
        let url = store.copy("data")?;
        let api = runtime.block_on(api(&url))?;
        let rounds = if settings.quick { 9 } else { 61 };
        rows.extend(runtime.block_on(reading(backend, &url, &api, rounds))?);
        let import = import(&runtime, &api)?;
        let _ = writeln!(text, "{}: {}", backend.name(), import.told());
        if !import.holds() {
            failed.push(backend.name());
        }
        rows.push(import.row(backend));
    }
    text.insert_str(0, &table(&rows));
    output::tell(&text, &rows, settings.json.as_ref())?;
    if failed.is_empty() {
        return Ok(());
    }
    Err(format!(
        "the import took too long, or failed clients, on {}",
        failed.join(" and ")
    )
    .into())
}

async fn api(url: &str) -> Outcome<Api> {
    let builder = Api::builder().resource::<Line>();
    let api = builder.build(Database::connect(url).await?)?;
    api.create_missing_tables().await?;
    let lines = (0..READ).map(line);
    api.items().without_hooks().insert_all(lines).await?;
    Ok(api)
}

fn line(number: i64) -> Line {
    Line {
        id: 0,
        name: format!("a name as long as most are {number}"),
        album: (number % 3 > 0).then_some(number),
        seconds: 240,
        rating: 4.5,
        is_live: number % 2 == 0,
        note: (number % 5 > 0).then(|| String::from("a note of a few words")),
        year: 1977,
    }
}

/// Turns of all contestants, one after another, and the median of each.
async fn reading(backend: Backend, url: &str, api: &Api, rounds: usize) -> Outcome<Vec<Row>> {
    let mut query_as = match backend {
        Backend::Sqlite => Connection::Sqlite(SqliteConnection::connect(url).await?),
        Backend::Postgres => Connection::Postgres(PgConnection::connect(url).await?),
    };
    let by_hand = match url.strip_prefix("sqlite://") {
        Some(file) => Some(rusqlite::Connection::open(file)?),
        None => None,
    };
    let (mut ours, mut sqlx, mut rusqlite) = (Vec::new(), Vec::new(), Vec::new());
    // The first round prepares statements, and counts for nobody.
    for round in 0..=rounds {
        let start = Instant::now();
        for _ in 0..READS {
            expect_all(
                api.items::<Line>()
                    .limit(READ.unsigned_abs())
                    .all()
                    .await?
                    .len(),
            )?;
        }
        let of_ours = start.elapsed();
        let start = Instant::now();
        for _ in 0..READS {
            expect_all(query_as.lines().await?.len())?;
        }
        let of_sqlx = start.elapsed();
        let start = Instant::now();
        for connection in by_hand.iter().cycle().take(READS) {
            expect_all(lines_by_hand(connection)?.len())?;
        }
        let of_rusqlite = start.elapsed();
        if round > 0 {
            ours.push(microseconds(of_ours));
            sqlx.push(microseconds(of_sqlx));
            rusqlite.push(microseconds(of_rusqlite));
        }
    }
    let ours = median(ours);
    let mut subjects = vec![("typed access", ours), ("sqlx query_as", median(sqlx))];
    subjects.extend(by_hand.map(|_| ("rusqlite by hand", median(rusqlite))));
    let rows = subjects.into_iter().map(|(subject, time)| Row {
        database: backend.name(),
        measured: "read 1,000 rows",
        subject,
        microseconds: rounded(time / 10.0),
        ratio: ours / time,
    });
    Ok(rows.collect())
}

fn expect_all(rows: usize) -> Outcome {
    if i64::try_from(rows)? == READ {
        return Ok(());
    }
    Err(format!("{rows} rows were read instead of {READ}").into())
}

/// A connection of sqlx.
enum Connection {
    Sqlite(SqliteConnection),
    Postgres(PgConnection),
}

impl Connection {
    async fn lines(&mut self) -> sqlx::Result<Vec<Line>> {
        match self {
            Self::Sqlite(connection) => sqlx::query_as(COLUMNS).fetch_all(connection).await,
            Self::Postgres(connection) => sqlx::query_as(COLUMNS).fetch_all(connection).await,
        }
    }
}

fn lines_by_hand(connection: &rusqlite::Connection) -> rusqlite::Result<Vec<Line>> {
    let mut statement = connection.prepare_cached(COLUMNS)?;
    let lines = statement.query_map([], |row| {
        Ok(Line {
            id: row.get(0)?,
            name: row.get(1)?,
            album: row.get(2)?,
            seconds: row.get(3)?,
            rating: row.get(4)?,
            is_live: row.get(5)?,
            note: row.get(6)?,
            year: row.get(7)?,
        })
    })?;
    lines.collect()
}

/// The figures of an import beside clients.
struct Import {
    all: Duration,
    one_by_one: Duration,
    clients: Clients,
}

/// The writes of the clients during the import.
#[derive(Default)]
struct Clients {
    /// In milliseconds.
    latencies: Vec<f64>,
    unavailable: usize,
    others: usize,
}

impl Import {
    fn part(&self) -> f64 {
        self.all.as_secs_f64() / self.one_by_one.as_secs_f64()
    }

    fn holds(&self) -> bool {
        let failed = self.clients.unavailable + self.clients.others;
        self.part() <= ALLOWED_PART && failed == 0 && !self.clients.latencies.is_empty()
    }

    fn told(&self) -> String {
        let Clients {
            latencies,
            unavailable,
            others,
        } = &self.clients;
        format!(
            "{IMPORTED} rows in {:.2} s, {:.3} of the time of single inserts ({:.1} s, from a sample of \
             {SAMPLE}), beside {WRITERS} clients with {} writes: p99 {:.1} ms, {unavailable} x 503, {others} \
             other failures",
            self.all.as_secs_f64(),
            self.part(),
            self.one_by_one.as_secs_f64(),
            latencies.len(),
            quantile(latencies.clone(), 0.99),
        )
    }

    fn row(&self, backend: Backend) -> Row {
        Row {
            database: backend.name(),
            measured: "import 100,000 rows",
            subject: "single inserts",
            microseconds: rounded(microseconds(self.one_by_one)),
            ratio: self.part(),
        }
    }
}

/// Imports rows one by one, then many, while clients write to the same table by HTTP.
fn import(runtime: &Runtime, api: &Api) -> Outcome<Import> {
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0"))?;
    let address = listener.local_addr()?.to_string();
    let server = runtime.spawn(resource_runtime::serve(listener, api.router()));
    let (is_counted, is_over) = (&AtomicBool::new(false), &AtomicBool::new(false));
    let imported = thread::scope(|scope| {
        let clients: Vec<_> = (0..WRITERS)
            .map(|_| scope.spawn(|| write(&address, is_counted, is_over)))
            .collect();
        let times = runtime.block_on(timed_imports(api, is_counted));
        is_over.store(true, Ordering::Relaxed);
        let mut together = Clients::default();
        for client in clients {
            let client = client.join().map_err(|_| "a client panicked")??;
            together.latencies.extend(client.latencies);
            together.unavailable += client.unavailable;
            together.others += client.others;
        }
        let (one_by_one, all) = times?;
        Ok(Import {
            all,
            one_by_one,
            clients: together,
        })
    });
    server.abort();
    imported
}

/// The times of all rows one by one, as a sample tells it, and at once.
async fn timed_imports(api: &Api, is_counted: &AtomicBool) -> Outcome<(Duration, Duration)> {
    let lines = |rows: usize| (0..rows).map(|number| line(i64::try_from(number).unwrap_or(0)));
    let items = api.items::<Line>().without_hooks();
    sleep(WARM_UP).await;
    let start = Instant::now();
    for line in lines(SAMPLE) {
        items.insert(line).await?;
    }
    let one_by_one = start.elapsed().mul_f64(100.0);
    let all: Vec<Line> = lines(IMPORTED).collect();
    is_counted.store(true, Ordering::Relaxed);
    let start = Instant::now();
    let keys = items.insert_all(all).await?;
    let elapsed = start.elapsed();
    is_counted.store(false, Ordering::Relaxed);
    if keys.len() == IMPORTED {
        return Ok((one_by_one, elapsed));
    }
    Err("not all rows were imported".into())
}

/// Writes one line after another, until the import is over.
fn write(address: &str, is_counted: &AtomicBool, is_over: &AtomicBool) -> io::Result<Clients> {
    let (mut clients, mut client) = (Clients::default(), Client::connect(address)?);
    while !is_over.load(Ordering::Relaxed) {
        let number = unused_number();
        let body =
            format!(r#"{{"name":"{number}","seconds":1,"rating":0.5,"is_live":true,"year":2000}}"#);
        let request = post("/api/1.0/lines", "", JSON, &body);
        // A write that was sent before the import may have to wait for it, too.
        let sent = Instant::now();
        let answer = client.send(&request).map(drop);
        if is_counted.load(Ordering::Relaxed) {
            clients.latencies.push(sent.elapsed().as_secs_f64() * 1e3);
        }
        match answer {
            Ok(()) => {}
            Err(error) if error.to_string().starts_with("HTTP/1.1 503") => clients.unavailable += 1,
            Err(_) => {
                clients.others += 1;
                client = Client::connect(address)?;
            }
        }
    }
    Ok(clients)
}

fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "database  measured             subject              microseconds  ratio of typed access\n",
    );
    for row in rows {
        let _ = writeln!(
            text,
            "{:9} {:20} {:20} {:>12.1} {:>7.3}",
            row.database, row.measured, row.subject, row.microseconds, row.ratio
        );
    }
    text
}
