//! Registration of clients: adding, listing, replacing and disabling them.

use resource_authorization_server::{ClientSummary, GrantType, NewClient};
use resource_runtime::authorization::{Authenticator as _, SecurityScheme};
use resource_tests::{apply, block_on, every_database, problems};

use super::world::{CALLBACK, Client, World, assert_refused, at_once, basic, member};

#[apply(every_database)]
fn client_secret_is_returned_once_and_never_listed() {
    let world = World::start();
    let new = NewClient::confidential("Reports")
        .secret("s".repeat(32))
        .scopes(["notes.read"]);
    assert!(!format!("{new:?}").contains("ssss"));
    let added = block_on(world.server.add_client(new)).unwrap();
    assert_eq!(added.secret(), Some(&*"s".repeat(32)));
    assert!(!format!("{added:?}").contains("ssss"));
    let other = NewClient::confidential("Other").scopes(["notes.read"]);
    let drawn = block_on(world.server.add_client(other)).unwrap();
    let secret = drawn.secret().unwrap();
    assert_eq!(secret.len(), 43);
    let permitted = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    assert!(secret.bytes().all(permitted));
    let public = NewClient::public("Public").redirect_uri(CALLBACK);
    let public = public.scopes(["notes.read"]);
    let public = block_on(world.server.add_client(public)).unwrap();
    assert_eq!(public.secret(), None);
    let listed = format!("{:?}", block_on(world.server.list_clients()).unwrap());
    assert!(!listed.contains(secret) && !listed.contains("ssss"));
}

#[apply(every_database)]
fn clients_are_listed_with_redirect_uris_and_scopes() {
    let world = World::start();
    let known = NewClient::confidential("Known")
        .id("known")
        .scopes(["notes.read"]);
    world.add(known);
    let public = NewClient::public("Ärger & Söhne").id("Public_2");
    world.add(
        public
            .redirect_uri(CALLBACK)
            .redirect_uri("http://127.0.0.1/cb")
            .scopes(["notes.read"]),
    );
    let clients = block_on(world.server.list_clients()).unwrap();
    let ids: Vec<&str> = clients.iter().map(ClientSummary::id).collect();
    assert_eq!(ids, ["Public_2", "known"]);
    assert_eq!(clients[0].name(), "Ärger & Söhne");
    assert!(!clients[0].is_confidential() && clients[1].is_confidential());
    assert_eq!(
        clients[0].redirect_uris(),
        [CALLBACK, "http://127.0.0.1/cb"]
    );
    assert_eq!(clients[1].scopes().to_string(), "notes.read");
    assert!(clients.iter().all(|client| !client.is_disabled()));
    let again = NewClient::confidential("X").id("known");
    let again = block_on(world.server.add_client(again.scopes(["notes.read"])));
    let taken = "there is a client with the id `known`; choose another";
    assert_eq!(again.unwrap_err().to_string(), taken);
}

#[apply(every_database)]
fn disabled_client_gets_no_tokens_and_its_tokens_are_refused() {
    let world = World::start();
    let (client, machine) = (world.web(), world.machine());
    let (tokens, code) = (world.tokens(&client), world.code(&client));
    let access = member(&tokens, "access_token");
    assert!(world.accepts(&access));
    block_on(world.server.disable_client(&client.id)).unwrap();
    assert!(!world.accepts(&access));
    assert_refused(&world.redeem(&client, &code), 401, "invalid_client");
    let refreshed = world.refresh(&client, &member(&tokens, "refresh_token"));
    assert_refused(&refreshed, 401, "invalid_client");
    assert_eq!(world.authorize(&client, &[]).status, 400);
    assert!(world.accepts(&world.own_token(&machine)), "others go on");
    let clients = block_on(world.server.list_clients()).unwrap();
    let disabled = clients.iter().find(|it| it.id() == client.id).unwrap();
    assert!(disabled.is_disabled());
    block_on(world.server.disable_client(&client.id)).unwrap();
    let unknown = block_on(world.server.disable_client("unknown")).unwrap_err();
    assert_eq!(unknown.to_string(), "there is no client `unknown`");
}

#[apply(every_database)]
fn all_errors_of_a_registration_are_reported_at_once() {
    let world = World::start();
    let mistakes = |client| {
        let error = block_on(world.server.add_client(client)).unwrap_err();
        problems(&error)
    };
    let client = NewClient::confidential("Sloppy").id("a b").secret("short");
    let client = client
        .redirect_uri("http://app.example.com")
        .scopes(["note.read"]);
    let all = mistakes(client.default_scopes(["notes.write"]));
    assert_eq!(all.len(), 5, "{all:?}");
    assert!(
        all.iter()
            .all(|mistake| mistake.starts_with("client `Sloppy`: "))
    );
    assert!(all.concat().contains("did you mean `notes.read`?"));
    let nothing = NewClient::confidential("Nothing");
    assert!(mistakes(nothing.clone())[0].contains(".scopes(…)"));
    assert!(mistakes(nothing.redirect_uri(CALLBACK))[0].contains(".scopes(…)"));
    for (client, word) in [
        (NewClient::public("P"), "act on its own behalf"),
        (
            NewClient::public("P")
                .redirect_uri(CALLBACK)
                .secret("s".repeat(32)),
            "no secret",
        ),
        (
            NewClient::public("P")
                .redirect_uri(CALLBACK)
                .allow_introspection(),
            "introspect",
        ),
        (
            NewClient::confidential("C").grant_types([GrantType::AuthorizationCode]),
            ".redirect_uri(…)",
        ),
        (
            NewClient::confidential("C").grant_types([GrantType::RefreshToken]),
            "refresh",
        ),
        (NewClient::confidential(" "), "name"),
        (NewClient::confidential("a\nb"), "name"),
    ] {
        let found = mistakes(client.scopes(["notes.read"]));
        assert!(found.len() == 1 && found[0].contains(word), "{found:?}");
    }
}

#[apply(every_database)]
fn secrets_and_ids_consist_of_unreserved_characters() {
    let world = World::start();
    let secret = "-._~".repeat(8);
    let new = NewClient::confidential("Sound")
        .id("a-b.c_d~e")
        .secret(&secret);
    let client = world.add(new.scopes(["notes.read"]));
    let grant = [("grant_type", "client_credentials")];
    assert_eq!(world.token(&client, &grant).status, 200);
    for header in [basic(&client.id, &secret), basic("a-b%2Ec_d%7Ee", &secret)] {
        let headers = [("authorization", &*header)];
        assert_eq!(
            world.post_with("/oauth/token", &headers, &grant).status,
            200
        );
    }
    for unsound in ["+", "%", ":", " ", "ü", "/", "=", "*"] {
        let secret = unsound.repeat(32);
        let new = NewClient::confidential("Unsound")
            .id(unsound)
            .secret(secret)
            .scopes(["notes.read"]);
        let error = block_on(world.server.add_client(new)).unwrap_err();
        assert_eq!(problems(&error).len(), 2, "{unsound}: {error}");
    }
}

#[apply(every_database)]
fn weak_secret_requires_guessable_secret() {
    let world = World::start();
    let new = || NewClient::confidential("Demonstration").scopes(["notes.read"]);
    let client = world.add(new().guessable_secret("x"));
    assert_eq!(client.secret.as_deref(), Some("x"));
    assert!(world.accepts(&world.own_token(&client)));
    let (long, longer) = ("s".repeat(256), "s".repeat(257));
    world.add(new().secret(&long));
    world.add(new().guessable_secret(&long));
    for (refused, limits) in [
        (new().secret("s".repeat(31)), "32 to 256"),
        (new().secret(&longer), "32 to 256"),
        (new().guessable_secret(""), "1 to 256"),
        (new().guessable_secret(longer), "1 to 256"),
        (new().guessable_secret("a b"), "1 to 256"),
    ] {
        let error = block_on(world.server.add_client(refused)).unwrap_err();
        assert!(error.to_string().contains(limits), "{error}");
    }
}

#[apply(every_database)]
fn put_client_replaces_the_client_with_its_id() {
    let world = World::start();
    let put = |secret: &str, scopes: &[&str]| {
        let new = NewClient::confidential("Reports")
            .id("reports")
            .guessable_secret(secret);
        let added = block_on(world.server.put_client(new.scopes(scopes.iter().copied()))).unwrap();
        assert_eq!((added.id(), added.secret()), ("reports", Some(secret)));
        let (id, secret) = ("reports".to_owned(), Some(secret.to_owned()));
        Client { id, secret }
    };
    let old = put("old", &["notes.read"]);
    let token = world.own_token(&old);
    let new = put("new", &["notes.write"]);
    let grant = [("grant_type", "client_credentials")];
    assert_refused(&world.token(&old, &grant), 401, "invalid_client");
    assert_eq!(world.token(&new, &grant).ok()["scope"], "notes.write");
    assert!(world.accepts(&token));
    assert_eq!(block_on(world.server.list_clients()).unwrap().len(), 1);
    block_on(world.server.disable_client("reports")).unwrap();
    let put_again = put("new", &["notes.write"]);
    assert_refused(&world.token(&put_again, &grant), 401, "invalid_client");
    assert!(!world.accepts(&token));
    let mistaken = NewClient::confidential("Reports")
        .id("reports")
        .scopes(["none"]);
    assert!(block_on(world.server.put_client(mistaken)).is_err());
}

#[apply(every_database)]
fn concurrent_put_client_calls_all_succeed() {
    let world = World::start();
    let put = || {
        let new = NewClient::confidential("Reports")
            .id("reports")
            .guessable_secret("x")
            .scopes(["notes.read"]);
        block_on(world.server.put_client(new)).map(drop)
    };
    assert_eq!(at_once(8, put), vec![Ok(()); 8]);
    assert_eq!(block_on(world.server.list_clients()).unwrap().len(), 1);
}

#[apply(every_database)]
fn other_unique_violations_are_not_reported_as_a_taken_id() {
    let world = World::start();
    let mut program = world.service.database().other_program();
    program.execute("CREATE UNIQUE INDEX one_name ON oauth_client (name)");
    let add = |id: &str| {
        let new = NewClient::confidential("Reports").id(id);
        block_on(world.server.add_client(new.scopes(["notes.read"])))
    };
    assert!(add("first").is_ok());
    let error = add("second").unwrap_err().to_string();
    assert!(!error.contains("choose another"), "{error}");
}

#[apply(every_database)]
fn scopes_too_long_for_a_token_are_refused() {
    let scopes: Vec<String> = (0..400)
        .map(|number| format!("scope.of.some.length.{number:04}"))
        .collect();
    let list = scopes.clone();
    let world = World::start_with(move |it| it.scopes(list));
    let wide = |count: usize| NewClient::confidential("Wide").scopes(scopes[..count].to_vec());
    let token = world.own_token(&world.add(wide(157)));
    assert!(world.accepts(&token), "{}", token.len());
    let error = block_on(world.server.add_client(wide(158))).unwrap_err();
    assert!(error.to_string().contains("4096 at most"), "{error}");
}

#[apply(every_database)]
fn the_reference_of_the_api_has_a_public_client() {
    let world = World::start_with(|it| it.docs_client_at("https://api.example.com/docs/"));
    let clients = block_on(world.server.list_clients()).unwrap();
    let [client] = &clients[..] else {
        panic!("{clients:?}")
    };
    assert_eq!(
        (client.id(), client.is_confidential()),
        ("api-reference", false)
    );
    assert_eq!(
        client.redirect_uris(),
        ["https://api.example.com/docs/oauth2-redirect"]
    );
    let schemes = world.server.authorization(world.verifier.clone()).schemes();
    let named = |it: &SecurityScheme| matches!(it, SecurityScheme::OAuth2 { docs_client: Some(id), .. } if id == "api-reference");
    assert!(schemes.iter().any(named), "{schemes:?}");

    let without = World::start();
    assert!(block_on(without.server.list_clients()).unwrap().is_empty());
    let schemes = without
        .server
        .authorization(without.verifier.clone())
        .schemes();
    assert!(!schemes.iter().any(named), "{schemes:?}");
}
