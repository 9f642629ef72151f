//! Secrets: none reaches the log, at any level, or the database in plain text.

use resource_tests::{TestDatabase, apply, every_database};

use super::browser::{Browser, CALLBACK, VERIFIER, hidden_fields};
use super::process::{CLIENT, Notes, PASSWORD, SECRET, command, text};

#[apply(every_database)]
fn no_secret_token_code_or_password_is_logged_or_stored() {
    let database = TestDatabase::default();
    let mut traced = command(&database);
    traced
        .env("DEMO_CLIENT_ID", CLIENT)
        .env("DEMO_CLIENT_SECRET", SECRET);
    traced.env("DEMO_PASSWORD", PASSWORD);
    let notes = Notes::spawn(traced, &database);
    let mut secrets = vec![
        SECRET.to_owned(),
        PASSWORD.to_owned(),
        "mistyped-4711".to_owned(),
    ];

    let browser = Browser::new(&notes.client);
    let login = browser.authorize(CLIENT, "notes.read notes.write");
    let hidden = |page, action| {
        hidden_fields(page, action)
            .into_iter()
            .map(|(_, value)| value)
    };
    secrets.extend(hidden(&login, "/login"));
    secrets.extend(browser.cookie());
    browser.log_in_on(&login, "ann", "mistyped-4711");
    let next = browser.log_in_on(&login, "ann", PASSWORD);
    secrets.extend(browser.cookie());
    let asked = browser.get(next.header("location").unwrap());
    secrets.extend(hidden(&asked, "/oauth/authorize"));
    secrets.extend(hidden(&asked, "/logout"));
    let back = browser.decide(&asked, "approve");
    secrets.push(back["code"].clone());
    let code = [
        ("grant_type", "authorization_code"),
        ("code", &back["code"]),
        ("code_verifier", VERIFIER),
        ("redirect_uri", CALLBACK),
    ];
    let tokens = notes.post_form("/oauth/token", &code).ok();
    let (access, refresh) = (
        text(&tokens, "access_token"),
        text(&tokens, "refresh_token"),
    );
    assert!(notes.accepts(&access));
    let described = notes.post_form("/oauth/introspect", &[("token", &access)]);
    assert_eq!(described.status, 200);
    let renewal = [
        ("grant_type", "refresh_token"),
        ("refresh_token", &*refresh),
    ];
    let renewed = notes.post_form("/oauth/token", &renewal).ok();
    secrets.push(text(&renewed, "refresh_token"));
    secrets.push(VERIFIER.to_owned());
    notes.post_form_as((CLIENT, "mistyped-4711"), "/oauth/token", &renewal);
    notes.post_form("/oauth/revoke", &[("token", &refresh)]);
    for token in [&access, &text(&renewed, "access_token")] {
        // Only the signature of a token is secret.
        secrets.extend(token.rsplit('.').next().map(str::to_owned));
    }
    secrets.push(refresh);
    browser.submit(&browser.get("/"), "/logout", &[]);

    let (rest, log) = notes.stop();
    assert_eq!(rest, "");
    let mut program = database.other_program();
    let found = program.columns_with(CLIENT);
    assert!(found.len() >= 4, "stored values are found: {found:?}");
    assert!(log.contains("/api/1.0/notes"), "requests are logged");
    for secret in secrets {
        let secret = secret.strip_prefix("session=").unwrap_or(&secret);
        if secret.is_empty() {
            continue;
        }
        let line = log.lines().find(|line| line.contains(secret));
        assert_eq!(line, None, "«{secret}»");
        assert_eq!(program.columns_with(secret), [""; 0], "«{secret}»");
    }
}

#[apply(every_database)]
fn printed_secrets_are_not_logged() {
    let database = TestDatabase::default();
    let notes = Notes::spawn(command(&database), &database);
    let printed = notes.printed.clone();
    let secrets = printed
        .lines()
        .skip(1)
        .map(|line| line.rsplit(' ').next().unwrap());
    let (_, log) = notes.stop();
    for secret in secrets {
        assert!(!secret.is_empty() && !log.contains(secret), "«{secret}»");
    }
}

#[apply(every_database)]
fn an_error_of_the_authorization_server_is_logged_with_its_request_id() {
    let database = TestDatabase::default();
    let notes = Notes::start_with_default_log(&database);
    database.other_program().execute("DROP TABLE oauth_client");
    let form = [("grant_type", "client_credentials")];
    let failed = notes.post_form("/oauth/token", &form);
    assert_eq!(failed.status, 500, "{}", failed.text());
    let id = failed.header("x-request-id").unwrap().to_owned();
    let (_, log) = notes.stop();
    let mut lines = log.lines();
    let line = lines.find(|line| line.contains("ERROR") && line.contains(&id));
    assert!(line.is_some(), "no error with {id} in {log}");
}
