use super::DatabaseOptions;
#[cfg(feature = "postgres")]
use super::postgres::PostgresDatabase;
#[cfg(feature = "sqlite")]
use super::sqlite::SqliteDatabase;
use crate::error::Error;

/// Whichever database a URL names.
#[derive(Debug, Clone)]
pub(super) enum Backend {
    #[cfg(feature = "postgres")]
    Postgres(PostgresDatabase),
    #[cfg(feature = "sqlite")]
    Sqlite(SqliteDatabase),
}

impl Backend {
    pub(super) async fn open(url: &str, options: &DatabaseOptions) -> Result<Self, Error> {
        match url.split_once(':').map(|(scheme, _)| scheme) {
            #[cfg(feature = "postgres")]
            Some("postgres" | "postgresql") => PostgresDatabase::open(url, options)
                .await
                .map(Self::Postgres),
            #[cfg(feature = "sqlite")]
            Some("sqlite") => SqliteDatabase::open(url, options).await.map(Self::Sqlite),
            _ => Err(unknown(url)),
        }
    }
}

fn unknown(url: &str) -> Error {
    let scheme = url.split(':').next().unwrap_or_default();
    let sqlite = cfg!(feature = "sqlite").then_some("`sqlite://<path of a file>`");
    let postgres = cfg!(feature = "postgres").then_some("`postgres://<host>/<database>`");
    let known: Vec<&str> = sqlite.into_iter().chain(postgres).collect();
    let known = known.join(" or ");
    let feature = if scheme.starts_with("postgres") {
        ", or enable the feature `postgres` of `resource-runtime`"
    } else {
        ""
    };
    Error::new(format!(
        "no database answers to `{scheme}:`; write {known}{feature}"
    ))
}
