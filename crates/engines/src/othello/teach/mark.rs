//! Positions labelled by what a search says of them: nearer to the truth than how somebody's game went on.

use std::path::Path;

use tesuji_game::Game;
use tesuji_othello::Othello;
use tesuji_search::{CancelToken, Rng};

use super::labels::{Labels, empties};
use super::play::any;
use crate::othello::{Goal, PatternEval, Selectivity, Solver};
use crate::{LabelConfig, Labeler, SpecError, Trainable};

/// Size of the solver's table in MiB: it is emptied for every position.
const TABLE: usize = 1;

/// Somebody who searches with these weights.
pub(super) fn marker(marking: LabelConfig, weights: Option<&Path>) -> Result<Labeler<Othello>, SpecError> {
    let eval = match weights {
        None => PatternEval::shipped(),
        Some(path) => PatternEval::load(path)
            .map_err(|error| SpecError::value("weights", &path.display().to_string(), error))?,
    };
    let (mut solver, level) = (Solver::new(TABLE, eval), Selectivity::at_least(marking.sure));
    Ok(Box::new(move |position, stop: &CancelToken| {
        // Most searches are over before they would ask.
        if stop.is_cancelled() {
            return None;
        }
        let mut labels = Labels::default();
        let mut game = Othello::at(position);
        // Seeded by the position: whoever labels it, and whatever came before, chance is the same.
        let mut rng = Rng::new(marking.seed ^ Rng::new(position.0).draw() ^ position.1);
        if marking.stray > 0
            && rng.below(marking.stray as usize) == 0
            && let Some(mv) = any(&game, &mut rng)
        {
            game.play(mv);
        }
        if !game.is_over() {
            solver.clear();
            let solved = if empties(&game) <= marking.solve {
                solver.solve_until(&game, Goal::Score, stop)?
            } else {
                solver.search_depth(&game, marking.depth, level, stop)?
            };
            labels.add(&game, solved.score);
        }
        Some(labels.0)
    }))
}
