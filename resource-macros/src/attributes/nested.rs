use darling::FromMeta;
use darling::ast::NestedMeta;
use proc_macro2::TokenStream;

use super::form::Form;

/// The keys inside `key(…)`: at least one, known or not.
pub(super) fn keys<Keys: FromMeta>(form: &Form) -> Result<Keys, TokenStream> {
    let Form::List(tokens) = form else {
        return Err(form.tokens());
    };
    let items = NestedMeta::parse_meta_list(tokens.clone()).map_err(|_| form.tokens())?;
    if items.is_empty() {
        return Err(form.tokens());
    }
    Keys::from_list(&items).map_err(|_| form.tokens())
}
