use std::fmt;

use axum::http::StatusCode;
use resource_model::error::ErrorCode;

use super::{InvalidToken, Scopes};

/// Why a request is not let through.
///
/// ```
/// use resource_runtime::authorization::{InvalidToken, Refusal};
///
/// let refusal = Refusal::InvalidToken(InvalidToken::Expired);
/// assert_eq!(refusal.status(), 401);
/// assert_eq!(refusal.error_code(), 12100);
/// // What the client is told does not tell why.
/// assert_eq!(refusal.to_string(), "token is invalid, expired or revoked");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// No access token came with it.
    MissingToken,
    /// Its header `Authorization` cannot be read, or was sent more than once.
    MalformedHeader,
    /// Its access token is not valid.
    InvalidToken(InvalidToken),
    /// Its access token is valid, and lacks these scopes.
    InsufficientScope(Scopes),
    /// Nobody can tell now whether its access token is valid.
    Unavailable,
}

impl Refusal {
    /// The status of the answer.
    #[must_use]
    pub const fn status(&self) -> StatusCode {
        match self {
            Self::MissingToken | Self::InvalidToken(_) => StatusCode::UNAUTHORIZED,
            Self::MalformedHeader => StatusCode::BAD_REQUEST,
            Self::InsufficientScope(_) => StatusCode::FORBIDDEN,
            Self::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    /// The `error_code` of the answer.
    #[must_use]
    pub const fn error_code(&self) -> u16 {
        self.code().number()
    }

    pub(crate) const fn code(&self) -> ErrorCode {
        match self {
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

/// What the client is told. These texts also stand in `error_description` of a challenge, whose
/// characters are few.
impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
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
