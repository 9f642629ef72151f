//! The recipe `traces` with a collector. It has a process of its own: a span that another thread meets first, without a
//! subscriber, is off in the whole process.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::middleware::from_fn;
use axum::routing::post;
use recipes::retry;
use recipes::traces::{continue_trace, layer, provider};
use resource_testing::TestApi;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tracing_subscriber::layer::SubscriberExt as _;

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
