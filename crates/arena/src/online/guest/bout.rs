//! One game of a visit, on our board.

use tesuji_game::{Game, MoveList, Notation, Record};
use tesuji_protocol::reversi::{GameEnd, GameStart, ServerMove};

/// A game on somebody's server.
#[derive(Clone, Debug)]
pub struct OnlineGame<G: Game> {
    /// Its number in this visit, from 1.
    pub number: usize,
    /// How it began.
    pub start: GameStart,
    /// The moves. Passes after which nobody could move are no part of it.
    pub record: Record<G>,
    /// Milliseconds left to us, as the server told last.
    pub left: i64,
    /// How it ended; the server did not say, if there is nothing.
    pub end: Option<GameEnd>,
}

impl<G: Notation> OnlineGame<G> {
    pub(super) fn new(number: usize, start: GameStart) -> OnlineGame<G> {
        let left = start.time;
        OnlineGame { number, start, record: Record::new(G::start()), left, end: None }
    }

    /// Plays a move; where nobody can move any more there is only the pass, which changes nothing.
    pub(super) fn play(&mut self, play: ServerMove) -> Result<(), String> {
        if self.record.ending().is_some() && play == ServerMove::Pass {
            return Ok(());
        }
        self.record.push_text(&play.to_string()).map_err(|refusal| refusal.to_string())
    }

    /// What must be played when there is nothing to think about: the only move, or the pass that ends a game.
    pub(super) fn forced(&self) -> Option<ServerMove> {
        if self.record.ending().is_some() {
            return Some(ServerMove::Pass);
        }
        let mut moves = self.moves();
        let only = moves.next();
        only.filter(|_| moves.next().is_none())
    }

    /// The first move in the list, for when nobody has thought of a better one.
    pub(super) fn any(&self) -> ServerMove {
        self.moves().next().unwrap_or(ServerMove::Pass)
    }

    /// A move in the words of the protocol.
    pub(super) fn word(&self, mv: G::Move) -> Option<ServerMove> {
        ServerMove::parse(&self.record.now().print_move(mv))
    }

    fn moves(&self) -> impl Iterator<Item = ServerMove> {
        let mut list = G::Moves::default();
        self.record.now().clone().moves(&mut list);
        let moves: Vec<ServerMove> = list.each().filter_map(|mv| self.word(mv)).collect();
        moves.into_iter()
    }
}
