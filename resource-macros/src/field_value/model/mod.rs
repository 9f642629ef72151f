//! The model of a field type: the meaning of the user's keys, and the only place where a default is chosen.

mod case;

use syn::{Data, DataStruct, DeriveInput, Field, Fields, Path, Type};

use super::attributes::{ContainerKeys, FieldTypeAttributes, VariantAttributes, VariantKeys};
use crate::api_resource::model::{Name, option_argument, runtime};
use crate::attributes::Keyed;
pub(super) use case::Case;

/// A type of the user's that a field of a resource may have.
#[derive(Debug)]
pub(super) struct FieldType<'input> {
    pub(super) input: &'input DeriveInput,
    pub(super) written: Keyed<ContainerKeys>,
    /// The crate whose `__private` module the emitted code uses.
    pub(super) runtime: Path,
    pub(super) shape: Shape<'input>,
}

impl FieldType<'_> {
    pub(super) fn keys(&self) -> &ContainerKeys {
        &self.written.keys
    }

    /// The variants of an enum, else none.
    pub(super) fn variants(&self) -> &[Variant<'_>] {
        match &self.shape {
            Shape::Enum(variants) => variants,
            Shape::Newtype(_) | Shape::Other => &[],
        }
    }
}

/// The shape of a type, which decides how values are stored.
#[derive(Debug)]
pub(super) enum Shape<'input> {
    /// An enum, stored as the names of its variants.
    Enum(Vec<Variant<'input>>),
    /// A newtype, stored as the type of its only field.
    Newtype(&'input Field),
    /// Any other type, which the derive cannot store.
    Other,
}

/// A variant with the text that stands for it.
#[derive(Debug)]
pub(super) struct Variant<'input> {
    pub(super) declared: &'input syn::Variant,
    pub(super) written: Keyed<VariantKeys>,
    pub(super) name: Name,
}

/// The type inside a newtype, which an error underlines: without its `Option`s, which are errors of
/// their own.
pub(super) fn inner_type(field: &Field) -> &Type {
    let mut ty = &field.ty;
    while let Some(inner) = option_argument(ty) {
        ty = inner;
    }
    ty
}

/// Resolves the keys, with defaults for those that were not written.
pub(super) fn resolve(attributes: FieldTypeAttributes<'_>) -> FieldType<'_> {
    let keys = &attributes.container.keys;
    let literal = keys.rename_all.value();
    let case = literal.and_then(|case| Case::named(&case.value()));
    let runtime = runtime(&keys.runtime);
    FieldType {
        input: attributes.input,
        runtime,
        shape: match &attributes.input.data {
            Data::Enum(_) => Shape::Enum(variants(attributes.variants, case)),
            Data::Struct(data) => only_field(data).map_or(Shape::Other, Shape::Newtype),
            Data::Union(_) => Shape::Other,
        },
        written: attributes.container,
    }
}

fn only_field(data: &DataStruct) -> Option<&Field> {
    let Fields::Unnamed(fields) = &data.fields else {
        return None;
    };
    fields.unnamed.first().filter(|_| fields.unnamed.len() == 1)
}

fn variants(written: Vec<VariantAttributes<'_>>, case: Option<Case>) -> Vec<Variant<'_>> {
    let variant = |written| variant(written, case);
    written.into_iter().map(variant).collect()
}

/// The variant with its name: by its own `rename`, else in the case of `rename_all`, else as it is.
fn variant(written: VariantAttributes<'_>, case: Option<Case>) -> Variant<'_> {
    let own = Name::from(&written.variant.ident);
    let cased = match case {
        Some(case) => Name::new(case.apply(&own.text), &own),
        None => own,
    };
    let renamed = written.keyed.keys.rename.value().map(Name::from);
    Variant {
        declared: written.variant,
        name: renamed.unwrap_or(cased),
        written: written.keyed,
    }
}
