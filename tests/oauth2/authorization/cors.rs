//! CORS with tokens.

use resource_tests::{Answer, apply, assert_error, every_database};

use super::guarded_service::Guarded;
use super::models::Place;

const SITE: &str = "https://app.example.org";
const PLACES: &str = "/api/1.0/places";

fn send(guarded: &Guarded, method: &str) -> Answer {
    let request = guarded.service.request(method, PLACES);
    let request = request.header("origin", SITE);
    request
        .header("access-control-request-method", "GET")
        .header("access-control-request-headers", "authorization")
        .send()
}

#[apply(every_database)]
fn preflight_needs_no_token_and_the_401_is_readable() {
    let guarded = Guarded::serve(|builder| builder.cors([SITE]).resource::<Place>());
    let before = send(&guarded, "OPTIONS");
    assert_eq!(before.status, 204);
    let sent = before.header("access-control-allow-headers").unwrap();
    assert!(sent.contains("authorization"), "{sent}");
    let refused = send(&guarded, "GET");
    assert_error(&refused, 401, 12100);
    for answer in [before, refused] {
        let readable = answer.header("access-control-allow-origin");
        assert_eq!(readable, Some(SITE), "{answer:?}");
    }
    let exposed = send(&guarded, "GET");
    let exposed = exposed.header("access-control-expose-headers").unwrap();
    assert!(exposed.contains("www-authenticate"), "{exposed}");
}
