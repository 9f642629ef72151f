//! Sends the traces of a service to a collector, by OTLP.
//!
//! The library makes a span of each request, with OpenTelemetry's names, for whoever asks for its target. Here a layer of the
//! subscriber hands these spans to OpenTelemetry, and a middleware continues the trace of the caller, so that the services
//! behind one request are seen together. Spans of your own are sent, too, where [`layer`] lists their target.

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use opentelemetry::propagation::TextMapPropagator as _;
use opentelemetry::trace::{FutureExt as _, TracerProvider as _};
use opentelemetry_http::HeaderExtractor;
use opentelemetry_otlp::{SpanExporter, WithExportConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::{Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::registry::LookupSpan;

use crate::Failure;

/// Sends spans to a collector, like `http://localhost:4318`, in batches and in a thread of its own. Call its `shutdown`
/// at the end of `main`, which sends the last of them.
pub fn provider(service: &str, collector: &str) -> Result<SdkTracerProvider, Failure> {
    let exporter = SpanExporter::builder()
        .with_http()
        .with_endpoint(format!("{collector}/v1/traces"))
        .build()?;
    let service = Resource::builder()
        .with_service_name(service.to_owned())
        .build();
    Ok(SdkTracerProvider::builder()
        .with_resource(service)
        .with_batch_exporter(exporter)
        .build())
}

/// The layer that hands spans to OpenTelemetry: `tracing_subscriber::registry().with(layer(&provider)).with(…).init()`
/// installs it, beside one for the log.
#[must_use]
pub fn layer<S>(provider: &SdkTracerProvider) -> impl Layer<S> + use<S>
where
    S: Subscriber + for<'span> LookupSpan<'span>,
{
    let traced = Targets::new().with_target("otel::tracing", Level::TRACE);
    tracing_opentelemetry::layer()
        .with_tracer(provider.tracer("resource-runtime"))
        .with_filter(traced)
}

/// Continues the trace that the header `traceparent` names: `api.router().layer(from_fn(continue_trace))`.
pub async fn continue_trace(request: Request, next: Next) -> Response {
    let caller = TraceContextPropagator::new().extract(&HeaderExtractor(request.headers()));
    next.run(request).with_context(caller).await
}
