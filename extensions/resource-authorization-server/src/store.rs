//! Rows of the server in the database of the API. Moments are seconds since 1970; codes, tokens
//! and client secrets are stored as digests. Keys are texts that this server assigns (`assigned`),
//! never the database.

use resource_runtime::authorization::Scopes;
use resource_runtime::{Api, ApiBuilder, ApiResource, Error, FieldValue, Isolation, Transaction};

/// The limit of a query for all rows: only small tables, and few rows of others, are read as a whole.
pub(super) const NO_LIMIT: u64 = u64::MAX;

/// Steps in one transaction, which may be repeated as a whole.
pub(super) trait TransactionScript: Sync {
    /// The result of the steps.
    type Outcome: Send;

    /// By default the steps lock the rows that they read, so they need no snapshot of the whole transaction.
    const ISOLATION: Isolation = Isolation::ReadCommitted;

    /// Executes the steps; an error rolls them back.
    fn run(
        &self,
        transaction: &mut Transaction,
    ) -> impl Future<Output = Result<Self::Outcome, Error>> + Send;
}

/// Runs a script in a transaction.
pub(super) async fn perform<S: TransactionScript>(
    api: &Api,
    script: &S,
) -> Result<S::Outcome, Error> {
    let steps = |mut transaction| async {
        let outcome = script.run(&mut transaction).await?;
        transaction.commit(outcome).await
    };
    api.transaction_at(S::ISOLATION, steps).await
}

/// The tables as an API that is never served: it creates and checks them and writes their SQL.
pub(super) fn tables() -> ApiBuilder {
    Api::builder()
        .table::<ClientRow>()
        .table::<KeyRow>()
        .table::<RequestRow>()
        .table::<CodeRow>()
        .table::<GrantRow>()
        .table::<RefreshRow>()
        .table::<RevokedTokenRow>()
}

/// Words in one column, separated by spaces: scopes, grant types, redirect URIs. No word contains a
/// space.
#[derive(Debug, Clone, Default, PartialEq, Eq, FieldValue)]
pub(crate) struct SpaceSeparated(String);

impl SpaceSeparated {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        // Splitting an empty column yields one empty word.
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

/// Kind of a client: with a secret or without.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FieldValue)]
#[resource(rename_all = "snake_case")]
pub(crate) enum ClientKind {
    Confidential,
    Public,
}

/// A registered client.
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

/// A signing key. Its state follows from `active_from` of all keys.
#[derive(Clone, ApiResource)]
#[resource(name = "OauthKey", url = "/oauth_key", version = "1.0")]
pub(crate) struct KeyRow {
    #[resource(primary_key, assigned)]
    pub(crate) kid: String,
    pub(crate) algorithm: String,
    pub(crate) private_key: Vec<u8>,
    pub(crate) is_sealed: bool,
    /// The public key (RFC 7517), for instances without a sealing key; one with a sealing key trusts only what it
    /// computes from the private key.
    pub(crate) public_jwk: String,
    pub(crate) active_from: i64,
    pub(crate) created_at: i64,
}

/// A pending authorization request.
#[derive(Clone, ApiResource)]
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
    /// Key of the CSRF tokens of consent forms; empty until a user is logged in.
    pub(crate) consent_key: Vec<u8>,
    #[resource(index)]
    pub(crate) expires_at: i64,
}

/// An authorization code, bound to a client, a redirect URI and a PKCE challenge.
#[derive(Clone, ApiResource)]
#[resource(name = "OauthCode", url = "/oauth_code", version = "1.0")]
pub(crate) struct CodeRow {
    #[resource(primary_key, assigned)]
    pub(crate) code_hash: String,
    /// The grant that its redemption creates.
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
    /// End of the code, or of its grant once the code is redeemed: a replay is detected for as long as its grant
    /// may live. The sweep keeps the row for `MAX_TOKEN_AGE` longer.
    #[resource(index)]
    pub(crate) kept_until: i64,
    pub(crate) used_at: Option<i64>,
}

/// A grant: the consent of a user, from which the client's refresh and access tokens for this user stem.
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

/// A refresh token.
#[derive(Clone, ApiResource)]
#[resource(name = "OauthRefresh", url = "/oauth_refresh", version = "1.0")]
pub(crate) struct RefreshRow {
    #[resource(primary_key, assigned)]
    pub(crate) token_hash: String,
    #[resource(index)]
    pub(crate) grant_id: String,
    pub(crate) client_id: String,
    /// The token that this one was issued for, or the sibling of that token which was used first:
    /// all tokens of a generation have the same parent.
    #[resource(index)]
    pub(crate) parent_hash: Option<String>,
    pub(crate) issued_at: i64,
    #[resource(index)]
    pub(crate) expires_at: i64,
    pub(crate) used_at: Option<i64>,
}

/// A single access token that was revoked.
#[derive(Clone, ApiResource)]
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
