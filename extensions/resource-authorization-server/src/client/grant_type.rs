/// How a client may get access tokens.
///
/// ```
/// use resource_authorization_server::GrantType;
///
/// assert_eq!(GrantType::ClientCredentials.as_str(), "client_credentials");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum GrantType {
    /// On behalf of a user who consents.
    AuthorizationCode,
    /// On its own behalf.
    ClientCredentials,
    /// Again on behalf of a user, when the access token has expired.
    RefreshToken,
}

impl GrantType {
    pub(crate) const ALL: [Self; 3] = [
        Self::AuthorizationCode,
        Self::ClientCredentials,
        Self::RefreshToken,
    ];

    /// The name in requests and metadata.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AuthorizationCode => "authorization_code",
            Self::ClientCredentials => "client_credentials",
            Self::RefreshToken => "refresh_token",
        }
    }

    pub(crate) fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.as_str() == name)
    }
}
