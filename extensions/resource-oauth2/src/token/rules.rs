use resource_runtime::authorization::{ClaimPath, InvalidToken};
use serde_json::{Map, Value};

use super::TokenProfile;

/// Claims that only ID tokens have (OpenID Connect Core, sections 2 and 3.3.2.11).
const OF_ID_TOKENS: [&str; 3] = ["nonce", "at_hash", "c_hash"];

/// Claims that RFC 9068 requires beside those that are checked by their values.
const OF_ACCESS_TOKENS: [&str; 3] = ["sub", "client_id", "jti"];

/// What must be true of the claims of an issuer's tokens.
#[derive(Debug, Clone)]
pub(crate) struct Rules {
    pub(crate) audience: String,
    pub(crate) profile: TokenProfile,
    pub(crate) requirement: Option<Requirement>,
    /// By how many seconds the clocks may differ.
    pub(crate) leeway: i64,
}

/// What a provider's access tokens have and its other tokens have not.
#[derive(Debug, Clone)]
pub(crate) enum Requirement {
    Equal(ClaimPath, &'static str),
    AnyOf([&'static str; 2]),
}

impl Rules {
    /// Checks claims whose signature is verified, and whose issuer was chosen by `iss`; answers
    /// when the token expires.
    pub(crate) fn check(&self, claims: &Map<String, Value>, now: i64) -> Result<i64, InvalidToken> {
        let expires = self.check_times(claims, now)?;
        if !names_audience(claims.get("aud"), &self.audience) {
            return Err(InvalidToken::Claim("aud"));
        }
        match self.profile {
            TokenProfile::Strict => check_required(claims)?,
            TokenProfile::Lenient => check_no_id_token(claims)?,
        }
        if let Some(requirement) = &self.requirement {
            requirement.check(claims)?;
        }
        Ok(expires)
    }

    fn check_times(&self, claims: &Map<String, Value>, now: i64) -> Result<i64, InvalidToken> {
        let expires = time(claims, "exp")?.ok_or(InvalidToken::Claim("exp"))?;
        if now >= expires.saturating_add(self.leeway) {
            return Err(InvalidToken::Expired);
        }
        let latest = now.saturating_add(self.leeway);
        if time(claims, "nbf")?.is_some_and(|not_before| not_before > latest) {
            return Err(InvalidToken::NotYetValid);
        }
        if time(claims, "iat")?.is_some_and(|issued| issued > latest) {
            return Err(InvalidToken::IssuedInFuture);
        }
        Ok(expires)
    }
}

impl Requirement {
    fn check(&self, claims: &Map<String, Value>) -> Result<(), InvalidToken> {
        let met = match self {
            Self::Equal(path, value) => path.find_text(claims) == Some(*value),
            Self::AnyOf(names) => names.iter().any(|name| claims.contains_key(*name)),
        };
        met.then_some(()).ok_or(InvalidToken::Type)
    }
}

fn check_required(claims: &Map<String, Value>) -> Result<(), InvalidToken> {
    if !claims.contains_key("iat") {
        return Err(InvalidToken::Claim("iat"));
    }
    let missing = OF_ACCESS_TOKENS.into_iter().find(|name| {
        let text = claims.get(*name).and_then(Value::as_str);
        text.is_none_or(|text| text.trim().is_empty())
    });
    missing.map_or(Ok(()), |name| Err(InvalidToken::Claim(name)))
}

fn check_no_id_token(claims: &Map<String, Value>) -> Result<(), InvalidToken> {
    let found = OF_ID_TOKENS.iter().any(|name| claims.contains_key(*name));
    if found {
        return Err(InvalidToken::IdToken);
    }
    // Without it a token has no owner; one without an owner is told apart by its absence.
    match claims.get("sub") {
        None | Some(Value::String(_)) => Ok(()),
        Some(_) => Err(InvalidToken::Claim("sub")),
    }
}

/// Whether `aud` is our identifier or a list with it (RFC 7519, section 4.1.3).
pub(crate) fn names_audience(claim: Option<&Value>, audience: &str) -> bool {
    match claim {
        Some(Value::String(one)) => one == audience,
        Some(Value::Array(several)) => {
            several.iter().all(Value::is_string) && several.iter().any(|one| one == audience)
        }
        _ => false,
    }
}

/// Where the year 10,000 begins: from there on no calendar of ours has a date.
const TOO_FAR: f64 = 253_402_300_800.0;

/// A moment in seconds since 1970 (RFC 7519, section 2). One that is no number makes the token
/// invalid, and so does a number that is no moment: nobody means a token that never expires.
pub(crate) fn time(
    claims: &Map<String, Value>,
    name: &'static str,
) -> Result<Option<i64>, InvalidToken> {
    let Some(claim) = claims.get(name) else {
        return Ok(None);
    };
    let seconds = claim.as_f64();
    let seconds = seconds.filter(|seconds| (0.0..TOO_FAR).contains(seconds));
    let seconds = seconds.ok_or(InvalidToken::Claim(name))?;
    #[allow(
        clippy::cast_possible_truncation,
        reason = "a fraction of a second is dropped, and what is whole is exact below 2^53"
    )]
    Ok(Some(seconds as i64))
}

#[cfg(test)]
mod tests;
