//! The depth of a board with any move forbidden, from the distances of the boards around it.

use std::convert::Infallible;

use tesuji_game::{NO_MOVE, PerfectIndex, Predecessor};

use super::{Distance, Reached, UNREACHED};

impl Reached {
    /// The plies after which a board can have been reached with this move forbidden, [`NO_MOVE`] for none, as the
    /// board given sees it. `None` when it cannot.
    ///
    /// With a move forbidden, the last move was the one that it would take back. With none it was one that cannot be
    /// taken back, or there was none.
    pub fn depth<G: PerfectIndex>(&self, game: &G, board: G::Board, forbidden: u8) -> Option<u8> {
        never_fails(depth(game, |class, index| Ok(self.get(class, index)), board, forbidden))
    }

    /// The same for a numbered board with nothing forbidden.
    pub(super) fn depth_without_ko<G: PerfectIndex>(&self, game: &G, class: u8, index: u32) -> Option<u8> {
        never_fails(depth_without_ko(game, |class, index| Ok(self.get(class, index)), class, index))
    }
}

fn never_fails<T>(result: Result<T, Infallible>) -> T {
    let Ok(found) = result;
    found
}

/// [`Reached::depth`] by distances that may not be to be had.
pub(super) fn depth<G: PerfectIndex, E>(
    game: &G,
    get: impl Fn(u8, u32) -> Result<Distance, E>,
    board: G::Board,
    forbidden: u8,
) -> Result<Option<u8>, E> {
    if forbidden == NO_MOVE {
        let place = game.rank(board);
        return depth_without_ko(game, get, place.class, place.index);
    }
    match game.after(board, forbidden) {
        Some((before, mv)) if mv != NO_MOVE => depth_after(game, get, before, mv),
        _ => Ok(None),
    }
}

fn depth_without_ko<G: PerfectIndex, E>(
    game: &G,
    get: impl Fn(u8, u32) -> Result<Distance, E>,
    class: u8,
    index: u32,
) -> Result<Option<u8>, E> {
    if get(class, index)?.first == 0 {
        return Ok(Some(0));
    }
    let mut least = Ok(UNREACHED);
    let mut visit = |back: Predecessor| {
        if let Ok(known) = &mut least
            && back.reply == NO_MOVE
        {
            match get(back.class, back.index) {
                Ok(distance) => *known = (*known).min(distance.after(NO_MOVE).unwrap_or(UNREACHED)),
                Err(error) => least = Err(error),
            }
        }
    };
    game.predecessors(class, index, &mut visit);
    game.conversions(class, index, &mut visit);
    least.map(|least| (least != UNREACHED).then_some(least))
}

fn depth_after<G: PerfectIndex, E>(
    game: &G,
    get: impl Fn(u8, u32) -> Result<Distance, E>,
    before: G::Board,
    mv: u8,
) -> Result<Option<u8>, E> {
    let place = game.rank(before);
    let mv = game.image(mv, place.symmetry);
    Ok(get(place.class, place.index)?.after(mv))
}
