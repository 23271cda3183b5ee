//! The path from the root: which positions stand on it, and a code for the whole of it.

/// Stirs a number, so that sums of stirred numbers tell sets apart.
#[inline]
pub(super) const fn stir(number: u64) -> u64 {
    let mixed = (number ^ (number >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    mixed ^ (mixed >> 32)
}

/// The positions from the root on, by key. Places are counted from 1.
#[derive(Debug, Default)]
pub(super) struct RepetitionStack {
    keys: Vec<u64>,
    code: u64,
}

impl RepetitionStack {
    /// Goes on to a position.
    #[inline]
    pub(super) fn push(&mut self, key: u64) {
        self.code = self.code.wrapping_add(RepetitionStack::step(key, self.keys.len()));
        self.keys.push(key);
    }

    /// Goes back.
    #[inline]
    pub(super) fn pop(&mut self) {
        if let Some(key) = self.keys.pop() {
            self.code = self.code.wrapping_sub(RepetitionStack::step(key, self.keys.len()));
        }
    }

    /// The order counts, so that the places a disproof rests on keep their numbers.
    #[inline]
    const fn step(key: u64, index: usize) -> u64 {
        stir(key.wrapping_add((index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }

    /// The number of the latest place: how many positions stand on the path.
    #[inline]
    pub(super) fn place(&self) -> u32 {
        self.keys.len() as u32
    }

    /// The place of a position, if it stands on the path.
    #[inline]
    pub(super) fn find(&self, key: u64) -> Option<u32> {
        self.keys.iter().rposition(|&passed| passed == key).map(|index| index as u32 + 1)
    }

    /// What tells this path from others.
    #[inline]
    pub(super) fn code(&self) -> u64 {
        self.code
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_belongs_to_the_path() {
        let mut trail = RepetitionStack::default();
        let empty = trail.code();
        trail.push(7);
        trail.push(9);
        assert_eq!((trail.find(7), trail.find(9), trail.find(8), trail.place()), (Some(1), Some(2), None, 2));
        let code = trail.code();
        trail.pop();
        trail.push(8);
        assert_ne!(trail.code(), code);
        trail.pop();
        trail.push(9);
        assert_eq!(trail.code(), code);
        trail.pop();
        trail.pop();
        assert_eq!((trail.code(), trail.place()), (empty, 0));
        trail.push(9);
        trail.push(7);
        assert_ne!(trail.code(), code, "the order counts");
    }
}
