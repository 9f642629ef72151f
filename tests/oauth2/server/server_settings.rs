//! Settings of the authorization server: errors are reported before anything is served.

use std::time::Duration;

use resource_authorization_server::{AuthorizationServer, AuthorizationServerBuilder, RateLimits};
use resource_oauth2::{TokenVerifier, TrustedIssuer};
use resource_runtime::{Api, Dialect};
use resource_tests::models::SettingOne;
use resource_tests::{
    Service, TestDatabase, apply, assert_error, block_on, every_database, problems,
};

use super::host::Host;
use super::world::{World, open, settings};

fn mistakes(settings: AuthorizationServerBuilder) -> Vec<String> {
    problems(&block_on(settings.build()).unwrap_err())
}

#[apply(every_database)]
fn all_missing_settings_are_reported_at_once() {
    let kept = TestDatabase::default();
    let database = open(&kept);
    let all = mistakes(AuthorizationServer::builder(database));
    assert_eq!(all.len(), 4, "{all:?}");
    for (mistake, word) in all.iter().zip([
        ".issuer(…)",
        ".resource(…)",
        ".sealing_key(…)",
        ".resource_owner(…)",
    ]) {
        assert!(mistake.starts_with("authorization server: ") && mistake.contains(word));
    }
}

#[apply(every_database)]
fn invalid_settings_are_reported() {
    let kept = TestDatabase::default();
    let database = open(&kept);
    let start = || settings(database.clone()).resource_owner(Host::new());
    let (second, day) = (Duration::from_secs(1), Duration::from_hours(24));
    for (settings, word) in [
        (start().issuer("http://login.example.com"), "is not `https`"),
        (start().issuer("https://h/?a=b"), "query"),
        (start().issuer("https://h/a b"), "issuer"),
        (start().resource("https://h/{id}"), "resource"),
        (start().resource("api"), "resource"),
        (start().scopes(["a b"]), "`a b`"),
        (start().scopes(["openid"]), "ID tokens"),
        (start().code_lifetime(day), "code"),
        (
            start().access_token_lifetime(Duration::ZERO),
            "access token",
        ),
        (start().access_token_lifetime(day + second), "access token"),
        (
            start().refresh_token_lifetime(Duration::ZERO, day),
            "refresh token",
        ),
        (start().retry_window(day, 3), "window"),
        (
            start().rate_limits(RateLimits::new().per_minute_and_client(0)),
            "rate",
        ),
        (
            start().rate_limits(RateLimits::new().per_minute_and_address(0)),
            "rate",
        ),
    ] {
        let shown = format!("{settings:?}");
        assert!(!shown.contains("[7, 7"), "{shown}");
        let found = mistakes(settings);
        assert!(found.len() == 1 && found[0].contains(word), "{found:?}");
    }
    let found = mistakes(start().docs_client_at("http://api.example.com/docs"));
    assert!(
        found.len() == 1 && found[0].contains("/docs/oauth2-redirect`"),
        "{found:?}"
    );
    assert!(block_on(start().issuer("http://127.0.0.1:8080").build()).is_ok());
}

#[apply(every_database)]
fn missing_tables_are_reported_and_created_by_schema_sql() {
    let database = TestDatabase::default();
    let start = || {
        let settings = AuthorizationServer::builder(open(&database));
        let settings = settings.issuer("https://h").resource("https://h/api");
        settings.unsealed_keys().resource_owner(Host::new())
    };
    let missing = mistakes(start());
    assert!(missing.concat().contains("oauth_client"), "{missing:?}");
    let dialect = match resource_tests::Backend::under_test() {
        resource_tests::Backend::Sqlite => Dialect::Sqlite,
        resource_tests::Backend::Postgres => Dialect::Postgres,
    };
    let sql = AuthorizationServer::schema_sql(dialect).unwrap();
    database.other_program().execute(&sql);
    assert!(block_on(start().build()).is_ok());
}

#[apply(every_database)]
fn routes_can_be_merged_with_those_of_the_api() {
    let world = World::start();
    let routes = world.server.router();
    let service = Service::start_wrapped(
        |database| Api::builder().resource::<SettingOne>().build(database),
        |api| api.merge(routes),
    );
    assert_eq!(service.read("/api/1.0/settings")["totalItems"], 0);
    let keys = service.read("/oauth/jwks")["keys"].clone();
    assert_eq!(keys.as_array().unwrap().len(), 1);
    for lost in ["/oauth", "/oauth/unknown", "/.well-known/unknown"] {
        assert_error(&service.get(lost), 404, 10000);
    }
}

#[apply(every_database)]
fn keep_current_refuses_a_verifier_of_another_issuer() {
    let world = World::start();
    let other = TrustedIssuer::with_keys("https://other.example.com", key_set(&world));
    let verifier = TokenVerifier::builder().issuer(other.audience("x")).build();
    let verifier = block_on(verifier).unwrap();
    let error = world.server.keep_current(&verifier).unwrap_err();
    assert!(error.to_string().contains("is not trusted"), "{error}");
}

fn key_set(world: &World) -> String {
    world.service.read("/oauth/jwks").to_string()
}
