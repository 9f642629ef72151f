//! Rules for tables that others made: `view`, `ignore`, `accept`, `on_delete`, `computed` and `default = database`.

use std::collections::HashSet;

use crate::api_resource::model::{
    ACTIONS, Attribute, Operation, PECULIARITIES, Resource, action, is_database, is_upsert,
    peculiarity, reference_to,
};
use crate::diagnostics::{Diagnostics, did_you_mean, quoted_list};

/// A view is only read, and made by others anyway.
pub(super) fn check_view(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    let keys = resource.keys();
    if keys.view.value().is_none() {
        return;
    }
    diagnostics.refuse(
        keys.existing.token(),
        "a view is made by others in any case; remove `existing`",
    );
    let named = keys.operations.value().into_iter().flat_map(|it| &it.0);
    for name in named {
        let is_write = Operation::named(name).is_some_and(|it| !it.is_read());
        if is_write || is_upsert(name) {
            diagnostics.report(name, format!("a view is only read; remove `{name}`"));
        }
    }
}

/// Ignored columns belong to no field, and stand once.
pub(super) fn check_ignored(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    let mut seen = HashSet::new();
    for text in resource.keys().ignore.values().flat_map(|it| &it.0) {
        let column = text.value();
        let mut attributes = resource.attributes.iter();
        let field = attributes.find(|it| it.column.text == column);
        if let Some(field) = field {
            let field = &field.field_name;
            diagnostics.report(
                text,
                format!("`{column}` is the column of the field `{field}`; remove one of them"),
            );
        } else if !seen.insert(column.clone()) {
            diagnostics.report(text, format!("`{column}` is named twice; remove one"));
        }
    }
}

/// The peculiarities are known.
pub(super) fn check_accepted(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    let names = || PECULIARITIES.into_iter().map(|(name, _)| name);
    for text in resource.keys().accept.values().flat_map(|it| &it.0) {
        let word = text.value();
        if peculiarity(&word).is_none() {
            let otherwise = format!("the peculiarities are {}", quoted_list(names()));
            let remedy = did_you_mean(&word, names(), &otherwise);
            diagnostics.report(text, format!("unknown peculiarity `{word}`{remedy}"));
        }
    }
}

/// Keys about what others made stand beside `existing`, or `view`.
pub(super) fn check_others_made_it(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    let keys = resource.keys();
    if keys.existing.is_written() || keys.view.is_written() {
        return;
    }
    let of_struct = [
        ("ignore", keys.ignore.token()),
        ("accept", keys.accept.token()),
    ];
    for (key, token) in of_struct {
        diagnostics.refuse(
            token,
            format!("`{key}` is about a table that others made; add `existing` to the struct"),
        );
    }
    for attribute in &resource.attributes {
        let keys = attribute.keys();
        diagnostics.refuse(
            keys.computed.token(),
            "the tables of the service compute nothing; add `existing` to the struct",
        );
        diagnostics.refuse(
            database_default(attribute)
                .then(|| keys.default.token())
                .flatten(),
            "the tables of the service have no defaults of their own; add `existing` to the struct",
        );
    }
}

fn database_default(attribute: &Attribute<'_>) -> bool {
    attribute.keys().default.value().is_some_and(is_database)
}

/// The action of a reference is known, and one that the row can take.
pub(super) fn check_actions(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    let mut attributes = resource.attributes.iter();
    let has_revision = attributes.any(|it| it.keys().revision.is_written());
    let actions = resource.attributes.iter().flat_map(|attribute| {
        let references = attribute.keys().references.values();
        references.filter_map(move |it| Some((attribute, it.on_delete.as_ref()?)))
    });
    for (attribute, text) in actions {
        let word = text.value();
        if action(&word).is_none() {
            let names = || ACTIONS.into_iter().map(|(name, _)| name);
            let otherwise = format!("the actions are {}", quoted_list(names()));
            let remedy = did_you_mean(&word, names(), &otherwise);
            diagnostics.report(text, format!("unknown action `{word}`{remedy}"));
        } else if word == "set_null" && !attribute.is_optional() && !attribute.is_owner {
            diagnostics.report(text, "the field would become null; make it an `Option`");
        } else if word != "cascade" && has_revision {
            diagnostics.report(
                text,
                "the database would change the item, but not its `revision`; remove the `revision`, whose tags would \
                 not notice",
            );
        }
    }
}

/// The parts of one foreign key tell one action, and each of them can take it, in a table of others each that tells it.
pub(super) fn check_actions_of_parts(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    for subresource in &resource.subresources {
        let Some(target) = resource.target(subresource) else {
            continue;
        };
        let parts = subresource.keys.iter().filter_map(|key| {
            let attribute = resource.attribute(&key.text)?;
            let reference = reference_to(&attribute.keys().references, target)?;
            Some((attribute, reference.on_delete.as_ref()))
        });
        let parts: Vec<_> = parts.collect();
        let mut told = parts.iter().filter_map(|(_, action)| *action);
        let Some(first) = told.next() else {
            continue;
        };
        let word = first.value();
        for other in told.filter(|it| it.value() != word) {
            let message = format!("another part of this foreign key says `{word}`; write the same");
            diagnostics.report(other, message);
        }
        // A table of others may keep what tells no action, which the check sees.
        let is_kept = word == "set_null" && resource.keys().existing.is_written();
        // Parts that tell an action are looked at by themselves.
        let silent = parts
            .iter()
            .filter(|(_, action)| action.is_none() && !is_kept);
        for (attribute, _) in silent {
            let name = &attribute.field_name;
            if word == "set_null" && !attribute.is_optional() {
                let message = format!("`{name}` would become null, too; make it an `Option`");
                diagnostics.report(first, message);
            } else if word != "cascade" && attribute.is_owner {
                let message = format!("`{name}` would change, too, but an item keeps its owner");
                diagnostics.report(first, message);
            }
        }
    }
}

/// A computed field has no key about who writes it, and stands beside no revision.
pub(super) fn check_computed(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    let mut attributes = resource.attributes.iter();
    let revised = attributes.any(|it| it.keys().revision.is_written());
    for attribute in &resource.attributes {
        let keys = attribute.keys();
        if keys.computed.value().is_none() {
            continue;
        }
        // On the field itself, `revision` is refused below.
        if revised && !keys.revision.is_written() {
            diagnostics.refuse(
                keys.computed.token(),
                "its changes by the database leave the revision as it is; remove `revision`, so that tags are digests \
                 of the row",
            );
        }
        let others = [
            ("primary_key", keys.primary_key.token()),
            ("read_only", keys.read_only.token()),
            ("write_only", keys.write_only.token()),
            ("write_scope", keys.write_scope.token()),
            ("soft_delete", keys.soft_delete.token()),
            ("revision", keys.revision.token()),
            ("default", keys.default.token()),
            ("default_on_update", keys.default_on_update.token()),
        ];
        for (key, token) in others {
            diagnostics.refuse(
                token,
                format!("the database alone writes a `computed` field; remove `{key}`"),
            );
        }
    }
}
