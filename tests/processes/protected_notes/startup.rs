//! The start of the service: its output, and its settings from the environment.

use resource_tests::{TestDatabase, apply, every_database, watch};

use super::browser::Browser;
use super::process::{CLIENT, Notes, SECRET, cleared, command, text};

/// The last word of the line with this beginning.
fn last_word<'a>(printed: &'a str, beginning: &str) -> &'a str {
    let mut lines = printed.lines();
    let line = lines.find(|line| line.starts_with(beginning));
    line.expect(printed).rsplit(' ').next().unwrap()
}

#[apply(every_database)]
fn secrets_are_printed_only_at_the_first_start() {
    let database = TestDatabase::default();
    let notes = Notes::spawn(command(&database), &database);
    let printed = notes.printed.clone();
    assert_eq!(printed.lines().count(), 4, "{printed}");
    for name in ["ann", "ben"] {
        let password = last_word(&printed, &format!("user {name} "));
        assert_eq!(password.len(), 16, "{printed}");
        let browser = Browser::new(&notes.client);
        let answer = browser.log_in_on(&browser.get("/login"), name, password);
        assert_eq!(answer.status, 303);
    }
    let secret = last_word(&printed, "client ").to_owned();
    let id = printed
        .lines()
        .find_map(|line| line.strip_prefix("client "))
        .unwrap();
    let id = id.split(' ').next().unwrap().to_owned();
    let grant = [("grant_type", "client_credentials")];
    let granted = notes
        .post_form_as((&id, &secret), "/oauth/token", &grant)
        .ok();
    assert_eq!(granted["scope"], "notes.read notes.write");
    let (rest, log) = notes.stop();
    assert_eq!((rest, watch::told(&log)), (String::new(), String::new()));

    let again = Notes::spawn(command(&database), &database);
    assert_eq!(again.printed, "");
    let granted = again.post_form_as((&id, &secret), "/oauth/token", &grant);
    assert_eq!(granted.status, 200);
}

#[apply(every_database)]
fn the_client_of_the_environment_is_updated_at_every_start() {
    let database = TestDatabase::default();
    let notes = Notes::start_on(&database);
    assert_eq!(notes.printed, "");
    let token = notes.own_token("notes.read");
    assert!(notes.accepts(&token));
    drop(notes);
    let mut changed = command(&database);
    changed
        .env("DEMO_CLIENT_ID", CLIENT)
        .env("DEMO_CLIENT_SECRET", "x");
    let notes = Notes::spawn(changed, &database);
    assert_eq!(notes.printed, "");
    let grant = [("grant_type", "client_credentials")];
    let new = notes.post_form_as((CLIENT, "x"), "/oauth/token", &grant);
    assert_eq!(new.status, 200);
    let old = notes.post_form_as((CLIENT, SECRET), "/oauth/token", &grant);
    assert_eq!(
        (old.status, text(&old.json(), "error").as_str()),
        (401, "invalid_client")
    );
}

#[apply(every_database)]
fn concurrent_first_starts_print_the_secrets_once() {
    let database = TestDatabase::default();
    let both = std::thread::scope(|scope| {
        let start = || Notes::spawn(command(&database), &database);
        let starting = [scope.spawn(start), scope.spawn(start)];
        starting.map(|it| it.join().expect("a started service"))
    });
    let mut printed = both.each_ref().map(|notes| notes.printed.lines().count());
    printed.sort_unstable();
    assert_eq!(printed, [0, 4]);
}

/// The error with which the service refuses to start with these environment variables.
fn refused(variables: &[(&str, &str)]) -> String {
    let database = TestDatabase::sqlite();
    let mut command = cleared();
    command.env("LISTEN_ADDR", "127.0.0.1:0");
    command.env("DATABASE_URL", database.url());
    command.envs(variables.iter().copied());
    let output = watch::output(&mut command);
    assert!(!output.status.success());
    assert_eq!(output.stdout, b"");
    output.told()
}

#[test]
fn invalid_settings_are_errors_with_a_fix() {
    for (variables, word) in [
        (&[("LISTEN_ADDR", "0.0.0.0:0")][..], "`--base-url https://"),
        (&[("LISTEN_ADDR", "[::]:0")], "`--base-url https://"),
        (&[("BASE_URL", "http://notes.example.com")], "`https`"),
        (&[("SEALING_KEY", "short")], "base64url; make one with"),
        (&[("DEMO_CLIENT_ID", "demo")], "set both"),
        (&[("DEMO_CLIENT_SECRET", "hush")], "set both"),
        (
            &[("DEMO_CLIENT_ID", "demo"), ("DEMO_CLIENT_SECRET", "hu:sh")],
            "its secret must be",
        ),
    ] {
        let text = refused(variables);
        assert!(text.contains(word), "{text}");
        assert!(!text.contains("hu"), "{text}");
    }
}

#[test]
fn unsealed_keys_cause_a_warning() {
    let database = TestDatabase::sqlite();
    let mut unsealed = command(&database);
    unsealed.env_remove("SEALING_KEY");
    let notes = Notes::spawn(unsealed, &database);
    let (_, log) = notes.stop();
    let told = watch::told(&log);
    assert!(told.contains("without SEALING_KEY"), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");
}

#[test]
fn help_lists_flags_variables_and_defaults() {
    let help = cleared().arg("--help").output().expect("an output");
    assert!(help.status.success());
    let text = String::from_utf8(help.stdout).unwrap();
    for word in [
        "--listen",
        "--database-url",
        "--base-url",
        "BASE_URL",
        "SEALING_KEY",
        "DEMO_CLIENT_SECRET",
        "127.0.0.1:8080",
        "protected-notes.db",
    ] {
        assert!(text.contains(word), "{word}");
    }
    assert!(!text.contains("AAAA"), "{text}");
}

#[test]
fn no_wal_remains_after_shutdown() {
    let database = TestDatabase::sqlite();
    Notes::start_on(&database).stop();
    let log = database.path().with_file_name("items.db-wal");
    assert_eq!(std::fs::metadata(log).map_or(0, |it| it.len()), 0);
}
