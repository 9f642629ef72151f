//! The watch over the log: no token, code, secret, password or private key is in any line that a
//! service writes, in this process or in one that a test starts, at the most verbose level.
//!
//! The secrets that tests make and receive are remembered, and every line is searched for them the moment
//! it is written; a secret that is remembered afterwards, because its client came to know it later, is
//! looked for in the lines before. A text that *looks* like a token or a private key need not even be
//! remembered. A line that tells a secret ends the whole test binary: a panic in a thread of the server
//! would fail no test, and no test owns the line.

mod captured_logs;
mod http_secrets;
mod listener;
mod processes;
mod recent_lines;
mod secrets;
mod shapes;
mod state;

pub use captured_logs::{Log, keep};
pub(crate) use http_secrets::{answered, sent};
pub use http_secrets::{asked, remember_token};
pub(crate) use listener::listen;
pub use processes::{Logged, Output, Process, output, spawn, spawn_with_default_log, told};
pub use state::{remember, remember_bytes};

/// Exit code of the test binary when a secret is in the log.
pub const TOLD: i32 = 86;
