//! The key of an item in a path.

use axum::extract::RawPathParams;
use axum::extract::rejection::RawPathParamsRejection;
use axum::http::Uri;
use resource_model::error::ApiError;
use resource_model::schema::ResourceDefinition;
use resource_model::value::Key;

/// The parameters of a path, as the router found them.
pub(crate) type PathParameters = Result<RawPathParams, RawPathParamsRejection>;

/// The key in a path. A key of the wrong type names no item, so the response is that of an item that
/// does not exist.
pub(crate) fn item_key(
    definition: &ResourceDefinition,
    path: PathParameters,
    uri: &Uri,
) -> Result<Key, ApiError> {
    let no_item = |key: &str| ApiError::no_such_item(definition.name(), key);
    // A segment that is not UTF-8 once decoded is no key, and cannot be shown either.
    let decoded = path_parameter(path, "id").ok_or_else(|| no_item("…"))?;
    let mut segment = &*decoded;
    if definition.has_composite_key() {
        // As it was sent: a comma between parts differs from one within a part.
        segment = uri.path().rsplit('/').next().unwrap_or_default();
    }
    definition.key_of(segment).ok_or_else(|| no_item(&decoded))
}

/// The parameter `name` of our own route: the last of that name, as the router may be nested under
/// a path with parameters of its own.
pub(crate) fn path_parameter(path: PathParameters, name: &str) -> Option<String> {
    let path = path.ok()?;
    let named = path.iter().filter(|(key, _)| *key == name);
    named.last().map(|(_, value)| value.to_owned())
}
