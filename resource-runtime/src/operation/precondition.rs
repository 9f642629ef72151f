//! The state of an item that a request names as its precondition (RFC 9110, section 13.1).

use resource_model::error::{ErrorCode, truncate_for_display};
use resource_model::query::Expected;
use resource_model::value::{Key, Record, Value};

use super::row_tag::{RowTag, TagSource};
use super::write::Write;
use super::{Service, require_item};
use crate::failure::Failure;
use crate::items::Transaction;

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
    /// The precondition that the item has these values; none where there are none.
    pub(super) fn of_values(values: Expected) -> Self {
        if values.is_empty() {
            Self::None
        } else {
            Self::Values(values)
        }
    }

    /// Refuses a write of an item in another state, or lets the statement compare the state; returns the item if it was
    /// read.
    pub(super) async fn require(
        &self,
        write: &mut Write,
        writes_values: bool,
        within: Option<&mut Transaction>,
    ) -> Result<Option<Record>, Failure> {
        match self {
            // The write itself finds out that there is no item.
            Self::None | Self::ItemExists if writes_values => Ok(None),
            // On the heap, so that the futures of other writes stay small.
            _ => Box::pin(self.require_stored(write, writes_values, within)).await,
        }
    }

    async fn require_stored(
        &self,
        write: &mut Write,
        writes_values: bool,
        within: Option<&mut Transaction>,
    ) -> Result<Option<Record>, Failure> {
        let (service, Some(key)) = (&write.service, &write.key) else {
            return Ok(None);
        };
        let refused = match self {
            Self::None | Self::ItemExists | Self::Absent => {
                require_item(service, &write.caller, key, within).await?;
                matches!(self, Self::Absent).then(|| failed(service, key, "exists already"))
            }
            Self::Tags(tags) => {
                let source = service.tags;
                // A statement compares one revision by itself.
                if let (Some(TagSource::Revision(_, attribute)), [RowTag::Revision(revision)]) =
                    (source, &**tags)
                    && writes_values
                {
                    let revision = (attribute, Value::Integer(*revision));
                    write.expected.push(revision);
                    return Ok(None);
                }
                let stored = write.read_stored(key, within).await?;
                let tag = source.and_then(|source| source.of_record(&stored));
                if let Some((source, _)) = source.zip(tag.filter(|tag| tags.contains(tag))) {
                    write.expected.extend(source.expected(&stored));
                    return Ok(Some(stored));
                }
                Some(if source.is_none() || tags.is_empty() {
                    failed(service, key, UNLIKE_ANY_TAG)
                } else {
                    changed(service, key)
                })
            }
            Self::Values(expected) if writes_values => {
                write.expected.extend(expected.iter().cloned());
                None
            }
            Self::Values(expected) => {
                let stored = write.read_stored(key, within).await?;
                let differs = write.differs(expected, &stored);
                differs.then(|| changed(service, key))
            }
        };
        refused.map_or(Ok(None), Err)
    }
}

/// Reading again would help no client that makes its tags weak, or sends those of another server.
const UNLIKE_ANY_TAG: &str =
    "has none of these tags; send its `ETag` as you got it, without `W/` before it";

/// The failure of a write whose item was changed since it was read.
pub(super) fn changed(service: &Service, key: &Key) -> Failure {
    failed(service, key, "was changed since; read it again")
}

pub(super) fn failed(service: &Service, key: &Key, what: &str) -> Failure {
    let resource = service.definition.name();
    let key = key.to_string();
    let key = truncate_for_display(&key);
    let message = format!("the {resource} `{key}` {what}");
    Failure::refused(ErrorCode::PreconditionFailed, message)
}
