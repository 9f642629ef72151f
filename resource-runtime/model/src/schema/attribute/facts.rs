//! The facts that an attribute promises by itself. They read fields, as a call costs the compiler more.

use super::{Attribute, Bound};
use crate::schema::Operation;
use crate::schema::constant::{are_equal, is_alike, is_equal};
use crate::schema::evolution::{
    DefaultFact, Flag, Flags, MemberFacts, Role, Scopes, Shape, flags_where,
};
use crate::value::FieldType;

impl Attribute {
    /// Tests in short whether another attribute of this name promises the same; false where that takes a longer look.
    #[allow(
        clippy::redundant_pattern_matching,
        reason = "a call costs the compiler twice as much as a pattern"
    )]
    pub(crate) const fn is_declared_as(&self, other: &Self) -> bool {
        is_alike!(self, other, Attribute {
            same: primary_key assigned unique read_only write_only redacted owner revision truncated computed default_of_database;
            presence: default;
            number: min_length max_length;
            bound: min max;
            absent: deleted_at read_scope write_scope readable_by declared;
            references: references;
            other_name: column;
            free: name description of storage index default_on_update example approvals deprecation;
        }) && is_alike!(self.of, other.of, FieldType {
            variant: kind;
            same: nullable open;
            texts: names;
            free: normalise;
        }) && is_alike!(absent self.storage.digits, other.storage.digits)
    }

    /// Tests in short whether a version may have this attribute though the one that it follows, with the attributes
    /// `before`, has none of its name; false where that takes a longer look.
    #[allow(
        clippy::redundant_pattern_matching,
        reason = "a call costs the compiler twice as much as a pattern"
    )]
    pub(crate) const fn is_free_to_come(&self, mut before: &[Self]) -> bool {
        let column = self.column_name();
        while let [old, others @ ..] = before {
            if is_equal(old.column_name(), column) {
                return false;
            }
            before = others;
        }
        let is_needless = self.of.nullable || matches!(self.default, Some(_));
        is_needless && !self.primary_key
    }

    /// The facts that this attribute promises by itself.
    #[doc(hidden)]
    #[must_use]
    pub const fn facts(&self) -> MemberFacts<'static> {
        let is_created = self.is_accepted_by(Operation::Create);
        let accepts = self.shape();
        MemberFacts {
            name: self.name,
            column: self.column_name(),
            role: match (self.primary_key, self.assigned) {
                (false, _) => Role::Attribute,
                (true, true) => Role::ClientKey,
                (true, false) if self.has_default() => Role::ServiceKey,
                (true, false) => Role::DatabaseKey,
            },
            kind: self.of.kind,
            accepts,
            answers: match self.declared {
                Some(declared) => declared.shape(),
                None => accepts,
            },
            flags: flags_where! {
                // The service knows who owns a new item.
                Required: is_created && self.is_required() && !self.owner,
                ReadOnly: !is_created && !self.is_accepted_by(Operation::Update),
                WriteOnly: self.is_write_only(),
                Redacted: self.redacted,
                Unique: self.unique,
                Reference: self.is_reference(),
                Open: self.of.open,
                Deprecated: self.deprecation.is_some(),
                Truncated: self.truncation().is_some(),
                HeldBack: self.is_to_be_held(),
            },
            default: if self.has_default() {
                DefaultFact::Computed
            } else {
                DefaultFact::None
            },
            read_scopes: Scopes::of(self.read_scope),
            write_scopes: Scopes::of(self.write_scope),
        }
    }

    const fn shape(&self) -> Shape<'static> {
        let (digits, scale) = match self.storage.digits {
            Some((all, scale)) => (Some(all.saturating_sub(scale) as u32), Some(scale as u32)),
            None => (None, None),
        };
        Shape {
            is_nullable: self.of.nullable,
            names: self.of.names,
            limits: [
                counted(self.max_length),
                counted(self.min_length),
                self.max,
                self.min,
                counted(digits),
                counted(scale),
            ],
        }
    }
}

const fn counted(count: Option<u32>) -> Option<Bound> {
    match count {
        Some(count) => Some(Bound::Integer(count as i64)),
        None => None,
    }
}
