//! The rules for the claims of access tokens (RFC 7519, RFC 9068).

use resource_runtime::authorization::{ClaimPath, InvalidToken};
use serde_json::{Map, Value};

/// Claims that only ID tokens have (OpenID Connect Core, sections 2 and 3.3.2.11).
const ID_TOKEN_CLAIMS: [&str; 3] = ["nonce", "at_hash", "c_hash"];

/// Claims that RFC 9068 requires, beside those whose values are checked.
const RFC_9068_CLAIMS: [&str; 3] = ["sub", "client_id", "jti"];

/// The rules that distinguish access tokens from other tokens that an issuer signs.
///
/// ```
/// use resource_oauth2::{TokenProfile, TrustedIssuer};
///
/// let issuer = TrustedIssuer::new("https://login.example.com")
///     .audience("https://api.example.com")
///     .token_profile(TokenProfile::Lenient);
/// # drop(issuer);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenProfile {
    /// The type `at+jwt` and all claims that RFC 9068 requires.
    Strict,
    /// Also the type `JWT` and none, for issuers without RFC 9068. ID tokens are detected by their claims, and
    /// refused.
    Lenient,
}

impl TokenProfile {
    /// Checks the header parameter `typ`.
    pub(crate) fn check_type(self, kind: Option<&str>) -> Result<(), InvalidToken> {
        // Media types are compared without case (RFC 7515, section 4.1.9).
        let kind = kind.map(str::to_ascii_lowercase);
        // A lenient issuer may use the general type of signed tokens, or none; any other type is of another
        // kind of token.
        let permitted = match kind.as_deref() {
            Some("at+jwt" | "application/at+jwt") => true,
            Some("jwt") | None => self == Self::Lenient,
            Some(_) => false,
        };
        permitted.then_some(()).ok_or(InvalidToken::Type)
    }
}

/// The rules for the claims of an issuer's access tokens.
#[derive(Debug, Clone)]
pub(crate) struct Rules {
    pub(crate) audience: String,
    pub(crate) profile: TokenProfile,
    pub(crate) requirement: Option<Requirement>,
    /// Allowed clock skew in seconds.
    pub(crate) leeway: i64,
}

/// A rule that only access tokens of a provider satisfy.
#[derive(Debug, Clone)]
pub(crate) enum Requirement {
    Equal(ClaimPath, &'static str),
    AnyOf([&'static str; 2]),
}

impl Rules {
    /// Checks the claims of a token with a verified signature, whose issuer was chosen by `iss`. Returns its expiry.
    pub(crate) fn check(&self, claims: &Map<String, Value>, now: i64) -> Result<i64, InvalidToken> {
        // The cheapest and most frequent reason comes first: an expired token is part of each client's life.
        let expires = self.check_times(claims, now)?;
        if !names_audience(claims.get("aud"), &self.audience) {
            return Err(InvalidToken::Claim("aud"));
        }
        // The profile decides how access tokens are told from the other tokens of the issuer.
        match self.profile {
            TokenProfile::Strict => check_rfc_9068(claims)?,
            TokenProfile::Lenient => check_no_id_token(claims)?,
        }
        // The rule of a provider comes last, and only narrows what the profile permits.
        if let Some(requirement) = &self.requirement {
            requirement.check(claims)?;
        }
        Ok(expires)
    }

    fn check_times(&self, claims: &Map<String, Value>, now: i64) -> Result<i64, InvalidToken> {
        // Without an expiry, a token that leaked would be valid for ever.
        let expires = time(claims, "exp")?.ok_or(InvalidToken::Claim("exp"))?;
        if now >= expires.saturating_add(self.leeway) {
            return Err(InvalidToken::Expired);
        }
        // The leeway covers a clock of the issuer that is ahead of this one.
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
        // Failing this rule means another kind of token, so the error is that of a wrong type.
        met.then_some(()).ok_or(InvalidToken::Type)
    }
}

fn check_rfc_9068(claims: &Map<String, Value>) -> Result<(), InvalidToken> {
    // The value was checked with the times; here it only has to be present.
    if !claims.contains_key("iat") {
        return Err(InvalidToken::Claim("iat"));
    }
    // `iss`, `exp` and `aud` have been checked by their values.
    let missing = RFC_9068_CLAIMS.into_iter().find(|name| {
        let text = claims.get(*name).and_then(Value::as_str);
        text.is_none_or(|text| text.trim().is_empty())
    });
    missing.map_or(Ok(()), |name| Err(InvalidToken::Claim(name)))
}

fn check_no_id_token(claims: &Map<String, Value>) -> Result<(), InvalidToken> {
    // One of them is enough: `nonce`, for instance, is there only if the client sent one.
    let found = ID_TOKEN_CLAIMS
        .iter()
        .any(|name| claims.contains_key(*name));
    if found {
        return Err(InvalidToken::IdToken);
    }
    // A token without `sub` has no user, which is valid; any other type of value is an error.
    match claims.get("sub") {
        None | Some(Value::String(_)) => Ok(()),
        Some(_) => Err(InvalidToken::Claim("sub")),
    }
}

/// Tests for our identifier in `aud`, which is a string or an array of strings (RFC 7519, section 4.1.3).
pub(crate) fn names_audience(claim: Option<&Value>, audience: &str) -> bool {
    match claim {
        Some(Value::String(one)) => one == audience,
        Some(Value::Array(several)) => {
            // A list with anything else is malformed, so it names nobody.
            several.iter().all(Value::is_string) && several.iter().any(|one| one == audience)
        }
        _ => false,
    }
}

/// The beginning of the year 10,000, which no calendar of ours can represent.
const END_OF_YEAR_9999: f64 = 253_402_300_800.0;

/// Parses a `NumericDate` (RFC 7519, section 2). A value that is no number, or no date, makes the token invalid:
/// ignoring it would make a token that never expires.
pub(crate) fn time(
    claims: &Map<String, Value>,
    name: &'static str,
) -> Result<Option<i64>, InvalidToken> {
    let Some(claim) = claims.get(name) else {
        return Ok(None);
    };
    // Fractions are allowed. The range also refuses times in milliseconds.
    let seconds = claim.as_f64();
    let seconds = seconds.filter(|seconds| (0.0..END_OF_YEAR_9999).contains(seconds));
    let seconds = seconds.ok_or(InvalidToken::Claim(name))?;
    #[allow(
        clippy::cast_possible_truncation,
        reason = "a fraction of a second is dropped, and what is whole is exact below 2^53"
    )]
    Ok(Some(seconds as i64))
}

#[cfg(test)]
mod tests;
