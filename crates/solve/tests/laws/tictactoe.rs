//! Tic-tac-toe: the whole game, and useless hash keys.

use tesuji_game::{Game, Notation, Outcome, Path, Side};
use tesuji_solve::exact::{ByOutcome, ExactSolver};

use crate::example::TicTacToe;
use crate::minimax::agrees;

#[test]
fn the_whole_game_is_a_draw_whatever_the_first_move() {
    for table_mib in [0, 1] {
        let solution = ExactSolver::new(ByOutcome, table_mib).solve(&TicTacToe::start());
        assert_eq!((solution.value, solution.complete), (0, true));
        assert_eq!(solution.best, (0..9).collect::<Vec<u8>>());
        assert_eq!(solution.line.len(), 9);
    }
}

#[test]
fn one_mistake_is_punished() {
    // X on a1, O on b1: all but the cells beside the two keep the win that a corner and an edge give.
    let game = TicTacToe::parse("XO-------").unwrap();
    agrees(&mut ExactSolver::new(ByOutcome, 1), &ByOutcome, &game, &Path::new(&game, ()), None).unwrap();
    assert_eq!(ExactSolver::new(ByOutcome, 1).solve(&game).value, 1);
    let score = TicTacToe::parse("XXXOO----").unwrap();
    let solution = ExactSolver::new(ByOutcome, 1).solve(&score);
    assert_eq!((solution.value, solution.best, solution.line), (-1, vec![], vec![]));
}

/// Tic-tac-toe in which all positions have the same key.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Alike(TicTacToe);

impl Game for Alike {
    type Move = u8;
    type Moves = Vec<u8>;
    type Undo = u8;
    type Rules = ();
    const NAME: &'static str = "alike";
    const RECURS: bool = false;

    fn start() -> Alike {
        Alike(TicTacToe::start())
    }
    fn mover(&self) -> Side {
        self.0.mover()
    }
    fn moves(&mut self, out: &mut Vec<u8>) {
        self.0.moves(out);
    }
    fn play(&mut self, cell: u8) -> u8 {
        self.0.play(cell)
    }
    fn undo(&mut self, cell: u8) {
        self.0.undo(cell);
    }
    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }
    fn key(&self) -> u64 {
        7
    }
}

#[test]
fn equal_keys_do_not_make_equal_positions() {
    let alike = ExactSolver::new(ByOutcome, 1).solve(&Alike::start());
    let usual = ExactSolver::new(ByOutcome, 1).solve(&TicTacToe::start());
    assert_eq!((alike.value, alike.best), (usual.value, usual.best));
}
