//! Diagnostics: the collected mistakes of a struct, and the wording that they share.

use std::fmt::Display;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::Path;

/// The mistakes of a struct, reported together in one compilation.
#[derive(Debug, Default)]
#[must_use = "mistakes that nobody emits are silently accepted"]
pub(crate) struct Diagnostics {
    errors: Vec<syn::Error>,
}

impl Diagnostics {
    /// Reports a mistake that underlines all of `tokens`.
    pub(crate) fn report(&mut self, tokens: impl ToTokens, message: impl Display) {
        self.errors.push(syn::Error::new_spanned(tokens, message));
    }

    /// Reports a key, if it is written.
    pub(crate) fn refuse(&mut self, key: Option<&Path>, message: impl Display) {
        if key.is_some() {
            self.report(key, message);
        }
    }

    /// Adds errors of a parser, which have spans of their own.
    pub(crate) fn adopt(&mut self, errors: &[syn::Error]) {
        self.errors.extend_from_slice(errors);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// The mistakes as `compile_error!` calls.
    pub(crate) fn compile_errors(&self) -> TokenStream {
        // Each mistake is a call of its own, so that the compiler shows all of them.
        self.errors
            .iter()
            .map(syn::Error::to_compile_error)
            .collect()
    }

    #[cfg(test)]
    pub(crate) fn errors(&self) -> &[syn::Error] {
        &self.errors
    }
}

/// The candidate that `name` was probably meant to be.
pub(crate) fn nearest<Candidate: AsRef<str>>(
    name: &str,
    candidates: impl IntoIterator<Item = Candidate>,
) -> Option<Candidate> {
    // A wrong case alone should find its name.
    let name = name.to_lowercase();
    let similarity =
        |candidate: &Candidate| strsim::jaro_winkler(&name, &candidate.as_ref().to_lowercase());
    candidates
        .into_iter()
        .map(|candidate| (similarity(&candidate), candidate))
        // A suggestion far from the name would mislead more than none.
        .filter(|(similarity, _)| *similarity > 0.8)
        // A similarity is never NaN, so this order is the usual one.
        .max_by(|(left, _), (right, _)| left.total_cmp(right))
        .map(|(_, candidate)| candidate)
}

/// `; did you mean …?` with the candidate nearest to `name`, or `otherwise` when none is near.
pub(crate) fn did_you_mean<Candidate: AsRef<str>>(
    name: &str,
    candidates: impl IntoIterator<Item = Candidate>,
    otherwise: &str,
) -> String {
    nearest(name, candidates).map_or_else(
        || format!("; {otherwise}"),
        |candidate| format!("; did you mean `{}`?", candidate.as_ref()),
    )
}

/// The names as a list in a sentence, each in backticks.
pub(crate) fn quoted_list<Name: Display>(names: impl IntoIterator<Item = Name>) -> String {
    let quoted: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

/// The text of a type as its author wrote it, without the spaces that a token stream prints between tokens.
pub(crate) fn type_text(ty: &impl ToTokens) -> String {
    // Tokens keep no white space, and their text has a space between most of them.
    let text = ty.to_token_stream().to_string();
    // The leading `::` of a path has a space only behind it.
    let joined = text.replace(" :: ", "::").replace(":: ", "::");
    // So has the `<` of a qualified path, which stands first.
    let opened = joined.replace(" < ", "<").replace("< ", "<");
    opened.replace(" >", ">").replace(" ,", ",")
}
