use resource_runtime::authorization::InvalidToken;

/// What tells an access token from the other tokens that an issuer signs.
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
    /// The type `at+jwt` and the claims of RFC 9068, which the issuer must follow.
    Strict,
    /// Also the type `JWT` and none, for issuers older than RFC 9068; ID tokens are known by
    /// their claims, and refused.
    Lenient,
}

impl TokenProfile {
    /// Refuses a token by the type in its header.
    pub(crate) fn check_type(self, kind: Option<&str>) -> Result<(), InvalidToken> {
        let kind = kind.map(str::to_ascii_lowercase);
        let permitted = match kind.as_deref() {
            Some("at+jwt" | "application/at+jwt") => true,
            Some("jwt") | None => self == Self::Lenient,
            Some(_) => false,
        };
        permitted.then_some(()).ok_or(InvalidToken::Type)
    }
}

#[cfg(test)]
mod tests {
    use super::TokenProfile::{Lenient, Strict};

    #[test]
    fn the_type_is_compared_without_case() {
        for kind in ["at+jwt", "AT+JWT", "application/at+jwt"] {
            assert!(Strict.check_type(Some(kind)).is_ok(), "{kind}");
            assert!(Lenient.check_type(Some(kind)).is_ok(), "{kind}");
        }
        for kind in [Some("JWT"), Some("jwt"), None] {
            assert!(Strict.check_type(kind).is_err(), "{kind:?}");
            assert!(Lenient.check_type(kind).is_ok(), "{kind:?}");
        }
        for kind in ["logout+jwt", "dpop+jwt", "", "id_token", "at+jwt "] {
            assert!(Lenient.check_type(Some(kind)).is_err(), "{kind}");
        }
    }
}
