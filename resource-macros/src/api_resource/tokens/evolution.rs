//! The comparison with the version that a resource follows, its approvals, and deprecations.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;

use crate::api_resource::model::{Resource, rule_variant};
use crate::attributes::{Break, Breaks, Count, DeprecatedKeys, Key};

/// The calls of the definition.
pub(super) fn of_definition(resource: &Resource<'_>) -> TokenStream {
    let keys = resource.keys();
    let follows = keys.follows.value().map(|ty| quote!(.following::<#ty>()));
    let breaks = approvals(&keys.breaks);
    let deprecated = deprecation(&keys.deprecated);
    let deprecated = deprecated.map(|it| quote!(.deprecated(#it)));
    quote!(#follows #breaks #deprecated)
}

/// The approvals of a struct or of a field.
pub(super) fn approvals(key: &Key<Breaks>) -> Option<TokenStream> {
    let approvals = key.values().flat_map(|it| &it.0).map(|approval| {
        let Break { places, reason, .. } = approval;
        let (rule, places) = (rule(approval), places.iter().map(|it| &it.text));
        quote!(_api::approval(#rule, &[#(#places),*], #reason))
    });
    key.is_written()
        .then(|| quote!(.breaks(&[#(#approvals),*])))
}

/// The rule of an approval; its error underlines the word.
fn rule(approval: &Break) -> TokenStream {
    let variant = rule_variant(&approval.rule.to_string());
    let variant = Ident::new(&variant, Span::mixed_site());
    quote!(_api::Rule::#variant)
}

/// The deprecation of a struct or of a field.
pub(super) fn deprecation(key: &Key<DeprecatedKeys>) -> Option<TokenStream> {
    let keys = key.value()?;
    let since = keys.since.value()?;
    let sunset = keys.sunset.value().map(|day| quote!(.until(#day)));
    let successor = keys.successor.value();
    let successor = successor.map(|ty| quote!(.use_version::<#ty>()));
    let instead = keys.instead.value().map(|it| quote!(.use_instead(#it)));
    let reason = keys.reason.value().map(|text| quote!(.because(#text)));
    Some(quote!(_api::Deprecation::new(#since) #sunset #successor #instead #reason))
}

/// The comparison that the compiler makes: a call for each field, so that its error underlines the name, and one for
/// each approval. The calls about kept promises are not made, as each costs the compiler time.
pub(super) fn comparison(resource: &Resource<'_>) -> Option<TokenStream> {
    let followed = resource.keys().follows.value()?;
    let ident = &resource.input.ident;
    let (mut keeps, mut needs) = (Vec::new(), Vec::new());
    for (place, attribute) in (0..).zip(&resource.attributes) {
        let place = Count(place);
        let keep = call(attribute.field.span(), &quote!(.keep(#place)));
        keeps.push(quote!(_api::Some(#place) => #keep));
        for approval in attribute.keys().breaks.values().flat_map(|it| &it.0) {
            let rule = rule(approval);
            needs.push(call(approval.rule.span(), &quote!(.needs(#place, #rule))));
        }
    }
    let end = call(followed.span(), &quote!(.end()));
    for approval in resource.keys().breaks.values().flat_map(|it| &it.0) {
        let rule = rule(approval);
        if approval.places.is_empty() {
            needs.push(call(approval.rule.span(), &quote!(.needs_for(#rule, ""))));
        }
        for place in &approval.places {
            let name = &place.text;
            needs.push(call(place.token.span(), &quote!(.needs_for(#rule, #name))));
        }
    }
    Some(quote! {
        #[allow(long_running_const_eval)]
        const _: () = {
            let versions = _api::Versions::of::<#followed, #ident>();
            match versions.broken() {
                _api::None => {}
                #(#keeps)*
                _api::Some(_) => #end
            }
            #(#needs)*
        };
    })
}

/// The statement of a call, whose error underlines `place`.
fn call(place: Span, call: &TokenStream) -> TokenStream {
    let span = Span::call_site().located_at(place);
    let call = call.clone().into_iter().map(|mut token| {
        token.set_span(span);
        token
    });
    quote_spanned!(span=> { versions #(#call)* })
}
