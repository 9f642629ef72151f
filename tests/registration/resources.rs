//! Registration mistakes: an `Err` of `build` that names the Rust types.

use resource_runtime::{Api, ApiResource};
use resource_tests::models::{Address, Person, SettingOne, SettingTwo};

use crate::building::{assert_sound, mistake};

/// Declares resources whose only point is what they are registered as.
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
fn one_collection_and_version_twice_names_both_types() {
    mistake(
        Api::builder().resource::<Original>().resource::<SamePath>(),
        &["Original", "SamePath", "1.0", "things"],
    );
}

#[test]
fn one_name_and_version_twice_names_both_types() {
    mistake(
        Api::builder().resource::<Original>().resource::<SameName>(),
        &["Original", "SameName", "Thing", "1.0"],
    );
}

#[test]
fn one_type_twice_names_it() {
    mistake(
        Api::builder().resource::<Original>().resource::<Original>(),
        &["Original", "1.0"],
    );
}

#[test]
fn a_reference_to_an_unregistered_type_names_both() {
    mistake(
        Api::builder().resource::<Person>(),
        &["Person", "Address", "bill_address_id"],
    );
}

#[test]
fn versions_that_contradict_each_other_are_named_with_their_attribute() {
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

/// The other version could create no item in the table that they share.
#[test]
fn a_required_attribute_that_another_version_lacks_is_named_with_both() {
    mistake(
        Api::builder()
            .resource::<Original>()
            .resource::<MoreRequired>(),
        &["Original", "MoreRequired", "colour", "default"],
    );
}

#[test]
fn a_default_limit_above_the_cap_of_the_api_is_named() {
    mistake(
        Api::builder().max_limit(20).resource::<GreedyDefault>(),
        &["GreedyDefault", "50", "20"],
    );
    assert_sound(Api::builder().max_limit(50).resource::<GreedyDefault>());
}

#[test]
fn all_mistakes_are_named_at_once() {
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
fn an_api_without_resources_is_a_mistake() {
    mistake(Api::builder(), &["resource"]);
}

#[test]
fn a_root_that_is_no_path_is_a_mistake() {
    for root in ["api", "/api/", "/a b", "/{id}", "/a?b", "//"] {
        println!("{root}");
        mistake(Api::builder().root(root).resource::<Original>(), &[root]);
    }
}

#[test]
fn a_root_where_the_service_has_its_own_pages_is_a_mistake() {
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
fn a_base_that_is_no_url_is_a_mistake() {
    for base in ["example.org", "ftp://example.org", "https://", "/docs"] {
        println!("{base}");
        mistake(
            Api::builder().base_url(base).resource::<Original>(),
            &[base],
        );
    }
}

#[test]
fn versions_that_agree_are_sound() {
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
