use super::super::mistake::Mistake;
use super::super::selection::{Expansion, Selection};
use super::super::tree::{FieldItem, Name};
use super::path::{no_subresource, readable};
use crate::authorization::View;
use crate::schema::Attribute;

/// The attributes and expansions that an answer holds, in declaration order, each once.
pub(in crate::query) fn fields(view: View<'_>, items: &[FieldItem]) -> Result<Selection, Mistake> {
    let definition = view.definition();
    let mut selected: Vec<&str> = Vec::new();
    let mut expanded: Vec<(usize, Vec<&str>)> = Vec::new();
    for item in items {
        match (
            definition.find_subresource(&item.name.text),
            &item.attributes,
        ) {
            (Some((index, found)), attributes) => {
                let target = view.of(found.target());
                let names = expansion(target, attributes.as_deref())?;
                expanded.push((index, names));
            }
            (None, Some(_)) => return Err(no_subresource(definition, &item.name)),
            (None, None) => selected.push(readable(view, &item.name)?.name()),
        }
    }
    let expansions = definition.all_subresources().iter().enumerate();
    let expansions = expansions.filter_map(|(index, subresource)| {
        let mut names = expanded.iter().filter(|(it, _)| *it == index).peekable();
        names.peek()?;
        let names: Vec<&str> = names.flat_map(|(_, names)| names.iter().copied()).collect();
        let attributes = chosen(view.of(subresource.target()), &names);
        Some(Expansion::new(index, attributes))
    });
    let expansions = expansions.collect();
    Ok(Selection::new(chosen(view, &selected), expansions))
}

/// The attributes of an expanded subresource: those named, or all.
fn expansion(target: View<'_>, names: Option<&[Name]>) -> Result<Vec<&'static str>, Mistake> {
    match names {
        None => Ok(target.readable_attributes().map(Attribute::name).collect()),
        Some(names) => names
            .iter()
            .map(|name| readable(target, name).map(Attribute::name))
            .collect(),
    }
}

/// The named attributes in declaration order.
fn chosen(view: View<'_>, names: &[&str]) -> Vec<&'static Attribute> {
    view.readable_attributes()
        .filter(|attribute| names.contains(&attribute.name()))
        .collect()
}
