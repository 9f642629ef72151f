/// How far a pool of connections is used.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PoolStats {
    /// What the connections are for.
    pub(crate) name: &'static str,
    /// How many there are at most.
    pub(crate) most: u64,
    pub(crate) open: u64,
    pub(crate) in_use: u64,
    /// Requests that wait for one, where that is known.
    pub(crate) waiting: u64,
}

impl PoolStats {
    /// Of a pool of the driver, which does not tell who waits.
    pub(super) fn of<DB: sqlx::Database>(name: &'static str, pool: &sqlx::Pool<DB>) -> Self {
        let open = u64::from(pool.size());
        let idle = u64::try_from(pool.num_idle()).unwrap_or(open);
        Self {
            name,
            most: pool.options().get_max_connections().into(),
            open,
            in_use: open.saturating_sub(idle),
            waiting: 0,
        }
    }

    /// The same, where so many that are handed out rest.
    #[cfg(feature = "postgres")]
    pub(super) fn excluding(self, resting: usize) -> Self {
        let resting = u64::try_from(resting).unwrap_or(self.in_use);
        Self {
            in_use: self.in_use.saturating_sub(resting),
            ..self
        }
    }
}
