//! The state of an item that a request names as its precondition (RFC 9110, section 13.1).

use resource_model::error::{ErrorCode, truncate_for_display};
use resource_model::query::Expected;
use resource_model::value::{Key, Record, Value};

use super::Service;
use super::row_tag::{RowTag, TagSource};
use super::write::Write;
use crate::failure::Failure;

/// The state in which the item of a write has to be.
#[derive(Debug, Clone, Default)]
pub(crate) enum Precondition {
    /// Any state: the request has no precondition.
    #[default]
    None,
    /// The item exists (`If-Match: *`), as it has to for every update and deletion.
    ItemExists,
    /// The item has one of these tags (`If-Match`). Tags that no stored row can have are left out, so that none
    /// may be left.
    Tags(Vec<RowTag>),
    /// The item has these values.
    Values(Expected),
    /// There is no such item yet (`If-None-Match: *`).
    Absent,
}

impl Precondition {
    /// The values of the item that the statement of a write compares by itself; none where the item has to be read.
    pub(super) fn of_statement(&self, service: &Service) -> Option<Expected> {
        match self {
            // The statement finds out that there is no item.
            Self::None | Self::ItemExists => Some(Expected::new()),
            Self::Values(expected) => Some(expected.clone()),
            Self::Tags(tags) => match (service.tags, &**tags) {
                (Some(TagSource::Revision(_, attribute)), [RowTag::Revision(revision)]) => {
                    Some(vec![(attribute, Value::Integer(*revision))])
                }
                _ => None,
            },
            Self::Absent => None,
        }
    }

    /// Refuses a write of an item in another state.
    pub(super) fn require(&self, write: &Write, stored: &Record) -> Result<(), Failure> {
        let (service, Some(key)) = (&write.service, &write.key) else {
            return Ok(());
        };
        let is_met = match self {
            Self::None | Self::ItemExists => true,
            Self::Values(expected) => !write.differs(expected, stored),
            Self::Tags(_) if service.tags.is_none() => {
                return Err(failed(service, key, WITHOUT_TAGS));
            }
            Self::Tags(tags) if tags.is_empty() => {
                return Err(failed(service, key, UNLIKE_ANY_TAG));
            }
            Self::Tags(tags) => {
                let tag = service.tags.and_then(|source| source.of_record(stored));
                tag.is_some_and(|tag| tags.contains(&tag))
            }
            Self::Absent => return Err(failed(service, key, "exists already")),
        };
        is_met.then_some(()).ok_or_else(|| changed(service, key))
    }
}

const WITHOUT_TAGS: &str = "has no `ETag` here; leave `If-Match` out, or send `*`";

/// Reading again would help no client that makes its tags weak, or sends those of another server.
const UNLIKE_ANY_TAG: &str =
    "has none of these tags; send its `ETag` as you got it, without `W/` before it";

/// The failure of a write whose item was changed since it was read.
pub(super) fn changed(service: &Service, key: &Key) -> Failure {
    failed(service, key, "was changed since; read it again")
}

pub(super) fn failed(service: &Service, key: &Key, what: &str) -> Failure {
    let resource = service.definition.name();
    let key = truncate_for_display(&key.to_string());
    let message = format!("the {resource} `{key}` {what}");
    Failure::refused(ErrorCode::PreconditionFailed, message)
}
