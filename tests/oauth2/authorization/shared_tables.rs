//! Versions that share a table: items and attributes that one of them keeps to itself, no other gives away.

use resource_runtime::ApiResource;

use super::guarded_service::{assert_mistakes, guarded, mistakes};

#[derive(ApiResource)]
#[resource(name = "Box", url = "/boxes", version = "1.0", scopes)]
#[resource(owner(field = "owner"))]
struct Crate {
    id: i64,
    owner: String,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "1.0", scopes)]
#[resource(owner(field = "owner", bypass = "admin"))]
struct Thing {
    id: i64,
    owner: String,
    #[resource(references = Crate)]
    box_id: Option<i64>,
    #[resource(write_scope = "admin", default = false)]
    locked: bool,
}

#[test]
fn a_struct_that_is_called_like_a_registered_one_is_still_another() {
    #[derive(ApiResource)]
    #[resource(name = "Box", url = "/boxes", version = "1.0", scopes)]
    struct Namesake {
        id: i64,
        owner: String,
    }

    #[derive(ApiResource)]
    #[resource(name = "Label", url = "/labels", version = "1.0", scopes)]
    #[resource(subresource(container = "box_id"))]
    struct Label {
        id: i64,
        #[resource(references = Namesake)]
        box_id: Option<i64>,
    }

    let found = mistakes(|builder| builder.resource::<Crate>().resource::<Label>());
    assert_mistakes(
        &found,
        &[&["`Box 1.0` belong to nobody", "`owner`", "::Crate`"]],
    );
}

#[test]
fn what_is_referred_to_by_its_own_type_is_known() {
    #[derive(ApiResource)]
    #[resource(name = "Label", url = "/labels", version = "1.0", scopes)]
    #[resource(subresource(container = "box_id"))]
    struct Label {
        id: i64,
        #[resource(references = Crate)]
        box_id: Option<i64>,
        #[resource(references = Label)]
        parent_id: Option<i64>,
    }

    let built = guarded(|builder| builder.resource::<Crate>().resource::<Label>());
    assert!(built.is_ok(), "{:?}", built.err());
}

#[test]
fn versions_of_one_table_agree_on_what_a_column_references() {
    #[derive(ApiResource)]
    #[resource(name = "Thing", url = "/things", version = "2.0", scopes)]
    #[resource(owner(field = "owner", bypass = "admin"))]
    struct Loose {
        id: i64,
        owner: String,
        box_id: Option<i64>,
        #[resource(read_only, default = false)]
        locked: bool,
    }

    let register = |builder: resource_runtime::ApiBuilder| {
        let builder = builder.resource::<Crate>().resource::<Thing>();
        builder.resource::<Loose>()
    };
    assert_mistakes(
        &mistakes(register),
        &[&[
            "::Thing.box_id` references `Box.id`",
            "::Loose.box_id`",
            "references nothing",
        ]],
    );
}

#[test]
fn versions_of_one_table_agree_on_who_sets_a_column() {
    #[derive(ApiResource)]
    #[resource(name = "Thing", url = "/things", version = "2.0", scopes)]
    #[resource(owner(field = "owner", bypass = "admin"))]
    struct Lax {
        id: i64,
        owner: String,
        #[resource(default = false)]
        locked: bool,
    }

    let register = |builder: resource_runtime::ApiBuilder| {
        let builder = builder.resource::<Crate>().resource::<Thing>();
        builder.resource::<Lax>()
    };
    assert_mistakes(
        &mistakes(register),
        &[&["::Thing.locked`", "::Lax.locked`", "`write_scope`"]],
    );
}

#[test]
fn versions_of_one_table_agree_on_who_is_free_of_the_rule_about_owners() {
    #[derive(ApiResource)]
    #[resource(name = "Thing", url = "/things", version = "2.0", scopes)]
    #[resource(owner(field = "owner", bypass = any("admin", "support")))]
    struct Free {
        id: i64,
        owner: String,
    }

    let register = |builder: resource_runtime::ApiBuilder| {
        let builder = builder.resource::<Crate>().resource::<Thing>();
        builder.resource::<Free>()
    };
    assert_mistakes(
        &mistakes(register),
        &[&["::Free`", "any of `admin`, `support`", "any of `admin` in"]],
    );
}

#[test]
fn a_version_that_is_only_referred_to_tells_nothing_that_another_hides() {
    #[derive(ApiResource)]
    #[resource(name = "User", url = "/users", version = "2.0", scopes)]
    struct Discreet {
        id: i64,
        #[resource(write_only)]
        password: Option<String>,
    }

    #[derive(ApiResource)]
    #[resource(name = "User", url = "/users", version = "1.0", scopes)]
    struct Talkative {
        id: i64,
        password: Option<String>,
    }

    #[derive(ApiResource)]
    #[resource(name = "Post", url = "/posts", version = "1.0", scopes)]
    #[resource(subresource(user = "user_id"))]
    struct Post {
        id: i64,
        #[resource(references = Talkative)]
        user_id: Option<i64>,
    }

    let found = mistakes(|builder| builder.resource::<Discreet>().resource::<Post>());
    assert_mistakes(
        &found,
        &[&[
            "`User 1.0.password` tells",
            "::Discreet.password` hides",
            "`write_only`",
        ]],
    );
}
