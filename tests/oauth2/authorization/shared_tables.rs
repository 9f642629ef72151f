//! Versions that share a table: no version may reveal what another protects.

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
fn struct_with_the_name_of_a_registered_one_is_checked_too() {
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
fn references_to_registered_types_are_accepted() {
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
fn versions_of_a_table_must_agree_on_references() {
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
fn versions_of_a_table_must_agree_on_write_scopes() {
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
fn versions_of_a_table_must_agree_on_bypass_scopes() {
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
fn referenced_unregistered_version_must_hide_write_only_attributes() {
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
