//! Statistics of connection pools, for metrics.

/// The size and the use of a connection pool.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PoolStats {
    /// The purpose of the connections.
    pub(crate) name: &'static str,
    /// The largest number of connections.
    pub(crate) most: u64,
    pub(crate) open: u64,
    pub(crate) in_use: u64,
    /// Requests that wait for a connection, where that is known.
    pub(crate) waiting: u64,
}

#[cfg(feature = "sqlite")]
impl PoolStats {
    /// The statistics of an sqlx pool, which does not report waiting requests.
    pub(super) fn of<DB: sqlx::Database>(name: &'static str, pool: &sqlx::Pool<DB>) -> Self {
        let open = u64::from(pool.size());
        let idle = u64::try_from(pool.num_idle()).unwrap_or(open);
        Self {
            name,
            most: pool.options().get_max_connections().into(),
            open,
            // The pool counts both numbers at different moments, so that more may be idle than were open.
            in_use: open.saturating_sub(idle),
            waiting: 0,
        }
    }
}
