//! Readers of requests: untrusted paths, query strings, headers and bodies become typed data.

mod accept;
mod body;
pub(crate) mod headers;
mod idempotency_key;
mod item_key;
mod object;
mod preconditions;
mod prefer;
mod query_string;
mod record;

pub(crate) use accept::{ErrorForm, Format, error_form, list_format, require_accepts_json};
pub(crate) use body::{MERGE_PATCH, read as body};
pub(crate) use idempotency_key::idempotency_key;
pub(crate) use item_key::{PathParameters, item_key, path_parameter};
pub(crate) use object::{Member, object, without_position};
pub(crate) use preconditions::{EntityTags, entity_tags, precondition};
pub(crate) use prefer::preferred_return;
pub use query_string::{Undecodable, form_decoded};
pub(crate) use query_string::{UnknownParameters, fields, list_parameters};
pub(crate) use record::draft;
