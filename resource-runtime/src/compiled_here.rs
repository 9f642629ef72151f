//! Futures whose code is made here, not in each crate that waits for them.

use std::pin::Pin;

/// An `async fn` becomes code where it is awaited, and with it all that it awaits: a service that
/// served by one would compile the server, and one that connected by one the driver. What is
/// boxed where it is made is compiled with this crate, once.
pub(crate) type CompiledHere<'made, T> = Pin<Box<dyn Future<Output = T> + Send + 'made>>;
