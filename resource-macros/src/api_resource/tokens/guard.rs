//! The tokens of access rules: guard, owner and requirements.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};

use crate::api_resource::model::{Guard, Owner, Reach, Requirement, Resource};
use crate::attributes::Combinator;

/// The tokens of the guard.
pub(super) fn guard(resource: &Resource<'_>) -> Option<TokenStream> {
    let Guard { public, rules } = resource.guard.as_ref()?;
    let public = public.map(|reach| {
        if reach == Reach::Read {
            quote!(.public_read())
        } else {
            quote!(.public())
        }
    });
    // Groups come before single operations in the rules, and the later of two calls wins in the runtime.
    let rules = rules.iter().map(|rule| {
        let function = format_ident!("{}", rule.key.text);
        let scopes = &rule.requirement;
        quote!(.#function(#scopes))
    });
    Some(quote!(.guard(_api::guard() #public #(#rules)*)))
}

/// The tokens of the owner rule.
pub(super) fn owner(resource: &Resource<'_>) -> Option<TokenStream> {
    let Owner { claim, bypass, .. } = resource.owner.as_ref()?;
    // The claim is emitted even if it is the default, so that the expansion shows where owners come from.
    let bypass = bypass.as_ref().map(|scopes| quote!(.bypassed_by(#scopes)));
    Some(quote!(.owner(_api::claim(#claim) #bypass)))
}

impl ToTokens for Requirement {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let scopes = self.scopes.iter().map(|scope| &scope.text);
        // A single scope is written as `any`, so that it needs no third function.
        tokens.extend(match self.combinator {
            Combinator::Any => quote!(_api::any(&[#(#scopes),*])),
            Combinator::All => quote!(_api::all(&[#(#scopes),*])),
        });
    }
}
