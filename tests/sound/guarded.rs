//! Who may do what is said by the keys of a struct and of its fields, and is part of the definition.

#![deny(warnings)]

use resource_runtime::schema::{Access, Operation, Requirement};
use resource_runtime::{ApiResource, FieldValue};
use uuid::Uuid;

macro_rules! guarded_by {
    ($($resource:ident { $($keys:tt)* })*) => {
        $(
            #[derive(ApiResource)]
            #[resource(name = "Thing", url = "/things", version = "1.0", $($keys)*)]
            struct $resource {
                id: i64,
            }
        )*
    };
}

guarded_by! {
    Open {}
    Public { public }
    Derived { scopes }
    DerivedForReaders { scopes, operations(list, retrieve) }
    Readable { public(read), scopes(write = "things.write") }
    Single { scopes(list = "a", retrieve = "b", create = "c", update = "d", delete = "e") }
    Overridden { scopes(delete = all("a", "b"), read = "c", write = any("d", "e"), list = "f",) }
}

/// The access to all operations of a resource, in the order of `Operation::ALL`.
fn accesses<R: ApiResource>() -> [Access; 5] {
    let guard = R::DEFINITION.declared_guard().unwrap();
    Operation::ALL.map(|operation| guard.access(operation))
}

const fn any(scopes: &'static [&'static str]) -> Access {
    Access::Scopes(Requirement::Any(scopes))
}

const fn all(scopes: &'static [&'static str]) -> Access {
    Access::Scopes(Requirement::All(scopes))
}

macro_rules! owned_by {
    ($($resource:ident($type:ty) { $($keys:tt)* })*) => {
        $(
            #[derive(ApiResource)]
            #[resource(name = "Thing", url = "/things", version = "1.0", scopes)]
            #[resource(owner(field = "owner", claim = "user", bypass = any("a", "b")))]
            struct $resource {
                id: i64,
                #[resource($($keys)*)]
                owner: $type,
            }
        )*
    };
}

type Optional = Option<Uuid>;

#[derive(Debug, FieldValue)]
struct UserName(String);

owned_by! {
    OfText(String) { max_length = 40 }
    OfUuid(Uuid) { read_only }
    OfInteger(i64) { references = OfText }
    OfSmallInteger(i16) { write_only, index }
    OfSomebodyOrNobody(Option<i32>) { read_only }
    OfAlias(Optional) { rename = "ownerId", column = "owned_by" }
    OfNewtype(UserName) { unique }
}

fn assert_owned<R: ApiResource>() {
    let ownership = R::DEFINITION.ownership().unwrap();
    assert_eq!(ownership.claim(), "user");
    assert_eq!(ownership.bypass(), Some(Requirement::Any(&["a", "b"])));
    let (index, attribute) = R::DEFINITION.owner_attribute().unwrap();
    assert_eq!(index, 1);
    assert!(attribute.is_owner() && !R::ATTRIBUTES[0].is_owner());
}

#[derive(ApiResource)]
#[resource(name = "Note", url = "/notes", version = "1.0")]
struct Note {
    id: i64,
    #[resource(read_scope = "audit", read_only)]
    address: Option<String>,
    #[resource(write_scope = all("lock", "write"))]
    is_locked: bool,
}

#[test]
fn it_compiles() {
    assert_eq!(Open::DEFINITION.declared_guard(), None);
    assert_eq!(Open::DEFINITION.ownership(), None);
    assert!(Open::DEFINITION.owner_attribute().is_none());

    let (read, write) = (any(&["thing.read"]), any(&["thing.write"]));
    assert_eq!(accesses::<Public>(), [Access::Public; 5]);
    assert_eq!(accesses::<Derived>(), [read, read, write, write, write]);
    let nobody = Access::Nobody;
    assert_eq!(
        accesses::<DerivedForReaders>(),
        [read, read, nobody, nobody, nobody]
    );
    let (public, write) = (Access::Public, any(&["things.write"]));
    assert_eq!(
        accesses::<Readable>(),
        [public, public, write, write, write]
    );
    assert_eq!(
        accesses::<Single>(),
        [
            any(&["a"]),
            any(&["b"]),
            any(&["c"]),
            any(&["d"]),
            any(&["e"])
        ]
    );
    let write = any(&["d", "e"]);
    assert_eq!(
        accesses::<Overridden>(),
        [any(&["f"]), any(&["c"]), write, write, all(&["a", "b"])]
    );

    assert_owned::<OfText>();
    assert_owned::<OfUuid>();
    assert_owned::<OfInteger>();
    assert_owned::<OfSmallInteger>();
    assert_owned::<OfSomebodyOrNobody>();
    assert_owned::<OfAlias>();
    assert_owned::<OfNewtype>();

    let [id, address, is_locked] = Note::ATTRIBUTES else {
        panic!("three attributes");
    };
    assert_eq!((id.scopes_to_read(), id.scopes_to_write()), (None, None));
    let audit = Some(Requirement::Any(&["audit"]));
    assert_eq!(
        (address.scopes_to_read(), address.scopes_to_write()),
        (audit, None)
    );
    let lock = Some(Requirement::All(&["lock", "write"]));
    assert_eq!(
        (is_locked.scopes_to_read(), is_locked.scopes_to_write()),
        (None, lock)
    );
}
