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

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::body::{Body, Bytes};
    use axum::middleware::from_fn;
    use axum::routing::post;
    use resource_testing::TestApi;
    use tokio::net::TcpListener;
    use tokio::sync::mpsc;
    use tracing_subscriber::layer::SubscriberExt as _;

    use super::*;
    use crate::retry;

    const TRACE: u128 = 0x4bf9_2f35_77b3_4da6_a3ce_929d_0e0e_4736;

    #[tokio::test]
    async fn a_collector_receives_the_span_of_a_request_in_the_trace_of_its_caller() {
        let (sender, mut received) = mpsc::unbounded_channel();
        let collector = post(async move |body: Bytes| drop(sender.send(body)));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let collector = Router::new().route("/v1/traces", collector);
        tokio::spawn(resource_runtime::serve(listener, collector));

        let provider = provider("orders", &format!("http://{address}")).unwrap();
        let subscriber = tracing_subscriber::registry().with(layer(&provider));
        let _subscribed = tracing::subscriber::set_default(subscriber);
        let api = TestApi::new(retry::api()).await;
        let api = api.with_router(|api| api.router().layer(from_fn(continue_trace)));
        let request = Request::get("/api/1.0/orders/7");
        let caller = format!("00-{TRACE:032x}-00f067aa0ba902b7-01");
        let request = request.header("traceparent", caller).body(Body::empty());
        let answer = api.anonymous().request(request.unwrap()).await;
        answer.assert_status(404);
        drop(api);

        // Both wait in threads of their own, as the collector answers in this one.
        let flushed = tokio::task::spawn_blocking(move || provider.shutdown());
        let sent = received.recv().await.unwrap();
        flushed.await.unwrap().unwrap();
        for part in [
            &TRACE.to_be_bytes()[..],
            b"GET /api/1.0/orders/{id}",
            b"http.response.status_code",
            b"orders",
        ] {
            let mut windows = sent.windows(part.len());
            assert!(windows.any(|it| it == part), "{part:?} in {sent:?}");
        }
    }
}
