//! The settings of an API, and the checks of those that can be wrong.

use std::sync::Arc;
use std::time::Duration;

use resource_model::query::QueryLimits;
use resource_model::registry::Callers;
use resource_model::schema::ResourceDefinition;

#[cfg(feature = "metrics")]
use super::metrics::MetricsPlace;
#[cfg(feature = "openapi")]
use crate::authorization::SecurityScheme;
use crate::authorization::{ApiAddress, Authentication, Authenticator, Authorizer};
use crate::http::extract::UnknownParameters;
#[cfg(feature = "openapi")]
use crate::openapi::About;

/// The settings of a builder, for the whole API.
#[derive(Debug, Clone)]
pub(super) struct Settings {
    #[cfg(feature = "openapi")]
    pub(super) about: About,
    /// True where clients are offered the description of the API.
    #[cfg(feature = "openapi")]
    pub(super) documented: bool,
    pub(super) root: String,
    pub(super) base_url: Option<Arc<str>>,
    pub(super) body_limit: usize,
    pub(super) hook_timeout: Duration,
    pub(super) unsent_in_memory: usize,
    pub(super) unsent_on_disk: u64,
    pub(super) max_limit: u32,
    pub(super) query_limits: QueryLimits,
    pub(super) unknown_parameters: UnknownParameters,
    pub(super) timeout: Option<Duration>,
    /// The sites that may read answers.
    #[cfg(feature = "cors")]
    pub(super) origins: Vec<String>,
    #[cfg(feature = "compression")]
    pub(super) is_compressed: bool,
    #[cfg(feature = "metrics")]
    pub(super) metrics: MetricsPlace,
    pub(super) authenticator: Option<Arc<dyn Authenticator>>,
    pub(super) openness: Openness,
    /// True where the API is described as one that authenticates callers.
    #[cfg(feature = "cli")]
    pub(super) assumes_callers: bool,
}

/// The wish for an API without access control, whatever the resources declare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Openness {
    Unsaid,
    Wanted,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            #[cfg(feature = "openapi")]
            about: About::default(),
            #[cfg(feature = "openapi")]
            documented: true,
            root: String::from("/api"),
            base_url: None,
            body_limit: 1024 * 1024,
            hook_timeout: Duration::from_secs(10),
            unsent_in_memory: 64 * 1024 * 1024,
            unsent_on_disk: 1024 * 1024 * 1024,
            max_limit: 1000,
            query_limits: QueryLimits::new(),
            unknown_parameters: UnknownParameters::Refused,
            timeout: None,
            #[cfg(feature = "cors")]
            origins: Vec::new(),
            #[cfg(feature = "compression")]
            is_compressed: false,
            #[cfg(feature = "metrics")]
            metrics: MetricsPlace::default(),
            authenticator: None,
            openness: Openness::Unsaid,
            #[cfg(feature = "cli")]
            assumes_callers: false,
        }
    }
}

impl Settings {
    pub(super) const fn is_unprotected(&self) -> bool {
        matches!(self.openness, Openness::Wanted)
    }

    /// True where there are documentation pages.
    #[cfg(feature = "docs")]
    const fn has_pages(&self) -> bool {
        self.documented
    }

    #[cfg(not(feature = "docs"))]
    #[allow(clippy::unused_self, reason = "pages for people are a feature")]
    const fn has_pages(&self) -> bool {
        false
    }
}

impl Settings {
    /// True where callers are authenticated.
    pub(super) const fn is_guarded(&self) -> bool {
        #[cfg(feature = "cli")]
        if self.assumes_callers {
            return true;
        }
        self.authenticator.is_some()
    }

    /// The ways to send credentials; none where callers are not authenticated.
    #[cfg(feature = "openapi")]
    pub(super) fn schemes(&self) -> Option<Vec<SecurityScheme>> {
        match &self.authenticator {
            Some(authenticator) => Some(authenticator.schemes()),
            None => self.is_guarded().then(|| vec![SecurityScheme::Bearer]),
        }
    }

    #[cfg(feature = "cli")]
    pub(super) const fn assume_callers(&mut self) {
        self.assumes_callers = true;
    }

    /// The way in which callers are authenticated.
    pub(super) fn callers(&self) -> Callers {
        match &self.authenticator {
            None if self.is_unprotected() => Callers::Unprotected,
            None => Callers::Unasked,
            Some(it) if it.has_namespaces() => Callers::NamedByIssuer,
            Some(_) => Callers::Named,
        }
    }

    /// The contradiction of settings that both authenticate callers and do not.
    pub(super) fn contradiction(&self) -> Option<String> {
        let is_both = self.is_unprotected() && self.authenticator.is_some();
        is_both.then(|| {
            String::from(
                "`.authorization(…)` and `.unprotected()` contradict each other; remove the one that \
                 is not meant",
            )
        })
    }

    /// The authorizer of a resource.
    pub(super) fn authorizer(&self, definition: &'static ResourceDefinition) -> Authorizer {
        let authentication = self.authenticator.as_ref().map(|it| Authentication {
            authenticator: Arc::clone(it),
            challenge: it.challenge(self.address()),
        });
        Authorizer::new(definition, authentication)
    }

    pub(super) fn address(&self) -> ApiAddress<'_> {
        ApiAddress {
            base_url: self.base_url.as_deref(),
            root: &self.root,
        }
    }
}

/// The mistake of a `root` that cannot stand before the versions.
pub(super) fn root_mistake(root: &str) -> Option<String> {
    let legible = |character: char| character.is_ascii_alphanumeric() || "-_.~".contains(character);
    let segments = root.strip_prefix('/').map(|rest| rest.split('/'));
    let sound = segments.is_some_and(|mut segments| {
        segments.all(|segment| !segment.is_empty() && segment.chars().all(legible))
    });
    (!sound && !root.is_empty()).then(|| {
        format!(
            "the root `{root}` must be empty or start with a slash and end without one, \
             like `/api`"
        )
    })
}

/// The mistake of a `root` that a path of the service itself takes.
pub(super) fn reserved_root_mistake(settings: &Settings) -> Option<String> {
    let root = &settings.root;
    let first = root.split('/').nth(1)?;
    let remedy = match first {
        "errors" | "livez" | "metrics" | "readyz" => "choose another root, like `/api`",
        "docs" if settings.has_pages() => {
            "choose another root, like `/api`, or `.hide_documentation()`"
        }
        _ => return None,
    };
    Some(format!(
        "the root `{root}` is where the service tells of itself, `/{first}`; {remedy}"
    ))
}

/// The mistake of a `base_url` that cannot stand before a path.
pub(super) fn base_url_mistake(base_url: &str) -> Option<String> {
    let uri = base_url.parse::<axum::http::Uri>().ok();
    let sound = uri.is_some_and(|uri| {
        let web = matches!(uri.scheme_str(), Some("http" | "https"));
        web && uri.authority().is_some() && uri.query().is_none()
    });
    (!sound).then(|| {
        format!("the base URL `{base_url}` must be absolute, like `https://api.example.org`")
    })
}
