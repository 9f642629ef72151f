use syn::{GenericArgument, PathArguments, Type};

/// The `T` of an `Option<T>`, judged by its spelling: this is all that a macro can see of a type.
pub(crate) fn option_argument(ty: &Type) -> Option<&Type> {
    let path = match ty {
        Type::Path(path) => &path.path,
        Type::Group(group) => return option_argument(&group.elem),
        Type::Paren(parenthesized) => return option_argument(&parenthesized.elem),
        _ => return None,
    };
    let segment = path.segments.last().filter(|last| last.ident == "Option")?;
    let PathArguments::AngleBracketed(list) = &segment.arguments else {
        return None;
    };
    match (list.args.first(), list.args.len()) {
        (Some(GenericArgument::Type(argument)), 1) => Some(argument),
        _ => None,
    }
}
