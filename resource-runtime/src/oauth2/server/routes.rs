use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};

use super::metadata;
use super::shared::Shared;
use super::{authorize, introspect, revoke, token};
use crate::oauth2::well_known::{PROTECTED_RESOURCE, origin_and_path};
use crate::routing::{Answers, finished};

const SERVER: &str = "/.well-known/oauth-authorization-server";

/// The endpoints, with the outermost layer that the API's have, too.
pub(super) fn router(shared: &Arc<Shared>) -> Router {
    let (_, issuer_path) = origin_and_path(&shared.issuer);
    let (_, resource_path) = origin_and_path(&shared.resource);
    let server = format!("{SERVER}{issuer_path}");
    let mut routes = Router::new()
        .route(
            "/oauth/authorize",
            get(authorize::begin).post(authorize::decide),
        )
        .route("/oauth/token", post(token::token))
        .route("/oauth/revoke", post(revoke::revoke))
        .route("/oauth/introspect", post(introspect::introspect))
        .route("/oauth/jwks", get(metadata::key_set))
        .route(&server, get(metadata::of_server))
        .route(PROTECTED_RESOURCE, get(metadata::of_resource))
        .route(
            &format!("{PROTECTED_RESOURCE}{resource_path}/{{*below}}"),
            get(metadata::of_resource),
        );
    if !resource_path.is_empty() {
        let at_path = format!("{PROTECTED_RESOURCE}{resource_path}");
        routes = routes.route(&at_path, get(metadata::of_resource));
    }
    let answers = Answers {
        base: None,
        private: false,
    };
    finished(routes.with_state(Arc::clone(shared)), answers)
}
