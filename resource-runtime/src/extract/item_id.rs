use axum::extract::RawPathParams;
use axum::extract::rejection::RawPathParamsRejection;

use crate::error::{ApiError, ErrorCode, excerpt};
use crate::schema::{Attribute, ResourceDefinition};
use crate::value::{Integer, Value, integer};

/// The identifier in a path. One of the wrong type names no item, so the answer is that of an
/// item that does not exist.
pub(crate) fn item_id(
    definition: &ResourceDefinition,
    path: Result<RawPathParams, RawPathParamsRejection>,
) -> Result<Value, ApiError> {
    let text = path_parameter(path, "id").ok_or_else(|| no_such_item(definition, "…"))?;
    let key = definition.primary_key();
    let id = key.and_then(|key| identifier(key, &text));
    id.ok_or_else(|| no_such_item(definition, &text))
}

/// The value of `key` that `text` spells. An integer is spelled in one way, so that an item has
/// one address.
fn identifier(key: &Attribute, text: &str) -> Option<Value> {
    let value = match (key.kind().integer_range(), integer(text)) {
        (Some((least, greatest)), Integer::Exact(id))
            if (least..=greatest).contains(&id) && id.to_string() == text =>
        {
            Value::Integer(id)
        }
        (Some(_), _) => return None,
        (None, _) if text.contains('\0') => return None,
        (None, _) => Value::Text(text.to_owned()),
    };
    key.normalise(value).ok()
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

pub(crate) fn no_such_item(definition: &ResourceDefinition, id: &str) -> ApiError {
    let name = definition.name();
    ApiError::new(
        ErrorCode::NoSuchItem,
        format!("the {name} `{}` does not exist", excerpt(id)),
    )
}
