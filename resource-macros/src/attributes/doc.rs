use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The lines of an item's doc comments. Texts that are made by a macro are none: what they say is
/// not known yet.
pub(super) fn lines(attributes: &[Attribute]) -> Vec<String> {
    attributes.iter().filter_map(line).collect()
}

fn line(attribute: &Attribute) -> Option<String> {
    let Meta::NameValue(pair) = &attribute.meta else {
        return None;
    };
    let Expr::Lit(ExprLit {
        lit: Lit::Str(text),
        ..
    }) = &pair.value
    else {
        return None;
    };
    pair.path.is_ident("doc").then(|| text.value())
}
