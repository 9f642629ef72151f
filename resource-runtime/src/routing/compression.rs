use axum::Router;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::SizeAbove;

/// Smaller answers fit into one packet however they are sent.
const WORTHWHILE: u64 = 1024;

/// Compresses what clients take compressed, and what is worth it.
pub(crate) fn compressed(routes: Router) -> Router {
    let layer = CompressionLayer::new().compress_when(SizeAbove::new(WORTHWHILE));
    routes.layer(layer)
}
