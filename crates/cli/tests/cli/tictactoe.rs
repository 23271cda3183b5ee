//! The example obeys the laws and runs under the command line.

#[allow(dead_code, unreachable_pub)]
#[path = "../../../../examples/tictactoe.rs"]
mod example;

use example::TicTacToe;
use tesuji_engines::EngineFactory;
use tesuji_engines::Spec;
use tesuji_game::{Game, Record, perft};
use tesuji_search::{CancelToken, Choice, Limits};

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

/// A game that brings no engines can be played all the same, and nobody beats the one that looks to the end.
#[test]
fn engines_of_any_game() {
    let engines = EngineFactory::<TicTacToe>::generic();
    for other in ["random:seed=7", "uct:playouts=200", "alphabeta:depth=9,hash=1"] {
        for first in [true, false] {
            let make = |text: &str| (engines.make)(&Spec::parse(text).unwrap()).unwrap();
            let mut players = [make("alphabeta:depth=9,hash=1"), make(other)];
            let mut record = Record::new(TicTacToe::start());
            while record.ending().is_none() {
                let turn = (record.plies().len() + usize::from(!first)) % 2;
                let choice = players[turn].think(&record, &Limits::default(), &CancelToken::new(), &mut |_| {});
                let Choice::Move { mv, .. } = choice else { panic!("{choice:?}") };
                record.push(mv).unwrap();
            }
            let own = if first { tesuji_game::Side::First } else { tesuji_game::Side::Second };
            assert_ne!(record.ending().unwrap().winner, Some(!own), "{other}");
        }
    }
}
