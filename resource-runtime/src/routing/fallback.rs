use std::sync::Arc;

use axum::http::{Method, Uri};
use axum::response::Response;

use super::Catalogue;
use crate::encode;
use crate::error::{ErrorCode, Failure};

/// No route has this path.
pub(super) fn unknown_path(catalogue: &Arc<Catalogue>, uri: &Uri) -> Failure {
    Failure::refused(ErrorCode::UnknownPath, catalogue.explain(uri.path()))
}

/// The path's routes do not offer this method; axum adds `Allow` with those that they do.
pub(super) async fn other_method(method: Method) -> Result<Response, Failure> {
    if method == Method::OPTIONS {
        return Ok(encode::options());
    }
    Err(Failure::refused(
        ErrorCode::MethodNotAllowed,
        "this path does not offer the method; the header `Allow` lists those that it does",
    ))
}
