use std::sync::Arc;

use super::clock::Clock;
use super::waiting::Turn;

/// A request and its answer, from the whole head to the last byte that is handed to the
/// connection; it ends when it is dropped, however that comes about.
#[derive(Debug)]
pub(super) struct Exchange {
    clock: Arc<Clock>,
    turn: Turn,
    is_last: bool,
}

impl Exchange {
    pub(super) fn begin(clock: &Arc<Clock>) -> Self {
        clock.begin();
        Self {
            clock: Arc::clone(clock),
            turn: Turn::Service,
            is_last: false,
        }
    }

    /// Notes down that there is an answer, and reads what the app has left of the body, where it is little;
    /// whether the next request can be read after that.
    pub(super) async fn read_left(&self) -> bool {
        let Some(left) = self.clock.answer() else {
            return true;
        };
        let is_read = Box::pin(left.read()).await;
        if is_read {
            self.clock.read_left();
        }
        is_read
    }

    /// The client is to leave the connection when it has the answer.
    pub(super) const fn be_last(&mut self) {
        self.is_last = true;
    }

    /// The client has something to take.
    pub(super) fn pass_to_client(&mut self) {
        self.pass(Turn::Client);
    }

    /// The client has taken all there is so far.
    pub(super) fn pass_to_service(&mut self) {
        if self.turn == Turn::Client {
            self.pass(Turn::Service);
        }
    }

    /// From here on all bytes are the app's own: no exchange on this connection ends any more.
    pub(super) fn upgrade(&self) {
        self.clock.upgrade();
    }

    fn pass(&mut self, turn: Turn) {
        self.clock.pass(self.turn, turn);
        self.turn = turn;
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        self.clock.end(self.turn);
        if self.is_last {
            self.clock.go_away();
        }
    }
}
