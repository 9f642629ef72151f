//! Support for test harnesses, of which the package `resource-testing` is one. Services do without.

use std::sync::Arc;

use resource_model::registry::Registration;

use super::ApiBuilder;
use crate::authorization::Authenticator;

/// Puts the authenticator that `wrap` returns in the place of the API's own, which `wrap` gets, if there is one. An API
/// whose resources declare no rules of access, or that is [unprotected](ApiBuilder::unprotected), stays without.
///
/// ```
/// # use resource_runtime::{Api, authorization::Authenticator, testing};
/// # fn example(harness: impl Authenticator) {
/// let builder = Api::builder();
/// let builder = testing::authorization_by(builder, |_| harness);
/// # drop(builder);
/// # }
/// ```
pub fn authorization_by<A: Authenticator>(
    mut builder: ApiBuilder,
    wrap: impl FnOnce(Option<Arc<dyn Authenticator>>) -> A,
) -> ApiBuilder {
    let own = builder.settings.authenticator.take();
    if own.is_some() || builder.needs_authenticator() {
        builder.settings.authenticator = Some(Arc::new(wrap(own)));
    }
    builder
}

/// Registers a resource whose definition is made at run time, as our tests of random versions do.
#[doc(hidden)]
pub fn registered(builder: ApiBuilder, registration: Registration) -> ApiBuilder {
    builder.register(registration)
}
