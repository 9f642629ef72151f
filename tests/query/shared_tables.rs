//! Versions that share a table: an attribute required by one may be null in items of the other.

use resource_runtime::{Api, ApiResource};
use resource_tests::{Service, apply, every_database};
use serde_json::json;

use crate::requests::{filtered, ordered, text};

#[derive(Debug, ApiResource)]
#[resource(name = "Thing", url = "/things", version = "1.0")]
struct ThingOne {
    id: i64,
    name: String,
    size: Option<i64>,
    colour: Option<String>,
    #[resource(references = Owner)]
    owner_id: Option<i64>,
}

/// The later version, whose required attributes may be null in items of the first version.
#[derive(Debug, ApiResource)]
#[resource(
    name = "Thing",
    url = "/things",
    version = "2.0",
    subresource(owner = "owner_id")
)]
struct ThingTwo {
    id: i64,
    name: String,
    size: i64,
    colour: String,
    #[resource(references = Owner)]
    owner_id: i64,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Owner", url = "/owners", version = "1.0")]
struct Owner {
    id: i64,
    name: String,
}

const THINGS: &str = "/api/2.0/things";

fn things() -> Service {
    let service = Service::start(|database| {
        Api::builder()
            .resource::<ThingOne>()
            .resource::<ThingTwo>()
            .resource::<Owner>()
            .build(database)
    });
    service.create("/api/1.0/owners", &json!({"name": "Ann"}));
    service.create(
        THINGS,
        &json!({"name": "new", "size": 1, "colour": "red", "owner_id": 1}),
    );
    service.create("/api/1.0/things", &json!({"name": "old"}));
    service
}

#[apply(every_database)]
fn null_in_a_required_attribute_is_shown() {
    let service = things();
    assert_eq!(
        text(
            &service,
            THINGS,
            &[("fields", "id,size,colour,owner_id,owner(name)")]
        ),
        concat!(
            r#"{"items":[{"id":1,"size":1,"colour":"red","owner_id":1,"owner":{"name":"Ann"}},"#,
            r#"{"id":2,"size":null,"colour":null,"owner_id":null,"owner":null}],"totalItems":2}"#,
        )
    );
}

#[apply(every_database)]
fn null_in_a_required_attribute_is_found() {
    let service = things();
    for attribute in ["size", "colour", "owner_id", "owner.name"] {
        assert_eq!(
            filtered(&service, THINGS, &format!("eq({attribute},null)")),
            [2]
        );
        assert_eq!(
            filtered(&service, THINGS, &format!("ne({attribute},null)")),
            [1]
        );
        assert_eq!(
            filtered(&service, THINGS, &format!("in({attribute},[null])")),
            [2]
        );
    }
    assert_eq!(ordered(&service, THINGS, "asc(colour)"), [2, 1]);
    assert_eq!(ordered(&service, THINGS, "desc(size)"), [1, 2]);
}

#[apply(every_database)]
fn no_condition_is_unknown_for_null_in_a_required_attribute() {
    let service = things();
    for (call, found) in [
        (r#"ne(colour,"red")"#, &[2][..]),
        (r#"ne(colour,"blue")"#, &[1, 2]),
        ("ne(size,1)", &[2]),
        ("ne(owner_id,1)", &[2]),
        (r#"not(eq(colour,"red"))"#, &[2]),
        ("not(gt(size,0))", &[2]),
        (r#"not(like(colour,"%"))"#, &[2]),
        (r#"not(ilike(colour,"R%"))"#, &[2]),
        (r#"not(in(colour,["red"]))"#, &[2]),
        ("not(in(size,[1,null]))", &[]),
        (r#"not(or(eq(colour,"red"),eq(size,1)))"#, &[2]),
    ] {
        assert_eq!(filtered(&service, THINGS, call), found, "{call}");
    }
}
