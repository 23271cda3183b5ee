//! The fold over children that every search is: the best value so far and the move that gave it.

use crate::Value;

/// A value and the move it came by; joining keeps the better, and of equals the earlier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Best<M> {
    /// The value, seen by the mover.
    pub value: Value,
    /// The move; none before any was tried, or when the value came from elsewhere.
    pub mv: Option<M>,
}

impl<M: Copy> Best<M> {
    /// NoEval tried yet: what every other one beats.
    pub const NONE: Best<M> = Best { value: Value::LEAST, mv: None };

    /// A value without a move: an evaluation, a finished game.
    #[inline]
    pub const fn leaf(value: Value) -> Best<M> {
        Best { value, mv: None }
    }

    /// The value a move has, as its child's value tells.
    #[inline]
    pub const fn by(mv: M, child: Value) -> Best<M> {
        Best { value: child.back(), mv: Some(mv) }
    }

    /// The better of two; associative, with [`Best::NONE`] as its unit.
    #[inline]
    #[must_use]
    pub fn join(self, later: Best<M>) -> Best<M> {
        if later.value > self.value || (self.mv.is_none() && self.value == Value::LEAST) {
            later
        } else {
            self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn join_is_associative_and_has_a_unit() {
        let some: Vec<Best<u8>> =
            [Value::LEAST, Value::loss(3), Value::DRAW, Value::estimate(4), Value::win(2)]
                .into_iter()
                .flat_map(|value| [None, Some(1), Some(2)].map(|mv| Best { value, mv }))
                .collect();
        for &a in &some {
            assert_eq!(Best::NONE.join(a), a);
            assert_eq!(a.join(Best::NONE), a);
            for &b in &some {
                for &c in &some {
                    assert_eq!(a.join(b).join(c), a.join(b.join(c)), "{a:?} {b:?} {c:?}");
                }
            }
        }
    }
}
