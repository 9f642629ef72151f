//! The tree as text, in one of several styles that mean the same.

use std::fmt::Write as _;

use super::rows::{Datum, Path};
use super::tree::{Filter, Place, Relation};

/// The style in which a tree is written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    /// White space wherever it may stand.
    pub(super) spaced: bool,
    /// Escapes for all characters of strings.
    pub(super) escaped: bool,
    /// Doubles without a fraction as integers.
    pub(super) whole: bool,
}

pub(super) fn print_filter(filter: &Filter, style: Style) -> String {
    let mut tokens = Vec::new();
    push(filter, style, &mut tokens);
    tokens.join(if style.spaced { " \n" } else { "" })
}

pub(super) fn print_order(order: &[(Path, bool)]) -> String {
    let criteria = order.iter().map(|(path, descends)| {
        let direction = if *descends { "desc" } else { "asc" };
        format!("{direction}({})", path.text())
    });
    criteria.collect::<Vec<String>>().join(",")
}

fn push(filter: &Filter, style: Style, tokens: &mut Vec<String>) {
    let (name, path) = match filter {
        Filter::Compare(relation, path, _) => (relation_name(*relation), Some(path)),
        Filter::Like {
            path, ignores_case, ..
        } => (if *ignores_case { "ilike" } else { "like" }, Some(path)),
        Filter::Affix {
            path,
            place,
            ignores_case,
            ..
        } => (affix_name(*place, *ignores_case), Some(path)),
        Filter::In(path, _) => ("in", Some(path)),
        Filter::Has(_) => ("has", None),
        Filter::And(_) => ("and", None),
        Filter::Or(_) => ("or", None),
        Filter::Not(_) => ("not", None),
    };
    tokens.extend([name.to_owned(), String::from("(")]);
    if let Some(path) = path {
        tokens.extend([path.text(), String::from(",")]);
    }
    match filter {
        Filter::Compare(_, _, value) => tokens.push(literal(value, style)),
        Filter::Like { pattern: text, .. } | Filter::Affix { text, .. } => {
            tokens.push(string(text, style));
        }
        Filter::In(_, values) => {
            tokens.push(String::from("["));
            separated(values, tokens, |value, tokens| {
                tokens.push(literal(value, style));
            });
            tokens.push(String::from("]"));
        }
        Filter::Has(filter) => {
            tokens.push(String::from("leaves"));
            if let Some(filter) = filter {
                tokens.push(String::from(","));
                push(filter, style, tokens);
            }
        }
        Filter::And(filters) | Filter::Or(filters) => {
            separated(filters, tokens, |filter, tokens| {
                push(filter, style, tokens);
            });
        }
        Filter::Not(filter) => push(filter, style, tokens),
    }
    tokens.push(String::from(")"));
}

fn separated<T>(items: &[T], tokens: &mut Vec<String>, push: impl Fn(&T, &mut Vec<String>)) {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            tokens.push(String::from(","));
        }
        push(item, tokens);
    }
}

fn relation_name(relation: Relation) -> &'static str {
    match relation {
        Relation::Eq => "eq",
        Relation::Ne => "ne",
        Relation::Gt => "gt",
        Relation::Ge => "ge",
        Relation::Lt => "lt",
        Relation::Le => "le",
    }
}

fn affix_name(place: Place, ignores_case: bool) -> &'static str {
    match (place, ignores_case) {
        (Place::Start, false) => "startswith",
        (Place::Start, true) => "istartswith",
        (Place::End, false) => "endswith",
        (Place::End, true) => "iendswith",
        (Place::Anywhere, false) => "contains",
        (Place::Anywhere, true) => "icontains",
    }
}

fn literal(value: &Datum, style: Style) -> String {
    match value {
        Datum::Null => String::from("null"),
        Datum::Integer(integer) => integer.to_string(),
        Datum::Real(real) if style.whole && real.fract() == 0.0 => format!("{real:.0}"),
        Datum::Real(real) => format!("{real:?}"),
        Datum::Boolean(boolean) => boolean.to_string(),
        Datum::Text(text) => string(text, style),
    }
}

/// A JSON string: escapes where they must be, or for every character.
fn string(text: &str, style: Style) -> String {
    let mut string = String::from("\"");
    for character in text.chars() {
        match character {
            _ if style.escaped => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    let _ = write!(string, "\\u{unit:04x}");
                }
            }
            '"' | '\\' => string.extend(['\\', character]),
            '\n' => string.push_str("\\n"),
            '\t' => string.push_str("\\t"),
            character => string.push(character),
        }
    }
    string.push('"');
    string
}
