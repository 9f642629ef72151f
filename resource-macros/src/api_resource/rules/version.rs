use crate::api_resource::model::{Resource, Version};
use crate::diagnostics::Diagnostics;

/// The version is spelled in the one form that paths use.
pub(super) fn check_version(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    let Some(literal) = resource.keys().version.value() else {
        return;
    };
    let nearest = Version::nearest(&literal.value());
    let spelling = nearest.map(|version| version.to_string());
    if spelling.as_ref() != Some(&literal.value()) {
        let example = spelling.unwrap_or_else(|| "1.0".to_owned());
        diagnostics.report(
            literal,
            format!(
                "`version` must be `<major>.<minor>`, each from 0 to 65535 without leading zeros; \
                 write `version = \"{example}\"`"
            ),
        );
    }
}
