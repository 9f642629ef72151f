//! The state of an item that a request names as its precondition (RFC 9110, section 13.1).

use std::fmt;

use resource_model::error::{ErrorCode, truncate_for_display};
use resource_model::value::Key;

use super::{Service, require_item};
use crate::authorization::Caller;
use crate::failure::Failure;
use crate::items::Transaction;

/// The state in which the item of a write has to be.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Precondition {
    /// Any state: the request has no precondition.
    #[default]
    None,
    /// The item exists (`If-Match: *`), as it has to for every update and deletion.
    ItemExists,
    /// The item has one of these tags (`If-Match`). Tags that no stored row can have are left out, so that none
    /// may be left.
    Tags(Vec<RowTag>),
    /// There is no such item yet (`If-None-Match: *`).
    Absent,
}

impl Precondition {
    /// Refuses the write of an item that is not in the state.
    pub(super) async fn require(
        &self,
        service: &Service,
        caller: &Caller,
        key: &Key,
        within: Option<&mut Transaction>,
    ) -> Result<(), Failure> {
        // A missing item is reported first, and by the write itself where the item only has to exist.
        if matches!(self, Self::None | Self::ItemExists) {
            return Ok(());
        }
        Box::pin(require_item(service, caller, key, within)).await?;
        self.require_of_unread(service, key)
    }

    /// Refuses the write of an item that exists, whose state was not read.
    pub(super) fn require_of_unread(&self, service: &Service, key: &Key) -> Result<(), Failure> {
        match self {
            Self::None | Self::ItemExists => Ok(()),
            Self::Tags(_) => Err(changed(service, key)),
            Self::Absent => Err(failed(service, key, "exists already")),
        }
    }
}

/// The failure of a write whose item was changed since it was read.
pub(super) fn changed(service: &Service, key: &Key) -> Failure {
    failed(service, key, "was changed since; read it again")
}

fn failed(service: &Service, key: &Key, what: &str) -> Failure {
    let resource = service.definition.name();
    let key = key.to_string();
    let key = truncate_for_display(&key);
    let message = format!("the {resource} `{key}` {what}");
    Failure::refused(ErrorCode::PreconditionFailed, message)
}

/// The first part of an entity tag, which tells the state of a stored row: equal for all answers about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowTag {
    /// The value of the attribute that each write changes.
    Revision(i64),
    /// A digest of all attributes.
    Digest(u128),
}

impl RowTag {
    /// The tag of this text; none where no row has it.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let tag = match text.split_at_checked(1)? {
            ("r", revision) => Self::Revision(revision.parse().ok()?),
            ("d", digest) => Self::Digest(u128::from_str_radix(digest, 16).ok()?),
            _ => return None,
        };
        // Tags are compared as texts, and a number has several.
        (tag.to_string() == text).then_some(tag)
    }
}

impl fmt::Display for RowTag {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Revision(revision) => write!(formatter, "r{revision}"),
            Self::Digest(digest) => write!(formatter, "d{digest:032x}"),
        }
    }
}
