//! Rate limits: a client beyond its limit gets 429 with `Retry-After`, and others are not affected.

use axum::extract::Request;
use axum::middleware::map_request;
use resource_authorization_server::{CallerAddress, RateLimits};
use resource_tests::{Answer, Service, apply, every_database};

use super::world::{Client, World, assert_refused};

const OWN: [(&str, &str); 1] = [("grant_type", "client_credentials")];

#[track_caller]
fn assert_wait(answer: &Answer) {
    assert_eq!(answer.status, 429, "{}", answer.text());
    let seconds: u64 = answer.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=61).contains(&seconds), "{seconds}");
}

fn limited(limits: RateLimits) -> World {
    World::start_with(|settings| settings.rate_limits(limits))
}

fn impostor(client: &Client) -> Client {
    Client {
        secret: Some("w".repeat(43)),
        ..client.clone()
    }
}

/// Has the server take the address of the caller from `X-Forwarded-For`, as behind a proxy.
fn behind_proxy(world: &mut World) {
    async fn tell(mut request: Request) -> Request {
        let forwarded = request.headers().get_all("x-forwarded-for");
        let last = forwarded.iter().next_back();
        let last = last.and_then(|it| it.to_str().ok()?.rsplit(',').next());
        if let Some(address) = last.and_then(|it| it.trim().parse().ok()) {
            request.extensions_mut().insert(CallerAddress(address));
        }
        request
    }
    let app = world.server.router().layer(map_request(tell));
    world.service = Service::serve(world.service.database(), app);
}

#[apply(every_database)]
fn only_authenticated_requests_count_against_a_client() {
    let world = limited(RateLimits::new().per_minute_and_client(2));
    let (client, other) = (world.machine(), world.machine());
    for _ in 0..5 {
        world.authorize(&client, &[]);
        assert_refused(
            &world.token(&impostor(&client), &OWN),
            401,
            "invalid_client",
        );
    }
    for _ in 0..2 {
        assert_eq!(world.token(&client, &OWN).status, 200);
    }
    let answer = world.token(&client, &OWN);
    assert_wait(&answer);
    assert_refused(&answer, 429, "temporarily_unavailable");
    let revoked = world.ask(&client, "/oauth/revoke", &[("token", "x")]);
    assert_eq!(revoked.status, 200);
    assert_eq!(world.token(&other, &OWN).status, 200);
}

#[apply(every_database)]
fn requests_are_limited_per_address() {
    let world = limited(RateLimits::new().per_minute_and_address(2));
    let client = world.machine();
    let service = &world.service;
    assert_eq!(service.get("/oauth/authorize").status, 400);
    let post = || service.request("POST", "/oauth/token").send();
    assert_refused(&post(), 400, "invalid_request");
    assert_wait(&post());
    assert_wait(&service.get("/oauth/authorize"));
    assert_eq!(service.get("/oauth/jwks").status, 200);
    let revoked = world.ask(&client, "/oauth/revoke", &[("token", "x")]);
    assert_eq!(revoked.status, 200);
}

#[apply(every_database)]
fn failed_authentications_throttle_only_their_client_and_address() {
    let mut world = limited(RateLimits::unlimited().failures_per_minute(3));
    behind_proxy(&mut world);
    let (client, other) = (world.machine(), world.machine());
    let ask_from = |address: &str, client: &Client, path: &str| {
        let secret = client.secret.as_deref().unwrap();
        let headers = [("x-forwarded-for", address)];
        let mut parameters = vec![("client_id", &*client.id), ("client_secret", secret)];
        parameters.extend([OWN[0], ("token", "x")]);
        world.post_with(path, &headers, &parameters)
    };
    let (stranger, home) = ("192.0.2.1", "192.0.2.2");
    for path in ["/oauth/token", "/oauth/revoke", "/oauth/introspect"] {
        let answer = ask_from(stranger, &impostor(&client), path);
        assert_refused(&answer, 401, "invalid_client");
    }
    for path in ["/oauth/token", "/oauth/revoke", "/oauth/introspect"] {
        let answer = ask_from(stranger, &impostor(&client), path);
        assert_wait(&answer);
        assert_refused(&answer, 429, "temporarily_unavailable");
    }
    assert_wait(&ask_from(stranger, &client, "/oauth/token"));
    assert_eq!(ask_from(home, &client, "/oauth/token").status, 200);
    assert_eq!(ask_from(stranger, &other, "/oauth/token").status, 200);
}

#[apply(every_database)]
fn unknown_clients_are_throttled_like_registered_ones() {
    let world = limited(RateLimits::unlimited().failures_per_minute(3));
    let answer = |id: &str| {
        let secret = Some("w".repeat(43));
        let id = id.to_owned();
        world.token(&Client { id, secret }, &OWN)
    };
    let (known, other) = (world.machine(), world.machine());
    for id in [&known.id, "unknown"] {
        for _ in 0..3 {
            assert_refused(&answer(id), 401, "invalid_client");
        }
        assert_wait(&answer(id));
    }
    assert_eq!(world.token(&other, &OWN).status, 200);
    // An attacker who tries a new id each time.
    for number in 0..24 {
        let id = format!("none-{number}");
        assert_refused(&answer(&id), 401, "invalid_client");
    }
    assert_wait(&answer("another"));
    assert_wait(&answer(&other.id));
    assert_wait(&world.token(&other, &OWN));
}

#[apply(every_database)]
fn limit_of_a_public_client_is_per_address() {
    let mut world = limited(RateLimits::unlimited().per_minute_and_client(2));
    behind_proxy(&mut world);
    let client = world.browser();
    let ask_from = |address: &str| {
        let headers = [("x-forwarded-for", address)];
        let garbage = [
            ("client_id", &*client.id),
            ("grant_type", "refresh_token"),
            ("refresh_token", "garbage"),
        ];
        world.post_with("/oauth/token", &headers, &garbage)
    };
    for _ in 0..2 {
        assert_refused(&ask_from("192.0.2.1"), 400, "invalid_grant");
    }
    assert_wait(&ask_from("192.0.2.1"));
    assert_refused(&ask_from("192.0.2.2"), 400, "invalid_grant");
}

#[apply(every_database)]
fn introspection_and_revocation_have_a_limit_of_their_own() {
    let world = limited(RateLimits::unlimited().per_minute_and_address(2));
    let client = world.gateway();
    let ask = |path: &str| world.ask(&client, path, &[("token", "x")]);
    let post = || world.service.request("POST", "/oauth/token").send();
    while post().status != 429 {}
    let (revoke, introspect) = ("/oauth/revoke", "/oauth/introspect");
    for path in [revoke, introspect].repeat(10) {
        assert_eq!(ask(path).status, 200);
    }
    for path in [revoke, introspect] {
        assert_wait(&ask(path));
    }
}

#[apply(every_database)]
fn addresses_behind_a_proxy_are_limited_separately() {
    let mut world = limited(RateLimits::unlimited().per_minute_and_address(1));
    behind_proxy(&mut world);
    let ask = |address: &str| {
        let request = world.service.request("GET", "/oauth/authorize");
        request.header("x-forwarded-for", address).send()
    };
    assert_eq!(ask("192.0.2.1").status, 400);
    assert_eq!(ask("192.0.2.2").status, 400);
    assert_wait(&ask("192.0.2.1"));
}

#[apply(every_database)]
fn forged_forwarded_addresses_are_ignored() {
    let mut world = limited(RateLimits::unlimited().per_minute_and_address(1));
    behind_proxy(&mut world);
    let ask = |lines: &[&str]| {
        let request = world.service.request("GET", "/oauth/authorize");
        let request = lines.iter().fold(request, |request, line| {
            request.header("x-forwarded-for", line)
        });
        request.send()
    };
    assert_eq!(ask(&["192.0.2.7"]).status, 400);
    // Proxies add to the line that a caller sent, or send one more.
    assert_wait(&ask(&["192.0.2.1, 192.0.2.7"]));
    assert_wait(&ask(&["192.0.2.2", "192.0.2.7"]));
    assert_wait(&ask(&["192.0.2.3", "192.0.2.4, 192.0.2.7"]));
}
