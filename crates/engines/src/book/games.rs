//! The games that positions of a book are taken from: records, and self-play among nearly best moves.

use std::collections::HashMap;

use tesuji_game::Record;
use tesuji_search::{CancelToken, Rng};

use super::{Book, BookGame, BookSearcher, Canonical};

/// Size of the transposition table in MiB. Each game has its own, so that it depends on its number only.
const TABLE_MIB: usize = 1;

/// How often positions occur in games.
#[derive(Clone, Debug)]
pub struct PositionCounts<G: BookGame> {
    plies: u32,
    /// The least image that was met, and the number of games.
    games: HashMap<G::Key, (G::Stored, u32)>,
}

impl<G: BookGame> PositionCounts<G> {
    /// Counts positions of up to this number of moves.
    pub fn new(plies: u32) -> PositionCounts<G> {
        PositionCounts { plies, games: HashMap::new() }
    }

    /// Counts the positions of a game.
    pub fn add(&mut self, record: &Record<G>) {
        let mut now = record.start().clone();
        let mut moves = record.moves();
        // A key repeats in a game only by a pass.
        let mut last = None;
        while let Some(at) = Canonical::of(&now).filter(|canonical| canonical.game.turns() <= self.plies) {
            if last != Some(at.key) {
                let position = at.game.stored();
                let (least, count) = self.games.entry(at.key).or_insert_with(|| (position.clone(), 0));
                *count += 1;
                if position < *least {
                    *least = position;
                }
            }
            last = Some(at.key);
            let Some(mv) = moves.next() else { break };
            now.play(mv);
        }
    }

    /// A checksum of all positions with their numbers of games.
    pub(super) fn checksum(&self) -> u32 {
        let mut all: Vec<&(G::Stored, u32)> = self.games.values().collect();
        all.sort_unstable();
        let mut bytes = Vec::new();
        for (position, games) in all {
            G::write_entry(position, None, &mut bytes);
            bytes.extend(games.to_le_bytes());
        }
        crc32fast::hash(&bytes)
    }

    /// Number of positions that occur in at least this many games.
    pub fn count(&self, games: u32) -> usize {
        self.games.values().filter(|&&(_, count)| count >= games).count()
    }
}

impl<G: BookGame> Book<G> {
    /// Adds every position that occurs in at least this many games, without a leaf. Returns the number of new positions.
    pub fn add_counted(&mut self, counts: &PositionCounts<G>, games: u32) -> usize {
        let before = self.len();
        for (position, _) in counts.games.values().filter(|&&(_, count)| count >= games) {
            self.add(position, None);
        }
        self.propagate();
        self.len() - before
    }
}

/// Self-play for a book: each move is drawn among the nearly best ones. Random openings are unsuitable, since a book is
/// about moves that are played.
#[derive(Clone, Debug)]
pub struct BookSelfPlay<G: BookGame> {
    /// The level of the searches.
    pub level: u32,
    /// Games end after this number of moves.
    pub plies: u32,
    /// The evaluation of the searches.
    pub eval: G::Evaluation,
    /// The seed.
    pub seed: u64,
    /// Size of a game's transposition table in MiB; 1 if absent.
    pub hash: Option<usize>,
}

impl<G: BookGame> BookSelfPlay<G> {
    /// The game of a number. It depends on the number and the settings only. `None` when it was cancelled.
    pub fn game(&self, number: u32, cancel: &CancelToken) -> Option<Record<G>> {
        let mut rng = Rng::new(self.seed.wrapping_add(u64::from(number) << 32));
        let mut searcher = G::searcher(&self.eval, self.hash.unwrap_or(TABLE_MIB));
        let mut record = Record::new(G::start());
        while record.ending().is_none() && record.now().turns() < self.plies {
            let mv = match record.now().forced_pass() {
                Some(pass) => pass,
                None => self.draw_move(record.now(), &mut searcher, &mut rng, cancel)?,
            };
            record.push(mv).ok()?;
        }
        Some(record)
    }

    /// A random one of the nearly best moves.
    fn draw_move(&self, game: &G, searcher: &mut G::Searcher, rng: &mut Rng, cancel: &CancelToken) -> Option<G::Move> {
        let (mut good, mut best) = (Vec::new(), None);
        while let Some((mv, score)) = searcher.best_excluding(game, self.level, &good, cancel) {
            if score < *best.get_or_insert(score) - G::TOLERANCE {
                break;
            }
            good.push(mv);
        }
        // A cancelled search may have missed the best move.
        if cancel.is_cancelled() || good.is_empty() {
            return None;
        }
        Some(good[rng.below(good.len())])
    }
}
