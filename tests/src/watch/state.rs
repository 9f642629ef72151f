//! The state of the watch over the log: the secrets, the recent lines, and the logs that tests keep.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::process;
use std::sync::{LazyLock, Mutex, MutexGuard};

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

use super::TOLD;
use super::captured_logs::Kept;
use super::recent_lines::Recent;
use super::secrets::Secrets;
use super::shapes::shape;

#[derive(Debug, Default)]
struct State {
    secrets: Secrets,
    recent: Recent,
    kept: Kept,
}

/// The state, behind a single lock: between the search of a line and its place among the recent ones no
/// secret may slip through.
fn state() -> MutexGuard<'static, State> {
    static STATE: LazyLock<Mutex<State>> = LazyLock::new(Mutex::default);
    STATE.lock().expect("nothing panics under this lock")
}

/// Forbids this text in the log: in lines from now on, and in the recent ones.
///
/// The failure names `what` it is. A text of less than eight bytes is not remembered: it could not be told
/// from a word.
pub fn remember(what: &'static str, secret: impl AsRef<[u8]>) {
    let mut state = state();
    let Some(secret) = state.secrets.add(what, secret.as_ref()) else {
        return;
    };
    if let Some(line) = state.recent.line_with(&secret) {
        end(what, line);
    }
}

/// Forbids bytes that are no text, in each form in which a log could write them.
pub fn remember_bytes(what: &'static str, secret: &[u8]) {
    remember(what, STANDARD_NO_PAD.encode(secret));
    remember(what, URL_SAFE_NO_PAD.encode(secret));
    // `Debug` shows bytes as a list, in hexadecimal or in decimal.
    for digits in [format!("{secret:02x?}"), format!("{secret:?}")] {
        remember(what, digits.trim_matches(['[', ']']));
    }
    let hexadecimal = secret.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    });
    remember(what, hexadecimal);
}

/// Searches a line of the log, and keeps it among the recent ones.
pub(super) fn search(line: String) {
    let mut state = state();
    let found = state.secrets.find(line.as_bytes()).or_else(|| shape(&line));
    if let Some(what) = found {
        end(what, &line);
    }
    state.kept.add(&line);
    state.recent.push(line);
}

/// Keeps all lines from now on.
pub(super) fn keep() -> super::Log {
    state().kept.open()
}

/// Ends the tests. Writes to standard error directly, since the test runner holds back the output of
/// macros.
fn end(what: &str, line: &str) -> ! {
    let told = format!("\nthe log tells a secret, {what}, in this line:\n{line}\n");
    let _ = io::stderr().write_all(told.as_bytes());
    process::exit(TOLD);
}
