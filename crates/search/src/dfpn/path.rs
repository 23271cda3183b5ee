//! The path from the root and its hash, for path-dependent results (graph-history interaction).

/// Mixes the bits of a number, so that sums of mixed numbers hash sets.
#[inline]
pub(super) const fn mix(number: u64) -> u64 {
    let mixed = (number ^ (number >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    mixed ^ (mixed >> 32)
}

/// The keys of the positions from the root on. Indices count from 1.
#[derive(Debug, Default)]
pub(super) struct SearchPath {
    keys: Vec<u64>,
    hash: u64,
}

impl SearchPath {
    /// Adds a position.
    #[inline]
    pub(super) fn push(&mut self, key: u64) {
        self.hash = self.hash.wrapping_add(SearchPath::term(key, self.keys.len()));
        self.keys.push(key);
    }

    /// Removes the last position.
    #[inline]
    pub(super) fn pop(&mut self) {
        if let Some(key) = self.keys.pop() {
            self.hash = self.hash.wrapping_sub(SearchPath::term(key, self.keys.len()));
        }
    }

    /// The hash depends on the order, so that path indices of stored disproofs stay valid.
    #[inline]
    const fn term(key: u64, index: usize) -> u64 {
        mix(key.wrapping_add((index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }

    /// The number of positions, which is the index of the last one.
    #[inline]
    pub(super) fn len(&self) -> u32 {
        self.keys.len() as u32
    }

    /// The index of a position, if it is on the path.
    #[inline]
    pub(super) fn find(&self, key: u64) -> Option<u32> {
        self.keys.iter().rposition(|&other| other == key).map(|index| index as u32 + 1)
    }

    /// The hash of the path.
    #[inline]
    pub(super) fn hash(&self) -> u64 {
        self.hash
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_identifies_the_path() {
        let mut path = SearchPath::default();
        let empty = path.hash();
        path.push(7);
        path.push(9);
        assert_eq!((path.find(7), path.find(9), path.find(8), path.len()), (Some(1), Some(2), None, 2));
        let hash = path.hash();
        path.pop();
        path.push(8);
        assert_ne!(path.hash(), hash);
        path.pop();
        path.push(9);
        assert_eq!(path.hash(), hash);
        path.pop();
        path.pop();
        assert_eq!((path.hash(), path.len()), (empty, 0));
        path.push(9);
        path.push(7);
        assert_ne!(path.hash(), hash, "the order matters");
    }
}
