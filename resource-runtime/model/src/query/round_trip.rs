//! The property that fuzzing tests: a parsed tree prints a text that parses to the same tree.

use std::fmt::{Debug, Display};

use super::token_stream::QueryError;
use super::{QueryLimits, parse, resolve};
use crate::authorization::View;
use crate::schema::ResourceDefinition;

pub(crate) fn fuzz_filter(definition: &ResourceDefinition, text: &str) {
    if let Some(tree) = round_trip(text, parse::filter, ToString::to_string) {
        // Resolution may refuse the names, but must not panic.
        let _ = resolve::filter(View::unrestricted(definition), &tree);
    }
}

pub(crate) fn fuzz_order(definition: &ResourceDefinition, text: &str) {
    if let Some(criteria) = round_trip(text, parse::order, |it| list(it)) {
        let _ = resolve::order(View::unrestricted(definition), &criteria);
    }
}

pub(crate) fn fuzz_fields(definition: &ResourceDefinition, text: &str) {
    if let Some(items) = round_trip(text, parse::fields, |it| list(it)) {
        let _ = resolve::fields(View::unrestricted(definition), &items, QueryLimits::new());
    }
}

fn round_trip<T: PartialEq + Debug>(
    text: &str,
    parse: fn(&str, QueryLimits) -> Result<T, QueryError>,
    print: impl Fn(&T) -> String,
) -> Option<T> {
    let tree = parse(text, QueryLimits::new()).ok()?;
    // White space and redundant escapes are lost in print, so that trees are compared, not texts.
    let printed = print(&tree);
    // Escapes can make the printed text longer than a parameter may be.
    if printed.len() <= text.len() {
        let read = parse(&printed, QueryLimits::new());
        assert_eq!(read.as_ref(), Ok(&tree), "printed as {printed}");
    }
    Some(tree)
}

fn list(items: &[impl Display]) -> String {
    // The members of an order and of fields stand beside each other, separated by commas.
    let texts: Vec<String> = items.iter().map(ToString::to_string).collect();
    texts.join(",")
}
