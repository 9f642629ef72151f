//! The words of the keys about tables that others made.

use syn::Expr;

/// The peculiarities that `accept` names, each with its variant in the runtime.
pub(crate) const PECULIARITIES: [(&str, &str); 3] = [
    ("deferred_keys", "DeferredKeys"),
    ("unenforced_references", "UnenforcedReferences"),
    ("row_security", "RowSecurity"),
];

/// The words of `on_delete`, each with its variant in the runtime.
pub(crate) const ACTIONS: [(&str, &str); 3] = [
    ("cascade", "Cascade"),
    ("set_null", "SetNull"),
    ("set_default", "SetDefault"),
];

/// The variant of a word of `on_delete`, where it is one.
pub(crate) fn action(word: &str) -> Option<&'static str> {
    variant(&ACTIONS, word)
}

/// Tells that the expression of `default` is the word `database`, which leaves the value to the database.
pub(crate) fn is_database(default: &Expr) -> bool {
    matches!(default, Expr::Path(path) if path.path.is_ident("database"))
}

/// The variant of a peculiarity, where the word is one.
pub(crate) fn peculiarity(word: &str) -> Option<&'static str> {
    variant(&PECULIARITIES, word)
}

fn variant(words: &[(&str, &'static str)], word: &str) -> Option<&'static str> {
    let found = words.iter().find(|(known, _)| *known == word);
    found.map(|(_, variant)| *variant)
}
