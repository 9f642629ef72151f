//! The settings of an API, and the checks of those that can be wrong.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::Uri;
#[cfg(feature = "docs")]
use resource_model::error::Error;
use resource_model::error::{CustomError, ErrorCode};
use resource_model::query::{PageLimits, QueryLimits};
use resource_model::registry::Callers;

use super::Api;
#[cfg(feature = "metrics")]
use super::metrics::MetricsPlace;
#[cfg(feature = "openapi")]
use crate::authorization::SecurityScheme;
use crate::authorization::{ApiAddress, Authentication, Authenticator};
use crate::clock::{Clock, SystemClock};
use crate::hooks::QuotaHook;
use crate::http::extract::UnknownParameters;
use crate::http::middleware::ANY_ORIGIN;
#[cfg(feature = "openapi")]
use crate::openapi::{About, Additions};
use crate::operation::IdempotencyKeys;

/// The settings of a builder, for the whole API.
#[derive(Debug, Clone)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is one method of the builder, independent of the others"
)]
pub(super) struct Settings {
    #[cfg(feature = "openapi")]
    pub(super) about: About,
    #[cfg(feature = "openapi")]
    pub(super) additions: Additions,
    /// The custom errors.
    pub(super) errors: Vec<&'static CustomError>,
    /// The service's own routes, as they were added.
    pub(super) routes: Vec<Router<Api>>,
    /// True where clients can get the description of the API.
    pub(super) documented: bool,
    /// The changes from version to version, as Markdown, or the reason that there are none.
    #[cfg(feature = "docs")]
    pub(super) changes: Option<Result<String, Error>>,
    pub(super) root: String,
    pub(super) base_url: Option<Arc<str>>,
    pub(super) body_limit: usize,
    pub(super) hook_timeout: Duration,
    /// True where others made all tables but those of the service itself.
    pub(super) has_existing_tables: bool,
    /// True where only operations that read are offered.
    pub(super) is_read_only: bool,
    pub(super) idempotency: Option<Arc<IdempotencyKeys>>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) quota: Option<QuotaHook>,
    pub(super) unsent_in_memory: usize,
    pub(super) unsent_on_disk: u64,
    pub(super) max_limit: u32,
    /// The limits of pages whose sizes the resources decide.
    pub(super) pages: PageLimits,
    pub(super) query_limits: QueryLimits,
    pub(super) unknown_parameters: UnknownParameters,
    /// True where no change of any resource goes without `If-Match`.
    pub(super) requires_if_match: bool,
    pub(super) timeout: Option<Duration>,
    /// The origins whose pages may read responses (CORS).
    pub(super) origins: Vec<String>,
    pub(super) is_compressed: bool,
    #[cfg(feature = "metrics")]
    pub(super) metrics: MetricsPlace,
    pub(super) authenticator: Option<Arc<dyn Authenticator>>,
    /// True where every caller is served, whatever scopes and owners the resources declare.
    pub(super) is_unprotected: bool,
    /// True where the API is described as one that authenticates callers.
    pub(super) assumes_callers: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            #[cfg(feature = "openapi")]
            about: About::default(),
            #[cfg(feature = "openapi")]
            additions: Additions::default(),
            errors: Vec::new(),
            routes: Vec::new(),
            documented: true,
            #[cfg(feature = "docs")]
            changes: None,
            root: String::from("/api"),
            base_url: None,
            // The documentation of the builder's methods names these defaults.
            body_limit: 1024 * 1024,
            hook_timeout: Duration::from_secs(10),
            has_existing_tables: false,
            is_read_only: false,
            idempotency: None,
            clock: Arc::new(SystemClock),
            quota: None,
            unsent_in_memory: 64 * 1024 * 1024,
            unsent_on_disk: 1024 * 1024 * 1024,
            max_limit: 1000,
            pages: PageLimits::new(0, 0),
            query_limits: QueryLimits::new(),
            // Unknown parameters are refused by default: a misspelt filter would otherwise list everything.
            unknown_parameters: UnknownParameters::Refused,
            requires_if_match: false,
            timeout: None,
            origins: Vec::new(),
            is_compressed: false,
            #[cfg(feature = "metrics")]
            metrics: MetricsPlace::default(),
            authenticator: None,
            is_unprotected: false,
            assumes_callers: false,
        }
    }
}

impl Settings {
    /// True where there are documentation pages.
    pub(super) const fn has_pages(&self) -> bool {
        cfg!(feature = "docs") && self.documented
    }

    /// True where callers are authenticated.
    pub(super) const fn is_guarded(&self) -> bool {
        self.assumes_callers || self.authenticator.is_some()
    }

    /// The ways to send credentials; none where callers are not authenticated.
    #[cfg(feature = "openapi")]
    pub(super) fn schemes(&self) -> Option<Vec<SecurityScheme>> {
        match &self.authenticator {
            Some(authenticator) => Some(authenticator.schemes()),
            // The authenticator is not at hand, as on the command line; access tokens are the usual scheme.
            None => self.is_guarded().then(|| vec![SecurityScheme::Bearer]),
        }
    }

    /// The way in which callers are authenticated.
    pub(super) fn callers(&self) -> Callers {
        match &self.authenticator {
            // Protection is waived only without an authenticator; both together are a problem below.
            None if self.is_unprotected => Callers::Unprotected,
            None => Callers::Unauthenticated,
            Some(it) if it.has_namespaces() => Callers::Namespaced,
            Some(_) => Callers::Authenticated,
        }
    }

    /// The problems in the settings, in sentences.
    pub(super) fn problems(&self) -> impl Iterator<Item = String> {
        // With an authenticator nothing is waived, so one of the two settings is a mistake.
        let is_contradicted = self.is_unprotected && self.authenticator.is_some();
        let contradiction = is_contradicted.then(|| {
            String::from(
                "`.authorization(…)` and `.unprotected()` contradict each other; remove the one that \
                 is not meant",
            )
        });
        // All problems are collected, so that a developer need not build once for each.
        let problems = [
            root_problem(&self.root),
            reserved_root_problem(self),
            self.base_url.as_deref().and_then(base_url_problem),
            contradiction,
            self.idempotency
                .as_deref()
                .and_then(IdempotencyKeys::problem),
        ];
        let problems = problems.into_iter().flatten();
        let problems = problems.chain(origin_problems(&self.origins));
        let problems = problems.chain(code_problems(&self.codes()));
        #[cfg(feature = "openapi")]
        let problems = problems.chain(self.about.problems());
        #[cfg(feature = "docs")]
        let problems = problems.chain(
            self.changes
                .iter()
                .filter_map(|it| Some(it.as_ref().err()?.to_string())),
        );
        problems
    }

    /// All error codes in the order of their numbers, those of the runtime first.
    pub(super) fn codes(&self) -> Vec<ErrorCode> {
        let custom = self.errors.iter().map(|it| ErrorCode::Custom(it));
        let mut codes: Vec<_> = ErrorCode::ALL.iter().copied().chain(custom).collect();
        codes.sort_by_key(|code| code.number());
        codes
    }

    /// The authentication of callers; none where all are trusted.
    pub(super) fn authentication(&self) -> Option<Authentication> {
        self.authenticator.as_ref().map(|it| Authentication {
            authenticator: Arc::clone(it),
            // Made once here, since the address of the API never changes; each refusal adds its scopes.
            challenge: it.challenge(self.address()),
        })
    }

    pub(super) fn address(&self) -> ApiAddress<'_> {
        // Challenges and metadata of the authenticator name the API by these two.
        ApiAddress {
            base_url: self.base_url.as_deref(),
            root: &self.root,
        }
    }
}

/// The problem of a `root` that cannot stand before the versions.
fn root_problem(root: &str) -> Option<String> {
    // Other characters are sent percent-encoded, or mean something to the router, as `{` does.
    let is_unreserved =
        |character: char| character.is_ascii_alphanumeric() || "-_.~".contains(character);
    // An empty segment would be a doubled slash, which routers take for a path of its own.
    let segments = root.strip_prefix('/').map(|rest| rest.split('/'));
    let is_valid = segments.is_some_and(|mut segments| {
        segments.all(|segment| !segment.is_empty() && segment.chars().all(is_unreserved))
    });
    // An empty root is valid: the versions then stand at the top.
    (!is_valid && !root.is_empty()).then(|| {
        format!(
            "the root `{root}` must be empty or start with a slash and end without one, \
             like `/api`"
        )
    })
}

/// The problem of a `root` whose path the service needs for itself.
fn reserved_root_problem(settings: &Settings) -> Option<String> {
    let root = &settings.root;
    // The first segment decides: below `/errors`, the index `/errors/1.0` would
    // stand beside `/errors/{code}`.
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

/// The problem of a `base_url` that cannot stand before a path.
fn base_url_problem(base_url: &str) -> Option<String> {
    let uri = base_url.parse::<Uri>().ok();
    let is_valid = uri.is_some_and(|uri| {
        // A query string cannot be followed by a path.
        let web = matches!(uri.scheme_str(), Some("http" | "https"));
        web && uri.authority().is_some() && uri.query().is_none()
    });
    (!is_valid).then(|| {
        format!("the base URL `{base_url}` must be absolute, like `https://api.example.org`")
    })
}

/// The problem of each code that two custom errors have.
fn code_problems(codes: &[ErrorCode]) -> impl Iterator<Item = String> + use<> {
    let pairs = codes.iter().zip(codes.iter().skip(1));
    let twice = pairs.filter(|(one, other)| one.number() == other.number());
    let problems = twice.map(|(one, other)| {
        let (number, one, other) = (one.number(), one.title(), other.title());
        format!(
            "the errors `{one}` and `{other}` have the same code, {number}; register each error \
             once, with a code of its own"
        )
    });
    problems.collect::<Vec<_>>().into_iter()
}

/// The problems in the origins that may read responses.
fn origin_problems(origins: &[String]) -> impl Iterator<Item = String> {
    let wrong = origins.iter().filter(|origin| !is_origin(origin));
    wrong.map(|origin| {
        format!(
            "`{origin}` is no origin that a browser sends; write a scheme, a host and maybe a \
             port, like `https://app.example.org`, or `*`"
        )
    })
}

/// Tests whether a browser may send this origin. The header is compared letter for letter, so the origin must be
/// spelled as browsers do: in lower case, without a path.
fn is_origin(origin: &str) -> bool {
    if origin == ANY_ORIGIN {
        return true;
    }
    // Only what parses as a URL can be an origin; the rest of the test is its spelling.
    let Ok(uri) = origin.parse::<Uri>() else {
        return false;
    };
    let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
        return false;
    };
    // A path, a query string or an upper-case letter makes a difference; browsers send no user either.
    let spelled = format!("{scheme}://{authority}").to_ascii_lowercase();
    spelled == origin && !authority.as_str().contains('@')
}

#[cfg(test)]
mod tests {
    use super::{is_origin, origin_problems};

    #[test]
    fn an_origin_is_what_a_browser_sends() {
        for origin in [
            "*",
            "https://app.example.org",
            "http://localhost:5173",
            "http://[::1]:80",
        ] {
            assert!(is_origin(origin), "{origin}");
        }
        for origin in [
            "",
            "app.example.org",
            "https://app.example.org/",
            "https://app.example.org/path",
            "https://App.example.org",
            "https://ann@app.example.org",
            "https://*.example.org/?",
            "null",
        ] {
            assert!(!is_origin(origin), "{origin}");
            assert_eq!(origin_problems(&[origin.to_owned()]).count(), 1, "{origin}");
        }
    }
}
