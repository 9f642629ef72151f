//! Comparison of the responses to a test on both databases, which must be the same byte for byte.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::{LazyLock, Mutex};

use crate::{Answer, Backend};

/// A request with its body, and its whole response.
#[derive(Debug)]
struct Exchange {
    request: String,
    answer: String,
}

/// Headers that differ between two runs, whatever the database. `connection` does, since the end of a
/// connection after a refused body depends on how much of it had arrived.
const OF_THE_MOMENT: [&str; 3] = ["connection", "date", "x-request-id"];

thread_local! {
    static EXCHANGES: RefCell<Option<Vec<Exchange>>> = const { RefCell::new(None) };
}

/// Records the responses to the client of this thread from now on.
pub(crate) fn start() {
    EXCHANGES.set(Some(Vec::new()));
}

/// Leaves the running test out of the comparison, for a reason that its code tells.
pub fn responses_differ(_because: &str) {
    EXCHANGES.set(None);
}

/// A request in the form in which it was sent.
#[derive(Clone, Copy)]
pub(crate) enum Request<'sent> {
    Whole(&'sent reqwest::Request),
    Raw(&'sent [u8]),
}

/// Records an exchange of the test that runs on this thread, with the service at `authority`.
pub(crate) fn note(request: Request<'_>, authority: &str, answer: &Answer) {
    EXCHANGES.with_borrow_mut(|exchanges| {
        if let Some(exchanges) = exchanges {
            let answer = lasting(answer, authority);
            let request = request.text(authority);
            exchanges.push(Exchange { request, answer });
        }
    });
}

impl Request<'_> {
    fn text(&self, authority: &str) -> String {
        let text = match self {
            Self::Raw(bytes) => bytes.escape_ascii().to_string(),
            Self::Whole(request) => {
                let body = request.body().and_then(reqwest::Body::as_bytes);
                let body = body.unwrap_or_default().escape_ascii();
                format!("{} {} {body}", request.method(), request.url())
            }
        };
        text.replace(authority, "service")
    }
}

/// The text of a response, without the parts that differ between two runs.
fn lasting(answer: &Answer, authority: &str) -> String {
    let mut told = format!("{}\n", answer.status);
    for (name, value) in &answer.headers {
        if !OF_THE_MOMENT.contains(&name.as_str()) {
            let _ = writeln!(told, "{name}: {value:?}");
        }
    }
    let request_id = answer.header("x-request-id").unwrap_or("no id");
    // Ports and request ids differ between two runs, so placeholders stand for them.
    let body = answer.body.escape_ascii().to_string();
    let port = authority.rsplit(':').next().unwrap_or(authority);
    let body = body
        .replace(authority, "service")
        .replace(&format!("localhost:{port}/"), "localhost/");
    told + &body.replace(request_id, "request-id")
}

/// Compares the recorded exchanges with those of the same test on the other database, once both have run.
pub(crate) fn compare(test: &'static str, backend: Backend) {
    static DONE: LazyLock<Mutex<HashMap<&str, Vec<Exchange>>>> = LazyLock::new(Mutex::default);
    let Some(here) = EXCHANGES.take() else {
        return;
    };
    let mut done = DONE.lock().expect("nothing panics under this lock");
    let Some(there) = done.remove(test) else {
        done.insert(test, here);
        return;
    };
    // A comparison that fails must not poison the lock for other tests.
    drop(done);
    for (here, there) in here.iter().zip(&there) {
        assert_eq!(
            here.request, there.request,
            "{test} asks something else on {backend:?}"
        );
        let request = &here.request;
        assert_eq!(
            here.answer, there.answer,
            "{request} is answered otherwise on {backend:?}"
        );
    }
    assert_eq!(
        here.len(),
        there.len(),
        "{test} asks more often on one database"
    );
}
