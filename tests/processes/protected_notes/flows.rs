//! Grants of the authorization server, through the real pages.

use resource_tests::{apply, every_database};

use super::browser::{Browser, CALLBACK, VERIFIER};
use super::process::{CLIENT, Notes, PASSWORD, text};

#[apply(every_database)]
fn a_user_logs_in_and_consents_and_the_client_gets_tokens() {
    let notes = Notes::start();
    let browser = Browser::new(&notes.client);
    let login = browser.authorize(CLIENT, "notes.read notes.write");
    assert_eq!(login.status, 200);
    assert!(
        login.text().contains("<strong>Demonstration</strong>"),
        "{}",
        login.text()
    );
    let next = browser.log_in_on(&login, "ann", PASSWORD);
    assert_eq!(next.status, 303, "{}", next.text());
    let next = next.header("location").unwrap().to_owned();
    assert!(next.starts_with("/oauth/authorize?pending="), "{next}");
    let asked = browser.get(&next);
    let shown = asked.text();
    for part in [
        "ann",
        "Demonstration",
        "127.0.0.1:9876",
        "Read your notes",
        "Write, change",
    ] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    assert!(!shown.contains("everybody"), "{shown}");
    let back = browser.decide(&asked, "approve");
    assert_eq!(
        (&*back["state"], &*back["iss"]),
        ("the state", &*notes.base_url())
    );

    let code = [
        ("grant_type", "authorization_code"),
        ("code", &back["code"]),
        ("code_verifier", VERIFIER),
        ("redirect_uri", CALLBACK),
    ];
    let tokens = notes.post_form("/oauth/token", &code).ok();
    assert_eq!(tokens["scope"], "notes.read notes.write");
    let access = text(&tokens, "access_token");
    let created = notes.send_with_token(&access, "POST", "/api/1.0/notes", r#"{"title": "mine"}"#);
    assert_eq!(created.status, 201, "{}", created.text());
    let note = notes
        .send_with_token(&access, "GET", "/api/1.0/notes/1", "")
        .ok();
    assert_eq!(
        (&note["owner_id"], &note["title"]),
        (&"ann".into(), &"mine".into())
    );

    let refresh = text(&tokens, "refresh_token");
    let form = [
        ("grant_type", "refresh_token"),
        ("refresh_token", &*refresh),
    ];
    let renewed = text(&notes.post_form("/oauth/token", &form).ok(), "access_token");
    assert!(notes.accepts(&renewed));
    let described = notes
        .post_form("/oauth/introspect", &[("token", &renewed)])
        .ok();
    assert_eq!(
        (&described["active"], &described["sub"]),
        (&true.into(), &"ann".into())
    );
    assert_eq!(
        notes
            .post_form("/oauth/revoke", &[("token", &renewed)])
            .status,
        200
    );
    assert!(!notes.accepts(&renewed));
}

#[apply(every_database)]
fn a_logged_in_user_gets_the_consent_page_and_may_deny() {
    let notes = Notes::start();
    let browser = Browser::new(&notes.client);
    browser.log_in("ben");
    let asked = browser.authorize(CLIENT, "notes.read");
    assert!(
        asked.text().contains("<strong>ben</strong>"),
        "{}",
        asked.text()
    );
    assert_eq!(browser.decide(&asked, "deny")["error"], "access_denied");
}

#[apply(every_database)]
fn forms_of_authorization_pages_may_redirect_only_to_the_client() {
    let notes = Notes::start();
    let browser = Browser::new(&notes.client);
    let login = browser.authorize(CLIENT, "notes.read");
    let next = browser.log_in_on(&login, "ann", PASSWORD);
    let consent = browser.get(next.header("location").unwrap());
    for page in [login, consent] {
        let policies = page.headers.get_all("content-security-policy").iter();
        let policies: Vec<_> = policies.map(|it| it.to_str().unwrap()).collect();
        let expected = [
            "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'",
            "form-action 'self' http://127.0.0.1:9876",
        ];
        assert_eq!(policies, expected);
        assert_eq!(page.header("cache-control"), Some("no-store"));
        assert_eq!(page.header("x-frame-options"), Some("DENY"));
        assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
    }
}
