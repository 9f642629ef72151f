//! Presets for large identity providers, by their documentation.

use resource_runtime::authorization::ClaimPath;

use super::TrustedIssuer;
use crate::token::{Requirement, TokenProfile};

/// Pseudo-tenants of Microsoft Entra ID, whose tokens come from all tenants.
const NO_TENANTS: [&str; 3] = ["common", "organizations", "consumers"];

impl TrustedIssuer {
    /// A realm of Keycloak, by its documentation.
    ///
    /// The realm needs an audience mapper: without one every token has the audience `account`, which is refused
    /// here.
    ///
    /// ```
    /// use resource_oauth2::TrustedIssuer;
    ///
    /// let issuer = TrustedIssuer::keycloak("https://login.example.com/realms/main")
    ///     .audience("settings-api");
    /// # drop(issuer);
    /// ```
    #[must_use]
    pub fn keycloak(realm: impl Into<String>) -> Self {
        let why = "Keycloak puts it into every token; add an audience mapper";
        Self {
            // Keycloak signs ID tokens with the same keys; the claim `typ` tells them apart.
            requirement: Some(Requirement::Equal(ClaimPath::from("typ"), "Bearer")),
            meaningless_audience: Some(("account", why)),
            // The profile is lenient, because Keycloak does not use the type `at+jwt` of RFC 9068 by default.
            ..Self::new(realm).token_profile(TokenProfile::Lenient)
        }
    }

    /// A tenant of Auth0, given its domain, by its documentation.
    ///
    /// The audience is the identifier of the API. To a request without an audience, Auth0 issues tokens that nobody
    /// else can read. To use permissions (RBAC) as scopes, add `.scope_claim("permissions", "")`.
    ///
    /// ```
    /// use resource_oauth2::TrustedIssuer;
    ///
    /// let issuer = TrustedIssuer::auth0("example.eu.auth0.com").audience("https://api.example.com");
    /// # drop(issuer);
    /// ```
    #[must_use]
    pub fn auth0(domain: &str) -> Self {
        // The trailing slash is part of `iss`, which is compared byte for byte.
        Self::new(format!("https://{domain}/")).token_profile(TokenProfile::Lenient)
    }

    /// A tenant of Microsoft Entra ID, given its id, by the documentation of version 2.0 tokens.
    ///
    /// The audience is the GUID of the application, which has to request version 2.0 tokens
    /// (`requestedAccessTokenVersion: 2`). Users are identified by `oid`. To use application roles as scopes, add
    /// `.scope_claim("roles", "role:")`.
    ///
    /// ```
    /// use resource_oauth2::TrustedIssuer;
    ///
    /// let issuer = TrustedIssuer::entra("3b3b6dd8-64b1-4b2a-9d55-4bbdcb6b6b1a")
    ///     .audience("6e74172b-be56-4843-9ff4-e66a39bb12e3");
    /// # drop(issuer);
    /// ```
    #[must_use]
    pub fn entra(tenant: &str) -> Self {
        // A setter cannot fail, so the problem is kept for `build`.
        let problem = NO_TENANTS.contains(&tenant).then(|| {
            format!("`{tenant}` is not one tenant; name the tenant by its id, each of several")
        });
        let issuer = format!("https://login.microsoftonline.com/{tenant}/v2.0");
        let mut issuer = Self::new(issuer).token_profile(TokenProfile::Lenient);
        // `sub` is different for each application, while `oid` identifies a user in the whole tenant.
        issuer.mapping.subject = ClaimPath::from("oid");
        // Tokens of the client credentials flow have an `oid` as well, but no delegated scopes.
        issuer.mapping.user_marker = Some(ClaimPath::from("scp"));
        // Version 2.0 tokens name the client in `azp`, version 1.0 tokens in `appid`.
        issuer.mapping.client = ["azp", "appid"].map(ClaimPath::from).into();
        // An access token for an API has delegated scopes or application roles.
        issuer.requirement = Some(Requirement::AnyOf(["scp", "roles"]));
        issuer.problem = problem;
        issuer
    }

    /// A custom authorization server of Okta, by its documentation.
    ///
    /// Users are identified by `uid`, because `sub` is a login name that can change. The organization's own
    /// server, without `/oauth2/…`, issues no tokens for APIs and is refused.
    ///
    /// ```
    /// use resource_oauth2::TrustedIssuer;
    ///
    /// let issuer = TrustedIssuer::okta("https://example.okta.com/oauth2/default")
    ///     .audience("api://default");
    /// # drop(issuer);
    /// ```
    #[must_use]
    pub fn okta(server: impl Into<String>) -> Self {
        let server = server.into();
        let problem = (!server.contains("/oauth2/")).then(|| {
            String::from(
                "the organization's own server issues no tokens for APIs; name a custom one, \
                 as `https://….okta.com/oauth2/default`",
            )
        });
        let mut issuer = Self::new(server).token_profile(TokenProfile::Lenient);
        // Okta has names of its own for the claims of users and of clients.
        issuer.mapping.subject = ClaimPath::from("uid");
        issuer.mapping.client = vec![ClaimPath::from("cid")];
        issuer.problem = problem;
        issuer
    }
}

#[cfg(test)]
mod tests;
