//! The perfect index of Ostle as a capability of the game.

use tesuji_game::{HasPerfectIndex, NO_MOVE, PublishedResults};

use crate::board::Ostle;
use crate::index::Index;
use crate::moves::Move;
use crate::published_results::PUBLISHED_RESULTS;

impl HasPerfectIndex for Ostle {
    type Index = Index;

    const RULES_VERSION: u32 = 1;
    const INDEX_VERSION: u32 = 1;
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

    fn move_number(mv: Move) -> u8 {
        mv.index()
    }

    fn move_from_number(number: u8) -> Move {
        Move::of(number)
    }

    fn published_results() -> Option<&'static PublishedResults> {
        Some(&PUBLISHED_RESULTS)
    }
}
