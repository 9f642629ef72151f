//! Requests without a login: no redirect leads to a client (RFC 9700, section 4.11.2).

use resource_authorization_server::{GrantType, NewClient};
use resource_tests::{apply, block_on, every_database};

use super::authorization_requests::assert_error_page;
use super::host::Answer as HostAnswer;
use super::world::{CALLBACK, World, redirect_parameters};

#[apply(every_database)]
fn error_before_login_is_a_page_without_redirect() {
    let world = World::start();
    let client = world.web();
    let long = "s".repeat(1025);
    for (name, value, error) in [
        ("response_type", "", "invalid_request"),
        ("response_type", "token", "unsupported_response_type"),
        ("response_mode", "fragment", "invalid_request"),
        ("code_challenge", "", "invalid_request"),
        ("code_challenge_method", "plain", "invalid_request"),
        ("scope", "notes.admin", "invalid_scope"),
        ("scope", "  ", "invalid_scope"),
        ("state", &*long, "invalid_request"),
        ("resource", "https://evil.example", "invalid_target"),
    ] {
        world.host.log_out();
        let answer = world.authorize(&client, &[(name, value)]);
        assert_error_page(&answer, 400);
        assert!(answer.text().contains(error), "{}", answer.text());
        world.host.log_in("ann", "session-1");
        let back = redirect_parameters(&world.authorize(&client, &[(name, value)]));
        assert_eq!(back["error"], error, "{name}={value}");
    }
    world.host.log_out();
    let machine = NewClient::confidential("Machine").redirect_uri(CALLBACK);
    let machine = machine.scopes(["notes.read"]);
    let machine = world.add(machine.grant_types([GrantType::ClientCredentials]));
    assert_error_page(&world.authorize(&machine, &[]), 400);
    let repeated = format!(
        "/oauth/authorize?client_id={}&redirect_uri={CALLBACK}&scope=a&scope=b",
        client.id
    );
    assert_error_page(&world.service.get(&repeated), 400);
}

#[apply(every_database)]
fn prompt_parameter_never_skips_the_login() {
    let world = World::start();
    let client = world.web();
    world.host.log_out();
    world.host.answer(HostAnswer::Denies);
    for prompt in ["none", "login", "consent"] {
        let answer = world.authorize(&client, &[("prompt", prompt)]);
        assert!(answer.text().starts_with("login"), "{}", answer.text());
        assert_eq!((answer.status, answer.header("location")), (200, None));
    }
}

#[apply(every_database)]
fn failure_before_login_is_a_page_without_redirect() {
    let world = World::start();
    let client = world.web();
    world.host.log_out();
    world.host.answer(HostAnswer::Fails);
    assert_error_page(&world.authorize(&client, &[]), 500);
    world.host.answer(HostAnswer::Asks);
    world.host.lose_users();
    assert_error_page(&world.authorize(&client, &[]), 500);
    assert_error_page(&world.authorize(&client, &[("scope", "x")]), 400);
    world.host.log_out();
    let mut program = world.service.database().other_program();
    program.execute("DROP TABLE oauth_auth_request");
    assert_error_page(&world.authorize(&client, &[]), 500);
}

#[apply(every_database)]
fn scopes_lost_before_login_are_a_page_without_redirect() {
    let world = World::start();
    let put = |scope: &str| {
        let new = NewClient::public("Notes").id("notes");
        let new = new.redirect_uri(CALLBACK).scopes([scope]);
        block_on(world.server.put_client(new)).unwrap();
    };
    put("notes.read");
    world.host.log_out();
    let client = super::world::Client {
        id: "notes".to_owned(),
        secret: None,
    };
    let login = world.authorize(&client, &[]);
    let path = login.text().lines().nth(1).unwrap();
    put("notes.admin");
    assert_error_page(&world.service.get(path), 400);
    let decided = [("pending", path.split_once('=').unwrap().1)];
    assert_error_page(&world.post("/oauth/authorize", &decided), 400);
    world.host.log_in("ann", "session-1");
    let back = redirect_parameters(&world.service.get(path));
    assert_eq!(back["error"], "invalid_scope");
}
