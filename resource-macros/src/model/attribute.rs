use syn::{Ident, Type};

use super::{Name, option_argument, variant};
use crate::attributes::{FieldAttributes, FieldKeys, Keyed};

/// A field of the struct as an attribute of the resource.
#[derive(Debug)]
pub(crate) struct Attribute<'input> {
    pub(crate) field: &'input Ident,
    pub(crate) ty: &'input Type,
    pub(crate) written: Keyed<FieldKeys>,
    /// The name of the field, without `r#`: how other keys of the struct speak of it.
    pub(crate) field_name: Name,
    /// The name in JSON and in the query language.
    pub(crate) name: Name,
    pub(crate) column: Name,
    /// The variant of the companion enum.
    pub(crate) variant: Ident,
    pub(crate) is_primary_key: bool,
}

impl Attribute<'_> {
    pub(crate) fn keys(&self) -> &FieldKeys {
        &self.written.keys
    }

    /// The type whose bounds are asked for: without its `Option`s, so that an error underlines the
    /// type that is at fault. An `Option` has the bounds of what it holds.
    pub(crate) fn bound_type(&self) -> &Type {
        let mut ty = self.ty;
        while let Some(inner) = option_argument(ty) {
            ty = inner;
        }
        ty
    }

    pub(crate) fn is_optional(&self) -> bool {
        option_argument(self.ty).is_some()
    }

    /// The type of a value that is not absent.
    pub(crate) fn value_type(&self) -> &Type {
        option_argument(self.ty).unwrap_or(self.ty)
    }
}

/// The attributes of the named fields; the primary key is the one marked, else the field `id`.
pub(super) fn resolve(fields: Vec<FieldAttributes<'_>>) -> Vec<Attribute<'_>> {
    let mut attributes: Vec<_> = fields.into_iter().filter_map(attribute).collect();
    let is_marked = |attribute: &Attribute<'_>| attribute.keys().primary_key.is_written();
    let any_marked = attributes.iter().any(is_marked);
    for attribute in &mut attributes {
        attribute.is_primary_key = if any_marked {
            is_marked(attribute)
        } else {
            attribute.field_name.text == "id"
        };
    }
    attributes
}

fn attribute(written: FieldAttributes<'_>) -> Option<Attribute<'_>> {
    let field = written.field.ident.as_ref()?;
    let keys = &written.keyed.keys;
    Some(Attribute {
        field,
        ty: &written.field.ty,
        field_name: Name::from(field),
        name: keys
            .rename
            .value()
            .map_or_else(|| Name::from(field), Name::from),
        column: keys
            .column
            .value()
            .map_or_else(|| Name::from(field), Name::from),
        variant: variant::of(field),
        is_primary_key: false,
        written: written.keyed,
    })
}
