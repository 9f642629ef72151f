//! Tables whose names differ in case alone, and references to columns that no table has.

use resource_runtime::{Api, ApiResource};

use crate::building::{assert_sound, mistake};

#[derive(Debug, ApiResource)]
#[resource(name = "Box", url = "/boxes", version = "1.0", table = "parts")]
struct Lower {
    id: i64,
    size: Option<i64>,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Crate", url = "/crates", version = "1.0", table = "Parts")]
struct Upper {
    id: i64,
    size: Option<i64>,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Bag", url = "/bags", version = "1.0", table = "parts")]
struct Same {
    id: i64,
    size: Option<i64>,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Owner", url = "/owners", version = "1.0")]
struct OldOwner {
    id: i64,
    name: String,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Owner", url = "/owners", version = "2.0")]
struct NewOwner {
    id: i64,
    name: String,
    nickname: Option<String>,
}

#[derive(Debug, ApiResource)]
#[resource(
    name = "Pet",
    url = "/pets",
    version = "1.0",
    subresource(owner = "owner_id")
)]
struct PetOfNew {
    id: i64,
    #[resource(references = NewOwner)]
    owner_id: Option<i64>,
}

#[derive(Debug, ApiResource)]
#[resource(
    name = "Pet",
    url = "/pets",
    version = "1.0",
    subresource(owner = "owner_id")
)]
struct PetOfOld {
    id: i64,
    #[resource(references = OldOwner)]
    owner_id: Option<i64>,
}

#[test]
fn tables_that_differ_in_case_alone_are_refused() {
    for builder in [
        Api::builder().resource::<Lower>().resource::<Upper>(),
        Api::builder().resource::<Upper>().resource::<Lower>(),
    ] {
        mistake(builder, &["::Lower`", "::Upper`", "case", "table"]);
    }
    assert_sound(Api::builder().resource::<Lower>().resource::<Same>());
}

#[test]
fn reference_to_an_unregistered_version_names_missing_columns() {
    for builder in [
        Api::builder().resource::<PetOfNew>().resource::<OldOwner>(),
        Api::builder().resource::<OldOwner>().resource::<PetOfNew>(),
    ] {
        mistake(
            builder,
            &["::PetOfNew.owner_id`", "2.0", "`Owner`", "`nickname`"],
        );
    }
}

#[test]
fn reference_to_a_version_with_all_columns_is_accepted() {
    assert_sound(
        Api::builder()
            .resource::<PetOfNew>()
            .resource::<OldOwner>()
            .resource::<NewOwner>(),
    );
    assert_sound(Api::builder().resource::<PetOfOld>().resource::<NewOwner>());
}
