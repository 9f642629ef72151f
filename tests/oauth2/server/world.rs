//! An authorization server under test with its host and its clock, and the requests of its clients.

use std::collections::BTreeMap;
use std::thread;

use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use resource_authorization_server::{AuthorizationServer, AuthorizationServerBuilder, NewClient};
use resource_oauth2::TokenVerifier;
use resource_runtime::Database;
use resource_tests::polling::PATIENCE;
use resource_tests::{Answer, Service, TestDatabase, block_on, responses_differ, watch};
use serde_json::Value;

use super::host::Host;
use crate::clock::SetClock;
use crate::signer::text;

pub(crate) const ISSUER: &str = "https://login.example.com";
pub(crate) const RESOURCE: &str = "https://login.example.com/api";
pub(crate) const CALLBACK: &str = "https://app.example.com/signed-in";
pub(crate) const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

/// An authorization server with a host, a clock that the test sets, and a verifier beside it.
pub(crate) struct World {
    pub(crate) service: Service,
    pub(crate) server: AuthorizationServer,
    pub(crate) verifier: TokenVerifier,
    pub(crate) host: Host,
    pub(crate) clock: SetClock,
}

/// A registered client.
#[derive(Clone)]
pub(crate) struct Client {
    pub(crate) id: String,
    pub(crate) secret: Option<String>,
}

pub(crate) type Pairs<'a> = [(&'a str, &'a str)];

impl World {
    pub(crate) fn start() -> Self {
        Self::start_with(|settings| settings)
    }

    pub(crate) fn start_with(
        change: impl FnOnce(AuthorizationServerBuilder) -> AuthorizationServerBuilder,
    ) -> Self {
        Self::start_on(&TestDatabase::default(), &SetClock::new(), change)
    }

    /// An instance on a database that others may share.
    pub(crate) fn start_on(
        database: &TestDatabase,
        clock: &SetClock,
        change: impl FnOnce(AuthorizationServerBuilder) -> AuthorizationServerBuilder,
    ) -> Self {
        responses_differ("codes, tokens and keys are random");
        let host = Host::new();
        let settings = settings(open(database)).resource_owner(host.clone());
        let settings = change(settings.clock(clock.clone()));
        let server = block_on(settings.build()).expect("a server");
        let verifier = TokenVerifier::builder().clock(clock.clone());
        let verifier = block_on(verifier.issuer(server.trusted_issuer()).build()).unwrap();
        server.keep_current(&verifier).unwrap();
        let service = Service::serve(database, server.router());
        Self {
            service,
            server,
            verifier,
            host,
            clock: clock.clone(),
        }
    }

    pub(crate) fn add(&self, client: NewClient) -> Client {
        let added = block_on(self.server.add_client(client)).unwrap();
        let secret = added.secret().map(str::to_owned);
        if let Some(secret) = &secret {
            watch::remember("the secret of a client", secret);
        }
        let id = added.id().to_owned();
        Client { id, secret }
    }

    /// A confidential client that asks users.
    pub(crate) fn web(&self) -> Client {
        let client = NewClient::confidential("Notes on the web").redirect_uri(CALLBACK);
        self.add(client.scopes(["notes.read", "notes.write"]))
    }

    /// A public client that asks users, in a browser.
    pub(crate) fn browser(&self) -> Client {
        let client = NewClient::public("Notes in the browser").redirect_uri(CALLBACK);
        self.add(client.scopes(["notes.read", "notes.write"]))
    }

    /// A client that acts on its own behalf.
    pub(crate) fn machine(&self) -> Client {
        let client = NewClient::confidential("Reports");
        self.add(
            client
                .scopes(["notes.read", "notes.write"])
                .default_scopes(["notes.read"]),
        )
    }

    /// A client that may introspect any token.
    pub(crate) fn gateway(&self) -> Client {
        self.add(NewClient::confidential("Gateway").as_resource_server())
    }

    pub(crate) fn post(&self, path: &str, parameters: &Pairs) -> Answer {
        self.post_with(path, &[], parameters)
    }

    pub(crate) fn post_with(&self, path: &str, headers: &Pairs, parameters: &Pairs) -> Answer {
        let request = self.service.request("POST", path);
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        let request = headers.iter().fold(request, |request, (name, value)| {
            request.header(name, value)
        });
        request.body(encoded(parameters)).send()
    }

    /// Sends a request of this client, with its secret in the body.
    pub(crate) fn ask(&self, client: &Client, path: &str, parameters: &Pairs) -> Answer {
        let mut all = vec![("client_id", client.id.as_str())];
        all.extend(
            client
                .secret
                .as_deref()
                .map(|secret| ("client_secret", secret)),
        );
        all.extend_from_slice(parameters);
        self.post(path, &all)
    }

    pub(crate) fn token(&self, client: &Client, parameters: &Pairs) -> Answer {
        self.ask(client, "/oauth/token", parameters)
    }

    /// Sends an authorization request with these parameters in place of the usual ones; an empty
    /// value leaves its parameter out.
    pub(crate) fn authorize(&self, client: &Client, changes: &Pairs) -> Answer {
        let challenge = challenge(VERIFIER);
        let mut parameters = BTreeMap::from([
            ("client_id", client.id.as_str()),
            ("redirect_uri", CALLBACK),
            ("response_type", "code"),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
            ("state", "the state"),
        ]);
        parameters.extend(changes.iter().copied());
        parameters.retain(|_, value| !value.is_empty());
        let parameters: Vec<_> = parameters.into_iter().collect();
        self.service
            .get(&format!("/oauth/authorize?{}", encoded(&parameters)))
    }

    /// The same request with another method.
    pub(crate) fn authorize_by(&self, method: &str, client: &Client) -> Answer {
        let parameters = encoded(&[
            ("client_id", client.id.as_str()),
            ("redirect_uri", CALLBACK),
            ("response_type", "code"),
            ("code_challenge", &challenge(VERIFIER)),
            ("code_challenge_method", "S256"),
        ]);
        let path = format!("/oauth/authorize?{parameters}");
        self.service.request(method, &path).send()
    }

    /// Sends the user's decision on the page of `asked`.
    pub(crate) fn decide(&self, asked: &Answer, decision: &str) -> Answer {
        assert_eq!(asked.status, 200, "{}", asked.text());
        let fields = asked.text().lines().nth(1).unwrap();
        let body = format!("{fields}&decision={decision}");
        let request = self.service.request("POST", "/oauth/authorize");
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        request.body(body).send()
    }

    /// A code that the user approved.
    pub(crate) fn code(&self, client: &Client) -> String {
        self.code_for(client, &[])
    }

    pub(crate) fn code_for(&self, client: &Client, changes: &Pairs) -> String {
        let asked = self.authorize(client, changes);
        let back = redirect_parameters(&self.decide(&asked, "approve"));
        back["code"].clone()
    }

    pub(crate) fn redeem(&self, client: &Client, code: &str) -> Answer {
        let code = [
            ("grant_type", "authorization_code"),
            ("code", code),
            ("code_verifier", VERIFIER),
        ];
        self.token(client, &code)
    }

    /// The tokens of a user who approved.
    pub(crate) fn tokens(&self, client: &Client) -> Value {
        self.redeem(client, &self.code(client)).ok()
    }

    pub(crate) fn refresh(&self, client: &Client, token: &str) -> Answer {
        let token = [("grant_type", "refresh_token"), ("refresh_token", token)];
        self.token(client, &token)
    }

    /// A token of the client's own.
    pub(crate) fn own_token(&self, client: &Client) -> String {
        let answer = self.token(client, &[("grant_type", "client_credentials")]);
        member(&answer.ok(), "access_token")
    }

    /// Tells that the verifier of the resource accepts the token.
    pub(crate) fn accepts(&self, token: &str) -> bool {
        block_on(self.verifier.verify(token)).is_ok()
    }
}

/// The settings that all tests share, without a host.
pub(crate) fn settings(database: Database) -> AuthorizationServerBuilder {
    let sealing_key = [7; 32];
    watch::remember_bytes("the key that seals keys", &sealing_key);
    AuthorizationServer::builder(database)
        .issuer(ISSUER)
        .resource(RESOURCE)
        .scopes(["notes.read", "notes.write", "notes.admin"])
        .sealing_key(sealing_key)
        .create_missing_tables()
}

pub(crate) fn open(database: &TestDatabase) -> Database {
    // Twenty at once on a busy machine may have to wait for long.
    let options = Database::options().acquire_timeout(PATIENCE);
    let options = options.statement_timeout(PATIENCE);
    block_on(options.connect(&database.url())).expect("the database opens")
}

pub(crate) fn challenge(verifier: &str) -> String {
    text(digest(&SHA256, verifier.as_bytes()).as_ref())
}

pub(crate) fn basic(id: &str, secret: &str) -> String {
    format!("Basic {}", STANDARD.encode(format!("{id}:{secret}")))
}

pub(crate) fn encoded(parameters: &Pairs) -> String {
    let encode = |text| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    let pairs = parameters.iter();
    let pairs = pairs.map(|(name, value)| format!("{}={}", encode(name), encode(value)));
    pairs.collect::<Vec<_>>().join("&")
}

/// The parameters of a redirect to the client.
#[track_caller]
pub(crate) fn redirect_parameters(answer: &Answer) -> BTreeMap<String, String> {
    let location = answer.header("location").expect("a redirect");
    assert!(location.starts_with(&format!("{CALLBACK}?")), "{location}");
    redirect_target(answer).1
}

/// The address of a redirect, and its parameters.
#[track_caller]
pub(crate) fn redirect_target(answer: &Answer) -> (String, BTreeMap<String, String>) {
    assert_eq!(answer.status, 303, "{}", answer.text());
    let location = answer.header("location").expect("a location");
    let (address, query) = location.split_once('?').unwrap_or((location, ""));
    let decode = |text| percent_decode_str(text).decode_utf8().unwrap().into_owned();
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let pairs = pairs.map(|(name, value)| (decode(name), decode(value)));
    (address.to_owned(), pairs.collect())
}

/// Asserts this OAuth error, in the form of all OAuth errors.
#[track_caller]
pub(crate) fn assert_refused(answer: &Answer, status: u16, error: &str) {
    assert_eq!(answer.status, status, "{}", answer.text());
    assert_not_stored(answer);
    let body = answer.json();
    assert_eq!(body["error"], error, "{body}");
    let members: Vec<&String> = body.as_object().unwrap().keys().collect();
    assert_eq!(members, ["error", "error_description"]);
    assert_description(body["error_description"].as_str().unwrap());
}

/// The characters that a description may have (RFC 6749, section 5.2).
#[track_caller]
pub(crate) fn assert_description(description: &str) {
    let permitted = |byte: u8| matches!(byte, 0x20..=0x21 | 0x23..=0x5B | 0x5D..=0x7E);
    assert!(
        !description.is_empty() && description.bytes().all(permitted),
        "{description}"
    );
}

#[track_caller]
pub(crate) fn assert_not_stored(answer: &Answer) {
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    assert_eq!(answer.header("pragma"), Some("no-cache"));
}

#[track_caller]
pub(crate) fn member(body: &Value, name: &str) -> String {
    body[name].as_str().expect("a text").to_owned()
}

/// The part of a signed token at this place, decoded: 0 is the header, 1 the claims.
pub(crate) fn part(token: &str, place: usize) -> Value {
    let part = token.split('.').nth(place).unwrap();
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap()
}

/// The results of a function that this number of threads call at once.
pub(crate) fn at_once<T: Send>(number: usize, ask: impl Fn() -> T + Sync) -> Vec<T> {
    thread::scope(|scope| {
        let asking: Vec<_> = (0..number).map(|_| scope.spawn(&ask)).collect();
        asking.into_iter().map(|it| it.join().unwrap()).collect()
    })
}
