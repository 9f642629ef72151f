//! The driver of the database that a URL names.

use std::sync::Arc;

use resource_model::error::Error;

#[cfg(feature = "postgres")]
use super::postgres::PostgresDatabase;
#[cfg(feature = "sqlite")]
use super::sqlite::SqliteDatabase;
use super::{DatabaseOptions, Driver};

/// Longer than any scheme of a database, and shorter than most secrets.
const LONGEST_SCHEME: usize = 10;

pub(super) async fn open(url: &str, options: &DatabaseOptions) -> Result<Arc<dyn Driver>, Error> {
    match url.split_once(':').map(|(scheme, _)| scheme) {
        #[cfg(feature = "postgres")]
        Some("postgres" | "postgresql") => {
            Ok(Arc::new(PostgresDatabase::open(url, options).await?))
        }
        #[cfg(feature = "sqlite")]
        Some("sqlite") => Ok(Arc::new(SqliteDatabase::open(url, options).await?)),
        _ => Err(unknown(url)),
    }
}

fn unknown(url: &str) -> Error {
    let scheme = scheme(url).unwrap_or_default();
    let sqlite = cfg!(feature = "sqlite").then_some("`sqlite://<path of a file>`");
    let postgres = cfg!(feature = "postgres").then_some("`postgres://<host>/<database>`");
    let known: Vec<&str> = sqlite.into_iter().chain(postgres).collect();
    let known = known.join(" or ");
    let feature = if scheme.starts_with("postgres") && !cfg!(feature = "postgres") {
        ", or enable the feature `postgres` of `resource-runtime`"
    } else {
        ""
    };
    let mistake = if scheme.is_empty() {
        "the URL of the database has no scheme".to_owned()
    } else {
        format!("no database answers to `{scheme}:`")
    };
    Error::configuration(format!("{mistake}; write {known}{feature}"))
}

/// What stands before `://`, where that can be nothing else: a name and a password also stand
/// before colons, and are never told.
fn scheme(url: &str) -> Option<&str> {
    let (scheme, _) = url.split_once("://")?;
    let is_letter = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || "+.-".contains(it);
    let is_scheme = scheme.len() <= LONGEST_SCHEME
        && scheme.starts_with(|it: char| it.is_ascii_lowercase())
        && scheme.chars().all(is_letter);
    is_scheme.then_some(scheme)
}

#[cfg(test)]
mod tests {
    use super::unknown;

    #[test]
    fn a_url_without_a_scheme_is_told_to_nobody() {
        for url in [
            "secret",
            "ann:secret@host/shop",
            "//ann:secret@host",
            "a-long-secret://",
        ] {
            let error = unknown(url).to_string();
            assert!(error.contains("has no scheme; write `"), "{error}");
            assert!(!error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn an_unknown_scheme_is_named() {
        let error = unknown("mysql://ann:secret@host/shop").to_string();
        assert!(
            error.starts_with("no database answers to `mysql:`;"),
            "{error}"
        );
        assert!(!error.contains("secret"), "{error}");
    }
}
