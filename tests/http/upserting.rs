//! `PUT` of an item that may be missing, under a key that its client chooses: `operations(…, upsert)`.

use std::sync::{Arc, Mutex};
use std::thread;

use resource_runtime::{Api, ApiResource, Database, HookResult, Validator, WriteContext};
use resource_tests::{
    Answer, Service, TestDatabase, apply, assert_created, assert_error, assert_no_content,
    block_on, every_database, responses_differ,
};
use serde_json::{Value, json};

#[derive(Debug, Clone, ApiResource)]
#[resource(name = "Country", url = "/countries", version = "1.0")]
#[resource(operations(list, create, retrieve, update, delete, upsert))]
struct Country {
    #[resource(primary_key, assigned, max_length = 4)]
    code: String,
    #[resource(unique)]
    name: String,
    #[resource(default = 1, default_on_update = 2)]
    changes: i64,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Region", url = "/regions", version = "1.0")]
#[resource(operations(list, create, retrieve, update, upsert))]
struct Region {
    id: i64,
}

/// Notes the hooks that run.
#[derive(Debug, Clone, Default)]
struct Spy(Arc<Mutex<Vec<String>>>);

impl Validator<Country> for Spy {
    async fn before_create(
        &self,
        country: &mut Country,
        _: &mut WriteContext<'_, Country>,
    ) -> HookResult {
        self.0
            .lock()
            .unwrap()
            .push(format!("create {}", country.code));
        Ok(())
    }

    async fn before_update(
        &self,
        country: &mut Country,
        _: &mut WriteContext<'_, Country>,
    ) -> HookResult {
        self.0
            .lock()
            .unwrap()
            .push(format!("update {}", country.code));
        Ok(())
    }
}

const ITALY: &str = "/api/1.0/countries/IT";

fn service() -> Service {
    Service::start(|database| Api::builder().resource::<Country>().build(database))
}

fn put(service: &Service, path: &str, condition: &[(&str, &str)], body: &Value) -> Answer {
    let request = service.request("PUT", path);
    let request = condition.iter().fold(request, |request, (name, value)| {
        request.header(name, value)
    });
    request.json(body.to_string()).send()
}

const ABSENT: &[(&str, &str)] = &[("if-none-match", "*")];
const EXISTING: &[(&str, &str)] = &[("if-match", "*")];

#[apply(every_database)]
fn the_openapi_document_describes_put_as_a_creation() {
    let service = service();
    for file in ["openapi.json", "openapi-3.0.json"] {
        let document = service.read(&format!("/api/1.0/{file}"));
        let item = &document["paths"]["/api/1.0/countries/{id}"];
        let conditions = |method: &str| {
            let parameters = item[method]["parameters"].as_array().unwrap();
            let named = parameters.iter().filter(|it| it["name"] == "If-None-Match");
            let examples = named.map(|it| it["examples"]["one"]["value"].clone());
            examples.collect::<Vec<_>>()
        };
        assert_eq!(conditions("put"), ["*"]);
        assert_ne!(conditions("get"), ["*"]);
        assert_eq!(conditions("delete"), [json!(null); 0]);
        let created = &item["put"]["responses"]["201"]["headers"];
        let names: Vec<_> = created.as_object().unwrap().keys().collect();
        assert!(names.contains(&&"Location".to_owned()), "{names:?}");
    }
}

#[apply(every_database)]
fn the_table_of_upserts_holds() {
    let service = service();
    let italy = json!({"name": "Italy"});
    assert_error(&put(&service, ITALY, EXISTING, &italy), 404, 10001);
    assert_error(&service.patch(ITALY, &json!({"name": "x"})), 404, 10001);
    assert_error(&service.put(ITALY, &json!({})), 400, 10010).naming(&["`name` is required"]);
    assert_eq!(assert_created(&put(&service, ITALY, ABSENT, &italy)), ITALY);
    assert_error(&put(&service, ITALY, ABSENT, &italy), 412, 10040).naming(&["exists already"]);
    assert_no_content(&service.put(ITALY, &json!({})));
    assert_eq!(
        service.read(ITALY),
        json!({"code": "IT", "name": "Italy", "changes": 1})
    );
    assert_no_content(&service.put(ITALY, &json!({"code": "IT", "name": "Italia"})));
    assert_no_content(&put(&service, ITALY, EXISTING, &json!({"name": "Italy"})));
    assert_eq!(
        service.read(ITALY),
        json!({"code": "IT", "name": "Italy", "changes": 2})
    );
    let other = "/api/1.0/countries/a%20%2F";
    assert_eq!(
        assert_created(&service.put(other, &json!({"code": "a /", "name": "other"}))),
        other
    );
    assert_eq!(service.read(other)["code"], "a /");
}

#[apply(every_database)]
fn mistakes_of_a_new_item_are_those_of_post() {
    let service = service();
    service.create(
        "/api/1.0/countries",
        &json!({"code": "DE", "name": "Germany"}),
    );
    for condition in [ABSENT, &[]] {
        for (path, body, status, code, word) in [
            (ITALY, json!({"name": "Germany"}), 400, 10030, "`name`"),
            (
                ITALY,
                json!({"code": "DE", "name": "x"}),
                400,
                10010,
                "`code`",
            ),
            (ITALY, json!({"nam": "x"}), 400, 10010, "`name`"),
            (ITALY, json!([]), 400, 10050, "array"),
            (
                "/api/1.0/countries/ITALY",
                json!({"name": "x"}),
                400,
                10010,
                "4 characters",
            ),
        ] {
            println!("{path} {body}");
            assert_error(&put(&service, path, condition, &body), status, code).naming(&[word]);
        }
    }
    assert_eq!(service.read("/api/1.0/countries")["totalItems"], 1);
}

#[apply(every_database)]
fn one_of_20_clients_creates_an_item() {
    responses_differ("the clients run in no fixed order");
    for condition in [ABSENT, &[]] {
        let service = service();
        let statuses = Mutex::new(Vec::new());
        thread::scope(|scope| {
            for _ in 0..20 {
                scope.spawn(|| {
                    let answer = put(&service, ITALY, condition, &json!({"name": "Italy"}));
                    statuses.lock().unwrap().push(answer.status);
                });
            }
        });
        let mut statuses = statuses.into_inner().unwrap();
        statuses.sort_unstable();
        let others = if condition.is_empty() { 204 } else { 412 };
        let expected = [vec![201], vec![others; 19]].concat();
        assert_eq!(statuses, expected);
    }
}

#[apply(every_database)]
fn hooks_see_what_the_write_becomes() {
    let spy = Spy::default();
    let validator = spy.clone();
    let service = Service::start(|database| {
        Api::builder()
            .resource_with::<Country>(validator)
            .build(database)
    });
    let italy = json!({"name": "Italy"});
    assert_created(&service.put(ITALY, &italy));
    assert_no_content(&service.put(ITALY, &italy));
    assert_error(&put(&service, ITALY, ABSENT, &italy), 412, 10040);
    assert_created(&put(
        &service,
        "/api/1.0/countries/FR",
        ABSENT,
        &json!({"name": "France"}),
    ));
    assert_eq!(
        *spy.0.lock().unwrap(),
        ["create IT", "update IT", "create FR"]
    );
}

#[test]
fn upserts_need_keys_that_clients_choose() {
    let file = TestDatabase::sqlite();
    let database = block_on(Database::connect(&file.url())).unwrap();
    let error = Api::builder()
        .resource::<Region>()
        .build(database)
        .unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("`upsert`") && text.contains("`assigned`"),
        "{text}"
    );
}
