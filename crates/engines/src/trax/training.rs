//! How `lines` is trained: from quiet positions of self-play.

use std::cell::RefCell;
use std::path::Path;

use tesuji_game::Game;
use tesuji_learn::JobError;
use tesuji_learn::sparse::Factors;
use tesuji_search::Value;
use tesuji_trax::{Trax, Variant};

use super::features::{Scratch, features};
use super::lines::{FINE, LOGISTIC, Lines, MODEL, SHIPPED_BYTES};
use super::parts::parts;
use crate::factory::static_eval;
use crate::training::{SparseEvaluation, StaticEvaluation};

/// Plies in which attacks are answered before a position is evaluated, as the search does at depth 0.
const ANSWERS: u32 = 6;

thread_local! {
    /// The outline of the position being read; only a buffer.
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

impl<V: Variant> SparseEvaluation for Trax<V> {
    const MODEL: &'static str = MODEL;
    const SCALE: f32 = LOGISTIC as f32 * FINE as f32;

    fn factors() -> &'static Factors {
        parts()
    }

    /// Attacks of either side are resolved by the search before it evaluates.
    fn sparse_features(&mut self, out: &mut Vec<u32>) -> bool {
        let mover = self.mover();
        if self.outcome().is_some() || self.win_in_one(mover).is_some() || self.win_in_one(!mover).is_some() {
            return false;
        }
        SCRATCH.with_borrow_mut(|scratch| {
            self.outline(&mut scratch.outline);
            features(self, scratch, |feature| out.push(feature as u32));
        });
        true
    }

    fn static_evaluation(weights: Option<&Path>) -> Result<StaticEvaluation<Self>, JobError> {
        let lines = match weights {
            None => Lines::shipped(),
            Some(file) => Lines::load(file).map_err(JobError::Input)?,
        };
        Ok(Box::new(move |game| quiet_value(&lines, &mut game.clone(), ANSWERS)))
    }

    fn shipped_weights() -> &'static [u8] {
        SHIPPED_BYTES
    }
}

/// The value of a position in which attacks are answered until there is none: weights are learned from quiet positions
/// and say nothing about others.
fn quiet_value<V: Variant>(lines: &Lines, game: &mut Trax<V>, answers: u32) -> Value {
    let mover = game.mover();
    if game.outcome().is_some() {
        return static_eval(lines, game);
    }
    if game.win_in_one(mover).is_some() {
        return Value::win(1);
    }
    match game.win_in_one(!mover).filter(|_| answers > 0) {
        None => static_eval(lines, game),
        Some(attack) => {
            let mut moves = Vec::new();
            game.defences(attack, &mut moves);
            // Every other move loses at once.
            let mut best = Value::loss(2);
            for mv in moves {
                let undo = game.play(mv);
                best = best.max(quiet_value(lines, game, answers - 1).to_parent());
                game.undo(undo);
            }
            best
        }
    }
}
