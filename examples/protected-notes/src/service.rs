//! The service: the API, the server that issues tokens for it, and the pages for people.

use std::sync::Arc;

use axum::Router;
use resource_runtime::oauth2::TokenVerifier;
use resource_runtime::oauth2::server::{AuthorizationServer, AuthorizationServerBuilder};
use resource_runtime::{Api, Database};
use tokio::net::TcpListener;

use crate::arguments::Serving;
use crate::notes::{Announcement, Note, SCOPES};
use crate::people::{Owner, People};
use crate::{Outcome, demonstration, environment, pages};

pub async fn serve(serving: &Serving, database_url: &str) -> Outcome {
    let database = Database::connect(database_url).await?;
    let listen = &serving.listen;
    let listener = TcpListener::bind(listen)
        .await
        .map_err(|error| format!("cannot listen on {listen}: {error}"))?;
    let address = listener.local_addr()?;
    let base_url = serving.base_url(address)?;

    let people = Arc::new(People::open(database.clone()).await?);
    let server = authorization_server(&database, &people, &base_url)?;
    let server = server.build().await?;
    let api = api(&database, &server, &base_url).await?;
    let shown_once = demonstration::prepare(&people, &server).await?;

    let pages = pages::router(people, &base_url);
    let app = api.router().merge(with_sessions(&server, pages, &base_url));
    print!("{shown_once}");
    println!("protected-notes listens on http://{address}");
    resource_runtime::serve(listener, app).await?;
    Ok(())
}

/// The settings of the authorization server, which the commands need, too.
pub fn authorization_server(
    database: &Database,
    people: &Arc<People>,
    base_url: &str,
) -> Outcome<AuthorizationServerBuilder> {
    let server = AuthorizationServer::builder(database.clone())
        .issuer(base_url)
        .resource(format!("{base_url}/api"))
        .resource_name("Protected notes")
        .scopes(SCOPES.map(|(scope, _)| scope))
        .resource_owner(Owner::new(Arc::clone(people)))
        .create_missing_tables();
    Ok(if let Some(key) = environment::sealing_key()? {
        server.sealing_key(key)
    } else {
        eprintln!(
            "protected-notes: without SEALING_KEY whoever reads the database can make tokens; \
             set it where that matters"
        );
        server.unsealed_keys()
    })
}

/// The API, which takes the server's tokens and learns of those that are revoked.
async fn api(database: &Database, server: &AuthorizationServer, base_url: &str) -> Outcome<Api> {
    let issuer = server.trusted_issuer();
    let verifier = TokenVerifier::builder().issuer(issuer).build().await?;
    server.keep_current(&verifier)?;
    let api = Api::builder()
        .title("Protected notes")
        .description(
            "Notes that belong to users. `client add` makes a client that gets tokens for them.",
        )
        .resource::<Note>()
        .resource::<Announcement>()
        .title("Protected notes")
        .description("Notes that belong to users, and announcements that everybody reads.")
        .base_url(base_url)
        .authorization(server.authorization(verifier).realm("notes"))
        .build(database.clone())?;
    api.create_missing_tables().await?;
    // An older file is refused here, with what it lacks, instead of at the first request.
    api.check_schema().await?;
    Ok(api)
}

/// The pages and the server know who is logged in; the API asks for tokens alone.
fn with_sessions(server: &AuthorizationServer, pages: Router, base_url: &str) -> Router {
    let sessions = pages::sessions(base_url.starts_with("https://"));
    pages.merge(server.router()).layer(sessions)
}
