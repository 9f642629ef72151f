//! The subjects `open` and `guarded`: the same service without authorization, and with it.

use axum::Router;
use resource_authorization_server::{AuthorizationServer, NewClient};
use resource_oauth2::{Authorization, TokenVerifier};
use resource_runtime::{Api, Database, Durability};

use super::host::Nobody;
use super::models::Setting;
use crate::Outcome;

const SCOPES: [&str; 2] = ["settings.read", "settings.write"];

pub(super) async fn open(url: &str) -> Outcome<Router> {
    let database = connect(url).await?;
    let api = Api::builder()
        .resource::<Setting>()
        .unprotected()
        .build(database)?;
    api.create_missing_tables().await?;
    Ok(api.router())
}

/// The guarded service, and the credentials of a client by their names.
pub(super) async fn guarded(
    url: &str,
    address: &str,
) -> Outcome<(Router, Vec<(&'static str, String)>)> {
    let database = connect(url).await?;
    let base = format!("http://{address}");
    let server = AuthorizationServer::builder(database.clone())
        .issuer(base.clone())
        .resource(format!("{base}/api"))
        .scopes(SCOPES)
        .resource_owner(Nobody)
        .unsealed_keys()
        .create_missing_tables()
        .build()
        .await?;
    let verifier = TokenVerifier::builder().issuer(server.trusted_issuer());
    let verifier = verifier.build().await?;
    server.keep_current(&verifier)?;
    let client = NewClient::confidential("Benchmark").scopes(SCOPES);
    let client = server.add_client(client).await?;
    let api = Api::builder()
        .resource::<Setting>()
        .authorization(Authorization::new(verifier))
        .base_url(&base)
        .build(database)?;
    api.create_missing_tables().await?;
    let secret = client.secret().ok_or("the client has no secret")?;
    let introduction = vec![
        ("client", client.id().to_owned()),
        ("secret", secret.to_owned()),
    ];
    Ok((api.router().merge(server.router()), introduction))
}

async fn connect(url: &str) -> Outcome<Database> {
    let options = Database::options().durability(Durability::ProcessCrash);
    Ok(options.connect(url).await?)
}
