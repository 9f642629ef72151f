//! Statistics of figures, and units of time.

use std::time::Duration;

/// The figure in the middle.
pub(crate) fn median(figures: Vec<f64>) -> f64 {
    quantile(figures, 0.5)
}

/// The figure below which this part of all of them lies.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "a part of a length is an index"
)]
pub(crate) fn quantile(mut figures: Vec<f64>, part: f64) -> f64 {
    figures.sort_by(f64::total_cmp);
    let index = (figures.len() as f64 * part) as usize;
    let last = figures.len().saturating_sub(1);
    figures.get(index.min(last)).copied().unwrap_or(f64::NAN)
}

pub(crate) fn microseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// Microseconds for each of so many requests.
#[allow(clippy::cast_precision_loss, reason = "nobody sends 2^52 requests")]
pub(crate) fn microseconds_each(time: Duration, requests: usize) -> f64 {
    microseconds(time) / requests as f64
}

#[cfg(test)]
mod tests {
    use super::{median, quantile};

    #[test]
    fn the_median_is_not_moved_by_one_slow_round() {
        assert!((median(vec![2.0, 900.0, 1.0]) - 2.0).abs() < f64::EPSILON);
    }

    #[test]
    fn a_quantile_leaves_its_part_below() {
        let figures: Vec<f64> = (0..100).map(f64::from).collect();
        assert!((quantile(figures, 0.99) - 99.0).abs() < f64::EPSILON);
    }

    #[test]
    fn the_last_figure_is_the_greatest_quantile() {
        assert!((quantile(vec![3.0, 1.0], 1.0) - 3.0).abs() < f64::EPSILON);
    }
}
