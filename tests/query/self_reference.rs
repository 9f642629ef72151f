//! A resource that is its own subresource.

use resource_runtime::{Api, ApiResource};
use resource_tests::{Service, apply, every_database};
use serde_json::json;

use crate::requests::{filtered, ordered, text};

#[derive(Debug, ApiResource)]
#[resource(
    name = "Folder",
    url = "/folders",
    version = "1.0",
    subresource(parent = "parent_id")
)]
struct Folder {
    id: i64,
    name: String,
    #[resource(references = Folder)]
    parent_id: Option<i64>,
}

#[apply(every_database)]
fn resource_may_be_its_own_subresource() {
    let service = Service::start(|database| Api::builder().resource::<Folder>().build(database));
    let folders = "/api/1.0/folders";
    for body in [
        json!({"name": "root"}),
        json!({"name": "etc", "parent_id": 1}),
        json!({"name": "var", "parent_id": 1}),
        json!({"name": "log", "parent_id": 3}),
    ] {
        service.create(folders, &body);
    }
    assert_eq!(
        filtered(&service, folders, r#"eq(parent.name,"root")"#),
        [2, 3]
    );
    assert_eq!(filtered(&service, folders, "eq(parent.parent_id,1)"), [4]);
    assert_eq!(
        filtered(
            &service,
            folders,
            r#"and(eq(name,"var"),eq(parent.name,"root"))"#
        ),
        [3]
    );
    assert_eq!(
        ordered(&service, folders, "asc(parent.name),desc(name)"),
        [1, 3, 2, 4]
    );
    let query = [
        ("filter", "ne(parent.id,null)"),
        ("fields", "name,parent(name)"),
        ("limit", "1"),
        ("order", "desc(parent.name)"),
    ];
    assert_eq!(
        text(&service, folders, &query),
        r#"{"items":[{"name":"log","parent":{"name":"var"}}],"totalItems":3}"#
    );
}
