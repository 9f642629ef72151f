//! Several issuers for one API: subject namespaces, trusted scopes, and clients told from users.

use resource_oauth2::{TokenProfile, TokenVerifier, TokenVerifierBuilder, TrustedIssuer};
use resource_runtime::{Api, ApiResource};
use resource_tests::{
    Answer, Service, apply, assert_created, assert_error, block_on, every_database, problems,
};
use serde_json::{Value, json};
use uuid::Uuid;

use super::guarded_service::{assert_mistakes, built};
use crate::clock::SetClock;
use crate::issuer::AUDIENCE;
use crate::signer::{Signer, key_set};

const HOUSE: &str = "https://login.house.example";
const PARTNER: &str = "https://login.partner.example";
const NOTES: &str = "/api/1.0/notes";
const PASSES: &str = "/api/1.0/passes";

#[derive(ApiResource)]
#[resource(name = "Note", url = "/notes", version = "1.0", scopes)]
#[resource(owner(field = "author", bypass = "admin"))]
struct Note {
    id: i64,
    author: String,
    text: Option<String>,
}

/// A pass, owned by the claim `uid`, which one of the issuers uses for the subject.
#[derive(ApiResource)]
#[resource(name = "Pass", url = "/passes", version = "1.0")]
#[resource(scopes(read = "note.read", write = "note.write"))]
#[resource(owner(field = "holder", claim = "uid"))]
struct Pass {
    id: i64,
    holder: String,
}

/// Two issuers that sign with the same key.
struct Issuers {
    signer: Signer,
    clock: SetClock,
}

impl Issuers {
    fn new() -> Self {
        Self {
            signer: Signer::es256("first"),
            clock: SetClock::new(),
        }
    }

    fn trusted(&self, name: &str) -> TrustedIssuer {
        let keys = key_set(&[&self.signer]).to_string();
        TrustedIssuer::with_keys(name, keys).audience(AUDIENCE)
    }

    fn verifier(&self, trusted: impl IntoIterator<Item = TrustedIssuer>) -> TokenVerifier {
        let settings = TokenVerifier::builder().clock(self.clock.clone());
        let trusted = trusted.into_iter();
        let settings = trusted.fold(settings, TokenVerifierBuilder::issuer);
        block_on(settings.build()).unwrap()
    }

    fn both(&self) -> TokenVerifier {
        self.verifier([
            self.trusted(HOUSE).subject_namespace("house"),
            self.trusted(PARTNER)
                .subject_namespace("partner")
                .scopes(["note.read", "note.write"]),
        ])
    }

    fn send(&self, service: &Service, claims: &Value, method: &str, path: &str) -> Answer {
        let now = self.clock.seconds();
        let mut all = json!({
            "iss": HOUSE, "aud": AUDIENCE, "client_id": "app", "jti": "1", "iat": now,
            "exp": now + 600, "sub": "ann", "scope": "note.read note.write",
        });
        for (name, value) in claims.as_object().unwrap() {
            all[name] = value.clone();
        }
        all.as_object_mut()
            .unwrap()
            .retain(|_, value| !value.is_null());
        let token = self.signer.sign(&all);
        let request = service.request(method, path);
        let request = request.header("authorization", format!("Bearer {token}"));
        let body = if method == "POST" { "{}" } else { "" };
        request.json(body).send()
    }
}

fn serve(verifier: TokenVerifier) -> Service {
    Service::start(|database| {
        let builder = Api::builder().resource::<Note>().resource::<Pass>();
        builder.authorization(verifier).build(database)
    })
}

#[apply(every_database)]
fn equal_subjects_of_two_issuers_are_different_owners() {
    let issuers = Issuers::new();
    let service = serve(issuers.both());
    let (house, partner) = (json!({"iss": HOUSE}), json!({"iss": PARTNER}));
    let ask =
        |claims: &Value, method: &str, path: &str| issuers.send(&service, claims, method, path);
    let ours = assert_created(&ask(&house, "POST", NOTES));
    assert_eq!(ask(&house, "GET", &ours).ok()["author"], "house:ann");
    for method in ["GET", "PUT", "DELETE"] {
        assert_error(&ask(&partner, method, &ours), 404, 10001);
    }
    assert_eq!(ask(&partner, "GET", NOTES).ok()["totalItems"], 0);
    let theirs = assert_created(&ask(&partner, "POST", NOTES));
    assert_eq!(ask(&partner, "GET", &theirs).ok()["author"], "partner:ann");
    assert_error(&ask(&house, "GET", &theirs), 404, 10001);
    // A subject that looks like a name of the other namespace does not reach it.
    let posing = json!({"iss": PARTNER, "sub": "house:ann"});
    assert_error(&ask(&posing, "GET", &ours), 404, 10001);
    let unlisted = json!({"iss": "https://login.example.org"});
    assert_error(&ask(&unlisted, "GET", NOTES), 401, 12100);
}

#[apply(every_database)]
fn untrusted_scopes_of_an_issuer_are_ignored() {
    let issuers = Issuers::new();
    let service = serve(issuers.both());
    let admin =
        |issuer: &str| json!({"iss": issuer, "sub": "root", "scope": "note.read note.write admin"});
    let ask = |claims: &Value, path: &str| issuers.send(&service, claims, "GET", path);
    let path = assert_created(&issuers.send(&service, &json!({}), "POST", NOTES));
    assert_eq!(ask(&admin(HOUSE), &path).status, 200);
    assert_error(&ask(&admin(PARTNER), &path), 404, 10001);
    assert_eq!(ask(&admin(PARTNER), NOTES).ok()["totalItems"], 0);
    let foreign = json!({"iss": PARTNER, "scope": "admin audit"});
    assert_error(&ask(&foreign, NOTES), 403, 12110);
}

#[apply(every_database)]
fn token_of_a_possible_client_has_no_user() {
    let issuers = Issuers::new();
    let lenient = issuers.trusted(HOUSE).token_profile(TokenProfile::Lenient);
    let service = serve(issuers.verifier([lenient]));
    for claims in [
        json!({"client_id": null}),
        json!({"client_id": " "}),
        json!({"sub": "client:app", "client_id": "web"}),
        json!({"sub": "client:app"}),
        json!({"sub": "app"}),
        json!({"sub": "app@clients"}),
        json!({"sub": null}),
    ] {
        let created = issuers.send(&service, &claims, "POST", NOTES);
        assert_error(&created, 403, 12110).naming(&["no user"]);
        let page = issuers.send(&service, &claims, "GET", NOTES);
        assert_eq!(page.ok()["totalItems"], 0, "{claims}");
    }
    let user = json!({"client_id": null, "azp": "web"});
    assert_created(&issuers.send(&service, &user, "POST", NOTES));
}

#[apply(every_database)]
fn client_claim_names_the_client() {
    let issuers = Issuers::new();
    let lenient = issuers.trusted(HOUSE).token_profile(TokenProfile::Lenient);
    let service = serve(issuers.verifier([lenient.client_claim("app")]));
    let user = json!({"client_id": null, "app": "web"});
    assert_created(&issuers.send(&service, &user, "POST", NOTES));
    let client = json!({"client_id": null, "app": "web", "sub": "web"});
    let created = issuers.send(&service, &client, "POST", NOTES);
    assert_error(&created, 403, 12110);
}

/// The claim of users never makes a client an owner, whatever its name.
#[apply(every_database)]
fn client_owns_nothing_by_the_subject_claim() {
    let issuers = Issuers::new();
    let service = serve(issuers.verifier([issuers.trusted(HOUSE).subject_claim("uid")]));
    let user = json!({"uid": "ann"});
    let path = assert_created(&issuers.send(&service, &user, "POST", PASSES));
    assert_eq!(
        issuers.send(&service, &user, "GET", &path).ok()["holder"],
        "ann"
    );
    let client = json!({"uid": "app"});
    let created = issuers.send(&service, &client, "POST", PASSES);
    assert_error(&created, 403, 12110).naming(&["`uid`"]);
    let page = issuers.send(&service, &client, "GET", PASSES);
    assert_eq!(page.ok()["totalItems"], 0);
}

#[apply(every_database)]
fn client_owns_within_the_namespace_of_its_issuer() {
    let issuers = Issuers::new();
    let service = serve(issuers.both());
    for uid in [json!(7), json!("seven")] {
        let client = |issuer: &str| json!({"iss": issuer, "sub": "app", "uid": uid});
        let ours = client(HOUSE);
        let path = assert_created(&issuers.send(&service, &ours, "POST", PASSES));
        let name = uid.as_str().unwrap_or("7");
        let read = issuers.send(&service, &ours, "GET", &path).ok();
        assert_eq!(read["holder"], format!("house:{name}"));
        let theirs = issuers.send(&service, &client(PARTNER), "GET", &path);
        assert_error(&theirs, 404, 10001);
    }
}

#[test]
fn namespaces_require_owners_of_type_string() {
    #[derive(ApiResource)]
    #[resource(name = "Ticket", url = "/tickets", version = "1.0", scopes)]
    #[resource(owner(field = "holder", claim = "employee"))]
    struct Ticket {
        id: i64,
        holder: i64,
    }

    #[derive(ApiResource)]
    #[resource(name = "Device", url = "/devices", version = "1.0", scopes)]
    #[resource(owner(field = "user"))]
    struct Device {
        id: i64,
        user: Uuid,
    }

    let issuers = Issuers::new();
    let build = |verifier: TokenVerifier| {
        built(|builder| {
            let builder = builder.resource::<Ticket>().resource::<Device>();
            builder.resource::<Note>().authorization(verifier)
        })
    };
    let found = build(issuers.both()).unwrap_err();
    assert_mistakes(
        &problems(&found),
        &[
            &[
                "::Ticket.holder` is an integer",
                "`subject_namespace`",
                "`String`",
            ],
            &["::Device.user` is a UUID"],
        ],
    );
    let one = issuers.verifier([issuers.trusted(HOUSE)]);
    assert!(build(one).is_ok());
}
