/// What was used last. It is so little that it is searched from the front, where stands what is used
/// most.
#[derive(Debug)]
pub(super) struct LruCache<K, V> {
    entries: Vec<(K, V)>,
    most: usize,
}

impl<K: PartialEq, V> LruCache<K, V> {
    /// Of at most so many.
    pub(super) const fn new(most: usize) -> Self {
        Self {
            entries: Vec::new(),
            most,
        }
    }

    pub(super) fn get(&mut self, key: &K) -> Option<&mut V> {
        let index = self.entries.iter().position(|(known, _)| known == key)?;
        self.entries.get_mut(..=index)?.rotate_right(1);
        self.entries.first_mut().map(|(_, value)| value)
    }

    /// Adds what is not there; what was used longest ago goes for it.
    pub(super) fn add(&mut self, key: K, value: V) {
        self.entries.truncate(self.most.saturating_sub(1));
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
    fn what_is_used_stays_longest() {
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
