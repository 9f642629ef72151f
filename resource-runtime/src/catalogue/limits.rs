use resource_model::schema::{Attribute, Column, Kind, StoredColumn};

use super::Difference::{self, Fatal};
use super::remedy;
use super::sides::{Sides, listed};

/// Only texts and bytes are as long as clients make them; the other kinds have their own forms.
pub(super) fn lengths(sides: Sides<'_>, needed: &Column, stored: &StoredColumn) -> Vec<Difference> {
    let mut differences = Vec::new();
    let unit = match needed.kind {
        Kind::Text => "characters",
        Kind::Bytes => "bytes",
        _ => return differences,
    };
    let sentence =
        |limit: String, allowed: Option<u32>, asks: &dyn Fn(&Attribute) -> bool, remedy: String| {
            let allowed = allowed.map_or_else(|| String::from("any number"), |it| it.to_string());
            Fatal(format!(
                "{} holds {limit} {unit}, but {} allows {allowed}; {remedy}",
                sides.place(needed.name),
                sides.version_whose(needed.name, asks)
            ))
        };
    let (least, greatest) = (stored.min_length, stored.max_length);
    let fewest = needed.min_length;
    if let Some(least) = least.filter(|least| *least > fewest.unwrap_or(0)) {
        let asks = |attribute: &Attribute| attribute.length_limits().0 == fewest;
        let remedy = remedy::as_in_schema_sql(sides, "length");
        differences.push(sentence(format!("at least {least}"), fewest, &asks, remedy));
    }
    let most = needed.max_length;
    if let Some(greatest) = greatest.filter(|greatest| most.is_none_or(|most| *greatest < most)) {
        let asks = |attribute: &Attribute| attribute.length_limits().1 == most;
        let remedy = remedy::lengthened(sides, needed, stored);
        differences.push(sentence(format!("at most {greatest}"), most, &asks, remedy));
    }
    differences
}

pub(super) fn names(
    sides: Sides<'_>,
    needed: &Column,
    stored: &StoredColumn,
) -> Option<Difference> {
    let taken = stored.names.as_ref()?;
    let is_taken = |name: &&str| taken.iter().any(|taken| taken == name);
    let refused: Vec<&str> = needed
        .names
        .iter()
        .copied()
        .filter(|it| !is_taken(it))
        .collect();
    let (allowed, version) = match refused.first() {
        Some(first) => (
            listed(refused.iter().copied()),
            sides.version_whose(needed.name, |attribute| attribute.names().contains(first)),
        ),
        None if needed.names.is_empty() => (
            String::from("any text"),
            sides.version_whose(needed.name, |attribute| attribute.names().is_empty()),
        ),
        None => return None,
    };
    Some(Fatal(format!(
        "{} holds only {}, but {version} allows {allowed}; {}",
        sides.place(needed.name),
        listed(taken.iter().map(String::as_str)),
        remedy::as_in_schema_sql(sides, "names")
    )))
}
