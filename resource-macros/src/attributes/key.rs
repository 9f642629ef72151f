//! A key of `#[resource(…)]` with its values as they were written, also malformed or repeated ones.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::Path;

use super::form::{Form, Value};

/// All occurrences of one key: none, one, or several, be it by mistake or by right.
#[derive(Debug)]
pub(crate) struct Key<T> {
    written: Vec<Written<T>>,
}

/// An occurrence of a key.
#[derive(Debug)]
struct Written<T> {
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
        // A repetition never stands in for a malformed first value, as it has an error of its own.
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
}

impl<T> Default for Key<T> {
    fn default() -> Self {
        Self {
            written: Vec::new(),
        }
    }
}

impl<T: Value> Key<T> {
    /// Adds an occurrence. Reading never fails, so that one mistake does not hide the others.
    pub(crate) fn add(&mut self, key: &Path, form: &Form) {
        self.written.push(Written {
            key: key.clone(),
            // The source is kept beside a well-formed value, because a rule about that value underlines it.
            source: or_key(form.tokens(), key),
            value: T::read(form).map_err(|malformed| or_key(malformed, key)),
        });
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

    pub(crate) fn repeated<T>(name: &'static str, takes: &'static str, key: &'keys Key<T>) -> Self {
        Self {
            may_repeat: true,
            ..Self::once(name, takes, key)
        }
    }
}

/// The keys that an item may have.
pub(crate) trait Keys: Default {
    /// Adds an occurrence of a key.
    fn add(&mut self, key: &Path, form: &Form);

    /// Every known key with its form.
    fn describe(&self) -> Vec<KeyDescription<'_>>;

    /// The unknown keys, collected so that each is reported with a suggestion.
    fn unknown(&self) -> &[Path];
}

/// Makes a struct of [`Keys`] from a table: each key with its value, how often it may be given, and the form
/// that its value takes. A key that Rust has as a keyword ends in `_` here.
macro_rules! keys {
    ($(#[$doc:meta])* $Keys:ident { $($key:ident: $Value:ty, $times:ident, $takes:expr;)* }) => {
        $(#[$doc])*
        #[derive(Debug, Default)]
        pub(crate) struct $Keys {
            $(pub(crate) $key: $crate::attributes::Key<$Value>,)*
            unknown: Vec<syn::Path>,
        }

        impl $crate::attributes::Keys for $Keys {
            fn add(&mut self, key: &syn::Path, form: &$crate::attributes::Form) {
                // The comparisons are a chain, because `stringify!` cannot be a pattern.
                $(if key.is_ident(stringify!($key).trim_end_matches('_')) {
                    return self.$key.add(key, form);
                })*
                // The form is dropped, because nothing tells which one an unknown key should have.
                self.unknown.push(key.clone());
            }

            fn describe(&self) -> Vec<$crate::attributes::KeyDescription<'_>> {
                // Messages list the keys in the order of the table.
                vec![$($crate::attributes::KeyDescription::$times(
                    stringify!($key).trim_end_matches('_'),
                    $takes,
                    &self.$key,
                )),*]
            }

            fn unknown(&self) -> &[syn::Path] {
                &self.unknown
            }
        }
    };
}
pub(crate) use keys;
