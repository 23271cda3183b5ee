//! Another generator, written by other people, as an oracle on random play.

use std::collections::BTreeSet;

use proptest::prelude::any;
use rsshogi::board::perft::compute_perft;
use rsshogi::board::{LegalAll, MoveList as TheirMoves, generate_moves, position_from_sfen};
use tesuji_game::{Game, MoveList, Notation};
use tesuji_laws::{PropertyResult, effort, for_all, hold, playout};
use tesuji_shogi::Shogi;

use crate::facts::facts;

fn agree(ours: &mut Shogi, moves: &tesuji_shogi::Moves) -> PropertyResult {
    let text = ours.print();
    let mut theirs = position_from_sfen(&text).map_err(|error| format!("{text}: {error:?}"))?;
    let mut list = TheirMoves::new();
    generate_moves::<LegalAll>(&theirs, &mut list);
    let their_moves: BTreeSet<String> = list.iter().map(|mv| mv.to_usi()).collect();
    let our_moves: BTreeSet<String> = moves.each().map(|mv| mv.to_string()).collect();
    hold!(
        our_moves == their_moves,
        "only we play {:?}, only they {:?} in {text}",
        our_moves.difference(&their_moves).collect::<Vec<_>>(),
        their_moves.difference(&our_moves).collect::<Vec<_>>()
    );
    theirs.init_stack();
    let (our_leaves, their_leaves) = (ours.leaves(2), compute_perft(&mut theirs, 2));
    hold!(our_leaves == their_leaves, "{our_leaves} leaves for {their_leaves} at depth 2 of {text}");
    Ok(())
}

#[test]
fn another_generator_agrees_on_random_games() {
    for_all(effort() * 2, proptest::collection::vec(any::<u16>(), 60..240), |choices| {
        playout(Shogi::start(), &choices, |ours, moves, _| agree(ours, moves))
    });
}

#[test]
fn another_generator_agrees_from_known_positions() {
    for (_, start, _) in facts() {
        for_all(effort() / 8 + 1, proptest::collection::vec(any::<u16>(), 0..24), |choices| {
            playout(start.clone(), &choices, |ours, moves, _| agree(ours, moves))
        });
    }
}
