//! Which inputs a network has, and what changes them.

use std::fmt::Debug;

use tesuji_game::Side;
use tesuji_shogi::{PieceKind, Shogi, Square};

/// A part of a position that an input stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// A piece on a square.
    Board(Side, PieceKind, Square),
    /// The so-manieth piece of a kind in a hand, from 1.
    Hand(Side, PieceKind, u32),
}

/// The inputs of a kind of network.
pub(crate) trait InputSet: Copy + Send + Sync + Debug + Default + 'static {
    /// How a side sees the board: what its inputs depend on beside the parts of the position.
    type View: Copy + PartialEq + Debug + Default + Send + Sync;
    /// The number of different views of one side.
    const VIEWS: usize;

    /// How a side sees this position. It changes only when the king of that side moves.
    fn view(game: &Shogi, side: Side) -> Self::View;

    /// The number of a view, below [`InputSet::VIEWS`].
    fn number(view: Self::View) -> usize;

    /// The input of a part, if it has one.
    fn input(view: Self::View, part: Part) -> Option<u32>;

    /// The output bucket of a position.
    fn output(game: &Shogi) -> usize;
}

/// Calls `visit` with every part of a position.
#[inline]
pub(crate) fn parts(game: &Shogi, mut visit: impl FnMut(Part)) {
    for side in Side::BOTH {
        for square in game.pieces(side) {
            if let Some(piece) = game.piece(square) {
                visit(Part::Board(side, piece.kind, square));
            }
        }
        let held = game.hand_counts(side);
        for kind in PieceKind::HAND {
            for count in 1..=u32::from(held[kind as usize]).min(kind.supply()) {
                visit(Part::Hand(side, kind, count));
            }
        }
    }
}

/// Calls `visit` with every part that only one of two positions has: `true` for a part of `after`.
#[inline]
pub(crate) fn differences(before: &Shogi, after: &Shogi, mut visit: impl FnMut(Part, bool)) {
    for square in before.occupied() | after.occupied() {
        let (old, new) = (before.piece(square), after.piece(square));
        if old != new {
            if let Some(piece) = old {
                visit(Part::Board(piece.side, piece.kind, square), false);
            }
            if let Some(piece) = new {
                visit(Part::Board(piece.side, piece.kind, square), true);
            }
        }
    }
    for side in Side::BOTH {
        let (old, new) = (before.hand_counts(side), after.hand_counts(side));
        if old == new {
            continue;
        }
        for kind in PieceKind::HAND {
            let (old, new) = (u32::from(old[kind as usize]), u32::from(new[kind as usize]));
            (new + 1..=old).for_each(|count| visit(Part::Hand(side, kind, count), false));
            (old + 1..=new).for_each(|count| visit(Part::Hand(side, kind, count), true));
        }
    }
}
