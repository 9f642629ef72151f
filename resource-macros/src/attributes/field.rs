//! The keys of `#[resource(…)]` on a field.

use syn::{Expr, Ident, LitStr, TypePath};

use super::key::keys;
use super::requirement::TAKES_SCOPES;
use super::scalar::{Count, Flag};
use super::{Breaks, DeprecatedKeys, Digits, Example, Number, References, Requirement, StoredKeys};

keys! {
    /// The keys of a field.
    FieldKeys {
        primary_key: Flag, once, "takes no value";
        assigned: Flag, once, "takes no value";
        max_length: Count, once, "takes a whole number up to 4294967295: `max_length = 80`";
        min_length: Count, once, "takes a whole number up to 4294967295: `min_length = 1`";
        min: Number, once, "takes a finite number, an integer of 64 bits or a double: `min = 0`";
        max: Number, once, "takes a finite number, an integer of 64 bits or a double: `max = 100`";
        digits: Digits, once, "takes the digits in all and those behind the point: `digits(10, 2)`";
        unique: Flag, once, "on a field takes no value";
        index: Flag, once, "on a field takes no value";
        references: References, repeated, "takes a type, and one of its attributes or an action: `references = Address`, `references(Address, country)` or `references(Address, on_delete = \"cascade\")`";
        computed: Flag, once, "takes no value";
        read_only: Flag, once, "takes no value";
        write_only: Flag, once, "takes no value";
        read_scope: Requirement, once, TAKES_SCOPES;
        write_scope: Requirement, once, TAKES_SCOPES;
        soft_delete: Flag, once, "takes no value";
        revision: Flag, once, "takes no value";
        truncate: Flag, once, "takes no value";
        readable_by: TypePath, once, "takes an older version: `readable_by = SettingV1`";
        breaks: Breaks, repeated, "takes rules and reasons: `breaks(tighter = \"nobody sends more\")`";
        deprecated: DeprecatedKeys, once, "takes a day, and what to use: `deprecated(since = \"2027-01-01\", instead = \"title\")`";
        default: Expr, once, "takes an expression: `default = 0`";
        default_on_update: Expr, once, "takes an expression: `default_on_update = Utc::now()`";
        example: Example, once, "takes a literal: `example = \"Oslo\"` or `example = 42`";
        rename: LitStr, once, "takes a string: `rename = \"kind\"`";
        stored: StoredKeys, once, "takes a form for a database or both: `stored(sqlite = space_text(0), postgres = utc)`";
        column: LitStr, once, "takes a string: `column = \"kind\"`";
        constant: Ident, once, "takes the name of a constant: `constant = KIND`";
    }
}
