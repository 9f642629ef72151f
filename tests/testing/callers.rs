//! Callers that a test gives, without tokens, and that nobody can forge.

use std::pin::Pin;
use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderMap, Request};
use axum::{Extension, Router};
use resource_runtime::authorization::{Authenticator, Claims, Refusal};
use resource_runtime::{Api, ApiBuilder, ApiResource, Database, Principal, new};
use resource_testing::TestApi;
use serde_json::json;
use tower::ServiceExt as _;

#[derive(Debug, ApiResource)]
#[resource(name = "Note", url = "/notes", version = "1.0")]
#[resource(scopes(read = "notes.read", write = "notes.write"))]
#[resource(owner(field = "owner_id", claim = "team"))]
struct Note {
    id: i64,
    title: String,
    owner_id: String,
}

fn notes() -> ApiBuilder {
    Api::builder().resource::<Note>()
}

fn of_team(team: &str, scopes: &str) -> Claims {
    let claims = json!({"team": team}).as_object().cloned();
    let claims = Claims::new("test").with_json(claims.unwrap());
    claims.with_scopes(scopes.parse().unwrap())
}

#[tokio::test]
async fn scopes_and_owners_hold_for_given_callers() {
    let api = TestApi::new(notes()).await;
    let note = new!(Note {
        title: "x",
        owner_id: "red"
    });
    api.items::<Note>().insert(note).await.unwrap();
    let red = api.as_bearer(of_team("red", "notes.read"));
    let json = json!({"id": 1, "title": "x", "owner_id": "red"});
    red.get("/notes/1")
        .await
        .assert_status(200)
        .assert_json(&json);
    red.post("/notes", json!({"title": "y"}))
        .await
        .assert_error(403, 12110);
    let blue = api.as_bearer(of_team("blue", "notes.read notes.write"));
    blue.get("/notes/1").await.assert_error(404, 10001);
    blue.post("/notes", json!({"title": "y"}))
        .await
        .assert_status(201);
    let stored = api.items::<Note>().get(2).await.unwrap().unwrap();
    assert_eq!(stored.owner_id, "blue");
    let ann = api.as_user("ann", ["notes.read"]);
    assert_eq!(ann.get("/notes").await.json()["totalItems"], 0);
    let ann = ann.with_claim("team", "red").with_claim("role", "guest");
    assert_eq!(ann.get("/notes").await.json()["totalItems"], 1);
    let nobody = api.anonymous().with_claim("team", "red");
    nobody.get("/notes").await.assert_error(403, 12110);
    api.anonymous()
        .get("/notes/1")
        .await
        .assert_error(401, 12100);
}

/// Admits whoever sends the header `x-team`.
#[derive(Debug)]
struct ByHeader;

impl Authenticator for ByHeader {
    fn authenticate<'a>(
        &'a self,
        headers: &'a HeaderMap,
    ) -> Pin<Box<dyn Future<Output = Result<Arc<Claims>, Refusal>> + Send + 'a>> {
        let team = headers.get("x-team").and_then(|it| it.to_str().ok());
        let claims = team.map(|team| Arc::new(of_team(team, "notes.read")));
        Box::pin(async { claims.ok_or(Refusal::MissingToken) })
    }
}

#[tokio::test]
async fn authenticator_of_the_api_is_asked_where_no_caller_is_given() {
    let api = TestApi::new(notes().authorization(ByHeader)).await;
    let get = || {
        let request = Request::get("/api/1.0/notes").header("x-team", "red");
        request.body(Body::empty()).unwrap()
    };
    api.anonymous().request(get()).await.assert_status(200);
    api.anonymous().get("/notes").await.assert_error(401, 12100);
    let nobody = api.as_user("ann", []);
    nobody.request(get()).await.assert_error(403, 12110);
}

/// Sends a request with everything that names a caller by mistake or by malice.
async fn status_of_forged(router: Router) -> u16 {
    let claims = of_team("red", "notes.read notes.write").with_subject("ann");
    let router = router
        .layer(Extension(claims.clone()))
        .layer(Extension(Arc::new(claims.clone())))
        .layer(Extension(Some(Arc::new(claims))))
        .layer(Extension(Principal::new("ann")));
    let request = Request::get("/api/1.0/notes")
        .header("authorization", "Bearer ann")
        .header("x-user", "ann")
        .extension(Principal::new("ann"));
    let response = router.oneshot(request.body(Body::empty()).unwrap()).await;
    response.unwrap().status().as_u16()
}

#[tokio::test]
async fn forged_extension_changes_nothing_in_a_served_api() {
    let database = Database::temporary().await.unwrap();
    let served = notes().authorization(ByHeader).build(database).unwrap();
    served.create_missing_tables().await.unwrap();
    assert_eq!(status_of_forged(served.router()).await, 401);
    // Nor in the router of an API under test, were somebody to serve it.
    let api = TestApi::new(notes()).await;
    assert_eq!(status_of_forged(api.router()).await, 401);
}

#[tokio::test]
async fn caller_of_one_request_is_not_that_of_another_within_it() {
    let api = TestApi::new(notes()).await;
    let anonymous = api.anonymous();
    let api = api.with_router(|_| {
        let nested = async move || {
            let response = anonymous.get("/notes").await;
            response.status().as_u16().to_string()
        };
        Router::new().fallback(nested)
    });
    let response = api.as_user("ann", ["notes.read"]).get("/nested").await;
    assert_eq!(response.assert_status(200).body(), b"401");
}

#[tokio::test]
async fn unprotected_api_stays_so() {
    let api = TestApi::new(notes().unprotected()).await;
    api.anonymous().get("/notes").await.assert_status(200);
}
