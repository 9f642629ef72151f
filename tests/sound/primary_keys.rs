//! Who assigns the primary key is said by its type and two keys: the database, the client, the
//! service, or the client before the service.

#![deny(warnings)]

use resource_runtime::{ApiResource, FieldValue};
use uuid::Uuid;

macro_rules! keyed_by {
    ($($resource:ident($type:ty) { $($keys:tt)* })*) => {
        $(
            #[derive(ApiResource)]
            #[resource(name = "Thing", url = "/things", version = "1.0")]
            struct $resource {
                #[resource(primary_key, $($keys)*)]
                key: $type,
            }
        )*
    };
}

#[derive(Debug, PartialEq, FieldValue)]
enum Colour {
    Red,
}

#[derive(Debug, PartialEq, FieldValue)]
struct Code(String);

#[derive(Debug, PartialEq, FieldValue)]
struct Number(i64);

keyed_by! {
    OfDatabase(i64) {}
    OfDatabaseInNewtype(Number) {}
    OfClientAsText(String) { assigned, min_length = 1, max_length = 40 }
    OfClientAsUuid(Uuid) { assigned }
    OfClientAsInteger(i32) { assigned, min = 1 }
    OfClientAsSmallInteger(i16) { assigned }
    OfClientAsEnum(Colour) { assigned }
    OfClientAsNewtype(Code) { assigned, max_length = 9 }
    OfServiceAsInteger(i64) { default = 1 }
    OfServiceAsUuid(Uuid) { default = Uuid::now_v7() }
    OfServiceAsEnum(Colour) { default = Colour::Red }
    OfBoth(String) { assigned, default = "none" }
}

/// A key of several parts, with which `assigned` on a part changes nothing.
#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "1.0")]
struct OfParts {
    #[resource(primary_key, assigned)]
    text: String,
    name: String,
    #[resource(primary_key)]
    uuid: Uuid,
    #[resource(primary_key, default = Colour::Red)]
    colour: Colour,
    #[resource(primary_key)]
    code: Code,
    #[resource(primary_key, min = 1, index)]
    number: i16,
}

const _: fn(<OfParts as ApiResource>::Key) -> (String, Uuid, Colour, Code, i16) = |key| key;

/// The key of a resource as it comes back, and who assigns it: the client, and the database.
macro_rules! assert_key {
    ($resource:ident, $key:expr, $is_assigned:literal, $is_assigned_by_database:literal) => {
        let again = $resource::from_record($resource { key: $key }.to_record()).unwrap();
        assert_eq!(again.key, $key);
        let attribute = &$resource::ATTRIBUTES[0];
        assert_eq!(attribute.is_assigned_by_client(), $is_assigned);
        assert_eq!(
            attribute.is_assigned_by_database(),
            $is_assigned_by_database
        );
    };
}

#[test]
fn it_compiles() {
    assert_key!(OfDatabase, 7, false, true);
    assert_key!(OfDatabaseInNewtype, Number(7), false, true);
    assert_key!(OfClientAsText, String::from("a"), true, false);
    assert_key!(OfClientAsUuid, Uuid::nil(), true, false);
    assert_key!(OfClientAsInteger, 7, true, false);
    assert_key!(OfClientAsSmallInteger, 7, true, false);
    assert_key!(OfClientAsEnum, Colour::Red, true, false);
    assert_key!(OfClientAsNewtype, Code(String::from("a")), true, false);
    assert_key!(OfServiceAsInteger, 7, false, false);
    assert_key!(OfServiceAsUuid, Uuid::nil(), false, false);
    assert_key!(OfServiceAsEnum, Colour::Red, false, false);
    assert_key!(OfBoth, String::from("a"), true, false);
    let parts = OfParts::ATTRIBUTES.iter().filter(|it| it.is_primary_key());
    assert_eq!(parts.filter(|it| it.is_assigned_by_client()).count(), 5);
}
