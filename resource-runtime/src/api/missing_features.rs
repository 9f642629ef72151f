//! Methods of features that are off: each call is an error that names the feature. Without them the compiler would know no
//! such method, where of modules and types it tells the feature by itself.

/// Makes the methods of each feature, by their names and arguments. The trait named after the feature is implemented by
/// nothing, and has the words of the error.
macro_rules! methods {
    ($($Feature:ident, $name:literal, $words:literal: $($method:ident($($argument:ident),*)),*;)*) => {$(
        /// Implemented by nothing.
        #[cfg(not(feature = $name))]
        #[diagnostic::on_unimplemented(message = $words, label = "the feature is off")]
        pub trait $Feature<'never> {}

        #[cfg(not(feature = $name))]
        #[doc(hidden)]
        impl super::ApiBuilder {$(
            // A bound without a lifetime would be an error here, and not at the call.
            pub fn $method<$($argument),*>(self $(, _: $argument)*) -> Self
            where
                for<'never> Self: $Feature<'never>,
            {
                self
            }
        )*}
    )*};
}

methods! {
    Compression, "compression", "the method needs the feature `compression`: `cargo add resource-runtime --features compression`":
        compression();
    Cors, "cors", "the method needs the feature `cors`: `cargo add resource-runtime --features cors`": cors(A);
    Metrics, "metrics", "the method needs the feature `metrics`: `cargo add resource-runtime --features metrics`":
        metrics(), separate_metrics();
    OpenApi, "openapi", "the method needs the feature `openapi`: `cargo add resource-runtime --features openapi`":
        title(A), description(A), contact(A, B), license(A, B), openapi_with(A), hide_documentation();
}
