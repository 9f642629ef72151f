use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::store::PoolUse;

/// How many of the readers work for somebody.
#[derive(Debug, Clone)]
pub(super) struct Usage {
    readers: u64,
    in_use: Arc<AtomicU64>,
}

impl Usage {
    pub(super) fn of(readers: usize) -> Self {
        Self {
            readers: u64::try_from(readers).unwrap_or(u64::MAX),
            in_use: Arc::default(),
        }
    }

    /// A reader works until what is answered is dropped.
    pub(super) fn begin(&self) -> impl Drop + use<> {
        self.in_use.fetch_add(1, Ordering::Relaxed);
        Used(Arc::clone(&self.in_use))
    }

    /// While so many reads wait.
    pub(super) fn told(&self, waiting: usize) -> PoolUse {
        PoolUse {
            name: "read",
            most: self.readers,
            open: self.readers,
            in_use: self.in_use.load(Ordering::Relaxed),
            waiting: u64::try_from(waiting).unwrap_or(u64::MAX),
        }
    }
}

struct Used(Arc<AtomicU64>);

impl Drop for Used {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
