//! Two users and a client for demonstrations.

use std::fmt::Write as _;

use resource_authorization_server::{AuthorizationServer, NewClient};

use crate::commands::GRANT_TYPES;
use crate::notes::{OWN, SCOPES};
use crate::people::{People, Person, hash};
use crate::{Outcome, from_environment, random_text};

const ADMINISTRATOR: &str = "ann";

/// Creates the users and the client if they are missing; returns the text that is to be shown once.
pub async fn prepare(people: &People, server: &AuthorizationServer) -> Outcome<String> {
    let first_passwords = first_people(people).await?;
    let is_first_start = first_passwords.is_some();
    let mut shown_once = first_passwords.unwrap_or_default();
    let client = NewClient::confidential("Demonstration")
        .redirect_uri("http://127.0.0.1/callback")
        .grant_types(GRANT_TYPES)
        .scopes(SCOPES.map(|(scope, _)| scope))
        .default_scopes(OWN)
        .allow_introspection();
    let id = from_environment("DEMO_CLIENT_ID")?;
    match (id, from_environment("DEMO_CLIENT_SECRET")?) {
        // A secret from the environment may be guessed, unlike one that the server generates.
        (Some(id), Some(secret)) => {
            let client = client.id(id).guessable_secret(secret);
            server.put_client(client).await?;
        }
        (None, None) if is_first_start => {
            let client = server.add_client(client).await?;
            let (id, secret) = (client.id(), client.secret().unwrap_or_default());
            writeln!(shown_once, "client {id} has the secret {secret}")?;
        }
        (None, None) => {}
        _ => {
            return Err(
                "`DEMO_CLIENT_ID` and `DEMO_CLIENT_SECRET` belong together; set both".into(),
            );
        }
    }
    if !shown_once.is_empty() {
        shown_once.insert_str(0, "This is shown once:\n");
    }
    Ok(shown_once)
}

/// Adds `ann`, who can grant clients all scopes, and `ben`, who can grant those for his own notes; returns
/// their passwords, unless they were chosen, and `None` if this is not the first start.
async fn first_people(people: &People) -> Outcome<Option<String>> {
    if people.find(ADMINISTRATOR).await?.is_some() {
        return Ok(None);
    }
    let chosen = from_environment("DEMO_PASSWORD")?;
    let mut passwords = String::new();
    let mut first = Vec::new();
    for (name, is_administrator) in [(ADMINISTRATOR, true), ("ben", false)] {
        let password = chosen.clone().map_or_else(random_text::<12>, Ok)?;
        if chosen.is_none() {
            writeln!(passwords, "user {name} has the password {password}")?;
        }
        first.push(Person {
            name: name.to_owned(),
            password_hash: hash(password).await?,
            is_administrator,
        });
    }
    match people.add(&first).await {
        // Another instance, started at the same time, has added them.
        Err(_) if people.find(ADMINISTRATOR).await?.is_some() => Ok(None),
        added => added.map(|()| Some(passwords)),
    }
}
