//! A server with settings of its own, for the tests of connections.

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

/// An app that is served with settings of its own until the test drops it.
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

    /// Asks it to stop.
    pub(crate) fn stop(&mut self) {
        let stop = self.stop.take().expect("asked once");
        stop.send(()).expect("it is served");
    }

    /// Ends it at once, whatever it still waits for.
    pub(crate) fn abandon(mut self) {
        let serving = self.serving.take().expect("it is served");
        serving.abort();
        self.stop = None;
    }

    /// Waits for its end, which must be a success.
    pub(crate) fn ended(&mut self) {
        let serving = self.serving.take().expect("waited for once");
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
