use proc_macro2::TokenStream;
use syn::Ident;

use super::form::{Form, Value};

/// What stands behind `public`.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Public {
    /// `public`
    Everything,
    /// `public(read)`
    Read,
}

impl Value for Public {
    fn read(form: &Form) -> Result<Self, TokenStream> {
        match form {
            Form::Word => Ok(Self::Everything),
            Form::List(tokens) if is_read(tokens) => Ok(Self::Read),
            Form::List(_) | Form::Equals(_) => Err(form.tokens()),
        }
    }
}

fn is_read(tokens: &TokenStream) -> bool {
    syn::parse2::<Ident>(tokens.clone()).is_ok_and(|word| word == "read")
}
