//! Pages for login and logout: their refusals, their cookie and their headers.

use resource_tests::{Answer, apply, every_database};

use super::browser::{Browser, hidden_fields};
use super::process::{CLIENT, Notes, PASSWORD, command};

/// The text of a page with the values of hidden fields removed, which differ from page to page.
fn normalized(page: &Answer) -> String {
    let mut text = page.text().to_owned();
    for (_, value) in hidden_fields(page, "/login") {
        if !value.is_empty() {
            text = text.replace(&value, "…");
        }
    }
    text
}

fn is_logged_in(browser: &Browser) -> bool {
    let home = browser.get("/");
    assert_eq!(home.status, 200);
    home.text().contains("You are logged in as")
}

#[apply(every_database)]
fn an_unknown_name_and_a_wrong_password_get_the_same_page() {
    let notes = Notes::start();
    let browser = Browser::new(&notes.client);
    let page = browser.get("/login");
    let wrong = browser.log_in_on(&page, "ann", "wrong");
    assert_eq!(wrong.status, 422);
    assert!(wrong.text().contains("role=\"alert\""), "{}", wrong.text());
    assert!(!wrong.text().contains("wrong"), "{}", wrong.text());
    let filled_in = |name: &str| format!("name=\"name\" value=\"{name}\"");
    let unknown = browser.log_in_on(&page, "nan", PASSWORD);
    assert_eq!(unknown.status, 422);
    assert_eq!(
        normalized(&unknown).replace(&filled_in("nan"), &filled_in("ann")),
        normalized(&wrong)
    );
    for name in ["", "ann\0", &"n".repeat(1000)] {
        assert_eq!(browser.log_in_on(&page, name, PASSWORD).status, 422);
    }
    assert!(!is_logged_in(&browser));
    let hostile = browser.log_in_on(&page, "\"><script>alert(1)</script>", "x");
    assert!(!hostile.text().contains("<script"), "{}", hostile.text());
}

#[apply(every_database)]
fn a_form_is_accepted_only_in_its_own_session() {
    let notes = Notes::start();
    let (here, there) = (Browser::new(&notes.client), Browser::new(&notes.client));
    let foreign = there.get("/login");
    let form = [("name", "ann"), ("password", PASSWORD)];
    let without_cookie = here.log_in_on(&foreign, "ann", PASSWORD);
    assert_eq!(without_cookie.status, 403);
    here.get("/login");
    assert_eq!(here.post("/login", &form).status, 403);
    assert_eq!(here.log_in_on(&foreign, "ann", PASSWORD).status, 403);
    assert!(!is_logged_in(&here));
    // The page of the refusal has a new form that works.
    let refused = here.log_in_on(&foreign, "ann", PASSWORD);
    assert_eq!(here.log_in_on(&refused, "ann", PASSWORD).status, 303);
    assert!(is_logged_in(&here));
    let own = &hidden_fields(&here.get("/"), "/logout")[0].1;
    let longer = format!("{own}{own}");
    for token in ["", "foreign", &own[1..], &own[..own.len() - 1], &longer] {
        here.post("/logout", &[("form_token", token)]);
        assert!(is_logged_in(&here), "{token}");
    }
    here.post("/logout", &[]);
    assert!(is_logged_in(&here));
    here.post("/logout", &[("form_token", own)]);
    assert!(!is_logged_in(&here));
}

#[apply(every_database)]
fn login_changes_the_session_id() {
    let notes = Notes::start();
    let (attacker, victim) = (Browser::new(&notes.client), Browser::new(&notes.client));
    let page = attacker.get("/login");
    let planted = attacker.cookie();
    victim.plant(planted.clone());
    assert_eq!(victim.log_in_on(&page, "ann", PASSWORD).status, 303);
    assert!(victim.cookie() != planted && is_logged_in(&victim));
    assert!(!is_logged_in(&attacker));
    let invented = Browser::new(&notes.client);
    invented.plant(Some("session=AAAAAAAAAAAAAAAAAAAAAA".to_owned()));
    invented.log_in("ann");
    assert_ne!(
        invented.cookie().as_deref(),
        Some("session=AAAAAAAAAAAAAAAAAAAAAA")
    );
}

#[apply(every_database)]
fn logout_ends_the_session_for_copies_of_the_cookie() {
    let notes = Notes::start();
    let (browser, copy) = (Browser::new(&notes.client), Browser::new(&notes.client));
    browser.log_in("ann");
    copy.plant(browser.cookie());
    assert!(is_logged_in(&copy));
    let asked = browser.authorize(CLIENT, "notes.read");
    let left = browser.submit(&browser.get("/"), "/logout", &[]);
    assert_eq!((left.status, left.header("location")), (303, Some("/")));
    assert!(!is_logged_in(&browser) && !is_logged_in(&copy));
    let late = copy.submit(&asked, "/oauth/authorize", &[("decision", "approve")]);
    assert_eq!((late.status, late.header("location")), (200, None));
    assert!(late.text().contains("<h1>Log in</h1>"));
}

#[apply(every_database)]
fn login_never_redirects_to_another_site() {
    let notes = Notes::start();
    for pending in [
        "//evil.example",
        "https://evil.example",
        "x&redirect_uri=evil",
        "../x",
        "%0d%0a",
    ] {
        let browser = Browser::new(&notes.client);
        let page = browser.get("/login");
        let fields = hidden_fields(&page, "/login");
        let token = &fields
            .iter()
            .find(|(name, _)| name == "form_token")
            .unwrap()
            .1;
        let form = [
            ("name", "ann"),
            ("password", PASSWORD),
            ("pending", pending),
            ("form_token", token),
        ];
        let answer = browser.post("/login", &form);
        assert_eq!(
            (answer.status, answer.header("location")),
            (303, Some("/")),
            "{pending}"
        );
    }
}

#[apply(every_database)]
fn pages_are_not_cached_not_framed_and_have_no_scripts() {
    let notes = Notes::start();
    let browser = Browser::new(&notes.client);
    for path in ["/", "/login"] {
        let page = browser.get(path);
        let policy = page.header("content-security-policy").unwrap();
        for rule in [
            "default-src 'none'",
            "style-src 'self'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        ] {
            assert!(policy.contains(rule), "{policy}");
        }
        assert_eq!(page.header("x-frame-options"), Some("DENY"));
        assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
        assert_eq!(page.header("cache-control"), Some("no-store"));
        assert!(page.text().contains("<html lang=\"en\">"));
        assert!(!page.text().contains("<script") && !page.text().contains("style="));
    }
    let style = browser.get("/style.css");
    assert_eq!(
        style.header("content-type"),
        Some("text/css; charset=utf-8")
    );
}

#[test]
fn every_page_has_nosniff() {
    let notes = Notes::start();
    let browser = Browser::new(&notes.client);
    let request = |method, path| notes.client.request(method, path).try_send().unwrap();
    for (answer, status) in [
        (browser.get("/style.css"), 200),
        (browser.get("/login"), 200),
        (browser.post("/login", &[]), 403),
        (browser.post("/logout", &[]), 303),
        (request("POST", "/login"), 415),
        (request("DELETE", "/login"), 405),
    ] {
        assert_eq!(answer.status, status);
        let told = answer.header("x-content-type-options");
        assert_eq!(told, Some("nosniff"), "{status}");
    }
}

#[test]
fn the_session_cookie_is_http_only_same_site_and_host_only() {
    let notes = Notes::start();
    let page = Browser::new(&notes.client).get("/login");
    let cookie = page.header("set-cookie").unwrap();
    assert!(cookie.starts_with("session="), "{cookie}");
    for attribute in ["HttpOnly", "SameSite=Lax", "Path=/", "Max-Age="] {
        assert!(cookie.contains(attribute), "{cookie}");
    }
    assert!(!cookie.contains("Domain"), "{cookie}");

    let database = resource_tests::TestDatabase::sqlite();
    let mut behind_tls = command(&database);
    behind_tls.args(["--base-url", "https://notes.example.com/"]);
    let notes = Notes::spawn(behind_tls, &database);
    let page = Browser::new(&notes.client).get("/login");
    let cookie = page.header("set-cookie").unwrap();
    assert!(
        cookie.starts_with("__Host-session=") && cookie.contains("Secure"),
        "{cookie}"
    );
    let metadata = notes.client.read("/.well-known/oauth-authorization-server");
    assert_eq!(metadata["issuer"], "https://notes.example.com");
}
