//! Exhaustive search for forced wins of at most n plies: every move of both sides, so a result is a proof.
//!
//! Only wins on the board count; a game whose result may depend on its history (a repetition) needs another solver.

use std::collections::HashMap;

use tesuji_game::{Game, MoveList, Outcome};
use tesuji_task::CancelToken;

/// How often cancellation is checked, in nodes.
const POLL: u64 = 1 << 12;

/// Positions that the table keeps; it starts anew when it is full.
const ENTRIES: usize = 1 << 21;

/// A forced win of the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ForcedWinSolution<M> {
    /// The length of the shortest win in plies.
    pub plies: u32,
    /// Every first move that wins in so many plies.
    pub winning: Vec<M>,
    /// The shortest win with the longest defence.
    pub line: Vec<M>,
}

/// The search ended before it was complete: cancelled, or out of nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the search was stopped")]
pub struct Stopped;

/// What is known of a position, seen by the attacker.
#[derive(Clone, Copy, Default)]
struct Known {
    /// The attacker wins within this many plies; 0 for unknown.
    win: u8,
    /// The attacker does not win within this many plies.
    none: u8,
}

/// The solver. Its table is kept from search to search; positions are told apart by their 64-bit keys.
#[derive(Default)]
pub struct ForcedWinSolver<G: Game> {
    table: HashMap<(u64, bool), Known>,
    lists: Vec<G::Moves>,
    /// The last move that refuted an attack or won, by the plies left: tried first.
    killers: Vec<[Option<G::Move>; 2]>,
    nodes: u64,
    limit: u64,
}

impl<G: Game> ForcedWinSolver<G> {
    /// A solver with an empty table.
    pub fn new() -> ForcedWinSolver<G> {
        ForcedWinSolver { table: HashMap::new(), lists: Vec::new(), killers: Vec::new(), nodes: 0, limit: u64::MAX }
    }

    /// Moves played since the last call of [`forget`](ForcedWinSolver::forget).
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Clears the table and the node count, for results that do not depend on earlier searches.
    pub fn forget(&mut self) {
        self.table.clear();
        self.killers.clear();
        self.nodes = 0;
    }

    /// The shortest forced win of the side to move of at most `most` plies; `None` if there is none. Plays at most
    /// `nodes` moves.
    ///
    /// # Errors
    /// It was cancelled, or `nodes` did not suffice.
    pub fn shortest(
        &mut self,
        game: &G,
        most: u32,
        nodes: u64,
        cancel: &CancelToken,
    ) -> Result<Option<ForcedWinSolution<G::Move>>, Stopped> {
        self.limit = self.nodes.saturating_add(nodes);
        let mut game = game.clone();
        if game.outcome().is_some() {
            return Ok(None);
        }
        for plies in 1..=most.min(u32::from(u8::MAX)) {
            if self.wins(&mut game, plies, cancel)? {
                let winning = self.winning_moves(&mut game, plies, cancel)?;
                let line = self.line(&mut game, plies, cancel)?;
                return Ok(Some(ForcedWinSolution { plies, winning, line }));
            }
        }
        Ok(None)
    }

    /// Every move of the side to move that wins within `plies`. Plays at most `nodes` moves.
    ///
    /// # Errors
    /// It was cancelled, or `nodes` did not suffice.
    pub fn winning(&mut self, game: &G, plies: u32, nodes: u64, cancel: &CancelToken) -> Result<Vec<G::Move>, Stopped> {
        self.limit = self.nodes.saturating_add(nodes);
        self.winning_moves(&mut game.clone(), plies, cancel)
    }

    fn winning_moves(&mut self, game: &mut G, plies: u32, cancel: &CancelToken) -> Result<Vec<G::Move>, Stopped> {
        let mut list = G::Moves::default();
        game.moves(&mut list);
        let mut winning = Vec::new();
        for mv in list.each() {
            if self.move_wins(game, mv, plies, cancel)? {
                winning.push(mv);
            }
        }
        Ok(winning)
    }

    /// Whether the attacker, who is to move, wins within `plies` by `mv`.
    fn move_wins(&mut self, game: &mut G, mv: G::Move, plies: u32, cancel: &CancelToken) -> Result<bool, Stopped> {
        self.count(cancel)?;
        let undo = game.play(mv);
        let wins = match game.outcome() {
            Some(outcome) => Ok(outcome == Outcome::Loss),
            None => Ok(plies >= 2).and_then(|deeper| Ok(deeper && self.loses(game, plies - 1, cancel)?)),
        };
        game.undo(undo);
        wins
    }

    /// Whether the attacker wins within `plies` after the defender, who is to move, plays `mv`.
    fn reply_loses(&mut self, game: &mut G, mv: G::Move, plies: u32, cancel: &CancelToken) -> Result<bool, Stopped> {
        self.count(cancel)?;
        let undo = game.play(mv);
        let loses = match game.outcome() {
            Some(outcome) => Ok(outcome == Outcome::Win),
            None => Ok(plies >= 2).and_then(|deeper| Ok(deeper && self.wins(game, plies - 1, cancel)?)),
        };
        game.undo(undo);
        loses
    }

    /// Whether the attacker, who is to move, wins within `plies`.
    fn wins(&mut self, game: &mut G, plies: u32, cancel: &CancelToken) -> Result<bool, Stopped> {
        self.decide(game, plies, true, cancel)
    }

    /// Whether the defender, who is to move, loses within `plies` whatever he plays.
    fn loses(&mut self, game: &mut G, plies: u32, cancel: &CancelToken) -> Result<bool, Stopped> {
        self.decide(game, plies, false, cancel)
    }

    fn decide(&mut self, game: &mut G, plies: u32, attacks: bool, cancel: &CancelToken) -> Result<bool, Stopped> {
        // Below, the table costs more than it saves.
        let key = (plies >= 2).then(|| (game.key(), attacks));
        if let Some(known) = key.and_then(|key| self.table.get(&key)) {
            if known.win > 0 && u32::from(known.win) <= plies {
                return Ok(true);
            }
            if u32::from(known.none) >= plies {
                return Ok(false);
            }
        }
        let mut list = self.lists.pop().unwrap_or_default();
        game.moves(&mut list);
        let result = self.try_moves(game, &list, plies, attacks, cancel);
        self.lists.push(list);
        let won = result?;
        if let Some(key) = key {
            if self.table.len() >= ENTRIES {
                self.table.clear();
            }
            let known = self.table.entry(key).or_default();
            match won {
                true if known.win == 0 || u32::from(known.win) > plies => known.win = plies as u8,
                true => {}
                false => known.none = known.none.max(plies as u8),
            }
        }
        Ok(won)
    }

    /// One winning move decides for the attacker, one that does not lose for the defender.
    fn try_moves(
        &mut self,
        game: &mut G,
        list: &G::Moves,
        plies: u32,
        attacks: bool,
        cancel: &CancelToken,
    ) -> Result<bool, Stopped> {
        let slot = plies as usize;
        if self.killers.len() <= slot {
            self.killers.resize(slot + 1, [None; 2]);
        }
        let killers = self.killers[slot].map(|killer| killer.filter(|&mv| list.has(mv)));
        let first = killers[0].into_iter().chain(killers[1].filter(|_| killers[1] != killers[0]));
        let rest = list.each().filter(|&mv| killers[0] != Some(mv) && killers[1] != Some(mv));
        for mv in first.chain(rest) {
            let decided = if attacks {
                self.move_wins(game, mv, plies, cancel)?
            } else {
                !self.reply_loses(game, mv, plies, cancel)?
            };
            if decided {
                let [latest, older] = &mut self.killers[slot];
                if *latest != Some(mv) {
                    (*older, *latest) = (*latest, Some(mv));
                }
                return Ok(attacks);
            }
        }
        Ok(!attacks)
    }

    /// A win within `plies`, which must exist, with the longest defence.
    fn line(&mut self, game: &mut G, plies: u32, cancel: &CancelToken) -> Result<Vec<G::Move>, Stopped> {
        let (mut line, mut undos, mut left) = (Vec::new(), Vec::new(), plies);
        let mut attacks = true;
        let found = loop {
            if game.outcome().is_some() {
                break Ok(());
            }
            let mut list = G::Moves::default();
            game.moves(&mut list);
            let chosen = if attacks {
                self.shortest_win(game, &list, left, cancel)
            } else {
                self.longest_defence(game, &list, left, cancel)
            };
            match chosen {
                Ok(Some((mv, plies))) => {
                    line.push(mv);
                    undos.push(game.play(mv));
                    left = plies - 1;
                }
                Ok(None) => break Ok(()),
                Err(stopped) => break Err(stopped),
            }
            attacks = !attacks;
        };
        while let Some(undo) = undos.pop() {
            game.undo(undo);
        }
        found.map(|()| line)
    }

    /// The first move that wins in the fewest plies, and those plies.
    fn shortest_win(
        &mut self,
        game: &mut G,
        list: &G::Moves,
        most: u32,
        cancel: &CancelToken,
    ) -> Result<Option<(G::Move, u32)>, Stopped> {
        for plies in 1..=most {
            for mv in list.each() {
                if self.move_wins(game, mv, plies, cancel)? {
                    return Ok(Some((mv, plies)));
                }
            }
        }
        Ok(None)
    }

    /// The first reply after which the attacker needs the most plies, and those plies.
    fn longest_defence(
        &mut self,
        game: &mut G,
        list: &G::Moves,
        most: u32,
        cancel: &CancelToken,
    ) -> Result<Option<(G::Move, u32)>, Stopped> {
        let mut longest = None;
        for mv in list.each() {
            let mut needed = most;
            for plies in 1..most {
                if self.reply_loses(game, mv, plies, cancel)? {
                    needed = plies;
                    break;
                }
            }
            if longest.is_none_or(|(_, plies)| needed > plies) {
                longest = Some((mv, needed));
            }
        }
        Ok(longest)
    }

    #[inline]
    fn count(&mut self, cancel: &CancelToken) -> Result<(), Stopped> {
        self.nodes += 1;
        if self.nodes > self.limit || self.nodes.is_multiple_of(POLL) && cancel.is_cancelled() {
            return Err(Stopped);
        }
        Ok(())
    }
}
