//! A request in flight.

use std::sync::Arc;

use tokio::time::Instant;

use crate::connection_state::ConnectionState;
use crate::timeout_state::Awaiting;

/// A request and its answer, from the whole head to the last byte that is handed to the
/// connection; it ends when it is dropped, however that comes about.
#[derive(Debug)]
pub(crate) struct InFlight {
    state: Arc<ConnectionState>,
    turn: Awaiting,
    is_last: bool,
}

impl InFlight {
    pub(crate) fn begin(state: &Arc<ConnectionState>) -> Self {
        state.begin();
        Self {
            state: Arc::clone(state),
            turn: Awaiting::Server,
            is_last: false,
        }
    }

    /// Notes down that there is an answer, and reads what the app has left of the body, where it is little;
    /// whether the next request can be read after that.
    pub(crate) async fn read_left(&self) -> bool {
        let Some(left) = self.state.timeouts().answer() else {
            return true;
        };
        let is_read = Box::pin(left.read()).await;
        if is_read {
            self.state.timeouts().read_left();
        }
        is_read
    }

    /// The client is to leave the connection when it has the answer.
    pub(crate) const fn be_last(&mut self) {
        self.is_last = true;
    }

    /// The client has something to take.
    pub(crate) fn pass_to_client(&mut self) {
        self.pass(Awaiting::Client);
    }

    /// The client has taken all there is so far.
    pub(crate) fn pass_to_server(&mut self) {
        if self.turn == Awaiting::Client {
            self.pass(Awaiting::Server);
        }
    }

    /// From here on all bytes are the app's own: no exchange on this connection ends any more.
    pub(crate) fn upgrade(&self) {
        self.state.upgrade();
    }

    fn pass(&mut self, turn: Awaiting) {
        let now = Instant::now();
        self.state.timeouts().pass(self.turn, turn, now);
        self.turn = turn;
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.state.timeouts().end(self.turn, Instant::now());
        if self.is_last {
            self.state.go_away();
        }
    }
}
