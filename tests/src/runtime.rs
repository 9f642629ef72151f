//! The async runtime that the servers and the clients of a test binary share.

use std::sync::LazyLock;

use tokio::runtime::{Builder, Runtime};

use crate::watch;

/// The only runtime of a test binary: the servers and the clients of all its tests share it, so that the
/// tests themselves are ordinary functions.
pub(crate) fn runtime() -> &'static Runtime {
    static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
        // The watch must listen before any service can log.
        watch::listen();
        Builder::new_multi_thread()
            .worker_threads(4)
            .enable_all()
            .build()
            .expect("a runtime")
    });
    &RUNTIME
}

/// Runs a future of the library to its end.
pub fn block_on<F: IntoFuture>(future: F) -> F::Output {
    runtime().block_on(future.into_future())
}
