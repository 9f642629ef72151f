use std::time::Duration;

use hyper_util::rt::{TokioExecutor, TokioTimer};
use hyper_util::server::conn::auto::Builder;

/// How many requests a client of HTTP/2 may have at once: the least that RFC 9113 recommends.
const STREAMS: u32 = 100;

/// How long a client of HTTP/2 may be silent before it is asked whether it is still there.
const PING_AFTER: Duration = Duration::from_secs(20);

/// How long it may take to say so.
const PONG_WITHIN: Duration = Duration::from_secs(20);

/// HTTP/1.1, or HTTP/2 for clients that begin with its preface.
pub(super) fn builder() -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    // Its timer for heads runs while a connection rests, too: the alarm tells the two apart.
    builder.http1().header_read_timeout(None);
    // Its socket looks whether the client is gone: that one sends no more does not tell.
    builder.http1().half_close(true);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS)
        .keep_alive_interval(PING_AFTER)
        .keep_alive_timeout(PONG_WITHIN);
    builder
}
