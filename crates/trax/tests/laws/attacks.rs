//! Attacks and defences compared with playing every move; the outline compared with the ends of tracks.

use proptest::collection::vec;
use proptest::prelude::any;
use tesuji_game::{Game, Outcome};
use tesuji_laws::{effort, for_all, hold, playout};
use tesuji_trax::{Dir, EightByEight, Loops, Move, Outline, Trax, Turn, Unlimited, Variant};

/// The legal moves after which `test` holds.
fn moves_with<V: Variant>(game: &mut Trax<V>, mut test: impl FnMut(&mut Trax<V>) -> bool) -> Vec<Move> {
    let mut list = Vec::new();
    game.moves(&mut list);
    list.retain(|&mv| {
        let undo = game.play(mv);
        let holds = test(game);
        game.undo(undo);
        holds
    });
    list
}

fn attacks<V: Variant>(games: u32) {
    for_all(games, vec(any::<u16>(), 0..60), |choices| {
        playout(Trax::<V>::start(), &choices, |game, _, _| {
            if game.outcome().is_some() {
                return Ok(());
            }
            let before = game.clone();
            let (mover, other) = (game.mover(), !game.mover());
            let winning = moves_with(game, |game| game.outcome() == Some(Outcome::Loss));
            if let Some(mv) = game.win_in_one(mover) {
                hold!(winning.contains(&mv), "{mv} does not win in {game:?}");
                hold!(game.may_win_in_one(mover), "{mv} wins in {game:?}");
            } else if let Some(threat) = game.win_in_one(other) {
                let mut passed = game.clone();
                let undo = passed.pass().unwrap();
                let threats = moves_with(&mut passed, |game| game.outcome() == Some(Outcome::Loss));
                hold!(threats.contains(&threat), "{threat} is no threat in {game:?}");
                passed.undo(undo);
                hold!(passed == *game, "a pass is not undone in {game:?}");
                let holding = moves_with(game, |game| {
                    game.outcome() == Some(Outcome::Loss)
                        || game.outcome().is_none() && !(game.is_legal(threat) && threatens(game, threat))
                });
                let mut defences = Vec::new();
                game.defences(threat, &mut defences);
                let lost: Vec<&Move> = holding.iter().filter(|mv| !defences.contains(mv)).collect();
                // Where a chain into the box moves the threat, the same move may mean another cell; the box decides.
                let same_box = |mv: &Move| {
                    let mut after = game.clone();
                    after.play(*mv);
                    after.size() == game.size()
                };
                let lost: Vec<&&Move> = lost.iter().filter(|mv| same_box(mv)).collect();
                hold!(lost.is_empty(), "{lost:?} answer {threat} in {game:?}");
            }
            let mut attacking = Vec::new();
            game.attacking_moves(&mut attacking);
            let expected = moves_with(game, |game| game.outcome().is_none() && game.win_in_one(mover).is_some());
            hold!(attacking.iter().all(|mv| expected.contains(mv)), "{attacking:?}, {expected:?} in {game:?}");
            let mut initiative = Vec::new();
            game.initiative_moves(&mut Vec::new(), &mut initiative);
            let mut after = |mv: Move| {
                let undo = game.play(mv);
                let facts = (game.key(), game.win_in_one(other).is_none());
                game.undo(undo);
                facts
            };
            let mut kept: Vec<u64> = initiative.iter().map(|&mv| after(mv).0).collect();
            for &mv in &attacking {
                let (key, safe) = after(mv);
                hold!(kept.contains(&key) == safe, "{mv} of {attacking:?}, {initiative:?} in {before:?}");
            }
            kept.sort_unstable();
            kept.dedup();
            hold!(kept.len() == initiative.len(), "{initiative:?} in {before:?}");
            hold!(*game == before, "{game:?} has changed");
            Ok(())
        })
    });
}

/// Whether a move of the side to move wins.
fn threatens<V: Variant>(game: &mut Trax<V>, mv: Move) -> bool {
    let undo = game.play(mv);
    let wins = game.outcome() == Some(Outcome::Loss);
    game.undo(undo);
    wins
}

#[test]
fn attacks_win_and_defences_are_complete() {
    attacks::<Unlimited>(effort());
    attacks::<EightByEight>(effort());
    attacks::<Loops>(effort());
}

#[test]
fn the_outline_meets_every_end_once() {
    let seen = std::cell::Cell::new(0);
    for_all(effort(), vec(any::<u16>(), 0..80), |choices| {
        playout(Trax::<Unlimited>::start(), &choices, |game, _, _| {
            let mut outline = Outline::default();
            game.outline(&mut outline);
            let ends: Vec<_> = game.ends().collect();
            hold!(outline.edges.len() == if game.turns() == 0 { 0 } else { ends.len() }, "{game:?}");
            let mut begin = 0;
            for &end in &outline.walks {
                let walk = &outline.edges[begin..usize::from(end)];
                for (index, edge) in walk.iter().enumerate() {
                    let dir = Dir::ALL[usize::from(edge.dir)];
                    let at = |edge: &tesuji_trax::OutlineEdge| (edge.column, edge.row);
                    let Some(here) =
                        ends.iter().find(|end| (end.place.column, end.place.row) == at(edge) && end.dir == dir)
                    else {
                        return Err(format!("no end at {edge:?} in {game:?}"));
                    };
                    hold!(usize::from(edge.side) == here.side.index(), "{edge:?} in {game:?}");
                    let other = &outline.edges[usize::from(edge.partner)];
                    hold!((here.other.0.column, here.other.0.row) == at(other), "{edge:?} in {game:?}");
                    hold!(usize::from(other.partner) == begin + index, "{edge:?} in {game:?}");
                    let next = &walk[(index + 1) % walk.len()];
                    let stays = at(next) == at(edge);
                    hold!(stays == (edge.turn == Turn::Inwards), "{edge:?} {next:?} in {game:?}");
                    hold!((next.dir == edge.dir) == (edge.turn == Turn::Straight), "{edge:?} {next:?} in {game:?}");
                }
                begin = usize::from(end);
                seen.set(seen.get() + 1);
            }
            Ok(())
        })
    });
    assert!(seen.get() > 100, "{} walks", seen.get());
}
