//! Authentication of clients, and the responses where it fails.

use resource_authorization_server::NewClient;
use resource_tests::{apply, every_database};

use super::world::{Client, World, assert_refused, basic};

const OWN: [(&str, &str); 1] = [("grant_type", "client_credentials")];

#[apply(every_database)]
fn client_secret_is_accepted_in_header_or_body() {
    let world = World::start();
    let client = world.machine();
    let (id, secret) = (client.id.as_str(), client.secret.as_deref().unwrap());
    assert_eq!(world.token(&client, &OWN).status, 200);
    for header in [
        basic(id, secret),
        basic(id, secret).replacen("Basic", "basic", 1),
        // Some clients percent-encode every character.
        basic(&id.replace('-', "%2D"), &secret.replace('_', "%5F")),
    ] {
        let headers = [("authorization", header.as_str())];
        let answer = world.post_with("/oauth/token", &headers, &OWN);
        assert_eq!(answer.status, 200, "{}", answer.text());
    }
    let headers = [("authorization", basic(id, secret))];
    let headers = headers
        .each_ref()
        .map(|(name, value)| (*name, value.as_str()));
    let named = [OWN[0], ("client_id", id)];
    assert_eq!(
        world.post_with("/oauth/token", &headers, &named).status,
        200
    );
}

#[apply(every_database)]
fn unknown_client_and_wrong_secret_get_the_same_response() {
    let world = World::start();
    let client = world.machine();
    let public = world.browser();
    let right = client.secret.clone().unwrap();
    let wrong = "w".repeat(43);
    let mut told = Vec::new();
    for (id, secret) in [
        (client.id.as_str(), wrong.as_str()),
        (&client.id, ""),
        ("unknown", &right),
        ("", &right),
        ("not an id", &right),
        ("\u{fffd}", &right),
        (&public.id, &right),
    ] {
        let asked = Client {
            id: id.to_owned(),
            secret: Some(secret.to_owned()),
        };
        let answer = world.token(&asked, &OWN);
        assert_refused(&answer, 401, "invalid_client");
        assert_eq!(answer.header("www-authenticate"), None);
        told.push(answer.body);
        let header = basic(id, secret);
        let answer = world.post_with("/oauth/token", &[("authorization", &header)], &OWN);
        assert_refused(&answer, 401, "invalid_client");
        let challenge = answer.header("www-authenticate");
        assert_eq!(challenge, Some("Basic realm=\"oauth\""));
        told.push(answer.body);
    }
    told.dedup();
    assert_eq!(told.len(), 1);
}

#[apply(every_database)]
fn missing_or_malformed_credentials_are_401() {
    let world = World::start();
    assert_refused(&world.post("/oauth/token", &OWN), 401, "invalid_client");
    for header in [
        "Bearer abc",
        "Basic",
        "Basic ***",
        "Basic YTpi YTpi",
        "Basic YWI=",
        "x",
    ] {
        let answer = world.post_with("/oauth/token", &[("authorization", header)], &OWN);
        assert_refused(&answer, 401, "invalid_client");
        assert!(answer.header("www-authenticate").is_some());
    }
}

#[apply(every_database)]
fn two_authentication_methods_in_one_request_are_refused() {
    let world = World::start();
    let client = world.machine();
    let secret = client.secret.clone().unwrap();
    let header = basic(&client.id, &secret);
    let headers = [("authorization", header.as_str())];
    for parameters in [
        vec![
            ("client_id", client.id.as_str()),
            ("client_secret", &secret),
            OWN[0],
        ],
        vec![("client_secret", &secret), OWN[0]],
        vec![("client_id", "another"), OWN[0]],
    ] {
        let answer = world.post_with("/oauth/token", &headers, &parameters);
        assert_refused(&answer, 400, "invalid_request");
    }
    let twice = [headers[0], headers[0]];
    let request = world.service.request("POST", "/oauth/token");
    let request = request.header("content-type", "application/x-www-form-urlencoded");
    let request = twice.iter().fold(request, |request, (name, value)| {
        request.header(name, value)
    });
    let answer = request.body("grant_type=client_credentials").send();
    assert_refused(&answer, 400, "invalid_request");
}

#[apply(every_database)]
fn body_is_a_form_of_16_kib_without_repeated_parameters() {
    let world = World::start();
    let client = world.machine();
    let (id, secret) = (client.id, client.secret.unwrap());
    let good = format!("client_id={id}&client_secret={secret}&grant_type=client_credentials");
    let send = |content_type: &str, body: &str| {
        let request = world.service.request("POST", "/oauth/token");
        request
            .header("content-type", content_type)
            .body(body)
            .send()
    };
    let form = "application/x-www-form-urlencoded";
    for content_type in [form, "Application/X-WWW-Form-URLencoded; charset=UTF-8"] {
        assert_eq!(send(content_type, &good).status, 200, "{content_type}");
    }
    let unknown = format!("{good}&audience=x&empty=&scope=");
    assert_eq!(send(form, &unknown).status, 200);
    for content_type in ["application/json", "text/plain", "multipart/form-data"] {
        assert_refused(&send(content_type, &good), 400, "invalid_request");
    }
    for more in [
        "&grant_type=client_credentials",
        "&grant%5Ftype=client_credentials",
        "&scope=notes.read&scope=notes.read",
        "&x=1&x=2",
        "&scope=%00",
        "&scope=%ff",
    ] {
        assert_refused(
            &send(form, &format!("{good}{more}")),
            400,
            "invalid_request",
        );
    }
    let largest = 16 * 1024 - good.len() - "&x=".len();
    let padded = format!("{good}&x={}", "y".repeat(largest));
    assert_eq!(send(form, &padded).status, 200);
    assert_refused(&send(form, &format!("{padded}y")), 413, "invalid_request");
    for path in ["/oauth/token", "/oauth/revoke", "/oauth/introspect"] {
        for method in ["GET", "PUT", "DELETE", "OPTIONS"] {
            let answer = world.service.request(method, path).send();
            assert_refused(&answer, 405, "invalid_request");
            assert_eq!(answer.methods(), ["POST"]);
        }
    }
}

#[apply(every_database)]
fn grant_type_must_be_allowed_for_the_client() {
    let world = World::start();
    let (web, machine, browser) = (world.web(), world.machine(), world.browser());
    let refused = |client: &Client, grant_type: &str, error: &str| {
        let parameters = [
            ("grant_type", grant_type),
            ("refresh_token", "x"),
            ("code", "x"),
        ];
        assert_refused(&world.token(client, &parameters), 400, error);
    };
    refused(&web, "client_credentials", "unauthorized_client");
    refused(&browser, "client_credentials", "unauthorized_client");
    refused(&machine, "authorization_code", "unauthorized_client");
    refused(&machine, "refresh_token", "unauthorized_client");
    for unknown in ["password", "implicit", "Client_Credentials", "urn:x"] {
        refused(&machine, unknown, "unsupported_grant_type");
    }
    refused(&machine, "", "invalid_request");
    let without_refresh = NewClient::confidential("Once").redirect_uri("https://h/cb");
    let without_refresh = without_refresh.scopes(["notes.read"]);
    let kinds = [resource_authorization_server::GrantType::AuthorizationCode];
    let once = world.add(without_refresh.grant_types(kinds));
    refused(&once, "refresh_token", "unauthorized_client");
}
