//! A key of `#[resource(…)]` with its values as they were written, also malformed or repeated ones.

use darling::FromMeta;
use darling::ast::MetaNameValueInvalidExpr;
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Meta, Path};

use super::form::{Form, Value};

/// All occurrences of one key: none, one, or several, be it by mistake or by right.
#[derive(Debug)]
pub(crate) struct Key<T> {
    written: Vec<Written<T>>,
}

/// An occurrence of a key.
#[derive(Debug)]
pub(crate) struct Written<T> {
    key: Path,
    source: TokenStream,
    value: Result<T, TokenStream>,
}

impl<T> Key<T> {
    pub(crate) fn is_written(&self) -> bool {
        !self.written.is_empty()
    }

    /// The value, unless it is missing or malformed; the first where there are several.
    pub(crate) fn value(&self) -> Option<&T> {
        self.written.first()?.value.as_ref().ok()
    }

    /// All well-formed values of a key that may repeat.
    pub(crate) fn values(&self) -> impl Iterator<Item = &T> {
        self.written
            .iter()
            .filter_map(|written| written.value.as_ref().ok())
    }

    /// The key itself, to underline.
    pub(crate) fn token(&self) -> Option<&Path> {
        self.written.first().map(|written| &written.key)
    }

    /// The value as it was written, to underline.
    pub(crate) fn source(&self) -> Option<&TokenStream> {
        self.written.first().map(|written| &written.source)
    }

    // Darling's derived receivers call `push` and `len` on a field that is marked `multiple`.

    pub(crate) fn push(&mut self, written: Written<T>) {
        self.written.push(written);
    }

    pub(crate) fn len(&self) -> usize {
        self.written.len()
    }
}

impl<T> Default for Key<T> {
    fn default() -> Self {
        Self {
            written: Vec::new(),
        }
    }
}

/// Reading never fails, because darling would then withhold the whole receiver.
impl<T: Value> FromMeta for Written<T> {
    fn from_meta(item: &Meta) -> darling::Result<Self> {
        Ok(read(item.path(), &Form::of(item)))
    }

    fn from_invalid_expr(item: &MetaNameValueInvalidExpr) -> darling::Result<Self> {
        Ok(read(&item.path, &Form::Equals(item.value.clone())))
    }
}

fn read<T: Value>(key: &Path, form: &Form) -> Written<T> {
    Written {
        key: key.clone(),
        source: or_key(form.tokens(), key),
        value: T::read(form).map_err(|malformed| or_key(malformed, key)),
    }
}

/// The tokens to underline: the value, or the key where the value is absent.
fn or_key(tokens: TokenStream, key: &Path) -> TokenStream {
    if tokens.is_empty() {
        key.to_token_stream()
    } else {
        tokens
    }
}

/// The description of a key for messages.
#[derive(Debug)]
pub(crate) struct KeyDescription<'keys> {
    pub(crate) name: &'static str,
    /// The form of its value, as a text that follows the name: "takes a string: …".
    pub(crate) takes: &'static str,
    pub(crate) may_repeat: bool,
    /// Each occurrence of the key, with the tokens of its value if they are malformed.
    pub(crate) written: Vec<(&'keys Path, Option<&'keys TokenStream>)>,
}

impl<'keys> KeyDescription<'keys> {
    pub(crate) fn once<T>(name: &'static str, takes: &'static str, key: &'keys Key<T>) -> Self {
        let written = key.written.iter();
        Self {
            name,
            takes,
            may_repeat: false,
            written: written
                .map(|written| (&written.key, written.value.as_ref().err()))
                .collect(),
        }
    }

    pub(super) fn repeated<T>(name: &'static str, takes: &'static str, key: &'keys Key<T>) -> Self {
        Self {
            may_repeat: true,
            ..Self::once(name, takes, key)
        }
    }
}
