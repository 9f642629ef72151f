//! A small LRU cache.

/// A cache with a linear search, most recently used entries first.
#[derive(Debug)]
pub(super) struct LruCache<K, V> {
    entries: Vec<(K, V)>,
    capacity: usize,
}

impl<K: PartialEq, V> LruCache<K, V> {
    pub(super) const fn new(capacity: usize) -> Self {
        Self {
            entries: Vec::new(),
            capacity,
        }
    }

    /// The value of `key`, which becomes the most recently used one.
    pub(super) fn get(&mut self, key: &K) -> Option<&mut V> {
        // The caches are small, and the entry that is used most is found first.
        let index = self.entries.iter().position(|(known, _)| known == key)?;
        self.entries.get_mut(..=index)?.rotate_right(1);
        self.entries.first_mut().map(|(_, value)| value)
    }

    /// Adds a key that is not cached; a full cache evicts the least recently used entry.
    pub(super) fn add(&mut self, key: K, value: V) {
        // Room is made first, so that the vector never exceeds its capacity.
        self.entries.truncate(self.capacity.saturating_sub(1));
        self.entries.insert(0, (key, value));
    }

    #[cfg(feature = "sqlite")]
    pub(super) fn clear(&mut self) {
        self.entries.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::LruCache;

    #[test]
    fn least_recently_used_entry_is_evicted() {
        let mut cache = LruCache::new(2);
        cache.add("a", 1);
        cache.add("b", 2);
        assert_eq!(cache.get(&"a"), Some(&mut 1));
        cache.add("c", 3);
        assert_eq!(cache.get(&"b"), None);
        assert_eq!(cache.get(&"a"), Some(&mut 1));
        assert_eq!(cache.get(&"c"), Some(&mut 3));
    }
}
