//! Numbers as limits: `min`, `max`, and `limit(…)`.

use std::fmt;

use proc_macro2::TokenStream;
use syn::parse::{Parse, ParseStream};
use syn::{Lit, Token};

use super::form::{self, Form, Value};
use super::key::keys;
use super::scalar::{Count, Flag};

/// A limit of a number: an integer of 64 bits or a finite double, depending on how it was spelled.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Number {
    Integer(i64),
    Real(f64),
}

impl Number {
    /// Tells that this is greater than `other`; mixed kinds compare as doubles.
    pub(crate) fn exceeds(self, other: Self) -> bool {
        match (self, other) {
            // Integers are compared exactly: neighbours beyond 2^53 are equal as doubles.
            (Self::Integer(left), Self::Integer(right)) => left > right,
            (left, right) => left.approximate() > right.approximate(),
        }
    }

    // A limit beyond 2^53 that is mixed with a double can only be compared roughly.
    #[allow(clippy::cast_precision_loss)]
    fn approximate(self) -> f64 {
        match self {
            Self::Integer(value) => value as f64,
            Self::Real(value) => value,
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, output: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => write!(output, "{value}"),
            // `Debug` keeps the point of `1.0`, so a message shows the limit as a double.
            Self::Real(value) => write!(output, "{value:?}"),
        }
    }
}

impl Parse for Number {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        // The sign belongs to the digits: -9223372036854775808 has no positive counterpart.
        let sign = match input.parse::<Option<Token![-]>>()? {
            Some(_) => "-",
            None => "",
        };
        let signed = |digits: &str| format!("{sign}{digits}");
        let number = match input.parse()? {
            Lit::Int(literal) => {
                // These digits have neither underscores nor a base prefix or suffix.
                let integer = signed(literal.base10_digits()).parse().ok();
                integer.map(Self::Integer)
            }
            Lit::Float(literal) => {
                let real = signed(literal.base10_digits()).parse().ok();
                // A literal like `1e999` parses as infinity, which limits nothing.
                real.filter(|real: &f64| real.is_finite()).map(Self::Real)
            }
            _ => None,
        };
        // The text never shows: the error tells the form of the key instead.
        number.ok_or_else(|| input.error("not a number in range"))
    }
}

keys! {
    /// The keys of `limit(default = 10, max = 1000)`, the numbers of items on a page.
    LimitKeys {
        default: Count, once, "takes a whole number up to 4294967295: `default = 10`";
        max: Count, once, "takes a whole number up to 4294967295: `max = 1000`";
        all: Flag, once, "takes no value";
    }
}

impl Value for LimitKeys {
    fn read(form: &Form) -> Result<Self, TokenStream> {
        form::keys(form)
    }
}

/// The totals of lists that clients may ask for: `count(none)` for none, beside the exact one.
#[derive(Debug)]
pub(crate) struct Uncounted;

impl Value for Uncounted {
    fn read(form: &Form) -> Result<Self, TokenStream> {
        match form {
            Form::List(tokens) if tokens.to_string() == "none" => Ok(Self),
            _ => Err(form.tokens()),
        }
    }
}
