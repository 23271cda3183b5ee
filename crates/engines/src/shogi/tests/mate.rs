//! Mates by trying everything.

use std::cell::Cell;

use tesuji_game::{Game, MoveList};
use tesuji_laws::hold;
use tesuji_shogi::{Move, Moves, Shogi};

use super::super::mate::{Checks, in_one, in_three};
use super::{parsed, positions};

fn moves(game: &mut Shogi) -> Moves {
    let mut list = Moves::default();
    game.moves(&mut list);
    list
}

fn after(game: &Shogi, mv: Move) -> Shogi {
    let mut after = game.clone();
    after.play(mv);
    after
}

fn is_mate(game: &Shogi) -> bool {
    game.in_check() && game.outcome().is_some()
}

fn mates_in_one(game: &mut Shogi) -> Vec<Move> {
    moves(game).each().filter(|&mv| is_mate(&after(game, mv))).collect()
}

fn mates_in_three(game: &mut Shogi) -> Vec<Move> {
    moves(game)
        .each()
        .filter(|&mv| {
            let mut answer = after(game, mv);
            answer.in_check()
                && moves(&mut answer).each().all(|reply| !mates_in_one(&mut after(&answer, reply)).is_empty())
        })
        .collect()
}

#[test]
fn checks_are_seen_before_they_are_played() {
    positions(40, 200, 5, |game, list| {
        let Some(checks) = Checks::new(game) else { return Err(format!("no king in {game:?}")) };
        for mv in list.each() {
            let check = after(game, mv).in_check();
            hold!(checks.given_by(game, mv) == check, "{mv} in {game:?}: check is {check}");
        }
        Ok(())
    });
}

#[test]
fn mates_in_one_are_all_found_and_true() {
    let mates = Cell::new(0);
    positions(60, 240, 3, |game, _| {
        let (quick, slow) = (in_one(game), mates_in_one(game));
        mates.set(mates.get() + usize::from(quick.is_some()));
        match quick {
            Some(mv) => hold!(slow.contains(&mv), "{mv} is no mate in {game:?}"),
            None => hold!(slow.is_empty(), "{slow:?} overlooked in {game:?}"),
        }
        Ok(())
    });
    assert!(mates.get() >= 20, "only {} mates were met", mates.get());
}

#[test]
fn mates_in_three_are_all_found_and_true() {
    let mates = Cell::new(0);
    positions(90, 200, 19, |game, _| {
        let (quick, slow) = (in_three(game), mates_in_three(game));
        mates.set(mates.get() + usize::from(quick.is_some()));
        match quick {
            Some(mv) => hold!(slow.contains(&mv), "{mv} does not mate in three in {game:?}"),
            None => hold!(slow.is_empty(), "{slow:?} overlooked in {game:?}"),
        }
        Ok(())
    });
    assert!(mates.get() >= 15, "only {} mates were met", mates.get());
}

#[test]
fn a_dropped_pawn_does_not_mate() {
    for text in ["7nk/9/7S1/9/9/9/9/9/4K4 b P 1", "7nk/7g1/9/9/4B4/9/9/9/K8 b P 1"] {
        assert_eq!(in_one(&mut parsed(text)), None, "{text}");
    }
    // A pawn may step there.
    let mut game = parsed("7nk/9/7SP/9/9/9/9/9/4K4 b - 1");
    assert_eq!(in_one(&mut game).map(|mv| mv.to_string()), Some("1c1b+".to_owned()));
}
