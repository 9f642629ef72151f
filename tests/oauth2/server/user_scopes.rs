//! A user gives clients no more than they have.

use resource_tests::{apply, every_database};

use super::world::{World, member, part, sent_back};

const ALL: [(&str, &str); 1] = [("scope", "notes.read notes.write")];

#[apply(every_database)]
fn a_client_gets_what_it_asks_for_and_the_user_has() {
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
    let back = sent_back(&world.decide(&asked, "approve"));
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
fn the_scopes_of_a_token_are_those_that_the_page_showed() {
    let world = World::start();
    let client = world.web();
    world.host.limit(&["notes.read"]);
    let asked = world.authorize(&client, &ALL);
    world.host.limit(&["notes.read", "notes.write"]);
    assert_eq!(world.decide(&asked, "approve").status, 403);
    world.host.limit(&["notes.read"]);
    assert!(sent_back(&world.decide(&asked, "approve")).contains_key("code"));
}

#[apply(every_database)]
fn a_user_who_has_nothing_to_give_is_not_asked() {
    let world = World::start();
    let client = world.web();
    for scopes in [&["notes.admin"][..], &[]] {
        world.host.limit(scopes);
        let back = sent_back(&world.authorize(&client, &ALL));
        assert_eq!(back["error"], "access_denied");
        assert_eq!(back["state"], "the state");
    }
}

#[apply(every_database)]
fn a_user_who_lost_all_that_was_asked_for_cannot_approve() {
    let world = World::start();
    let client = world.web();
    let asked = world.authorize(&client, &ALL);
    world.host.limit(&[]);
    let back = sent_back(&world.decide(&asked, "approve"));
    assert_eq!(back["error"], "access_denied");
    assert_eq!(world.decide(&asked, "approve").status, 400);
}

#[apply(every_database)]
fn a_client_that_acts_on_its_own_behalf_needs_no_user() {
    let world = World::start();
    world.host.limit(&[]);
    let machine = world.machine();
    assert!(world.takes(&world.own_token(&machine)));
}
