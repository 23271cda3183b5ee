//! Moves as text, as USI writes them, and what is wrong with those that cannot be played.

use tesuji_game::{Game, MoveList, Notation, TextError};

use crate::{Move, Moves, Shogi, sfen};

impl Notation for Shogi {
    fn parse(text: &str) -> Result<Shogi, TextError> {
        sfen::parse(text)
    }

    fn print(&self) -> String {
        sfen::print(self)
    }

    fn parse_move(&mut self, text: &str) -> Result<Move, TextError> {
        let mut list = Moves::default();
        self.moves(&mut list);
        let found = list.each().find(|mv| mv.to_string().eq_ignore_ascii_case(text));
        found.ok_or_else(|| TextError::new(text, 0, "not a legal move here"))
    }

    fn print_move(&self, mv: Move) -> String {
        mv.to_string()
    }
}
