//! Routes of the authorization server.

use std::sync::Arc;

use axum::Router;
use axum::handler::Handler;
use axum::routing::{MethodRouter, any, get, post};
use resource_oauth2::issuing::{PROTECTED_RESOURCE, origin_and_path};
use resource_runtime::shared::with_middleware;
use tower_http::catch_panic::CatchPanicLayer;

use crate::authorization_server::ServerState;
use crate::{authorize, error_page, error_response, introspect, metadata, revoke, token};

const SERVER_METADATA: &str = "/.well-known/oauth-authorization-server";

type Routes = Router<Arc<ServerState>>;

/// The endpoints in the same outermost middleware as those of the API. Responses of the token and revocation
/// endpoints depend on `Origin`; introspection gets the same `Vary: Origin`, though it does not depend on it.
pub(super) fn router(state: &Arc<ServerState>) -> Router {
    // Each kind of endpoint catches panics in its own form: a page for users, JSON for clients.
    let pages = Router::new()
        // All methods: the endpoint refuses wrong ones with a page, and `HEAD` must not run as
        // `GET`.
        .route("/oauth/authorize", any(authorize::authorize))
        .layer(CatchPanicLayer::custom(error_page::panicked));
    let others = metadata_endpoints(state)
        .layer(CatchPanicLayer::custom(error_response::panicked))
        .merge(pages);
    let for_clients = client_endpoints().layer(CatchPanicLayer::custom(error_response::panicked));
    let finish = |routes: Routes, varies_by_origin| {
        with_middleware(routes.with_state(Arc::clone(state)), varies_by_origin)
    };
    finish(for_clients, true).merge(finish(others, false))
}

/// Endpoints that clients call with `POST`.
fn client_endpoints() -> Routes {
    let only_post =
        |endpoint: MethodRouter<_>| endpoint.fallback(error_response::method_not_allowed);
    Router::new()
        .route("/oauth/token", only_post(post(token::token)))
        .route("/oauth/revoke", only_post(post(revoke::revoke)))
        .route("/oauth/introspect", only_post(post(introspect::introspect)))
}

/// Public documents. The metadata of the resource is also found below its path, where clients look
/// for that of a single URL.
fn metadata_endpoints(state: &ServerState) -> Routes {
    let (_, issuer_path) = origin_and_path(&state.issuer);
    let (_, resource_path) = origin_and_path(&state.resource);
    // The well-known segment stands between the host and the path (RFC 8414, section 3.1; RFC 9728,
    // section 3.1).
    let at_issuer = format!("{SERVER_METADATA}{issuer_path}");
    let at_path = format!("{PROTECTED_RESOURCE}{resource_path}");
    let below_path = format!("{at_path}/{{*below}}");
    let mut routes = Router::new()
        .route("/oauth/jwks", read_only(metadata::key_set))
        .route(&at_issuer, read_only(metadata::server))
        .route(PROTECTED_RESOURCE, read_only(metadata::resource))
        .route(&format!("{at_path}/"), read_only(metadata::resource))
        .route(&below_path, read_only(metadata::resource));
    // Without a path this is the route above, and axum panics at a route that is added twice.
    if !resource_path.is_empty() {
        routes = routes.route(&at_path, read_only(metadata::resource));
    }
    routes
}

fn read_only<H, T>(handler: H) -> MethodRouter<Arc<ServerState>>
where
    H: Handler<T, Arc<ServerState>>,
    T: 'static,
{
    get(handler)
        .options(metadata::preflight)
        .fallback(error_response::method_not_allowed)
}
