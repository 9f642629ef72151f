use darling::FromMeta;
use proc_macro2::TokenStream;
use syn::LitStr;

use super::form::{Form, Value};
use super::requirement::TAKES_SCOPES;
use super::unknown::UnknownKeys;
use super::{Key, KeyDescription, Requirement, nested};

/// `owner(field = "owner_id", claim = "sub", bypass = "settings.admin")`: to whom items belong.
#[derive(Debug, Default, FromMeta)]
pub(crate) struct OwnerKeys {
    #[darling(multiple)]
    pub(crate) field: Key<LitStr>,
    #[darling(multiple)]
    pub(crate) claim: Key<LitStr>,
    #[darling(multiple)]
    pub(crate) bypass: Key<Requirement>,
    #[darling(flatten)]
    pub(crate) unknown: UnknownKeys,
}

impl OwnerKeys {
    #[rustfmt::skip]
    pub(crate) fn describe(&self) -> [KeyDescription<'_>; 3] {
        let Self { field, claim, bypass, unknown: _ } = self;
        [
            KeyDescription::once("field", "takes the name of a field in quotes: `field = \"owner_id\"`", field),
            KeyDescription::once("claim", "takes a string: `claim = \"sub\"`", claim),
            KeyDescription::once("bypass", TAKES_SCOPES, bypass),
        ]
    }
}

impl Value for OwnerKeys {
    fn read(form: &Form) -> Result<Self, TokenStream> {
        nested::keys(form)
    }
}
