use darling::FromMeta;
use proc_macro2::TokenStream;

use super::form::{Form, Value};
use super::requirement::TAKES_SCOPES;
use super::unknown::UnknownKeys;
use super::{Key, KeyDescription, Requirement, nested};

/// What stands behind `scopes`.
#[derive(Debug)]
pub(crate) enum Scopes {
    /// `scopes`
    Alone,
    /// `scopes(read = "settings.read", write = "settings.write")`
    Named(Box<ScopeKeys>),
}

impl Value for Scopes {
    fn read(form: &Form) -> Result<Self, TokenStream> {
        match form {
            Form::Word => Ok(Self::Alone),
            Form::List(_) | Form::Equals(_) => nested::keys(form).map(Box::new).map(Self::Named),
        }
    }
}

/// The scopes of operations, of several or of one.
#[derive(Debug, Default, FromMeta)]
pub(crate) struct ScopeKeys {
    #[darling(multiple)]
    pub(crate) read: Key<Requirement>,
    #[darling(multiple)]
    pub(crate) write: Key<Requirement>,
    #[darling(multiple)]
    pub(crate) list: Key<Requirement>,
    #[darling(multiple)]
    pub(crate) retrieve: Key<Requirement>,
    #[darling(multiple)]
    pub(crate) create: Key<Requirement>,
    #[darling(multiple)]
    pub(crate) update: Key<Requirement>,
    #[darling(multiple)]
    pub(crate) delete: Key<Requirement>,
    #[darling(flatten)]
    pub(crate) unknown: UnknownKeys,
}

impl ScopeKeys {
    pub(crate) fn describe(&self) -> [KeyDescription<'_>; 7] {
        [
            ("read", &self.read),
            ("write", &self.write),
            ("list", &self.list),
            ("retrieve", &self.retrieve),
            ("create", &self.create),
            ("update", &self.update),
            ("delete", &self.delete),
        ]
        .map(|(name, key)| KeyDescription::once(name, TAKES_SCOPES, key))
    }
}
