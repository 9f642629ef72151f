//! The decision whether a caller may use an operation of a resource, and set its attributes.

use std::sync::Arc;

use axum::http::HeaderMap;
use resource_model::error::{ApiError, ErrorCode, FieldError};
use resource_model::schema::{Access, Attribute, Operation, Requirement, ResourceDefinition};

use super::{Authenticator, Caller, Challenge, Refusal, Scopes, View};
use crate::failure::Failure;

/// Admits callers to one resource, or refuses them with the reason.
#[derive(Debug)]
pub(crate) struct Authorizer {
    pub(crate) definition: &'static ResourceDefinition,
    /// The authentication; none where every caller is trusted.
    pub(crate) authentication: Option<Authentication>,
}

/// The authenticator of an API, and the challenge for refused callers.
#[derive(Debug, Clone)]
pub(crate) struct Authentication {
    pub(crate) authenticator: Arc<dyn Authenticator>,
    pub(crate) challenge: Challenge,
}

impl Authentication {
    /// The caller who sends these headers: anonymous without a token, where that `is_public`. A refusal advertises the
    /// scopes that the caller needs.
    pub(crate) async fn caller(
        &self,
        headers: &HeaderMap,
        is_public: bool,
        scopes: impl FnOnce() -> Scopes,
    ) -> Result<Caller, Failure> {
        match self.authenticator.authenticate(headers).await {
            Ok(claims) => Ok(Caller::Bearer(claims)),
            // Only a missing token makes a caller anonymous: one that is expired
            // should not silently show less.
            Err(Refusal::MissingToken) if is_public => Ok(Caller::Anonymous),
            Err(refusal) => Err(self.refuse(&refusal, scopes())),
        }
    }

    /// The refusal of a caller who lacks these scopes: an anonymous one needs a token before any scope.
    pub(crate) fn lacks(&self, caller: &Caller, scopes: Scopes) -> Failure {
        self.refuse(&refusal_of(caller, &scopes), scopes)
    }

    fn refuse(&self, refusal: &Refusal, scopes: Scopes) -> Failure {
        let error = ApiError::new(refusal.code(), refusal.to_string());
        self.challenged(error, refusal, scopes)
    }

    /// The failure with its challenge, which advertises `scopes` unless the refusal names its own.
    fn challenged(&self, error: ApiError, refusal: &Refusal, scopes: Scopes) -> Failure {
        // A clone, since each refusal advertises the scopes of its own operation.
        let challenge = self.challenge.clone().scopes(scopes);
        error.with_challenge(challenge.header(refusal)).into()
    }
}

/// The refusal of a caller who lacks the scopes.
fn refusal_of(caller: &Caller, scopes: &Scopes) -> Refusal {
    match caller {
        Caller::Anonymous => Refusal::MissingToken,
        _ => Refusal::InsufficientScope(scopes.clone()),
    }
}

impl Authorizer {
    /// The caller, if they may use each of the operations. A token that is sent must be valid, also where none is
    /// needed.
    pub(crate) async fn admit(
        &self,
        operations: &[Operation],
        headers: &HeaderMap,
    ) -> Result<Caller, Failure> {
        // Nothing authenticates: the build has made sure that the resource declares no
        // rules, or that they are waived.
        let Some(authentication) = &self.authentication else {
            return Ok(Caller::Trusted);
        };
        // Authentication comes before the access rule: 401 for a bad token, 403 only for a good one.
        let is_public = self.all_access(operations, |it| it == Access::Public);
        let scopes = || self.scopes_to(operations, &Scopes::default());
        let caller = authentication.caller(headers, is_public, scopes).await?;
        self.permit(operations, &caller)?;
        Ok(caller)
    }

    /// Refuses a caller, who is authenticated or anonymous, unless they may use each of the operations.
    pub(crate) fn permit(&self, operations: &[Operation], caller: &Caller) -> Result<(), Failure> {
        let Some(authentication) = &self.authentication else {
            return Ok(());
        };
        if !self.all_access(operations, |it| caller.may_use(it)) {
            let scopes = self.scopes_to(operations, &Scopes::default());
            return Err(authentication.lacks(caller, scopes));
        }
        let view = View::new(self.definition, caller);
        // Without this check the caller would be served an empty list, and nobody would find the mistake.
        let unfit = unfit_claim(view);
        // Other operations find no item of a caller who owns none, which is a 404 or an empty page.
        let creates = operations.contains(&Operation::Create);
        let ownerless = unfit.or_else(|| missing_owner(view).filter(|_| creates));
        let Some(message) = ownerless else {
            return Ok(());
        };
        // Only the scopes that bypass ownership would help a caller who can own nothing.
        let bypass = self.definition.ownership().and_then(|it| it.bypass());
        let Some(bypass) = bypass.filter(|scopes| !caller.has(*scopes)) else {
            // No scope would help, so there is no challenge.
            return Err(ApiError::new(ErrorCode::InsufficientScope, message).into());
        };
        // The scopes of the operations are named again, since a client requests those of a challenge alone.
        let scopes = self.scopes_to(operations, &advertised(bypass));
        let refusal = Refusal::InsufficientScope(scopes);
        let error = ApiError::new(refusal.code(), message);
        Err(authentication.challenged(error, &refusal, Scopes::default()))
    }

    fn all_access(&self, operations: &[Operation], is_so: impl Fn(Access) -> bool) -> bool {
        let mut access = operations.iter().map(|it| self.definition.access(*it));
        access.all(is_so)
    }

    /// Refuses a caller who sets an attribute without the scopes that it declares for writing. All such
    /// attributes are reported together, and the challenge names every scope that would be needed.
    pub(crate) fn require_writable<'attribute>(
        &self,
        caller: &Caller,
        operations: &[Operation],
        named: impl Iterator<Item = &'attribute Attribute>,
    ) -> Result<(), Failure> {
        let Some(authentication) = &self.authentication else {
            return Ok(());
        };
        let view = View::new(self.definition, caller);
        // An attribute that the caller may not even see is none of the named: it is unknown to the draft.
        let lacking: Vec<(&str, Scopes)> = named
            .filter(|attribute| !view.can_write(attribute))
            .filter_map(|attribute| {
                Some((attribute.name(), advertised(attribute.scopes_to_write()?)))
            })
            .collect();
        if lacking.is_empty() {
            return Ok(());
        }
        // A client gets all missing scopes at once, so that one further token is enough.
        let all = lacking.iter().flat_map(|(_, scopes)| scopes.iter());
        let scopes = self.scopes_to(operations, &all.collect());
        // An anonymous caller needs a token before any scope: 401 instead of 403.
        let refusal = refusal_of(caller, &scopes);
        // Each attribute is named with its own scopes, so that a client may leave it out instead.
        let problems = lacking.iter().map(|(name, scopes)| {
            let scopes = scopes.listed();
            let message = format!("`{name}` is set only by an access token with {scopes}");
            FieldError::new(*name, message)
        });
        let error = ApiError::of_problems(refusal.code(), problems.collect());
        Err(authentication.challenged(error, &refusal, scopes))
    }

    /// All scopes that a client needs for the operations and for attributes that require these `further` ones.
    fn scopes_to(&self, operations: &[Operation], further: &Scopes) -> Scopes {
        let access = operations.iter().map(|it| self.definition.access(*it));
        let needed = access.map(|it| match it {
            Access::Nobody | Access::Public => Scopes::default(),
            Access::Scopes(scopes) => advertised(scopes),
        });
        let needed: Vec<Scopes> = needed.collect();
        let needed = needed.iter().flat_map(Scopes::iter);
        needed.chain(further.iter()).collect()
    }
}

/// The message to a caller whose token names an owner in an unfit form: a mistake of the issuer, or of the resource,
/// which is logged for the operator.
fn unfit_claim(view: View<'_>) -> Option<String> {
    // A claim fits its rule unless it cannot become a value of the owner attribute.
    let (rule, owner) = view.unfit_rule()?;
    let (resource, claim) = (view.definition().name(), rule.claim());
    tracing::warn!(
        resource,
        claim,
        owner = owner.name(),
        "a token's claim does not fit the owner that it stands for, which is {}; let the issuer \
         send what the attribute takes, or name another claim",
        owner.kind()
    );
    // The client learns which claim it is, the log also what would fit.
    Some(format!(
        "the claim `{claim}` of the access token names nobody whom the {resource} could belong to"
    ))
}

/// The message to a caller whose new item needs an owner, and who neither is one nor may name another.
fn missing_owner(view: View<'_>) -> Option<String> {
    let definition = view.definition();
    let (_, owner) = definition.owner_attribute()?;
    // The claim of the token gives the owner of a new item.
    let is_set = view.new_owner().is_some();
    // A caller who is exempt from ownership may name an owner in the body, or leave it null.
    let may_be_named = view.bound_owner().is_none() && !owner.is_read_only();
    let may_be_nobody = view.bound_owner().is_none() && owner.is_nullable();
    if is_set || may_be_named || may_be_nobody {
        return None;
    }
    let resource = definition.name();
    // A token without `sub` stands for no user; any other claim is the developer's choice, so the message names it.
    Some(match definition.ownership().map(|it| it.claim()) {
        Some(claim) if claim != "sub" => {
            format!("no claim `{claim}` of the access token says whose the {resource} could be")
        }
        _ => format!("the access token names no user whom the {resource} could belong to"),
    })
}

/// The scopes that a challenge advertises: where any of several will do, the first, which should permit
/// least.
fn advertised(requirement: Requirement) -> Scopes {
    match requirement {
        Requirement::All(scopes) => scopes.iter().collect(),
        Requirement::Any(scopes) => scopes.iter().take(1).collect(),
    }
}
