//! The service: the API, its authorization server, and the pages for users.

use std::sync::Arc;

use axum::Router;
use resource_authorization_server::{AuthorizationServer, AuthorizationServerBuilder};
use resource_oauth2::TokenVerifier;
use resource_runtime::cli::Server;
use resource_runtime::{Api, ApiBuilder, Database};

use crate::arguments::Arguments;
use crate::notes::{Announcement, Note, SCOPES};
use crate::people::{Owner, People};
use crate::{NAME, Outcome, demonstration, environment, pages};

pub async fn serve(arguments: &Arguments) -> Outcome {
    let database = Database::connect(arguments.options.database_url()).await?;
    let listening = Server::bind(&arguments.options).await?;
    // Port 0 is replaced once the listener is bound, and the base URL may need the port.
    let base_url = arguments.base_url(listening.address())?;

    let people = Arc::new(People::open(database.clone()).await?);
    let server = authorization_server(&database, &people, &base_url)?;
    let server = server.build().await?;
    let resources = arguments.options.configure(resources(Some(&base_url)));
    let api = api(&database, &server, resources).await?;
    let shown_once = demonstration::prepare(&people, &server).await?;

    let pages = pages::router(people, &base_url);
    let app = api.router().merge(with_sessions(&server, pages, &base_url));
    print!("{shown_once}");
    listening.serve(NAME, &api, app).await?;
    Ok(())
}

/// The resources of the API, without the authorization server.
pub fn resources(base_url: Option<&str>) -> ApiBuilder {
    let resources = Api::builder()
        .title("Protected notes")
        .description("Notes that belong to users, and announcements that everybody reads.")
        .contact("Support", "https://example.com/protected-notes")
        .license("MIT OR Apache-2.0", "https://spdx.org/licenses/")
        .resource::<Note>()
        .resource::<Announcement>();
    match base_url {
        Some(base_url) => resources.base_url(base_url),
        None => resources,
    }
}

/// The settings of the authorization server, also used by the commands.
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

/// The API, which accepts the server's tokens and rejects revoked ones.
async fn api(
    database: &Database,
    server: &AuthorizationServer,
    resources: ApiBuilder,
) -> Outcome<Api> {
    let issuer = server.trusted_issuer();
    let verifier = TokenVerifier::builder().issuer(issuer).build().await?;
    server.keep_current(&verifier)?;
    let api = resources
        .authorization(server.authorization(verifier).realm("notes"))
        .build(database.clone())?;
    api.create_missing_tables().await?;
    // An outdated file fails here, with the missing parts, instead of at the first request.
    api.check_schema().await?;
    Ok(api)
}

/// The pages and the authorization server with sessions; the API needs only tokens.
fn with_sessions(server: &AuthorizationServer, pages: Router, base_url: &str) -> Router {
    let sessions = pages::sessions(base_url.starts_with("https://"));
    pages.merge(server.router()).layer(sessions)
}
