//! The example obeys the laws and runs under the command line.

#[allow(dead_code, unreachable_pub)]
#[path = "../../../../examples/tictactoe.rs"]
mod example;

use example::TicTacToe;
use tesuji_game::{Game, perft};

#[test]
fn laws() {
    tesuji_laws::rules::<TicTacToe>();
    tesuji_laws::perft::<TicTacToe>(5);
    tesuji_laws::text::<TicTacToe>();
    tesuji_laws::records::<TicTacToe>();
    tesuji_laws::view::<TicTacToe>();
}

/// 255,168 games in all: the leaves of a depth are the games that last at least so long.
#[test]
fn all_games() {
    let counts: Vec<u64> = (0..=9).map(|depth| TicTacToe::start().leaves(depth)).collect();
    assert_eq!(counts, [1, 9, 72, 504, 3024, 15_120, 54_720, 148_176, 200_448, 127_872]);
    let positions: u64 = perft::distinct(&mut TicTacToe::start(), 9, perft::identity).iter().sum();
    assert_eq!(positions + 1, 5478, "all positions, the empty board included");
}
