//! Every operation of every version, for everybody: made from what is registered.

use resource_runtime::ApiResource as _;
use resource_runtime::schema::{Access, Operation, Requirement, ResourceDefinition};
use resource_tests::{apply, every_database};
use serde_json::{Value, json};

use super::guest::{Guarded, Guest};
use super::models::{Draft, DraftTwo, Folder, Place, Setting};

const REGISTERED: [&ResourceDefinition; 5] = [
    Setting::DEFINITION,
    Place::DEFINITION,
    Folder::DEFINITION,
    Draft::DEFINITION,
    DraftTwo::DEFINITION,
];

/// Sets of scopes, from nothing to everything, by themselves and together.
const SCOPES: [&str; 12] = [
    "",
    "drafts.read",
    "drafts.write",
    "drafts.read drafts.write",
    "folders.read",
    "folders.write",
    "places.read",
    "places.write",
    "settings.write",
    "settings.read",
    "admin",
    "audit lock",
];

/// The smallest item of each resource.
fn body(definition: &ResourceDefinition) -> Value {
    match definition.name() {
        "Draft" => json!({"text": "x"}),
        "Folder" => json!({"title": "x"}),
        _ => json!({"name": "x"}),
    }
}

fn status(guest: &Guest<'_>, definition: &ResourceDefinition, operation: Operation) -> u16 {
    let segment = definition.version();
    let collection = format!("/api/{segment}/{}", definition.collection());
    let item = format!("{collection}/777");
    let answer = match operation {
        Operation::List => guest.get(&collection),
        Operation::Retrieve => guest.get(&item),
        Operation::Create => guest.post(&collection, &body(definition)),
        Operation::Update => guest.put(&item, &json!({})),
        Operation::Delete => guest.delete(&item),
    };
    answer.status
}

const fn granted(operation: Operation) -> u16 {
    match operation {
        Operation::List => 200,
        Operation::Create => 201,
        Operation::Retrieve | Operation::Update | Operation::Delete => 404,
    }
}

fn is_met(requirement: Requirement, scopes: &str) -> bool {
    let has = |scope: &&str| scopes.split(' ').any(|it| it == *scope);
    match requirement {
        Requirement::Any(wanted) => wanted.iter().any(has),
        Requirement::All(wanted) => wanted.iter().all(has),
    }
}

#[apply(every_database)]
fn each_operation_is_for_those_whom_its_resource_names() {
    let guarded = Guarded::start();
    let stranger = guarded.stranger();
    for definition in REGISTERED {
        let guard = definition.declared_guard().unwrap();
        for operation in Operation::ALL {
            let access = guard.access(operation);
            let told = status(&stranger, definition, operation);
            let expected = if access == Access::Public {
                granted(operation)
            } else {
                401
            };
            assert_eq!(told, expected, "{} {operation:?}", definition.name());
            for scopes in SCOPES {
                let may = match access {
                    Access::Nobody => false,
                    Access::Public => true,
                    Access::Scopes(requirement) => is_met(requirement, scopes),
                };
                let expected = if may { granted(operation) } else { 403 };
                let told = status(&guarded.user("ann", scopes), definition, operation);
                let name = definition.name();
                assert_eq!(told, expected, "{name} {operation:?} with «{scopes}»");
            }
        }
    }
}
