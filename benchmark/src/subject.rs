//! The services that are measured.

use std::path::Path;

use axum::Router;
use clap::ValueEnum;
use resource_runtime::oauth2::server::{AuthorizationServer, NewClient};
use resource_runtime::oauth2::{Authorization, TokenVerifier};
use resource_runtime::{Api, Database, Durability};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use crate::Outcome;
use crate::host::Nobody;
use crate::models::Setting;
use crate::service::Service;

const SCOPES: [&str; 2] = ["settings.read", "settings.write"];

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Subject {
    /// Everybody may do everything.
    Open,
    /// Callers need an access token.
    Guarded,
}

impl Subject {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Guarded => "guarded",
        }
    }
}

/// Serves until the process is killed.
pub(crate) fn serve(subject: Subject, folder: &Path) -> Outcome {
    Runtime::new()?.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?.to_string();
        let file = folder.join(subject.name()).with_extension("db");
        let options = Database::options().durability(Durability::ProcessCrash);
        let database = options
            .connect(&format!("sqlite://{}", file.display()))
            .await?;
        let (router, mut introduction) = match subject {
            Subject::Open => open(database).await?,
            Subject::Guarded => guarded(database, &address).await?,
        };
        if let Some(introduction) = introduction.as_object_mut() {
            introduction.insert("address".to_owned(), Value::from(address));
        }
        Service::introduce(&introduction)?;
        Ok(resource_runtime::serve(listener, router).await?)
    })
}

async fn open(database: Database) -> Outcome<(Router, Value)> {
    let api = Api::builder().resource::<Setting>().build(database)?;
    api.create_missing_tables().await?;
    Ok((api.router(), json!({})))
}

async fn guarded(database: Database, address: &str) -> Outcome<(Router, Value)> {
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
    let introduction = json!({ "client": client.id(), "secret": client.secret() });
    Ok((api.router().merge(server.router()), introduction))
}
