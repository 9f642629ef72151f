//! The server with apps of its own: refusals in plain text and in an app's form, and the end of serving.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::http::{Response, StatusCode};
use axum::routing::{get, post};
use resource_server::{
    BodyTimeout, Draining, PlainText, Refusal, RenderRefusal, ServeOptions, ServerErrorKind,
};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

/// A refusal as the name of its kind, the path that was asked for, and the base URL.
struct Kinds;

impl RenderRefusal for Kinds {
    fn render(refusal: &Refusal<'_>) -> Response<Bytes> {
        let path = refusal.request.map(|it| it.uri.path().to_owned());
        let base = refusal.base_url.unwrap_or(refusal.fallback_host);
        let text = format!("{:?} {path:?} {base}", refusal.error.kind());
        let mut response = Response::new(Bytes::from(text));
        *response.status_mut() = refusal.error.kind().status();
        response
    }
}

/// Serves until the sender is dropped.
async fn serving<R: RenderRefusal + 'static>(
    options: ServeOptions<R>,
    app: Router,
) -> io::Result<(SocketAddr, oneshot::Sender<()>, impl Future)> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let (sender, stop) = oneshot::channel::<()>();
    let stop = async { drop(stop.await) };
    let served = tokio::spawn(options.serve_until(listener, app, stop));
    Ok((address, sender, served))
}

async fn sent(address: SocketAddr, request: &str) -> io::Result<String> {
    let mut stream = TcpStream::connect(address).await?;
    stream.write_all(request.as_bytes()).await?;
    let mut response = String::new();
    stream.read_to_string(&mut response).await?;
    Ok(response)
}

#[tokio::test]
async fn a_message_that_is_no_http_is_refused_in_plain_text() -> io::Result<()> {
    let app = Router::new().route("/", get(|| async { "hello" }));
    let (address, _stop, _served) = serving(ServeOptions::<PlainText>::new(), app).await?;
    let response = sent(address, "GET / SMTP\r\n\r\n").await?;
    assert!(response.starts_with("HTTP/1.1 400 "), "{response}");
    assert!(
        response.contains("\r\ncontent-type: text/plain; charset=utf-8\r\n"),
        "{response}"
    );
    assert!(response.contains("no version of HTTP"), "{response}");
    assert!(response.contains("\r\nconnection: close\r\n"), "{response}");
    Ok(())
}

#[tokio::test]
async fn an_app_gives_refusals_its_own_form() -> io::Result<()> {
    let app = Router::new().route("/", get(|| async { "hello" }));
    let options = ServeOptions::<Kinds>::new().base_url("https://api.example.com/");
    let (address, _stop, _served) = serving(options, app).await?;
    for (request, expected) in [
        (
            "GET /x HTTP/1.1\r\n\r\n",
            "NotHttp Some(\"/x\") https://api.example.com",
        ),
        (
            "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
            "UnknownTransferCoding Some(\"/x\") https://api.example.com",
        ),
        ("nonsense\r\n\r\n", "NotHttp None https://api.example.com"),
    ] {
        let response = sent(address, request).await?;
        assert!(response.ends_with(expected), "{response}");
    }
    let kind = ServerErrorKind::UnknownTransferCoding;
    assert_eq!(kind.status(), StatusCode::NOT_IMPLEMENTED);
    Ok(())
}

#[tokio::test]
async fn a_late_body_fails_with_an_error_that_the_app_can_tell() -> io::Result<()> {
    async fn read(body: axum::body::Body) -> (StatusCode, &'static str) {
        let Err(error) = axum::body::to_bytes(body, 100).await else {
            return (StatusCode::OK, "whole");
        };
        let mut source: Option<&dyn std::error::Error> = Some(&error);
        while let Some(error) = source {
            if error.is::<BodyTimeout>() {
                return (StatusCode::REQUEST_TIMEOUT, "late");
            }
            source = error.source();
        }
        (StatusCode::BAD_REQUEST, "broken")
    }
    let app = Router::new().route("/", post(read));
    let options = ServeOptions::<PlainText>::new().body_timeout(Duration::from_millis(50));
    let (address, _stop, _served) = serving(options, app).await?;
    let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n";
    let response = sent(address, head).await?;
    assert!(response.starts_with("HTTP/1.1 408 "), "{response}");
    Ok(())
}

#[tokio::test]
async fn requests_know_that_the_server_drains() -> io::Result<()> {
    async fn probe(request: axum::extract::Request) -> &'static str {
        match request.extensions().get::<Draining>() {
            Some(_) => "draining",
            None => "ready",
        }
    }
    let app = Router::new().route("/", get(probe));
    let options = ServeOptions::<PlainText>::new().drain(Duration::from_hours(1));
    let (address, stop, _served) = serving(options, app).await?;
    let request = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    assert!(sent(address, request).await?.ends_with("ready"));
    drop(stop);
    // The signal and the next request race; the probe is asked until it knows.
    while !sent(address, request).await?.ends_with("draining") {
        tokio::task::yield_now().await;
    }
    Ok(())
}

#[tokio::test]
async fn serving_ends_once_it_is_told_to_stop() -> io::Result<()> {
    let (address, stop, served) = serving(ServeOptions::<PlainText>::new(), Router::new()).await?;
    drop(stop);
    served.await;
    assert!(TcpStream::connect(address).await.is_err());
    Ok(())
}

const GET: &[u8] = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n";

fn hello() -> Router {
    Router::new().route("/", get(|| async { "hello" }))
}

/// A connection that has had a response, behind all that were made before it.
async fn connection_with_a_response(address: SocketAddr) -> io::Result<TcpStream> {
    let mut stream = TcpStream::connect(address).await?;
    stream.write_all(GET).await?;
    let mut response = Vec::new();
    while !response.ends_with(b"hello") {
        response.push(stream.read_u8().await?);
    }
    Ok(stream)
}

#[tokio::test]
async fn a_connection_that_waits_to_be_accepted_is_served_before_the_end() -> io::Result<()> {
    let options = ServeOptions::<PlainText>::new().connections(1);
    let (address, stop, served) = serving(options, hello()).await?;
    let _open = connection_with_a_response(address).await?;
    let mut waiting = TcpStream::connect(address).await?;
    waiting.write_all(GET).await?;
    drop(stop);
    let mut response = String::new();
    waiting.read_to_string(&mut response).await?;
    assert!(response.ends_with("hello"), "{response}");
    served.await;
    Ok(())
}

#[tokio::test]
async fn a_request_that_was_on_its_way_is_answered_before_the_end() -> io::Result<()> {
    let (address, stop, served) = serving(ServeOptions::<PlainText>::new(), hello()).await?;
    let mut fresh = TcpStream::connect(address).await?;
    let mut used = connection_with_a_response(address).await?;
    drop(stop);
    for stream in [&mut fresh, &mut used] {
        stream.write_all(GET).await?;
    }
    for stream in [&mut fresh, &mut used] {
        let mut response = String::new();
        stream.read_to_string(&mut response).await?;
        assert!(response.contains("\r\nconnection: close\r\n"), "{response}");
        assert!(response.ends_with("hello"), "{response}");
    }
    served.await;
    Ok(())
}
