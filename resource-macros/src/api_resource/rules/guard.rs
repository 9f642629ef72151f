//! Rules for access to operations: `operations`, `scopes` and `public`.

use super::attribute_keys::check_keys;
use crate::api_resource::model::{Guard, Operation, Reach, Resource, is_upsert};
use crate::attributes::{Keys, Scopes};
use crate::diagnostics::{Diagnostics, did_you_mean, quoted_list};

/// The keys inside `scopes(…)` are known, well-formed, and each given once.
pub(super) fn check_scope_keys(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    if let Some(Scopes::Named(keys)) = resource.keys().scopes.value() {
        check_keys(&**keys, "`scopes`", diagnostics);
    }
}

/// A public operation requires no scope.
pub(super) fn check_public_has_no_scope(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    let guard = resource.guard.as_ref();
    let Some((guard, public)) = guard.and_then(|guard| Some((guard, guard.public?))) else {
        return;
    };
    let mut rules = guard.rules.iter();
    // `scopes` alone makes two rules of one word, which is underlined once.
    if is_alone(resource) {
        if rules.any(|rule| rule.reach.overlaps(public)) {
            let token = resource.keys().scopes.token();
            diagnostics.report(token, alone_and(public, resource));
        }
        return;
    }
    for rule in rules.filter(|rule| rule.reach.overlaps(public)) {
        let key = &rule.key;
        diagnostics.report(
            key,
            format!("`{key}` has a scope and is `public`; remove one"),
        );
    }
}

fn is_alone(resource: &Resource<'_>) -> bool {
    matches!(resource.keys().scopes.value(), Some(Scopes::Alone))
}

fn alone_and(public: Reach, resource: &Resource<'_>) -> String {
    if public == Reach::Everything {
        return "`scopes` and `public` exclude each other; remove one".to_owned();
    }
    // The scope of writes is left, under the name that `scopes` alone would give it.
    let resource_name = resource.name.to_ascii_lowercase();
    format!(
        "`scopes` alone stands for `read` too, which is `public`; \
         write `scopes(write = \"{resource_name}.write\")`"
    )
}

/// Every rule of the guard stands for an operation that the resource offers.
pub(super) fn check_rules_cover_operations(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    let Some(guard) = resource.guard.as_ref().filter(|_| is_readable(resource)) else {
        return;
    };
    let is_idle = |reach: Reach| !reach.covers_any(&resource.operations);
    for rule in guard.rules.iter().filter(|rule| is_idle(rule.reach)) {
        let key = &rule.key;
        diagnostics.report(
            key,
            format!("`{key}` stands for none of the `operations`; remove it"),
        );
    }
    // `public` alone stands for every operation, so only `public(read)` can be idle.
    if guard.public.is_some_and(is_idle) {
        diagnostics.report(
            resource.keys().public.token(),
            "`public(read)` stands for none of the `operations`; remove it",
        );
    }
}

/// A guard has a rule for every operation of the resource.
pub(super) fn check_operations_are_covered(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    let Some(guard) = resource.guard.as_ref().filter(|_| is_readable(resource)) else {
        return;
    };
    let operations = resource.operations.iter().copied();
    let open: Vec<_> = operations
        .filter(|operation| !guard.covers(*operation))
        .collect();
    // One error names all operations without a rule, since one key may cover several.
    if !open.is_empty() {
        let keys = resource.keys();
        let names = quoted_list(open.iter().map(|operation| operation.name()));
        let remedy = remedy(&open, guard, resource);
        diagnostics.report(
            // At least one of the keys is written, because there is a guard.
            keys.scopes.token().or(keys.public.token()),
            format!("nothing says who may {names}; {remedy}"),
        );
    }
}

/// The remedy for operations without a rule: the key of a group for several of them, which is safe
/// because a rule for a single operation overrides its group.
fn remedy(open: &[Operation], guard: &Guard, resource: &Resource<'_>) -> String {
    let words: Vec<&str> = match open {
        [only] => vec![only.name()],
        several => [(Reach::Read, "read"), (Reach::Write, "write")]
            .into_iter()
            .filter_map(|(reach, word)| reach.covers_any(several).then_some(word))
            .collect(),
    };
    let scopes: Vec<String> = words.iter().map(|word| format!("{word} = \"…\"")).collect();
    if resource.keys().scopes.is_written() {
        // `public(read)` would contradict a scope that any reading operation has.
        let or_public = if words.contains(&"read") && !guard.has_rule_for(Reach::Read) {
            ", or `public(read)`"
        } else {
            ""
        };
        let scopes: Vec<String> = scopes.iter().map(|scope| format!("`{scope}`")).collect();
        format!("add {} to `scopes`{or_public}", scopes.join(" and "))
    } else {
        // Only `public(read)` is written here, so the operations without a rule are writes.
        format!("add `scopes({})`", scopes.join(", "))
    }
}

/// Tells that all keys about operations could be read; otherwise a rule that seems to be missing may
/// be in the part that could not.
fn is_readable(resource: &Resource<'_>) -> bool {
    let keys = resource.keys();
    let scopes_are_readable = match keys.scopes.value() {
        // An unknown key may be a misspelling of the missing one.
        Some(Scopes::Named(named)) => named.unknown().is_empty(),
        Some(Scopes::Alone) => true,
        // A key that is written but has no value is malformed.
        None => !keys.scopes.is_written(),
    };
    // The other two keys are judged alike: they are absent, or they have a well-formed value.
    let public_is_readable = !keys.public.is_written() || keys.public.value().is_some();
    let operations = keys.operations.value().map(|names| &names.0);
    let operations_are_readable = match operations {
        Some(names) => names
            .iter()
            .all(|name| Operation::named(name).is_some() || is_upsert(name)),
        None => !keys.operations.is_written(),
    };
    resource.written.unreadable.is_empty()
        && scopes_are_readable
        && public_is_readable
        && operations_are_readable
}

/// Every named operation is one of the five, named once.
pub(super) fn check_operations(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    let named = resource.keys().operations.value();
    let mut seen = Vec::new();
    for name in named.into_iter().flat_map(|names| &names.0) {
        match Operation::named(name) {
            None if is_upsert(name) => {}
            None => {
                let operations = Operation::ALL.map(Operation::name);
                let otherwise = format!("the operations are {}", quoted_list(operations));
                let remedy = did_you_mean(&name.to_string(), operations, &otherwise);
                diagnostics.report(name, format!("unknown operation `{name}`{remedy}"));
            }
            // Operations are compared, not words: `r#list` is `list`.
            Some(operation) if seen.contains(&operation) => {
                diagnostics.report(name, format!("`{name}` is named twice; remove one"));
            }
            Some(operation) => seen.push(operation),
        }
    }
}
