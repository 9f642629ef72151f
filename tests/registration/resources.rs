//! Registration errors: an `Err` of `build` that names the Rust types.

use resource_runtime::{Api, ApiResource};
use resource_tests::models::{Address, Person, SettingOne, SettingTwo};

use crate::building::{assert_sound, mistake};

/// Declares resources that differ only in their registration.
macro_rules! resource {
    ($type:ident, ($($key:tt)*), { $($field:tt)* }) => {
        #[derive(Debug, ApiResource)]
        #[resource($($key)*)]
        struct $type {
            id: i64,
            $($field)*
        }
    };
}

resource!(Original, (name = "Thing", url = "/things", version = "1.0"), { size: i64 });
resource!(SamePath, (name = "Other", url = "/things", version = "1.0"), { size: i64 });
resource!(SameName, (name = "Thing", url = "/others", version = "1.0"), { size: i64 });
resource!(NextVersion, (name = "Thing", url = "/things", version = "1.1"), { size: i64, colour: Option<String> });
resource!(OtherKind, (name = "Thing", url = "/things", version = "2.0"), { size: String });
resource!(OtherTable, (name = "Thing", url = "/things", version = "2.0", table = "big_things"), { size: String });
resource!(OtherColumn, (name = "Thing", url = "/things", version = "2.0"), {
    #[resource(column = "size_name")]
    size: Option<String>,
});
resource!(Lenient, (name = "Thing", url = "/things", version = "1.0"), { size: Option<i64> });
resource!(MoreRequired, (name = "Thing", url = "/things", version = "2.0"), { size: i64, colour: String });
resource!(MoreByDefault, (name = "Thing", url = "/things", version = "2.0"), {
    size: i64,
    #[resource(default = "red")]
    colour: String,
});
resource!(GreedyDefault, (name = "Greedy", url = "/greedy", version = "1.0", limit(default = 50)), {
    size: Option<i64>,
});

#[test]
fn duplicate_collection_and_version_names_both_types() {
    mistake(
        Api::builder().resource::<Original>().resource::<SamePath>(),
        &["Original", "SamePath", "1.0", "things"],
    );
}

#[test]
fn duplicate_name_and_version_names_both_types() {
    mistake(
        Api::builder().resource::<Original>().resource::<SameName>(),
        &["Original", "SameName", "Thing", "1.0"],
    );
}

#[test]
fn duplicate_type_is_named() {
    mistake(
        Api::builder().resource::<Original>().resource::<Original>(),
        &["Original", "1.0"],
    );
}

#[test]
fn a_reference_narrower_than_its_target_names_both_and_the_type_to_write() {
    #[derive(Debug, ApiResource)]
    #[resource(name = "Part", url = "/parts", version = "1.0")]
    struct Part {
        id: i64,
        #[resource(references = Original)]
        thing_id: i32,
    }
    mistake(
        Api::builder().resource::<Original>().resource::<Part>(),
        &[
            "Part.thing_id` is an `i32`",
            "`Thing.id`, which it references, is an `i64`; write `i64`",
        ],
    );
    // The columns of others are as they are.
    let of_others = Api::builder().resource::<Original>().resource::<Part>();
    assert_sound(of_others.existing_tables());
}

#[test]
fn reference_to_an_unregistered_type_names_both_types() {
    mistake(
        Api::builder().resource::<Person>(),
        &["Person", "Address", "bill_address_id"],
    );
}

#[test]
fn contradicting_versions_are_named_with_their_attribute() {
    for builder in [
        Api::builder()
            .resource::<Original>()
            .resource::<OtherKind>(),
        Api::builder()
            .resource::<OtherKind>()
            .resource::<Original>(),
    ] {
        mistake(builder, &["Original", "OtherKind", "size"]);
    }
}

/// Otherwise the other version could not create items in their shared table.
#[test]
fn required_attribute_missing_in_another_version_names_both_types() {
    mistake(
        Api::builder()
            .resource::<Original>()
            .resource::<MoreRequired>(),
        &["Original", "MoreRequired", "colour", "default"],
    );
}

#[test]
fn default_limit_above_the_maximum_is_refused() {
    mistake(
        Api::builder().max_limit(20).resource::<GreedyDefault>(),
        &["GreedyDefault", "50", "20"],
    );
    assert_sound(Api::builder().max_limit(50).resource::<GreedyDefault>());
}

#[test]
fn all_errors_are_reported_at_once() {
    let builder = Api::builder()
        .max_limit(20)
        .resource::<GreedyDefault>()
        .resource::<Original>()
        .resource::<SamePath>()
        .resource::<SameName>()
        .resource::<Person>();
    let text = mistake(
        builder,
        &[
            "GreedyDefault",
            "SamePath",
            "SameName",
            "bill_address_id",
            "ship_address_id",
        ],
    );
    assert!(text.lines().count() >= 5, "{text}");
}

#[test]
fn api_without_resources_is_refused() {
    mistake(Api::builder(), &["resource"]);
}

#[test]
fn root_that_is_no_path_is_refused() {
    for root in ["api", "/api/", "/a b", "/{id}", "/a?b", "//"] {
        println!("{root}");
        mistake(Api::builder().root(root).resource::<Original>(), &[root]);
    }
}

#[test]
fn root_of_a_built_in_page_is_refused() {
    for root in ["/errors", "/errors/v", "/docs", "/docs/assets"] {
        println!("{root}");
        mistake(Api::builder().root(root).resource::<Original>(), &[root]);
    }
    for root in ["/errors-of", "/api/docs", "/api/errors"] {
        println!("{root}");
        assert_sound(Api::builder().root(root).resource::<Original>());
    }
    let hidden = Api::builder().root("/docs").hide_documentation();
    assert_sound(hidden.resource::<Original>());
}

#[test]
fn base_that_is_no_url_is_refused() {
    for base in ["example.org", "ftp://example.org", "https://", "/docs"] {
        println!("{base}");
        mistake(
            Api::builder().base_url(base).resource::<Original>(),
            &[base],
        );
    }
}

#[test]
fn agreeing_versions_are_accepted() {
    assert_sound(
        Api::builder()
            .resource::<Original>()
            .resource::<NextVersion>(),
    );
    assert_sound(
        Api::builder()
            .resource::<Original>()
            .resource::<OtherTable>(),
    );
    assert_sound(
        Api::builder()
            .resource::<Lenient>()
            .resource::<OtherColumn>(),
    );
    assert_sound(
        Api::builder()
            .resource::<Original>()
            .resource::<MoreByDefault>(),
    );
    assert_sound(
        Api::builder()
            .resource::<SettingTwo>()
            .resource::<SettingOne>(),
    );
    assert_sound(Api::builder().resource::<Person>().resource::<Address>());
}
