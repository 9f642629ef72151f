use quote::ToTokens;
use syn::ext::IdentExt;

use super::spelling::kebab_plural;
use crate::api_resource::model::Resource;
use crate::attributes::ContainerKeys;
use crate::diagnostics::{Diagnostics, nearest};

/// `name`, `url` and `version` are given; each error spells a value for this very struct.
pub(super) fn check_required_keys(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    if !resource.written.unreadable.is_empty() {
        return;
    }
    let struct_name = resource.input.ident.unraw().to_string();
    let collection = format!("/{}", kebab_plural(&struct_name));
    let keys = resource.keys();
    let required = [
        ("name", keys.name.is_written(), struct_name),
        ("url", keys.url.is_written(), collection),
        ("version", keys.version.is_written(), "1.0".to_owned()),
    ];
    for (key, is_written, example) in required {
        if !is_written && !is_misspelled(key, keys) {
            diagnostics.report(
                &resource.input.ident,
                format!("missing `{key}`; add `{key} = \"{example}\"` to `#[resource(…)]`"),
            );
        }
    }
}

/// A misspelled key is reported where it stands, and not as missing too.
fn is_misspelled(key: &str, keys: &ContainerKeys) -> bool {
    let names = keys.describe().map(|known| known.name);
    keys.unknown.iter().any(|unknown| {
        let spelling = unknown.to_token_stream().to_string();
        nearest(&spelling, names) == Some(key)
    })
}
