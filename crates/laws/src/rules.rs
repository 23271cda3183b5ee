//! Properties of positions and moves, and of perft.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use tesuji_game::{Game, Move, MoveList, Path, perft};

use crate::play::{choices, effort, for_all, playout};
use crate::{PropertyResult, hold};

/// Moves are listed once, counted correctly and packed without loss. `undo` restores everything. A position has an outcome
/// exactly when it has no moves, and only for reasons that the game names. Equal positions have equal keys, different ones different keys.
pub fn rules<G: Game>() {
    let positions = RefCell::new(HashMap::new());
    for_all(effort(), choices(), |choices| {
        playout(G::start(), &choices, |game, list, _| {
            position(game, list)?;
            let known = positions.borrow_mut().insert(game.key(), perft::identity(game));
            hold!(
                known.is_none_or(|known| known == perft::identity(game)),
                "two different positions share the key {:#x}: {game:?}",
                game.key()
            );
            Ok(())
        })
    });
}

/// The properties of one position.
pub(crate) fn position<G: Game>(game: &mut G, list: &G::Moves) -> PropertyResult {
    let before = game.clone();
    hold!(before == *game && before.key() == game.key(), "a clone differs from its position: {before:?}");
    let moves: Vec<G::Move> = list.each().collect();
    hold!(moves.len() == list.len(), "{} moves iterated, {} counted by the list", moves.len(), list.len());
    hold!(game.count() == moves.len() as u64, "count says {}, moves {}: {game:?}", game.count(), moves.len());
    let distinct: HashSet<G::Move> = moves.iter().copied().collect();
    hold!(distinct.len() == moves.len(), "a move is listed twice: {moves:?}");
    hold!(
        game.outcome().is_some() == moves.is_empty(),
        "outcome {:?} with {} moves: {game:?}",
        game.outcome(),
        moves.len()
    );
    let ending = game.ending(&Path::new(game, G::Rules::default()));
    hold!(
        ending.is_none_or(|ending| G::REASONS.contains(&ending.reason)),
        "{ending:?} is not among the reasons {:?}",
        G::REASONS
    );
    hold!(before == *game, "asking for moves changed the position: {before:?} became {game:?}");
    for mv in moves {
        hold!(G::Move::from_bits(mv.to_bits()) == mv, "{mv:?} is lost in its 32 bits");
        hold!(list.has(mv), "{mv:?} is listed and not contained");
        let undo = game.play(mv);
        let (key, after) = (game.key(), game.clone());
        hold!(key == after.key() && after == *game, "a clone after {mv:?} differs");
        game.undo(undo);
        hold!(before == *game && before.key() == game.key(), "undo of {mv:?} gives {game:?} for {before:?}");
        game.play(mv);
        hold!(after == *game && key == game.key(), "{mv:?} played twice gives two positions");
        *game = before.clone();
    }
    Ok(())
}

/// Bulk counting, the game's own kernel, the hash table and the prefixes agree with plain recursion.
pub fn perft<G: Game>(depth: u32) {
    for_all(effort() / 8 + 1, choices(), |choices| {
        let mut game = G::start();
        playout(G::start(), &choices, |at, _, _| {
            game = at.clone();
            Ok(())
        })?;
        let table = perft::PerftTable::new(1);
        for depth in 0..=depth {
            let plain = plain(&mut game, depth);
            hold!(perft::walk(&mut game, depth) == plain, "walk differs at depth {depth}: {game:?}");
            hold!(game.leaves(depth) == plain, "leaves differs at depth {depth}: {game:?}");
            for _ in 0..2 {
                let hashed = perft::walk_hashed(&mut game, depth, &table);
                hold!(hashed == plain, "the table counts {hashed} for {plain} at depth {depth}: {game:?}");
            }
            for plies in 1..=depth {
                let prefixes = perft::prefixes(&mut game, plies);
                let mut leaves: u64 = prefixes.done.iter().map(|(_, leaves)| leaves).sum();
                if prefixes.done.is_empty() {
                    leaves = u64::from(G::FINISHED_IS_LEAF);
                }
                for prefix in prefixes.open {
                    let mut game = game.clone();
                    for mv in prefix {
                        game.play(mv);
                    }
                    leaves += game.leaves(depth - plies);
                }
                hold!(leaves == plain, "prefixes of {plies} count {leaves} for {plain} at depth {depth}");
            }
        }
        Ok(())
    });
}

fn plain<G: Game>(game: &mut G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut list = G::Moves::default();
    game.moves(&mut list);
    let mut leaves = 0;
    for mv in list.each() {
        let undo = game.play(mv);
        leaves += plain(game, depth - 1);
        game.undo(undo);
    }
    if list.is_empty() { u64::from(G::FINISHED_IS_LEAF) } else { leaves }
}
