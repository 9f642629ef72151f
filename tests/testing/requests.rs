//! Requests into the router, assertions about their responses, and the clock.

use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use axum::routing::get;
use chrono::{DateTime, Utc};
use resource_runtime::{Api, ApiResource, Clock as _, HookResult, Validator, WriteContext, new};
use resource_testing::{TestApi, TestResponse};
use serde_json::json;

#[derive(Debug, ApiResource)]
#[resource(name = "Task", url = "/tasks", version = "1.0", validator = Stamp)]
struct Task {
    id: i64,
    title: String,
    #[resource(read_only)]
    changed_at: Option<DateTime<Utc>>,
    #[resource(read_only)]
    changed_by: Option<String>,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Task", url = "/tasks", version = "2.0", table = "new_tasks")]
struct NewTask {
    id: i64,
}

#[derive(Debug, Default)]
struct Stamp;

impl Validator<Task> for Stamp {
    async fn before_create(
        &self,
        task: &mut Task,
        context: &mut WriteContext<'_, Task>,
    ) -> HookResult {
        task.changed_at = Some(context.now().into());
        task.changed_by = context.principal().map(|it| it.subject().to_owned());
        Ok(())
    }
}

async fn tasks() -> TestApi {
    TestApi::new(Api::builder().resource::<Task>()).await
}

#[tokio::test]
async fn items_are_created_read_changed_and_deleted() {
    let api = tasks().await;
    let client = api.anonymous();
    let created = client.post("/tasks", json!({"title": "a"})).await;
    let location = created.assert_status(201).header("location");
    assert_eq!(location, "/api/latest/tasks/1");
    let read = client.absolute().get(location).await;
    assert_eq!(read.assert_status(200).json()["title"], "a");
    let change = client.put("/tasks/1", &json!({"title": "b"})).await;
    assert!(change.assert_status(204).body().is_empty());
    let list = client.get("/tasks?fields=title").await;
    list.assert_json(json!({"items": [{"title": "b"}], "totalItems": 1}));
    client.delete("/tasks/1").await.assert_status(204);
    client.get("/tasks/1").await.assert_error(404, 10001);
}

#[tokio::test]
async fn paths_are_those_of_the_latest_version_unless_another_is_named() {
    let builder = Api::builder().root("/shop/api").resource::<Task>();
    let api = TestApi::new(builder.resource::<NewTask>()).await;
    let task = new!(Task { title: "old" });
    api.items::<Task>().insert(task).await.unwrap();
    let client = api.anonymous();
    client.get("/tasks/1").await.assert_error(404, 10001);
    client
        .version("1.0")
        .get("/tasks/1")
        .await
        .assert_status(200);
    client.absolute().get("/livez").await.assert_status(200);
    let request = Request::head("/shop/api/1.0/tasks/1").body(Body::empty());
    let head = client.request(request.unwrap()).await;
    assert!(head.assert_status(200).body().is_empty());
}

#[tokio::test]
async fn routes_of_ones_own_are_beside_those_of_the_api() {
    let api = tasks().await.with_router(|api| {
        let count = async move || api.items::<Task>().count().await.unwrap().to_string();
        Router::new()
            .route("/count", get(count.clone()))
            .fallback(count)
    });
    let client = api.anonymous().absolute();
    assert_eq!(client.get("/count").await.assert_status(200).body(), b"0");
}

#[tokio::test]
async fn clock_of_the_test_is_that_of_hooks() {
    let api = tasks().await;
    let begun = DateTime::<Utc>::from(api.clock().now());
    api.anonymous().post("/tasks", json!({"title": "a"})).await;
    api.clock().advance(Duration::from_hours(1));
    let task = new!(Task { title: "b" });
    let later = api.items::<Task>().insert(task).await.unwrap();
    let changed = later.changed_at.unwrap();
    assert_eq!(changed - begun, chrono::TimeDelta::hours(1));
    let first = api.items::<Task>().get(1).await.unwrap().unwrap();
    assert_eq!(first.changed_at, Some(begun));
}

#[tokio::test]
async fn user_of_an_open_api_is_the_principal_of_hooks() {
    let api = tasks().await;
    let ann = api.as_user("ann", []);
    ann.post("/tasks", json!({"title": "a"}))
        .await
        .assert_status(201);
    assert_eq!(ann.get("/tasks/1").await.json()["changed_by"], "ann");
}

#[tokio::test]
async fn failed_assertion_shows_the_whole_response() {
    let api = tasks().await;
    let response = api.anonymous().get("/tasks/7").await;
    let message = |assertion: fn(&TestResponse)| {
        let panic = std::panic::catch_unwind(|| assertion(&response)).unwrap_err();
        *panic.downcast::<String>().unwrap()
    };
    let status = message(|it| _ = it.assert_status(200));
    let code = message(|it| _ = it.assert_error(404, 1));
    let json = message(|it| _ = it.assert_json(json!({"id": 7})));
    let header = message(|it| _ = it.header("etag"));
    for (message, problem) in [
        (status, "not the status 200"),
        (code, "not the error code 1"),
        (json, "not the body {\n  \"id\": 7\n}"),
        (header, "no header `etag`"),
    ] {
        let begin =
            format!("the response to `GET /api/latest/tasks/7` has {problem}:\n404 Not Found\n");
        assert!(message.starts_with(&begin), "{message}");
        assert!(
            message.contains("\ncontent-type: application/json\n"),
            "{message}"
        );
        assert!(
            message.contains("\n  \"error_code\": 10001,\n"),
            "{message}"
        );
    }
}
