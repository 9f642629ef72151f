//! Primary keys that the client or the service assigns, not the database.

use resource_runtime::{Api, ApiResource};
use resource_tests::{
    Service, apply, assert_created, assert_error, assert_no_content, every_database,
    responses_differ,
};
use serde_json::json;
use uuid::Uuid;

#[derive(Debug, ApiResource)]
#[resource(name = "Country", url = "/countries", version = "1.0")]
struct Country {
    #[resource(primary_key, assigned, max_length = 40)]
    code: String,
    name: Option<String>,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Document", url = "/documents", version = "1.0")]
#[resource(subresource(country = "country_code"))]
struct Document {
    #[resource(assigned, default = Uuid::now_v7())]
    id: Uuid,
    title: String,
    #[resource(references = Country)]
    country_code: Option<String>,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Receipt", url = "/receipts", version = "1.0")]
#[resource(subresource(document = "document_id"))]
struct Receipt {
    #[resource(default = Uuid::now_v7())]
    id: Uuid,
    #[resource(references = Document)]
    document_id: Option<Uuid>,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Slot", url = "/slots", version = "1.0")]
struct Slot {
    #[resource(assigned, min = 0)]
    id: i32,
    label: Option<String>,
}

const COUNTRIES: &str = "/api/1.0/countries";
const DOCUMENTS: &str = "/api/1.0/documents";
const RECEIPTS: &str = "/api/1.0/receipts";
const SLOTS: &str = "/api/1.0/slots";

fn service() -> Service {
    Service::start(|database| {
        Api::builder()
            .resource::<Country>()
            .resource::<Document>()
            .resource::<Receipt>()
            .resource::<Slot>()
            .build(database)
    })
}

#[apply(every_database)]
fn a_client_assigns_a_text_key() {
    let service = service();
    let path = assert_created(&service.post(COUNTRIES, &json!({"code": "de", "name": "Germany"})));
    assert_eq!(path, "/api/1.0/countries/de");
    assert_eq!(
        service.read(&path),
        json!({"code": "de", "name": "Germany"})
    );
    assert_no_content(&service.put(&path, &json!({"name": "Deutschland"})));
    assert_eq!(service.read(&path)["name"], "Deutschland");
    assert_no_content(&service.delete(&path));
    assert_error(&service.get(&path), 404, 10001).naming(&["the Country `de` does not exist"]);
}

#[apply(every_database)]
fn a_client_assigned_key_is_required_and_unique() {
    let service = service();
    assert_error(&service.post(COUNTRIES, &json!({"name": "x"})), 400, 10010)
        .naming(&["`code` is required"]);
    assert_error(&service.post(COUNTRIES, &json!({"code": null})), 400, 10010)
        .naming(&["`code` is required"]);
    service.create(COUNTRIES, &json!({"code": "de"}));
    assert_error(&service.post(COUNTRIES, &json!({"code": "de"})), 400, 10030)
        .naming(&["`code` is already taken by another Country"]);
    service.create(COUNTRIES, &json!({"code": "DE"}));
    service.create(SLOTS, &json!({"id": 0}));
    assert_error(&service.post(SLOTS, &json!({"id": 0})), 400, 10030).naming(&["`id`"]);
}

#[apply(every_database)]
fn a_client_assigned_key_is_checked_against_the_model() {
    let service = service();
    let long = "x".repeat(41);
    for (path, body, expected) in [
        (COUNTRIES, json!({"code": long}), "at most 40 characters"),
        (COUNTRIES, json!({"code": 7}), "must be a string"),
        (COUNTRIES, json!({"code": ""}), "must not be empty"),
        (COUNTRIES, json!({"code": "."}), "`..`"),
        (COUNTRIES, json!({"code": ".."}), "`..`"),
        (COUNTRIES, json!({"code": "a\u{0}b"}), "U+0000"),
        (SLOTS, json!({"id": -1}), "at least 0"),
        (SLOTS, json!({"id": 2_147_483_648_i64}), "2147483647"),
        (
            DOCUMENTS,
            json!({"id": "x", "title": "t"}),
            "must be a UUID like",
        ),
    ] {
        assert_error(&service.post(path, &body), 400, 10010).naming(&[expected]);
    }
}

#[apply(every_database)]
fn any_text_key_is_reachable_at_its_location() {
    let service = service();
    for code in [
        "a/b", "a b", "ä", "%41", "a?b#c", "a+b", "...", "latest", "\"", "\\", "🦀", "\n", "~",
        "{id}", "a;b=c", "&",
    ] {
        let path = assert_created(&service.post(COUNTRIES, &json!({"code": code})));
        assert!(path.is_ascii(), "{path}");
        assert_eq!(service.read(&path)["code"], code);
        assert_no_content(&service.put(&path, &json!({"code": code, "name": "same"})));
        assert_no_content(&service.delete(&path));
    }
}

#[apply(every_database)]
fn an_assigned_key_cannot_be_changed() {
    let service = service();
    let path = service.create(COUNTRIES, &json!({"code": "de"}));
    assert_error(&service.put(&path, &json!({"code": "fr"})), 400, 10010)
        .naming(&["`code` cannot be changed"]);
    assert_no_content(&service.put(&path, &json!({"code": "de"})));
}

#[apply(every_database)]
fn a_client_may_assign_a_key_that_has_a_default() {
    responses_differ("the keys are random");
    let service = service();
    let id = "01890a5d-ac96-774b-bcce-b302099a8057";
    let body = json!({"id": id.to_uppercase(), "title": "given"});
    let path = assert_created(&service.post(DOCUMENTS, &body));
    assert_eq!(path, format!("{DOCUMENTS}/{id}"));
    assert_eq!(service.read(&path)["id"], id);
    let upper = format!("{DOCUMENTS}/{}", id.to_uppercase());
    assert_eq!(service.read(&upper)["id"], id);
    assert_no_content(&service.put(&path, &json!({"id": id.to_uppercase(), "title": "new"})));
    let first = assert_created(&service.post(DOCUMENTS, &json!({"title": "first"})));
    let second = assert_created(&service.post(DOCUMENTS, &json!({"title": "second"})));
    assert!(
        first < second,
        "UUIDs of version 7 ascend in the order of their creation"
    );
    let id: Uuid = first.rsplit('/').next().unwrap().parse().unwrap();
    assert_eq!(id.get_version_num(), 7);
}

#[apply(every_database)]
fn a_service_assigned_key_is_refused_in_a_body() {
    responses_differ("the keys are random");
    let service = service();
    let body = json!({"id": "01890a5d-ac96-774b-bcce-b302099a8057"});
    assert_error(&service.post(RECEIPTS, &body), 400, 10010)
        .naming(&["`id` is assigned by the service"]);
    let path = assert_created(&service.post(RECEIPTS, &json!({})));
    let id = service.read(&path)["id"].clone();
    assert!(path.ends_with(id.as_str().unwrap()), "{path} {id}");
}

#[apply(every_database)]
fn an_invalid_key_in_the_path_is_404_10001() {
    responses_differ("the keys are random");
    let service = service();
    service.create(DOCUMENTS, &json!({"title": "one"}));
    for path in [
        "/api/1.0/documents/x",
        "/api/1.0/documents/01890a5dac96774bbcceb302099a8057",
        "/api/1.0/documents/01890a5d-ac96-774b-bcce-b302099a8057",
        "/api/1.0/countries/%00",
        "/api/1.0/countries/de%00",
        "/api/1.0/slots/00",
        "/api/1.0/slots/x",
    ] {
        assert_error(&service.get(path), 404, 10001);
        assert_error(&service.put(path, &json!({"label": "x"})), 404, 10001);
        assert_error(&service.delete(path), 404, 10001);
    }
}

#[apply(every_database)]
fn assigned_keys_work_in_references_expansion_filters_and_orders() {
    responses_differ("the keys are random");
    let service = service();
    service.create(COUNTRIES, &json!({"code": "de", "name": "Germany"}));
    let document = service.create(DOCUMENTS, &json!({"title": "one", "country_code": "de"}));
    let id = service.read(&document)["id"].clone();
    let receipt = service.create(RECEIPTS, &json!({"document_id": id}));
    assert_eq!(
        service.read(&format!("{receipt}?fields=document(id,title)")),
        json!({"document": {"id": id, "title": "one"}})
    );
    assert_eq!(
        service.read(&format!("{document}?fields=country")),
        json!({"country": {"code": "de", "name": "Germany"}})
    );
    let id = id.as_str().unwrap();
    let found = service.read(&format!("{RECEIPTS}?filter=eq(document_id,%22{id}%22)"));
    assert_eq!(found["totalItems"], 1);
    let found = service.read(&format!("{DOCUMENTS}?order=desc(country.code),asc(id)"));
    assert_eq!(found["totalItems"], 1);
    assert_error(&service.delete("/api/1.0/countries/de"), 400, 10020).naming(&["Document"]);
    assert_error(
        &service.post(DOCUMENTS, &json!({"title": "two", "country_code": "fr"})),
        400,
        10031,
    )
    .naming(&["`country_code`"]);
    let missing = json!({"document_id": "01890a5d-ac96-774b-bcce-b302099a8057"});
    assert_error(&service.post(RECEIPTS, &missing), 400, 10031).naming(&["`document_id`"]);
}

#[apply(every_database)]
fn pages_are_ordered_by_an_assigned_key() {
    let service = service();
    for code in ["b", "a", "C", "ä"] {
        service.create(COUNTRIES, &json!({"code": code}));
    }
    let page = service.read(&format!("{COUNTRIES}?fields=code"));
    assert_eq!(
        page["items"],
        json!([{"code": "C"}, {"code": "a"}, {"code": "b"}, {"code": "ä"}])
    );
}
