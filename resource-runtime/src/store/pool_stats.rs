//! Statistics of connection pools, for metrics.

/// The size and the use of a connection pool.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PoolStats {
    /// The purpose of the connections.
    pub(crate) name: &'static str,
    /// The largest number of connections.
    pub(crate) most: usize,
    pub(crate) open: usize,
    pub(crate) in_use: usize,
    /// Requests that wait for a connection, where that is known.
    pub(crate) waiting: usize,
}

#[cfg(feature = "sqlite")]
impl PoolStats {
    /// The statistics of an sqlx pool, which does not report waiting requests.
    pub(super) fn of<DB: sqlx::Database>(name: &'static str, pool: &sqlx::Pool<DB>) -> Self {
        let counts = [pool.options().get_max_connections(), pool.size()];
        let [most, open] = counts.map(|it| it.try_into().unwrap_or(usize::MAX));
        Self {
            name,
            most,
            open,
            // The pool counts both numbers at different moments, so that more may be idle than were open.
            in_use: open.saturating_sub(pool.num_idle()),
            waiting: 0,
        }
    }
}
