use axum::http::Uri;
use resource_oauth2::issuing::{check_url, origin_and_path};
use resource_runtime::authorization::Scopes;
use resource_runtime::seam::excerpt;

use super::builder::AuthorizationServerBuilder;

/// Every mistake of the settings.
pub(super) fn of(builder: &AuthorizationServerBuilder) -> Vec<String> {
    let own = [
        of_address("issuer", &builder.issuer),
        of_address("resource", &builder.resource),
        of_keys(builder),
        of_host(builder),
        of_rates(builder),
    ];
    let of_scopes = builder.scopes.iter().filter_map(|scope| of_scope(scope));
    own.into_iter()
        .flatten()
        .chain(of_scopes)
        .chain(builder.lifetimes.mistakes())
        .map(|mistake| format!("authorization server: {mistake}"))
        .collect()
}

fn of_address(what: &str, address: &str) -> Option<String> {
    if address.is_empty() {
        return Some(format!("it has no {what}; name it with `.{what}(…)`"));
    }
    if let Err(mistake) = check_url(address, true) {
        return Some(format!("the {what} {mistake}"));
    }
    let has_query = address.parse::<Uri>().is_ok_and(|it| it.query().is_some());
    let (_, path) = origin_and_path(address);
    // The path becomes one of our own routes.
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    (has_query || !path.bytes().all(plain)).then(|| {
        let shown = excerpt(address);
        format!("the {what} `{shown}` must have neither a query nor an escaped path")
    })
}

fn of_keys(builder: &AuthorizationServerBuilder) -> Option<String> {
    builder.key_protection.is_none().then(|| {
        "it is not said how its keys are kept; seal them with `.sealing_key(…)`, or, for \
         development, keep them with `.unsealed_keys()`"
            .to_owned()
    })
}

fn of_host(builder: &AuthorizationServerBuilder) -> Option<String> {
    builder
        .host
        .is_none()
        .then(|| "nobody knows its users; name who does with `.resource_owner(…)`".to_owned())
}

fn of_rates(builder: &AuthorizationServerBuilder) -> Option<String> {
    let limits = builder.rate_limits;
    [limits.per_client, limits.per_address, limits.failures]
        .contains(&Some(0))
        .then(|| "a rate of zero lets nobody in; allow at least 1, or start from `RateLimits::unlimited()`".to_owned())
}

fn of_scope(scope: &str) -> Option<String> {
    let shown = excerpt(scope);
    if scope == "openid" {
        return Some("the scope `openid` promises ID tokens, which it does not issue".to_owned());
    }
    let alone: Scopes = [scope].into_iter().collect();
    alone.is_empty().then(|| {
        format!("the scope `{shown}` must be of visible ASCII characters without `\"` and `\\`")
    })
}
