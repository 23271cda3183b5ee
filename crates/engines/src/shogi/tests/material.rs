//! The evaluation in step with moves, and the same for both sides.

use tesuji_game::{Game, MoveList};
use tesuji_laws::hold;
use tesuji_search::{Eval, Value};
use tesuji_shogi::Shogi;

use super::super::Material;
use super::{parsed, positions, turned};

#[test]
fn sums_in_step_are_sums_from_scratch() {
    positions(40, 200, 1, |game, list| {
        let accumulator = Material.begin(game);
        // Whatever a accumulator held before must not matter.
        let mut next = Material.begin(&Shogi::start());
        for mv in list.each().step_by(5) {
            let undo = game.play(mv);
            Material.advance(&accumulator, mv, &undo, game, &mut next);
            let scratch = Material.begin(game);
            game.undo(undo);
            hold!(next == scratch, "{mv} in {game:?}: {next:?}, from scratch {scratch:?}");
        }
        Ok(())
    });
}

fn value(game: &Shogi) -> Value {
    Material.value(game, &Material.begin(game))
}

#[test]
fn both_sides_are_judged_alike() {
    assert_eq!(value(&Shogi::start()), Value::DRAW);
    positions(40, 200, 3, |game, _| {
        let image = turned(game);
        hold!(value(game) == value(&image), "{} in {game:?}, {} turned", value(game), value(&image));
        Ok(())
    });
}

/// Each of these is better for black than the one before it.
#[test]
fn more_is_worth_more() {
    let rising = [
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/7R1/LNSGKGSNL b b 1",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPP1P/1B5R1/LNSGKGSNL b p 1",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "lnsgkgsnl/1r5b1/pppp1pppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b P 1",
        "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b R 1",
    ];
    let values: Vec<Value> = rising.iter().map(|text| value(&parsed(text))).collect();
    assert!(values.is_sorted_by(|a, b| a < b), "{values:?}");
}

/// The same pieces, but black's bear on the other king, or white's king has lost its guards.
#[test]
fn a_king_under_attack_is_worth_less() {
    let calm = parsed("lnsgk2nl/1r3g3/pppppspp1/+P8/9/9/PPPPPPP2/1B1G5/LNSGK2NL b RBSP 1");
    let near = parsed("lnsgk2nl/1r3g3/pppppspp1/4+P4/9/9/PPPPPPP2/1B1G5/LNSGK2NL b RBSP 1");
    let bare = parsed("lnsgk2nl/1r7/pppppspp1/1g2+P4/9/9/PPPPPPP2/1B1G5/LNSGK2NL b RBSP 1");
    assert!(value(&near) > value(&calm), "{} {}", value(&near), value(&calm));
    assert!(value(&bare) > value(&near), "{} {}", value(&bare), value(&near));
}

#[test]
fn boards_without_kings_are_judged_too() {
    assert!(value(&parsed("9/9/9/9/4R4/9/9/9/9 b - 1")) > Value::DRAW);
    let problem = parsed("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
    assert_eq!(value(&problem), value(&turned(&problem)));
    assert!(value(&problem) < Value::DRAW);
}
