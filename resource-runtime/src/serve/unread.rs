//! What an app leaves of the body of a request, and what becomes of it.

use std::time::Duration;

use http_body_util::{BodyExt as _, Limited};
use hyper::body::{Body as _, Incoming};
use tokio::time::timeout;

/// How many bytes are read for nothing so that a connection of HTTP/1 goes on.
const LITTLE: usize = 64 * 1024;

/// How long a client has to send them; the answer waits for them.
const SOON: Duration = Duration::from_secs(1);

/// What an app has left of a body when it let go of it.
#[derive(Debug)]
pub(super) enum Unread {
    /// As far as the client has said, so little that reading it keeps the connection.
    Little(Incoming),
    /// More than that, or what will never be read.
    Much,
}

impl Unread {
    pub(super) fn of(incoming: Incoming) -> Self {
        let announced = incoming.size_hint().lower();
        if usize::try_from(announced).is_ok_and(|length| length <= LITTLE) {
            Self::Little(incoming)
        } else {
            Self::Much
        }
    }

    /// Reads all of it, if that can be: then the next request can be read, too.
    pub(super) async fn read(self) -> bool {
        match self {
            Self::Little(incoming) => ends(incoming, LITTLE, SOON).await,
            Self::Much => false,
        }
    }
}

/// Reads a body; whether it ends after at most as many bytes, and in time.
pub(super) async fn ends(incoming: Incoming, most: usize, limit: Duration) -> bool {
    let mut body = Limited::new(incoming, most);
    let reading = async {
        while let Some(frame) = body.frame().await {
            if frame.is_err() {
                return false;
            }
        }
        true
    };
    timeout(limit, reading).await.unwrap_or(false)
}
