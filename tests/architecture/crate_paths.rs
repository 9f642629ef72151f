//! The paths of a source file that begin in this crate, with the modules that they lead to.

use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::{Attribute, File, Item};

/// A path as it is written, from the root of the crate: `sql::writer::Writer`.
pub(crate) type CratePath = Vec<String>;

/// All paths of a file that begin with `crate`, `self` or `super`, those within macros and braces included.
/// Paths of tests are left out, since these may import everything.
pub(crate) fn of_file(file: &File, module: &[String]) -> Vec<CratePath> {
    let mut paths = Vec::new();
    of_items(&file.items, module, &mut paths);
    paths
}

/// The module of a file: `sql/writer.rs` and `sql/writer/mod.rs` are `sql::writer`.
pub(crate) fn module_of(file: &Path) -> Vec<String> {
    let without = file.with_extension("");
    let names = without
        .iter()
        .map(|name| name.to_string_lossy().into_owned());
    let names: Vec<String> = names.filter(|name| name != "mod").collect();
    // The only file that has another name than its module.
    if names == ["private"] {
        return vec!["__private".to_owned()];
    }
    names
}

fn of_items(items: &[Item], module: &[String], paths: &mut Vec<CratePath>) {
    for item in items {
        match item {
            Item::Mod(inner) if is_test(&inner.attrs) => {}
            Item::Mod(inner) => {
                let mut within = module.to_vec();
                within.push(inner.ident.to_string());
                let items = inner.content.as_ref().map(|(_, items)| items.as_slice());
                of_items(items.unwrap_or_default(), &within, paths);
            }
            item => of_tokens(item.to_token_stream(), module, paths),
        }
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    let mut conditions = attributes.iter().filter(|it| it.path().is_ident("cfg"));
    conditions.any(|condition| {
        let text = condition.meta.to_token_stream().to_string();
        text.split([' ', '(', ')', ',']).any(|word| word == "test")
    })
}

/// Collects paths from tokens, since those within macros are known as tokens alone.
fn of_tokens(tokens: TokenStream, module: &[String], paths: &mut Vec<CratePath>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut rest = tokens.as_slice();
    while let Some((first, others)) = rest.split_first() {
        rest = others;
        match first {
            TokenTree::Group(group) => of_tokens(group.stream(), module, paths),
            TokenTree::Ident(name) => {
                let start = match name.to_string().as_str() {
                    "crate" => Vec::new(),
                    "self" => module.to_vec(),
                    "super" => parent(module),
                    _ => continue,
                };
                if let Some(next) = behind_colons(rest) {
                    rest = follow(next, start, paths);
                }
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// Follows a path behind its colons, into each branch of its braces; returns what comes after it.
fn follow<'t>(
    tokens: &'t [TokenTree],
    mut path: CratePath,
    paths: &mut Vec<CratePath>,
) -> &'t [TokenTree] {
    match tokens.split_first() {
        Some((TokenTree::Ident(name), rest)) => {
            match name.to_string().as_str() {
                "super" => path = parent(&path),
                "self" => {}
                name => path.push(name.trim_start_matches("r#").to_owned()),
            }
            if let Some(next) = behind_colons(rest) {
                return follow(next, path, paths);
            }
            paths.push(path);
            rest
        }
        Some((TokenTree::Group(group), rest)) => {
            let branches: Vec<TokenTree> = group.stream().into_iter().collect();
            let is_comma =
                |token: &TokenTree| matches!(token, TokenTree::Punct(it) if it.as_char() == ',');
            for branch in branches.split(is_comma).filter(|branch| !branch.is_empty()) {
                follow(branch, path.clone(), paths);
            }
            rest
        }
        // Generic arguments of what was named before, or all names of a module.
        _ => {
            paths.push(path);
            tokens
        }
    }
}

fn parent(module: &[String]) -> Vec<String> {
    let parents = module.split_last().map(|(_, parents)| parents);
    parents.unwrap_or_default().to_vec()
}

fn behind_colons(tokens: &[TokenTree]) -> Option<&[TokenTree]> {
    let is_colon = |token: &TokenTree| matches!(token, TokenTree::Punct(it) if it.as_char() == ':');
    match tokens {
        [one, two, rest @ ..] if is_colon(one) && is_colon(two) => Some(rest),
        _ => None,
    }
}
