//! What clients of other APIs write, and its form here, for the errors that tell them.

use super::functions::Function;
use super::{QueryLimits, filter};
use crate::authorization::View;
use crate::error::truncate_for_display;

/// The length of the longest filter that an error suggests.
const LONGEST_SUGGESTED: usize = 128;

/// The filter that a client means who sends an attribute as a parameter, where the caller may filter by it. The value may
/// begin with an operator of PostgREST, as in `gte.5`, or the name end with a lookup of Django, as in `price__gte`; a value that
/// does not suit the attribute is left out. `None` where an operator has no function here.
pub fn filter_of_parameter(view: View<'_>, name: &str, value: &str) -> Option<String> {
    let (name, lookup) = name.split_once("__").unwrap_or((name, "eq"));
    view.queryable_attributes().find(|it| it.name() == name)?;
    let (operator, operand) = value.split_once('.').unwrap_or(("", value));
    let (function, value) = match (operator, lookup) {
        ("not", _) => {
            let negated = filter_of_parameter(view, name, operand)?;
            return Some(format!("not({negated})"));
        }
        ("fts" | "plfts" | "phfts" | "wfts", _) => ("icontains", operand),
        // Regular expressions, arrays and ranges.
        ("match" | "imatch" | "cs" | "cd" | "ov" | "sl" | "sr" | "adj", _) => return None,
        (_, "isnull") if ["0", "false", "False"].contains(&value) => ("ne", "null"),
        (_, "isnull") => ("eq", "null"),
        _ => match function_of(operator) {
            Some(function) => (function, operand),
            None => (function_of(lookup)?, value),
        },
    };
    // As a number, or as a text, whichever suits the attribute.
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let written = match function {
        "in" => {
            let members = value.trim_matches(['(', ')']);
            let texts: Vec<_> = members
                .split(',')
                .map(|it| quoted(it.trim_matches('"')))
                .collect();
            [format!("[{members}]"), format!("[{}]", texts.join(","))]
        }
        "like" | "ilike" => [String::new(), quoted(&value.replace('*', "%"))],
        _ => [value.to_owned(), quoted(value)],
    };
    let written = written.map(|value| format!("{function}({name},{value})"));
    let suits = |text: &String| {
        text.len() <= LONGEST_SUGGESTED && filter(view, Some(text), QueryLimits::new()).is_ok()
    };
    let suited = written.into_iter().find(suits);
    suited.or_else(|| Some(format!("{function}({name},…)")))
}

/// The function of an operator that has another name elsewhere, or the same.
fn function_of(operator: &str) -> Option<&str> {
    let name = renamed(operator).unwrap_or(operator);
    Function::of_name(name).map(|_| name)
}

/// The function here of an operator that has another name elsewhere.
fn renamed(operator: &str) -> Option<&'static str> {
    Some(match operator {
        "gte" => "ge",
        "lte" => "le",
        "neq" => "ne",
        "exact" | "is" | "equals" => "eq",
        "iexact" => "ilike",
        _ => return None,
    })
}

/// The remedy for a function that other languages have.
pub(super) fn instead_of_function(name: &str) -> Option<String> {
    let call = match name {
        "isnull" | "is_null" | "null" => "eq(attribute,null)",
        "isnotnull" | "is_not_null" | "notnull" => "ne(attribute,null)",
        "between" | "range" => "and(ge(attribute,1),le(attribute,9))",
        "exists" | "any" | "some" => "has(collection,eq(attribute,1))",
        _ => return renamed(name).map(|it| format!("; did you mean `{it}`?")),
    };
    Some(format!("; write `{call}`"))
}

/// A criterion of an order as other languages write it, in the form here: `name`, `-name`, `name desc`, `name.desc`,
/// `name:desc` or `name.desc.nullslast`.
pub(super) fn criterion(rest: &str) -> Option<String> {
    let written = rest.split([',', ';', ')']).next()?.trim();
    let mut nulls = [".nullsfirst", ".nullslast"].into_iter();
    let written = nulls
        .find_map(|it| written.strip_suffix(it))
        .unwrap_or(written);
    let before = written.strip_prefix('-').map(|path| (path, "desc"));
    let behind = written.rsplit_once([' ', '.', ':']);
    let behind = behind.and_then(|(path, word)| {
        let mut directions = ["asc", "desc"].into_iter();
        let direction = directions.find(|it| word.eq_ignore_ascii_case(it))?;
        Some((path.trim(), direction))
    });
    let (path, direction) = before.or(behind).unwrap_or((written, "asc"));
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '.' || it == '_';
    let is_path =
        path.starts_with(|it: char| it.is_ascii_alphabetic()) && path.chars().all(is_part);
    let path = truncate_for_display(path);
    is_path.then(|| format!("{direction}({path})"))
}
