//! The mapping of claims to users, clients and scopes.

use resource_runtime::authorization::{ClaimPath, Claims, Scopes};
use serde_json::{Map, Value};

use crate::clock::moment;

/// The mapping of an issuer's claims to users, clients and scopes.
#[derive(Debug, Clone)]
pub(crate) struct Mapping {
    pub(crate) subject: ClaimPath,
    /// Claims with the client id; the first one present counts.
    pub(crate) client: Vec<ClaimPath>,
    /// Claims with scopes; all of them count.
    pub(crate) scopes: Vec<ScopeClaim>,
    /// A claim without which the token was issued by the client credentials flow, to no user.
    pub(crate) user_marker: Option<ClaimPath>,
    /// Scopes that a token may grant; `None` for all.
    pub(crate) grantable: Option<Scopes>,
    /// Prefix of subjects, so that subjects of two issuers never collide.
    pub(crate) namespace: Option<String>,
}

/// A claim with scopes, and the prefix that they get.
#[derive(Debug, Clone)]
pub(crate) struct ScopeClaim {
    path: ClaimPath,
    prefix: String,
}

impl Default for Mapping {
    fn default() -> Self {
        // `scope` is the claim of RFC 9068, `scp` that of Entra and Okta.
        let scopes = ["scope", "scp"].map(|name| ScopeClaim::new(name, ""));
        Self {
            subject: ClaimPath::from("sub"),
            // `client_id` is the claim of RFC 9068, `azp` that of OpenID Connect.
            client: ["client_id", "azp"].map(ClaimPath::from).into(),
            scopes: scopes.into(),
            user_marker: None,
            grantable: None,
            namespace: None,
        }
    }
}

impl ScopeClaim {
    pub(crate) fn new(path: impl Into<ClaimPath>, prefix: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            prefix: prefix.into(),
        }
    }

    fn scopes<'claims>(
        &'claims self,
        claims: &'claims Map<String, Value>,
    ) -> impl Iterator<Item = String> + 'claims {
        let value = self.path.find(claims);
        // Issuers use a text with spaces or an array; a claim of any other type grants nothing.
        let list = value.and_then(Value::as_str).unwrap_or_default();
        let array = value.and_then(Value::as_array).into_iter().flatten();
        let names = list.split(' ').chain(array.filter_map(Value::as_str));
        names
            .filter(|name| !name.is_empty())
            .map(|name| format!("{}{name}", self.prefix))
    }
}

impl Mapping {
    /// Maps the claims of a verified token.
    pub(crate) fn read(&self, issuer: &str, expires: i64, claims: Map<String, Value>) -> Claims {
        let text = |name: &str| ClaimPath::from(name).find_text(&claims);
        // The settings of the issuer decide which claims count, never the token.
        let client = self.client.iter().find_map(|path| path.find_text(&claims));
        let scopes = self.scopes.iter().flat_map(|claim| claim.scopes(&claims));
        let grantable = self.grantable.as_ref();
        // Filtered after the prefix is added, so that a limit names scopes as the API knows them.
        let scopes = scopes.filter(|scope| grantable.is_none_or(|all| all.contains(scope)));
        let read = Claims::new(issuer)
            .with_subject_claim(self.subject.clone())
            .with_scopes(scopes.collect::<Scopes>())
            .with_expiry(moment(expires));
        // Each fold sets an optional property.
        let subject = self.subject_of(&claims, client);
        let read = self.namespace.iter().fold(read, Claims::with_namespace);
        let read = subject.into_iter().fold(read, Claims::with_subject);
        let read = client.into_iter().fold(read, Claims::with_client_id);
        // Id and grant of the token are what a revocation names.
        let read = text("jti").into_iter().fold(read, Claims::with_token_id);
        let read = text("gid").into_iter().fold(read, Claims::with_grant_id);
        read.with_json(claims)
    }

    /// The user of a token. A client that acts on its own behalf is none, whatever its `sub`; nor is there a user
    /// without a client id, because then nothing distinguishes the two.
    fn subject_of(&self, claims: &Map<String, Value>, client: Option<&str>) -> Option<String> {
        // Without a marker in the settings, any subject may be that of a user.
        let user_marker = self.user_marker.as_ref();
        let of_user = user_marker.is_none_or(|path| path.find(claims).is_some());
        let subject = self.subject.find_text(claims).filter(|_| of_user)?;
        // The names are compared without the namespace, which is ours and not part of the token.
        if is_client(subject, client?) {
            return None;
        }
        let namespace = self.namespace.as_ref();
        Some(namespace.map_or_else(
            || subject.to_owned(),
            |namespace| format!("{namespace}:{subject}"),
        ))
    }
}

/// Prefix of `sub` in tokens that the embedded server issues to clients, so that no client is mistaken for a user.
pub const CLIENT_PREFIX: &str = "client:";

/// Tests for a subject that stands for the client: its id (RFC 9068, section 2.2), with `@clients` at Auth0, or with
/// [`CLIENT_PREFIX`] before it at the embedded server, whose users never have that prefix.
fn is_client(subject: &str, client: &str) -> bool {
    let bare = [Some(subject), subject.strip_suffix("@clients")];
    bare.contains(&Some(client)) || subject.starts_with(CLIENT_PREFIX)
}

#[cfg(test)]
mod tests;
