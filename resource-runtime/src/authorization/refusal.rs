//! The refusal of a request by its credentials, and the reasons for which a token is not valid.

use std::fmt;

use axum::http::StatusCode;
use resource_model::error::ErrorCode;

use super::Scopes;

/// The reason for which a request is not let through.
///
/// ```
/// use resource_runtime::authorization::{InvalidToken, Refusal};
///
/// let refusal = Refusal::InvalidToken(InvalidToken::Expired);
/// assert_eq!(refusal.status(), 401);
/// assert_eq!(refusal.error_code(), 12100);
/// // The text for the client does not reveal the reason.
/// assert_eq!(refusal.to_string(), "token is invalid, expired or revoked");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// A request without an access token.
    MissingToken,
    /// A header `Authorization` that cannot be read, or was sent more than once.
    MalformedHeader,
    /// An access token that is not valid.
    InvalidToken(InvalidToken),
    /// A valid access token that lacks these scopes.
    InsufficientScope(Scopes),
    /// An access token that cannot be checked for now.
    Unavailable,
}

impl Refusal {
    /// The status of the response.
    #[must_use]
    pub const fn status(&self) -> StatusCode {
        self.code().status()
    }

    /// The `error_code` of the response.
    #[must_use]
    pub const fn error_code(&self) -> u16 {
        self.code().number()
    }

    pub(crate) const fn code(&self) -> ErrorCode {
        match self {
            // Both are a 401, because a new token helps in either case.
            Self::MissingToken | Self::InvalidToken(_) => ErrorCode::NoValidToken,
            Self::MalformedHeader => ErrorCode::MalformedAuthorization,
            Self::InsufficientScope(_) => ErrorCode::InsufficientScope,
            Self::Unavailable => ErrorCode::Unavailable,
        }
    }
}

impl From<InvalidToken> for Refusal {
    fn from(invalid: InvalidToken) -> Self {
        Self::InvalidToken(invalid)
    }
}

/// The text for the client. It also stands in `error_description` of a challenge, so it has printable ASCII
/// alone, without quotes and backslashes.
impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The list is empty where no scope would help, as for an operation that nobody may use.
        if let Self::InsufficientScope(scopes) = self
            && !scopes.is_empty()
        {
            return write!(formatter, "the access token lacks {}", scopes.listed());
        }
        formatter.write_str(match self {
            Self::MissingToken => "an access token is required; send it as `Authorization: Bearer`",
            Self::MalformedHeader => "send one header Authorization, as Bearer and an access token",
            Self::InvalidToken(_) => "token is invalid, expired or revoked",
            Self::InsufficientScope(_) => "the access token does not permit this",
            Self::Unavailable => "access tokens cannot be checked now; try again later",
        })
    }
}

impl std::error::Error for Refusal {}

/// The reason for which a token is not valid: a text for the log.
///
/// Clients get the same text for all of these, so that no response reveals how far a forged token
/// came. None of the texts quotes the token.
///
/// ```
/// use resource_runtime::authorization::InvalidToken;
///
/// assert_eq!(InvalidToken::Expired.to_string(), "it is expired");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidToken {
    /// A token longer than 8 KiB.
    TooLong,
    /// No signed token whose parts can be read.
    Unreadable,
    /// An issuer that is not trusted.
    UntrustedIssuer,
    /// A header that demands something of its readers (`crit`, `b64`).
    CriticalHeader,
    /// A type other than that of an access token.
    Type,
    /// An algorithm that is not permitted, or not the one of the key.
    Algorithm,
    /// No key of the issuer, or no key named where several could be meant.
    UnknownKey,
    /// A signature that is not the issuer's.
    Signature,
    /// A claim that is missing, is not of its type, or is not what it must be.
    Claim(&'static str),
    /// A token whose time is over.
    Expired,
    /// A token whose time has not come.
    NotYetValid,
    /// A token that was issued in the future, as it says.
    IssuedInFuture,
    /// An ID token of OpenID Connect, which shows a client who signed in, and permits nothing.
    IdToken,
    /// A token that is not active, as its issuer says when asked.
    Inactive,
    /// A token that was revoked before its time was over.
    Revoked,
}

impl fmt::Display for InvalidToken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            // Only a claim has a text with a part of its own, which is a name of this crate and never a text
            // of the token.
            Self::Claim(name) => {
                return write!(formatter, "its claim `{name}` is missing or not acceptable");
            }
            Self::TooLong => "it is longer than 8 KiB",
            Self::Unreadable => "it cannot be read as a signed token",
            Self::UntrustedIssuer => "its issuer is not trusted",
            Self::CriticalHeader => "its header demands an extension",
            Self::Type => "its type is not that of an access token",
            Self::Algorithm => "its algorithm is not permitted",
            Self::UnknownKey => "its key is not known",
            Self::Signature => "its signature does not verify",
            Self::Expired => "it is expired",
            Self::NotYetValid => "it is not valid yet",
            Self::IssuedInFuture => "it was issued in the future",
            Self::IdToken => "it is an ID token",
            Self::Inactive => "its issuer says that it is not active",
            Self::Revoked => "it was revoked",
        };
        formatter.write_str(text)
    }
}

impl std::error::Error for InvalidToken {}
