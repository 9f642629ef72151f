//! Rules that hold for all keys: known, well-formed, and not repeated.

use quote::ToTokens;
use syn::Path;

use crate::api_resource::model::Resource;
use crate::attributes::KeyDescription;
use crate::diagnostics::{Diagnostics, did_you_mean, quoted_list};

/// The keys of the struct are known, well-formed, and each given once.
pub(super) fn check_container_keys(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    adopt(&resource.written.unreadable, diagnostics);
    let keys = resource.keys();
    check_keys(
        keys.unknown.iter(),
        &keys.describe(),
        "a struct",
        diagnostics,
    );
}

/// The keys of the fields are known, well-formed, and each given once.
pub(super) fn check_field_keys(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    for attribute in &resource.attributes {
        adopt(&attribute.written.unreadable, diagnostics);
        let keys = attribute.keys();
        check_keys(
            keys.unknown.iter(),
            &keys.describe(),
            "a field",
            diagnostics,
        );
    }
}

/// The keys of `owner` are known, well-formed, and each given once.
pub(crate) fn check_keys<'keys>(
    unknown: impl Iterator<Item = &'keys Path>,
    known: &[KeyDescription<'_>],
    owner: &str,
    diagnostics: &mut Diagnostics,
) {
    check_known(unknown, known, owner, diagnostics);
    check_written(known, diagnostics);
}

/// Reports each of `unknown` with the nearest known key.
fn check_known<'keys>(
    unknown: impl Iterator<Item = &'keys Path>,
    known: &[KeyDescription<'_>],
    owner: &str,
    diagnostics: &mut Diagnostics,
) {
    let names = || known.iter().map(|key| key.name);
    for key in unknown {
        let text = key.to_token_stream().to_string();
        let otherwise = all_keys(known, owner);
        let remedy = did_you_mean(&text, names(), &otherwise);
        diagnostics.report(key, format!("unknown key `{text}`{remedy}"));
    }
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
fn check_written(keys: &[KeyDescription<'_>], diagnostics: &mut Diagnostics) {
    for KeyDescription {
        name,
        takes,
        may_repeat,
        written,
    } in keys
    {
        for (index, (key, malformed)) in written.iter().enumerate() {
            if index > 0 && !may_repeat {
                diagnostics.report(key, format!("`{name}` is given twice; keep one of them"));
            } else if let Some(tokens) = malformed {
                diagnostics.report(tokens, format!("`{name}` {takes}"));
            }
        }
    }
}

/// Reports the parts that could not be read as keys.
pub(crate) fn adopt(unreadable: &[syn::Error], diagnostics: &mut Diagnostics) {
    for error in unreadable {
        diagnostics.adopt(error.clone());
    }
}
