use std::borrow::Cow;
use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value};

use super::{ClaimPath, Scopes};
use crate::authorization::Principal;
use crate::schema::Kind;

/// A claim that is there, and of a kind that says whom nothing belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct UnfitClaim;

/// What an access token says, once it was found valid.
///
/// ```
/// use resource_runtime::oauth2::Claims;
///
/// /// Whether the token lets its bearer read settings.
/// fn may_read(claims: &Claims) -> bool {
///     claims.scopes().contains("settings.read")
/// }
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Claims {
    pub(crate) issuer: String,
    pub(crate) subject: Option<String>,
    /// Where the issuer has the subject.
    pub(crate) subject_claim: Option<ClaimPath>,
    /// What stands before the subject, and before whatever else names a user.
    pub(crate) namespace: Option<String>,
    pub(crate) client_id: Option<String>,
    pub(crate) scopes: Scopes,
    pub(crate) expires: i64,
    pub(crate) token_id: Option<String>,
    pub(crate) grant_id: Option<String>,
    pub(crate) json: Map<String, Value>,
}

impl Claims {
    /// Those of a user, for the tests of other stages.
    #[cfg(test)]
    pub(crate) fn of_user(subject: &str, scopes: &str) -> Self {
        Self {
            subject: Some(subject.to_owned()),
            scopes: scopes.split(' ').collect(),
            ..Self::default()
        }
    }

    /// Who issued the token.
    #[must_use]
    pub fn issuer(&self) -> &str {
        &self.issuer
    }

    /// The user on whose behalf the token is used, as the
    /// [subject claim](crate::oauth2::TrustedIssuer::subject_claim) tells; `None` for a client
    /// that acts on its own behalf.
    #[must_use]
    pub fn subject(&self) -> Option<&str> {
        self.subject.as_deref()
    }

    /// The client that the token was issued to.
    #[must_use]
    pub fn client_id(&self) -> Option<&str> {
        self.client_id.as_deref()
    }

    /// What the token permits.
    #[must_use]
    pub const fn scopes(&self) -> &Scopes {
        &self.scopes
    }

    /// When the token expires.
    #[must_use]
    pub fn expires_at(&self) -> SystemTime {
        let seconds = u64::try_from(self.expires).unwrap_or(0);
        let end = UNIX_EPOCH.checked_add(Duration::from_secs(seconds));
        end.unwrap_or(UNIX_EPOCH)
    }

    pub(crate) const fn expires(&self) -> i64 {
        self.expires
    }

    /// The identifier of the token, `jti`.
    #[must_use]
    pub fn token_id(&self) -> Option<&str> {
        self.token_id.as_deref()
    }

    /// The identifier of the approval that the token stems from, `gid`.
    #[must_use]
    pub fn grant_id(&self) -> Option<&str> {
        self.grant_id.as_deref()
    }

    /// Everything that the token says.
    #[must_use]
    pub const fn json(&self) -> &Map<String, Value> {
        &self.json
    }

    /// Whom the claim `name` calls the owner, for an attribute of `kind`; `None` where the token has
    /// no such claim. A client that acts on its own behalf owns by any claim but its subject, which is
    /// no user, whatever its token calls it; and what two issuers call alike are two.
    pub(crate) fn owner(&self, name: &str, kind: Kind) -> Result<Option<Cow<'_, str>>, UnfitClaim> {
        let subject_claim = self.subject_claim.as_ref();
        if name == "sub" || subject_claim.is_some_and(|path| path.is(name)) {
            return Ok(self.subject.as_deref().map(Cow::Borrowed));
        }
        let namespace = self.namespace.as_ref();
        // A text and a number that reads alike are two, unless both are part of a longer name.
        let takes_numbers = kind != Kind::Text || namespace.is_some();
        let text = match self.json.get(name) {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::String(text)) if !text.trim().is_empty() => Cow::Borrowed(text.as_str()),
            // Two numbers may be one as floating-point numbers.
            Some(Value::Number(number))
                if takes_numbers && (number.is_i64() || number.is_u64()) =>
            {
                Cow::Owned(number.to_string())
            }
            Some(_) => return Err(UnfitClaim),
        };
        Ok(Some(match namespace {
            Some(namespace) => Cow::Owned(format!("{namespace}:{text}")),
            None => text,
        }))
    }

    /// The user as validators and hooks know them; `None` where there is no user.
    #[must_use]
    pub fn principal(&self) -> Option<Principal> {
        self.subject.as_ref().map(Principal::new)
    }
}

/// Without the claims as a whole, which may tell more about a person than a log should.
impl fmt::Debug for Claims {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Claims")
            .field("issuer", &self.issuer)
            .field("subject", &self.subject)
            .field("client_id", &self.client_id)
            .field("scopes", &self.scopes)
            .finish_non_exhaustive()
    }
}
