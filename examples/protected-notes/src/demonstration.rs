//! Two users and a client for demonstrations.

use std::fmt::Write as _;

use resource_authorization_server::{AuthorizationServer, GrantType, NewClient};

use crate::notes::{OWN, SCOPES};
use crate::people::{NewPerson, People};
use crate::{Outcome, environment, random};

const ADMINISTRATOR: &str = "ann";

/// Creates the users and the client if they are missing; returns the text that is to be shown once.
pub async fn prepare(people: &People, server: &AuthorizationServer) -> Outcome<String> {
    let mut shown_once = String::new();
    let is_first_start = first_people(people, &mut shown_once).await?;
    if let Some((id, secret)) = environment::demo_client()? {
        // A secret from the environment may be guessed, unlike one that the server generates.
        let client = demo_client().id(id).guessable_secret(secret);
        server.put_client(client).await?;
    } else if is_first_start {
        let client = server.add_client(demo_client()).await?;
        let (id, secret) = (client.id(), client.secret().unwrap_or_default());
        writeln!(shown_once, "client {id} has the secret {secret}")?;
    }
    if !shown_once.is_empty() {
        shown_once.insert_str(0, "This is shown once:\n");
    }
    Ok(shown_once)
}

/// Adds `ann`, who can grant clients all scopes, and `ben`, who can grant those for his own notes; true at
/// the first start.
async fn first_people(people: &People, shown_once: &mut String) -> Outcome<bool> {
    if people.find(ADMINISTRATOR).await?.is_some() {
        return Ok(false);
    }
    let chosen = environment::demo_password()?;
    let mut first = Vec::new();
    for (name, is_administrator) in [(ADMINISTRATOR, true), ("ben", false)] {
        let password = match &chosen {
            Some(password) => password.clone(),
            None => random::text::<12>()?,
        };
        first.push(NewPerson {
            name,
            password,
            is_administrator,
        });
    }
    match people.add(&first).await {
        // Another instance, started at the same time, has added them.
        Err(_) if people.find(ADMINISTRATOR).await?.is_some() => return Ok(false),
        added => added?,
    }
    if chosen.is_none() {
        for NewPerson { name, password, .. } in first {
            writeln!(shown_once, "user {name} has the password {password}")?;
        }
    }
    Ok(true)
}

fn demo_client() -> NewClient {
    NewClient::confidential("Demonstration")
        .redirect_uri("http://127.0.0.1/callback")
        .grant_types([
            GrantType::AuthorizationCode,
            GrantType::ClientCredentials,
            GrantType::RefreshToken,
        ])
        .scopes(SCOPES.map(|(scope, _)| scope))
        .default_scopes(OWN)
        .allow_introspection()
}
