//! Methods of features that are off: each call is an error that names the feature. Without them the compiler would know no
//! such method, where of modules and types it tells the feature by itself.

/// Makes the methods of each feature, by their types, names and arguments. The trait named after the feature is implemented by
/// nothing, and has the words of the error.
macro_rules! methods {
    ($($Feature:ident, $name:literal, $words:literal:
        $($Type:ty { $($method:ident($($argument:ident),*) -> $Returned:ty;)* })*;
    )*) => {$(
        /// Implemented by nothing.
        #[cfg(not(feature = $name))]
        #[diagnostic::on_unimplemented(message = $words, label = "the feature is off")]
        pub trait $Feature<'never> {}

        $(
            #[cfg(not(feature = $name))]
            #[doc(hidden)]
            impl $Type {$(
                // A bound without a lifetime would be an error here, and not at the call.
                pub fn $method<$($argument),*>(self $(, _: $argument)*) -> $Returned
                where
                    for<'never> Self: $Feature<'never>,
                {
                    unreachable!($words)
                }
            )*}
        )*
    )*};
}

methods! {
    Catalogue, "catalogue", "the method needs the feature `catalogue`: `cargo add resource-runtime --features catalogue`":
        crate::Database { catalogue() -> Option<Self>; catalogue_of(A) -> Option<Self>; identifies(A, B) -> Option<Self>; };
    Compression, "compression", "the method needs the feature `compression`: `cargo add resource-runtime --features compression`":
        crate::ApiBuilder { compression() -> Self; };
    Cors, "cors", "the method needs the feature `cors`: `cargo add resource-runtime --features cors`":
        crate::ApiBuilder { cors(A) -> Self; };
    Metrics, "metrics", "the method needs the feature `metrics`: `cargo add resource-runtime --features metrics`":
        crate::ApiBuilder { metrics() -> Self; separate_metrics() -> Self; }
        crate::Api { metrics_router() -> axum::Router; };
    OpenApi, "openapi", "the method needs the feature `openapi`: `cargo add resource-runtime --features openapi`":
        crate::ApiBuilder {
            title(A) -> Self;
            description(A) -> Self;
            contact(A, B) -> Self;
            license(A, B) -> Self;
            openapi_with(A) -> Self;
            hide_documentation() -> Self;
        }
        crate::Api { openapi(A, B) -> Option<String>; openapi_for_clients(A, B) -> Option<String>; };
    Postgres, "postgres", "the method needs the feature `postgres`: `cargo add resource-runtime --features postgres`":
        crate::Transaction { postgres() -> Option<Self>; }
        crate::ReadTransaction { postgres() -> Option<Self>; };
    Sqlite, "sqlite", "the method needs the feature `sqlite`: `cargo add resource-runtime --features sqlite`":
        crate::Transaction { sqlite() -> Option<Self>; }
        crate::ReadTransaction { sqlite() -> Option<Self>; };
}
