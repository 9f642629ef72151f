//! Reading of `#[resource(…)]` on an enum or a newtype, every key and value with its span.

use darling::FromMeta;
use syn::{Data, DeriveInput, LitStr, Variant};

use crate::attributes::{Key, KeyDescription, Keyed, QuotedPath, UnknownKeys};

/// The keys of an enum or a newtype.
#[derive(Debug, Default, FromMeta)]
pub(super) struct ContainerKeys {
    #[darling(multiple)]
    pub(super) rename_all: Key<LitStr>,
    #[darling(multiple, rename = "crate")]
    pub(super) runtime: Key<QuotedPath>,
    #[darling(flatten)]
    pub(super) unknown: UnknownKeys,
}

impl ContainerKeys {
    /// Every key with its form; a new key does not compile before it is described here.
    #[rustfmt::skip]
    pub(super) fn describe(&self) -> [KeyDescription<'_>; 2] {
        let Self { rename_all, runtime, unknown: _ } = self;
        [
            KeyDescription::once("rename_all", "takes a case in quotes: `rename_all = \"snake_case\"`", rename_all),
            KeyDescription::once("crate", "takes a path in quotes: `crate = \"my_api\"`", runtime),
        ]
    }
}

/// The keys of a variant.
#[derive(Debug, Default, FromMeta)]
pub(super) struct VariantKeys {
    #[darling(multiple)]
    pub(super) rename: Key<LitStr>,
    #[darling(flatten)]
    pub(super) unknown: UnknownKeys,
}

impl VariantKeys {
    pub(super) fn describe(&self) -> [KeyDescription<'_>; 1] {
        let Self { rename, unknown: _ } = self;
        [KeyDescription::once(
            "rename",
            "takes a string: `rename = \"red\"`",
            rename,
        )]
    }
}

/// An annotated type as it was written.
#[derive(Debug)]
pub(super) struct FieldTypeAttributes<'input> {
    pub(super) input: &'input DeriveInput,
    pub(super) container: Keyed<ContainerKeys>,
    /// The variants; empty for a type that is no enum.
    pub(super) variants: Vec<VariantAttributes<'input>>,
}

/// An annotated variant as it was written.
#[derive(Debug)]
pub(super) struct VariantAttributes<'input> {
    pub(super) variant: &'input Variant,
    pub(super) keyed: Keyed<VariantKeys>,
}

/// Reads all `#[resource(…)]` of a type and of its variants.
pub(super) fn read(input: &DeriveInput) -> FieldTypeAttributes<'_> {
    FieldTypeAttributes {
        input,
        container: Keyed::read(&input.attrs),
        variants: variants(input).map(read_variant).collect(),
    }
}

fn read_variant(variant: &Variant) -> VariantAttributes<'_> {
    VariantAttributes {
        variant,
        keyed: Keyed::read(&variant.attrs),
    }
}

fn variants(input: &DeriveInput) -> impl Iterator<Item = &Variant> {
    let variants = match &input.data {
        Data::Enum(data) => Some(&data.variants),
        Data::Struct(_) | Data::Union(_) => None,
    };
    variants.into_iter().flatten()
}
