use serde_json::{Map, Value};

use crate::authorization::{ClaimPath, Claims, Scopes};

/// Which claims of an issuer's tokens mean what.
#[derive(Debug, Clone)]
pub(in crate::oauth2) struct Mapping {
    pub(in crate::oauth2) subject: ClaimPath,
    /// The first that a token has.
    pub(in crate::oauth2) client: Vec<ClaimPath>,
    /// All that a token has, together.
    pub(in crate::oauth2) scopes: Vec<ScopeClaim>,
    /// A token without this claim was issued to a client on its own behalf.
    pub(in crate::oauth2) of_users: Option<ClaimPath>,
    /// The scopes that a token may grant; all where nothing is said.
    pub(in crate::oauth2) grantable: Option<Scopes>,
    /// Put before a subject, so that two issuers can never mean the same one.
    pub(in crate::oauth2) namespace: Option<String>,
}

#[derive(Debug, Clone)]
pub(in crate::oauth2) struct ScopeClaim {
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
    pub(in crate::oauth2) fn new(path: impl Into<ClaimPath>, prefix: impl Into<String>) -> Self {
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
    pub(in crate::oauth2) fn read(
        &self,
        issuer: &str,
        expires: i64,
        claims: Map<String, Value>,
    ) -> Claims {
        let text = |name: &str| ClaimPath::from(name).find_text(&claims).map(str::to_owned);
        let client = self.client.iter().find_map(|path| path.find_text(&claims));
        let scopes = self.scopes.iter().flat_map(|claim| claim.scopes(&claims));
        let scopes = scopes.filter(|scope| self.may_grant(scope));
        Claims {
            issuer: issuer.to_owned(),
            subject: self.subject_of(&claims, client),
            subject_claim: Some(self.subject.clone()),
            namespace: self.namespace.clone(),
            client_id: client.map(str::to_owned),
            scopes: scopes.collect::<Scopes>(),
            expires,
            token_id: text("jti"),
            grant_id: text("gid"),
            json: claims,
        }
    }

    fn may_grant(&self, scope: &str) -> bool {
        let grantable = self.grantable.as_ref();
        grantable.is_none_or(|grantable| grantable.contains(scope))
    }

    /// The user; a client that acts on its own behalf has none, whatever its token calls it. Nor is
    /// there one where no client is named: then nothing tells a user from a client.
    fn subject_of(&self, claims: &Map<String, Value>, client: Option<&str>) -> Option<String> {
        let of_user = self
            .of_users
            .as_ref()
            .is_none_or(|path| path.find(claims).is_some());
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
