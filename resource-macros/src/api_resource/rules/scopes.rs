//! Rules for the texts of scopes, wherever they are written.

use super::check_differ;
use crate::api_resource::model::{Requirement, Resource};
use crate::attributes::Scopes;
use crate::diagnostics::Diagnostics;

/// Every requirement that the user wrote, in the order of the keys.
fn requirements<'resource>(
    resource: &'resource Resource<'_>,
) -> impl Iterator<Item = &'resource Requirement> {
    // The scopes of `scopes` alone are derived from the resource's name, which has its own rule.
    let is_written = !matches!(resource.keys().scopes.value(), Some(Scopes::Alone));
    let guard = resource.guard.iter().filter(move |_| is_written);
    let rules = guard.flat_map(|guard| &guard.rules);
    let operations = rules.map(|rule| &rule.requirement);
    let owner = resource.owner.iter();
    let bypass = owner.filter_map(|owner| owner.bypass.as_ref());
    let attributes = resource.attributes.iter();
    let fields =
        attributes.flat_map(|attribute| attribute.read_scope.iter().chain(&attribute.write_scope));
    operations.chain(bypass).chain(fields)
}

/// Every scope has the characters that a token can carry (RFC 6749, section 3.3).
pub(super) fn check_scopes(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    for scope in requirements(resource).flat_map(|requirement| &requirement.scopes) {
        if let Some(mistake) = mistake(&scope.text) {
            diagnostics.report(scope, mistake);
        }
    }
}

fn mistake(scope: &str) -> Option<String> {
    // These are the characters `NQCHAR` of RFC 6749, appendix A.
    let cannot = |character: char| !matches!(character, '!' | '#'..='[' | ']'..='~');
    // An empty scope holds no wrong character, so it is recognised first.
    if scope.is_empty() {
        return Some("a scope is not empty; write one like `\"settings.read\"`".to_owned());
    }
    match scope.chars().find(|character| cannot(*character))? {
        // OAuth writes several scopes in one text with spaces between them, so this mistake has a remedy of
        // its own.
        ' ' => Some(format!(
            "`{scope}` holds a space, which ends a scope; \
             write each in quotes of its own: `any(\"a\", \"b\")` or `all(\"a\", \"b\")`"
        )),
        other => Some(format!(
            "`{}` cannot be a scope because of {other:?}; \
             write visible ASCII characters but `\"` and `\\`",
            // The text is escaped, because a control character could break up the message.
            scope.escape_debug()
        )),
    }
}

/// No requirement names a scope twice.
pub(super) fn check_scopes_differ(resource: &Resource<'_>, diagnostics: &mut Diagnostics) {
    for requirement in requirements(resource) {
        check_differ(&requirement.scopes, diagnostics);
    }
}
