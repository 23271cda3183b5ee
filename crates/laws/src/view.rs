//! Properties of board views.

use tesuji_game::{BoardView, MoveList};

use crate::hold;
use crate::play::{choices, effort, for_all, playout};

/// The number of cells matches the labels. Moves, previews, wins and highlights refer to cells of the view, drops to
/// pieces in hand; a forbidden move is not legal.
pub fn view<G: BoardView>() {
    for_all(effort() / 2 + 1, choices(), |choices| {
        playout(G::start(), &choices, |game, list, _| {
            let view = game.view();
            let cells = view.columns.len() * view.rows.len();
            hold!(view.cells.len() == cells, "{} cells for {cells} in {game:?}", view.cells.len());
            let mut named = view.last.clone();
            for mv in list.each() {
                named.extend(game.cells(mv));
                named.extend(game.preview(mv).iter().map(|&(cell, _)| cell));
                let dropped = game.dropped(mv);
                let is_held = |name| view.hands[game.mover().index()].iter().any(|piece| piece.letters == name);
                hold!(dropped.is_none_or(is_held), "{mv:?} drops a piece that is not in hand in {game:?}");
            }
            if let Some(mv) = game.forbidden_move() {
                hold!(!list.has(mv), "{mv:?} is forbidden and legal in {game:?}");
                named.extend(game.cells(mv));
            }
            let winning = game.winning_cells();
            let winner = game.outcome().and_then(|outcome| outcome.winner(game.mover()));
            hold!(winning.as_ref().is_none_or(|(side, _)| Some(*side) == winner), "the wrong winner in {game:?}");
            named.extend(winning.into_iter().flat_map(|(_, cells)| cells));
            named.extend(game.highlights().into_iter().flat_map(|highlight| highlight.cells));
            hold!(named.iter().all(|&cell| cell < cells), "a cell outside the view of {game:?}");
            Ok(())
        })
    });
}
