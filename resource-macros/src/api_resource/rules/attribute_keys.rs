//! Rules that hold for all keys of `#[resource(…)]`: known, well-formed, and not repeated.

use quote::ToTokens;
use syn::Path;

use crate::api_resource::model::Resource;
use crate::attributes::{KeyDescription, Keyed, Keys};
use crate::diagnostics::{Diagnostics, did_you_mean, nearest, quoted_list};

/// The keys of the struct are known, well-formed, and each given once.
pub(super) fn check_container_keys(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    check_keyed(&resource.written, "a struct", diagnostics);
}

/// The keys of the fields are known, well-formed, and each given once.
pub(super) fn check_field_keys(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    for attribute in &resource.attributes {
        check_keyed(&attribute.written, "a field", diagnostics);
    }
}

/// The parts that could not be read as keys, and the keys of the others.
pub(crate) fn check_keyed(written: &Keyed<impl Keys>, owner: &str, diagnostics: &mut Diagnostics) {
    // A part that cannot be read hides its own keys only, so the others are checked all the same.
    diagnostics.adopt(&written.unreadable);
    check_keys(&written.keys, owner, diagnostics);
}

/// The keys of `owner` are known, well-formed, and each given once.
pub(super) fn check_keys(keys: &impl Keys, owner: &str, diagnostics: &mut Diagnostics) {
    let known = keys.describe();
    check_known(keys.unknown(), &known, owner, diagnostics);
    check_written(&known, diagnostics);
}

/// Reports each of `unknown` with the nearest known key.
pub(crate) fn check_known<'keys>(
    unknown: impl IntoIterator<Item = &'keys Path>,
    known: &[KeyDescription<'_>],
    owner: &str,
    diagnostics: &mut Diagnostics,
) {
    let names = || known.iter().map(|key| key.name);
    for key in unknown {
        // A key may be a path of several segments, which no known key is.
        let text = key.to_token_stream().to_string();
        // Where no known key is near, the error lists all of them.
        let otherwise = all_keys(known, owner);
        let remedy = elsewhere(&text, owner);
        let remedy = remedy.unwrap_or_else(|| did_you_mean(&text, names(), &otherwise));
        diagnostics.report(key, format!("unknown key `{text}`{remedy}"));
    }
}

/// The remedy for a key by which other frameworks say the same.
fn elsewhere(key: &str, owner: &str) -> Option<String> {
    let remedy = match (owner, key) {
        ("a field", "min_value" | "minimum" | "gte") => "did you mean `min`?",
        ("a field", "max_value" | "maximum" | "lte") => "did you mean `max`?",
        ("a field", "max_digits" | "decimal_places") => "write `digits(10, 2)`",
        ("a field", "null" | "nullable" | "blank" | "optional") => {
            "a field that may be null is an `Option`"
        }
        ("a field", "required") => {
            "a field is required, unless it is an `Option` or has a `default`"
        }
        ("a field", "choices") => "the type of the field is an enum that derives `FieldValue`",
        ("a field", "foreign_key") => "did you mean `references`?",
        ("a field", "on_delete") => "write `references(Order, on_delete = \"cascade\")`",
        ("a field", "db_column") => "did you mean `column`?",
        ("a field", "help_text" | "verbose_name" | "description") => {
            "a comment `///` describes the field"
        }
        ("a field", "auto_now_add") => "write `default = Utc::now()`",
        ("a field", "auto_now") => "write `default_on_update = Utc::now()`",
        ("a field", "pattern" | "regex") => "a `validator` checks texts",
        ("a struct", "ordering") => "clients choose the order, as by `order=desc(year)`",
        ("a struct", "permissions") => "write `scopes(read = \"…\", write = \"…\")`",
        ("a struct", "db_table") => "did you mean `table`?",
        ("a struct", "unique_together") => "did you mean `unique`?",
        _ => return None,
    };
    Some(format!("; {remedy}"))
}

fn all_keys(known: &[KeyDescription<'_>], owner: &str) -> String {
    match known {
        [only] => format!("the only key of {owner} is `{}`", only.name),
        several => {
            let names = several.iter().map(|key| key.name);
            format!("the keys of {owner} are {}", quoted_list(names))
        }
    }
}

/// Every value has its key's form, and only keys that may repeat are given twice.
pub(crate) fn check_written(keys: &[KeyDescription<'_>], diagnostics: &mut Diagnostics) {
    for KeyDescription {
        name,
        takes,
        may_repeat,
        written,
    } in keys
    {
        for (index, (key, malformed)) in written.iter().enumerate() {
            // The first occurrence counts, so the value of a repetition is not looked at.
            if index > 0 && !may_repeat {
                diagnostics.report(key, format!("`{name}` is given twice; keep one of them"));
            } else if let Some(tokens) = malformed {
                diagnostics.report(tokens, format!("`{name}` {takes}"));
            }
        }
    }
}

/// Tells that an unknown key is a misspelling of `key`, which is reported there and not as missing, too.
pub(super) fn is_misspelled(key: &str, keys: &impl Keys) -> bool {
    let names: Vec<_> = keys.describe().iter().map(|known| known.name).collect();
    keys.unknown().iter().any(|unknown| {
        let spelling = unknown.to_token_stream().to_string();
        // This is the key that the other error suggests, so each mistake has exactly one error.
        nearest(&spelling, names.iter().copied()) == Some(key)
    })
}
