//! Depth-first proof-number search (df-pn, Nagai): finds forced wins of an attacker whose moves an [`AttackPolicy`]
//! generates.
//!
//! The proof number estimates how many leaves must still be won to prove the win, the disproof number how many must be
//! refuted. Five known problems are handled:
//!
//! - *Double counting* through transpositions: a node's number is that of its hardest child plus one for every other
//!   unsolved child (weak proof numbers).
//! - *Cycles* without new positions: thresholds are raised where an older position is met again.
//! - *Graph-history interaction (GHI)*: a position that recurs on the path is a failed attack. A disproof that depends
//!   on it is stored under the path, unless the cycle closes at the position itself (see `search`). Wins never depend on
//!   a repetition.
//! - *Long wins*: df-pn returns the first win it finds, which may be much longer than necessary. The shortest one is
//!   found by iterative deepening on the length: every length below it is disproven (see [`ProofQuery::shortest`]).
//! - *Lost table entries and key collisions*: no win is returned before `strategy` has extracted the whole strategy and
//!   replayed it by the rules, with every defence.

mod dominance;
mod numbers;
mod path;
mod search;
mod strategy;
mod table;

use std::time::{Duration, Instant};

use tesuji_game::{Game, MoveList, Path, Record, Side};

use crate::{CancelToken, Limits, Time};
use search::DfpnSearch;
use table::ProofTables;

pub use dominance::{Counts, Holdings};

/// Generates the moves of attacker and defender.
///
/// Attacks may be left out freely. Defences may be left out only if they cannot change the result; every legal defence is
/// replayed before a win is returned.
pub trait AttackPolicy<G: Game>: Send + Sync {
    /// Whether only a move of the attacker ends a won game, as in shogi. The lengths of all wins are then odd, or even if
    /// the defender moves first, and no other length is tried.
    const ATTACKER_MOVES_LAST: bool = false;
    /// Whether [`AttackPolicy::win_at_once`] finds every win in one ply.
    const KNOWS_WINS_AT_ONCE: bool = false;

    /// Writes the attacker's moves to `out`, which is empty: checks, threats.
    fn attacks(&self, game: &mut G, out: &mut Vec<G::Move>);

    /// Writes the defender's moves to `out`, which is empty. None only if the game is over.
    fn defences(&self, game: &mut G, out: &mut Vec<G::Move>) {
        let mut list = G::Moves::default();
        game.moves(&mut list);
        out.extend(list.each());
    }

    /// The attacker's move that wins at once; none unless [`AttackPolicy::KNOWS_WINS_AT_ONCE`].
    #[inline]
    fn win_at_once(&self, game: &mut G) -> Option<G::Move> {
        let _ = game;
        None
    }

    /// The position in two parts: what the attacker holds, and the rest. By default nothing is held.
    ///
    /// A policy with holdings implements the next four methods too. With them a result holds not only for what the
    /// attacker holds, but for the least that wins, or the most that does not.
    #[inline]
    fn holdings(&self, game: &G, attacker: Side) -> Holdings {
        let _ = attacker;
        Holdings::none(game.key())
    }

    /// What the attacker must hold at least, so that the defender, who is to move, has no other defences than here.
    #[inline]
    fn least_held(&self, game: &G, attacker: Side) -> Counts {
        let _ = (game, attacker);
        Counts::NONE
    }

    /// What the attacker, who is to move, may hold at most, so that he has no other attacks than here, and the defender
    /// keeps at least one piece of every kind that he holds here.
    #[inline]
    fn most_held(&self, game: &G, attacker: Side) -> Counts {
        let _ = (game, attacker);
        Counts::ALL
    }

    /// What the attacker may hold at most, so that the defender can play `mv`.
    #[inline]
    fn most_held_for(&self, game: &G, attacker: Side, mv: G::Move) -> Counts {
        let _ = (game, attacker, mv);
        Counts::ALL
    }

    /// What the attacker holds before he plays `mv`, given what he holds after it.
    #[inline]
    fn held_before(&self, game: &G, mv: G::Move, after: Counts) -> Counts {
        let _ = (game, mv);
        after
    }

    /// Whether two defences that follow each other are so alike that the effort to refute both is about that for one. A
    /// wrong answer only costs time.
    #[inline]
    fn alike(&self, before: G::Move, mv: G::Move) -> bool {
        let _ = (before, mv);
        false
    }

    /// The initial proof and disproof number of a new position, at least 1 each. Better ones only save time.
    #[inline]
    fn initialize(&self, game: &G, side: SideToMove) -> (u32, u32) {
        let _ = game;
        match side {
            SideToMove::Attacker => (1, 1),
            SideToMove::Defender { replies } => (replies, 1),
        }
    }
}

/// The side to move in a proof search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SideToMove {
    /// The attacker.
    Attacker,
    /// The defender.
    Defender {
        /// The number of legal moves.
        replies: u32,
    },
}

/// The position and the attacker of a proof search.
#[derive(Clone, Debug)]
pub struct ProofQuery<'a, G: Game> {
    game: &'a G,
    path: &'a Path<G>,
    attacker: Side,
    shortest: bool,
    within: Option<u32>,
}

impl<'a, G: Game> ProofQuery<'a, G> {
    /// Does the side to move of `game`, reached by `path`, have a forced win?
    pub fn new(game: &'a G, path: &'a Path<G>) -> ProofQuery<'a, G> {
        ProofQuery { game, path, attacker: game.mover(), shortest: false, within: None }
    }

    /// Does the side to move at the end of a record have a forced win?
    pub fn of(record: &'a Record<G>) -> ProofQuery<'a, G> {
        ProofQuery::new(record.now(), record.path())
    }

    /// The same for this attacker.
    #[must_use]
    pub fn attacker(self, attacker: Side) -> ProofQuery<'a, G> {
        ProofQuery { attacker, ..self }
    }

    /// Searches for the shortest win. If a limit is reached first, a longer one may be returned; see
    /// [`ForcedWin::shortest`].
    #[must_use]
    pub fn shortest(self) -> ProofQuery<'a, G> {
        ProofQuery { shortest: true, ..self }
    }

    /// Asks only for wins of at most so many plies. The search itself may look further, unlike under a depth limit: that
    /// there is no win at all is often easier to see than that there is no short one.
    #[must_use]
    pub fn within(self, plies: u32) -> ProofQuery<'a, G> {
        ProofQuery { within: Some(plies), ..self }
    }

    /// The first length to try, and the step to the next.
    fn lengths<P: AttackPolicy<G>>(&self) -> (u32, usize) {
        match P::ATTACKER_MOVES_LAST {
            false => (0, 1),
            true => (u32::from(self.game.mover() == self.attacker), 2),
        }
    }
}

/// The result of a proof search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProofResult<M> {
    /// The attacker has a forced win, verified against every defence.
    Proven(ForcedWin<M>),
    /// The attacker has none, within the moves of the policy, the depth limit and the length asked for.
    Disproven,
    /// A limit was reached first.
    Unknown,
}

/// A forced win.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ForcedWin<M> {
    /// The line with the longest defence.
    pub line: Vec<M>,
    /// The length of `line`.
    pub plies: usize,
    /// Whether every shorter win is disproven.
    pub shortest: bool,
}

/// A df-pn solver. The table is kept between queries.
#[derive(Debug)]
pub struct Dfpn<P> {
    policy: P,
    tables: ProofTables,
    nodes: u64,
}

impl<P> Dfpn<P> {
    /// A solver with a table of this size; 0 gives a table of a few hundred positions.
    pub fn new(policy: P, hash_mib: usize) -> Dfpn<P> {
        Dfpn { policy, tables: ProofTables::new(hash_mib), nodes: 0 }
    }

    /// Clears the table. Needed after a change of the policy, and for reproducible node counts.
    pub fn forget(&mut self) {
        self.tables.clear();
    }

    /// Nodes of the last query.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Searches within the limits: depth (plies), nodes and time.
    ///
    /// Repetitions count from the root. Positions before the root count only where the rules end the game; then no win
    /// is returned.
    pub fn solve<G: Game>(
        &mut self,
        query: &ProofQuery<'_, G>,
        limits: &Limits,
        stop: &CancelToken,
    ) -> ProofResult<G::Move>
    where
        P: AttackPolicy<G>,
    {
        let mut budget = NodeBudget::new(limits, stop);
        let result = self.search(query, limits.depth, &mut budget);
        self.nodes = budget.spent;
        result
    }

    /// Any win first, which tells most positions without one, and is the answer if the budget ends too early. Then all
    /// lengths from the shortest on.
    fn search<G: Game>(
        &mut self,
        query: &ProofQuery<'_, G>,
        depth: Option<u32>,
        budget: &mut NodeBudget<'_>,
    ) -> ProofResult<G::Move>
    where
        P: AttackPolicy<G>,
    {
        let most = depth.into_iter().chain(query.within).min();
        let first = if query.shortest {
            let mut half = budget.half();
            let first = self.attempt(query, depth, &mut half);
            budget.spent += half.spent;
            first
        } else {
            self.attempt(query, depth, budget)
        };
        let known = match first {
            ProofResult::Disproven => return ProofResult::Disproven,
            ProofResult::Proven(win) if most.is_none_or(|most| win.plies <= most as usize) => {
                if !query.shortest || win.plies == 0 {
                    return ProofResult::Proven(ForcedWin { shortest: win.plies == 0, ..win });
                }
                Some(win)
            }
            ProofResult::Unknown if !query.shortest => return ProofResult::Unknown,
            _ => None,
        };
        let longest = known.as_ref().map_or(most.unwrap_or(search::MAX_PLY), |win| win.plies as u32 - 1);
        let (start, step) = if query.shortest { query.lengths::<P>() } else { (longest, 1) };
        for length in (start..=longest).step_by(step) {
            match self.attempt(query, Some(length), budget) {
                ProofResult::Proven(win) => {
                    return ProofResult::Proven(ForcedWin { shortest: query.shortest, ..win });
                }
                ProofResult::Disproven => {}
                ProofResult::Unknown => return known.map_or(ProofResult::Unknown, ProofResult::Proven),
            }
        }
        match known {
            Some(win) => ProofResult::Proven(ForcedWin { shortest: true, ..win }),
            None => ProofResult::Disproven,
        }
    }

    fn attempt<G: Game>(
        &mut self,
        query: &ProofQuery<'_, G>,
        depth: Option<u32>,
        budget: &mut NodeBudget<'_>,
    ) -> ProofResult<G::Move>
    where
        P: AttackPolicy<G>,
    {
        let mut search = DfpnSearch::new(&self.policy, &mut self.tables, query.attacker, budget);
        let (start, step) = query.lengths::<P>();
        let depth = depth.map(|depth| depth - depth.saturating_sub(start) % step as u32);
        let mut game = query.game.clone();
        let numbers = search.root(&mut game, depth);
        if numbers.is_disproven() {
            return if numbers.is_path_independent() { ProofResult::Disproven } else { ProofResult::Unknown };
        }
        if !numbers.is_proven() {
            return ProofResult::Unknown;
        }
        let line = strategy::extract(&mut search, query, numbers.plies)
            .and_then(|strategy| strategy::replay(query, &strategy));
        line.map_or(ProofResult::Unknown, |line| {
            ProofResult::Proven(ForcedWin { plies: line.len(), line, shortest: false })
        })
    }
}

/// The remaining limits.
#[derive(Debug)]
struct NodeBudget<'a> {
    stop: &'a CancelToken,
    nodes: u64,
    deadline: Option<Instant>,
    spent: u64,
    over: bool,
}

impl<'a> NodeBudget<'a> {
    /// Nodes between two clock checks. A check costs more than a node of a small game.
    const CHECK_INTERVAL: u64 = 256;

    fn new(limits: &Limits, stop: &'a CancelToken) -> NodeBudget<'a> {
        let started = limits.started.unwrap_or_else(Instant::now);
        let deadline = limits.time.and_then(|time| started.checked_add(share(time)));
        NodeBudget { stop, nodes: limits.nodes.unwrap_or(u64::MAX), deadline, spent: 0, over: false }
    }

    /// Half of what is left.
    fn half(&self) -> NodeBudget<'a> {
        let now = Instant::now();
        let deadline = self.deadline.map(|deadline| now + deadline.saturating_duration_since(now) / 2);
        let nodes = (self.nodes - self.spent).div_ceil(2);
        NodeBudget { nodes: if self.nodes == u64::MAX { u64::MAX } else { nodes }, deadline, spent: 0, ..*self }
    }

    /// Takes one node; `false` once none is left.
    #[inline]
    fn take(&mut self) -> bool {
        self.over |= self.spent >= self.nodes || self.stop.is_cancelled();
        if self.spent.is_multiple_of(NodeBudget::CHECK_INTERVAL) {
            self.over |= self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        }
        self.spent += u64::from(!self.over);
        !self.over
    }
}

/// The time for one query.
fn share(time: Time) -> Duration {
    match time {
        Time::Move(time) => time,
        Time::Clock { left, increment, byoyomi } => left / 40 + increment + byoyomi,
        Time::Planned(plan) => plan.soft,
    }
}
