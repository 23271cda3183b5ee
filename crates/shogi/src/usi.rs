//! Move notation of USI: `7g7f`, `8h2b+`, `P*5e`.

use tesuji_game::{Notation, TextError};

use crate::{Move, PieceKind, Shogi, Square, sfen};

impl Notation for Shogi {
    fn parse(text: &str) -> Result<Shogi, TextError> {
        sfen::parse(text)
    }

    fn print(&self) -> String {
        sfen::print(self)
    }

    fn parse_move(&mut self, text: &str) -> Result<Move, TextError> {
        let mv = read(text)?;
        self.why_illegal(mv).map_or(Ok(mv), |reason| Err(TextError::new(text, 0, reason.to_string())))
    }

    fn print_move(&self, mv: Move) -> String {
        mv.to_string()
    }
}

/// Parses a move without a check of legality.
fn read(text: &str) -> Result<Move, TextError> {
    let shape = || TextError::new(text, 0, "a move is written 7g7f, 8h2b+ with promotion, or P*5e as a drop");
    if !text.is_ascii() {
        return Err(shape());
    }
    if let Some((kind, to)) = text.split_once('*') {
        let mut letters = kind.chars();
        let (Some(letter), None) = (letters.next(), letters.next()) else { return Err(shape()) };
        return match PieceKind::from_letter(letter).filter(|&kind| kind != PieceKind::King) {
            Some(kind) => Ok(Move::drop(kind, square(to, 2)?)),
            None => Err(TextError::new(kind, 0, "no such piece in hand; pieces are RBGSNLP")),
        };
    }
    let (squares, promote) = text.strip_suffix('+').map_or((text, false), |squares| (squares, true));
    if squares.len() != 4 {
        return Err(shape());
    }
    let (from, to) = squares.split_at(2);
    Ok(Move::board(square(from, 0)?, square(to, 2)?, promote))
}

fn square(text: &str, at: usize) -> Result<Square, TextError> {
    Square::parse(text).ok_or_else(|| {
        let message = format!("there is no square {text}; squares are 1a to 9i, file and rank");
        TextError::new(text, at, message)
    })
}
