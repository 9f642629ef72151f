use resource_runtime::authorization::{ClaimPath, Claims, Scopes};
use serde_json::{Map, Value};

use crate::clock::moment;

/// Which claims of an issuer's tokens mean what.
#[derive(Debug, Clone)]
pub(crate) struct Mapping {
    pub(crate) subject: ClaimPath,
    /// The first that a token has.
    pub(crate) client: Vec<ClaimPath>,
    /// All that a token has, together.
    pub(crate) scopes: Vec<ScopeClaim>,
    /// A token without this claim was issued to a client on its own behalf.
    pub(crate) of_users: Option<ClaimPath>,
    /// The scopes that a token may grant; all where nothing is said.
    pub(crate) grantable: Option<Scopes>,
    /// Put before a subject, so that two issuers can never mean the same one.
    pub(crate) namespace: Option<String>,
}

#[derive(Debug, Clone)]
pub(crate) struct ScopeClaim {
    path: ClaimPath,
    prefix: String,
}

impl Default for Mapping {
    fn default() -> Self {
        let scopes = ["scope", "scp"].map(|name| ScopeClaim::new(name, ""));
        Self {
            subject: ClaimPath::from("sub"),
            client: ["client_id", "azp"].map(ClaimPath::from).into(),
            scopes: scopes.into(),
            of_users: None,
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
        let list = value.and_then(Value::as_str).unwrap_or_default();
        let array = value.and_then(Value::as_array).into_iter().flatten();
        let names = list.split(' ').chain(array.filter_map(Value::as_str));
        names
            .filter(|name| !name.is_empty())
            .map(|name| format!("{}{name}", self.prefix))
    }
}

impl Mapping {
    /// What the claims of a verified token say.
    pub(crate) fn read(&self, issuer: &str, expires: i64, claims: Map<String, Value>) -> Claims {
        let text = |name: &str| ClaimPath::from(name).find_text(&claims);
        let client = self.client.iter().find_map(|path| path.find_text(&claims));
        let scopes = self.scopes.iter().flat_map(|claim| claim.scopes(&claims));
        let grantable = self.grantable.as_ref();
        let scopes = scopes.filter(|scope| grantable.is_none_or(|all| all.contains(scope)));
        let read = Claims::new(issuer)
            .with_subject_claim(self.subject.clone())
            .with_scopes(scopes.collect::<Scopes>())
            .with_expiry(moment(expires));
        // Each of these is set where there is one.
        let subject = self.subject_of(&claims, client);
        let read = self.namespace.iter().fold(read, Claims::with_namespace);
        let read = subject.into_iter().fold(read, Claims::with_subject);
        let read = client.into_iter().fold(read, Claims::with_client_id);
        let read = text("jti").into_iter().fold(read, Claims::with_token_id);
        let read = text("gid").into_iter().fold(read, Claims::with_grant_id);
        read.with_json(claims)
    }

    /// The user; a client that acts on its own behalf has none, whatever its token calls it. Nor is
    /// there one where no client is named: then nothing tells a user from a client.
    fn subject_of(&self, claims: &Map<String, Value>, client: Option<&str>) -> Option<String> {
        let of_users = self.of_users.as_ref();
        let of_user = of_users.is_none_or(|path| path.find(claims).is_some());
        let subject = self.subject.find_text(claims).filter(|_| of_user)?;
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

/// The subjects that authorization servers give to clients: their id (RFC 9068, section 2.2),
/// Auth0 with `@clients` after it. Those of ours begin with `client:`, and no user's does.
fn is_client(subject: &str, client: &str) -> bool {
    let bare = [Some(subject), subject.strip_suffix("@clients")];
    bare.contains(&Some(client)) || subject.starts_with("client:")
}

#[cfg(test)]
mod tests;
