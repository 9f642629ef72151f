//! Settings that are read only from the environment, because every user of the machine can see arguments.

use std::env::{self, VarError};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use tracing_subscriber::EnvFilter;

use crate::Outcome;

/// The key that seals the signing keys of tokens.
pub fn sealing_key() -> Outcome<Option<[u8; 32]>> {
    let Some(text) = text("SEALING_KEY")? else {
        return Ok(None);
    };
    let decoded = URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok();
    let key = decoded.and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
    key.map(Some).ok_or_else(|| {
        "`SEALING_KEY` must be 32 bytes in base64url; make one with \
         `openssl rand 32 | basenc --base64url`"
            .into()
    })
}

/// The password of the first users.
pub fn demo_password() -> Outcome<Option<String>> {
    text("DEMO_PASSWORD")
}

/// The id and the secret of the client for demonstrations.
pub fn demo_client() -> Outcome<Option<(String, String)>> {
    match (text("DEMO_CLIENT_ID")?, text("DEMO_CLIENT_SECRET")?) {
        (Some(id), Some(secret)) => Ok(Some((id, secret))),
        (None, None) => Ok(None),
        _ => Err("`DEMO_CLIENT_ID` and `DEMO_CLIENT_SECRET` belong together; set both".into()),
    }
}

/// Filter of the log: warnings and errors, unless `RUST_LOG` says otherwise. Warnings of
/// `tower_sessions_core` are left out, since cookies of expired sessions are normal.
pub fn log_filter() -> EnvFilter {
    let told = text("RUST_LOG").ok().flatten();
    let filter = told.as_deref().unwrap_or("warn,tower_sessions_core=error");
    EnvFilter::builder().parse_lossy(filter)
}

/// The value of a variable; an empty one counts as not set.
fn text(name: &str) -> Outcome<Option<String>> {
    match env::var(name) {
        Ok(text) => Ok(Some(text).filter(|text| !text.is_empty())),
        Err(VarError::NotPresent) => Ok(None),
        Err(VarError::NotUnicode(_)) => Err(format!("`{name}` is not UTF-8").into()),
    }
}
