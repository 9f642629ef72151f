//! The rules of a resource, one function for each.
//!
//! A rule only reports; it never stops the others, and is itself silent where the mistake that it would
//! report follows from one already reported.

mod attribute_keys;
mod attribute_names;
mod evolution;
mod existing;
mod field_scopes;
mod field_sets;
mod guard;
mod identifiers;
mod limits;
mod owner;
mod primary_key;
mod redacts;
mod required;
mod revision;
mod scopes;
mod serde_keys;
mod soft_delete;
mod spelling;
mod storage;
mod struct_shape;
mod subresources;

use super::model::{Name, Resource, repeated};
use crate::diagnostics::Diagnostics;
pub(crate) use attribute_keys::{check_keyed, check_known, check_written};

type Rule = fn(&Resource<'_>, &mut Diagnostics);

/// All rules, from the whole to its parts.
const RULES: &[Rule] = &[
    // An item that cannot be a resource at all makes every other mistake secondary.
    struct_shape::check_is_struct_with_named_fields,
    struct_shape::check_is_not_generic,
    // Keys are judged as they are spelled, before their meaning.
    attribute_keys::check_container_keys,
    attribute_keys::check_field_keys,
    serde_keys::check_keys_of_serde,
    required::check_required_keys,
    required::check_name,
    required::check_url,
    required::check_version,
    // These rules are about names in the database, in JSON and in code.
    identifiers::check_table,
    identifiers::check_schema,
    identifiers::check_columns,
    identifiers::check_columns_differ,
    attribute_names::check_attribute_names,
    attribute_names::check_attribute_names_differ,
    attribute_names::check_constants_differ,
    // These rules are about the roles and the limits of single fields.
    primary_key::check_there_is_one,
    primary_key::check_is_not_optional,
    primary_key::check_has_no_other_role,
    primary_key::check_is_not_read_only,
    primary_key::check_nothing_else_is_assigned,
    struct_shape::check_options_do_not_nest,
    limits::check_lengths,
    limits::check_ranges,
    storage::check_storage,
    field_scopes::check_read_only_or_write_only,
    field_scopes::check_read_only_can_be_created,
    soft_delete::check_there_is_one,
    soft_delete::check_is_optional,
    soft_delete::check_has_no_other_role,
    revision::check_revision,
    // These rules are about keys of the struct that name its fields.
    subresources::check_subresource_names,
    subresources::check_subresource_names_differ,
    subresources::check_keys_are_distinct,
    subresources::check_keys_reference,
    subresources::check_keys_are_not_hidden,
    subresources::check_references_differ,
    subresources::check_keys_share_a_target,
    subresources::check_several_keys_name_attributes,
    field_sets::check_field_sets,
    redacts::check_names_are_fields,
    redacts::check_names_differ,
    redacts::check_primary_key_is_not_redacted,
    redacts::check_redacted_is_returned,
    redacts::check_keys_are_not_redacted,
    redacts::check_secrets_are_not_unique,
    // The last rules are about the operations and those who may use them.
    guard::check_operations,
    existing::check_view,
    existing::check_ignored,
    existing::check_accepted,
    existing::check_others_made_it,
    existing::check_actions,
    existing::check_actions_of_parts,
    existing::check_computed,
    limits::check_limit_keys,
    limits::check_limit_order,
    guard::check_scope_keys,
    guard::check_public_has_no_scope,
    guard::check_rules_cover_operations,
    guard::check_operations_are_covered,
    owner::check_owner_keys,
    owner::check_field,
    owner::check_claim,
    owner::check_has_no_other_role,
    owner::check_operations_have_callers,
    field_scopes::check_scopes_are_not_superfluous,
    field_scopes::check_hidden_fields_are_filled,
    field_scopes::check_primary_key_has_none,
    field_scopes::check_owner_has_none,
    scopes::check_scopes,
    scopes::check_scopes_differ,
    // These rules are about other versions.
    evolution::check_follows,
    evolution::check_breaks,
    evolution::check_truncation,
    evolution::check_readers,
    evolution::check_deprecations,
];

/// No name stands twice in a list.
fn check_differ<'name>(
    names: impl IntoIterator<Item = &'name Name>,
    diagnostics: &mut Diagnostics,
) {
    for name in repeated(names) {
        diagnostics.report(name, format!("`{name}` is named twice; remove one"));
    }
}

/// The mistakes of `resource`.
pub(crate) fn check(resource: &Resource<'_>) -> Diagnostics {
    let mut diagnostics = Diagnostics::default();
    // The rules do not depend on each other, so their order is that of the messages and nothing else.
    for rule in RULES {
        rule(resource, &mut diagnostics);
    }
    diagnostics
}
