//! A guard for each request in flight, which keeps the timeout state of its connection up to date.

use std::sync::Arc;

use tokio::time::Instant;

use crate::connection_state::ConnectionState;
use crate::timeout_state::Awaiting;

/// A request in flight, from its complete header section to the last response byte given to the connection.
/// Its drop ends it, so that cancelled and panicked requests are counted out, too.
#[derive(Debug)]
pub(crate) struct InFlight {
    state: Arc<ConnectionState>,
    awaiting: Awaiting,
    shuts_down: bool,
}

impl InFlight {
    pub(crate) fn begin(state: &Arc<ConnectionState>) -> Self {
        state.begin();
        Self {
            state: Arc::clone(state),
            awaiting: Awaiting::Server,
            shuts_down: false,
        }
    }

    /// Records that the app has responded, and drains a short request body that the app left unread. Returns
    /// `true` if the connection can be reused: the next request on HTTP/1 begins only behind that body.
    pub(crate) async fn drain_body(&self) -> bool {
        // The guard of the lock ends here, before the await below.
        let Some(unread) = self.state.timeouts().begin_response() else {
            return true;
        };
        // Boxed, because hardly any request needs the space of this future.
        let is_drained = Box::pin(unread.drain()).await;
        // A body that is not drained stays recorded, which makes the close a lingering one.
        if is_drained {
            self.state.timeouts().body_drained();
        }
        is_drained
    }

    /// Requests a graceful shutdown of the connection for the end of this response.
    pub(crate) const fn request_shutdown(&mut self) {
        self.shuts_down = true;
    }

    /// Starts the response timeout: the client has bytes to receive.
    pub(crate) fn pass_to_client(&mut self) {
        self.pass(Awaiting::Client);
    }

    /// Stops the response timeout: the client has received all bytes so far, and the app has to produce more.
    pub(crate) fn pass_to_server(&mut self) {
        // A body that is polled again without data must not restart the time that `is_stalled` measures.
        if self.awaiting == Awaiting::Client {
            self.pass(Awaiting::Server);
        }
    }

    /// Ends HTTP on this connection: from here on all bytes belong to the app, and no timeout applies.
    pub(crate) fn upgrade(&self) {
        self.state.upgrade();
    }

    fn pass(&mut self, awaiting: Awaiting) {
        let now = Instant::now();
        self.state.timeouts().pass(self.awaiting, awaiting, now);
        self.awaiting = awaiting;
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        // Counted out before the shutdown: the woken connection must see that no request is in flight.
        self.state.timeouts().end(self.awaiting, Instant::now());
        if self.shuts_down {
            self.state.request_shutdown();
        }
    }
}
