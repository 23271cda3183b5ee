//! Asking the book: the moves of a position, what they are worth, and the line that is best for both.

use std::cmp::Reverse;
use std::collections::HashSet;

use tesuji_game::Game;
use tesuji_othello::{Move, Othello};

use super::leaf::Sight;
use super::{Book, Place};
use crate::othello::Selectivity;

/// What the book says of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Opinion {
    /// The moves whose worth is known, the best first; of equal ones those within the book first.
    pub choices: Vec<Choice>,
    /// Whether no move can be better than these: every other leads out of the book, where a search has looked.
    pub whole: bool,
}

/// A move that the book knows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Choice {
    /// The move.
    pub mv: Move,
    /// Discs, seen by the mover.
    pub value: i32,
    /// How that is known.
    pub source: Source,
}

/// How the worth of a move is known.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Source {
    /// It leads to a position of the book.
    Book,
    /// It leads out of the book, and a search looked so far ahead, so surely.
    Leaf(u32, Selectivity),
}

impl Source {
    /// `12`, or `21/73` where branches were left out, 73 per cent sure; none within the book.
    pub fn sight(self) -> Option<String> {
        match self {
            Source::Book => None,
            Source::Leaf(depth, level) => Some(Sight(depth, level).to_string()),
        }
    }
}

impl Book {
    /// What the book says of a position, turned as the position is; none where it is not in the book.
    pub fn probe(&self, game: &Othello) -> Option<Opinion> {
        let place = Place::of(game)?;
        let page = self.pages.get(&place.key)?;
        if place.passed {
            let pass = page.worth.map(|worth| Choice { mv: Move::PASS, value: -worth, source: Source::Book });
            return Some(Opinion { whole: pass.is_some(), choices: pass.into_iter().collect() });
        }
        let inside = page.steps.iter().filter(|step| self.holds(step));
        let known = inside.clone().filter_map(|step| Some((step.square, self.value(step)?, Source::Book)));
        let leaf = page
            .leaf
            .map(|leaf| (leaf.square, i32::from(leaf.value), Source::Leaf(leaf.depth.into(), leaf.level)));
        let mut moves: Vec<(u8, i32, Source)> = known.chain(leaf).collect();
        // By the squares of the book's board, so that images of a position are played alike.
        moves.sort_by_key(|&(square, value, source)| (Reverse(value), source != Source::Book, square));
        let told = inside.clone().all(|step| self.value(step).is_some());
        let choice = |(square, value, source)| Some(Choice { mv: place.to_game(square)?, value, source });
        Some(Opinion {
            choices: moves.into_iter().filter_map(choice).collect(),
            whole: told && (page.leaf.is_some() || !self.is_open(page)),
        })
    }

    /// What a position of the book is worth to its mover, if anything is known.
    pub fn worth(&self, game: &Othello) -> Option<i32> {
        let place = Place::of(game)?;
        let worth = self.pages.get(&place.key)?.worth?;
        Some(if place.passed { -worth } else { worth })
    }

    /// Best play from a position as far as the book goes, the move out of it included, and how many plies ahead that
    /// looks in all.
    pub fn line(&self, game: &Othello) -> (Vec<Move>, u32) {
        let (mut now, mut line) = (*game, Vec::new());
        while let Some(choice) = self.probe(&now).and_then(|opinion| opinion.choices.first().copied()) {
            let plies = line.iter().filter(|&&mv| mv != Move::PASS).count() as u32;
            line.push(choice.mv);
            if let Source::Leaf(depth, _) = choice.source {
                return (line, plies + depth);
            }
            now.play(choice.mv);
        }
        let plies = line.len() as u32;
        (line, plies)
    }

    /// How many positions of the book can come about from a position, itself included if it is one.
    pub fn below(&self, game: &Othello) -> usize {
        let mut seen = HashSet::new();
        let mut left: Vec<_> = Place::of(game).map(|place| place.key).into_iter().collect();
        while let Some(key) = left.pop() {
            if let Some(page) = self.pages.get(&key)
                && seen.insert(key)
            {
                left.extend(page.steps.iter().filter_map(|step| step.to));
            }
        }
        seen.len()
    }
}
