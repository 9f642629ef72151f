//! Who asks too often waits.

use resource_runtime::oauth2::server::RateLimits;
use resource_tests::{Answer, apply, every_database};

use super::world::{World, assert_refused};

#[track_caller]
fn assert_wait(answer: &Answer) {
    assert_eq!(answer.status, 429, "{}", answer.text());
    let seconds: u64 = answer.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=61).contains(&seconds), "{seconds}");
}

#[apply(every_database)]
fn a_client_is_counted_wherever_it_asks() {
    let limits = RateLimits::new().per_minute_and_client(3);
    let world = World::start_with(|settings| settings.rate_limits(limits));
    let (client, other) = (world.web(), world.machine());
    let wrong = [("grant_type", "password")];
    for _ in 0..2 {
        assert_refused(&world.token(&client, &wrong), 400, "unsupported_grant_type");
    }
    assert_eq!(world.authorize(&client, &[]).status, 200);
    for path in ["/oauth/token", "/oauth/revoke", "/oauth/introspect"] {
        let answer = world.ask(&client, path, &wrong);
        assert_wait(&answer);
        assert_refused(&answer, 429, "temporarily_unavailable");
    }
    let page = world.authorize(&client, &[]);
    assert_wait(&page);
    assert!(page.text().contains("too many requests"));
    assert_refused(&world.token(&other, &wrong), 400, "unsupported_grant_type");
}

#[apply(every_database)]
fn an_address_is_counted_where_the_server_tells_it() {
    let limits = RateLimits::new().per_minute_and_address(2);
    let world = World::start_with(|settings| settings.rate_limits(limits));
    let service = &world.service;
    assert_eq!(service.get("/oauth/authorize").status, 400);
    let post = || service.request("POST", "/oauth/token").send();
    assert_refused(&post(), 400, "invalid_request");
    assert_wait(&post());
    assert_wait(&service.get("/oauth/authorize"));
    assert_eq!(service.get("/oauth/jwks").status, 200);
}
