//! Metrics of connection pools.

use std::fmt::Error;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::DescriptorEncoder;
use prometheus_client::metrics::MetricType;

use crate::store::{Database, PoolStats};

/// Collector of a database's connection pools, which are read each time metrics are requested.
#[derive(Debug)]
pub(super) struct Pools(pub(super) Database);

/// A value of a pool, with its label beside the name of the pool.
type Reading = (
    Option<(&'static str, &'static str)>,
    fn(&PoolStats) -> usize,
);

/// Label for the state of connections.
const STATE: &str = "db_client_connection_state";

/// Metrics of a pool: name, help text, and readings.
const METRICS: [(&str, &str, &[Reading]); 3] = [
    (
        "count",
        "Open connections of a pool",
        &[
            (Some((STATE, "idle")), |pool| {
                // A pool does not count both numbers at one instant, so more connections may seem in use than
                // open.
                pool.open.saturating_sub(pool.in_use)
            }),
            (Some((STATE, "used")), |pool| pool.in_use),
        ],
    ),
    (
        "max",
        "Maximum number of connections of a pool",
        &[(None, |pool| pool.most)],
    ),
    (
        "pending_requests",
        "Requests that wait for a connection, where the pool counts them",
        &[(None, |pool| pool.waiting)],
    ),
];

impl Collector for Pools {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), Error> {
        // One reading of all pools serves all three families, so that their values belong together.
        let pools = self.0.pools();
        for (name, help, readings) in METRICS {
            let name = format!("db_client_connection_{name}");
            // OpenMetrics describes each metric once, so all pools are series of one family.
            let mut family = encoder.encode_descriptor(&name, help, None, MetricType::Gauge)?;
            for pool in &pools {
                for (state, value) in readings {
                    let mut labels = vec![("db_client_connection_pool_name", pool.name)];
                    labels.extend(*state);
                    let value = u64::try_from(value(pool)).unwrap_or(u64::MAX);
                    family.encode_family(&labels)?.encode_gauge(&value)?;
                }
            }
        }
        Ok(())
    }
}
