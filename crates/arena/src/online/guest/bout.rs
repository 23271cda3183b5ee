//! One game of a visit, on our board.

use tesuji_game::{Game, MoveList, Notation, Record};
use tesuji_protocol::reversi::{End, Play, Start};

/// A game on somebody's server.
#[derive(Clone, Debug)]
pub struct OnlineGame<G: Game> {
    /// Its number in this visit, from 1.
    pub number: usize,
    /// How it began.
    pub start: Start,
    /// The moves. Passes after which nobody could move are no part of it.
    pub record: Record<G>,
    /// Milliseconds left to us, as the server told last.
    pub left: i64,
    /// How it ended; the server did not say, if there is nothing.
    pub end: Option<End>,
}

impl<G: Notation> OnlineGame<G> {
    pub(super) fn new(number: usize, start: Start) -> OnlineGame<G> {
        let left = start.time;
        OnlineGame { number, start, record: Record::new(G::start()), left, end: None }
    }

    /// Plays a move; where nobody can move any more there is only the pass, which changes nothing.
    pub(super) fn play(&mut self, play: Play) -> Result<(), String> {
        if self.record.ending().is_some() && play == Play::Pass {
            return Ok(());
        }
        self.record.push_text(&play.to_string()).map_err(|refusal| refusal.to_string())
    }

    /// What must be played when there is nothing to think about: the only move, or the pass that ends a game.
    pub(super) fn forced(&self) -> Option<Play> {
        if self.record.ending().is_some() {
            return Some(Play::Pass);
        }
        let mut moves = self.moves();
        let only = moves.next();
        only.filter(|_| moves.next().is_none())
    }

    /// The first move in the list, for when nobody has thought of a better one.
    pub(super) fn any(&self) -> Play {
        self.moves().next().unwrap_or(Play::Pass)
    }

    /// A move in the words of the protocol.
    pub(super) fn word(&self, mv: G::Move) -> Option<Play> {
        Play::parse(&self.record.now().print_move(mv))
    }

    fn moves(&self) -> impl Iterator<Item = Play> {
        let mut list = G::Moves::default();
        self.record.now().clone().moves(&mut list);
        let moves: Vec<Play> = list.each().filter_map(|mv| self.word(mv)).collect();
        moves.into_iter()
    }
}
