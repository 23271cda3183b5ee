//! Random openings: legal moves by chance, no two openings the same board, turned or mirrored.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use tesuji_game::{Game, MoveList, Record};
use tesuji_othello::{Moves, Othello};
use tesuji_search::Rng;

/// So many openings in a row that were there before: there are no others, or hardly any.
const PATIENCE: usize = 1000;

/// The openings of a seed, one after the other.
pub(super) struct Openings {
    rng: Rng,
    plies: RangeInclusive<u32>,
    seen: HashSet<(u64, u64)>,
}

impl Openings {
    pub(super) fn new(seed: u64, plies: RangeInclusive<u32>) -> Openings {
        // Games are seeded by numbers from the same seed; this keeps the openings apart from all of them.
        Openings { rng: Rng::new(seed ^ 0x6f70_656e_696e_6773), plies, seen: HashSet::new() }
    }

    fn draw(&mut self) -> Record<Othello> {
        let (least, most) = (*self.plies.start(), *self.plies.end());
        let plies = least + self.rng.below((most - least) as usize + 1) as u32;
        let mut record = Record::new(Othello::start());
        let mut list = Moves::default();
        for _ in 0..plies {
            record.now().clone().moves(&mut list);
            let chosen = list.each().nth(self.rng.below(list.len().max(1)));
            // A game may be over even in the opening; then nothing more is played.
            let Some(Ok(())) = chosen.map(|mv| record.push(mv)) else { break };
        }
        record
    }
}

impl Iterator for Openings {
    type Item = Record<Othello>;

    fn next(&mut self) -> Option<Record<Othello>> {
        for _ in 0..PATIENCE {
            let record = self.draw();
            let board = record.now().canonical();
            if record.ending().is_none() && self.seen.insert((board.own(), board.other())) {
                return Some(record);
            }
        }
        None
    }
}
