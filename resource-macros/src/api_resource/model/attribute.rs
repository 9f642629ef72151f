//! The attributes of a resource: its fields with the meaning of their keys.

use syn::ext::IdentExt;
use syn::{Field, GenericArgument, Ident, PathArguments, Type, Visibility};

use super::{Name, Owner, Requirement, description, requirement};
use crate::attributes::{FieldKeys, Keyed, doc_lines};

/// A field of the struct as an attribute of the resource.
#[derive(Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a role that the field may have beside the others"
)]
pub(crate) struct Attribute<'input> {
    pub(crate) field: &'input Ident,
    pub(crate) ty: &'input Type,
    pub(crate) visibility: &'input Visibility,
    pub(crate) written: Keyed<FieldKeys>,
    /// The text of its doc comments.
    pub(crate) description: Option<String>,
    /// The name of the field without `r#`, by which other keys of the struct refer to it.
    pub(crate) field_name: Name,
    /// The name in JSON and in the query language.
    pub(crate) name: Name,
    pub(crate) column: Name,
    /// The constant of the struct that names the attribute in Rust.
    pub(crate) constant: Ident,
    pub(crate) is_primary_key: bool,
    /// True for one of several fields that are the primary key together.
    pub(crate) is_key_part: bool,
    /// True where the struct's `redacts` names it.
    pub(crate) is_redacted: bool,
    /// True where the struct's `owner` names it.
    pub(crate) is_owner: bool,
    pub(crate) read_scope: Option<Requirement>,
    pub(crate) write_scope: Option<Requirement>,
}

impl Attribute<'_> {
    pub(crate) fn keys(&self) -> &FieldKeys {
        &self.written.keys
    }

    /// The type that needs trait bounds: without its `Option`s, so that an error underlines the type that
    /// is at fault. An `Option` implements the traits of its inner type.
    pub(crate) fn bound_type(&self) -> &Type {
        without_options(self.ty)
    }

    /// Tells that new items get this primary key from the client or the service, and not from the database, which assigns
    /// no key of several parts.
    pub(crate) fn is_assigned_key(&self) -> bool {
        let keys = self.keys();
        // A default makes the key in the service, so the database does not assign it then, either.
        self.is_key_part
            || self.is_primary_key && (keys.assigned.is_written() || keys.default.is_written())
    }

    /// Tells that clients never read the field.
    pub(crate) fn is_hidden(&self) -> bool {
        let keys = self.keys();
        keys.write_only.is_written() || keys.soft_delete.is_written()
    }

    pub(crate) fn is_optional(&self) -> bool {
        option_argument(self.ty).is_some()
    }

    /// The type of a value that is present: without an `Option`.
    pub(crate) fn value_type(&self) -> &Type {
        option_argument(self.ty).unwrap_or(self.ty)
    }
}

/// The attributes of the named fields; the primary key is the marked fields, else the field `id`.
pub(super) fn resolve<'input>(
    fields: Vec<(&'input Field, Keyed<FieldKeys>)>,
    redacted: &[Name],
    owner: Option<&Owner>,
) -> Vec<Attribute<'input>> {
    let mut attributes: Vec<_> = fields
        .into_iter()
        .filter_map(|(field, written)| attribute(field, written, redacted, owner))
        .collect();
    // All fields must be known first: a mark on a later field takes the role from a field `id`.
    let is_marked = |attribute: &Attribute<'_>| attribute.keys().primary_key.is_written();
    let marked = attributes.iter().filter(|it| is_marked(it)).count();
    for attribute in &mut attributes {
        attribute.is_primary_key = if marked > 0 {
            is_marked(attribute)
        } else {
            // The name of the field counts, whatever `rename` makes of it.
            attribute.field_name.text == "id"
        };
        attribute.is_key_part = attribute.is_primary_key && marked > 1;
    }
    attributes
}

fn attribute<'input>(
    declared: &'input Field,
    written: Keyed<FieldKeys>,
    redacted: &[Name],
    owner: Option<&Owner>,
) -> Option<Attribute<'input>> {
    // Only named fields are read, so none is left out here.
    let field = declared.ident.as_ref()?;
    let field_name = Name::from(field);
    let keys = &written.keys;
    Some(Attribute {
        field,
        ty: &declared.ty,
        visibility: &declared.vis,
        description: description::resolve(&doc_lines(&declared.attrs)),
        name: keys
            .rename
            .value()
            .map_or_else(|| Name::from(field), Name::from),
        column: keys
            .column
            .value()
            .map_or_else(|| Name::from(field), Name::from),
        constant: keys
            .constant
            .value()
            .cloned()
            .unwrap_or_else(|| constant(field)),
        // The key is chosen once all fields are known.
        is_primary_key: false,
        is_key_part: false,
        is_redacted: redacted.iter().any(|name| name.text == field_name.text),
        is_owner: owner.is_some_and(|owner| owner.field.text == field_name.text),
        read_scope: requirement::resolve(&keys.read_scope),
        write_scope: requirement::resolve(&keys.write_scope),
        field_name,
        written,
    })
}

/// The constant of a field or subresource: `first_name` becomes `FIRST_NAME`.
pub(super) fn constant(field: &Ident) -> Ident {
    // A raw field needs no raw constant: no keyword is in upper case.
    let name = field.unraw().to_string().to_uppercase();
    // The upper case of a rare letter may not begin an identifier; the name of the field always is one.
    let mut constant = syn::parse_str(&name).unwrap_or_else(|_| field.clone());
    // Errors about the constant, and editors that look for its definition, then lead to the field.
    constant.set_span(field.span());
    constant
}

/// The type inside all `Option`s around it.
pub(crate) fn without_options(mut ty: &Type) -> &Type {
    while let Some(inner) = option_argument(ty) {
        ty = inner;
    }
    ty
}

/// Tells that a type is an integer of Rust that no column holds, by its spelling.
pub(crate) fn is_foreign_integer(ty: &Type) -> bool {
    const NAMES: [&str; 9] = [
        "i8", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize",
    ];
    matches!(ty, Type::Path(path) if NAMES.iter().any(|name| path.path.is_ident(name)))
}

/// The `T` of an `Option<T>`, by its spelling, because a macro sees nothing else of a type.
pub(crate) fn option_argument(ty: &Type) -> Option<&Type> {
    // A type that is no path, such as a tuple or a reference, is never an `Option`.
    let path = match ty {
        Type::Path(path) => &path.path,
        // A type that comes out of a `macro_rules!` macro is in an invisible group.
        Type::Group(group) => return option_argument(&group.elem),
        Type::Paren(parenthesized) => return option_argument(&parenthesized.elem),
        _ => return None,
    };
    // Only the last segment is compared, so `std::option::Option` counts as well.
    let segment = path.segments.last().filter(|last| last.ident == "Option")?;
    let PathArguments::AngleBracketed(list) = &segment.arguments else {
        return None;
    };
    // A type of that name with other arguments belongs to the user.
    match (list.args.first(), list.args.len()) {
        (Some(GenericArgument::Type(argument)), 1) => Some(argument),
        _ => None,
    }
}
