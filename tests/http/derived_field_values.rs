//! Types with `#[derive(FieldValue)]`: an enum is the name of its variant, a newtype its inner value.

use resource_runtime::Database;
use resource_runtime::{Api, ApiResource, FieldValue};
use resource_tests::{
    Service, TestDatabase, apply, assert_error, assert_no_content, block_on, every_database,
};
use serde_json::json;

#[derive(Debug, FieldValue)]
#[resource(rename_all = "snake_case")]
enum State {
    Announced,
    OnItsWay,
    #[resource(rename = "it's there")]
    Delivered,
}

#[derive(Debug, FieldValue)]
struct ParcelId(i64);

#[derive(Debug, FieldValue)]
struct Label(String);

#[derive(Debug, FieldValue)]
struct Weight(f64);

#[derive(Debug, ApiResource)]
#[resource(name = "Parcel", url = "/parcels", version = "1.0")]
#[resource(subresource(parent = "parent_id"))]
struct Parcel {
    id: ParcelId,
    #[resource(default = State::Announced)]
    state: State,
    before: Option<State>,
    #[resource(max_length = 5, unique)]
    label: Label,
    #[resource(min = 0, max = 31.5)]
    weight: Option<Weight>,
    #[resource(references = Parcel)]
    parent_id: Option<ParcelId>,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Stage", url = "/stages", version = "1.0")]
struct Stage {
    #[resource(primary_key, assigned)]
    state: State,
}

const PARCELS: &str = "/api/1.0/parcels";

fn parcels() -> Service {
    Service::start(|database| {
        Api::builder()
            .resource::<Parcel>()
            .resource::<Stage>()
            .build(database)
    })
}

#[apply(every_database)]
fn values_are_stored_and_read_back() {
    let service = parcels();
    let path = service.create(
        PARCELS,
        &json!({"state": "on_its_way", "before": "it's there", "label": "a", "weight": 2.5}),
    );
    let parcel = json!({
        "id": 1, "state": "on_its_way", "before": "it's there", "label": "a", "weight": 2.5,
        "parent_id": null,
    });
    assert_eq!(service.read(&path), parcel);
    assert_no_content(&service.put(&path, &json!({"state": "announced", "before": null})));
    let parcel = service.read(&path);
    assert_eq!(
        (&parcel["state"], &parcel["before"]),
        (&json!("announced"), &json!(null))
    );
    let other = service.create(PARCELS, &json!({"label": "b", "parent_id": 1}));
    assert_eq!(service.read(&other)["state"], "announced");
    assert_eq!(
        service.read(&format!("{other}?fields=parent(label,state)")),
        json!({"parent": {"label": "a", "state": "announced"}})
    );
}

#[apply(every_database)]
fn an_unknown_variant_is_400_10010_that_names_all_variants() {
    let service = parcels();
    let names = "must be \"announced\", \"on_its_way\" or \"it's there\"";
    for state in [
        json!("lost"),
        json!("Announced"),
        json!(""),
        json!("announced "),
    ] {
        let answer = service.post(PARCELS, &json!({"label": "a", "state": state}));
        assert_error(&answer, 400, 10010);
        assert_eq!(
            answer.json()["error_description"],
            format!("`state` {names}")
        );
    }
    for state in [json!(0), json!(true), json!(["announced"])] {
        let answer = service.post(PARCELS, &json!({"label": "a", "state": state}));
        assert_error(&answer, 400, 10010).naming(&["`state` must be a string"]);
    }
    let null = service.post(PARCELS, &json!({"label": "a", "state": null}));
    assert_error(&null, 400, 10010).naming(&["`state` is required"]);
}

#[apply(every_database)]
fn a_newtype_obeys_the_limits_of_its_field() {
    let service = parcels();
    let body = json!({"label": "too long", "weight": 31.6});
    assert_error(&service.post(PARCELS, &body), 400, 10010)
        .naming(&[
            "`label` must be at most 5 characters long",
            "`weight` must be at most 31.5",
        ])
        .in_lines(2);
    service.create(PARCELS, &json!({"label": "a"}));
    assert_error(&service.post(PARCELS, &json!({"label": "a"})), 400, 10030).naming(&["`label`"]);
    let missing = json!({"label": "b", "parent_id": 9});
    assert_error(&service.post(PARCELS, &missing), 400, 10031).naming(&["`parent_id`"]);
    assert_error(&service.get("/api/1.0/parcels/x"), 404, 10001);
}

#[apply(every_database)]
fn filters_and_orders_use_variant_names() {
    let service = parcels();
    for (label, state) in [("a", "on_its_way"), ("b", "announced"), ("c", "it's there")] {
        service.create(PARCELS, &json!({"label": label, "state": state}));
    }
    let total = |filter: &str| {
        let page = service.read(&format!("{PARCELS}?fields=id&filter={filter}"));
        page["totalItems"].clone()
    };
    assert_eq!(total("eq(state,%22announced%22)"), 1);
    assert_eq!(total("ne(state,%22announced%22)"), 2);
    assert_eq!(total("in(state,[%22announced%22,%22on_its_way%22])"), 2);
    assert_eq!(total("like(state,%22%25n%25%22)"), 2);
    assert_eq!(total("eq(before,null)"), 3);
    let labels = service.read(&format!("{PARCELS}?fields=label&order=asc(state)"));
    assert_eq!(
        labels["items"],
        json!([{"label": "b"}, {"label": "c"}, {"label": "a"}])
    );
    let unknown = service.get(&format!("{PARCELS}?filter=eq(state,%22lost%22)"));
    assert_error(&unknown, 400, 10060).naming(&[
        "column 10",
        "`state` is compared with \"announced\", \"on_its_way\" or \"it's there\", not \"lost\"",
    ]);
}

#[apply(every_database)]
fn an_enum_can_be_a_client_assigned_key() {
    let service = parcels();
    let path = service.create("/api/1.0/stages", &json!({"state": "it's there"}));
    assert_eq!(path, "/api/1.0/stages/it%27s%20there");
    assert_eq!(service.read(&path), json!({"state": "it's there"}));
    assert_error(&service.get("/api/1.0/stages/lost"), 404, 10001);
    assert_error(
        &service.post("/api/1.0/stages", &json!({"state": "lost"})),
        400,
        10010,
    );
}

#[apply(every_database)]
fn the_table_rejects_an_unknown_variant() {
    let service = parcels();
    let mut other = service.database().other_program();
    other.execute("INSERT INTO parcels (label, state) VALUES ('a', 'it''s there')");
    other.assert_refused("INSERT INTO parcels (label, state) VALUES ('b', 'lost')");
}

#[derive(Debug, FieldValue)]
enum First {
    Red,
    Green,
}

#[derive(Debug, FieldValue)]
enum Second {
    Red,
    Green,
    Blue,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Lamp", url = "/lamps", version = "1.0")]
struct LampOne {
    id: i64,
    colour: First,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Lamp", url = "/lamps", version = "2.0")]
struct LampTwo {
    id: i64,
    colour: Second,
}

#[apply(every_database)]
fn a_shared_column_accepts_the_variants_of_all_versions() {
    let service = Service::start(|database| {
        Api::builder()
            .resource::<LampOne>()
            .resource::<LampTwo>()
            .build(database)
    });
    service.create("/api/1.0/lamps", &json!({"colour": "Red"}));
    service.create("/api/2.0/lamps", &json!({"colour": "Blue"}));
    assert_error(
        &service.post("/api/1.0/lamps", &json!({"colour": "Blue"})),
        400,
        10010,
    )
    .naming(&["`colour` must be \"Red\" or \"Green\""]);
}

#[apply(every_database)]
fn a_table_that_lacks_a_variant_fails_the_schema_check() {
    let file = TestDatabase::default();
    let api = |database| Api::builder().resource::<LampOne>().build(database);
    drop(Service::start_on(&file, api));
    let database = block_on(Database::connect(&file.url())).unwrap();
    let api = Api::builder()
        .resource::<LampTwo>()
        .build(database)
        .unwrap();
    let refused = block_on(api.check_schema()).unwrap_err().to_string();
    assert!(
        refused.contains("`lamps.colour` holds only `Red`, `Green`"),
        "{refused}"
    );
    assert!(refused.contains("`Lamp` 2.0 allows `Blue`"), "{refused}");
}
