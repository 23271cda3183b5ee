//! The two sides as types, so that the compiler generates code for each with constant directions.

use tesuji_game::Side;

use crate::bitboard::Bitboard;
use crate::sliders;

/// A side known at compile time. "Forward" is relative to the side; "left" and "right" are as black sees them. `far`
/// counts ranks from the far end of the board.
pub(crate) trait StaticSide {
    /// The other side.
    type Other: StaticSide<Other = Self>;
    const SIDE: Side;
    /// Whether the side moves up the board.
    const BLACK: bool;

    /// The `ranks` farthest ranks.
    #[inline(always)]
    fn far(ranks: u32) -> Bitboard {
        let top = (1 << ranks) - 1;
        if Self::BLACK { Bitboard::ranks(top) } else { Bitboard::ranks(top << (9 - ranks)) }
    }

    #[inline(always)]
    fn forward(set: Bitboard) -> Bitboard {
        if Self::BLACK { set.step::<0, -1>() } else { set.step::<0, 1>() }
    }

    #[inline(always)]
    fn back(set: Bitboard) -> Bitboard {
        Self::Other::forward(set)
    }

    #[inline(always)]
    fn left(set: Bitboard) -> Bitboard {
        set.step::<1, 0>()
    }

    #[inline(always)]
    fn right(set: Bitboard) -> Bitboard {
        set.step::<-1, 0>()
    }

    #[inline(always)]
    fn forward_left(set: Bitboard) -> Bitboard {
        if Self::BLACK { set.step::<1, -1>() } else { set.step::<1, 1>() }
    }

    #[inline(always)]
    fn forward_right(set: Bitboard) -> Bitboard {
        if Self::BLACK { set.step::<-1, -1>() } else { set.step::<-1, 1>() }
    }

    #[inline(always)]
    fn back_left(set: Bitboard) -> Bitboard {
        Self::Other::forward_left(set)
    }

    #[inline(always)]
    fn back_right(set: Bitboard) -> Bitboard {
        Self::Other::forward_right(set)
    }

    /// Knight jumps to the left. Knights never stand on their two far ranks, so none leaves the board.
    #[inline(always)]
    fn jump_left(set: Bitboard) -> Bitboard {
        if Self::BLACK { set.step::<1, -2>() } else { set.step::<1, 2>() }
    }

    /// Knight jumps to the right.
    #[inline(always)]
    fn jump_right(set: Bitboard) -> Bitboard {
        if Self::BLACK { set.step::<-1, -2>() } else { set.step::<-1, 2>() }
    }

    /// The attacks of one lance.
    #[inline(always)]
    fn lance(from: usize, occupied: Bitboard) -> Bitboard {
        if Self::BLACK { sliders::lance::<true>(from, occupied) } else { sliders::lance::<false>(from, occupied) }
    }

    /// The attacks of a set of lances.
    #[inline(always)]
    fn lances(set: Bitboard, occupied: Bitboard) -> Bitboard {
        if Self::BLACK { sliders::lances_up(set, occupied) } else { sliders::lances_down(set, occupied) }
    }
}

/// Black (sente).
pub(crate) enum Black {}
/// White (gote).
pub(crate) enum White {}

impl StaticSide for Black {
    type Other = White;
    const SIDE: Side = Side::First;
    const BLACK: bool = true;
}

impl StaticSide for White {
    type Other = Black;
    const SIDE: Side = Side::Second;
    const BLACK: bool = false;
}
