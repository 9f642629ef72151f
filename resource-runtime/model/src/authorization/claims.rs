//! The claims of a valid access token, and the paths by which they are found.

use std::borrow::Cow;
use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value};

use super::{Principal, Scopes};
use crate::schema::Kind;

/// The error of a claim that is present, but of a type that cannot name an owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnfitClaim;

/// The claims of a valid access token.
///
/// ```
/// use resource_runtime::authorization::Claims;
///
/// /// Whether the token lets its bearer read settings.
/// fn may_read(claims: &Claims) -> bool {
///     claims.scopes().contains("settings.read")
/// }
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Claims {
    issuer: String,
    subject: Option<String>,
    /// The path of the claim that holds the subject, where it is not `sub`.
    subject_claim: Option<ClaimPath>,
    /// A prefix of the subject, and of other claims that name a user.
    namespace: Option<String>,
    client_id: Option<String>,
    scopes: Scopes,
    expires: i64,
    token_id: Option<String>,
    grant_id: Option<String>,
    json: Map<String, Value>,
}

impl Claims {
    /// The claims of an issuer without anything else: no user, no scopes, expired since 1970.
    ///
    /// ```
    /// use std::time::{Duration, SystemTime};
    ///
    /// use resource_runtime::authorization::Claims;
    ///
    /// let claims = Claims::new("https://login.example.com")
    ///     .with_subject("ann")
    ///     .with_scopes("notes.read notes.write".parse().unwrap())
    ///     .with_expiry(SystemTime::now() + Duration::from_mins(10));
    /// assert_eq!(claims.subject(), Some("ann"));
    /// ```
    #[must_use]
    pub fn new(issuer: impl Into<String>) -> Self {
        Self {
            issuer: issuer.into(),
            ..Self::default()
        }
    }

    /// Sets the user, whom the [subject claim](Self::with_subject_claim) names.
    #[must_use]
    pub fn with_subject(mut self, subject: impl Into<String>) -> Self {
        self.subject = Some(subject.into());
        self
    }

    /// Sets the claim that holds the subject, where it is not `sub`: an owner by that claim is the subject.
    #[must_use]
    pub fn with_subject_claim(mut self, claim: impl Into<ClaimPath>) -> Self {
        self.subject_claim = Some(claim.into());
        self
    }

    /// Sets the namespace with which the subject begins; owners by other claims get the same prefix.
    #[must_use]
    pub fn with_namespace(mut self, namespace: impl Into<String>) -> Self {
        self.namespace = Some(namespace.into());
        self
    }

    /// Sets the client that acts, for a user or for itself.
    #[must_use]
    pub fn with_client_id(mut self, client_id: impl Into<String>) -> Self {
        self.client_id = Some(client_id.into());
        self
    }

    /// Sets the granted scopes.
    #[must_use]
    pub fn with_scopes(mut self, scopes: Scopes) -> Self {
        self.scopes = scopes;
        self
    }

    /// Sets the moment at which the token expires; parts of seconds are cut off.
    #[must_use]
    pub fn with_expiry(mut self, expires: SystemTime) -> Self {
        // A moment before 1970 becomes the first one of that year: both have passed.
        let seconds = expires.duration_since(UNIX_EPOCH).unwrap_or_default();
        // A moment beyond `i64` is later than any that is compared with it.
        self.expires = i64::try_from(seconds.as_secs()).unwrap_or(i64::MAX);
        self
    }

    /// Sets the id of the token, `jti`.
    #[must_use]
    pub fn with_token_id(mut self, token_id: impl Into<String>) -> Self {
        self.token_id = Some(token_id.into());
        self
    }

    /// Sets the id of the grant that the token belongs to.
    #[must_use]
    pub fn with_grant_id(mut self, grant_id: impl Into<String>) -> Self {
        self.grant_id = Some(grant_id.into());
        self
    }

    /// Sets all claims, by their names: owners may be declared by any of them.
    #[must_use]
    pub fn with_json(mut self, claims: Map<String, Value>) -> Self {
        self.json = claims;
        self
    }

    /// The issuer of the token.
    #[must_use]
    pub fn issuer(&self) -> &str {
        &self.issuer
    }

    /// The user on whose behalf the token is used, as the
    /// [subject claim](Self::with_subject_claim) names them; `None` for a client
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

    /// The scopes that the token grants.
    #[must_use]
    pub const fn scopes(&self) -> &Scopes {
        &self.scopes
    }

    /// The moment at which the token expires.
    #[must_use]
    pub fn expires_at(&self) -> SystemTime {
        // A token may name a moment before 1970, which has passed like 1970 itself.
        let seconds = u64::try_from(self.expires).unwrap_or(0);
        // A moment beyond the clock of the system counts as expired, rather than as never to come.
        let end = UNIX_EPOCH.checked_add(Duration::from_secs(seconds));
        end.unwrap_or(UNIX_EPOCH)
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

    /// All claims of the token, by their names.
    #[must_use]
    pub const fn json(&self) -> &Map<String, Value> {
        &self.json
    }

    /// The owner that the claim `name` names, for an attribute of `kind`; `None` where the token has no such
    /// claim. A client that acts on its own behalf can own by any claim but the subject, because it is no
    /// user. The namespace keeps apart equal names of two issuers.
    #[doc(hidden)]
    pub fn owner(&self, name: &str, kind: Kind) -> Result<Option<Cow<'_, str>>, UnfitClaim> {
        let subject_claim = self.subject_claim.as_ref();
        // The subject was read with its namespace when the token was verified; the claim alone lacks it.
        if name == "sub" || subject_claim.is_some_and(|path| path.is(name)) {
            return Ok(self.subject.as_deref().map(Cow::Borrowed));
        }
        // Every other claim is read from the token as it was sent.
        let namespace = self.namespace.as_ref();
        // The text "7" and the number 7 are two owners, unless a namespace makes both part of a longer name.
        let takes_numbers = kind != Kind::Text || namespace.is_some();
        let text = match self.json.get(name) {
            None | Some(Value::Null) => return Ok(None),
            // White space names nobody. It is refused, whereas a caller without the claim owns nothing.
            Some(Value::String(text)) if !text.trim().is_empty() => Cow::Borrowed(text.as_str()),
            // Floating-point numbers are refused: two different ones may be read as the same.
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

    /// The user, as validators and hooks see them; `None` where there is no user.
    #[must_use]
    pub fn principal(&self) -> Option<Principal> {
        self.subject.as_ref().map(Principal::new)
    }
}

/// Leaves out the claims as a whole, which may hold more about a person than a log should.
impl fmt::Debug for Claims {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Claims")
            // These tell whose token it was, which a log of a refused request needs.
            .field("issuer", &self.issuer)
            .field("subject", &self.subject)
            .field("client_id", &self.client_id)
            .field("scopes", &self.scopes)
            .finish_non_exhaustive()
    }
}

/// The path of a claim in a token: its name, or the names that lead to it.
///
/// ```
/// use resource_runtime::authorization::ClaimPath;
///
/// let name = ClaimPath::from("https://example.com/roles");
/// let nested = ClaimPath::from(["realm_access", "roles"]);
/// # drop((name, nested));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimPath {
    names: Vec<String>,
}

impl ClaimPath {
    /// Tests whether the path is the claim of this name, at the top of the token.
    #[doc(hidden)]
    pub fn is(&self, name: &str) -> bool {
        // A nested claim has no single name, so that no owner rule means it.
        matches!(self.names.as_slice(), [only] if only == name)
    }

    /// The value of the claim.
    #[must_use]
    pub fn find<'claims>(&self, claims: &'claims Map<String, Value>) -> Option<&'claims Value> {
        // The claims at the top are a map, those below it JSON values; a step into anything but an object
        // finds none.
        let (first, rest) = self.names.split_first()?;
        rest.iter()
            .try_fold(claims.get(first)?, |value, name| value.get(name))
    }

    /// The text of the claim; `None` for one of nothing but white space, which names nobody.
    #[must_use]
    pub fn find_text<'claims>(&self, claims: &'claims Map<String, Value>) -> Option<&'claims str> {
        // A number or an object is no name, and is treated as if the claim were missing.
        let text = self.find(claims)?.as_str()?;
        // The text itself is not trimmed, because an issuer may give names that differ in white space alone.
        (!text.trim().is_empty()).then_some(text)
    }
}

/// A claim at the top of the token; a dot in its name is part of it.
impl From<&str> for ClaimPath {
    fn from(name: &str) -> Self {
        Self::from([name])
    }
}

impl<const LENGTH: usize> From<[&str; LENGTH]> for ClaimPath {
    fn from(names: [&str; LENGTH]) -> Self {
        let names = names.map(str::to_owned).into();
        Self { names }
    }
}
