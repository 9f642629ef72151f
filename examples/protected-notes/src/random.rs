//! Random texts: passwords, tokens and login ids.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::Outcome;

/// Random bytes as text that needs no escaping in a form, a cookie or a shell.
pub fn text<const BYTES: usize>() -> Outcome<String> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes)?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}
