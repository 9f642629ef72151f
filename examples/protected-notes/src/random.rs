//! Random texts: passwords, tokens and numbers of logins.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::Outcome;

/// Random bytes as text that a form, a cookie and a shell leave as it is.
pub fn text<const BYTES: usize>() -> Outcome<String> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes)?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}
