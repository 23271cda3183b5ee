//! The state of one board while its stage is solved, packed into sixteen bits.
//!
//! ```text
//! bit 0      6      13     16
//!     count | move | status |
//! ```
//!
//! The count is the number of moves within the stage that are not refuted yet. While a board is open, the
//! move field is the xor of those moves, so the last one left is known without a search. Later it holds the
//! exceptional move: the only one whose prohibition changes the value.

use tesuji_game::NO_MOVE;

/// What is known about a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Status {
    /// Nothing.
    Open,
    /// All moves but one are refuted, and that move cannot be forbidden.
    Bound,
    /// All moves but one are refuted: lost if that move is forbidden, at a known distance.
    Leaning,
    /// Won by one move that can be forbidden; the value without it is unknown.
    Pending,
    /// Everything.
    Final,
}

/// The packed state of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BoardState(pub(super) u16);

const COUNT: u16 = 0x3f;
const MOVE: u16 = 0x7f << MOVE_AT;
const MOVE_AT: u32 = 6;
const STATE_AT: u32 = 13;
/// The first status in which the move field is not a xor.
const KNOWN: u16 = (Status::Leaning as u16) << STATE_AT;
/// More moves than any board has: scans never match such a board.
pub(super) const UNCOUNTED: u16 = COUNT;
/// The largest move count.
pub(super) const MOST: u16 = COUNT - 1;

impl BoardState {
    #[inline(always)]
    pub(super) fn new(state: Status, mv: u8, count: u16) -> BoardState {
        BoardState(count & COUNT | u16::from(mv) << MOVE_AT & MOVE | (state as u16) << STATE_AT)
    }

    #[inline(always)]
    pub(super) fn status(self) -> Status {
        match self.0 >> STATE_AT {
            0 => Status::Open,
            1 => Status::Bound,
            2 => Status::Leaning,
            3 => Status::Pending,
            _ => Status::Final,
        }
    }

    #[inline(always)]
    pub(super) fn count(self) -> u16 {
        self.0 & COUNT
    }

    #[inline(always)]
    pub(super) fn mv(self) -> u8 {
        ((self.0 & MOVE) >> MOVE_AT) as u8
    }

    /// Changes status and move, keeps the count.
    #[inline(always)]
    pub(super) fn becomes(self, state: Status, mv: u8) -> BoardState {
        BoardState::new(state, mv, self.count())
    }

    /// One more move is refuted. Branch-free, because the status is unpredictable.
    #[inline(always)]
    pub(super) fn refute(self, mv: u8) -> BoardState {
        let mask = if self.0 < KNOWN { MOVE } else { 0 };
        BoardState(self.0.wrapping_sub(1) ^ u16::from(mv) << MOVE_AT & mask)
    }

    /// The exceptional move, if any; the value without it may be unknown.
    #[inline(always)]
    pub(super) fn exception(self) -> Option<u8> {
        (self.0 >= KNOWN && self.mv() != NO_MOVE).then(|| self.mv())
    }

    /// Whether the value without the exceptional move is known.
    #[inline(always)]
    pub(super) fn second_known(self) -> bool {
        self.exception().is_some() && self.status() != Status::Pending
    }

    /// Whether a scan for boards without moves must look at this one.
    #[inline(always)]
    pub(super) fn ran_out(self) -> bool {
        let (count, state) = (self.0 & COUNT, self.0 >> STATE_AT);
        let none = (count == 0) & (state < Status::Pending as u16);
        let one = (count == 1) & ((state == Status::Open as u16) | (state == Status::Pending as u16));
        none | one
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_move_left_is_the_xor_of_all() {
        let moves = [3, 99, 64, 17];
        let mut state = BoardState::new(Status::Open, moves.iter().fold(0, |xor, mv| xor ^ mv), 4);
        for mv in [99, 3, 17] {
            assert!(!state.ran_out());
            state = state.refute(mv);
        }
        assert_eq!((state.count(), state.mv(), state.status(), state.exception()), (1, 64, Status::Open, None));
        assert!(state.ran_out());
        let leaning = state.becomes(Status::Leaning, 64);
        assert!(leaning.second_known() && !leaning.ran_out());
        assert_eq!(leaning.refute(64), BoardState::new(Status::Leaning, 64, 0), "the move is kept from here on");
        assert!(leaning.refute(64).ran_out());
    }

    #[test]
    fn what_is_final_stays() {
        let state = BoardState::new(Status::Final, NO_MOVE, 2);
        assert_eq!((state.exception(), state.second_known()), (None, false));
        assert_eq!(state.refute(5), BoardState::new(Status::Final, NO_MOVE, 1));
        assert!(!state.refute(5).refute(6).ran_out());
        let pending = BoardState::new(Status::Pending, 7, 1);
        assert!(pending.ran_out() && !pending.second_known());
        assert_eq!(pending.exception(), Some(7));
    }
}
