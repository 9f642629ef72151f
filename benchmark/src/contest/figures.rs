//! Figures of a subject: its turns as they were measured, and their medians and quantiles.

use serde::Serialize;

use crate::measure::{median, quantile};
use crate::output::rounded;

/// Measurements of a subject in one turn, in microseconds.
pub(super) struct Turn {
    /// CPU time of the service for each request.
    pub(super) cpu: f64,
    pub(super) server_cpu: Option<f64>,
    /// Requests in a second.
    pub(super) rate: f64,
    pub(super) latencies: Vec<f64>,
}

/// The cost of a task for a subject: medians of its turns, and quantiles over all their requests.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Figures {
    pub(crate) cpu_us: f64,
    pub(crate) server_cpu_us: Option<f64>,
    pub(crate) rps: f64,
    pub(crate) p50_us: f64,
    pub(crate) p99_us: f64,
    pub(crate) peak_rss_kb: u64,
}

impl Figures {
    pub(super) fn of(turns: Vec<Turn>, peak_rss_kb: u64) -> Self {
        let server: Option<Vec<f64>> = turns.iter().map(|turn| turn.server_cpu).collect();
        let cpu = turns.iter().map(|turn| turn.cpu).collect();
        let rate = turns.iter().map(|turn| turn.rate).collect();
        let latencies: Vec<f64> = turns.into_iter().flat_map(|turn| turn.latencies).collect();
        Self {
            cpu_us: rounded(median(cpu)),
            server_cpu_us: server.map(|figures| rounded(median(figures))),
            rps: rounded(median(rate)),
            p50_us: rounded(median(latencies.clone())),
            p99_us: rounded(quantile(latencies, 0.99)),
            peak_rss_kb,
        }
    }

    /// CPU time of the service and of its server together.
    pub(crate) fn whole_cpu(&self) -> Option<f64> {
        self.server_cpu_us.map(|server| self.cpu_us + server)
    }
}

#[cfg(test)]
mod tests {
    use super::{Figures, Turn};

    fn turn(cpu: f64, latency: f64) -> Turn {
        Turn {
            cpu,
            server_cpu: None,
            rate: 1e6 / latency,
            latencies: vec![latency; 50],
        }
    }

    #[test]
    fn turns_have_a_median_and_requests_have_quantiles() {
        let figures = Figures::of(vec![turn(1.0, 10.0), turn(3.0, 10.0), turn(2.0, 90.0)], 7);
        let expected = Figures {
            cpu_us: 2.0,
            server_cpu_us: None,
            rps: 100_000.0,
            p50_us: 10.0,
            p99_us: 90.0,
            peak_rss_kb: 7,
        };
        assert_eq!(format!("{figures:?}"), format!("{expected:?}"));
    }
}
