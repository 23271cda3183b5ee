//! Properties of board views.

use tesuji_game::{BoardView, MoveList};

use crate::hold;
use crate::play::{choices, effort, for_all, playout};

/// The number of cells matches the labels, and moves refer to cells of the view.
pub fn view<G: BoardView>() {
    for_all(effort() / 2 + 1, choices(), |choices| {
        playout(G::start(), &choices, |game, list, _| {
            let view = game.view();
            let cells = view.columns.len() * view.rows.len();
            hold!(view.cells.len() == cells, "{} cells for {cells} in {game:?}", view.cells.len());
            let mut named = view.last.clone();
            for mv in list.each() {
                named.extend(game.cells(mv));
            }
            hold!(named.iter().all(|&cell| cell < cells), "a cell outside the view of {game:?}");
            Ok(())
        })
    });
}
