//! How a book grows: what has not been searched is searched, then it opens at the moves nearest to best play.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use tesuji_game::Game;
use tesuji_othello::Othello;
use tesuji_search::CancelToken;

use super::{Book, Key, Leaf, Place};
use crate::othello::{PatternEval, Solver, Strength};

/// Positions that are added together. A constant, so that books do not depend on how many threads made them.
const TOGETHER: usize = 16;
/// Size of the table of a search in MiB. Every search has its own, so that what it finds depends on its position alone.
const TABLE: usize = 16;

/// What a book is to become.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Plan {
    /// How well leaves are searched.
    pub strength: Strength,
    /// The book opens up to so many moves from the start.
    pub plies: u32,
    /// It opens until it has so many positions.
    pub positions: usize,
    /// Threads that search.
    pub threads: usize,
}

/// A book that grows step by step. Each step follows from what is in the book: whenever it is saved and loaded again
/// in between, it becomes the same.
#[derive(Debug)]
pub struct Grower {
    book: Book,
    eval: PatternEval,
    plan: Plan,
    /// What is yet to be searched before anything is added, in the order of files.
    left: Vec<Key>,
}

impl Grower {
    /// Lets a book grow by this plan, with searches led by this evaluation.
    pub fn new(book: Book, eval: PatternEval, plan: Plan) -> Grower {
        let mut grower = Grower { book, eval, plan, left: Vec::new() };
        grower.list();
        grower
    }

    /// The book as it is.
    pub fn book(&self) -> &Book {
        &self.book
    }

    /// How many positions are yet to be searched before others are added.
    pub fn left(&self) -> usize {
        self.left.len()
    }

    /// One step: some searches, or the next positions. False when the plan is done or there is nothing to add; a step
    /// that is stopped keeps what it has found.
    pub fn step(&mut self, stop: &CancelToken) -> bool {
        if self.left.is_empty() {
            return self.open();
        }
        let many = TOGETHER.max(4 * self.plan.threads).min(self.left.len());
        let mut found = self.search(&self.left[..many], stop);
        if found.is_empty() {
            return stop.is_cancelled();
        }
        found.sort_unstable_by_key(|(key, _)| *key);
        self.left.retain(|key| found.binary_search_by_key(key, |(key, _)| *key).is_err());
        found.into_iter().for_each(|(key, leaf)| self.book.add(key, Some(leaf)));
        if self.left.is_empty() {
            self.book.settle();
        }
        true
    }

    /// The book in its end.
    pub fn into_book(mut self) -> Book {
        self.book.settle();
        self.book
    }

    /// Adds the positions nearest to best play; whether there are any.
    fn open(&mut self) -> bool {
        let room = self.plan.positions.saturating_sub(self.book.len()).min(TOGETHER);
        if room == 0 {
            return false;
        }
        let before = self.book.len();
        let start = Place::of(&Othello::start()).map(|place| place.key);
        match start.filter(|start| !self.book.pages.contains_key(start)) {
            Some(start) => self.book.add(start, None),
            None => {
                let next = self.book.deviations(self.plan.plies);
                next.into_iter().take(room).for_each(|key| self.book.add(key, None));
            }
        }
        self.book.settle();
        self.list();
        self.book.len() > before
    }

    /// Lists what is to be searched: where no leaf is known, and where one was found with less effort than is asked
    /// for now.
    fn list(&mut self) {
        let poor = |key: &Key| {
            let page = self.book.pages.get(key)?;
            let wanted = self.plan.strength.depth_and_selectivity(key.empties());
            let poor = page.leaf.map_or_else(|| self.book.is_open(page), |leaf| leaf.sight() < wanted);
            poor.then_some(())
        };
        self.left = self.book.keys().into_iter().filter(|key| poor(key).is_some()).collect();
    }

    /// The leaves of positions, as far as they were found before somebody said stop.
    fn search(&self, keys: &[Key], stop: &CancelToken) -> Vec<(Key, Leaf)> {
        let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(keys.len())));
        thread::scope(|scope| {
            for _ in 0..self.plan.threads.clamp(1, keys.len()) {
                scope.spawn(|| {
                    while let Some(&key) = keys.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let Some(leaf) = self.leaf(key, stop).filter(|_| !stop.is_cancelled()) else {
                            return;
                        };
                        found.lock().unwrap_or_else(PoisonError::into_inner).push((key, leaf));
                    }
                });
            }
        });
        found.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// The best of the moves that lead out of the book.
    fn leaf(&self, key: Key, stop: &CancelToken) -> Option<Leaf> {
        let barred = self.book.inside(self.book.pages.get(&key)?);
        let mut solver = Solver::new(TABLE, self.eval.clone());
        let found = solver.best_excluding(&key.game(), self.plan.strength, barred, stop)?;
        let (depth, level) = self.plan.strength.depth_and_selectivity(key.empties());
        let square = found.best()?.square()?.index() as u8;
        Leaf::new(square, found.score, depth, level, key.empties())
    }
}
