//! The service's own routes: custom errors, extractors, replies, and additions to the OpenAPI documents.

use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn};
use axum::routing::{MethodRouter, any, get, post};
use resource_runtime::handlers::{Body, Path, Reply};
use resource_runtime::{
    Api, ApiBuilder, ApiResource, CustomError, Database, Error, HookResult, Messages,
    OpenApiVersion, Validator, WriteContext,
};
use resource_tests::{
    Service, TestDatabase, apply, assert_error, assert_no_content, block_on, every_database,
    problems, watch,
};
use serde_json::{Value, json};

const SOLD_OUT: CustomError = CustomError::new(20001, 409, "Sold out")
    .causes("All seats of the `Concert` are taken.")
    .cures("Choose another <concert>.");
const CLOSED: CustomError = CustomError::new(20000, 403, "The box office is closed");
const FORGOTTEN: CustomError = CustomError::new(20777, 410, "Forgotten");

#[derive(Debug, ApiResource)]
#[resource(name = "Concert", url = "/concerts", version = "1.0", validator = Seats)]
struct Concert {
    id: i64,
    #[resource(unique)]
    title: String,
    seats: i32,
}

#[derive(Default)]
struct Seats;

impl Validator<Concert> for Seats {
    async fn validate(
        &self,
        concert: &Concert,
        _: &mut WriteContext<'_, Concert>,
        _: &mut Messages<Concert>,
    ) -> HookResult {
        if concert.seats < 1 {
            return Err(SOLD_OUT.because("only 2 seats are left").into());
        }
        Ok(())
    }

    async fn before_delete(&self, _: &Concert, _: &mut WriteContext<'_, Concert>) -> HookResult {
        Ok(Err(CLOSED.because("nothing is deleted today"))?)
    }
}

#[derive(serde::Deserialize)]
struct Reservation {
    seats: u32,
    #[serde(rename = "for")]
    name: Option<String>,
}

async fn reserve(
    State(api): State<Api>,
    Path(id): Path<i64>,
    Body(wanted): Body<Reservation>,
) -> Result<Reply<Value>, Error> {
    let concerts = api.items::<Concert>();
    let Some(concert) = concerts.get(id).await? else {
        return Err(FORGOTTEN.because("there was such a concert"));
    };
    let left = concert.seats - i32::try_from(wanted.seats).unwrap_or(i32::MAX);
    concerts.update(id).set(Concert::SEATS, left).await?;
    Ok(Reply::created(json!({"left": left, "for": wanted.name})))
}

async fn fail(
    State(api): State<Api>,
    Path((_, kind)): Path<(i64, String)>,
) -> Result<Reply<()>, Error> {
    let concerts = api.items::<Concert>();
    match &*kind {
        "missing" => concerts.update(99).set(Concert::SEATS, 1).await?,
        "twice" => {
            let title = "Aja".to_owned();
            concerts
                .insert(Concert {
                    id: 0,
                    title,
                    seats: 1,
                })
                .await?;
        }
        "broken" => return Err(Error::configuration("the secret of the house is 42")),
        "panic" => panic!("the house is on fire"),
        _ => {}
    }
    Ok(Reply::no_content())
}

/// A body of one member, which names its variant.
#[derive(serde::Deserialize)]
#[serde(rename_all = "snake_case")]
enum Command {
    Rename(String),
    Move { row: u32 },
}

async fn command(Body(command): Body<Command>) -> Reply<Value> {
    Reply::ok(match command {
        Command::Rename(name) => json!({"name": name}),
        Command::Move { row } => json!({"row": row}),
    })
}

fn routes() -> Router<Api> {
    let seats = Router::new()
        .route("/", get(async || "").put(async || ""))
        .route("/any", any(async || ""))
        .route("/none", MethodRouter::new());
    let closed = Router::new()
        .route("/closed", post(async || ""))
        .layer(from_fn(async |_: Request, _: Next| StatusCode::FORBIDDEN));
    Router::new()
        .merge(closed)
        .nest("/seats", seats)
        .route("/command", post(command))
        .route("/reserve/{id}", post(reserve))
        .route("/concerts/{id}/fail/{kind}", get(fail))
}

fn builder() -> ApiBuilder {
    let builder = Api::builder().resource::<Concert>();
    builder.errors(&[SOLD_OUT, CLOSED]).routes(routes())
}

fn serve() -> Service {
    let service = Service::start(|database| builder().build(database));
    let concert = json!({"title": "Aja", "seats": 3});
    assert_eq!(service.post("/api/1.0/concerts", &concert).status, 201);
    service
}

#[track_caller]
fn mistakes(builder: ApiBuilder) -> Vec<String> {
    let database = block_on(Database::connect(&TestDatabase::default().url())).unwrap();
    problems(&builder.build(database).unwrap_err())
}

#[apply(every_database)]
fn hook_answers_with_a_custom_error_in_both_formats() {
    let service = serve();
    let none = json!({"title": "Peg", "seats": 0});
    let answer = service.post("/api/1.0/concerts", &none);
    assert_error(&answer, 409, 20001).naming(&["only 2 seats are left"]);
    let request = service.request("PUT", "/api/1.0/concerts/1");
    let request = request.header("accept", "application/problem+json");
    let problem = request.json(r#"{"seats": -1}"#).send();
    let problem: Value = serde_json::from_slice(&problem.body).unwrap();
    assert_eq!(
        [
            &problem["status"],
            &problem["error_code"],
            &problem["title"]
        ],
        [&json!(409), &json!(20001), &json!("Sold out")]
    );
    assert_error(&service.delete("/api/1.0/concerts/1"), 403, 20000);
}

#[apply(every_database)]
fn registered_errors_have_pages_and_are_described() {
    let service = serve();
    let list = service.get("/errors");
    assert!(list.text().contains("href=\"errors/20001\">Sold out</a>"));
    let page = service.get("/errors/20001");
    assert_eq!(page.status, 200);
    for words in [
        "HTTP 409 Conflict",
        "<code>Concert</code>",
        "another &lt;concert&gt;",
        "href=\"20000\"",
    ] {
        assert!(page.text().contains(words), "{words}: {}", page.text());
    }
    let last_of_runtime = service.get("/errors/12120");
    assert!(
        last_of_runtime
            .text()
            .contains("rel=\"next\" href=\"20000\"")
    );
    assert_error(&service.get("/errors/20777"), 404, 10000);
    let document = service.read("/api/1.0/openapi.json");
    let codes = &document["components"]["schemas"]["ErrorCode"]["x-extensible-enum"];
    assert!(
        codes
            .as_array()
            .unwrap()
            .ends_with(&[json!(20000), json!(20001)])
    );
    let responses = &document["paths"]["/api/1.0/concerts"]["post"]["responses"];
    assert_eq!(responses["409"]["description"], "`20001`: Sold out.");
}

#[test]
fn errors_of_one_code_are_refused_when_the_api_is_built() {
    const OTHER: CustomError = CustomError::new(20001, 410, "Gone");
    let [mistake] = &mistakes(builder().errors(&[OTHER]))[..] else {
        panic!("one mistake");
    };
    for words in ["Sold out", "Gone", "20001"] {
        assert!(mistake.contains(words), "{mistake}");
    }
    assert_eq!(mistakes(builder().errors(&[CLOSED])).len(), 1);
}

#[apply(every_database)]
fn unregistered_error_is_answered_and_logged_once_with_its_remedy() {
    let service = serve();
    let log = watch::keep();
    for _ in 0..2 {
        let answer = service.post("/reserve/7", &json!({"seats": 1}));
        assert_error(&answer, 410, 20777).naming(&["there was such a concert"]);
    }
    let text = log.text();
    assert!(
        text.matches("`Api::builder().errors(&[…])`").count() <= 1,
        "{text}"
    );
}

#[apply(every_database)]
fn errors_of_handlers_are_answered_by_their_kind() {
    let service = serve();
    let fail = |kind| service.get(&format!("/concerts/1/fail/{kind}"));
    assert_eq!(fail("nothing").status, 204);
    assert_error(&fail("missing"), 404, 10001).naming(&["the Concert `99` does not exist"]);
    assert_error(&fail("twice"), 400, 10030).naming(&["`title`"]);
    let log = watch::keep();
    for (kind, secret) in [
        ("broken", "the secret of the house"),
        ("panic", "the house is on fire"),
    ] {
        let answer = fail(kind);
        assert_eq!(answer.status, 500);
        assert!(!answer.text().contains(secret), "{}", answer.text());
        assert!(log.text().contains(secret), "{}", log.text());
    }
}

#[apply(every_database)]
fn body_and_path_are_refused_as_those_of_resources() {
    let service = serve();
    let answer = service.post("/reserve/1", &json!({"seats": 2, "for": "Ann"}));
    assert_eq!(
        (answer.status, answer.json()),
        (201, json!({"left": 1, "for": "Ann"}))
    );
    let renamed = service.post("/command", &json!({"rename": "Ann"}));
    assert_eq!(
        (renamed.status, renamed.json()),
        (200, json!({"name": "Ann"}))
    );
    let moved = service.post("/command", &json!({"move": {"row": 2}}));
    assert_eq!((moved.status, moved.json()), (200, json!({"row": 2})));
    assert_error(&service.post("/command", &json!({"sing": 1})), 400, 10010);
    let refused = |body: &str| service.request("POST", "/reserve/1").json(body).send();
    assert_error(&refused("{\"seats\": 1,\n}"), 400, 10050).naming(&["line 2"]);
    assert_error(&refused(r#"{"seats": 1, "seats": 2}"#), 400, 10050)
        .naming(&["`seats` is named twice"]);
    assert_error(&refused("[1]"), 400, 10050);
    assert_error(&refused("{}"), 400, 10010).naming(&["`seats` is required"]);
    let misfit = assert_error(&refused(r#"{"seats": "two"}"#), 400, 10010);
    misfit
        .naming(&[
            "`seats` does not fit",
            "expected an integer from 0 to 4294967295",
        ])
        .in_lines(1);
    let unknown = assert_error(
        &refused(r#"{"seat": 1, "foo": 2, "for": "Ann"}"#),
        400,
        10010,
    );
    unknown
        .naming(&[
            "`seat` is not expected here; did you mean `seats`?",
            "`foo`",
        ])
        .in_lines(2);
    let plain = service.request("POST", "/reserve/1").body("{}").send();
    assert_error(&plain, 415, 10073);
    let long = format!(r#"{{"seats": 1, "for": "{}"}}"#, "x".repeat(1024 * 1024));
    assert_error(&refused(&long), 413, 10072);
    for (segment, said) in [
        ("abc", "nothing is at this path: `abc` is not an integer"),
        ("9223372036854775808", "is out of range"),
    ] {
        let answer = service.post(&format!("/reserve/{segment}"), &json!({"seats": 1}));
        assert_error(&answer, 404, 10001)
            .naming(&[said])
            .without("i64");
    }
    let answer = service.get("/concerts/x/fail/none");
    assert_error(&answer, 404, 10001).naming(&["`x` is not an integer"]);
}

#[apply(every_database)]
fn own_routes_have_all_that_other_routes_have() {
    let service = serve();
    let request = service
        .request("POST", "/reserve/1")
        .header("x-request-id", "mine");
    let answer = request.json(r#"{"seats": 1}"#).send();
    assert_eq!(answer.header("x-request-id"), Some("mine"));
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    assert_error(&service.get("/reserve/1/2"), 404, 10000);
}

#[apply(every_database)]
fn refused_method_names_those_that_the_path_offers() {
    let service = serve();
    let asked = |method, path| service.request(method, path).send();
    for (method, path, allowed, offered) in [
        ("GET", "/reserve/1", "POST", "it offers `POST`"),
        ("DELETE", "/%72eserve/1", "POST", "it offers `POST`"),
        ("GET", "/closed", "POST", "it offers `POST`"),
        (
            "PATCH",
            "/seats",
            "GET,HEAD,PUT",
            "it offers `GET`, `HEAD`, `PUT`",
        ),
        ("GET", "/seats/none", "", "it offers no method"),
        ("POST", "/api/1.0", "GET,HEAD", "it offers `GET`, `HEAD`"),
    ] {
        println!("{method} {path}");
        let answer = asked(method, path);
        assert_error(&answer, 405, 10070).naming(&[offered]);
        assert_eq!(answer.header("allow"), Some(allowed));
    }
    assert_eq!(asked("PATCH", "/seats/any").status, 200);
    assert_no_content(&asked("OPTIONS", "/reserve/1"));
}

#[apply(every_database)]
fn route_that_the_api_has_is_refused_when_it_is_built() {
    let clash = Router::new().route("/api/1.0/concerts/{id}", get(async || ""));
    let [mistake] = &mistakes(builder().routes(clash))[..] else {
        panic!("one mistake");
    };
    assert!(mistake.contains("/api/1.0/concerts/{id}"), "{mistake}");
}

#[apply(every_database)]
fn additions_are_in_every_form_of_the_document() {
    let database = TestDatabase::default();
    let build = |database| {
        let builder = builder().openapi_with(|document, version| {
            let path = format!("/reserve/{version}");
            document["paths"][path] = json!({"post": {"responses": {"201": {"description": "."}}}});
        });
        let builder = builder.openapi_with(|document, _| {
            document["info"]["x-paths"] = json!(document["paths"].as_object().unwrap().len());
        });
        builder.build(database)
    };
    let api = build(block_on(Database::connect(&database.url())).unwrap()).unwrap();
    let service = Service::start_on(&database, build);
    for version in ["1.0", "latest"] {
        let served = service.read(&format!("/api/{version}/openapi.json"));
        let printed = api.openapi(version, OpenApiVersion::V31).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&printed).unwrap(), served);
        let path = format!("/reserve/{version}");
        assert_eq!(
            served["paths"][path]["post"]["responses"]["201"]["description"],
            "."
        );
        assert_eq!(served["info"]["x-paths"], 4);
    }
    let older = api.openapi("1.0", OpenApiVersion::V30).unwrap();
    assert!(older.contains("/reserve/1.0"));
}

#[apply(every_database)]
fn stopping_ends_once_the_api_is_stopped_and_stays_ended() {
    let database = TestDatabase::default();
    let database = block_on(Database::connect(&database.url())).unwrap();
    let api = builder().build(database).unwrap();
    block_on(async {
        let job = tokio::spawn({
            let api = api.clone();
            async move { api.stopping().await }
        });
        tokio::task::yield_now().await;
        assert!(!job.is_finished());
        api.stop();
        job.await.unwrap();
        api.stopping().await;
    });
}
