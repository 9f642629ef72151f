//! The keys of `#[resource(…)]` on a field.

use darling::FromMeta;
use syn::{Expr, LitStr};

use super::form::UnknownKeys;
use super::requirement::TAKES_SCOPES;
use super::scalar::{Count, Flag};
use super::{Key, KeyDescription, Number, References, Requirement};

/// The keys of a field.
#[derive(Debug, Default, FromMeta)]
pub(crate) struct FieldKeys {
    #[darling(multiple)]
    pub(crate) primary_key: Key<Flag>,
    #[darling(multiple)]
    pub(crate) assigned: Key<Flag>,
    #[darling(multiple)]
    pub(crate) max_length: Key<Count>,
    #[darling(multiple)]
    pub(crate) min_length: Key<Count>,
    #[darling(multiple)]
    pub(crate) min: Key<Number>,
    #[darling(multiple)]
    pub(crate) max: Key<Number>,
    #[darling(multiple)]
    pub(crate) unique: Key<Flag>,
    #[darling(multiple)]
    pub(crate) index: Key<Flag>,
    #[darling(multiple)]
    pub(crate) references: Key<References>,
    #[darling(multiple)]
    pub(crate) read_only: Key<Flag>,
    #[darling(multiple)]
    pub(crate) write_only: Key<Flag>,
    #[darling(multiple)]
    pub(crate) read_scope: Key<Requirement>,
    #[darling(multiple)]
    pub(crate) write_scope: Key<Requirement>,
    #[darling(multiple)]
    pub(crate) default: Key<Expr>,
    #[darling(multiple)]
    pub(crate) default_on_update: Key<Expr>,
    #[darling(multiple)]
    pub(crate) rename: Key<LitStr>,
    #[darling(multiple)]
    pub(crate) column: Key<LitStr>,
    #[darling(flatten)]
    pub(crate) unknown: UnknownKeys,
}

impl FieldKeys {
    /// Every key with its form; a new key does not compile before it is described here.
    #[rustfmt::skip]
    pub(crate) fn describe(&self) -> [KeyDescription<'_>; 17] {
        let Self {
            primary_key, assigned, max_length, min_length, min, max, unique, index, references,
            read_only, write_only, read_scope, write_scope, default, default_on_update, rename,
            column, unknown: _,
        } = self;
        [
            KeyDescription::once("primary_key", "takes no value", primary_key),
            KeyDescription::once("assigned", "takes no value", assigned),
            KeyDescription::once("max_length", "takes a whole number up to 4294967295: `max_length = 80`", max_length),
            KeyDescription::once("min_length", "takes a whole number up to 4294967295: `min_length = 1`", min_length),
            KeyDescription::once("min", "takes a finite number, an integer of 64 bits or a double: `min = 0`", min),
            KeyDescription::once("max", "takes a finite number, an integer of 64 bits or a double: `max = 100`", max),
            KeyDescription::once("unique", "on a field takes no value", unique),
            KeyDescription::once("index", "on a field takes no value", index),
            KeyDescription::once("references", "takes a type, or a type and one of its attributes: `references = Address` or `references(Address, country)`", references),
            KeyDescription::once("read_only", "takes no value", read_only),
            KeyDescription::once("write_only", "takes no value", write_only),
            KeyDescription::once("read_scope", TAKES_SCOPES, read_scope),
            KeyDescription::once("write_scope", TAKES_SCOPES, write_scope),
            KeyDescription::once("default", "takes an expression: `default = 0`", default),
            KeyDescription::once("default_on_update", "takes an expression: `default_on_update = Utc::now()`", default_on_update),
            KeyDescription::once("rename", "takes a string: `rename = \"kind\"`", rename),
            KeyDescription::once("column", "takes a string: `column = \"kind\"`", column),
        ]
    }
}
