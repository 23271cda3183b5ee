//! The keys of a book: the smallest of the eight images of a position, from the point of view of the mover.

use tesuji_game::{Game, Side, Symmetric};
use tesuji_othello::{Move, Othello, Square, mobility};

/// A position of a book. The side to move has a legal move: a position with a forced pass is replaced by the one after
/// the pass, and finished games are not stored.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct BookKey {
    own: u64,
    other: u64,
}

/// The key of a position, and the transformation that leads to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Canonical {
    pub(super) key: BookKey,
    /// The symmetry that maps the position to the key.
    symmetry: usize,
    /// Whether a pass was made first.
    pub(super) passed: bool,
}

/// A move of a position of a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BookEdge {
    pub(super) square: u8,
    /// The position after it; `None` when the game ends.
    pub(super) to: Option<BookKey>,
    /// Whether the opponent had to pass.
    pub(super) passed: bool,
}

impl BookKey {
    /// The key with these discs of the mover and of the opponent; `None` if they are not a key.
    pub(super) fn new(own: u64, other: u64) -> Option<BookKey> {
        let canonical = Canonical::of(&Othello::new(own, other, Side::First)?)?;
        (canonical.key == BookKey { own, other }).then_some(canonical.key)
    }

    pub(super) fn boards(self) -> (u64, u64) {
        (self.own, self.other)
    }

    /// The position, with black to move.
    pub(super) fn game(self) -> Othello {
        // The sets come from a position, so this does not fail.
        Othello::new(self.own, self.other, Side::First).unwrap_or_else(Othello::start)
    }

    pub(super) fn discs(self) -> u32 {
        (self.own | self.other).count_ones()
    }

    pub(super) fn empties(self) -> u32 {
        64 - self.discs()
    }

    /// Moves since the start of the game.
    pub(super) fn plies(self) -> u32 {
        self.discs().saturating_sub(4)
    }

    /// The legal moves.
    pub(super) fn moves(self) -> u64 {
        mobility(self.own, self.other)
    }

    /// All moves, from a1 to h8.
    pub(super) fn edges(self) -> Vec<BookEdge> {
        let (game, moves) = (self.game(), self.moves());
        let squares = (0..64).filter(|square| moves >> square & 1 != 0).filter_map(Square::new);
        let edge = |square: Square| {
            let mut after = game;
            after.play(Move::from(square));
            let canonical = Canonical::of(&after);
            let passed = canonical.is_some_and(|canonical| canonical.passed);
            BookEdge { square: square.index() as u8, to: canonical.map(|canonical| canonical.key), passed }
        };
        squares.map(edge).collect()
    }
}

impl Canonical {
    /// The key of a position; `None` once the game is over.
    pub(super) fn of(game: &Othello) -> Option<Canonical> {
        if game.is_over() {
            return None;
        }
        let mut now = *game;
        let passed = now.must_pass();
        if passed {
            now.play(Move::PASS);
        }
        let images = (0..8).map(|symmetry| {
            let image = now.image(symmetry);
            (BookKey { own: image.own(), other: image.other() }, symmetry)
        });
        images.min().map(|(key, symmetry)| Canonical { key, symmetry, passed })
    }

    /// Maps a move of the game to the board of the key.
    pub(super) fn to_book(self, square: Square) -> u8 {
        image(square, self.symmetry).index() as u8
    }

    /// Maps a move of the key to the board of the game.
    pub(super) fn to_game(self, square: u8) -> Option<Move> {
        // The two quarter turns are inverse to each other; all other symmetries are their own inverse.
        let back = if self.symmetry & 4 == 0 { self.symmetry } else { [0, 2, 1, 3][self.symmetry & 3] | 4 };
        Square::new(square).map(|square| Move::from(image(square, back)))
    }
}

/// A square under one of the eight symmetries.
fn image(square: Square, symmetry: usize) -> Square {
    Othello::start().image_move(Move::from(square), symmetry).square().unwrap_or(square)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mapping_moves_is_invertible() {
        let key = Canonical::of(&Othello::start()).unwrap().key;
        for symmetry in 0..8 {
            let canonical = Canonical { key, symmetry, passed: false };
            for square in (0..64).filter_map(Square::new) {
                assert_eq!(canonical.to_game(canonical.to_book(square)), Some(Move::from(square)), "{symmetry}");
            }
        }
    }

    #[test]
    fn the_first_moves_are_symmetric() {
        let key = Canonical::of(&Othello::start()).unwrap().key;
        let edges = key.edges();
        assert_eq!(edges.len(), 4);
        assert!(edges.iter().all(|edge| edge.to == edges[0].to && edge.to.is_some() && !edge.passed));
        let (own, other) = key.boards();
        assert_eq!(BookKey::new(own, other), Some(key));
        assert_eq!(BookKey::new(own, own), None);
        assert_eq!(BookKey::new(own, 0), None, "the game is over");
        assert_eq!((key.plies(), key.empties()), (0, 60));
    }
}
