//! Pseudo-random numbers that are the same in every run, and numbers that are used once.

use std::sync::atomic::{AtomicU64, Ordering};

/// Numbers that look random and are the same in every run (xorshift).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        // Zero would stay zero for ever.
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) const fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        // The upper half is the more random one.
        (self.0 >> 32) % if end == 0 { 1 } else { end }
    }

    /// Shuffles items, each order as likely as the others (Fisher and Yates).
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        let mut end = 0;
        for last in 0..items.len() {
            end += 1;
            let other = usize::try_from(self.below(end)).unwrap_or(last);
            items.swap(last, other);
        }
    }
}

/// A number that no other call in this process has returned.
pub(crate) fn unused_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::Random;

    #[test]
    fn every_number_below_the_end_is_drawn() {
        let mut random = Random::new(7);
        let mut drawn = [false; 20];
        for _ in 0..1000 {
            drawn[usize::try_from(random.below(20)).unwrap()] = true;
        }
        assert!(drawn.iter().all(|it| *it));
    }

    #[test]
    fn every_order_is_drawn() {
        let mut random = Random::new(7);
        let mut orders = HashSet::new();
        for _ in 0..1000 {
            let mut items = [1, 2, 3, 4];
            random.shuffle(&mut items);
            orders.insert(items);
        }
        assert_eq!(orders.len(), 24);
        let sorted = |mut order: [i32; 4]| {
            order.sort_unstable();
            order
        };
        assert!(orders.into_iter().all(|it| sorted(it) == [1, 2, 3, 4]));
    }
}
