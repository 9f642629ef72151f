use darling::FromMeta;
use proc_macro2::TokenStream;

use super::form::{Form, Value};
use super::scalar::Count;
use super::unknown::UnknownKeys;
use super::{Key, KeyDescription, nested};

/// `limit(default = 10, max = 1000)`: how many items a page holds.
#[derive(Debug, Default, FromMeta)]
pub(crate) struct LimitKeys {
    #[darling(multiple)]
    pub(crate) default: Key<Count>,
    #[darling(multiple)]
    pub(crate) max: Key<Count>,
    #[darling(flatten)]
    pub(crate) unknown: UnknownKeys,
}

impl LimitKeys {
    pub(crate) fn describe(&self) -> [KeyDescription<'_>; 2] {
        let Self {
            default,
            max,
            unknown: _,
        } = self;
        [
            KeyDescription::once(
                "default",
                "takes a whole number up to 4294967295: `default = 10`",
                default,
            ),
            KeyDescription::once(
                "max",
                "takes a whole number up to 4294967295: `max = 1000`",
                max,
            ),
        ]
    }
}

impl Value for LimitKeys {
    fn read(form: &Form) -> Result<Self, TokenStream> {
        nested::keys(form)
    }
}
