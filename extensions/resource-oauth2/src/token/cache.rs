//! Caches of verification results by token digest, so that a signature is verified once a minute.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use quick_cache::sync::Cache;
use resource_runtime::authorization::Claims;

use crate::crypto::Digest;

/// Largest number of cached tokens.
const CAPACITY: usize = 16 * 1024;

/// The cache of valid tokens. Invalid ones are cached elsewhere, so that made-up tokens evict no valid one.
pub(crate) type TokenCache = ResultCache<Arc<Claims>>;

/// A bounded cache of results, each with an expiry of its own.
pub(crate) struct ResultCache<T> {
    entries: Cache<Digest, Entry<T>>,
    epoch: AtomicU64,
}

#[derive(Clone)]
struct Entry<T> {
    result: T,
    until: i64,
    epoch: Epoch,
}

/// Generation of the cache when a verification began. A result of an older generation, from before a clearing, is
/// ignored.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Epoch(u64);

impl<T: Clone> ResultCache<T> {
    pub(crate) fn new() -> Self {
        Self {
            // A full cache evicts by its own policy, so its memory is bounded.
            entries: Cache::new(CAPACITY),
            epoch: AtomicU64::new(0),
        }
    }

    pub(crate) fn get(&self, digest: &Digest, now: i64) -> Option<T> {
        // An expired entry is not removed here: it is replaced by the next result, or evicted.
        let entry = self.entries.get(digest)?;
        // The epoch is compared again: an entry may have been inserted after the clearing that should have
        // removed it.
        (now < entry.until && entry.epoch == self.epoch()).then_some(entry.result)
    }

    pub(crate) fn epoch(&self) -> Epoch {
        Epoch(self.epoch.load(Ordering::Acquire))
    }

    pub(crate) fn insert(&self, digest: Digest, result: T, until: i64, epoch: Epoch) {
        // Inserted even if the epoch has passed: `get` ignores it, which needs no lock here.
        let entry = Entry {
            result,
            until,
            epoch,
        };
        self.entries.insert(digest, entry);
    }

    pub(crate) fn clear(&self) {
        // The epoch first: from here on no old entry counts, even while the entries are being removed.
        self.epoch.fetch_add(1, Ordering::AcqRel);
        self.entries.clear();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use resource_runtime::authorization::Claims;

    use super::{CAPACITY, TokenCache};
    use crate::crypto::digest;

    fn claims() -> Arc<Claims> {
        Arc::new(Claims::default())
    }

    #[test]
    fn entry_expires() {
        let cache = TokenCache::new();
        let token = digest(b"token");
        cache.insert(token, claims(), 100, cache.epoch());
        assert!(cache.get(&token, 99).is_some());
        assert!(cache.get(&token, 100).is_none());
        assert!(cache.get(&digest(b"other"), 99).is_none());
    }

    #[test]
    fn result_from_before_a_clearing_is_not_cached() {
        let cache = TokenCache::new();
        let token = digest(b"token");
        let before = cache.epoch();
        cache.insert(token, claims(), 100, before);
        cache.clear();
        assert!(cache.get(&token, 0).is_none());
        cache.insert(token, claims(), 100, before);
        assert!(cache.get(&token, 0).is_none());
        cache.insert(token, claims(), 100, cache.epoch());
        assert!(cache.get(&token, 0).is_some());
    }

    #[test]
    fn cache_is_bounded() {
        let cache = TokenCache::new();
        let tokens: Vec<_> = (0..2 * CAPACITY)
            .map(|n| digest(&n.to_le_bytes()))
            .collect();
        for token in &tokens {
            cache.insert(*token, claims(), 100, cache.epoch());
        }
        let current = tokens.iter().filter(|token| cache.get(token, 0).is_some());
        let current = current.count();
        assert!(current <= CAPACITY && current > CAPACITY / 2, "{current}");
    }
}
