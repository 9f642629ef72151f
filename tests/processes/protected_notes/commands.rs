//! Commands of the protected notes, run while the service runs.

use resource_tests::polling::wait_for;
use resource_tests::{apply, every_database};

use super::process::{CLIENT, Notes};

const GRANT: [(&str, &str); 1] = [("grant_type", "client_credentials")];

#[apply(every_database)]
fn a_client_is_added_listed_and_disabled_while_the_service_runs() {
    let notes = Notes::start();
    let added = notes.commanded(&[
        "client",
        "add",
        "--name",
        "Reports",
        "--scope",
        "notes.read",
    ]);
    let word = |name: &str| {
        let mut lines = added.lines();
        let found = lines.find_map(|line| line.strip_prefix(&format!("{name} ")));
        found.expect(&added).to_owned()
    };
    let (id, secret) = (word("client"), word("secret"));
    let granted = notes
        .post_form_as((&id, &secret), "/oauth/token", &GRANT)
        .ok();
    assert_eq!(granted["scope"], "notes.read");
    let token = granted["access_token"].as_str().unwrap();
    assert!(notes.accepts(token));
    let listed = notes.commanded(&["client", "list"]);
    assert!(
        listed.contains(&format!("{id}  Reports (confidential): notes.read")),
        "{listed}"
    );
    assert!(
        listed.contains(CLIENT) && !listed.contains(&secret),
        "{listed}"
    );

    notes.commanded(&["client", "disable", &id]);
    assert_eq!(
        notes
            .post_form_as((&id, &secret), "/oauth/token", &GRANT)
            .status,
        401
    );
    wait_for("the service to refuse the token", || {
        (!notes.accepts(token)).then_some(())
    });
    let listed = notes.commanded(&["client", "list"]);
    assert!(
        listed.contains("Reports (confidential, disabled)"),
        "{listed}"
    );
}

#[apply(every_database)]
fn a_new_key_is_published_and_tokens_of_the_old_key_stay_valid() {
    let notes = Notes::start();
    let token = notes.own_token("notes.read");
    let rotated = notes.commanded(&["key", "rotate"]);
    let id = rotated
        .strip_prefix("key ")
        .unwrap()
        .split(' ')
        .next()
        .unwrap();
    wait_for("the service to publish the key", || {
        let keys = notes.client.read("/oauth/jwks");
        let keys = keys["keys"].as_array().unwrap().clone();
        (keys.len() == 2 && keys.iter().any(|key| key["kid"] == id)).then_some(())
    });
    assert!(notes.accepts(&token));
    assert!(notes.accepts(&notes.own_token("notes.read")));
    let twice = notes.command(&["key", "rotate"]);
    assert!(!twice.status.success());
    let problem = twice.stderr;
    assert!(problem.contains("waits for its turn"), "{problem}");
}

#[apply(every_database)]
fn a_public_client_is_added_with_its_options() {
    let notes = Notes::start();
    let arguments = "client add --name App --id app --public --redirect-uri https://a.example/x \
                     --redirect-uri http://127.0.0.1/x --grant authorization_code";
    let added = notes.commanded(&arguments.split_whitespace().collect::<Vec<_>>());
    assert_eq!(added, "client app\n");
    let listed = notes.commanded(&["client", "list"]);
    assert!(
        listed.contains("app  App (public): notes.read notes.write"),
        "{listed}"
    );
}

#[apply(every_database)]
fn invalid_commands_are_errors_that_name_the_problem() {
    let notes = Notes::start();
    for (arguments, word) in [
        (
            &["client", "disable", "unknown"][..],
            "there is no client `unknown`",
        ),
        (
            &["client", "disable", "-Tasks"],
            "there is no client `-Tasks`",
        ),
        (
            &["client", "add", "--name", "X", "--scope", "note.read"],
            "did you mean `notes.read`?",
        ),
        (
            &["client", "add", "--name", "X", "--id", CLIENT],
            "choose another",
        ),
        (
            &["client", "add", "--name", "X", "--public"],
            "name redirect URIs",
        ),
        (
            &["client", "add", "--name", "X", "--grant", "password"],
            "client_credentials",
        ),
        (&["client", "add"], "--name"),
    ] {
        let refused = notes.command(arguments);
        assert!(!refused.status.success());
        assert_eq!(refused.stdout, b"");
        let problem = refused.told();
        assert!(problem.contains(word), "{problem}");
    }
}
