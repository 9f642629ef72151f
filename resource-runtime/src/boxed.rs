use std::pin::Pin;

/// A future whose kind is forgotten.
///
/// The code of an `async fn` is generated in the crate that awaits it, with that of all that it awaits.
/// Behind `dyn` it is generated where it is boxed: here, once, and not in each service.
pub(crate) type Boxed<'made, T> = Pin<Box<dyn Future<Output = T> + Send + 'made>>;
