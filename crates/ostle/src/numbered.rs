//! What ties the game to the numbering of its boards.

use tesuji_game::{Known, NO_MOVE, Numbered};

use crate::board::Ostle;
use crate::known::KNOWN;
use crate::moves::Move;
use crate::ranked::Index;

impl Numbered for Ostle {
    type Index = Index;

    const RULES: u32 = 1;
    const INDEX: u32 = 1;
    const STAGES: &'static [&'static str] = &["8", "9", "10"];

    fn index() -> Index {
        Index::new()
    }

    fn forbidden(&self) -> u8 {
        self.ko().map_or(NO_MOVE, Move::index)
    }

    fn forbidding(self, number: u8) -> Ostle {
        if number == NO_MOVE { self.without_ko() } else { self.with_ko(Move::of(number)) }
    }

    fn number(mv: Move) -> u8 {
        mv.index()
    }

    fn numbered(number: u8) -> Move {
        Move::of(number)
    }

    fn known() -> Option<&'static Known> {
        Some(&KNOWN)
    }
}
