//! The value of a position: an estimate, or a proven win or loss with its distance.

use std::fmt;
use std::ops::Neg;

use tesuji_game::Outcome;

/// A value for the side to move, in 16 bits.
///
/// Estimates lie within ±[`Value::LIMIT`] in the unit of the evaluation. Proven results lie beyond. Their distance
/// counts in plies **from the position they belong to**, so that a value can be stored in the transposition table and
/// read at any ply; [`Value::to_parent`] and [`Value::to_child`] convert between plies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(i16);

/// A proven result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proven {
    /// The side to move wins in this many plies.
    Win(u16),
    /// The side to move loses in this many plies.
    Loss(u16),
}

const MATE: i16 = 32_000;

impl Value {
    /// The largest estimate.
    pub const LIMIT: i16 = 30_000;
    /// Equal.
    pub const DRAW: Value = Value(0);
    /// Below every other value (−infinity).
    pub const LEAST: Value = Value(-MATE - 1);
    /// Above every other value (+infinity).
    pub const MOST: Value = Value(MATE + 1);
    /// The longest distance of a proven result; longer ones are clamped to it.
    pub const FARTHEST: u16 = (MATE - Value::LIMIT - 1) as u16;

    /// An estimate, clamped to the limit.
    #[inline]
    pub const fn estimate(units: i32) -> Value {
        let limit = Value::LIMIT as i32;
        Value(if units > limit {
            Value::LIMIT
        } else if units < -limit {
            -Value::LIMIT
        } else {
            units as i16
        })
    }

    /// The side to move wins in `plies`.
    #[inline]
    pub const fn win(plies: u16) -> Value {
        let plies = if plies > Value::FARTHEST { Value::FARTHEST } else { plies };
        Value(MATE - plies as i16)
    }

    /// The side to move loses in `plies`.
    #[inline]
    pub const fn loss(plies: u16) -> Value {
        Value(-Value::win(plies).0)
    }

    /// A game that is over.
    #[inline]
    pub const fn over(outcome: Outcome) -> Value {
        match outcome {
            Outcome::Win => Value::win(0),
            Outcome::Draw => Value::DRAW,
            Outcome::Loss => Value::loss(0),
        }
    }

    /// Whether it is a proven win or loss.
    #[inline]
    pub const fn is_proven(self) -> bool {
        self.0 > Value::LIMIT || self.0 < -Value::LIMIT
    }

    /// The proven result, if it is one.
    pub const fn proven(self) -> Option<Proven> {
        if self.0 > Value::LIMIT {
            Some(Proven::Win(if self.0 > MATE { 0 } else { (MATE - self.0) as u16 }))
        } else if self.0 < -Value::LIMIT {
            Some(Proven::Loss(if self.0 < -MATE { 0 } else { (MATE + self.0) as u16 }))
        } else {
            None
        }
    }

    /// This value of a child as a value of its parent: negated, and one ply farther away.
    #[inline]
    pub const fn to_parent(self) -> Value {
        Value(if self.0 > Value::LIMIT + 1 && self.0 <= MATE {
            -(self.0 - 1)
        } else if self.0 < -Value::LIMIT - 1 && self.0 >= -MATE {
            -(self.0 + 1)
        } else {
            -self.0
        })
    }

    /// This bound of a parent as a bound of its child: the inverse of [`Value::to_parent`].
    #[inline]
    pub const fn to_child(self) -> Value {
        Value(if self.0 > Value::LIMIT && self.0 <= MATE {
            -(self.0 + 1)
        } else if self.0 < -Value::LIMIT - 1 && self.0 >= -MATE {
            -(self.0 - 1)
        } else {
            -self.0
        })
    }

    /// The next lower value: the lower end of a null window.
    #[inline]
    pub const fn below(self) -> Value {
        Value(self.0.saturating_sub(1))
    }

    /// The next higher value.
    #[inline]
    pub const fn above(self) -> Value {
        Value(self.0.saturating_add(1))
    }

    /// The raw number.
    #[inline]
    pub const fn get(self) -> i16 {
        self.0
    }

    /// The value of a raw number, clamped to the valid range.
    #[inline]
    pub const fn of(number: i16) -> Value {
        Value(if number > Value::MOST.0 {
            Value::MOST.0
        } else if number < Value::LEAST.0 {
            Value::LEAST.0
        } else {
            number
        })
    }
}

impl Neg for Value {
    type Output = Value;

    #[inline]
    fn neg(self) -> Value {
        Value(-self.0)
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.proven() {
            Some(Proven::Win(plies)) => write!(f, "win in {plies}"),
            Some(Proven::Loss(plies)) => write!(f, "loss in {plies}"),
            None => write!(f, "{:+}", self.0),
        }
    }
}

/// The best value so far and its move; joining keeps the better, and of equals the earlier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ValuedMove<M> {
    /// The value for the side to move.
    pub(crate) value: Value,
    /// The move; none before any was searched, and for a static evaluation.
    pub(crate) mv: Option<M>,
}

impl<M: Copy> ValuedMove<M> {
    /// No move searched yet; every other value beats it.
    pub(crate) const NONE: ValuedMove<M> = ValuedMove { value: Value::LEAST, mv: None };

    /// A value without a move.
    #[inline]
    pub(crate) const fn leaf(value: Value) -> ValuedMove<M> {
        ValuedMove { value, mv: None }
    }

    /// The value of a move, given the value of its child.
    #[inline]
    pub(crate) const fn by(mv: M, child: Value) -> ValuedMove<M> {
        ValuedMove { value: child.to_parent(), mv: Some(mv) }
    }

    /// The better of two; associative, with [`ValuedMove::NONE`] as its unit.
    #[inline]
    #[must_use]
    pub(crate) fn join(self, later: ValuedMove<M>) -> ValuedMove<M> {
        if later.value > self.value || (self.mv.is_none() && self.value == Value::LEAST) { later } else { self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every value.
    fn all() -> impl Iterator<Item = Value> {
        (Value::LEAST.0..=Value::MOST.0).map(Value)
    }

    #[test]
    fn to_parent_reverses_the_order() {
        for (low, high) in all().zip(all().skip(1)) {
            assert!(low.to_parent() >= high.to_parent(), "{low} {high}");
        }
        assert_eq!(Value::loss(0).to_parent(), Value::win(1));
        assert_eq!(Value::win(1).to_parent(), Value::loss(2));
        assert_eq!(Value::estimate(5).to_parent(), Value::estimate(-5));
    }

    /// A child fails high against `beta.to_child()` exactly when the parent would fail low against `beta`.
    #[test]
    fn windows_match_on_both_sides_of_a_move() {
        for child in all().filter(|child| child.0.abs() <= MATE) {
            for bound in
                [-32_001, -32_000, -31_999, -30_002, -30_001, -30_000, -1, 0, 1, 30_000, 30_001, 31_998, 32_001]
            {
                let bound = Value(bound);
                assert_eq!(child.to_parent() > bound, child < bound.to_child(), "child {child} bound {bound}");
            }
        }
    }

    #[test]
    fn proven_results_have_their_distance() {
        assert_eq!(Value::win(7).proven(), Some(Proven::Win(7)));
        assert_eq!(Value::loss(0).proven(), Some(Proven::Loss(0)));
        assert_eq!(Value::estimate(99_999).proven(), None);
        assert_eq!(Value::win(u16::MAX).proven(), Some(Proven::Win(Value::FARTHEST)));
        assert!(all().all(|value| Value::of(value.get()) == value));
    }

    #[test]
    fn join_is_associative_and_has_a_unit() {
        let some: Vec<ValuedMove<u8>> = [Value::LEAST, Value::loss(3), Value::DRAW, Value::estimate(4), Value::win(2)]
            .into_iter()
            .flat_map(|value| [None, Some(1), Some(2)].map(|mv| ValuedMove { value, mv }))
            .collect();
        for &a in &some {
            assert_eq!(ValuedMove::NONE.join(a), a);
            assert_eq!(a.join(ValuedMove::NONE), a);
            for &b in &some {
                for &c in &some {
                    assert_eq!(a.join(b).join(c), a.join(b.join(c)), "{a:?} {b:?} {c:?}");
                }
            }
        }
    }
}
