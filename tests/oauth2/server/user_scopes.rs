//! Scopes of the user: clients get no scope that the user lacks.

use resource_tests::{apply, every_database};

use super::world::{World, member, part, redirect_parameters};

const ALL: [(&str, &str); 1] = [("scope", "notes.read notes.write")];

#[apply(every_database)]
fn granted_scopes_are_those_requested_and_held_by_the_user() {
    let world = World::start();
    let client = world.web();
    world.host.limit(&["notes.admin", "notes.read"]);
    let asked = world.authorize(&client, &ALL);
    assert_eq!(
        asked.text().lines().nth(3),
        Some("notes.read"),
        "{}",
        asked.text()
    );
    let back = redirect_parameters(&world.decide(&asked, "approve"));
    let tokens = world.redeem(&client, &back["code"]).ok();
    assert_eq!(tokens["scope"], "notes.read");
    assert_eq!(
        part(&member(&tokens, "access_token"), 1)["scope"],
        "notes.read"
    );
    let refresh = member(&tokens, "refresh_token");
    assert_eq!(world.refresh(&client, &refresh).ok()["scope"], "notes.read");
}

#[apply(every_database)]
fn decision_counts_only_for_the_scopes_that_the_page_showed() {
    let world = World::start();
    let client = world.web();
    world.host.limit(&["notes.read"]);
    let asked = world.authorize(&client, &ALL);
    world.host.limit(&["notes.read", "notes.write"]);
    assert_eq!(world.decide(&asked, "approve").status, 403);
    world.host.limit(&["notes.read"]);
    assert!(redirect_parameters(&world.decide(&asked, "approve")).contains_key("code"));
}

#[apply(every_database)]
fn user_without_the_requested_scopes_is_not_asked() {
    let world = World::start();
    let client = world.web();
    for scopes in [&["notes.admin"][..], &[]] {
        world.host.limit(scopes);
        let back = redirect_parameters(&world.authorize(&client, &ALL));
        assert_eq!(back["error"], "access_denied");
        assert_eq!(back["state"], "the state");
    }
}

#[apply(every_database)]
fn user_who_lost_the_requested_scopes_cannot_approve() {
    let world = World::start();
    let client = world.web();
    let asked = world.authorize(&client, &ALL);
    world.host.limit(&[]);
    let back = redirect_parameters(&world.decide(&asked, "approve"));
    assert_eq!(back["error"], "access_denied");
    assert_eq!(world.decide(&asked, "approve").status, 400);
}

#[apply(every_database)]
fn client_credentials_do_not_depend_on_scopes_of_users() {
    let world = World::start();
    world.host.limit(&[]);
    let machine = world.machine();
    assert!(world.accepts(&world.own_token(&machine)));
}
