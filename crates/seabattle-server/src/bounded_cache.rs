//! A cache that is bounded in bytes.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A cache in two generations. When the newer one is half of the cache, the older one is dropped. So what is used often
/// stays, and each operation is cheap.
pub(crate) struct BoundedCache<K, V> {
    max_bytes: usize,
    generations: Mutex<Generations<K, V>>,
}

struct Generations<K, V> {
    newer: HashMap<K, (V, usize)>,
    older: HashMap<K, (V, usize)>,
    newer_bytes: usize,
    older_bytes: usize,
}

impl<K: Hash + Eq, V: Clone> BoundedCache<K, V> {
    pub(crate) fn new(max_bytes: usize) -> Self {
        let generations = Generations { newer: HashMap::new(), older: HashMap::new(), newer_bytes: 0, older_bytes: 0 };
        Self { max_bytes, generations: Mutex::new(generations) }
    }

    pub(crate) fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let mut generations = self.lock();
        if let Some((value, _)) = generations.newer.get(key) {
            return Some(value.clone());
        }
        let (key, (value, bytes)) = generations.older.remove_entry(key)?;
        generations.older_bytes -= bytes;
        generations.insert(key, value.clone(), bytes, self.max_bytes);
        Some(value)
    }

    /// Keeps a value that takes about so many bytes.
    pub(crate) fn insert(&self, key: K, value: V, bytes: usize) {
        self.lock().insert(key, value, bytes, self.max_bytes);
    }

    pub(crate) fn bytes(&self) -> usize {
        let generations = self.lock();
        generations.newer_bytes + generations.older_bytes
    }

    fn lock(&self) -> MutexGuard<'_, Generations<K, V>> {
        self.generations.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Hash + Eq, V> Generations<K, V> {
    fn insert(&mut self, key: K, value: V, bytes: usize, max_bytes: usize) {
        if bytes > max_bytes / 2 {
            return;
        }
        if self.newer_bytes + bytes > max_bytes / 2 {
            self.older = std::mem::take(&mut self.newer);
            self.older_bytes = std::mem::take(&mut self.newer_bytes);
        }
        self.newer_bytes += bytes;
        if let Some((_, replaced)) = self.newer.insert(key, (value, bytes)) {
            self.newer_bytes -= replaced;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::BoundedCache;

    #[test]
    fn it_stays_within_its_bytes_and_keeps_what_is_used() {
        let cache = BoundedCache::new(1000);
        cache.insert("favourite".to_owned(), 0, 100);
        for number in 1..100 {
            cache.insert(number.to_string(), number, 100);
            assert!(cache.bytes() <= 1000);
            assert_eq!(cache.get("favourite"), Some(0), "{number}");
            assert_eq!(cache.get(number.to_string().as_str()), Some(number));
        }
        assert_eq!(cache.get("1"), None);
        cache.insert("huge".to_owned(), 7, 501);
        assert_eq!(cache.get("huge"), None);
    }
}
