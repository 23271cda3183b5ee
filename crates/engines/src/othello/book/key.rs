//! Where a position is found in a book: by the least of its eight images, seen by the mover.

use tesuji_game::{Game, Side, Symmetric};
use tesuji_othello::{Move, Othello, Square, mobility};

/// A position of a book. Whoever is to move can: where that is not so the position after the pass stands for it, and
/// finished games are in no book.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Key {
    own: u64,
    other: u64,
}

/// A position of a book, and how a position of a game lies to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub(super) key: Key,
    /// The symmetry that leads there.
    symmetry: usize,
    /// Whether a pass comes first.
    pub(super) passed: bool,
}

/// A move of a position of a book, and where it leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Step {
    pub(super) square: u8,
    /// Nowhere when it ends the game.
    pub(super) to: Option<Key>,
    /// Whether the opponent must pass there.
    pub(super) passed: bool,
}

impl Key {
    /// The position with these discs of the mover and of the opponent, if it can stand in a book.
    pub(super) fn new(own: u64, other: u64) -> Option<Key> {
        let place = Place::of(&Othello::new(own, other, Side::First)?)?;
        (place.key == Key { own, other }).then_some(place.key)
    }

    pub(super) fn boards(self) -> (u64, u64) {
        (self.own, self.other)
    }

    /// The position, black to move.
    pub(super) fn game(self) -> Othello {
        // The two sets come from a position.
        Othello::new(self.own, self.other, Side::First).unwrap_or_else(Othello::start)
    }

    pub(super) fn discs(self) -> u32 {
        (self.own | self.other).count_ones()
    }

    pub(super) fn empties(self) -> u32 {
        64 - self.discs()
    }

    /// Moves since the start of a game.
    pub(super) fn plies(self) -> u32 {
        self.discs().saturating_sub(4)
    }

    /// The squares that may be played on.
    pub(super) fn moves(self) -> u64 {
        mobility(self.own, self.other)
    }

    /// All moves, from a1 to h8.
    pub(super) fn steps(self) -> Vec<Step> {
        let (game, moves) = (self.game(), self.moves());
        let squares = (0..64).filter(|square| moves >> square & 1 != 0).filter_map(Square::new);
        let step = |square: Square| {
            let mut after = game;
            after.play(Move::from(square));
            let place = Place::of(&after);
            let passed = place.is_some_and(|place| place.passed);
            Step { square: square.index() as u8, to: place.map(|place| place.key), passed }
        };
        squares.map(step).collect()
    }
}

impl Place {
    /// The place of a position; none once the game is over.
    pub(super) fn of(game: &Othello) -> Option<Place> {
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
            (Key { own: image.own(), other: image.other() }, symmetry)
        });
        images.min().map(|(key, symmetry)| Place { key, symmetry, passed })
    }

    /// A move of the game as the book has it.
    pub(super) fn to_book(self, square: Square) -> u8 {
        image(square, self.symmetry).index() as u8
    }

    /// A move of the book as the game has it.
    pub(super) fn to_game(self, square: u8) -> Option<Move> {
        // A quarter turn is undone by the other one; everything else by itself.
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
    fn moves_find_back() {
        let key = Place::of(&Othello::start()).unwrap().key;
        for symmetry in 0..8 {
            let place = Place { key, symmetry, passed: false };
            for square in (0..64).filter_map(Square::new) {
                assert_eq!(place.to_game(place.to_book(square)), Some(Move::from(square)), "{symmetry}");
            }
        }
    }

    #[test]
    fn the_start_has_one_move() {
        let key = Place::of(&Othello::start()).unwrap().key;
        let steps = key.steps();
        assert_eq!(steps.len(), 4);
        assert!(steps.iter().all(|step| step.to == steps[0].to && step.to.is_some() && !step.passed));
        let (own, other) = key.boards();
        assert_eq!(Key::new(own, other), Some(key));
        assert_eq!(Key::new(own, own), None);
        assert_eq!(Key::new(own, 0), None, "the game is over");
        assert_eq!((key.plies(), key.empties()), (0, 60));
    }
}
