//! Probing the book: the moves of a position with their scores, and the principal variation.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::fmt;

use tesuji_game::Move;

use super::{Book, BookGame, Canonical};

/// The best move out of the book at a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookLeaf<M> {
    /// The move, on the stored board.
    pub mv: M,
    /// The score for the side to move.
    pub score: i32,
    /// How deep it was searched.
    pub depth: BookDepth,
}

/// Depth and selectivity of a search, ordered by quality.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct BookDepth {
    /// Depth in plies.
    pub plies: u8,
    /// The confidence of a selective search in percent; 100 for any other.
    pub percent: u8,
}

impl BookDepth {
    /// A search without Multi-ProbCut.
    pub const fn full(plies: u8) -> BookDepth {
        BookDepth { plies, percent: 100 }
    }
}

/// `12`, or `21/73` for a selective search at 73 %.
impl fmt::Display for BookDepth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.percent {
            100 => write!(f, "{}", self.plies),
            percent => write!(f, "{}/{percent}", self.plies),
        }
    }
}

/// The moves that the book knows at a position.
#[derive(Clone, PartialEq, Debug)]
pub struct BookMoves<M> {
    /// Best first; of equal scores those within the book first.
    pub moves: Vec<BookMove<M>>,
    /// Whether no other move can be better: all others lead out of the book, and the best of those was searched.
    pub complete: bool,
}

/// A move that the book knows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BookMove<M> {
    /// The move.
    pub mv: M,
    /// The score for the side to move.
    pub score: i32,
    /// Where the score comes from.
    pub source: MoveSource,
}

/// Where the score of a book move comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveSource {
    /// The move leads to a position of the book.
    Book,
    /// The move leads out of the book and was searched to this depth.
    Leaf(BookDepth),
}

impl<G: BookGame> Book<G> {
    /// The moves of a position, in its own orientation; `None` if it is not in the book.
    pub fn probe(&self, game: &G) -> Option<BookMoves<G::Move>> {
        let canonical = Canonical::of(game)?;
        let entry = self.entries.get(&canonical.key)?;
        if let Some(pass) = canonical.pass {
            let pass = |score: i32| BookMove { mv: pass, score: -score, source: MoveSource::Book };
            let moves: Vec<BookMove<G::Move>> = entry.score.map(pass).into_iter().collect();
            return Some(BookMoves { complete: !moves.is_empty(), moves });
        }
        let inside = entry.edges.iter().filter(|edge| self.is_internal(edge));
        let known = inside.clone().filter_map(|edge| Some((edge.mv, self.edge_score(edge)?, MoveSource::Book)));
        let leaf = entry.leaf.map(|leaf| (leaf.mv, leaf.score, MoveSource::Leaf(leaf.depth)));
        let mut moves: Vec<(G::Move, i32, MoveSource)> = known.chain(leaf).collect();
        // By the moves of the stored board, so that all images of a position get the same move.
        moves.sort_by_key(|&(mv, score, source)| (Reverse(score), source != MoveSource::Book, mv.to_bits()));
        let all_known = inside.clone().all(|edge| self.edge_score(edge).is_some());
        let own = canonical.stored_moves(&G::restore(&entry.position))?;
        let mv = |(mv, score, source)| Some(BookMove { mv: own(mv)?, score, source });
        Some(BookMoves {
            moves: moves.into_iter().filter_map(mv).collect(),
            complete: all_known && (entry.leaf.is_some() || !self.has_exit(entry)),
        })
    }

    /// The score of a position for the side to move, if it is known.
    pub fn score(&self, game: &G) -> Option<i32> {
        let canonical = Canonical::of(game)?;
        let score = self.entries.get(&canonical.key)?.score?;
        Some(if canonical.pass.is_some() { -score } else { score })
    }

    /// The principal variation up to the move out of the book, and its depth including the search behind that move.
    pub fn principal_variation(&self, game: &G) -> (Vec<G::Move>, u32) {
        let (mut now, mut line, mut passes) = (game.clone(), Vec::new(), 0);
        while let Some(best) = self.probe(&now).and_then(|known| known.moves.first().copied()) {
            line.push(best.mv);
            if let MoveSource::Leaf(depth) = best.source {
                let plies = (line.len() - 1 - passes) as u32;
                return (line, plies + u32::from(depth.plies));
            }
            passes += usize::from(now.forced_pass().is_some());
            now.play(best.mv);
        }
        let plies = line.len() as u32;
        (line, plies)
    }

    /// Number of positions of the book that can be reached from a position, including itself.
    pub fn reachable(&self, game: &G) -> usize {
        let mut seen = HashSet::new();
        let mut stack: Vec<_> = Canonical::of(game).map(|canonical| canonical.key).into_iter().collect();
        while let Some(key) = stack.pop() {
            if let Some(entry) = self.entries.get(&key)
                && seen.insert(key)
            {
                stack.extend(entry.edges.iter().filter_map(|edge| edge.to));
            }
        }
        seen.len()
    }
}
