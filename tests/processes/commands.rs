//! Commands that every service has, run with both examples.

use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};

use resource_tests::watch::{self, Output};
use resource_tests::{Backend, TestDatabase, apply, every_database, raw};
use serde_json::{Value, json};

use crate::address_book::{self, AddressBook};
use crate::protected_notes;

/// The output of a command that must succeed, run in a folder that it must leave empty.
fn printed(mut program: Command, arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let output = watch::output(program.current_dir(folder.path()).args(arguments));
    assert!(output.status.success(), "{}", output.stderr);
    let left = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 0, "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn book(arguments: &[&str]) -> String {
    printed(address_book::cleared(), arguments)
}

fn notes(arguments: &[&str]) -> String {
    printed(protected_notes::cleared(), arguments)
}

/// Exit code and output of `check` for a database.
fn check(program: Command, database: &TestDatabase) -> (Option<i32>, String) {
    let mut program = program;
    let Output { status, stdout, .. } =
        watch::output(program.args(["check", "--database-url", &database.url()]));
    (status.code(), String::from_utf8(stdout).unwrap())
}

#[test]
fn routes_are_a_table() {
    let table = book(&["routes"]);
    let mut lines = table.lines().map(|line| line.split_whitespace().collect());
    let heading: Vec<&str> = lines.next().unwrap();
    assert_eq!(
        heading,
        ["METHOD", "PATH", "OPERATION", "VERSIONS", "ACCESS"]
    );
    let lines: Vec<Vec<&str>> = lines.collect();
    let old = [
        "GET",
        "/api/1.0/settings",
        "list",
        "Setting",
        "1.0",
        "public",
    ];
    let new = [
        "DELETE",
        "/api/2.0/settings/{id}",
        "delete",
        "Setting",
        "2.0,",
        "latest",
        "public",
    ];
    assert!(lines.iter().any(|line| line[..] == old), "{table}");
    assert!(lines.iter().any(|line| line[..] == new), "{table}");
}

#[test]
fn routes_of_a_read_only_service_are_those_that_read() {
    let table = book(&["routes", "--read-only"]);
    let methods = table.lines().skip(1).map(|line| &line[..4]);
    let methods: Vec<&str> = methods.collect();
    assert!(
        methods.len() > 4 && methods.iter().all(|it| *it == "GET "),
        "{table}"
    );
}

#[test]
fn routes_list_the_scopes() {
    let table = notes(&["routes"]);
    let line = |method: &str, path: &str| {
        let mut lines = table.lines();
        let found = lines.find(|line| {
            let mut words = line.split_whitespace();
            words.next() == Some(method) && words.next() == Some(path)
        });
        found.unwrap().split_whitespace().last().unwrap()
    };
    assert_eq!(line("GET", "/api/1.0/notes"), "notes.read");
    assert_eq!(line("PUT,PATCH", "/api/1.0/notes/{id}"), "notes.write");
    assert_eq!(line("GET", "/api/1.0/announcements"), "public");
}

#[test]
fn routes_as_json_are_those_of_the_table() {
    let routes: Vec<Value> = serde_json::from_str(&book(&["routes", "--json"])).unwrap();
    assert_eq!(routes.len(), book(&["routes"]).lines().count() - 1);
    let delete = json!({
        "methods": ["DELETE"], "path": "/api/2.0/settings/{id}", "operation": "delete",
        "resource": "Setting", "version": "2.0", "latest": true, "access": "public",
    });
    assert!(routes.contains(&delete), "{routes:#?}");
    let protected: Vec<Value> = serde_json::from_str(&notes(&["routes", "--json"])).unwrap();
    let update = protected.iter().find(|it| it["operation"] == "update");
    assert_eq!(
        update.unwrap()["access"],
        json!({"any": ["notes.write"]}),
        "{protected:#?}"
    );
}

#[test]
fn the_printed_openapi_document_equals_the_served_one() {
    let served = AddressBook::start(&TestDatabase::default());
    for (version, form, client, file) in [
        ("1.0", "3.1", None, "openapi.json"),
        ("latest", "3.0", None, "openapi-3.0.json"),
        ("1.0", "3.1", Some("--client"), "openapi-client.json"),
    ] {
        let mut command = vec!["openapi", "--version", version, "--form", form];
        command.extend(client);
        let described = book(&command);
        let described: Value = serde_json::from_str(&described).unwrap();
        let head = format!("GET /api/{version}/{file} HTTP/1.1\r\nHost: a\r\n");
        // Read without the test client, which would take the example passwords for leaked secrets.
        let request = head + "Connection: close\r\n\r\n";
        let answer = raw::parse(&raw::exchange(served.client.address(), request.as_bytes()));
        assert_eq!(answer.status, 200);
        assert_eq!(described, answer.json(), "{version}");
    }
    let latest: Value = serde_json::from_str(&book(&["openapi"])).unwrap();
    assert_eq!(latest["openapi"].as_str().unwrap()[..3], *"3.1");
}

#[test]
fn the_openapi_document_of_a_protected_api_has_security_schemes() {
    let notes_described = notes(&["openapi", "--version", "1.0"]);
    assert!(notes_described.contains("notes.write"), "{notes_described}");
    assert!(!book(&["openapi"]).contains("securitySchemes"));
}

#[test]
fn flags_of_the_service_may_follow_every_command() {
    let flags = [
        "--drain=5",
        "--listen=127.0.0.1:0",
        "--metrics-listen=127.0.0.1:0",
        "--database-url=sqlite://missing.db",
    ];
    for command in ["openapi", "schema", "routes", "check"] {
        let told = watch::output(address_book::cleared().arg(command).args(flags));
        let expected = i32::from(command == "check");
        assert_eq!(
            told.status.code(),
            Some(expected),
            "{command}: {}",
            told.stderr
        );
    }
    let told = watch::output(protected_notes::cleared().args(["client", "list", "--drain=x"]));
    assert_eq!(told.status.code(), Some(2), "{}", told.stderr);
}

#[test]
fn shells_complete_commands_and_flags() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = book(&["completions", shell]);
        for word in ["routes", "check", "changelog", "database-url"] {
            assert!(script.contains(word), "{word} in {script}");
        }
    }
    let script = notes(&["completions", "bash"]);
    assert!(script.contains("protected-notes") && script.contains("rotate"));
}

#[test]
fn an_unknown_version_is_an_error_that_lists_the_versions() {
    let refused = watch::output(address_book::cleared().args(["openapi", "--version", "3.0"]));
    assert_eq!(refused.status.code(), Some(1));
    let told = refused.told();
    assert!(
        told.starts_with("address-book: there is no version `3.0`"),
        "{told}"
    );
    assert!(
        told.ends_with("there are `1.0`, `2.0`, `latest`\n"),
        "{told}"
    );
}

#[test]
fn an_unknown_command_is_an_error_that_suggests_a_similar_one() {
    let refused = watch::output(address_book::cleared().arg("rout"));
    assert_eq!(refused.status.code(), Some(2));
    let told = refused.told();
    assert!(
        told.contains("'rout'") && told.contains("'routes'"),
        "{told}"
    );
}

#[apply(every_database)]
fn the_printed_schema_passes_the_check() {
    let database = TestDatabase::default();
    let dialect = match Backend::under_test() {
        Backend::Sqlite => "sqlite",
        Backend::Postgres => "postgres",
    };
    let statements = book(&["schema", "--dialect", dialect]);
    let by_url = book(&["schema", "--database-url", &database.url()]);
    assert_eq!(statements, by_url);
    database.other_program().execute(&statements);
    let (code, told) = check(address_book::cleared(), &database);
    assert_eq!(
        (code, told.as_str()),
        (Some(0), "the database has everything that the API needs\n")
    );
}

/// A database with the schema of a service.
fn with_schema(program: impl Fn(&TestDatabase) -> Command) -> TestDatabase {
    let database = TestDatabase::default();
    let dialect = match Backend::under_test() {
        Backend::Sqlite => "sqlite",
        Backend::Postgres => "postgres",
    };
    let statements = printed(program(&database), &["schema", "--dialect", dialect]);
    database.other_program().execute(&statements);
    database
}

#[apply(every_database)]
fn a_missing_index_is_named_with_the_statement_that_adds_it() {
    let database = with_schema(|_| address_book::cleared());
    let mut other = database.other_program();
    other.execute(r#"DROP INDEX "persons.ship_address_id""#);
    let (code, told) = check(address_book::cleared(), &database);
    assert_eq!(code, Some(1), "{told}");
    assert!(
        told.starts_with("the table `persons` has no index on `ship_address_id`, so that"),
        "{told}"
    );
    let (_, statement) = told
        .split_once("These statements add what is missing:\n\n")
        .unwrap();
    assert!(
        statement.starts_with(r#"CREATE INDEX "persons.ship_address_id" ON "persons""#),
        "{statement}"
    );
    assert_eq!(statement.lines().count(), 1);
    // A missing index does not prevent serving; the statement adds it.
    other.execute(statement);
    assert_eq!(check(address_book::cleared(), &database).0, Some(0));
}

#[apply(every_database)]
fn check_as_json_has_the_differences_by_kind_and_the_statements() {
    let database = with_schema(|_| address_book::cleared());
    let mut other = database.other_program();
    let report = |flags: &[&str]| {
        let mut program = address_book::cleared();
        program.args(["check", "--json", "--database-url", &database.url()]);
        let Output { status, stdout, .. } = watch::output(program.args(flags));
        let report: Value = serde_json::from_slice(&stdout).unwrap();
        (status.code(), report)
    };
    let nothing = json!({"fits": true, "differences": [], "additions": [], "past_sunsets": []});
    assert_eq!(report(&[]), (Some(0), nothing));
    other.execute(r#"DROP INDEX "persons.ship_address_id""#);
    other.execute(r#"DROP TABLE "labels""#);
    let (code, report) = report(&["--data"]);
    assert_eq!((code, &report["fits"]), (Some(1), &json!(false)));
    let of_kind = |kind: &str| -> Vec<&str> {
        let all = report["differences"].as_array().unwrap().iter();
        let all = all.filter(|it| it["kind"] == kind);
        all.map(|it| it["table"].as_str().unwrap()).collect()
    };
    assert_eq!(of_kind("fatal"), ["labels"], "{report:#}");
    // Its values were not read, which is told.
    assert_eq!(of_kind("values"), ["labels"], "{report:#}");
    assert_eq!(of_kind("tolerable"), ["persons"], "{report:#}");
    for statement in report["additions"].as_array().unwrap() {
        other.execute(statement.as_str().unwrap());
    }
    assert_eq!(check(address_book::cleared(), &database).0, Some(0));
}

#[apply(every_database)]
fn the_statements_of_check_add_everything_that_is_missing() {
    let database = with_schema(|_| address_book::cleared());
    let mut other = database.other_program();
    for table in ["labels", "persons", "notes"] {
        other.execute(&format!(r#"DROP TABLE "{table}""#));
    }
    other.execute(r#"ALTER TABLE "addresses" DROP COLUMN "city""#);
    let (code, told) = check(address_book::cleared(), &database);
    assert_eq!(code, Some(1));
    for missing in [
        "the table `labels` is missing",
        "the table `persons` is missing",
        "the table `notes` is missing",
        "the table `addresses` lacks the column `city`",
    ] {
        assert!(told.contains(missing), "{told}");
    }
    let (_, statements) = told
        .split_once("These statements add what is missing:\n\n")
        .unwrap();
    other.execute(statements);
    let (code, told) = check(address_book::cleared(), &database);
    assert_eq!(code, Some(0), "{told}");
}

#[apply(every_database)]
fn statements_alone_are_printed_beside_the_differences_that_they_leave() {
    let database = with_schema(|_| address_book::cleared());
    let mut other = database.other_program();
    let check_sql = || {
        let mut program = address_book::cleared();
        let ended =
            watch::output(program.args(["check", "--sql", "--database-url", &database.url()]));
        // Behind what is logged.
        let told = ended
            .stderr
            .lines()
            .skip_while(|it| !it.starts_with("this remains"));
        let told: Vec<String> = told.map(String::from).collect();
        let statements = String::from_utf8(ended.stdout).unwrap();
        // Without the lines that only the program `sqlite3` reads.
        let statements =
            statements.trim_start_matches(".bail on\n.timeout 5000\nBEGIN IMMEDIATE;\n");
        let statements = statements.trim_end_matches("COMMIT;\n").to_owned();
        (ended.status.code(), statements, told)
    };
    other.execute(r#"DROP TABLE "labels""#);
    other.execute(r#"ALTER TABLE "addresses" DROP COLUMN "city""#);
    let (code, statements, told) = check_sql();
    assert_eq!((code, told.len()), (Some(0), 0), "{told:?}");
    other.execute(&statements);
    assert_eq!(check(address_book::cleared(), &database).0, Some(0));
    // Every version requires it, so the old rows want a value.
    other.execute(r#"ALTER TABLE "addresses" DROP COLUMN "line1""#);
    let (code, statements, told) = check_sql();
    assert_eq!(code, Some(1));
    let added = r#"ALTER TABLE "addresses" ADD COLUMN "line1""#;
    assert!(statements.starts_with(added), "{statements}");
    assert_eq!(told.len(), 2, "{told:?}");
    let remains = "- `addresses.line1` is null in the rows that are there: fill it in, since no version allows null";
    assert_eq!(told[1], remains);
}

#[test]
fn a_table_is_rebuilt_by_statements_for_the_program_of_sqlite() {
    let database = with_schema(|_| address_book::cleared());
    let mut other = database.other_program();
    other.execute(
        r#"DROP TABLE "settings"; CREATE TABLE "settings" (
            "id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL CHECK (length("name") <= 8) UNIQUE, "value" TEXT NOT NULL);
        INSERT INTO "settings" VALUES (7, 'a', 'b')"#,
    );
    let (code, told) = check(address_book::cleared(), &database);
    assert_eq!(code, Some(1));
    let remedy = "that the command `check --rebuild settings` prints";
    assert!(told.contains(remedy), "{told}");
    let rebuild = [
        "check",
        "--rebuild",
        "settings",
        "--database-url",
        &database.url(),
    ];
    let printed = book(&rebuild);
    let statements = printed.strip_prefix(".bail on\n").expect(&printed);
    other.execute(statements);
    assert_eq!(check(address_book::cleared(), &database).0, Some(0));
    assert_eq!(
        other.text(r#"SELECT "value" FROM "settings" WHERE "id" = 7"#),
        "b"
    );
}

#[test]
fn statements_are_printed_once_the_database_is_closed() {
    let database = with_schema(|_| address_book::cleared());
    let file = database.url().replacen("sqlite:", "", 1);
    let file = file.split('?').next().unwrap();
    database.other_program().execute(r#"DROP TABLE "labels""#);
    let mut program = address_book::cleared();
    let program = program.args(["check", "--sql", "--database-url", &database.url()]);
    let mut process = program.stdout(Stdio::piped()).spawn().unwrap();
    let mut first = [0];
    process
        .stdout
        .as_mut()
        .unwrap()
        .read_exact(&mut first)
        .unwrap();
    // The last connection to close a file removes the log beside it.
    assert!(!Path::new(&format!("{file}-wal")).exists());
    process.wait().unwrap();
}

#[apply(every_database)]
fn check_ignores_the_tables_of_the_authorization_server() {
    let database = with_schema(|_| protected_notes::cleared());
    assert_eq!(check(protected_notes::cleared(), &database).0, Some(0));
    let mut other = database.other_program();
    other.execute(r#"DROP INDEX "notes.owner_id.id""#);
    let (code, told) = check(protected_notes::cleared(), &database);
    assert_eq!(code, Some(1));
    assert!(
        told.contains(r#"CREATE INDEX "notes.owner_id.id""#),
        "{told}"
    );
}

#[test]
fn check_reads_values_for_as_long_as_it_takes_and_tells_of_it() {
    let database = TestDatabase::sqlite();
    AddressBook::start(&database).stopped();
    database.other_program().execute(
        "WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < 1000000)
            INSERT INTO persons (id) SELECT id FROM n",
    );
    let mut program = address_book::cleared();
    program.args(["check", "--data", "--database-url", &database.url()]);
    program.stdout(Stdio::piped());
    let (child, log) = watch::spawn_with_default_log(&mut program);
    let report = child.wait_with_output().unwrap().stdout;
    let (report, log) = (String::from_utf8(report).unwrap(), log.whole());
    assert!(report.contains("has everything"), "{report}{log}");
    assert!(log.contains("reads the values in `persons`"), "{log}");
}

#[test]
fn check_creates_no_database() {
    let database = TestDatabase::sqlite();
    let mut program = address_book::cleared();
    let refused = watch::output(program.args(["check", "--database-url", &database.url()]));
    assert_eq!(refused.status.code(), Some(1));
    let told = refused.told();
    assert!(
        told.starts_with("address-book: there is no SQLite file `"),
        "{told}"
    );
    assert!(!database.path().exists());
}
