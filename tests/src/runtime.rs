use std::sync::LazyLock;

use tokio::runtime::{Builder, Runtime};

use crate::watch;

/// The one runtime of a test binary: the servers and the clients of all its tests share it,
/// so that the tests themselves are ordinary functions.
pub(crate) fn runtime() -> &'static Runtime {
    static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
        watch::listen();
        Builder::new_multi_thread()
            .worker_threads(4)
            .enable_all()
            .build()
            .expect("a runtime")
    });
    &RUNTIME
}

/// Waits for what the library does asynchronously.
pub fn block_on<F: Future>(future: F) -> F::Output {
    runtime().block_on(future)
}
