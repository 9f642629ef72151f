//! The tokens that describe an attribute.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Expr, Ident, Lit, Type};

use super::evolution;
use crate::api_resource::model::{Attribute, action, is_database};
use crate::attributes::{
    Count, Digits, Example, FieldKeys, Key, Number, PostgresForm, References, SqliteForm,
};

/// The description of an attribute, with a call for each key that the user wrote, and no others.
///
/// The columns of a table that `is_existing` have forms of their own.
pub(super) fn description(attribute: &Attribute<'_>, is_existing: bool) -> TokenStream {
    let Attribute {
        ty, name, column, ..
    } = attribute;
    let name = &name.text;
    // Without this call the runtime uses the name for the column.
    let column = Some(&column.text).filter(|column| *column != name);
    let column = column.map(|column| quote!(.column(#column)));
    let primary_key = attribute.is_primary_key.then(|| quote!(.primary_key()));
    // Nothing but clients and defaults gives values to the parts of a key.
    let assigned = attribute.is_key_part || attribute.keys().assigned.is_written();
    let assigned = assigned.then(|| quote!(.assigned()));
    let limits = limits(attribute.keys());
    // The type's trait tells the kind, because a macro cannot resolve the name of a type.
    let facts = of_type(ty, &quote!(TYPE));
    let mut typed = quote!(_api::attribute(#name, #facts));
    if let Some(token) = attribute.keys().truncate.token() {
        // The function fails to compile for another type; its error underlines the key.
        let span = Span::mixed_site().located_at(token.span());
        typed = quote_spanned!(span=> _api::truncated(#typed));
    }
    let storage = storage(attribute, is_existing);
    let roles = roles(attribute);
    let defaults = defaults(attribute);
    let example = example(attribute);
    let breaks = evolution::approvals(&attribute.keys().breaks);
    let deprecated = evolution::deprecation(&attribute.keys().deprecated);
    let deprecated = deprecated.map(|it| quote!(.deprecated(&#it)));
    let description = attribute.description.as_ref();
    let description = description.map(|text| quote!(.description(#text)));
    quote! {
        #typed #description #column #storage #primary_key #assigned #limits #roles
            #defaults #example #breaks #deprecated
    }
}

/// An item of the trait of a field's type.
///
/// Each use of the type is such a path, with the span of the field's type: the errors of one that cannot be stored are
/// all alike then, and the compiler shows equal errors once.
pub(super) fn of_type(ty: &Type, item: &TokenStream) -> TokenStream {
    quote!(<#ty as _api::FieldValue>::#item)
}

/// The forms of the column, where they are not those of our own tables.
fn storage(attribute: &Attribute<'_>, is_existing: bool) -> Option<TokenStream> {
    let (keys, ty) = (attribute.keys(), attribute.ty);
    let stored = keys.stored.value();
    let digits = keys.digits.value();
    // An error about the type underlines the key.
    let token = keys.stored.token().or(keys.digits.token());
    let Some(token) = token else {
        return is_existing.then(|| quote!(.stored(&_api::Storage::EXISTING)));
    };
    let digits = option(digits.map(|Digits { precision, scale }| {
        let (precision, scale) = (Count((*precision).into()), Count((*scale).into()));
        quote!((#precision, #scale))
    }));
    let usual = if is_existing {
        quote!(_api::StorageForm::Existing)
    } else {
        quote!(_api::StorageForm::Ours)
    };
    let sqlite = stored.and_then(|it| it.sqlite.value()).map(sqlite_form);
    let sqlite = sqlite.unwrap_or_else(|| usual.clone());
    let postgres = stored.and_then(|it| it.postgres.value());
    let postgres = postgres.map(postgres_form).unwrap_or(usual);
    let span = Span::mixed_site().located_at(token.span());
    let storage = quote!(_api::Storage { digits: #digits, sqlite: #sqlite, postgres: #postgres });
    // The function fails to compile for another type; it is judged here, where `ty` is known by its trait alone.
    let kind = of_type(ty, &quote!(KIND));
    let storage = quote_spanned!(span=> _api::storage(#kind, &#storage));
    Some(quote!(.stored(#storage)))
}

fn option(value: Option<impl ToTokens>) -> TokenStream {
    value.map_or_else(|| quote!(_api::None), |value| quote!(_api::Some(#value)))
}

fn sqlite_form(form: &SqliteForm) -> TokenStream {
    match form {
        SqliteForm::Number => quote!(_api::StorageForm::Number),
        SqliteForm::Time(text, digits) => {
            let text = Ident::new(text, Span::mixed_site());
            let digits = option(digits.map(|digits| Count(digits.into())));
            quote!(_api::StorageForm::Time(_api::TimeText::#text, #digits))
        }
    }
}

fn postgres_form(form: &PostgresForm) -> TokenStream {
    match form {
        PostgresForm::Utc => quote!(_api::StorageForm::Utc),
        PostgresForm::Type(schema, name) => {
            let schema = option(schema.as_ref());
            quote!(_api::StorageForm::Type(#schema, #name))
        }
    }
}

fn limits(keys: &FieldKeys) -> TokenStream {
    let min_length = keys.min_length.value();
    let min_length = min_length.map(|length| quote!(.min_length(#length)));
    let max_length = keys.max_length.value();
    let max_length = max_length.map(|length| quote!(.max_length(#length)));
    // The builder methods are `const fn`, which cannot take either kind of number by a trait.
    let min = keys.min.value().map(|limit| match limit {
        Number::Integer(_) => quote!(.min(#limit)),
        Number::Real(_) => quote!(.min_real(#limit)),
    });
    let max = keys.max.value().map(|limit| match limit {
        Number::Integer(_) => quote!(.max(#limit)),
        Number::Real(_) => quote!(.max_real(#limit)),
    });
    let readable_by = keys.readable_by.value();
    let readable_by = readable_by.map(|older| quote!(.held_back_for::<#older>()));
    quote!(#min_length #max_length #min #max #readable_by)
}

fn roles(attribute: &Attribute<'_>) -> TokenStream {
    let (keys, value_type) = (attribute.keys(), attribute.value_type());
    let unique = when(&keys.unique, quote!(.unique()));
    let index = when(&keys.index, quote!(.index()));
    let references = references(&keys.references);
    let computed = when(&keys.computed, quote!(.computed()));
    let read_only = when(&keys.read_only, quote!(.read_only()));
    let write_only = when(&keys.write_only, quote!(.write_only()));
    let deleted_at = quote!(.soft_delete(<#value_type as _api::DeletionTime>::at));
    let soft_delete = when(&keys.soft_delete, deleted_at);
    let revision = when(&keys.revision, quote!(.revision()));
    // These two roles are given by keys of the struct.
    let redacted = attribute.is_redacted.then(|| quote!(.redacted()));
    let owner = attribute.is_owner.then(|| quote!(.owner()));
    let read_scope = attribute.read_scope.as_ref();
    let read_scope = read_scope.map(|scopes| quote!(.read_scope(&#scopes)));
    let write_scope = attribute.write_scope.as_ref();
    let write_scope = write_scope.map(|scopes| quote!(.write_scope(&#scopes)));
    quote! {
        #unique #index #references #computed #read_only #write_only #soft_delete #revision #redacted #owner #read_scope
            #write_scope
    }
}

fn when<T>(key: &Key<T>, tokens: TokenStream) -> Option<TokenStream> {
    key.is_written().then_some(tokens)
}

fn references(key: &Key<References>) -> Option<TokenStream> {
    let all = key.values().map(|reference| {
        // The target is a type parameter: the compiler resolves its path and underlines one that is wrong.
        let target = &reference.target;
        let attribute = reference.attribute.as_ref();
        let attribute = attribute.map(|it| it.unraw().to_string());
        let attribute = attribute.map(|name| quote!(.attribute(#name)));
        let on_delete = reference.on_delete.as_ref();
        let on_delete = on_delete.and_then(|it| action(&it.value()));
        let on_delete = on_delete.map(|it| Ident::new(it, Span::mixed_site()));
        let on_delete = on_delete.map(|it| quote!(.on_delete(_api::ReferentialAction::#it)));
        quote!(_api::reference::<#target>() #attribute #on_delete)
    });
    key.is_written().then(|| quote!(.references(&[#(#all),*])))
}

fn defaults(attribute: &Attribute<'_>) -> TokenStream {
    let keys = attribute.keys();
    // The default of an `Option<T>` is written as a `T`.
    let value = |expression| value_of(attribute.value_type(), expression);
    if keys.default.value().is_some_and(is_database) {
        return quote!(.default_of_database());
    }
    let on_create = keys.default.value().map(value);
    let on_create = on_create.map(|value| quote!(.default(#value)));
    let on_update = keys.default_on_update.value().map(value);
    let on_update = on_update.map(|value| quote!(.default_on_update(#value)));
    quote!(#on_create #on_update)
}

fn example(attribute: &Attribute<'_>) -> Option<TokenStream> {
    let key = &attribute.keys().example;
    let literal = match key.value()? {
        Example::Boolean(value) => quote!(Boolean(#value)),
        Example::Number(value @ Number::Integer(_)) => quote!(Integer(#value)),
        Example::Number(value @ Number::Real(_)) => quote!(Real(#value)),
        Example::Text(value) => quote!(Text(#value)),
        Example::Bytes(value) => quote!(Bytes(#value)),
    };
    let kind = of_type(attribute.ty, &quote!(KIND));
    // The function fails to compile for a literal of another type; its error underlines the literal.
    let span = Span::mixed_site().located_at(key.source()?.span());
    let example = quote_spanned!(span=> _api::example(#kind, _api::Example::#literal));
    Some(quote!(.example(#example)))
}

/// The function that makes a default. A string literal may stand for any type that is `From<&str>`.
fn value_of(ty: &Type, value: &Expr) -> TokenStream {
    // An error about the default's type underlines the expression of the user.
    // `located_at` takes only the place from the user; names resolve as those of the derive.
    let span = Span::mixed_site().located_at(value.span());
    let value = match value {
        Expr::Lit(literal) if matches!(literal.lit, Lit::Str(_)) => {
            quote_spanned!(span=> _api::literal(#value))
        }
        value => quote!(#value),
    };
    // The default is a function, because `Utc::now()` has another value for each item.
    let to_value = of_type(ty, &quote!(to_value));
    quote!(|| _api::value(#to_value, #value))
}
