use std::sync::Arc;

use axum::Router;
use axum::handler::Handler;
use axum::routing::{MethodRouter, any, get, post};
use resource_oauth2::issuing::{PROTECTED_RESOURCE, origin_and_path};
use resource_runtime::seam::with_middleware;
use tower_http::catch_panic::CatchPanicLayer;

use crate::authorization_server::Shared;
use crate::{answer, authorize, introspect, metadata, page, revoke, token};

const SERVER: &str = "/.well-known/oauth-authorization-server";

type Routes = Router<Arc<Shared>>;

/// The endpoints, with the outermost layer that the API's have, too.
pub(super) fn router(shared: &Arc<Shared>) -> Router {
    let pages = Router::new()
        .route("/oauth/authorize", any(authorize::authorize))
        .layer(CatchPanicLayer::custom(page::panicked));
    let others = published(shared)
        .layer(CatchPanicLayer::custom(answer::panicked))
        .merge(pages);
    let for_clients = for_clients().layer(CatchPanicLayer::custom(answer::panicked));
    let finished = |routes: Routes, by_origin| {
        with_middleware(routes.with_state(Arc::clone(shared)), by_origin)
    };
    finished(for_clients, true).merge(finished(others, false))
}

fn for_clients() -> Routes {
    let only_post = |endpoint: MethodRouter<_>| endpoint.fallback(answer::method_not_allowed);
    Router::new()
        .route("/oauth/token", only_post(post(token::token)))
        .route("/oauth/revoke", only_post(post(revoke::revoke)))
        .route("/oauth/introspect", only_post(post(introspect::introspect)))
}

/// What everybody may read.
fn published(shared: &Shared) -> Routes {
    let (_, issuer_path) = origin_and_path(&shared.issuer);
    let (_, resource_path) = origin_and_path(&shared.resource);
    let at_issuer = format!("{SERVER}{issuer_path}");
    let at_path = format!("{PROTECTED_RESOURCE}{resource_path}");
    let below_path = format!("{at_path}/{{*below}}");
    let mut routes = Router::new()
        .route("/oauth/jwks", read_only(metadata::key_set))
        .route(&at_issuer, read_only(metadata::of_server))
        .route(PROTECTED_RESOURCE, read_only(metadata::of_resource))
        .route(&format!("{at_path}/"), read_only(metadata::of_resource))
        .route(&below_path, read_only(metadata::of_resource));
    if !resource_path.is_empty() {
        routes = routes.route(&at_path, read_only(metadata::of_resource));
    }
    routes
}

fn read_only<H, T>(handler: H) -> MethodRouter<Arc<Shared>>
where
    H: Handler<T, Arc<Shared>>,
    T: 'static,
{
    get(handler)
        .options(metadata::preflight)
        .fallback(answer::method_not_allowed)
}
