//! A fake issuer on this machine, whose responses a test sets.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, Response};
use resource_oauth2::{Claims, Refusal, TokenVerifier, TokenVerifierBuilder, TrustedIssuer};
use resource_tests::{block_on, watch};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::clock::SetClock;
use crate::reply::Reply;
use crate::signer::{Signer, key_set};

pub(crate) const AUDIENCE: &str = "https://api.example.com";
pub(crate) const KEYS: &str = "/keys";
pub(crate) const OAUTH: &str = "/.well-known/oauth-authorization-server";
pub(crate) const OPENID: &str = "/.well-known/openid-configuration";

/// A fake issuer on this machine, whose responses the test sets.
pub(crate) struct FakeIssuer {
    pub(crate) name: String,
    pub(crate) clock: SetClock,
    desk: Arc<Desk>,
}

/// The responses at each path, and the received requests.
#[derive(Default)]
struct Desk {
    replies: Mutex<HashMap<String, Reply>>,
    questions: Mutex<Vec<Question>>,
}

#[derive(Debug, Clone)]
pub(crate) struct Question {
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl FakeIssuer {
    /// An issuer whose every response is 404, until others are set.
    pub(crate) fn silent() -> Self {
        let desk = Arc::new(Desk::default());
        let serving = Arc::clone(&desk);
        let name = block_on(async move {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap();
            let app = Router::new().fallback(move |request| answer(Arc::clone(&serving), request));
            tokio::spawn(async move { axum::serve(listener, app).await });
            format!("http://{address}")
        });
        let clock = SetClock::new();
        Self { name, clock, desk }
    }

    /// An issuer that publishes the keys of these signers.
    pub(crate) fn publishing(signers: &[&Signer]) -> Self {
        let issuer = Self::silent();
        issuer.reply(OAUTH, Reply::json(&issuer.document()));
        issuer.publish(signers);
        issuer
    }

    pub(crate) fn document(&self) -> Value {
        json!({"issuer": self.name, "jwks_uri": self.url(KEYS)})
    }

    pub(crate) fn publish(&self, signers: &[&Signer]) {
        self.reply(KEYS, Reply::json(&key_set(signers)));
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.name)
    }

    pub(crate) fn reply(&self, path: &str, reply: Reply) {
        let mut replies = self.desk.replies.lock().unwrap();
        replies.insert(path.to_owned(), reply);
    }

    pub(crate) fn questions(&self, path: &str) -> Vec<Question> {
        let questions = self.desk.questions.lock().unwrap();
        let at_path = questions.iter().filter(|question| question.path == path);
        at_path.cloned().collect()
    }

    pub(crate) fn asked(&self, path: &str) -> usize {
        self.questions(path).len()
    }

    pub(crate) fn trusted(&self) -> TrustedIssuer {
        TrustedIssuer::new(&*self.name).audience(AUDIENCE)
    }

    /// Settings of a verifier with the clock of this issuer, without trusted issuers.
    pub(crate) fn settings(&self) -> TokenVerifierBuilder {
        TokenVerifier::builder()
            .http_on_loopback()
            .clock(self.clock.clone())
    }

    pub(crate) fn verifier(&self) -> TokenVerifier {
        let settings = self.settings().issuer(self.trusted());
        block_on(settings.build()).unwrap()
    }

    /// The claims of a valid token.
    pub(crate) fn claims(&self) -> Value {
        let now = self.clock.seconds();
        json!({
            "iss": self.name, "aud": AUDIENCE, "sub": "ann", "client_id": "app", "jti": "1",
            "iat": now, "exp": now + 600, "scope": "settings.read",
        })
    }

    /// The claims of a valid token with these changes; null removes a claim.
    pub(crate) fn claims_with(&self, changes: &Value) -> Value {
        let mut claims = self.claims();
        for (name, value) in changes.as_object().unwrap() {
            claims[name] = value.clone();
        }
        let members = claims.as_object_mut().unwrap();
        members.retain(|_, value| !value.is_null());
        claims
    }
}

pub(crate) fn verify(verifier: &TokenVerifier, token: &str) -> Result<Arc<Claims>, Refusal> {
    watch::remember_token("a token that is verified", token);
    block_on(verifier.verify(token))
}

async fn answer(desk: Arc<Desk>, request: Request<Body>) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let path = parts.uri.path().to_owned();
    let body = to_bytes(body, usize::MAX).await.unwrap();
    watch::asked(&path, &parts.headers, &body);
    let reply = desk.replies.lock().unwrap().get(&path).cloned();
    desk.questions.lock().unwrap().push(Question {
        path,
        headers: parts.headers,
        body: String::from_utf8(body.to_vec()).unwrap(),
    });
    reply.unwrap_or_else(|| Reply::status(404)).answer().await
}
