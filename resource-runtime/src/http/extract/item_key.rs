//! The key of an item in a path.

use axum::extract::RawPathParams;
use axum::extract::rejection::RawPathParamsRejection;
use resource_model::error::ApiError;
use resource_model::schema::ResourceDefinition;
use resource_model::value::Key;

/// The key in a path. A key of the wrong type names no item, so the answer is that of an item that
/// does not exist.
pub(crate) fn item_key(
    definition: &ResourceDefinition,
    path: Result<RawPathParams, RawPathParamsRejection>,
) -> Result<Key, ApiError> {
    let text =
        path_parameter(path, "id").ok_or_else(|| ApiError::no_such_item(definition.name(), "…"))?;
    // A path has one segment for the key, which therefore is a key of one attribute.
    let value = definition.primary_key().and_then(|it| it.spelled(&text));
    let key = value.map(Key::from);
    key.ok_or_else(|| ApiError::no_such_item(definition.name(), &text))
}

/// The parameter `name` of our own route: the last of that name, as the router may be nested under
/// a path with parameters of its own.
pub(crate) fn path_parameter(
    path: Result<RawPathParams, RawPathParamsRejection>,
    name: &str,
) -> Option<String> {
    let path = path.ok()?;
    let named = path.iter().filter(|(key, _)| *key == name);
    named.last().map(|(_, value)| value.to_owned())
}
