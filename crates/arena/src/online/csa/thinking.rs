//! What our player does on a thread of its own, and what is known about its moves.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use tesuji_game::{Formats, Record, Side};
use tesuji_protocol::csa::MoveComment;
use tesuji_search::CancelToken;

use super::CsaOnlineGame;
use super::game::MoveNote;
use crate::player::{MoveRequest, Player, PlayerAnswer, PlayerFault};

/// A move request to our player.
pub(super) struct PendingMove {
    pub(super) number: u64,
    pub(super) cancel: CancelToken,
    /// When the search is cancelled.
    pub(super) until: Instant,
    /// When any move is sent.
    pub(super) latest: Instant,
    /// Whether the player has failed at this move before.
    pub(super) retried: bool,
}

/// A move that the server has not confirmed yet.
pub(super) struct SentMove<M> {
    pub(super) text: String,
    pub(super) at: Instant,
    pub(super) note: MoveNote<M>,
}

/// The player, unless it panicked, ready for a game. A program that left after its last game is started again.
#[allow(clippy::type_complexity)]
pub(super) fn prepare<G: Formats>(
    mut player: Box<dyn Player<G>>,
    record: &Record<G>,
    cancel: &CancelToken,
) -> (Option<Box<dyn Player<G>>>, Result<(), PlayerFault>) {
    let prepared = catch_unwind(AssertUnwindSafe(|| match player.begin(record, cancel) {
        Err(_) if !cancel.is_cancelled() => player.begin(record, cancel),
        prepared => prepared,
    }));
    match prepared {
        Ok(prepared) => (Some(player), prepared),
        Err(_) => (None, Err(panicked())),
    }
}

fn panicked() -> PlayerFault {
    PlayerFault::Crash("it panicked".to_owned())
}

/// The player, unless it panicked, with its answer.
#[allow(clippy::type_complexity)]
pub(super) fn choose<G: Formats>(
    mut player: Box<dyn Player<G>>,
    record: &Record<G>,
    request: &MoveRequest,
    stale: bool,
) -> (Option<Box<dyn Player<G>>>, Result<PlayerAnswer<G::Move>, PlayerFault>) {
    let answer = catch_unwind(AssertUnwindSafe(|| {
        if stale {
            player.begin(record, &request.cancel)?;
        }
        player.choose(record, request)
    }));
    match answer {
        Ok(answer) => (Some(player), answer),
        Err(_) => (None, Err(panicked())),
    }
}

/// Value and line of a move as servers keep them: seen by the first player.
pub(super) fn comment<G: Formats>(
    game: &CsaOnlineGame<G>,
    mv: G::Move,
    note: &MoveNote<G::Move>,
    print: fn(&G, G::Move) -> String,
) -> Option<MoveComment> {
    let value = note.value().filter(|value| value.is_finite())?;
    let seen = if game.side() == Side::First { value } else { -value };
    let mut now = game.record.now().clone();
    now.play(mv);
    let line = note.line.iter().map(|&mv| {
        let text = print(&now, mv);
        now.play(mv);
        text
    });
    Some(MoveComment { score: seen.round() as i32, line: line.collect() })
}
