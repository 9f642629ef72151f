//! A guarded service, and its callers with their tokens.

use resource_oauth2::{Authorization, TokenVerifier, TrustedIssuer};
use resource_runtime::{Api, ApiBuilder, Database, Error};
use resource_tests::{Answer, Request, Service, assert_created, block_on, problems};
use serde_json::{Value, json};

use super::models::{Draft, DraftTwo, Folder, Place, Setting};
use crate::clock::SetClock;
use crate::issuer::AUDIENCE;
use crate::signer::{Signer, key_set};

const ISSUER: &str = "https://login.example.com";

/// A service with authorization, and the issuer of its tokens.
pub(super) struct Guarded {
    pub(super) service: Service,
    pub(super) clock: SetClock,
    signer: Signer,
}

/// A caller, with a token or without.
pub(super) struct Guest<'service> {
    service: &'service Service,
    token: Option<String>,
}

/// All scopes of these tests, but those that bypass owners.
pub(super) const EVERYTHING: &str = "drafts.read drafts.write folders.read folders.write \
                                     places.read places.write settings.write";

impl Guarded {
    /// A service of the resources of these tests.
    pub(super) fn start() -> Self {
        Self::serve(|builder| {
            builder
                .resource::<Setting>()
                .resource::<Place>()
                .resource::<Folder>()
                .resource::<Draft>()
                .resource::<DraftTwo>()
        })
    }

    pub(super) fn serve(register: impl FnOnce(ApiBuilder) -> ApiBuilder) -> Self {
        Self::serve_as("drafts", register)
    }

    /// A service in a realm of this name.
    pub(super) fn serve_as(realm: &str, register: impl FnOnce(ApiBuilder) -> ApiBuilder) -> Self {
        let (signer, clock) = (Signer::es256("first"), SetClock::new());
        let authorization = Authorization::new(verifier(&signer, &clock)).realm(realm);
        let service = Service::start(|database| {
            let builder = register(Api::builder().base_url("https://api.example.com"));
            builder.authorization(authorization).build(database)
        });
        Self {
            service,
            clock,
            signer,
        }
    }

    /// A user, with these scopes.
    pub(super) fn user(&self, name: &str, scopes: &str) -> Guest<'_> {
        self.bearer(&json!({"sub": name, "scope": scopes}))
    }

    /// A user with all scopes for their own items.
    pub(super) fn owner(&self, name: &str) -> Guest<'_> {
        self.user(name, EVERYTHING)
    }

    /// A user with all scopes for the items of everybody.
    pub(super) fn admin(&self) -> Guest<'_> {
        self.user("root", &format!("{EVERYTHING} admin audit lock"))
    }

    /// A client that acts on its own behalf.
    pub(super) fn client(&self, scopes: &str) -> Guest<'_> {
        self.bearer(&json!({"sub": "app", "scope": scopes}))
    }

    /// A caller whose token has these claims, beside those of every token.
    pub(super) fn bearer(&self, claims: &Value) -> Guest<'_> {
        self.with_token(&self.token(claims))
    }

    pub(super) fn token(&self, claims: &Value) -> String {
        let now = self.clock.seconds();
        let mut all = json!({
            "iss": ISSUER, "aud": AUDIENCE, "client_id": "app", "jti": "1", "iat": now,
            "exp": now + 600,
        });
        for (name, value) in claims.as_object().unwrap() {
            all[name] = value.clone();
        }
        self.signer.sign(&all)
    }

    pub(super) fn with_token(&self, token: &str) -> Guest<'_> {
        Guest {
            service: &self.service,
            token: Some(token.to_owned()),
        }
    }

    pub(super) fn stranger(&self) -> Guest<'_> {
        Guest {
            service: &self.service,
            token: None,
        }
    }
}

pub(super) fn verifier(signer: &Signer, clock: &SetClock) -> TokenVerifier {
    let keys = key_set(&[signer]).to_string();
    let issuer = TrustedIssuer::with_keys(ISSUER, keys).audience(AUDIENCE);
    let settings = TokenVerifier::builder().clock(clock.clone());
    block_on(settings.issuer(issuer).build()).unwrap()
}

/// Builds an API with authorization on an empty database, and returns the problems of its error.
#[track_caller]
pub(super) fn mistakes(register: impl FnOnce(ApiBuilder) -> ApiBuilder) -> Vec<String> {
    problems(&guarded(register).unwrap_err())
}

/// Builds an API with authorization on an empty database.
pub(super) fn guarded(register: impl FnOnce(ApiBuilder) -> ApiBuilder) -> Result<Api, Error> {
    let verifier = verifier(&Signer::es256("first"), &SetClock::new());
    built(|builder| register(builder).authorization(verifier))
}

/// Asserts these problems, in this order, each with all of its words.
#[track_caller]
pub(super) fn assert_mistakes(found: &[String], expected: &[&[&str]]) {
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for (mistake, words) in found.iter().zip(expected) {
        for word in *words {
            assert!(mistake.contains(word), "«{mistake}» does not name «{word}»");
        }
    }
}

/// Builds an API on an empty database.
pub(super) fn built(register: impl FnOnce(ApiBuilder) -> ApiBuilder) -> Result<Api, Error> {
    let file = resource_tests::TestDatabase::sqlite();
    let database = block_on(Database::connect(&file.url())).unwrap();
    register(Api::builder()).build(database)
}

impl Guest<'_> {
    pub(super) fn request(&self, method: &str, path: &str) -> Request {
        let request = self.service.request(method, path);
        match &self.token {
            Some(token) => request.header("authorization", format!("Bearer {token}")),
            None => request,
        }
    }

    #[track_caller]
    pub(super) fn get(&self, path: &str) -> Answer {
        self.request("GET", path).send()
    }

    #[track_caller]
    pub(super) fn read(&self, path: &str) -> Value {
        self.get(path).ok()
    }

    #[track_caller]
    pub(super) fn post(&self, path: &str, body: &Value) -> Answer {
        self.request("POST", path).json(body.to_string()).send()
    }

    /// Creates an item and returns its path.
    #[track_caller]
    pub(super) fn create(&self, path: &str, body: &Value) -> String {
        assert_created(&self.post(path, body))
    }

    #[track_caller]
    pub(super) fn put(&self, path: &str, body: &Value) -> Answer {
        self.request("PUT", path).json(body.to_string()).send()
    }

    #[track_caller]
    pub(super) fn delete(&self, path: &str) -> Answer {
        self.request("DELETE", path).send()
    }

    /// The number of items that a filter finds, by the page and by its total.
    #[track_caller]
    pub(super) fn finds(&self, collection: &str, query: &str) -> usize {
        let page = self.read(&format!("{collection}?{query}"));
        let items = page["items"].as_array().unwrap().len();
        let count = self.read(&format!("{collection}?{query}&limit=0"));
        assert_eq!(page["totalItems"], items, "{query}");
        assert_eq!(count["totalItems"], items, "{query}");
        items
    }
}

/// The number at the end of a path.
pub(super) fn id(path: &str) -> i64 {
    let (_, id) = path.rsplit_once('/').unwrap();
    id.parse().unwrap()
}

/// The text of a response, without the requested id and the id of the request.
pub(super) fn told(answer: &Answer, id: &str) -> String {
    let mut headers = answer.headers.clone();
    headers.remove("date");
    headers.remove("x-request-id");
    let request = answer.header("x-request-id").expect("one x-request-id");
    let body = answer.text().replace(request, "request");
    let body = body.replace(&format!("`{id}`"), "`id`");
    format!("{} {headers:?} {body}", answer.status)
}
