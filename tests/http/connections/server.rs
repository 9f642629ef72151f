//! A server with its own `ServeOptions`, for the tests of connections.

use std::io;
use std::net::{SocketAddr, TcpStream};
use std::thread;

use axum::Router;
use resource_runtime::ServeOptions;
use resource_tests::polling::PATIENCE;
use resource_tests::{block_on, raw};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// A router that is served with its own options until the test drops this.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    serving: Option<JoinHandle<io::Result<()>>>,
}

impl Server {
    pub(crate) fn start(options: ServeOptions, app: Router) -> Self {
        block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap();
            let (stop, stopped) = oneshot::channel();
            let end = async { stopped.await.expect("the test outlives its server") };
            let serving = tokio::spawn(options.serve_until(listener, app, end));
            Self {
                address,
                stop: Some(stop),
                serving: Some(serving),
            }
        })
    }

    pub(crate) fn connect(&self) -> TcpStream {
        raw::connect(self.address)
    }

    /// Signals the server to stop.
    pub(crate) fn stop(&mut self) {
        let stop = self.stop.take().expect("the only signal to stop");
        stop.send(()).expect("a running server");
    }

    /// Aborts the server without waiting for connections.
    pub(crate) fn abandon(mut self) {
        let serving = self.serving.take().expect("a running server");
        serving.abort();
        self.stop = None;
    }

    /// Waits until the server has ended, which must be without an error.
    pub(crate) fn ended(&mut self) {
        let serving = self.serving.take().expect("the only wait for the end");
        let ended = block_on(async { timeout(PATIENCE, serving).await });
        ended
            .expect("the server ends in time")
            .expect("the server has not panicked")
            .expect("serving succeeds");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if thread::panicking() {
            return;
        }
        if self.stop.is_some() {
            self.stop();
        }
        if self.serving.is_some() {
            self.ended();
        }
    }
}
