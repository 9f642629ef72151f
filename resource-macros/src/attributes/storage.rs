//! Keys of storage: `digits(10, 2)` and `stored(sqlite = …, postgres = …)`.

use proc_macro2::TokenStream;
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::{Ident, LitInt, LitStr, Token, parenthesized};

use super::form::{self, Form, Value};
use super::key::keys;

/// The precision and the scale of a decimal.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Digits {
    pub(crate) precision: u8,
    pub(crate) scale: u8,
}

impl Value for Digits {
    fn read(form: &Form) -> Result<Self, TokenStream> {
        let parser = Punctuated::<LitInt, Token![,]>::parse_terminated;
        let numbers = match form {
            Form::List(tokens) => parser.parse2(tokens.clone()).ok(),
            Form::Word | Form::Equals(_) => None,
        };
        let numbers = numbers.into_iter().flatten();
        let numbers: Vec<_> = numbers.map(|it| it.base10_parse()).collect();
        match *numbers {
            [Ok(precision), Ok(scale)] => Ok(Self { precision, scale }),
            _ => Err(form.tokens()),
        }
    }
}

keys! {
    /// The keys of `stored(sqlite = number, postgres = utc)`, the form on each database.
    StoredKeys {
        sqlite: SqliteForm, once, "takes `number`, or `space_text(0)`, `t_text(0)` or `offset_text(0)` with 0, 3, 6 or `auto` digits behind the second";
        postgres: PostgresForm, once, "takes `utc`, `type(\"name\")` or `type(\"schema\", \"name\")`";
    }
}

impl Value for StoredKeys {
    fn read(form: &Form) -> Result<Self, TokenStream> {
        form::keys(form)
    }
}

/// A form on SQLite.
#[derive(Debug)]
pub(crate) enum SqliteForm {
    Number,
    /// The variant of the runtime's enum, and the digits behind the second; none for `auto`.
    Time(&'static str, Option<u8>),
}

impl Parse for SqliteForm {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name: Ident = input.parse()?;
        let text = match name.to_string().as_str() {
            "number" => return Ok(Self::Number),
            "space_text" => "Space",
            "t_text" => "T",
            "offset_text" => "Offset",
            // The text never shows: the error tells the form of the key instead.
            _ => return Err(input.error("no form")),
        };
        let content;
        parenthesized!(content in input);
        if content.peek(LitInt) {
            let digits: LitInt = content.parse()?;
            return match digits.base10_parse()? {
                digits @ (0 | 3 | 6) => Ok(Self::Time(text, Some(digits))),
                _ => Err(input.error("other digits")),
            };
        }
        let auto: Ident = content.parse()?;
        if auto == "auto" {
            Ok(Self::Time(text, None))
        } else {
            Err(input.error("no digits"))
        }
    }
}

/// A form on PostgreSQL.
#[derive(Debug)]
pub(crate) enum PostgresForm {
    Utc,
    /// A type, in its schema where that is named.
    Type(Option<LitStr>, LitStr),
}

impl Parse for PostgresForm {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        // `type` is a keyword.
        let name = input.call(Ident::parse_any)?;
        match name.to_string().as_str() {
            "utc" => Ok(Self::Utc),
            "type" => {
                let content;
                parenthesized!(content in input);
                let names = Punctuated::<LitStr, Token![,]>::parse_terminated(&content)?;
                let names: Vec<LitStr> = names.into_iter().collect();
                match &*names {
                    [name] => Ok(Self::Type(None, name.clone())),
                    [schema, name] => Ok(Self::Type(Some(schema.clone()), name.clone())),
                    _ => Err(input.error("no name")),
                }
            }
            _ => Err(input.error("no form")),
        }
    }
}
