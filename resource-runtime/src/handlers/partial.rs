//! The part of an item that a caller may see.

use std::fmt;
use std::marker::PhantomData;

use resource_model::value::{Record, Value};
use serde::ser::{Error as _, SerializeMap as _};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::json;
use crate::{ApiResource, Column, FieldValue};

/// An item as the caller of an [`Access`](super::Access) sees it: without the attributes that are hidden from them, and
/// as the validator's format hook leaves it. In JSON it is what a `GET` answers.
///
/// ```
/// use resource_runtime::handlers::{Access, Partial, Path, Reply};
/// # use resource_runtime::{ApiResource, CustomError, Error};
/// # #[derive(ApiResource)]
/// # #[resource(name = "Note", url = "/notes", version = "1.0")]
/// # struct Note { id: i64, title: String, body: String }
/// # const NO_NOTE: CustomError = CustomError::new(20000, 404, "No such note");
///
/// async fn note(access: Access, Path(id): Path<i64>) -> Result<Reply<Partial<Note>>, Error> {
///     let note = access.items::<Note>().get(id).await?;
///     let note = note.ok_or_else(|| NO_NOTE.because(format!("there is no note {id}")))?;
///     if let Some(title) = note.get(Note::TITLE) {
///         println!("{title} is read");
///     }
///     Ok(Reply::ok(note))
/// }
/// # drop(resource_runtime::Api::builder().routes(axum::Router::new().route("/{id}", axum::routing::get(note))));
/// ```
pub struct Partial<R> {
    /// Hidden attributes are absent.
    pub(super) record: Record,
    pub(super) resource: PhantomData<fn() -> R>,
}

impl<R: ApiResource> Partial<R> {
    /// The value of an attribute; `None` where it is hidden from the caller, or another program has stored a value that
    /// is no `T`.
    #[must_use]
    pub fn get<T: FieldValue>(&self, column: Column<R, T>) -> Option<T> {
        let value = self.record.get(column.index())?;
        T::from_value(value.clone()).ok()
    }

    /// The whole item; `None` where any attribute is hidden from the caller.
    #[must_use]
    pub fn into_item(self) -> Option<R> {
        R::from_record(self.record).ok()
    }
}

impl<R: ApiResource> Serialize for Partial<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (index, attribute) in R::ATTRIBUTES.iter().enumerate() {
            let Some(value) = self.record.get(index) else {
                continue;
            };
            let mut bytes = Vec::new();
            let written = json::write(Value::lend(value), attribute.kind(), &mut bytes);
            written.map_err(S::Error::custom)?;
            // Raw, so that no digit of a number is lost.
            let text = String::from_utf8(bytes).map_err(S::Error::custom)?;
            let raw = RawValue::from_string(text).map_err(S::Error::custom)?;
            map.serialize_entry(attribute.name(), &raw)?;
        }
        map.end()
    }
}

/// Leaves the values out, which may be secret.
impl<R: ApiResource> fmt::Debug for Partial<R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let resource = R::DEFINITION.name();
        formatter.debug_tuple("Partial").field(&resource).finish()
    }
}
