//! What is played: how often the positions of records occur.

use std::collections::HashMap;

use tesuji_game::{Game, Record};
use tesuji_othello::Othello;

use super::{Book, Key, Place};

/// Counts the positions of games.
#[derive(Clone, Debug)]
pub struct Tally {
    plies: u32,
    games: HashMap<Key, u32>,
}

impl Tally {
    /// Counts positions of up to so many moves.
    pub fn new(plies: u32) -> Tally {
        Tally { plies, games: HashMap::new() }
    }

    /// Counts the positions of a game.
    pub fn add(&mut self, record: &Record<Othello>) {
        let mut now = *record.start();
        let mut moves = record.moves();
        // Discs only ever come: no position occurs twice in a game, unless by a pass.
        let mut last = None;
        while let Some(key) = Place::of(&now).map(|place| place.key).filter(|key| key.plies() <= self.plies) {
            if last != Some(key) {
                *self.games.entry(key).or_default() += 1;
            }
            last = Some(key);
            let Some(mv) = moves.next() else { break };
            now.play(mv);
        }
    }

    /// How many positions occur in at least so many games.
    pub fn count(&self, games: u32) -> usize {
        self.games.values().filter(|&&count| count >= games).count()
    }
}

impl Book {
    /// Opens the book for every position that occurs in at least so many games. What they are worth a search has to
    /// tell; how many positions are new is returned.
    pub fn learn(&mut self, tally: &Tally, games: u32) -> usize {
        let before = self.len();
        for (&key, _) in tally.games.iter().filter(|&(_, &count)| count >= games) {
            self.add(key, None);
        }
        self.settle();
        self.len() - before
    }
}
