//! Patterns of pieces, seen by one side.

use tesuji_game::Side;

use crate::{Piece, PieceKind, Shogi, Square};

/// Conditions that must all hold.
pub(super) struct Pattern(Vec<Condition>);

/// One of these places must be as said; with `!` none of them.
struct Condition {
    is_negated: bool,
    places: Vec<Place>,
}

/// A piece on a square, or in hand where there is no square.
struct Place {
    kind: PieceKind,
    is_own: bool,
    square: Option<Square>,
}

impl Pattern {
    /// Parses words between blanks: `K2h` an own king on 2h, `p3c` a pawn of the opponent on 3c, `B*` a bishop in hand,
    /// `G7h/G7i` either, `!P2g` no pawn there. Squares are those of black; white sees the board turned.
    pub(super) fn parse(text: &str) -> Option<Pattern> {
        text.split_whitespace().map(Condition::parse).collect::<Option<_>>().map(Pattern)
    }

    /// Whether the pattern is on the board, seen by `side`.
    pub(super) fn matches(&self, position: &Shogi, side: Side) -> bool {
        self.0.iter().all(|condition| condition.holds(position, side))
    }
}

impl Condition {
    fn parse(word: &str) -> Option<Condition> {
        let places = word.trim_start_matches('!').split('/').map(Place::parse).collect::<Option<_>>()?;
        Some(Condition { is_negated: word.starts_with('!'), places })
    }

    fn holds(&self, position: &Shogi, side: Side) -> bool {
        self.places.iter().any(|place| place.holds(position, side)) != self.is_negated
    }
}

impl Place {
    fn parse(text: &str) -> Option<Place> {
        let mut letters = text.chars();
        let letter = letters.next()?;
        let square = match letters.as_str() {
            "*" => None,
            square => Some(Square::parse(square)?),
        };
        Some(Place { kind: PieceKind::from_letter(letter)?, is_own: letter.is_ascii_uppercase(), square })
    }

    fn holds(&self, position: &Shogi, side: Side) -> bool {
        let owner = if self.is_own { side } else { !side };
        match self.square {
            None => position.hand(owner, self.kind) > 0,
            Some(square) => {
                let seen = match side {
                    Side::First => Some(square),
                    Side::Second => Square::new(10 - square.file(), 10 - square.rank()),
                };
                seen.and_then(|square| position.piece(square)) == Some(Piece { side: owner, kind: self.kind })
            }
        }
    }
}
