//! The keys of `#[resource(…)]` on a struct.

use darling::FromMeta;
use syn::{LitStr, TypePath};

use super::form::UnknownKeys;
use super::list::{Names, SubresourceEntries};
use super::scalar::QuotedPath;
use super::{Key, KeyDescription, LimitKeys, OwnerKeys, Public, Scopes};

/// The keys of a struct.
#[derive(Debug, Default, FromMeta)]
pub(crate) struct ContainerKeys {
    #[darling(multiple)]
    pub(crate) name: Key<LitStr>,
    #[darling(multiple)]
    pub(crate) url: Key<LitStr>,
    #[darling(multiple)]
    pub(crate) version: Key<LitStr>,
    #[darling(multiple)]
    pub(crate) subresource: Key<SubresourceEntries>,
    #[darling(multiple)]
    pub(crate) table: Key<LitStr>,
    #[darling(multiple)]
    pub(crate) unique: Key<Names>,
    #[darling(multiple)]
    pub(crate) index: Key<Names>,
    #[darling(multiple)]
    pub(crate) redacts: Key<Names>,
    #[darling(multiple)]
    pub(crate) operations: Key<Names>,
    #[darling(multiple)]
    pub(crate) limit: Key<LimitKeys>,
    #[darling(multiple)]
    pub(crate) scopes: Key<Scopes>,
    #[darling(multiple)]
    pub(crate) public: Key<Public>,
    #[darling(multiple)]
    pub(crate) owner: Key<OwnerKeys>,
    #[darling(multiple, rename = "crate")]
    pub(crate) runtime: Key<QuotedPath>,
    #[darling(multiple)]
    pub(crate) validator: Key<TypePath>,
    #[darling(flatten)]
    pub(crate) unknown: UnknownKeys,
}

impl ContainerKeys {
    /// Every key with its form; a new key does not compile before it is described here.
    #[rustfmt::skip]
    pub(crate) fn describe(&self) -> [KeyDescription<'_>; 15] {
        let Self {
            name, url, version, subresource, table, unique, index, redacts, operations, limit,
            scopes, public, owner, runtime, validator, unknown: _,
        } = self;
        [
            KeyDescription::once("name", "takes a string: `name = \"Setting\"`", name),
            KeyDescription::once("url", "takes a string: `url = \"/settings\"`", url),
            KeyDescription::once("version", "takes a string: `version = \"1.0\"`", version),
            KeyDescription::repeated("subresource", "takes names and their key fields: `subresource(address = \"address_id\")`", subresource),
            KeyDescription::once("table", "takes a string: `table = \"settings\"`", table),
            KeyDescription::repeated("unique", "on a struct takes fields: `unique(country, code)`", unique),
            KeyDescription::repeated("index", "on a struct takes fields: `index(country, code)`", index),
            KeyDescription::repeated("redacts", "takes fields: `redacts(password, token)`", redacts),
            KeyDescription::once("operations", "takes operations: `operations(list, retrieve)`", operations),
            KeyDescription::once("limit", "takes numbers: `limit(default = 10, max = 1000)`", limit),
            KeyDescription::once("scopes", "takes nothing, or scopes of operations: `scopes(read = \"settings.read\", write = \"settings.write\")`", scopes),
            KeyDescription::once("public", "takes nothing, or `read`: `public(read)`", public),
            KeyDescription::once("owner", "takes a field and who is free of the rule: `owner(field = \"owner_id\", bypass = \"settings.admin\")`", owner),
            KeyDescription::once("crate", "takes a path in quotes: `crate = \"my_api\"`", runtime),
            KeyDescription::once("validator", "takes a type: `validator = SettingValidator`", validator),
        ]
    }
}
