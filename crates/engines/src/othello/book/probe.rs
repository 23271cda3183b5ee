//! Probing the book: the moves of a position with their scores, and the principal variation.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::fmt;

use tesuji_game::Game;
use tesuji_othello::{Move, Othello};

use super::{Book, Canonical};
use crate::othello::Selectivity;

/// The best move out of the book at a position. Squares are those of the key's board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookLeaf {
    pub(super) square: u8,
    /// Discs, for the side to move.
    pub(super) score: i8,
    /// Search depth.
    pub(super) depth: u8,
    /// Selectivity of the search.
    pub(super) selectivity: Selectivity,
}

impl BookLeaf {
    /// The largest score.
    const MAX_SCORE: i32 = 64;

    /// A leaf; `None` if its numbers are impossible with this number of empty squares.
    pub(super) fn new(square: u8, score: i32, depth: u32, selectivity: Selectivity, empties: u32) -> Option<BookLeaf> {
        let possible = square < 64 && score.abs() <= BookLeaf::MAX_SCORE && (1..=empties).contains(&depth);
        possible.then_some(BookLeaf { square, score: score as i8, depth: depth as u8, selectivity })
    }

    /// Depth and selectivity of the search, ordered by quality.
    pub(super) fn search(self) -> (u32, Selectivity) {
        (u32::from(self.depth), self.selectivity)
    }
}

/// Depth and selectivity as text: `12`, or `21/73` for a selective search at 73 %.
pub(super) struct DepthText(pub(super) u32, pub(super) Selectivity);

impl fmt::Display for DepthText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            Selectivity::EXACT => write!(f, "{}", self.0),
            selectivity => write!(f, "{}/{}", self.0, selectivity.percent()),
        }
    }
}

/// The moves that the book knows at a position.
#[derive(Clone, PartialEq, Debug)]
pub struct BookMoves {
    /// Best first; of equal scores those within the book first.
    pub moves: Vec<BookMove>,
    /// Whether no other move can be better: all others lead out of the book, and the best of those was searched.
    pub complete: bool,
}

/// A move that the book knows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// Discs, for the side to move.
    pub score: i32,
    /// Where the score comes from.
    pub source: MoveSource,
}

/// Where the score of a book move comes from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum MoveSource {
    /// The move leads to a position of the book.
    Book,
    /// The move leads out of the book and was searched to this depth and selectivity.
    Leaf(u32, Selectivity),
}

impl MoveSource {
    /// `12`, or `21/73` for a selective search at 73 %; `None` within the book.
    pub fn depth_text(self) -> Option<String> {
        match self {
            MoveSource::Book => None,
            MoveSource::Leaf(depth, selectivity) => Some(DepthText(depth, selectivity).to_string()),
        }
    }
}

impl Book {
    /// The moves of a position, in its own orientation; `None` if it is not in the book.
    pub fn probe(&self, game: &Othello) -> Option<BookMoves> {
        let canonical = Canonical::of(game)?;
        let entry = self.entries.get(&canonical.key)?;
        if canonical.passed {
            let pass = |score: i32| BookMove { mv: Move::PASS, score: -score, source: MoveSource::Book };
            let moves: Vec<BookMove> = entry.score.map(pass).into_iter().collect();
            return Some(BookMoves { complete: !moves.is_empty(), moves });
        }
        let inside = entry.edges.iter().filter(|edge| self.is_internal(edge));
        let known = inside.clone().filter_map(|edge| Some((edge.square, self.edge_score(edge)?, MoveSource::Book)));
        let leaf = entry
            .leaf
            .map(|leaf| (leaf.square, i32::from(leaf.score), MoveSource::Leaf(leaf.depth.into(), leaf.selectivity)));
        let mut moves: Vec<(u8, i32, MoveSource)> = known.chain(leaf).collect();
        // By the squares of the key's board, so that all images of a position get the same move.
        moves.sort_by_key(|&(square, score, source)| (Reverse(score), source != MoveSource::Book, square));
        let all_known = inside.clone().all(|edge| self.edge_score(edge).is_some());
        let mv = |(square, score, source)| Some(BookMove { mv: canonical.to_game(square)?, score, source });
        Some(BookMoves {
            moves: moves.into_iter().filter_map(mv).collect(),
            complete: all_known && (entry.leaf.is_some() || !self.has_exit(entry)),
        })
    }

    /// The score of a position for the side to move, if it is known.
    pub fn score(&self, game: &Othello) -> Option<i32> {
        let canonical = Canonical::of(game)?;
        let score = self.entries.get(&canonical.key)?.score?;
        Some(if canonical.passed { -score } else { score })
    }

    /// The principal variation up to the move out of the book, and its depth including the search behind that move.
    pub fn principal_variation(&self, game: &Othello) -> (Vec<Move>, u32) {
        let (mut now, mut line) = (*game, Vec::new());
        while let Some(best) = self.probe(&now).and_then(|known| known.moves.first().copied()) {
            let plies = line.iter().filter(|&&mv| mv != Move::PASS).count() as u32;
            line.push(best.mv);
            if let MoveSource::Leaf(depth, _) = best.source {
                return (line, plies + depth);
            }
            now.play(best.mv);
        }
        let plies = line.len() as u32;
        (line, plies)
    }

    /// Number of positions of the book that can be reached from a position, including itself.
    pub fn reachable(&self, game: &Othello) -> usize {
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
