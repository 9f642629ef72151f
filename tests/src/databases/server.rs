//! The PostgreSQL server that the tests of this process share.

use std::io::Write as _;
use std::sync::{LazyLock, Once};

use super::Cluster;
use super::binaries::Binaries;

const UNTESTED: &str = "PostgreSQL was not tested, or not all of it: install its server \
     (Debian: `apt-get install postgresql pgbouncer`) or name one in \
     TEST_DATABASE_URL=postgres://user@host/database\n";

/// The URL of the server; `None` where there is none, which is reported once.
///
/// Taken from `TEST_DATABASE_URL`, or that of a server which is started here, where PostgreSQL is
/// installed.
pub(super) fn url() -> Option<&'static str> {
    static URL: LazyLock<Option<String>> =
        LazyLock::new(|| named().or_else(|| Binaries::find().map(Cluster::start_for_the_process)));
    if URL.is_none() {
        missing();
    }
    URL.as_deref()
}

/// Reports once that there is no server; with `REQUIRE_POSTGRES=1` that fails the test.
pub(super) fn missing() {
    static SAID: Once = Once::new();
    // Written directly: of `eprintln!`, the test runner shows the output of failed tests alone.
    SAID.call_once(|| drop(std::io::stderr().write_all(UNTESTED.as_bytes())));
    let required = std::env::var_os("REQUIRE_POSTGRES").is_some_and(|value| value == "1");
    assert!(!required, "REQUIRE_POSTGRES=1, but {UNTESTED}");
}

/// True for the server that `TEST_DATABASE_URL` names.
pub(super) fn is_external(url: &str) -> bool {
    named().is_some_and(|named| named == url)
}

fn named() -> Option<String> {
    std::env::var("TEST_DATABASE_URL").ok()
}
