//! Interoperability with an independent client: the crate `oauth2`.

use std::io;

use axum::http::Response;
use oauth2_client::basic::BasicClient;
use oauth2_client::{
    AccessToken, AuthUrl, AuthorizationCode, ClientId, ClientSecret, CsrfToken, HttpRequest,
    HttpResponse, IntrospectionUrl, PkceCodeChallenge, RedirectUrl, RevocationUrl, Scope,
    TokenIntrospectionResponse as _, TokenResponse as _, TokenUrl,
};
use resource_authorization_server::{GrantType, NewClient};
use resource_tests::{apply, every_database};

use super::world::{CALLBACK, ISSUER, World, redirect_parameters};

/// Sends a request of the crate to the address of the test's server.
fn send(world: &World, request: HttpRequest) -> HttpResponse {
    let path = request.uri().path();
    let sending = world.service.request(request.method().as_str(), path);
    let sending = request
        .headers()
        .iter()
        .fold(sending, |sending, (name, value)| {
            sending.header(name.as_str(), value.as_bytes())
        });
    let answer = sending.body(request.into_body()).send();
    let mut response = Response::new(answer.body);
    *response.status_mut() = answer.status.try_into().unwrap();
    *response.headers_mut() = answer.headers;
    response
}

#[apply(every_database)]
fn oauth2_crate_completes_every_flow() {
    let world = World::start();
    let registered = NewClient::confidential("Interoperable").redirect_uri(CALLBACK);
    let registered = registered.scopes(["notes.read"]).allow_introspection();
    let registered = world.add(registered.grant_types([
        GrantType::AuthorizationCode,
        GrantType::RefreshToken,
        GrantType::ClientCredentials,
    ]));
    let url = |path: &str| format!("{ISSUER}{path}");
    let client = BasicClient::new(ClientId::new(registered.id))
        .set_client_secret(ClientSecret::new(registered.secret.unwrap()))
        .set_auth_uri(AuthUrl::new(url("/oauth/authorize")).unwrap())
        .set_token_uri(TokenUrl::new(url("/oauth/token")).unwrap())
        .set_revocation_url(RevocationUrl::new(url("/oauth/revoke")).unwrap())
        .set_introspection_url(IntrospectionUrl::new(url("/oauth/introspect")).unwrap())
        .set_redirect_uri(RedirectUrl::new(CALLBACK.to_owned()).unwrap());
    let http = |request| Ok::<_, io::Error>(send(&world, request));

    let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
    let (address, state) = client
        .authorize_url(CsrfToken::new_random)
        .add_scope(Scope::new("notes.read".to_owned()))
        .set_pkce_challenge(challenge)
        .url();
    let asked = world
        .service
        .get(address.as_str().strip_prefix(ISSUER).unwrap());
    let back = redirect_parameters(&world.decide(&asked, "approve"));
    assert_eq!(back["state"], *state.secret());
    let tokens = client
        .exchange_code(AuthorizationCode::new(back["code"].clone()))
        .set_pkce_verifier(verifier)
        .request(&http)
        .unwrap();
    assert!(world.accepts(tokens.access_token().secret()));
    assert_eq!(tokens.expires_in().unwrap().as_secs(), 600);

    let refreshed = client
        .exchange_refresh_token(tokens.refresh_token().unwrap())
        .request(&http)
        .unwrap();
    let access = refreshed.access_token().clone();
    assert!(world.accepts(access.secret()));

    let own = client.exchange_client_credentials().request(&http).unwrap();
    assert!(world.accepts(own.access_token().secret()));
    assert!(own.refresh_token().is_none());

    let introspect = |token: &AccessToken| {
        let told = client.introspect(token).request(&http).unwrap();
        (
            told.active(),
            told.username().is_none(),
            told.sub().map(str::to_owned),
        )
    };
    assert_eq!(introspect(&access), (true, true, Some("ann".to_owned())));
    let refresh = refreshed.refresh_token().unwrap().clone();
    client
        .revoke_token(refresh.into())
        .unwrap()
        .request(&http)
        .unwrap();
    assert_eq!(introspect(&access), (false, true, None));
    assert!(!world.accepts(access.secret()));

    let gone = client.exchange_refresh_token(refreshed.refresh_token().unwrap());
    let error = gone.request(&http).unwrap_err().to_string();
    assert!(error.contains("Server returned error response"), "{error}");
}
