//! Keys that follow one another.

use resource_runtime::oauth2::server::AuthorizationServerBuilder;
use resource_tests::{apply, block_on, every_database};
use serde_json::Value;

use super::world::{World, part};

const DAY: u64 = 24 * 60 * 60;

fn published(world: &World) -> Vec<String> {
    let key_set = world.service.read("/oauth/jwks");
    let keys = key_set["keys"].as_array().unwrap().iter();
    keys.map(|key| key["kid"].as_str().unwrap().to_owned())
        .collect()
}

fn signer(token: &str) -> Value {
    part(token, 0)["kid"].clone()
}

#[apply(every_database)]
fn a_key_is_published_a_day_before_it_signs_and_until_its_last_token_ends() {
    let world = World::start();
    let client = world.machine();
    let first = published(&world).remove(0);
    let added = block_on(world.server.rotate_key()).unwrap();
    let second = added.id().to_owned();
    assert_eq!(published(&world), [&*first, &second]);
    assert!(
        block_on(world.server.rotate_key()).is_err(),
        "one waits already"
    );

    world.clock.advance(DAY - 1);
    let last_of_first = world.own_token(&client);
    assert_eq!(signer(&last_of_first), first);
    world.clock.advance(1);
    let first_of_second = world.own_token(&client);
    assert_eq!(signer(&first_of_second), second);
    assert_eq!(published(&world), [&*first, &second]);
    assert!(world.takes(&last_of_first) && world.takes(&first_of_second));

    world.clock.advance(599);
    assert!(world.takes(&last_of_first));
    world.clock.advance(121);
    assert_eq!(published(&world), [&*second]);
    block_on(world.server.sweep()).unwrap();
    let mut program = world.service.database().other_program();
    assert_eq!(
        program.text("SELECT CAST(COUNT(*) AS TEXT) FROM oauth_key"),
        "1"
    );
    assert_eq!(signer(&world.own_token(&client)), second);
    assert!(block_on(world.server.rotate_key()).is_ok());
}

#[apply(every_database)]
fn a_stored_key_is_sealed_and_opens_by_its_sealing_key_alone() {
    let world = World::start();
    let database = world.service.database().clone();
    let mut program = database.other_program();
    let sealed = "SELECT CAST(COUNT(*) AS TEXT) FROM oauth_key WHERE is_sealed";
    assert_eq!(program.text(sealed), "1");
    let build = |change: fn(AuthorizationServerBuilder) -> AuthorizationServerBuilder| {
        let settings = super::world::settings(super::world::open(&database));
        let settings = settings.resource_owner(super::host::Host::new());
        block_on(change(settings).build())
    };
    let kid = published(&world).remove(0);
    let other = build(|it| it.sealing_key([8; 32])).unwrap_err().to_string();
    assert!(
        other.contains("another sealing key") && other.contains(&kid),
        "{other}"
    );
    let none = build(AuthorizationServerBuilder::unsealed_keys)
        .unwrap_err()
        .to_string();
    assert!(none.contains(".sealing_key(…)"), "{none}");
    assert!(build(|it| it.sealing_key([7; 32])).is_ok());
}

#[apply(every_database)]
fn for_development_a_key_is_kept_as_it_is() {
    let world = World::start_with(AuthorizationServerBuilder::unsealed_keys);
    let mut program = world.service.database().other_program();
    let open = "SELECT CAST(COUNT(*) AS TEXT) FROM oauth_key WHERE NOT is_sealed";
    assert_eq!(program.text(open), "1");
    assert!(world.takes(&world.own_token(&world.machine())));
}
