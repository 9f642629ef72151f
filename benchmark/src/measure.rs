use std::time::Duration;

/// The one in the middle.
pub(crate) fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Microseconds for each of so many requests.
#[allow(clippy::cast_precision_loss, reason = "nobody sends 2^52 requests")]
pub(crate) fn microseconds_each(cpu: Duration, requests: usize) -> f64 {
    cpu.as_secs_f64() * 1e6 / requests as f64
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_median_is_not_moved_by_one_slow_round() {
        assert!((median(vec![2.0, 900.0, 1.0]) - 2.0).abs() < f64::EPSILON);
    }
}
