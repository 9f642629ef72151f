use std::collections::HashMap;
use std::mem;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::crypto::Digest;
use resource_runtime::authorization::Claims;

const SHARDS: usize = 16;

/// Half of what a shard remembers at most: 16,384 tokens in all.
const SHARD_CAPACITY: usize = 512;

/// Tokens that were found valid, so that a client pays for a signature once a minute.
///
/// Only valid tokens come in, so nobody who has none can push others out.
pub(crate) type TokenCache = RecentTokens<Arc<Claims>>;

/// What was found out about tokens, by their digests. It is bounded.
pub(crate) struct RecentTokens<Finding> {
    shards: [Mutex<Shard<Finding>>; SHARDS],
    epoch: AtomicU64,
}

/// Two generations: when the young one is full it becomes the old one, and the old one is gone.
/// Nothing is ever searched for what to drop.
struct Shard<Finding> {
    young: HashMap<Digest, Entry<Finding>>,
    old: HashMap<Digest, Entry<Finding>>,
}

struct Entry<Finding> {
    finding: Finding,
    until: i64,
}

/// The moment before a verification: what it finds is remembered only when nothing was
/// forgotten since.
#[derive(Clone, Copy)]
pub(crate) struct Epoch(u64);

impl<Finding> Default for Shard<Finding> {
    fn default() -> Self {
        Self {
            young: HashMap::new(),
            old: HashMap::new(),
        }
    }
}

impl<Finding: Clone> RecentTokens<Finding> {
    pub(crate) fn new() -> Self {
        Self {
            shards: std::array::from_fn(|_| Mutex::default()),
            epoch: AtomicU64::new(0),
        }
    }

    pub(crate) fn get(&self, digest: &Digest, now: i64) -> Option<Finding> {
        let shard = self.shard(digest)?;
        let entry = shard.young.get(digest).or_else(|| shard.old.get(digest))?;
        (now < entry.until).then(|| entry.finding.clone())
    }

    pub(crate) fn epoch(&self) -> Epoch {
        Epoch(self.epoch.load(Ordering::Acquire))
    }

    pub(crate) fn insert(&self, digest: Digest, finding: Finding, until: i64, Epoch(epoch): Epoch) {
        let Some(mut shard) = self.shard(&digest) else {
            return;
        };
        // Compared under the lock that `clear` takes after it counted.
        if self.epoch.load(Ordering::Acquire) != epoch {
            return;
        }
        if shard.young.len() >= SHARD_CAPACITY {
            shard.old = mem::take(&mut shard.young);
        }
        shard.young.insert(digest, Entry { finding, until });
    }

    pub(crate) fn clear(&self) {
        self.epoch.fetch_add(1, Ordering::AcqRel);
        for shard in &self.shards {
            let mut shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
            *shard = Shard::default();
        }
    }

    fn shard(&self, digest: &Digest) -> Option<MutexGuard<'_, Shard<Finding>>> {
        let [first, ..] = digest;
        let shard = self.shards.get(usize::from(*first) % SHARDS)?;
        Some(shard.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{SHARD_CAPACITY, SHARDS, TokenCache};
    use crate::crypto::digest;
    use resource_runtime::authorization::Claims;

    fn claims() -> Arc<Claims> {
        Arc::new(Claims::default())
    }

    #[test]
    fn an_entry_ends_at_its_time() {
        let cache = TokenCache::new();
        let token = digest(b"token");
        cache.insert(token, claims(), 100, cache.epoch());
        assert!(cache.get(&token, 99).is_some());
        assert!(cache.get(&token, 100).is_none());
        assert!(cache.get(&digest(b"other"), 99).is_none());
    }

    #[test]
    fn what_was_verified_before_a_clearing_is_not_remembered() {
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
    fn it_is_bounded_and_keeps_the_newest() {
        let cache = TokenCache::new();
        let most = 2 * SHARDS * SHARD_CAPACITY;
        let tokens: Vec<_> = (0..2 * most).map(|n| digest(&n.to_le_bytes())).collect();
        for token in &tokens {
            cache.insert(*token, claims(), 100, cache.epoch());
        }
        let held = tokens.iter().filter(|token| cache.get(token, 0).is_some());
        assert!(held.count() <= most);
        assert!(cache.get(tokens.last().unwrap(), 0).is_some());
        assert!(cache.get(tokens.first().unwrap(), 0).is_none());
    }
}
