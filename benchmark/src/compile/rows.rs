use serde::Serialize;

use super::workspace::Package;
use crate::output::rounded;

/// What a service of so many resources costs to build, in milliseconds of CPU, and its length.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Row {
    pub(super) subject: &'static str,
    /// None where it is what one more resource costs.
    pub(super) resources: Option<usize>,
    pub(super) debug_ms: f64,
    pub(super) incremental_ms: f64,
    pub(super) release_ms: f64,
    pub(super) stripped_kib: f64,
}

impl Row {
    pub(super) fn new(package: Package, [debug, incremental, release, stripped]: [f64; 4]) -> Self {
        Self {
            subject: package.style.name(),
            resources: Some(package.resources),
            debug_ms: rounded(debug),
            incremental_ms: rounded(incremental),
            release_ms: rounded(release),
            stripped_kib: rounded(stripped),
        }
    }

    /// What one more resource costs, by all services of a subject.
    pub(super) fn slope(subject: &'static str, rows: &[Self]) -> Self {
        let of_subject: Vec<&Self> = rows.iter().filter(|row| row.subject == subject).collect();
        let by = |figure: fn(&Self) -> f64| {
            let points = of_subject.iter().filter_map(|row| {
                let resources = u32::try_from(row.resources?).ok()?;
                Some((f64::from(resources), figure(row)))
            });
            hundredths(slope(&points.collect::<Vec<_>>()))
        };
        Self {
            subject,
            resources: None,
            debug_ms: by(|row| row.debug_ms),
            incremental_ms: by(|row| row.incremental_ms),
            release_ms: by(|row| row.release_ms),
            stripped_kib: by(|row| row.stripped_kib),
        }
    }
}

fn hundredths(figure: f64) -> f64 {
    (figure * 100.0).round() / 100.0
}

/// Of the straight line that is nearest to the points, by least squares.
#[allow(clippy::cast_precision_loss, reason = "there are a few points")]
fn slope(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let mean = |part: fn(&(f64, f64)) -> f64| points.iter().map(part).sum::<f64>() / count;
    let (x_mean, y_mean) = (mean(|it| it.0), mean(|it| it.1));
    let along = points.iter().map(|(x, y)| (x - x_mean) * (y - y_mean));
    let across = points.iter().map(|(x, _)| (x - x_mean).powi(2));
    along.sum::<f64>() / across.sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::slope;

    #[test]
    fn the_slope_is_that_of_the_line() {
        let points = [(1.0, 7.0), (10.0, 25.0), (50.0, 105.0)];
        assert!((slope(&points) - 2.0).abs() < 1e-9);
    }

    #[test]
    fn what_points_miss_the_line_by_evens_out() {
        let points = [(0.0, 1.0), (0.0, -1.0), (10.0, 31.0), (10.0, 29.0)];
        assert!((slope(&points) - 3.0).abs() < 1e-9);
    }
}
