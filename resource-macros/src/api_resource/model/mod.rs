//! The model of a resource: the meaning of the user's keys, and the only place where a default is chosen.
//!
//! A [`Resource`] exists for every input, also a mistaken one, so that all checks can run. Only one
//! that passed them is turned into code; until then, placeholders stand for missing parts.

mod attribute;
mod description;
mod evolution;
mod existing;
mod guard;
mod name;
mod operation;
mod owner;
mod requirement;
mod subresource;
mod version;

use syn::{DeriveInput, LitStr, Path, TypePath};

use crate::attributes::{
    ContainerKeys, Key, Keyed, QuotedPath, References, ResourceAttributes, doc_lines,
};
use crate::diagnostics::type_text;
pub(crate) use attribute::{Attribute, is_foreign_integer, option_argument, without_options};
pub(crate) use evolution::{day, rule_variant, rules_on};
pub(crate) use existing::{ACTIONS, PECULIARITIES, action, is_database, peculiarity};
pub(crate) use guard::{Guard, Reach};
pub(crate) use name::{Name, repeated};
pub(crate) use operation::{Operation, is_upsert};
pub(crate) use owner::Owner;
pub(crate) use requirement::Requirement;
pub(crate) use subresource::Subresource;
pub(crate) use version::Version;

/// The model of one version of a resource.
#[derive(Debug)]
pub(crate) struct Resource<'input> {
    pub(crate) input: &'input DeriveInput,
    pub(crate) written: Keyed<ContainerKeys>,
    /// The crate whose `__private` module the emitted code uses.
    pub(crate) runtime: Path,
    /// The text of its doc comments.
    pub(crate) description: Option<String>,
    pub(crate) name: String,
    /// The path segment, without a slash.
    pub(crate) collection: String,
    pub(crate) version: Version,
    pub(crate) table: Name,
    pub(crate) attributes: Vec<Attribute<'input>>,
    pub(crate) subresources: Vec<Subresource>,
    /// The names of the collections, each with the columns that refer to this resource.
    pub(crate) collections: Vec<(Name, Vec<Path>)>,
    /// The names of the fields that `redacts` lists.
    pub(crate) redacted: Vec<Name>,
    pub(crate) operations: Vec<Operation>,
    pub(crate) guard: Option<Guard>,
    pub(crate) owner: Option<Owner>,
}

impl Resource<'_> {
    pub(crate) fn keys(&self) -> &ContainerKeys {
        &self.written.keys
    }

    /// Those of `operations` that the resource offers.
    pub(crate) fn offered(&self, operations: &[Operation]) -> Vec<Operation> {
        let offered = operations.iter().copied();
        offered.filter(|it| self.operations.contains(it)).collect()
    }

    /// The attribute of the field to which keys of the struct refer by this name.
    pub(crate) fn attribute(&self, field_name: &str) -> Option<&Attribute<'_>> {
        self.attributes
            .iter()
            .find(|attribute| attribute.field_name.text == field_name)
    }

    /// The type of a subresource, which is the one that its key fields reference.
    pub(crate) fn target(&self, subresource: &Subresource) -> Option<&TypePath> {
        let shared = self.shared_targets(subresource);
        // Without a shared type, which is a mistake, the first key tells it.
        let first = self.attribute(&subresource.keys.first()?.text)?;
        let first = || Some(&first.keys().references.value()?.target);
        shared.first().copied().or_else(first)
    }

    /// The types that all key fields of a subresource reference: of a single field those whose whole key it holds, where
    /// there are any, since the others are for subresources of several fields.
    pub(crate) fn shared_targets(&self, subresource: &Subresource) -> Vec<&TypePath> {
        let keys = subresource.keys.iter();
        let keys = keys.filter_map(|key| Some(&self.attribute(&key.text)?.keys().references));
        let keys: Vec<&Key<References>> = keys.collect();
        let Some(first) = keys.first() else {
            return Vec::new();
        };
        let is_shared = |it: &&References| {
            keys.iter()
                .all(|key| reference_to(key, &it.target).is_some())
        };
        let shared: Vec<&References> = first.values().filter(is_shared).collect();
        let of_whole_keys = shared
            .iter()
            .filter(|it| keys.len() == 1 && it.attribute.is_none());
        let of_whole_keys: Vec<_> = of_whole_keys.map(|it| &it.target).collect();
        if of_whole_keys.is_empty() {
            return shared.into_iter().map(|it| &it.target).collect();
        }
        of_whole_keys
    }
}

/// The reference to this type among those of a field. A macro cannot resolve paths: two spellings of one type count as two
/// types.
pub(crate) fn reference_to<'keys>(
    references: &'keys Key<References>,
    target: &TypePath,
) -> Option<&'keys References> {
    let target = type_text(target);
    references
        .values()
        .find(|it| type_text(&it.target) == target)
}

/// Resolves the keys, with defaults for those that were not written.
pub(crate) fn resolve(attributes: ResourceAttributes<'_>) -> Resource<'_> {
    let keys = &attributes.container.keys;
    // Slashes are removed even where the rule about `url` objects, so that derived values stay sound.
    let collection = text(&keys.url).trim_matches('/').to_owned();
    let name = text(&keys.name);
    let redacted = redacted(keys);
    let operations = operation::resolve(keys);
    let owner = owner::resolve(keys);
    Resource {
        input: attributes.input,
        description: description::resolve(&doc_lines(&attributes.input.attrs)),
        runtime: runtime(&keys.crate_),
        // Derived scopes depend on the name and the operations, so both are resolved before.
        guard: guard::resolve(keys, &name, &operations),
        // A missing or malformed version is reported; `0.0` takes its place until then.
        version: Version::nearest(&text(&keys.version)).unwrap_or_default(),
        table: table(keys, &collection, attributes.input),
        // Keys of the struct give roles to fields, so these keys are resolved before.
        attributes: attribute::resolve(attributes.fields, &redacted, owner.as_ref()),
        subresources: subresource::resolve(keys),
        collections: subresource::collections(keys),
        name,
        operations,
        owner,
        redacted,
        collection,
        // The attributes are moved last, because `keys` borrows them.
        written: attributes.container,
    }
}

fn text(key: &Key<LitStr>) -> String {
    // A missing text is empty; the rule about required keys reports it.
    key.value().map(LitStr::value).unwrap_or_default()
}

/// The crate that `key` names, else `resource_runtime`.
pub(crate) fn runtime(key: &Key<QuotedPath>) -> Path {
    let written = key.value().map(|path| path.0.clone());
    // The leading `::` names the crate even where the user's module has an item of that name.
    written.unwrap_or_else(|| syn::parse_quote!(::resource_runtime))
}

fn table(keys: &ContainerKeys, collection: &str, input: &DeriveInput) -> Name {
    // Path segments may hold hyphens, SQL names without quotes may not.
    let derived = collection.replace('-', "_");
    let written = keys.table.value().map(Name::from);
    // The name comes from `url`, which an error about it therefore underlines.
    written.unwrap_or_else(|| match keys.url.source() {
        Some(url) => Name::new(derived, url),
        None => Name::new(derived, &input.ident),
    })
}

fn redacted(keys: &ContainerKeys) -> Vec<Name> {
    // The key may be written several times; its lists count as one.
    let lists = keys.redacts.values();
    lists.flat_map(|names| &names.0).map(Name::from).collect()
}
