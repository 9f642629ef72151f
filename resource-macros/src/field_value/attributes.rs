//! Reading of `#[resource(…)]` on an enum or a newtype, every key and value with its span.

use syn::{Data, DeriveInput, LitStr, Variant};

use crate::attributes::{Flag, Keyed, QuotedPath, keys};

keys! {
    /// The keys of an enum or a newtype.
    ContainerKeys {
        open: Flag, once, "takes no value";
        rename_all: LitStr, once, "takes a case in quotes: `rename_all = \"snake_case\"`";
        crate_: QuotedPath, once, "takes a path in quotes: `crate = \"my_api\"`";
    }
}

keys! {
    /// The keys of a variant.
    VariantKeys {
        rename: LitStr, once, "takes a string: `rename = \"red\"`";
    }
}

/// An annotated type as it was written.
#[derive(Debug)]
pub(super) struct FieldTypeAttributes<'input> {
    pub(super) input: &'input DeriveInput,
    pub(super) container: Keyed<ContainerKeys>,
    /// The variants; empty for a type that is no enum.
    pub(super) variants: Vec<(&'input Variant, Keyed<VariantKeys>)>,
}

/// Reads all `#[resource(…)]` of a type and of its variants.
pub(super) fn read(input: &DeriveInput) -> FieldTypeAttributes<'_> {
    FieldTypeAttributes {
        input,
        container: Keyed::read(&input.attrs),
        variants: variants(input)
            .map(|variant| (variant, Keyed::read(&variant.attrs)))
            .collect(),
    }
}

fn variants(input: &DeriveInput) -> impl Iterator<Item = &Variant> {
    let variants = match &input.data {
        Data::Enum(data) => Some(&data.variants),
        // Only an enum has variants; the rules judge the other shapes.
        Data::Struct(_) | Data::Union(_) => None,
    };
    variants.into_iter().flatten()
}
