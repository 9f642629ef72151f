use axum::extract::Path;
use axum::extract::rejection::PathRejection;

use crate::error::{ApiError, ErrorCode, excerpt};
use crate::schema::ResourceDefinition;
use crate::value::{Integer, Value, integer};

/// The identifier in a path. One of the wrong type names no item, so the answer is that of an
/// item that does not exist.
pub(crate) fn item_id(
    definition: &ResourceDefinition,
    segment: Result<Path<String>, PathRejection>,
) -> Result<Value, ApiError> {
    let Path(text) = segment.map_err(|_| no_such_item(definition, "…"))?;
    let range = definition
        .primary_key()
        .and_then(|key| key.kind().integer_range());
    match (integer(&text), range) {
        (Integer::Exact(id), Some((least, greatest)))
            if (least..=greatest).contains(&id) && id.to_string() == text =>
        {
            Ok(Value::Integer(id))
        }
        _ => Err(no_such_item(definition, &text)),
    }
}

pub(crate) fn no_such_item(definition: &ResourceDefinition, id: &str) -> ApiError {
    let name = definition.name();
    ApiError::new(
        ErrorCode::NoSuchItem,
        format!("the {name} `{}` does not exist", excerpt(id)),
    )
}
