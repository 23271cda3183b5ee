//! The crate `minimax` on our Othello, with the same evaluation.

use minimax::{Evaluation, Evaluator, IterativeOptions, IterativeSearch, Strategy, Winner};
use tesuji_game::{Game, MoveList, Outcome};
use tesuji_othello::{Move, Moves, Othello};

use crate::evals::discs_and_moves;

struct Rules;

impl minimax::Game for Rules {
    type S = Othello;
    type M = Move;

    fn generate_moves(state: &Othello, moves: &mut Vec<Move>) -> Option<Winner> {
        let mut list = Moves::default();
        let mut state = *state;
        state.moves(&mut list);
        moves.extend(list.each());
        if moves.is_empty() { Rules::get_winner(&state) } else { None }
    }

    fn apply(state: &mut Othello, mv: Move) -> Option<Othello> {
        let mut after = *state;
        after.play(mv);
        Some(after)
    }

    fn get_winner(state: &Othello) -> Option<Winner> {
        state.outcome().map(|outcome| match outcome {
            Outcome::Win => Winner::PlayerToMove,
            Outcome::Draw => Winner::Draw,
            Outcome::Loss => Winner::PlayerJustMoved,
        })
    }

    fn zobrist_hash(state: &Othello) -> u64 {
        state.key()
    }

    fn table_index(mv: Move) -> u16 {
        tesuji_game::Move::to_bits(mv) as u16
    }

    fn max_table_index() -> u16 {
        255
    }
}

struct DiscsEvaluator;

impl Evaluator for DiscsEvaluator {
    type G = Rules;

    fn evaluate(&self, state: &Othello) -> Evaluation {
        discs_and_moves(state) as Evaluation
    }
}

/// Searches to a depth and returns the value. `all` adds countermoves and an aspiration window.
pub(crate) fn search(game: &Othello, depth: u8, hash_mib: usize, all: bool) -> i32 {
    let mut options = IterativeOptions::new().with_table_byte_size(hash_mib << 20);
    if all {
        options = options.with_countermoves().with_countermove_history().with_aspiration_window(20);
    }
    let mut search = IterativeSearch::new(DiscsEvaluator, options);
    search.set_max_depth(depth);
    search.choose_move(game);
    i32::from(search.root_value())
}
