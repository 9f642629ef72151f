//! Authorization requests: validation, redirects to the client, and error pages that redirect nowhere.

use resource_authorization_server::{GrantType, NewClient, RateLimits};
use resource_runtime::shared::STYLE_SHEET;
use resource_tests::{Answer, apply, every_database};

use super::host::Answer as HostAnswer;
use super::world::{
    CALLBACK, ISSUER, RESOURCE, World, assert_description, redirect_parameters, redirect_target,
};

/// Asserts an error page of the server, without a redirect.
#[track_caller]
pub(super) fn assert_error_page(answer: &Answer, status: u16) {
    assert_eq!(answer.status, status, "{}", answer.text());
    assert_eq!(answer.header("location"), None);
    assert_eq!(
        answer.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    // The style sheet of the service's other pages is all that the page has beside its text.
    let policy = answer.header("content-security-policy").unwrap();
    let (_, rest) = policy.split_once(" style-src 'sha256-").unwrap();
    let (_, rest) = rest.split_once("'; ").unwrap();
    let others = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    assert!(
        policy.starts_with("default-src 'none'; ") && rest == others,
        "{policy}"
    );
    assert!(answer.text().contains(STYLE_SHEET));
    assert_unshared(answer);
    assert!(answer.text().contains("<h1>Access was not granted</h1>"));
    assert!(!answer.text().contains("evil"), "{}", answer.text());
}

#[track_caller]
fn assert_protected(answer: &Answer, form_action: &str) {
    let policy = format!(
        "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action {form_action}"
    );
    assert_eq!(answer.header("content-security-policy"), Some(&*policy));
    assert_unshared(answer);
}

/// Asserts that a page is not cached, not framed, and named in no `Referer`.
#[track_caller]
fn assert_unshared(answer: &Answer) {
    for (name, value) in [
        ("x-frame-options", "DENY"),
        ("referrer-policy", "no-referrer"),
        ("cache-control", "no-store"),
    ] {
        assert_eq!(answer.header(name), Some(value), "{name}");
    }
    assert_eq!(answer.header("access-control-allow-origin"), None);
}

#[apply(every_database)]
fn unknown_client_or_redirect_uri_is_never_redirected_to() {
    let world = World::start();
    let client = world.web();
    // Further errors, which must not be redirected to the client either.
    let wrong = [
        ("response_type", "token"),
        ("scope", "none"),
        ("code_challenge", ""),
    ];
    for (name, value) in [
        ("client_id", ""),
        ("client_id", "unknown"),
        ("client_id", "<script>evil()</script>"),
        ("redirect_uri", ""),
        ("redirect_uri", "https://evil.example/cb"),
        ("redirect_uri", "https://app.example.com/signed-in/"),
        ("redirect_uri", "https://app.example.com/signed-in?evil"),
        ("redirect_uri", "https://app.example.com/signed-in#evil"),
        ("redirect_uri", "https://app.example.com:443/signed-in"),
        ("redirect_uri", "HTTPS://app.example.com/signed-in"),
        ("redirect_uri", "https://app.example.com/signed-in\u{0}"),
        ("redirect_uri", "//app.example.com/signed-in"),
    ] {
        assert_error_page(&world.authorize(&client, &[(name, value)]), 400);
        let changes = [&wrong[..], &[(name, value)]].concat();
        assert_error_page(&world.authorize(&client, &changes), 400);
    }
    let good = world.authorize(&client, &[]);
    assert_eq!(good.status, 200);
    for repeated in [
        format!(
            "client_id={0}&client_id={0}&redirect_uri={CALLBACK}",
            client.id
        ),
        format!(
            "client_id={}&redirect_uri={CALLBACK}&redirect_uri={CALLBACK}",
            client.id
        ),
    ] {
        let answer = world.service.get(&format!("/oauth/authorize?{repeated}"));
        assert_error_page(&answer, 400);
    }
    assert_error_page(&world.service.get("/oauth/authorize"), 400);
}

#[apply(every_database)]
fn other_errors_are_redirected_to_the_client() {
    let world = World::start();
    let client = world.web();
    for (name, value, error) in [
        ("response_type", "", "invalid_request"),
        ("response_type", "token", "unsupported_response_type"),
        (
            "response_type",
            "code id_token",
            "unsupported_response_type",
        ),
        ("response_mode", "fragment", "invalid_request"),
        ("response_mode", "form_post", "invalid_request"),
        ("code_challenge", "", "invalid_request"),
        ("code_challenge", "short", "invalid_request"),
        ("code_challenge", &"=".repeat(43), "invalid_request"),
        ("code_challenge_method", "", "invalid_request"),
        ("code_challenge_method", "plain", "invalid_request"),
        ("code_challenge_method", "s256", "invalid_request"),
        ("scope", "notes.admin", "invalid_scope"),
        ("scope", "openid", "invalid_scope"),
        ("scope", "  ", "invalid_scope"),
        ("scope", "notes.read\u{7}", "invalid_request"),
        ("resource", "https://other.example.com", "invalid_target"),
    ] {
        let back = redirect_parameters(&world.authorize(&client, &[(name, value)]));
        assert_eq!(back["error"], error, "{name}={value}");
        assert_description(&back["error_description"]);
        assert_eq!((&*back["state"], &*back["iss"]), ("the state", ISSUER));
        assert_eq!(back.len(), 4, "{back:?}");
    }
    let long = "s".repeat(1025);
    let back = redirect_parameters(&world.authorize(&client, &[("state", &long)]));
    assert_eq!(back["error"], "invalid_request");
    assert!(!back.contains_key("state"));
    let longest = "s".repeat(1024);
    assert_eq!(world.authorize(&client, &[("state", &longest)]).status, 200);
    let explicit = world.authorize(&client, &[("response_mode", "query")]);
    assert!(redirect_parameters(&world.decide(&explicit, "approve")).contains_key("code"));
    for resource in [RESOURCE, ""] {
        assert_eq!(
            world.authorize(&client, &[("resource", resource)]).status,
            200
        );
    }
}

#[apply(every_database)]
fn repeated_parameter_is_redirected_as_invalid_request() {
    let world = World::start();
    let client = world.web();
    let start = format!(
        "/oauth/authorize?client_id={}&redirect_uri={CALLBACK}",
        client.id
    );
    let back = redirect_parameters(
        &world
            .service
            .get(&format!("{start}&scope=a&scope=b&state=x")),
    );
    assert_eq!((&*back["error"], &*back["state"]), ("invalid_request", "x"));
    let back = redirect_parameters(&world.service.get(&format!("{start}&state=a&state=b")));
    assert_eq!(back["error"], "invalid_request");
    assert!(!back.contains_key("state"), "{back:?}");
}

#[apply(every_database)]
fn client_without_the_code_grant_gets_unauthorized_client() {
    let world = World::start();
    let client = NewClient::confidential("Machine").redirect_uri(CALLBACK);
    let client = client.scopes(["notes.read"]);
    let client = world.add(client.grant_types([GrantType::ClientCredentials]));
    let back = redirect_parameters(&world.authorize(&client, &[]));
    assert_eq!(back["error"], "unauthorized_client");
}

#[apply(every_database)]
fn consent_redirects_with_code_state_and_issuer() {
    let world = World::start();
    let client = world.web();
    let asked = world.authorize(&client, &[("state", "a b&ü=/+")]);
    assert_protected(&asked, "'self' https://app.example.com");
    let lines: Vec<&str> = asked.text().lines().collect();
    assert_eq!(lines[0], "consent");
    assert_eq!(
        lines[2..],
        ["Notes on the web", "notes.read notes.write", "ann"]
    );
    let answer = world.decide(&asked, "approve");
    assert_protected(&answer, "'none'");
    let back = redirect_parameters(&answer);
    assert_eq!((&*back["state"], &*back["iss"]), ("a b&ü=/+", ISSUER));
    assert_eq!(back["code"].len(), 43);
    assert_eq!(back.len(), 3);
    let without_state = world.authorize(&client, &[("state", "")]);
    let back = redirect_parameters(&world.decide(&without_state, "approve"));
    assert!(!back.contains_key("state"));
}

#[apply(every_database)]
fn loopback_redirect_uri_matches_any_port() {
    let world = World::start();
    let client = NewClient::public("Notes on the desk").redirect_uri("http://127.0.0.1/cb");
    let client = world.add(
        client
            .redirect_uri("http://[::1]/cb")
            .redirect_uri("com.example.notes:/cb")
            .scopes(["notes.read"]),
    );
    for uri in [
        "http://127.0.0.1:50123/cb",
        "http://127.0.0.1/cb",
        "http://127.0.0.1:65535/cb",
        "http://[::1]:50123/cb",
        "com.example.notes:/cb",
    ] {
        let asked = world.authorize(&client, &[("redirect_uri", uri)]);
        let (address, back) = redirect_target(&world.decide(&asked, "approve"));
        assert_eq!(address, uri);
        assert!(back.contains_key("code"));
    }
    for uri in [
        "http://127.0.0.1:50123/other",
        "http://localhost:50123/cb",
        "https://127.0.0.1:50123/cb",
        "http://127.0.0.1:@evil.example/cb",
        "http://127.0.0.1:0/cb",
        "http://127.0.0.1:00080/cb",
        "http://[::1]:/cb",
        "com.example.notes:/other",
    ] {
        assert_error_page(&world.authorize(&client, &[("redirect_uri", uri)]), 400);
    }
    let asked = world.authorize(&client, &[("redirect_uri", "com.example.notes:/cb")]);
    assert_protected(&asked, "'self' com.example.notes:");
    let asked = world.authorize(&client, &[("redirect_uri", "http://[::1]:1/cb")]);
    assert_protected(&asked, "'self' http:");
}

#[apply(every_database)]
fn login_resumes_the_pending_request() {
    let world = World::start();
    let client = world.web();
    world.host.log_out();
    let login = world.authorize(&client, &[]);
    let lines: Vec<&str> = login.text().lines().collect();
    assert_eq!((login.status, lines[0]), (200, "login"));
    assert_protected(&login, "'self' https://app.example.com");
    let (path, id) = lines[1].split_once('=').unwrap();
    assert_eq!((path, id.len()), ("/oauth/authorize?pending", 43));
    let again = world.service.get(lines[1]);
    assert!(again.text().starts_with("login"));
    world.host.log_in("ann", "session-2");
    let asked = world.service.get(lines[1]);
    let back = redirect_parameters(&world.decide(&asked, "approve"));
    assert_eq!(world.redeem(&client, &back["code"]).status, 200);
    assert_error_page(&world.service.get(lines[1]), 400);
}

#[apply(every_database)]
fn pending_request_expires_after_ten_minutes() {
    let world = World::start();
    let client = world.web();
    world.host.log_out();
    let login = world.authorize(&client, &[]);
    let path = login.text().lines().nth(1).unwrap();
    world.clock.advance(599);
    assert!(world.service.get(path).text().starts_with("login"));
    world.clock.advance(1);
    assert_error_page(&world.service.get(path), 400);
    for unknown in ["", "x", "%00", "../..", &"A".repeat(43)] {
        let path = format!("/oauth/authorize?pending={unknown}");
        assert_error_page(&world.service.get(&path), 400);
    }
}

#[apply(every_database)]
fn decision_of_the_host_is_redirected_to_the_client() {
    let world = World::start();
    let client = world.web();
    for (answer, error) in [
        (HostAnswer::Denies, "access_denied"),
        (HostAnswer::Fails, "server_error"),
    ] {
        world.host.answer(answer);
        let back = redirect_parameters(&world.authorize(&client, &[]));
        assert_eq!((&*back["error"], &*back["state"]), (error, "the state"));
    }
    world.host.answer(HostAnswer::Grants);
    let back = redirect_parameters(&world.authorize(&client, &[]));
    assert_eq!(world.redeem(&client, &back["code"]).status, 200);
    for subject in ["client:ann", "", "a\nb", &"a".repeat(256)] {
        world.host.log_in(subject, "session-1");
        let back = redirect_parameters(&world.authorize(&client, &[]));
        assert_eq!(back["error"], "server_error", "{subject}");
    }
}

#[apply(every_database)]
fn content_security_policy_of_the_host_is_preserved() {
    let world = World::start();
    let client = world.web();
    let ours = "form-action 'self' https://app.example.com";
    let ask = |own: &'static [&'static str]| {
        world.host.policies(own);
        let asked = world.authorize(&client, &[]);
        assert_eq!(asked.header("x-frame-options"), Some("DENY"));
        let policies = asked.headers.get_all("content-security-policy").iter();
        let policies = policies.map(|it| it.to_str().unwrap().to_owned());
        policies.collect::<Vec<_>>()
    };
    let one = "default-src 'self'; frame-ancestors 'none'";
    assert_eq!(
        ask(&["default-src 'self'; frame-ancestors 'none'"]),
        [one, ours]
    );
    let two = ask(&["script-src 'self'", "img-src 'none', form-actions x"]);
    assert_eq!(
        two,
        ["script-src 'self'", "img-src 'none', form-actions x", ours]
    );
    let of_forms = ask(&[
        "script-src 'self'",
        "default-src 'none';Form-Action\t'self'",
    ]);
    assert_eq!(
        of_forms,
        [
            "script-src 'self'",
            "default-src 'none';Form-Action\t'self'"
        ]
    );
    let listed = ask(&["img-src 'none', form-action 'self'"]);
    assert_eq!(listed, ["img-src 'none', form-action 'self'"]);
}

#[apply(every_database)]
fn database_failure_reveals_nothing() {
    let world = World::start();
    let client = world.web();
    let mut program = world.service.database().other_program();
    program.execute("DROP TABLE oauth_auth_request");
    let back = redirect_parameters(&world.authorize(&client, &[]));
    assert_eq!(back["error"], "server_error");
    program.execute("DROP TABLE oauth_client");
    let answer = world.authorize(&client, &[]);
    assert_error_page(&answer, 500);
    let answer = world.token(&client, &[("grant_type", "client_credentials")]);
    super::world::assert_refused(&answer, 500, "server_error");
}

#[apply(every_database)]
fn public_native_client_always_requires_consent() {
    let world = World::start();
    let on_device = ["http://127.0.0.1:1/cb", "com.example.notes:/cb"];
    let register = |client: NewClient| {
        let client = on_device
            .iter()
            .fold(client, |it, uri| it.redirect_uri(*uri));
        world.add(client.redirect_uri(CALLBACK).scopes(["notes.read"]))
    };
    let public = register(NewClient::public("Notes on the desk"));
    let confidential = register(NewClient::confidential("Notes at home"));
    world.host.answer(HostAnswer::Grants);
    for uri in on_device {
        let redirect = [("redirect_uri", uri)];
        let (_, back) = redirect_target(&world.authorize(&public, &redirect));
        assert_eq!(back["error"], "server_error", "{uri}");
        let (_, back) = redirect_target(&world.authorize(&confidential, &redirect));
        assert!(back.contains_key("code"), "{uri}");
    }
    let (_, back) = redirect_target(&world.authorize(&public, &[]));
    assert!(back.contains_key("code"));
}

#[apply(every_database)]
fn other_methods_are_405_and_issue_no_code() {
    let world = World::start();
    let client = world.web();
    world.host.answer(HostAnswer::Grants);
    let back = world.authorize_by("HEAD", &client);
    assert_eq!((back.status, back.header("location")), (405, None));
    let mut program = world.service.database().other_program();
    for table in ["oauth_code", "oauth_auth_request"] {
        let count = format!("SELECT CAST(COUNT(*) AS TEXT) FROM {table}");
        assert_eq!(program.text(&count), "0");
    }
    for method in ["PUT", "DELETE", "OPTIONS"] {
        let answer = world.authorize_by(method, &client);
        assert_error_page(&answer, 405);
        assert_eq!(answer.methods(), ["GET", "POST"]);
    }
}

#[apply(every_database)]
fn every_error_page_has_the_security_headers() {
    let limits = RateLimits::new().per_minute_and_address(2);
    let world = World::start_with(|it| it.rate_limits(limits));
    let client = world.web();
    world.host.answer(HostAnswer::Panics);
    assert_error_page(&world.authorize(&client, &[]), 500);
    assert_error_page(
        &world.post("/oauth/authorize", &[("a", "b"), ("a", "b")]),
        403,
    );
    assert_error_page(&world.authorize(&client, &[]), 429);
}
