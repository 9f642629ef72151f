//! Type-erased futures, whose code is compiled in this crate.

use std::pin::Pin;

/// A type-erased future.
///
/// The code of an `async fn` is generated in the crate that awaits it, together with the code of all that
/// it awaits. Behind `dyn` it is generated where it is boxed: here, once, and not in each service.
pub(crate) type BoxFuture<'made, T> = Pin<Box<dyn Future<Output = T> + Send + 'made>>;
