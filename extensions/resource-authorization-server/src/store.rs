//! The rows of the server in the API's own database. Moments are seconds since 1970; of secrets there are digests alone.

use resource_runtime::authorization::Scopes;
use resource_runtime::{Api, ApiBuilder, ApiResource, FieldValue};

/// The tables as an API that is never served: it makes, tells and checks them.
pub(super) fn tables() -> ApiBuilder {
    Api::builder()
        .resource::<ClientRow>()
        .resource::<KeyRow>()
        .resource::<RequestRow>()
        .resource::<CodeRow>()
        .resource::<GrantRow>()
        .resource::<RefreshRow>()
        .resource::<RevokedTokenRow>()
}

/// Words in one column, a space between each two: scopes, grant types, redirect URIs. None of them
/// may hold a space.
#[derive(Debug, Clone, Default, PartialEq, Eq, FieldValue)]
pub(crate) struct SpaceSeparated(String);

impl SpaceSeparated {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.split(' ').filter(|word| !word.is_empty())
    }

    pub(crate) fn contains(&self, word: &str) -> bool {
        self.iter().any(|own| own == word)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn scopes(&self) -> Scopes {
        self.iter().collect()
    }
}

impl<Word: AsRef<str>> FromIterator<Word> for SpaceSeparated {
    fn from_iter<I: IntoIterator<Item = Word>>(words: I) -> Self {
        let words = words.into_iter().map(|word| word.as_ref().to_owned());
        Self(words.collect::<Vec<String>>().join(" "))
    }
}

impl From<&Scopes> for SpaceSeparated {
    fn from(scopes: &Scopes) -> Self {
        scopes.iter().collect()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, FieldValue)]
#[resource(rename_all = "snake_case")]
pub(crate) enum ClientKind {
    Confidential,
    Public,
}

#[derive(Clone, ApiResource)]
#[resource(name = "OauthClient", url = "/oauth_client", version = "1.0")]
pub(crate) struct ClientRow {
    #[resource(assigned)]
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) kind: ClientKind,
    pub(crate) secret_hash: Option<String>,
    pub(crate) redirect_uris: SpaceSeparated,
    pub(crate) grant_types: SpaceSeparated,
    pub(crate) scopes: SpaceSeparated,
    pub(crate) default_scopes: SpaceSeparated,
    pub(crate) can_introspect: bool,
    pub(crate) is_resource_server: bool,
    #[resource(index)]
    pub(crate) disabled_at: Option<i64>,
    pub(crate) created_at: i64,
}

/// What a key is at a moment follows from `active_from` of all keys.
#[derive(ApiResource)]
#[resource(name = "OauthKey", url = "/oauth_key", version = "1.0")]
pub(crate) struct KeyRow {
    #[resource(primary_key, assigned)]
    pub(crate) kid: String,
    pub(crate) algorithm: String,
    pub(crate) private_key: Vec<u8>,
    pub(crate) is_sealed: bool,
    /// For those who cannot open the private key (RFC 7517).
    pub(crate) public_jwk: String,
    pub(crate) active_from: i64,
    pub(crate) created_at: i64,
}

/// What a client asked for, while its user logs in and consents.
#[derive(ApiResource)]
#[resource(name = "OauthRequest", url = "/oauth_auth_request", version = "1.0")]
pub(crate) struct RequestRow {
    #[resource(primary_key, assigned)]
    pub(crate) id_hash: String,
    pub(crate) client_id: String,
    pub(crate) redirect_uri: String,
    pub(crate) scope: SpaceSeparated,
    pub(crate) state: Option<String>,
    pub(crate) resource: String,
    pub(crate) challenge: String,
    /// What the token against forged consent is made with; empty until somebody is logged in who
    /// can be asked.
    pub(crate) consent_key: Vec<u8>,
    #[resource(index)]
    pub(crate) expires_at: i64,
}

#[derive(ApiResource)]
#[resource(name = "OauthCode", url = "/oauth_code", version = "1.0")]
pub(crate) struct CodeRow {
    #[resource(primary_key, assigned)]
    pub(crate) code_hash: String,
    /// The grant that its redemption makes.
    pub(crate) grant_id: String,
    pub(crate) client_id: String,
    #[resource(index)]
    pub(crate) subject: String,
    pub(crate) redirect_uri: String,
    pub(crate) scope: SpaceSeparated,
    pub(crate) resource: String,
    pub(crate) challenge: String,
    pub(crate) auth_time: i64,
    pub(crate) expires_at: i64,
    /// As long as what it became may live, a second use of it is noticed.
    #[resource(index)]
    pub(crate) kept_until: i64,
    pub(crate) used_at: Option<i64>,
}

/// What a user let a client do.
#[derive(Clone, ApiResource)]
#[resource(name = "OauthGrant", url = "/oauth_grant", version = "1.0")]
pub(crate) struct GrantRow {
    #[resource(assigned)]
    pub(crate) id: String,
    #[resource(index)]
    pub(crate) client_id: String,
    #[resource(index)]
    pub(crate) subject: String,
    pub(crate) scope: SpaceSeparated,
    pub(crate) resource: String,
    pub(crate) auth_time: i64,
    pub(crate) created_at: i64,
    #[resource(index)]
    pub(crate) expires_at: i64,
    #[resource(index)]
    pub(crate) revoked_at: Option<i64>,
    pub(crate) revoke_reason: Option<String>,
}

#[derive(ApiResource)]
#[resource(name = "OauthRefresh", url = "/oauth_refresh", version = "1.0")]
pub(crate) struct RefreshRow {
    #[resource(primary_key, assigned)]
    pub(crate) token_hash: String,
    #[resource(index)]
    pub(crate) grant_id: String,
    pub(crate) client_id: String,
    /// The token in exchange for which this one was issued, or the sibling of that one that was
    /// used first: all of a generation have the same.
    #[resource(index)]
    pub(crate) parent_hash: Option<String>,
    pub(crate) issued_at: i64,
    #[resource(index)]
    pub(crate) expires_at: i64,
    pub(crate) used_at: Option<i64>,
}

#[derive(ApiResource)]
#[resource(
    name = "OauthRevokedToken",
    url = "/oauth_revoked_jti",
    version = "1.0"
)]
pub(crate) struct RevokedTokenRow {
    #[resource(primary_key, assigned)]
    pub(crate) jti: String,
    #[resource(index)]
    pub(crate) expires_at: i64,
}
