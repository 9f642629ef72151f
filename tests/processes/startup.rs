//! Startup of the address book: its output, its settings and its errors.

use std::net::TcpStream;
use std::process::Command;

use resource_tests::polling::wait_for;
use resource_tests::watch::{self, Output};
use resource_tests::{Cluster, TestDatabase, free_port};
use serde_json::json;

use crate::address_book::{AddressBook, cleared, command, executable};

fn output(arguments: &[&str]) -> Output {
    watch::output(Command::new(executable()).args(arguments))
}

#[test]
fn the_examples_of_the_specification_are_served() {
    let book = AddressBook::start(&TestDatabase::default());
    let setting = book.client.create(
        "/api/1.0/settings",
        &json!({"name": "n".repeat(50), "value": "v"}),
    );
    assert_eq!(setting, "/api/1.0/settings/1");
    assert_eq!(
        book.client
            .post(
                "/api/1.0/settings",
                &json!({"name": "n".repeat(51), "value": "v"})
            )
            .status,
        400
    );
    book.client.create(
        "/api/2.0/settings",
        &json!({"name": "n".repeat(80), "value": "v"}),
    );
    book.client.create(
        "/api/1.0/addresses",
        &json!({"line1": "1 High Street", "zip_code": "1234567890"}),
    );
    let ids = json!({"bill_address_id": 1, "ship_address_id": 1, "mail_address_id": 1});
    book.client.create("/api/1.0/persons", &ids);
    let person = json!({
        "id": 1, "first_name": null, "last_name": null,
        "bill_address_id": 1, "ship_address_id": 1, "mail_address_id": 1,
    });
    assert_eq!(book.client.read("/api/latest/persons/1"), person);
}

#[test]
fn standard_output_is_one_line() {
    let mut book = AddressBook::start(&TestDatabase::default());
    book.client.read("/api/1.0/settings");
    book.signal("TERM");
    assert!(book.ended().success());
    assert_eq!(book.rest_of_output(), "");
}

#[test]
fn the_environment_sets_address_and_database() {
    let file = TestDatabase::default();
    let mut command = Command::new(executable());
    command
        .env("LISTEN_ADDR", "127.0.0.1:0")
        .env("DATABASE_URL", file.url());
    let book = AddressBook::spawn(command, &file).listening();
    book.client
        .create("/api/1.0/settings", &json!({"name": "a", "value": "b"}));
    assert!(file.path().is_file());
}

#[test]
fn the_command_line_overrides_the_environment() {
    let (told, ignored) = (TestDatabase::default(), TestDatabase::default());
    let mut command = command(&told);
    command
        .env("LISTEN_ADDR", "nonsense")
        .env("DATABASE_URL", ignored.url());
    let book = AddressBook::spawn(command, &told).listening();
    book.client
        .create("/api/1.0/settings", &json!({"name": "a", "value": "b"}));
    assert!(told.path().is_file());
    assert!(!ignored.path().exists());
}

#[test]
fn help_lists_flags_variables_and_defaults() {
    let help = output(&["--help"]);
    assert!(help.status.success());
    let text = String::from_utf8(help.stdout).unwrap();
    for word in [
        "--listen",
        "--database-url",
        "LISTEN_ADDR",
        "DATABASE_URL",
        "127.0.0.1:8080",
        "address-book.db",
    ] {
        assert!(text.contains(word), "{word}");
    }
}

#[test]
fn invalid_arguments_are_errors_that_name_the_problem() {
    for (arguments, word) in [
        (&["--nonsense"][..], "--nonsense"),
        (&["--database-url", "mysql://localhost"][..], "mysql"),
        (&["--database-url", "sqlite::memory:"][..], "memory"),
    ] {
        let refused = output(arguments);
        assert!(!refused.status.success());
        assert_eq!(refused.stdout, b"");
        let text = refused.told();
        assert!(text.contains(word), "{text}");
    }
}

#[test]
fn a_port_in_use_is_an_error() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().to_string();
    let file = TestDatabase::default();
    let refused = output(&["--listen", &port, "--database-url", &file.url()]);
    assert!(!refused.status.success());
    assert_eq!(refused.stdout, b"");
    let text = refused.told();
    assert!(text.contains("stop the process that listens"), "{text}");
    // The start ended before it made anything.
    assert!(!file.path().exists());
}

#[test]
fn an_incomplete_address_is_an_error_with_a_complete_one() {
    for (flag, address, fix) in [
        ("--listen", "8080", "like `--listen 127.0.0.1:8080`"),
        ("--listen", ":81", "like `--listen 127.0.0.1:81`"),
        ("--listen", "localhost", "name a host and a port, like"),
        (
            "--metrics-listen",
            "9090",
            "`--metrics-listen 127.0.0.1:9090`",
        ),
    ] {
        let file = TestDatabase::default();
        let url = file.url();
        let mut program = cleared();
        program.env("LISTEN_ADDR", "127.0.0.1:0");
        program.args(["--database-url", &url]);
        let text = watch::output(program.args([flag, address])).told();
        assert!(text.contains(fix), "{text}");
        assert!(!file.path().exists());
    }
}

#[test]
fn clients_are_refused_until_the_tables_are_there() {
    let file = TestDatabase::default();
    AddressBook::start(&file).stopped();
    let mut other = file.other_program();
    other.execute("DROP TABLE settings");
    // The start waits for this lock, with its port bound.
    other.execute("BEGIN IMMEDIATE");
    let port = free_port();
    let address = format!("127.0.0.1:{port}");
    let mut command = cleared();
    command.args(["--listen", &address, "--database-url", &file.url()]);
    let starting = AddressBook::spawn(command, &file);
    wait_for("a start that waits", || {
        let log = starting.log();
        log.contains("waits for another process").then_some(())
    });
    assert!(TcpStream::connect(&address).is_err());
    other.execute("COMMIT");
    starting.listening().client.read("/api/1.0/settings");
}

#[test]
fn an_index_that_takes_long_is_logged() {
    let Some(database) = TestDatabase::postgres() else {
        return;
    };
    AddressBook::start(&database).stopped();
    let mut other = database.other_program();
    other.execute(r#"DROP INDEX "persons.ship_address_id""#);
    // As long as if the table had a million rows.
    other.execute("BEGIN");
    other.execute("LOCK TABLE persons IN ROW EXCLUSIVE MODE");
    let starting = AddressBook::spawn_with_default_log(command(&database), &database);
    let runs = r#"runs `CREATE INDEX IF NOT EXISTS "persons.ship_address_id""#;
    wait_for("a start that takes long", || {
        starting.log().contains(runs).then_some(())
    });
    other.execute("COMMIT");
    starting.listening().client.read("/api/1.0/persons");
}

#[test]
fn the_port_of_a_container_platform_is_served_on_all_addresses() {
    let file = TestDatabase::default();
    let start = |variables: &[(&str, &str)]| {
        let mut command = cleared();
        command.args(["--database-url", &file.url()]);
        command.envs(variables.iter().copied());
        AddressBook::spawn(command, &file).listening()
    };
    let port = free_port();
    let book = start(&[("PORT", &port.to_string())]);
    assert_eq!(book.client.address().to_string(), format!("0.0.0.0:{port}"));
    drop(book);
    // The address of the service itself says more.
    let book = start(&[("PORT", "1"), ("LISTEN_ADDR", "127.0.0.1:0")]);
    assert!(book.client.address().ip().is_loopback());
}

#[test]
fn a_service_that_may_not_create_serves_what_is_there() {
    let file = TestDatabase::default();
    let url = file.url();
    let arguments = [
        "--no-create",
        "--listen",
        "127.0.0.1:0",
        "--database-url",
        &url,
    ];
    let refused = output(&arguments).told();
    assert!(
        refused.contains("the table `settings` is missing"),
        "{refused}"
    );
    drop(AddressBook::start(&file));
    let mut other = file.other_program();
    other.execute("DROP INDEX \"notes.author_id\"");
    let mut command = cleared();
    command.args(arguments);
    let book = AddressBook::spawn(command, &file).listening();
    assert_eq!(book.client.get("/api/1.0/settings").status, 200);
    let indexes =
        other.text("SELECT count(*) || '' FROM sqlite_schema WHERE name = 'notes.author_id'");
    assert_eq!(indexes, "0");
}

#[test]
fn links_begin_with_the_base_url_of_the_environment() {
    let file = TestDatabase::default();
    let linked = |base_url: &str| {
        let mut command = cleared();
        command.args(["--listen", "127.0.0.1:0", "--database-url", &file.url()]);
        command.env("BASE_URL", base_url);
        let book = AddressBook::spawn(command, &file).listening();
        let refused = book.client.get("/api/1.0/settings/1");
        let link = refused.json()["error_details"].as_str().unwrap().to_owned();
        let own = book.client.address().to_string();
        [link, book.pages.clone()].map(|url| url.replace(&own, "…"))
    };
    let named = "https://api.example.com";
    let expected = [format!("{named}/errors/10001"), format!("{named}/docs")];
    assert_eq!(linked(&format!("{named}/")), expected);
    // A variable that is set to nothing is none.
    assert_eq!(linked(""), ["http://…/errors/10001", "http://…/docs"]);
}

#[test]
fn a_missing_folder_is_a_one_line_error_that_names_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("missing/items.db");
    let path = path.to_str().unwrap();
    let url = format!("sqlite://{path}");
    let refused = output(&["--listen", "127.0.0.1:0", "--database-url", &url]);
    assert!(!refused.status.success());
    assert_eq!(refused.stdout, b"");
    let text = refused.told();
    assert!(text.contains(path), "{text}");
    assert!(text.contains("cannot open"), "{text}");
    let fix = format!(
        "create it with `mkdir -p {}/missing`",
        folder.path().display()
    );
    assert!(text.contains(&fix), "{text}");
    for debugging in [
        "Error {", "{ ", "mistakes", "Some(", "panicked", "\\n", "[\"",
    ] {
        assert!(!text.contains(debugging), "«{debugging}» in {text}");
    }
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(!folder.path().join("missing").exists());
}

#[test]
fn a_refused_session_of_postgres_is_an_error_with_its_fix() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let server = cluster.url();
    let mut other = TestDatabase::at(&server).other_program();
    other.execute("CREATE ROLE ann LOGIN PASSWORD 'of-ann-4711'");
    cluster.give(
        "pg_hba.conf",
        "host all ann all scram-sha-256\nhost all tester,nobody all trust\n",
    );
    other.execute("SELECT pg_reload_conf()");
    wait_for("the rules of access", || {
        let rules =
            other.text("SELECT count(*)::text FROM pg_hba_file_rules WHERE 'ann' = ANY(user_name)");
        (rules == "1").then_some(())
    });
    for (url, fix) in [
        (server.replace("/postgres", "/shop"), "`createdb shop`"),
        (server.replace("tester@", "nobody@"), "`createuser nobody`"),
        (server.replace("tester@", "ben@"), "`pg_hba.conf`"),
        (
            server.replace("tester@", "ann:wrong-4711@"),
            "are written `%40`",
        ),
    ] {
        let refused = output(&["--listen", "127.0.0.1:0", "--database-url", &url]);
        assert!(!refused.status.success());
        let text = refused.told();
        assert!(text.contains(fix), "{text}");
        assert!(!refused.stderr.contains("wrong-4711"), "{}", refused.stderr);
        assert_eq!(text.lines().count(), 1, "{text}");
    }
}
