//! The command `check` with `--data` and `--sql`: stored values that do not fit, and statements that add what is missing.

use std::env;
use std::process::{Command, ExitCode};

use clap::Parser;
use resource_runtime::cli::{self, Options};
use resource_runtime::{Api, ApiBuilder, ApiResource, Database, FieldValue};
use resource_tests::{Backend, Service, TestDatabase, apply, block_on, every_database};
use rust_decimal::Decimal;
use serde_json::json;

use crate::{made_by, of_backend};

#[derive(Debug, Clone, Copy, FieldValue)]
enum Colour {
    Red,
    Green,
}

/// A row whose columns take more than the model does.
#[derive(Debug, ApiResource)]
#[resource(name = "Car", url = "/cars", version = "1.0", existing)]
struct Car {
    #[resource(primary_key, assigned)]
    id: i64,
    #[resource(max_length = 3)]
    plate: Option<String>,
    #[resource(min = 1, max = 9)]
    seats: Option<i32>,
    colour: Option<Colour>,
    price: Option<f64>,
    sold: Option<chrono::NaiveDate>,
    name: String,
}

/// A table of the service, which older instances made.
#[derive(Debug, ApiResource)]
#[resource(name = "Note", url = "/notes", version = "1.0")]
struct Note {
    id: i64,
    #[resource(unique)]
    title: String,
    #[resource(index)]
    place: Option<String>,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Draft", url = "/drafts", version = "1.0")]
struct Draft {
    id: i64,
}

/// A row of which older instances know the key alone.
#[derive(Debug, ApiResource)]
#[resource(name = "Ticket", url = "/tickets", version = "1.0")]
struct Ticket {
    #[resource(primary_key, assigned)]
    id: i64,
    #[resource(default = 14)]
    days: i32,
    #[resource(default = "o'clock", max_length = 20)]
    kind: String,
    #[resource(default = false)]
    paid: bool,
    #[resource(default = Colour::Green)]
    colour: Colour,
    #[resource(default = 0.5)]
    rate: f64,
    #[resource(default = Decimal::new(-150, 2))]
    fee: Decimal,
    #[resource(default = serde_json::json!({"seats": [1]}))]
    plan: serde_json::Value,
}

/// A row with a text as its key, in two versions.
#[derive(Debug, ApiResource)]
#[resource(name = "Tag", url = "/tags", version = "1.0", existing)]
struct Tag {
    #[resource(primary_key, assigned, max_length = 20)]
    code: String,
    colour: Option<Colour>,
    #[resource(max_length = 1)]
    mark: Option<String>,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Tag", url = "/tags", version = "2.0", existing, follows = Tag)]
struct TagTwo {
    #[resource(primary_key, assigned, max_length = 20)]
    code: String,
    colour: Option<Colour>,
    #[resource(max_length = 2, breaks(read_widening = "one letter was too short"))]
    mark: Option<String>,
    #[resource(max_length = 2)]
    note: Option<String>,
}

/// A row with two parts of a key.
#[derive(Debug, ApiResource)]
#[resource(name = "Pair", url = "/pairs", version = "1.0", existing)]
struct Pair {
    #[resource(primary_key, assigned)]
    first: i64,
    #[resource(primary_key, assigned, max_length = 9)]
    second: String,
    colour: Option<Colour>,
}

/// A row of a view, whose key is what the developer says.
#[derive(Debug, ApiResource)]
#[resource(name = "Shade", url = "/shades", version = "1.0", view)]
struct Shade {
    #[resource(primary_key, max_length = 9)]
    name: String,
    #[resource(primary_key)]
    size: i64,
}

fn tags() -> ApiBuilder {
    let api = Api::builder().resource::<Tag>().resource::<TagTwo>();
    api.resource::<Pair>().resource::<Shade>()
}

fn cars() -> ApiBuilder {
    Api::builder().resource::<Car>()
}

fn notes() -> ApiBuilder {
    cars().resource::<Note>().resource::<Draft>()
}

fn tickets() -> ApiBuilder {
    Api::builder().resource::<Ticket>()
}

#[derive(Debug, Parser)]
#[command(name = "garage")]
struct Arguments {
    #[command(flatten)]
    options: Options,
    #[command(subcommand)]
    command: cli::Command,
}

/// The variable with the arguments of the command, one a line; only then the test below is one.
const ARGUMENTS: &str = "EXISTING_CHECK_ARGUMENTS";

/// The variable with the name of the API.
const API: &str = "EXISTING_CHECK_API";

/// Not a test, but the program of the others: this executable again, as the command prints to the standard output.
#[test]
fn program() {
    let Ok(arguments) = env::var(ARGUMENTS) else {
        return;
    };
    let Arguments { options, command } = Arguments::parse_from(arguments.lines());
    let builder = match env::var(API).as_deref() {
        Ok("loose") => Api::builder().resource::<Loose>(),
        Ok("notes") => notes(),
        Ok("tags") => tags(),
        Ok("tickets") => tickets(),
        _ => cars(),
    };
    println!("<<<");
    let outcome = block_on(cli::run("garage", command, &options, builder));
    let code = cli::exit("garage", outcome);
    println!(">>>{}", u8::from(code != ExitCode::SUCCESS));
}

/// The status of the command, and what it prints.
fn check(api: &str, database: &TestDatabase, flag: &str) -> (u8, String) {
    let url = database.url();
    let arguments = ["garage", "check", flag, "--database-url", &url].join("\n");
    let program = Command::new(env::current_exe().expect("this test"))
        .args(["--exact", "check_data::program", "--nocapture"])
        .env(ARGUMENTS, arguments)
        .env(API, api)
        .output();
    let program = program.expect("it runs");
    let text = String::from_utf8_lossy(&program.stdout).into_owned();
    let inside = text
        .split_once("<<<\n")
        .and_then(|(_, rest)| rest.split_once(">>>"));
    let (printed, rest) = inside.unwrap_or_else(|| panic!("{text}\n{program:?}"));
    (u8::from(rest.starts_with('1')), printed.to_owned())
}

#[apply(every_database)]
fn values_that_do_not_fit_are_found_with_their_keys() {
    let (text, real, day) = of_backend(
        ("TEXT", "REAL", "TEXT"),
        ("text COLLATE \"C\"", "double precision", "date"),
    );
    let database = made_by(&format!(
        "CREATE TABLE cars (id bigint NOT NULL PRIMARY KEY, plate {text}, seats integer, colour {text}, price {real},
             sold {day}, name {text});
         INSERT INTO cars VALUES (1, 'abc', 4, 'Red', 1.5, '2024-02-29', 'a')"
    ));
    let fits = "`cars.name` may be null in the table, but every version requires a value; add the `Option` of the \
                field\n";
    assert_eq!(check("cars", &database, "--data"), (0, fits.to_owned()));
    let mut other = database.other_program();
    other.execute(
        "INSERT INTO cars (id, plate, name) VALUES (2, 'abcd', 'x'), (3, 'abcde', 'x');
         INSERT INTO cars (id, seats, name) VALUES (4, 0, 'x'), (5, 10, 'x');
         INSERT INTO cars (id, colour, name) VALUES (6, 'blue', 'x');
         INSERT INTO cars (id) SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9 UNION ALL SELECT 10 UNION ALL
             SELECT 11 UNION ALL SELECT 12 UNION ALL SELECT 13 UNION ALL SELECT 14 UNION ALL SELECT 15
             UNION ALL SELECT 16 UNION ALL SELECT 17",
    );
    let (price, sold) = of_backend(("9e999", "'yesterday'"), ("'NaN'", "'infinity'"));
    other.execute(&format!(
        "INSERT INTO cars (id, price, name) VALUES (20, {price}, 'x');
         INSERT INTO cars (id, sold, name) VALUES (21, {sold}, 'x')"
    ));
    if Backend::under_test() == Backend::Sqlite {
        other
            .execute("INSERT INTO cars (id, seats, name) VALUES (22, 'many', 'x'), (23, 1.5, 'x')");
    }
    let (status, printed) = check("cars", &database, "--data");
    assert_eq!(status, 1, "{printed}");
    for expected in [
        "`cars.plate` has 2 values that do not fit `Car` 1.0: for instance, `plate` must be at most 3 characters long, not 4; see \
         the keys 2, 3, and find them with `SELECT \"id\", \"plate\" FROM \"cars\" WHERE length(\"plate\") NOT \
         BETWEEN 0 AND 3`",
        "`cars.seats` has 2 values that do not fit `Car` 1.0",
        "see the keys 4, 5, and find them with `SELECT \"id\", \"seats\" FROM \"cars\" WHERE CAST(\"seats\" AS double \
         precision) < 1.0 OR CAST(\"seats\" AS double precision) > 9.0`",
        "`cars.colour` has 1 value that does not fit `Car` 1.0",
        "find them with `SELECT \"id\", \"colour\" FROM \"cars\" WHERE \"id\" = 6`",
        "`cars.name` has 11 values that do not fit `Car` 1.0: null; see the keys 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, \
         and find them with `SELECT \"id\", \"name\" FROM \"cars\" WHERE \"name\" IS NULL`",
        "`cars.price` has 1 value that does not fit",
        "`cars.sold` has 1 value that does not fit",
    ] {
        assert!(printed.contains(expected), "{expected}\nin\n{printed}");
    }
    if Backend::under_test() == Backend::Sqlite {
        assert!(
            printed.contains("WHERE \"id\" = 22 OR \"id\" = 23"),
            "{printed}"
        );
    }
    // Each statement is one that runs.
    for statement in printed.split('`').filter(|it| it.starts_with("SELECT")) {
        other.execute(statement);
    }
}

/// A row of columns that take any value, as those without a type of SQLite do.
#[derive(Debug, ApiResource)]
#[resource(name = "Loose", url = "/loose", version = "1.0", existing)]
struct Loose {
    #[resource(primary_key, assigned)]
    id: i64,
    #[resource(min_length = 2)]
    text: Option<String>,
    flag: Option<bool>,
    number: Option<i16>,
    real: Option<f64>,
    uuid: Option<uuid::Uuid>,
    at: Option<chrono::DateTime<chrono::Utc>>,
    time: Option<chrono::NaiveTime>,
    json: Option<serde_json::Value>,
    decimal: Option<rust_decimal::Decimal>,
}

#[test]
fn twelve_kinds_of_values_that_sqlite_takes_are_found() {
    let planted = [
        ("text", "'a'"),
        ("text", "x'00'"),
        ("flag", "2"),
        ("flag", "'yes'"),
        ("number", "70000"),
        ("number", "1.5"),
        ("real", "'fast'"),
        ("uuid", "'0-0'"),
        ("at", "'2024-02-30T00:00:00Z'"),
        ("time", "'25:00'"),
        ("json", "'{'"),
        ("decimal", "'1,5'"),
    ];
    let columns: Vec<&str> = planted.iter().map(|(column, _)| *column).collect();
    let mut distinct = columns.clone();
    distinct.dedup();
    let rows = planted.iter().enumerate().map(|(id, (column, value))| {
        format!("INSERT INTO loose (id, {column}) VALUES ({id}, {value});")
    });
    let rows: String = rows.collect();
    let statements = format!(
        "CREATE TABLE loose (id INTEGER NOT NULL PRIMARY KEY, {});
         INSERT INTO loose (id) VALUES (99); {rows}",
        distinct.join(", ")
    );
    let (status, printed) = check("loose", &made_by(&statements), "--data");
    assert_eq!(status, 1, "{printed}");
    let told = |id: usize| {
        let keys = [
            format!("keys {id},"),
            format!(", {id},"),
            format!("{id}, and"),
        ];
        printed
            .lines()
            .any(|line| keys.iter().any(|it| line.contains(it)) && line.contains(columns[id]))
    };
    let missing: Vec<_> = (0..planted.len())
        .filter(|id| !told(*id))
        .map(|id| planted[id])
        .collect();
    assert_eq!(missing, [], "{printed}");
}

#[apply(every_database)]
fn tables_of_several_versions_keys_and_views_are_read_once() {
    let text = of_backend("TEXT NOT NULL", "text COLLATE \"C\" NOT NULL");
    let null = text.trim_end_matches(" NOT NULL");
    let database = made_by(&format!(
        "CREATE TABLE tags (code {text} PRIMARY KEY, colour {null}, note {null}, mark {null} DEFAULT 'ok');
         CREATE TABLE pairs (first bigint NOT NULL, second {text}, colour {null}, PRIMARY KEY (first, second));
         CREATE TABLE colours (name {null}, size bigint);
         CREATE VIEW shades AS SELECT name, size FROM colours;
         INSERT INTO tags (code, colour, note) VALUES ('it''s', 'blue', 'long'), ('b', 'grey', NULL), ('c', 'Red', 'ok');
         INSERT INTO pairs VALUES (1, 'x', 'Red'), (2, 'y,z', 'blue'), (3, '''', 'blue');
         INSERT INTO colours VALUES ('a', 1), ('a', 2), ('b', 1), ('b', 1), ('c', NULL), ('a', 1), ('a', 1)"
    ));
    let (status, printed) = check("tags", &database, "--data");
    assert_eq!(status, 1, "{printed}");
    let is_told: Vec<&str> = printed
        .lines()
        .filter(|it| it.contains("find them with"))
        .collect();
    let expected = [
        "`tags.colour` has 2 values that do not fit `Tag` 1.0: `colour` must be \"Red\" or \"Green\"; see \
         the keys 'it''s', 'b', and find them with `SELECT \"code\", \"colour\" FROM \"tags\" WHERE \"code\" = \
         'it''s' OR \"code\" = 'b'`",
        "`tags.note` has 1 value that does not fit `Tag` 2.0: `note` must be at most 2 characters long, not 4; see the \
         keys 'it''s', and find them with `SELECT \"code\", \"note\" FROM \"tags\" WHERE length(\"note\") NOT \
         BETWEEN 0 AND 2`",
        "`pairs.colour` has 2 values that do not fit `Pair` 1.0: `colour` must be \"Red\" or \"Green\"; see the keys \
         (2, 'y,z'), (3, ''''), and find them with `SELECT \"first\", \"second\", \"colour\" FROM \"pairs\" WHERE \
         \"first\" = 2 AND \"second\" = 'y,z' OR \"first\" = 3 AND \"second\" = ''''`",
        "`shades.size` has 1 value that does not fit `Shade` 1.0: null; find them with `SELECT \
         \"name\", \"size\" FROM \"shades\" WHERE \"size\" IS NULL`",
        "several rows of the view `shades` share `name`, `size`, which `Shade` 1.0 calls its primary key, at 2 of its \
         values; see ('a', 1), ('b', 1), and find them with `",
    ];
    for (told, expected) in is_told.iter().zip(expected) {
        assert!(told.starts_with(expected), "{told}\n{expected}");
    }
    // That 1.0 shows marks of 2.0 is approved.
    assert_eq!(is_told.len(), expected.len(), "{printed}");
    let mut other = database.other_program();
    for statement in printed.split('`').filter(|it| it.starts_with("SELECT")) {
        other.execute(statement);
    }
    // A table that cannot be read leaves the others to be read.
    other.execute("ALTER TABLE tags RENAME COLUMN colour TO color");
    let (status, printed) = check("tags", &database, "--data");
    assert_eq!(status, 1, "{printed}");
    for (expected, times) in [
        ("the table `tags` has no column `colour`", 1),
        (
            "the values in `tags` were not read, since the table differs as told above",
            1,
        ),
        ("`tags.note`", 0),
        ("`pairs.colour` has 2 values", 1),
    ] {
        assert_eq!(
            printed.matches(expected).count(),
            times,
            "{expected}\n{printed}"
        );
    }
}

/// Statements without what only the program `sqlite3` reads, and without their transaction.
fn for_any_program(printed: &str) -> String {
    let Backend::Sqlite = Backend::under_test() else {
        return printed.to_owned();
    };
    let inside = printed.strip_prefix(".bail on\n.timeout 5000\nBEGIN IMMEDIATE;\n");
    let inside = inside.and_then(|it| it.strip_suffix("COMMIT;\n"));
    inside.expect(printed).to_owned()
}

#[apply(every_database)]
fn statements_add_what_older_instances_can_live_with() {
    let (key, text) = of_backend(
        ("id INTEGER PRIMARY KEY AUTOINCREMENT", "TEXT"),
        (
            "id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY",
            "text COLLATE \"C\"",
        ),
    );
    let database = made_by(&format!(
        "CREATE TABLE notes ({key}, title {text} NOT NULL)"
    ));
    let (status, printed) = check("notes", &database, "--sql");
    let printed = for_any_program(&printed);
    let added = of_backend("\"place\" TEXT", "\"place\" text COLLATE \"C\"");
    let lines: Vec<&str> = printed.split_inclusive(";\n").collect();
    // The unique set remains, as an older instance may break it.
    assert_eq!(status, 1, "{printed}");
    assert_eq!(
        lines[0],
        format!("ALTER TABLE \"notes\" ADD COLUMN {added};\n")
    );
    assert!(lines[1].starts_with("CREATE TABLE \"drafts\""), "{printed}");
    assert!(
        lines[2].starts_with("CREATE INDEX \"notes.place\""),
        "{printed}"
    );
    assert_eq!(lines.len(), 3, "{printed}");
    database.other_program().execute(&printed);
    assert_eq!(check("notes", &database, "--sql"), (1, String::new()));
}

#[apply(every_database)]
fn rows_get_the_default_of_an_added_column() {
    let database = made_by(
        "CREATE TABLE tickets (id bigint NOT NULL PRIMARY KEY); INSERT INTO tickets VALUES (1)",
    );
    let (status, printed) = check("tickets", &database, "--sql");
    let printed = for_any_program(&printed);
    assert_eq!(status, 0, "{printed}");
    let mut other = database.other_program();
    other.execute(&printed);
    // An instance of the old release goes on.
    other.execute("INSERT INTO tickets (id) VALUES (2)");
    let fits = "the database has everything that the API needs\n";
    assert_eq!(check("tickets", &database, "--data"), (0, fits.to_owned()));
    // A table that is made anew takes the rows of that instance, too.
    if Backend::under_test() == Backend::Sqlite {
        let rebuild = block_on(async {
            let database = Database::connect(&database.url()).await?;
            tickets().build(database)?.rebuild_sql("tickets").await
        });
        other.execute(&rebuild.unwrap());
    }
    other.execute("INSERT INTO tickets (id) VALUES (3)");
    let service = Service::start_on(&database, |database| tickets().build(database));
    for id in [1, 2, 3] {
        let ticket = service.read(&format!("/api/1.0/tickets/{id}"));
        let expected = json!({
            "id": id, "days": 14, "kind": "o'clock", "paid": false, "colour": "Green", "rate": 0.5,
            "fee": "-1.50", "plan": {"seats": [1]},
        });
        assert_eq!(ticket, expected);
    }
}
