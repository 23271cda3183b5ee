//! Any engine with an opening book before it.

use std::time::Instant;

use tesuji_game::Record;
use tesuji_search::{Bound, CancelToken, Choice, Engine, Limits, PvLine, ReportSource, Rng, SearchReport};

use super::{BookGame, BookLine, BookSource};

/// Plays the moves of an opening book without a search; otherwise what the engine inside chooses.
pub struct BookEngine<G: BookGame, E> {
    engine: E,
    book: BookSource<G>,
    /// What a book move may lose and still be played.
    variety: i32,
    rng: Rng,
}

impl<G: BookGame, E: Engine<G>> BookEngine<G, E> {
    /// This engine with a book before it.
    pub fn new(engine: E, book: BookSource<G>) -> BookEngine<G, E> {
        BookEngine { engine, book, variety: 0, rng: Rng::new(0) }
    }

    /// Draws among the book moves that lose at most `variety` against the best one.
    #[must_use]
    pub fn varied(mut self, variety: i32, seed: u64) -> BookEngine<G, E> {
        (self.variety, self.rng) = (variety, Rng::new(seed));
        self
    }
}

impl<G: BookGame, E: Engine<G>> Engine<G> for BookEngine<G, E> {
    /// A move that leaves the book is searched, unless the depth is limited to that of the book's search.
    fn think(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        stop: &CancelToken,
        watch: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> Choice<G::Move> {
        let start = limits.started.unwrap_or_else(Instant::now);
        let wanted = !limits.ignore_book && limits.lines <= 1 && record.ending().is_none();
        let is_enough = |depth: super::BookDepth| limits.depth.is_some_and(|most| u32::from(depth.plies) >= most);
        let line = match (wanted, self.variety) {
            (false, _) => None,
            (true, 0) => self.book.line(record.now(), is_enough),
            (true, variety) => {
                let mut lines = self.book.lines(record.now(), variety, is_enough);
                (!lines.is_empty()).then(|| lines.swap_remove(self.rng.below(lines.len())))
            }
        };
        match line {
            None => self.engine.think(record, limits, stop, watch),
            Some(line) => line.play::<G>(start, watch).unwrap_or(Choice::Over),
        }
    }

    fn forget(&mut self) {
        self.engine.forget();
    }

    fn root_visits(&self) -> Vec<(G::Move, u32)> {
        self.engine.root_visits()
    }
}

impl<M: Copy> BookLine<M> {
    /// Reports the line and chooses its first move, if it has one.
    pub(crate) fn play<G: BookGame<Move = M>>(
        self,
        start: Instant,
        watch: &mut dyn FnMut(&SearchReport<M>),
    ) -> Option<Choice<M>> {
        let BookLine { moves, score, depth } = self;
        tracing::info!(score, depth, "move from the opening book");
        let choice = Choice::Move { mv: moves.first().copied()?, reply: moves.get(1).copied() };
        let line =
            PvLine { value: G::score_value(score), bound: Bound::Exact, moves, rate: None, prior: None, solved: false };
        watch(&SearchReport {
            depth,
            seldepth: depth,
            nodes: 0,
            time: start.elapsed(),
            hashfull: None,
            lines: vec![line],
            source: ReportSource::Book,
        });
        Some(choice)
    }
}
