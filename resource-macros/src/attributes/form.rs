use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::Meta;
use syn::parse::Parse;

/// What stands behind a key.
#[derive(Debug)]
pub(super) enum Form {
    /// `key`
    Word,
    /// `key(…)`
    List(TokenStream),
    /// `key = …`
    Equals(TokenStream),
}

impl Form {
    pub(super) fn of(item: &Meta) -> Self {
        match item {
            Meta::Path(_) => Self::Word,
            Meta::List(list) => Self::List(list.tokens.clone()),
            Meta::NameValue(pair) => Self::Equals(pair.value.to_token_stream()),
        }
    }

    /// The value of `key = …` as a `T`.
    pub(super) fn equals<T: Parse>(&self) -> Result<T, TokenStream> {
        match self {
            Self::Equals(tokens) => syn::parse2(tokens.clone()).map_err(|_| self.tokens()),
            Self::Word | Self::List(_) => Err(self.tokens()),
        }
    }

    pub(super) fn tokens(&self) -> TokenStream {
        match self {
            Self::Word => TokenStream::new(),
            Self::List(tokens) | Self::Equals(tokens) => tokens.clone(),
        }
    }
}

/// A kind of value that a key takes.
pub(super) trait Value: Sized {
    /// The value, or else the tokens that are not one; none where the value is absent.
    fn read(form: &Form) -> Result<Self, TokenStream>;
}
