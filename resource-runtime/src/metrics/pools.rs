//! Metrics of connection pools.

use std::fmt::Error;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::DescriptorEncoder;
use prometheus_client::metrics::MetricType;

use crate::store::{Database, PoolStats};

/// Collector of a database's connection pools, which are read each time metrics are requested.
#[derive(Debug)]
pub(super) struct Pools(pub(super) Database);

/// A metric of a pool: its name, its help text, and its value.
type Reading = (&'static str, &'static str, fn(&PoolStats) -> u64);

const READINGS: [Reading; 4] = [
    ("most", "Connections that a pool has at most", |it| it.most),
    ("open", "Connections that a pool has", |it| it.open),
    ("in_use", "Connections that work for somebody", |it| {
        it.in_use
    }),
    (
        "waiting",
        "Requests that wait for a connection, where that is known",
        |it| it.waiting,
    ),
];

impl Collector for Pools {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), Error> {
        let pools = self.0.pools();
        for (name, help, reading) in READINGS {
            let name = format!("database_connections_{name}");
            let kind = MetricType::Gauge;
            let mut family = encoder.encode_descriptor(&name, help, None, kind)?;
            for pool in &pools {
                let labels = [("pool", pool.name)];
                let mut gauge = family.encode_family(&labels)?;
                gauge.encode_gauge(&reading(pool))?;
            }
        }
        Ok(())
    }
}
