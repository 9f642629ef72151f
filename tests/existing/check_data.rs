//! The command `check` with `--data` and `--sql`: stored values that do not fit, and statements that add what is missing.

use std::env;
use std::process::{Command, ExitCode};

use clap::Parser;
use resource_runtime::cli::{self, Options};
use resource_runtime::{Api, ApiBuilder, ApiResource, FieldValue};
use resource_tests::{Backend, TestDatabase, apply, block_on, every_database};

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

fn cars() -> ApiBuilder {
    Api::builder().resource::<Car>()
}

fn notes() -> ApiBuilder {
    cars().resource::<Note>().resource::<Draft>()
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
        "`cars.plate` has 2 values that do not fit `Car` 1.0: `plate` must be at most 3 characters long, not 4; see \
         the keys 2, 3, and find them with `SELECT \"id\", \"plate\" FROM \"cars\" WHERE length(\"plate\") NOT \
         BETWEEN 0 AND 3`",
        "`cars.seats` has 2 values that do not fit `Car` 1.0",
        "see the keys 4, 5, and find them with `SELECT \"id\", \"seats\" FROM \"cars\" WHERE CAST(\"seats\" AS double \
         precision) < 1.0 OR CAST(\"seats\" AS double precision) > 9.0`",
        "`cars.colour` has 1 value that does not fit `Car` 1.0",
        "find them with `SELECT \"id\", \"colour\" FROM \"cars\" WHERE \"id\" IN (6)`",
        "`cars.name` has 11 values that do not fit `Car` 1.0: null; see the keys 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, \
         and find them with `SELECT \"id\", \"name\" FROM \"cars\" WHERE \"name\" IS NULL`",
        "`cars.price` has 1 value that does not fit",
        "`cars.sold` has 1 value that does not fit",
    ] {
        assert!(printed.contains(expected), "{expected}\nin\n{printed}");
    }
    if Backend::under_test() == Backend::Sqlite {
        assert!(printed.contains("WHERE \"id\" IN (22, 23)"), "{printed}");
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
    let added = of_backend("\"place\" TEXT", "\"place\" text COLLATE \"C\"");
    let lines: Vec<&str> = printed.split_inclusive(";\n").collect();
    assert_eq!(status, 0, "{printed}");
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
    assert_eq!(check("notes", &database, "--sql"), (0, String::new()));
}
