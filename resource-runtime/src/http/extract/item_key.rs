//! The key of an item in a path.

use axum::extract::RawPathParams;
use axum::extract::rejection::RawPathParamsRejection;
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
) -> Result<Key, ApiError> {
    let no_item = |key: &str| ApiError::no_such_item(definition.name(), key);
    // A segment that is not UTF-8 once decoded is no key, and cannot be shown either.
    let text = path_parameter(path, "id").ok_or_else(|| no_item("…"))?;
    definition.key_of(&text).ok_or_else(|| no_item(&text))
}

/// The parameter `name` of our own route: the last of that name, as the router may be nested under
/// a path with parameters of its own.
pub(crate) fn path_parameter(path: PathParameters, name: &str) -> Option<String> {
    let path = path.ok()?;
    let named = path.iter().filter(|(key, _)| *key == name);
    named.last().map(|(_, value)| value.to_owned())
}
