//! What a position is worth: an estimate, or a proven win or loss with its distance.

use std::fmt;
use std::ops::Neg;

use tesuji_game::Outcome;

/// A judgement seen by the mover, in 16 bits: higher is better for whoever is to move.
///
/// Estimates lie within ±[`Value::LIMIT`] in the unit of the evaluation. Beyond them stand proven results,
/// counted in plies **from the position they belong to**, so that a value can be kept in a table and read at
/// any height of the tree; [`Value::back`] and [`Value::ahead`] carry it from one ply to the next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(i16);

/// A result that no evaluation was needed for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proven {
    /// The mover wins in so many plies.
    Win(u16),
    /// The mover loses in so many plies.
    Loss(u16),
}

const MATE: i16 = 32_000;

impl Value {
    /// The largest estimate.
    pub const LIMIT: i16 = 30_000;
    /// As good for the one as for the other.
    pub const DRAW: Value = Value(0);
    /// Below everything.
    pub const LEAST: Value = Value(-MATE - 1);
    /// Above everything.
    pub const MOST: Value = Value(MATE + 1);
    /// The longest distance a proven result can tell; longer ones are told as this.
    pub const FARTHEST: u16 = (MATE - Value::LIMIT - 1) as u16;

    /// An estimate, held within the limit.
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

    /// The mover wins in `plies`.
    #[inline]
    pub const fn win(plies: u16) -> Value {
        let plies = if plies > Value::FARTHEST { Value::FARTHEST } else { plies };
        Value(MATE - plies as i16)
    }

    /// The mover loses in `plies`.
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

    /// Whether it is a win or a loss for certain.
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

    /// What this value of a child is to its parent: seen by the other side, and one ply farther off.
    #[inline]
    pub const fn back(self) -> Value {
        Value(if self.0 > Value::LIMIT + 1 && self.0 <= MATE {
            -(self.0 - 1)
        } else if self.0 < -Value::LIMIT - 1 && self.0 >= -MATE {
            -(self.0 + 1)
        } else {
            -self.0
        })
    }

    /// The bound a child must be searched with for this bound of its parent: `back` turned round.
    #[inline]
    pub const fn ahead(self) -> Value {
        Value(if self.0 > Value::LIMIT && self.0 <= MATE {
            -(self.0 + 1)
        } else if self.0 < -Value::LIMIT - 1 && self.0 >= -MATE {
            -(self.0 - 1)
        } else {
            -self.0
        })
    }

    /// The next lower value: the other end of a null window.
    #[inline]
    pub const fn below(self) -> Value {
        Value(self.0.saturating_sub(1))
    }

    /// The next higher value.
    #[inline]
    pub const fn above(self) -> Value {
        Value(self.0.saturating_add(1))
    }

    /// The number, for arithmetic of windows and for tables.
    #[inline]
    pub const fn get(self) -> i16 {
        self.0
    }

    /// The value of a number that `get` gave; others are brought into range.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Every number from the least to the most.
    fn all() -> impl Iterator<Item = Value> {
        (Value::LEAST.0..=Value::MOST.0).map(Value)
    }

    #[test]
    fn back_keeps_the_order_turned_round() {
        for (low, high) in all().zip(all().skip(1)) {
            assert!(low.back() >= high.back(), "{low} {high}");
        }
        assert_eq!(Value::loss(0).back(), Value::win(1));
        assert_eq!(Value::win(1).back(), Value::loss(2));
        assert_eq!(Value::estimate(5).back(), Value::estimate(-5));
    }

    /// A child fails high against `beta.ahead()` exactly when the parent would fail low against `beta`.
    #[test]
    fn windows_meet_on_both_sides_of_a_move() {
        for child in all().filter(|child| child.0.abs() <= MATE) {
            for bound in [
                -32_001, -32_000, -31_999, -30_002, -30_001, -30_000, -1, 0, 1, 30_000, 30_001, 31_998,
                32_001,
            ] {
                let bound = Value(bound);
                assert_eq!(child.back() > bound, child < bound.ahead(), "child {child} bound {bound}");
            }
        }
    }

    #[test]
    fn proven_results_tell_their_distance() {
        assert_eq!(Value::win(7).proven(), Some(Proven::Win(7)));
        assert_eq!(Value::loss(0).proven(), Some(Proven::Loss(0)));
        assert_eq!(Value::estimate(99_999).proven(), None);
        assert_eq!(Value::win(u16::MAX).proven(), Some(Proven::Win(Value::FARTHEST)));
        assert!(all().all(|value| Value::of(value.get()) == value));
    }
}
