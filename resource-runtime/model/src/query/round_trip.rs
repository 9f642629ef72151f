//! The property that fuzzing tests: a parsed tree prints a text that parses to the same tree.

use std::fmt::Display;

use super::cursor::Mistake;
use super::{QueryLimits, parse, resolve};
use crate::authorization::View;
use crate::schema::ResourceDefinition;

pub(crate) fn fuzz_filter(definition: &ResourceDefinition, text: &str, limits: QueryLimits) {
    if let Some(tree) = round_trip(
        text,
        |text| parse::filter(text, limits),
        ToString::to_string,
    ) {
        let _ = resolve::filter(View::whole(definition), &tree);
    }
}

pub(crate) fn fuzz_order(definition: &ResourceDefinition, text: &str, limits: QueryLimits) {
    if let Some(criteria) = round_trip(text, |text| parse::order(text, limits), |it| list(it)) {
        let _ = resolve::order(View::whole(definition), &criteria);
    }
}

pub(crate) fn fuzz_fields(definition: &ResourceDefinition, text: &str, limits: QueryLimits) {
    if let Some(items) = round_trip(text, |text| parse::fields(text, limits), |it| list(it)) {
        let _ = resolve::fields(View::whole(definition), &items);
    }
}

fn round_trip<T: PartialEq + std::fmt::Debug>(
    text: &str,
    read: impl Fn(&str) -> Result<T, Mistake>,
    print: impl Fn(&T) -> String,
) -> Option<T> {
    let tree = read(text).ok()?;
    let printed = print(&tree);
    // Escapes can make the printed text longer than a parameter may be.
    if printed.len() <= text.len() {
        assert_eq!(read(&printed).as_ref(), Ok(&tree), "printed as {printed}");
    }
    Some(tree)
}

fn list(items: &[impl Display]) -> String {
    let texts: Vec<String> = items.iter().map(ToString::to_string).collect();
    texts.join(",")
}
