//! The keys of `#[resource(…)]` on a struct.

use proc_macro2::TokenStream;
use syn::{LitStr, TypePath};

use super::form::{self, Form, Value};
use super::key::keys;
use super::list::{CollectionEntries, Names, SubresourceEntries, Texts};
use super::scalar::{Flag, QuotedPath};
use super::{Breaks, DeprecatedKeys, LimitKeys, OwnerKeys, Public, Scopes, Uncounted};

keys! {
    /// The keys of a struct.
    ContainerKeys {
        name: LitStr, once, "takes a string: `name = \"Setting\"`";
        url: LitStr, once, "takes a string: `url = \"/settings\"`";
        version: LitStr, once, "takes a string: `version = \"1.0\"`";
        subresource: SubresourceEntries, repeated, "takes names and their key fields: `subresource(address = \"address_id\")`";
        collection: CollectionEntries, repeated, "takes names and the columns that refer to this resource: `collection(orders = Order::CUSTOMER_ID)`";
        table: LitStr, once, "takes a string: `table = \"settings\"`";
        schema: LitStr, once, "takes a string: `schema = \"sales\"`";
        existing: Flag, once, "takes no value";
        view: Flag, once, "takes no value";
        ignore: Texts, repeated, "takes columns in quotes: `ignore(\"fulltext\")`";
        accept: Texts, once, "takes peculiarities in quotes: `accept(\"deferred_keys\")`";
        unique: Names, repeated, "on a struct takes fields: `unique(country, code)`";
        index: Names, repeated, "on a struct takes fields: `index(country, code)`";
        redacts: Names, repeated, "takes fields: `redacts(password, token)`";
        operations: Names, once, "takes operations: `operations(list, retrieve)`";
        limit: LimitKeys, once, "takes numbers: `limit(default = 10, max = 1000)`";
        count: Uncounted, once, "takes `none`, for clients who want no total: `count(none)`";
        idempotency: IdempotencyRules, once, "takes `required`: `idempotency(required)`";
        scopes: Scopes, once, "takes nothing, or scopes of operations: `scopes(read = \"settings.read\", write = \"settings.write\")`";
        public: Public, once, "takes nothing, or `read`: `public(read)`";
        owner: OwnerKeys, once, "takes a field and who is free of the rule: `owner(field = \"owner_id\", bypass = \"settings.admin\")`";
        crate_: QuotedPath, once, "takes a path in quotes: `crate = \"my_api\"`";
        require_if_match: Flag, once, "takes no value";
        cache: LitStr, once, "takes a string: `cache = \"private, max-age=60\"`";
        follows: TypePath, once, "takes the version before this one: `follows = SettingV1`";
        breaks: Breaks, repeated, "takes rules, places and reasons: `breaks(removed(legacy) = \"nobody reads it\")`";
        deprecated: DeprecatedKeys, once, "takes a day, and what to use: `deprecated(since = \"2027-01-01\", successor = SettingV2)`";
        validator: TypePath, once, "takes a type: `validator = SettingValidator`";
    }
}

keys! {
    /// The keys of `idempotency(required)`, the rules for idempotency keys.
    IdempotencyRules {
        required: Flag, once, "takes no value";
    }
}

impl Value for IdempotencyRules {
    fn read(form: &Form) -> Result<Self, TokenStream> {
        form::keys(form)
    }
}
