//! The service: the API, its authorization server, and the pages for users.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use resource_authorization_server::{
    AuthorizationServer, AuthorizationServerBuilder, GrantType, NewClient,
};
use resource_browse::Browse;
use resource_oauth2::TokenVerifier;
use resource_runtime::cli::{Options, Server};
use resource_runtime::{Api, ApiBuilder, Database};

use crate::notes::{Announcement, Note, SCOPES};
use crate::people::People;
use crate::{NAME, Outcome, demonstration, from_environment, pages};

pub async fn serve(options: &Options) -> Outcome {
    // Bound first, so that a port in use ends the start before it makes a file. For port 0 the system chooses one, which
    // the base URL may need.
    let listening = Server::bind(options).await?;
    let address = listening.address();
    let base_url = match options.base_url() {
        Some(base_url) => base_url.trim_end_matches('/').to_owned(),
        // `0.0.0.0` listens on all addresses, but no client can connect to it.
        None if address.ip().is_unspecified() => {
            return Err(format!(
                "nobody can send requests to {address}; name where clients find the service, \
                 like `--base-url https://notes.example.com`"
            )
            .into());
        }
        None => format!("http://{address}"),
    };

    let database = Database::connect(options.database_url()).await?;
    let people = People::open(database.clone(), options).await?;
    let server = authorization_server(options, &database, &people, &base_url)?
        .docs_client_at(format!("{base_url}/docs"))
        .build()
        .await?;

    // The API accepts the server's tokens and rejects revoked ones.
    let issuer = server.trusted_issuer();
    let verifier = TokenVerifier::builder().issuer(issuer).build().await?;
    server.keep_current(&verifier)?;
    server.put_client(browser_client(&base_url)).await?;
    let browse = Browse::new().client_id(BROWSER_CLIENT).log_out("/");
    let api = options
        .configure(resources())
        .base_url(&base_url)
        .routes(browse.routes())
        .authorization(server.authorization(verifier).realm("notes"))
        .build(database)?;
    if !options.no_create() {
        api.create_missing_tables().await?;
    }
    // An outdated file fails here, with the missing parts, instead of at the first request.
    api.check_schema().await?;
    let shown_once = demonstration::prepare(&people, &server).await?;

    // Sessions are for the pages and the authorization server; the API needs only tokens.
    let with_sessions = pages::router(people, &base_url)
        .merge(server.router())
        .layer(pages::sessions(base_url.starts_with("https://")));
    let app = api.router().merge(with_sessions);
    print!("{shown_once}");
    listening.serve(NAME, &api, app).await?;
    Ok(())
}

/// The client as which the pages at `/browse` log users in.
const BROWSER_CLIENT: &str = "browse";

/// It runs in browsers, and therefore has no secret. A user who grants it nothing still sees what is public.
fn browser_client(base_url: &str) -> NewClient {
    NewClient::public("Data browser")
        .id(BROWSER_CLIENT)
        .redirect_uri(format!("{base_url}/browse"))
        .grant_types([GrantType::AuthorizationCode, GrantType::RefreshToken])
        .scopes(SCOPES.map(|(scope, _)| scope))
}

/// The resources of the API, without the authorization server.
pub fn resources() -> ApiBuilder {
    let resources = Api::builder()
        .title("Protected notes")
        .description("Notes that belong to users, and announcements that everybody reads.")
        .contact("Support", "https://example.com/protected-notes")
        .license("MIT OR Apache-2.0", "https://spdx.org/licenses/")
        .resource::<Note>()
        .resource::<Announcement>();
    resource_lock::show_changes(resources, include_str!("../api.lock"))
}

/// The settings of the authorization server, also used by the commands.
pub fn authorization_server(
    options: &Options,
    database: &Database,
    people: &People,
    base_url: &str,
) -> Outcome<AuthorizationServerBuilder> {
    let mut server = AuthorizationServer::builder(database.clone())
        .issuer(base_url)
        .resource(format!("{base_url}/api"))
        .resource_name("Protected notes")
        .scopes(SCOPES.map(|(scope, _)| scope))
        .resource_owner(people.clone());
    if !options.no_create() {
        server = server.create_missing_tables();
    }
    if let Some(text) = from_environment("SEALING_KEY")? {
        let decoded = URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok();
        let key = decoded.and_then(|bytes| bytes.try_into().ok());
        let key = key.ok_or(
            "`SEALING_KEY` must be 32 bytes in base64url; make one with \
             `openssl rand 32 | basenc --base64url`",
        )?;
        Ok(server.sealing_key(key))
    } else {
        eprintln!(
            "{NAME}: without SEALING_KEY whoever reads the database can make tokens; \
             set it where that matters"
        );
        Ok(server.unsealed_keys())
    }
}

#[test]
fn published_versions_are_kept() -> Result<(), resource_runtime::Error> {
    resource_lock::check(resources(), "api.lock")
}
