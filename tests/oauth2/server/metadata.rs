//! Public documents: metadata of the server and of the resource, and the JWKS.

use resource_tests::{Answer, apply, every_database};
use serde_json::{Value, json};

use super::world::{ISSUER, RESOURCE, World, assert_refused};

#[track_caller]
fn published(answer: &Answer, cache: &str) -> Value {
    assert_eq!(answer.header("cache-control"), Some(cache));
    assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
    answer.ok()
}

#[apply(every_database)]
fn server_metadata_lists_endpoints_and_capabilities() {
    let world = World::start_with(|it| it.documentation("https://docs.example.com/oauth"));
    let answer = world.service.get("/.well-known/oauth-authorization-server");
    let any = json!(["client_secret_basic", "client_secret_post", "none"]);
    let expected = json!({
        "issuer": ISSUER,
        "authorization_endpoint": format!("{ISSUER}/oauth/authorize"),
        "token_endpoint": format!("{ISSUER}/oauth/token"),
        "jwks_uri": format!("{ISSUER}/oauth/jwks"),
        "scopes_supported": ["notes.admin", "notes.read", "notes.write"],
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "client_credentials", "refresh_token"],
        "token_endpoint_auth_methods_supported": any,
        "revocation_endpoint": format!("{ISSUER}/oauth/revoke"),
        "revocation_endpoint_auth_methods_supported": any,
        "introspection_endpoint": format!("{ISSUER}/oauth/introspect"),
        "introspection_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": true,
        "protected_resources": [RESOURCE],
        "service_documentation": "https://docs.example.com/oauth",
    });
    assert_eq!(published(&answer, "public, max-age=3600"), expected);
}

#[apply(every_database)]
fn resource_metadata_names_the_authorization_server_at_every_path() {
    let world = World::start_with(|it| it.resource_name("Notes"));
    let expected = json!({
        "resource": RESOURCE,
        "authorization_servers": [ISSUER],
        "scopes_supported": ["notes.admin", "notes.read", "notes.write"],
        "bearer_methods_supported": ["header"],
        "resource_name": "Notes",
    });
    let root = "/.well-known/oauth-protected-resource";
    for path in ["", "/api", "/api/", "/api/1.0/notes", "/api/latest"] {
        let answer = world.service.get(&format!("{root}{path}"));
        assert_eq!(
            published(&answer, "public, max-age=3600"),
            expected,
            "{path}"
        );
    }
    let url = world.server.resource_metadata_url();
    assert_eq!(url, format!("{ISSUER}{root}/api"));
    assert_eq!(world.service.get(&format!("{root}/other")).status, 404);
}

#[apply(every_database)]
fn path_of_the_issuer_follows_the_well_known_segment() {
    let issuer = "https://login.example.com/tenants/one";
    let world = World::start_with(|it| it.issuer(issuer).resource("https://login.example.com"));
    let server = "/.well-known/oauth-authorization-server";
    let document = world.service.read(&format!("{server}/tenants/one"));
    assert_eq!(document["issuer"], issuer);
    assert_eq!(
        document["token_endpoint"],
        "https://login.example.com/oauth/token"
    );
    assert_eq!(world.service.get(server).status, 404);
    let resource = world.service.read("/.well-known/oauth-protected-resource");
    assert_eq!(resource["resource"], "https://login.example.com");
    let token = world.own_token(&world.machine());
    assert!(world.accepts(&token));
}

#[apply(every_database)]
fn jwks_contains_only_public_keys() {
    let world = World::start();
    let answer = world.service.get("/oauth/jwks");
    let key_set = published(&answer, "public, max-age=300");
    let key = key_set["keys"][0].as_object().unwrap();
    let mut members: Vec<&String> = key.keys().collect();
    members.sort();
    assert_eq!(members, ["alg", "crv", "kid", "kty", "use", "x", "y"]);
    let (x, y) = (key["x"].as_str().unwrap(), key["y"].as_str().unwrap());
    // RFC 7638: the required members, in alphabetical order.
    let thumbprint = format!(r#"{{"crv":"P-256","kty":"EC","x":"{x}","y":"{y}"}}"#);
    assert_eq!(key["kid"], super::world::challenge(&thumbprint));
    assert_eq!(key_set["keys"].as_array().unwrap().len(), 1);
}

#[apply(every_database)]
fn metadata_allows_any_origin_and_header() {
    let world = World::start();
    for path in [
        "/.well-known/oauth-authorization-server",
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/api",
        "/oauth/jwks",
    ] {
        let answer = world.service.request("OPTIONS", path).send();
        assert_eq!((answer.status, answer.text()), (204, ""), "{path}");
        for (name, value) in [
            ("access-control-allow-origin", "*"),
            ("access-control-allow-methods", "GET"),
            ("access-control-allow-headers", "*"),
        ] {
            assert_eq!(answer.header(name), Some(value), "{path}");
        }
        let answer = world.post(path, &[]);
        assert_refused(&answer, 405, "invalid_request");
    }
}
