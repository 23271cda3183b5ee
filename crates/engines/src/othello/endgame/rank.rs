//! A second opinion on moves, for the part of the tree that is large enough to pay for it; `order` has the
//! first one.

use tesuji_othello::{Square, flips, mobility};

use super::stable::{Edges, stable};

/// What orders moves high up in the tree. It never changes a result, only the time it takes.
pub trait Rank {
    /// With so many empty squares or more, moves are ranked by [`Rank::rank`] too.
    const FROM: u32;

    /// How good the position seems to its mover: 4 for every move that one side has more than the other, or as
    /// much as promises the same.
    fn rank(&self, own: u64, other: u64) -> i32;
}

/// No second opinion.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unranked;

impl Rank for Unranked {
    const FROM: u32 = u32::MAX;

    #[inline(always)]
    fn rank(&self, _: u64, _: u64) -> i32 {
        0
    }
}

/// Every reply is tried, and what stands then is judged by moves, room for moves to come and stable discs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Replies;

/// The corners, where a move counts twice.
const CORNERS: u64 = 0x8100_0000_0000_0081;
/// What is lost by having to pass.
const PASS: i32 = 40;
/// What a move more is worth.
const MOVE: i32 = 4;
/// What an empty square beside a disc of the opponent is worth.
const ROOM: i32 = 2;
/// What a stable disc is worth.
const STABLE: i32 = 4;

impl Rank for Replies {
    const FROM: u32 = 14;

    fn rank(&self, own: u64, other: u64) -> i32 {
        let mut moves = mobility(own, other);
        let mut best = None;
        while let Some(square) = Square::lowest(moves) {
            moves &= moves - 1;
            let turned = flips(own, other, square);
            best = best.max(Some(-judged(other & !turned, own | turned | square.bit())));
        }
        best.unwrap_or_else(|| -judged(other, own) - PASS)
    }
}

/// How good the position looks to its mover at a glance.
fn judged(own: u64, other: u64) -> i32 {
    let (edges, empties) = (Edges::table(), !(own | other));
    let weight = |set: u64| (set.count_ones() + (set & CORNERS).count_ones()) as i32;
    let held = |own: u64, other: u64| stable(edges, own, other).count_ones() as i32;
    MOVE * (weight(mobility(own, other)) - weight(mobility(other, own)))
        + ROOM * (weight(beside(other) & empties) - weight(beside(own) & empties))
        + STABLE * (held(own, other) - held(other, own))
}

/// The squares of a set and all next to them.
fn beside(set: u64) -> u64 {
    let row = set | set << 1 & 0xfefe_fefe_fefe_fefe | set >> 1 & 0x7f7f_7f7f_7f7f_7f7f;
    row | row << 8 | row >> 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_judgement_of_one_side_is_the_opposite_of_the_other() {
        let (own, other) = (0x0000_1c08_1020_0400, 0x0000_0014_0810_1038 & !0x0000_1c08_1020_0400);
        assert_eq!(judged(own, other), -judged(other, own));
        assert_ne!(judged(own, other), 0);
        assert_eq!(beside(1), 0x0303);
        assert_eq!(beside(1 << 63), 0xc0c0 << 48);
    }

    #[test]
    fn who_must_pass_is_worse_off() {
        // Black can take a1 to c1; white has nothing to turn.
        let (black, white) = (0b1000, 0b0110);
        assert!(Replies.rank(black, white) > Replies.rank(white, black));
    }
}
