//! Rules for versions: approvals of breaks, and deprecations.

use std::collections::HashSet;

use super::attribute_keys::check_keys;
use crate::api_resource::model::{Attribute, Name, Resource, day, rules_on};
use crate::attributes::{Breaks, DeprecatedKeys, Key};
use crate::diagnostics::{Diagnostics, did_you_mean, quoted_list};

/// The places of approvals on a struct.
const STRUCT: &[&str] = &["struct", "whole"];

/// Approvals name rules that can be broken where they stand, and reasons.
pub(super) fn check_breaks(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    let keys = resource.keys();
    check_approvals(&keys.breaks, "struct", STRUCT, diagnostics);
    for attribute in &resource.attributes {
        check_approvals(&attribute.keys().breaks, "field", &["field"], diagnostics);
    }
    let fields = resource.attributes.iter().map(|it| &it.keys().breaks);
    for breaks in fields.chain([&keys.breaks]) {
        // A name may have been that of a version which has ended, and need not be followed.
        let mut approvals = breaks.values().flat_map(|it| &it.0);
        if !keys.follows.is_written() && approvals.any(|it| it.rule != "reused") {
            diagnostics.refuse(
                breaks.token(),
                "this struct follows no version whose promises it could break; add `follows = …`",
            );
        }
    }
}

fn check_approvals(
    breaks: &Key<Breaks>,
    here: &str,
    places: &[&str],
    diagnostics: &mut Diagnostics,
) {
    let mut told = HashSet::new();
    for approval in breaks.values().flat_map(|it| &it.0) {
        let word = approval.rule.to_string();
        let names: Vec<_> = approval.places.iter().map(|it| &it.text).collect();
        if !told.insert((word.clone(), names)) {
            diagnostics.report(
                &approval.rule,
                "this break is approved above; keep one reason",
            );
        }
        let is_of_shown =
            here == "struct" && approval.places.iter().any(|it| it.text.contains('.'));
        let rules = rules_on(if is_of_shown { &["shown"] } else { places });
        if !rules.contains(&&*word) {
            let (there, elsewhere) = if here == "field" {
                ("struct", rules_on(STRUCT))
            } else {
                ("field", rules_on(&["field"]))
            };
            let remedy = if elsewhere.contains(&&*word) {
                format!("; it stands on the {there}")
            } else {
                let otherwise = format!("the rules are {}", quoted_list(&rules));
                did_you_mean(&word, rules.iter().copied(), &otherwise)
            };
            diagnostics.report(
                &approval.rule,
                format!("`{word}` is no rule of a {here}{remedy}"),
            );
        }
        if approval.reason.value().trim().is_empty() {
            diagnostics.report(&approval.reason, "write why clients can live with it");
        }
        let has_one_place = rules_on(&["whole"]).contains(&&*word);
        match (here, approval.places.as_slice()) {
            ("field", [place, ..]) => {
                diagnostics.report(&place.token, "on a field, a rule names no place; remove it");
            }
            ("struct", [place, ..]) if has_one_place => {
                let message = format!("a struct has one `{word}`; write `{word} = \"<why>\"`");
                diagnostics.report(&place.token, message);
            }
            ("struct", []) if !has_one_place && rules.contains(&&*word) => {
                let message = format!("name what is meant: `{word}(…) = \"<why>\"`");
                diagnostics.report(&approval.rule, message);
            }
            _ => {}
        }
    }
}

/// A version follows another one.
pub(super) fn check_follows(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    let own = &resource.input.ident;
    if let Some(followed) = resource.keys().follows.value()
        && (followed.path.is_ident("Self") || followed.path.is_ident(own))
    {
        diagnostics.report(followed, "a version follows an older one, not itself");
    }
}

/// A text is cut at a limit, and only where nothing compares what clients read, or hides it from them.
pub(super) fn check_truncation(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    for attribute in &resource.attributes {
        let keys = attribute.keys();
        if !keys.truncate.is_written() {
            continue;
        }
        let mut sets = resource.keys().unique.values().flat_map(|set| &set.0);
        let is_in_a_set = sets.any(|field| Name::from(field).text == attribute.field_name.text);
        let is_unique = keys.unique.is_written() || is_in_a_set;
        let roles = [
            (
                attribute.is_primary_key,
                "clients find items by the primary key",
            ),
            (
                is_unique,
                "of unique texts, the first characters need not be unique",
            ),
            (
                keys.references.is_written(),
                "clients find another item by a reference",
            ),
            (attribute.is_owner, "the owner is the whole text"),
            (
                keys.write_only.is_written(),
                "clients read nothing that is `write_only`",
            ),
            (
                attribute.is_redacted,
                "the validator decides what clients read of it",
            ),
        ];
        let role = roles.into_iter().find(|(has_role, _)| *has_role);
        if let Some((_, reason)) = role {
            diagnostics.refuse(
                keys.truncate.token(),
                format!("{reason}; remove `truncate`"),
            );
        } else if !keys.max_length.is_written() {
            let message = "`truncate` cuts at `max_length`; add `max_length = …`";
            diagnostics.refuse(keys.truncate.token(), message);
        }
    }
}

/// An attribute is held back for an older version, whose clients read it.
pub(super) fn check_readers(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    let own = &resource.input.ident;
    for keys in resource.attributes.iter().map(Attribute::keys) {
        let Some(reader) = keys.readable_by.value() else {
            continue;
        };
        if reader.path.is_ident("Self") || reader.path.is_ident(own) {
            let message = "name an older version that reads what this one stores, not itself";
            diagnostics.report(reader, message);
        } else if keys.write_only.is_written() {
            let message = "clients read nothing that is `write_only`; remove `readable_by`";
            diagnostics.refuse(keys.readable_by.token(), message);
        }
    }
}

/// A deprecation has days that the calendar has, and names what replaces the thing.
pub(super) fn check_deprecations(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    let of_struct = &resource.keys().deprecated;
    check_deprecated_keys(of_struct, diagnostics);
    if let Some(keys) = of_struct.value() {
        diagnostics.refuse(
            keys.instead.token(),
            "a version is replaced by another one; write `successor = …`",
        );
        let own = &resource.input.ident;
        if let Some(successor) = keys.successor.value()
            && (successor.path.is_ident("Self") || successor.path.is_ident(own))
        {
            let message = "a version is replaced by another one, not itself; name that one, or remove `successor`";
            diagnostics.report(successor, message);
        }
    }
    for attribute in &resource.attributes {
        let of_field = &attribute.keys().deprecated;
        check_deprecated_keys(of_field, diagnostics);
        let Some(keys) = of_field.value() else {
            continue;
        };
        diagnostics.refuse(
            keys.successor.token(),
            "an attribute is replaced by another one; write `instead = \"…\"`",
        );
        let names = resource.attributes.iter().map(|it| &*it.name.text);
        let others = names.filter(|it| *it != attribute.name.text);
        if let Some(instead) = keys.instead.value()
            && others.clone().all(|it| it != instead.value())
        {
            let remedy = did_you_mean(&instead.value(), others, "name another attribute");
            diagnostics.report(
                instead,
                format!("no other attribute is `{}`{remedy}", instead.value()),
            );
        }
    }
}

fn check_deprecated_keys(key: &Key<DeprecatedKeys>, diagnostics: &mut Diagnostics) {
    let Some(keys) = key.value() else {
        return;
    };
    check_keys(keys, "`deprecated`", diagnostics);
    if let Some(reason) = keys.reason.value()
        && reason.value().trim().is_empty()
    {
        diagnostics.report(reason, "write why, or remove `reason`");
    }
    if !keys.since.is_written() {
        diagnostics.refuse(key.token(), "say since when: `since = \"2027-01-01\"`");
    }
    for literal in [keys.since.value(), keys.sunset.value()]
        .into_iter()
        .flatten()
    {
        if day(&literal.value()).is_none() {
            diagnostics.report(
                literal,
                "the calendar has no such day; write `\"2027-01-01\"`",
            );
        }
    }
    let days = |key: &Key<syn::LitStr>| key.value().and_then(|it| day(&it.value()));
    if let (Some(since), Some(sunset)) = (days(&keys.since), days(&keys.sunset))
        && sunset <= since
    {
        diagnostics.report(keys.sunset.value(), "the sunset comes after `since`");
    }
}
