//! Validators: the developer's checks, hooks and format of a resource, beyond its model. Once its types are
//! erased, a validator is called the hooks of its resource.

mod change;
mod erased;
mod error;
mod item;
mod quota;
mod request;

use std::future::Future;

use crate::{ApiResource, checks};
pub(crate) use change::WriteInfo;
pub use change::{Change, WriteContext};
pub(crate) use erased::{Checked, HookFuture, Hooks, WriteKind, erase, hooks_of};
pub use error::{HookError, Messages};
pub(crate) use item::Formatter;
pub use item::Item;
pub(crate) use quota::QuotaHook;
pub use quota::{Quota, QuotaRequest};
pub use request::RequestContext;

/// The result of a hook: nothing, or an error.
pub type HookResult = Result<(), HookError>;

/// Checks items beyond their model, and takes part in the operations on them.
///
/// Every method has a default that does nothing, so a validator implements those that it needs.
/// The guide [`validation`](crate::guides::validation) shows each of them at work.
///
/// A write calls, in this order: the model's checks, [`validate`](Self::validate), the hook *before*, the
/// database, the hook of the *row*, and, once the write is durable, the hook *after*. All but the last belong to one
/// transaction, and are called again after a conflict with another write, so effects outside the database must be
/// idempotent. The methods before the database, the one of the row, and the one after the commit fail when they take
/// longer than [`hook_timeout`](crate::ApiBuilder::hook_timeout).
///
/// ```
/// use resource_runtime::{
///     ApiResource, HookResult, Item, Messages, RequestContext, Validator, WriteContext,
/// };
///
/// /// Someone who signs in.
/// #[derive(ApiResource)]
/// #[resource(name = "User", url = "/users", version = "1.0")]
/// #[resource(validator = UserValidator, redacts(password))]
/// struct User {
///     id: i64,
///     email: String,
///     password: String,
/// }
///
/// #[derive(Default)]
/// struct UserValidator;
///
/// impl Validator<User> for UserValidator {
///     async fn validate(
///         &self,
///         user: &User,
///         _: &mut WriteContext<'_, User>,
///         messages: &mut Messages<User>,
///     ) -> HookResult {
///         if !self.is_email(&user.email) {
///             messages.about(User::EMAIL, "must be an e-mail address");
///         }
///         Ok(())
///     }
///
///     fn format(&self, user: &mut Item<User>, _: &RequestContext) {
///         user.clear(User::PASSWORD);
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a validator of `{R}`",
    label = "not a validator of `{R}`",
    note = "write `impl Validator<{R}> for {Self} {{}}`, with the methods that it needs"
)]
// The parameters have names for the documentation; no default uses them.
#[expect(unused_variables, reason = "the defaults do nothing")]
pub trait Validator<R: ApiResource>: Send + Sync + 'static {
    /// Collects the problems of an item that a client creates or changes, after the model's own checks:
    /// each of `messages` is a line of the error that refuses the request.
    ///
    /// Of a change, `resource` is the item as it would be, and
    /// [`context.changes(…)`](Change::changes) tells what the client named.
    fn validate(
        &self,
        resource: &R,
        context: &mut WriteContext<'_, R>,
        messages: &mut Messages<R>,
    ) -> impl Future<Output = HookResult> + Send {
        async { Ok(()) }
    }

    /// Sees every item of a response, also one that is expanded as a subresource, and may
    /// [clear](Item::clear) or [alter](Item::set) the attributes that the struct declares with
    /// `redacts(…)`.
    fn format(&self, item: &mut Item<R>, context: &RequestContext) {
        // By default, items are shown as they are stored.
    }

    /// May change or refuse an item that passed all checks, before it is created. A primary key
    /// that the database assigns is 0 until then.
    fn before_create(
        &self,
        resource: &mut R,
        context: &mut WriteContext<'_, R>,
    ) -> impl Future<Output = HookResult> + Send {
        async { Ok(()) }
    }

    /// May change or refuse the item as it would be after a change that passed all checks.
    fn before_update(
        &self,
        resource: &mut R,
        context: &mut WriteContext<'_, R>,
    ) -> impl Future<Output = HookResult> + Send {
        async { Ok(()) }
    }

    /// May refuse that an item is removed.
    fn before_delete(
        &self,
        resource: &R,
        context: &mut WriteContext<'_, R>,
    ) -> impl Future<Output = HookResult> + Send {
        async { Ok(()) }
    }

    /// Learns of an item that is stored and has its key, and may change it, in the transaction of the write. What it
    /// changes is written without calling hooks again.
    ///
    /// Write it as an `async fn`: the future is also made before the statement, and dropped unpolled, to learn whether there
    /// is such a hook. A write with one holds its transaction from before the statement to the commit: on SQLite it keeps other
    /// writers waiting.
    fn row_created(
        &self,
        resource: &mut R,
        context: &mut WriteContext<'_, R>,
    ) -> impl Future<Output = HookResult> + Send {
        context.note_default()
    }

    /// Learns of an item whose change is stored, as [`row_created`](Self::row_created) does.
    fn row_updated(
        &self,
        resource: &mut R,
        context: &mut WriteContext<'_, R>,
    ) -> impl Future<Output = HookResult> + Send {
        context.note_default()
    }

    /// Learns of an item that is deleted, as [`row_created`](Self::row_created) does of a new one.
    fn row_deleted(
        &self,
        resource: &R,
        context: &mut WriteContext<'_, R>,
    ) -> impl Future<Output = HookResult> + Send {
        context.note_default()
    }

    /// Learns of an item that was created. The response waits for it, but an error is only logged:
    /// the write is done. Write it as an `async fn`, as [`row_created`](Self::row_created).
    fn after_create(
        &self,
        resource: &R,
        change: &Change<R>,
    ) -> impl Future<Output = HookResult> + Send {
        change.note_default()
    }

    /// Learns of an item that was changed, as [`after_create`](Self::after_create) does.
    fn after_update(
        &self,
        resource: &R,
        change: &Change<R>,
    ) -> impl Future<Output = HookResult> + Send {
        change.note_default()
    }

    /// Learns of an item that was removed, as [`after_create`](Self::after_create) does.
    fn after_delete(
        &self,
        resource: &R,
        change: &Change<R>,
    ) -> impl Future<Output = HookResult> + Send {
        change.note_default()
    }

    /// [`checks::is_email`]
    fn is_email(&self, text: &str) -> bool {
        checks::is_email(text)
    }

    /// [`checks::is_phone_number`]
    fn is_phone_number(&self, text: &str) -> bool {
        checks::is_phone_number(text)
    }

    /// [`checks::is_dialable_phone_number`]
    #[cfg(feature = "phonenumber")]
    fn is_dialable_phone_number(&self, text: &str) -> bool {
        checks::is_dialable_phone_number(text)
    }

    #[cfg(not(feature = "phonenumber"))]
    #[doc(hidden)]
    fn is_dialable_phone_number(&self, _: &str) -> bool
    where
        Self: WithNumberingPlans,
    {
        unreachable!("no validator implements the bound")
    }

    /// [`checks::is_credit_card_number`]
    fn is_credit_card_number(&self, text: &str) -> bool {
        checks::is_credit_card_number(text)
    }

    /// [`checks::is_url`]
    fn is_url(&self, text: &str) -> bool {
        checks::is_url(text)
    }

    /// [`checks::Pattern::matches`]
    fn matches(&self, text: &str, pattern: &checks::Pattern) -> bool {
        pattern.matches(text)
    }
}

/// Implemented by nothing: the bound of a method whose feature is off has its error name the feature.
#[cfg(not(feature = "phonenumber"))]
#[diagnostic::on_unimplemented(
    message = "the method needs the feature `phonenumber`: `cargo add resource-runtime --features phonenumber`",
    label = "the feature is off"
)]
pub trait WithNumberingPlans {}
