use super::super::AttributePath;
use super::super::mistake::Mistake;
use super::super::tree::{Name, Path};
use crate::authorization::View;
use crate::error::{did_you_mean, excerpt};
use crate::schema::{Attribute, ResourceDefinition, Subresource};

/// The attribute that a path of a filter or an order names.
pub(super) fn path(view: View<'_>, path: &Path) -> Result<AttributePath, Mistake> {
    let Some(second) = &path.second else {
        return plain(view, &path.first);
    };
    let definition = view.definition();
    let Some((index, subresource)) = definition.find_subresource(&path.first.text) else {
        return Err(no_subresource(definition, &path.first));
    };
    Ok(AttributePath {
        subresource: Some(index),
        attribute: queryable(view.of(subresource.target()), second)?,
    })
}

fn plain(view: View<'_>, name: &Name) -> Result<AttributePath, Mistake> {
    if let Some((_, subresource)) = view.definition().find_subresource(&name.text) {
        let mut attributes = view.of(subresource.target()).queryable_attributes();
        let example = attributes.next();
        let example = example.map_or("id", Attribute::name);
        let text = subresource.name();
        return Err(Mistake::new(
            name.position.0,
            format!("`{text}` is a subresource; name one of its attributes: `{text}.{example}`"),
        ));
    }
    Ok(AttributePath {
        subresource: None,
        attribute: queryable(view, name)?,
    })
}

/// The attribute `name` that the caller may read.
pub(super) fn readable(view: View<'_>, name: &Name) -> Result<&'static Attribute, Mistake> {
    find(view, view.readable_attributes(), name)
}

/// The attribute `name` that the caller may filter and order by.
fn queryable(view: View<'_>, name: &Name) -> Result<&'static Attribute, Mistake> {
    find(view, view.queryable_attributes(), name)
}

fn find(
    view: View<'_>,
    attributes: impl Iterator<Item = &'static Attribute> + Clone,
    name: &Name,
) -> Result<&'static Attribute, Mistake> {
    let mut named = attributes.clone();
    if let Some(attribute) = named.find(|attribute| attribute.name() == name.text) {
        return Ok(attribute);
    }
    let suggestion = did_you_mean(&name.text, attributes.map(Attribute::name));
    let (resource, found) = (view.definition().name(), excerpt(&name.text));
    Err(Mistake::new(
        name.position.0,
        format!("`{found}` is not an attribute of {resource}{suggestion}"),
    ))
}

pub(super) fn no_subresource(definition: &ResourceDefinition, name: &Name) -> Mistake {
    let names = definition.all_subresources().iter().map(Subresource::name);
    let suggestion = did_you_mean(&name.text, names);
    let (resource, found) = (definition.name(), excerpt(&name.text));
    Mistake::new(
        name.position.0,
        format!("`{found}` is not a subresource of {resource}{suggestion}"),
    )
}
