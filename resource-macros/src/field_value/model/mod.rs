//! The model of a field type: the meaning of the user's keys, and the only place where a default is chosen.

mod case;

use syn::{Data, DataStruct, DeriveInput, Field, Fields, Path};

use super::attributes::{ContainerKeys, FieldTypeAttributes, VariantKeys};
use crate::api_resource::model::{Name, runtime};
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

/// Resolves the keys, with defaults for those that were not written.
pub(super) fn resolve(attributes: FieldTypeAttributes<'_>) -> FieldType<'_> {
    let keys = &attributes.container.keys;
    let literal = keys.rename_all.value();
    // An unknown case is reported by a rule; until then the names stay as they are.
    let case = literal.and_then(|name| Case::named(&name.value()));
    let runtime = runtime(&keys.crate_);
    FieldType {
        input: attributes.input,
        runtime,
        shape: match &attributes.input.data {
            // Variants with fields are taken too; a rule reports the fields.
            Data::Enum(_) => Shape::Enum(
                attributes
                    .variants
                    .into_iter()
                    .map(|(declared, written)| variant(declared, written, case))
                    .collect(),
            ),
            Data::Struct(data) => only_field(data).map_or(Shape::Other, Shape::Newtype),
            Data::Union(_) => Shape::Other,
        },
        // The attributes are moved last, because `keys` borrows them.
        written: attributes.container,
    }
}

fn only_field(data: &DataStruct) -> Option<&Field> {
    let Fields::Unnamed(fields) = &data.fields else {
        return None;
    };
    fields.unnamed.first().filter(|_| fields.unnamed.len() == 1)
}

/// The variant with its name: by its own `rename`, else in the case of `rename_all`, else as it is.
fn variant(
    declared: &syn::Variant,
    written: Keyed<VariantKeys>,
    case: Option<Case>,
) -> Variant<'_> {
    let own = Name::from(&declared.ident);
    let renamed = written.keys.rename.value().map(Name::from);
    Variant {
        declared,
        // A `rename` is taken as it is: the case applies to names in Rust's spelling only.
        name: renamed.unwrap_or_else(|| match case {
            Some(case) => Name::new((case.apply)(&own.text), &own),
            None => own,
        }),
        written,
    }
}
