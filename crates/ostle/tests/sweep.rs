//! Making all successors at once is making each move, on boards no game need ever reach.

use proptest::prelude::{Just, Strategy, any};
use tesuji_game::{Game, MoveList};
use tesuji_laws::{PropertyResult, effort, for_all, hold, playout};
use tesuji_ostle::{Fallen, Moves, Ostle};

use crate::reference::Reference;

/// Boards drawn evenly from the four classes of unfinished games.
fn boards() -> impl Strategy<Value = Ostle> {
    let cells: Vec<usize> = (0..25).collect();
    (Just(cells).prop_shuffle(), 4..=5usize, 4..=5usize).prop_map(|(cells, own, other)| {
        let set = |cells: &[usize]| cells.iter().fold(0, |set, cell| set | 1 << cell);
        let (own, others) = cells[1..].split_at(own);
        Ostle::new(set(own), set(&others[..other]), cells[0] as u8).expect("a sound board")
    })
}

/// Same moves in the same order, same positions, and what fell is what is missing.
fn sweep(position: Ostle) -> PropertyResult {
    let mut list = Moves::default();
    { position }.moves(&mut list);
    let mut listed = list.each();
    let mut verdict = Ok(());
    position.successors(|mv, next, fallen| {
        let mut played = position;
        if listed.next() != Some(mv) {
            verdict = Err(format!("{mv:?} out of order in {position:?}"));
            return;
        }
        played.play(mv);
        let (own, other) = position.pieces();
        let left = match fallen {
            Fallen::Nothing => (own, other),
            Fallen::Own => (own - 1, other),
            Fallen::Other => (own, other - 1),
        };
        let counted = (next.other().count_ones(), next.own().count_ones());
        if played.bits() != next.bits() || counted != left || next.pieces() != (left.1, left.0) {
            verdict = Err(format!("{mv:?} in {position:?}: {played:?} played, {next:?} made, {fallen:?} fell"));
        }
    });
    hold!(listed.next().is_none(), "successors left out a move of {position:?}");
    verdict
}

#[test]
fn successors_are_the_moves_played() {
    for_all(effort() * 40, (boards(), any::<u16>()), |(board, choice)| {
        // One ply on, a ko may stand.
        playout(board, &[choice], |position, _, _| sweep(*position))
    });
}

#[test]
fn any_board_moves_by_the_letter() {
    for_all(effort() * 10, (boards(), any::<u16>()), |(board, choice)| {
        let mut slow = Reference::from(&board);
        playout(board, &[choice], |position, list, chosen| {
            let mut by_the_letter = Vec::new();
            slow.moves(&mut by_the_letter);
            let mut moves: Vec<_> = list.each().collect();
            moves.sort();
            hold!(moves == by_the_letter, "{moves:?} and {by_the_letter:?} in {position:?}");
            hold!(Reference::from(&*position) == slow, "{position:?} and {slow:?}");
            if let Some(mv) = chosen {
                slow.play(mv);
            }
            Ok(())
        })
    });
}

#[test]
fn what_can_be_dropped_is_what_some_move_drops() {
    for_all(effort() * 40, boards(), |board| {
        let mut dropped = false;
        board.successors(|_, _, fallen| dropped |= fallen == Fallen::Other);
        hold!(board.can_drop_other() == dropped, "{board:?}");
        hold!(board.checkmate() == (dropped && board.pieces().1 == 4), "{board:?}");
        Ok(())
    });
}
