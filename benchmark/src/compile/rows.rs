//! Rows of the compile benchmark: costs of a build by the number of resources, and of one more resource.

use serde::Serialize;

use super::workspace::Package;
use crate::measure::median;
use crate::output::rounded;

/// The cost of building a service of this number of resources.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Row {
    pub(super) subject: &'static str,
    /// `None` where the row is the cost of one more resource.
    pub(super) resources: Option<usize>,
    #[serde(flatten)]
    pub(super) cost: Cost,
}

/// CPU milliseconds of builds, and the length of the program.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Cost {
    pub(super) debug_ms: f64,
    pub(super) incremental_ms: f64,
    pub(super) release_ms: f64,
    pub(super) stripped_kib: f64,
}

impl Cost {
    /// The median of each figure.
    fn median(costs: &[Self]) -> Self {
        Self::of(|figure| rounded(median(costs.iter().map(figure).collect())))
    }

    /// A cost of what `answer` returns for each figure, given the function that reads this figure.
    fn of(answer: impl Fn(fn(&Self) -> f64) -> f64) -> Self {
        Self {
            debug_ms: answer(|cost| cost.debug_ms),
            incremental_ms: answer(|cost| cost.incremental_ms),
            release_ms: answer(|cost| cost.release_ms),
            stripped_kib: answer(|cost| cost.stripped_kib),
        }
    }
}

impl Row {
    pub(super) fn new(package: Package, costs: &[Cost]) -> Self {
        Self {
            subject: package.style.name(),
            resources: Some(package.resources),
            cost: Cost::median(costs),
        }
    }

    /// The cost of one more resource, by all services of a subject.
    pub(super) fn slope(subject: &'static str, rows: &[Self]) -> Self {
        let of_subject: Vec<&Self> = rows.iter().filter(|row| row.subject == subject).collect();
        let by = |figure: fn(&Cost) -> f64| {
            let points = of_subject.iter().filter_map(|row| {
                let resources = u32::try_from(row.resources?).ok()?;
                Some((f64::from(resources), figure(&row.cost)))
            });
            hundredths(slope(&points.collect::<Vec<_>>()))
        };
        Self {
            subject,
            resources: None,
            cost: Cost::of(by),
        }
    }
}

fn hundredths(figure: f64) -> f64 {
    (figure * 100.0).round() / 100.0
}

/// Slope of the straight line that is nearest to the points, by least squares.
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
