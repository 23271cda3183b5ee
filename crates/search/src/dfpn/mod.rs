//! Depth-first proof-number search (df-pn, Nagai): finds forced wins of an attacker whose moves an [`AttackPolicy`]
//! generates.
//!
//! The proof number estimates how many leaves must still be won to prove the win, the disproof number how many must be
//! refuted. Four known problems are handled:
//!
//! - *Double counting* through transpositions: a node's number is that of its hardest child plus one for every other
//!   unsolved child (weak proof numbers).
//! - *Cycles* without new positions: thresholds are raised where an older position is met again.
//! - *Graph-history interaction (GHI)*: a position that recurs on the path is a failed attack. A disproof that depends
//!   on it is stored under the path, unless the cycle closes at the position itself (see `search`). Wins never depend on
//!   a repetition.
//! - *Lost table entries and key collisions*: no win is returned before `strategy` has extracted the whole strategy and
//!   replayed it by the rules, with every defence.

mod numbers;
mod path;
mod search;
mod strategy;
mod table;

use std::time::{Duration, Instant};

use tesuji_game::{Game, MoveList, Path, Record, Side};

use crate::{CancelToken, Limits, Time};
use search::DfpnSearch;
use table::ProofTable;

/// Generates the moves of attacker and defender.
///
/// Attacks may be left out freely. Defences may be left out only if they cannot change the result; every legal defence is
/// replayed before a win is returned.
pub trait AttackPolicy<G: Game>: Send + Sync {
    /// Writes the attacker's moves to `out`, which is empty: checks, threats.
    fn attacks(&self, game: &mut G, out: &mut Vec<G::Move>);

    /// Writes the defender's moves to `out`, which is empty. None only if the game is over.
    fn defences(&self, game: &mut G, out: &mut Vec<G::Move>) {
        let mut list = G::Moves::default();
        game.moves(&mut list);
        out.extend(list.each());
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
}

impl<'a, G: Game> ProofQuery<'a, G> {
    /// Does the side to move of `game`, reached by `path`, have a forced win?
    pub fn new(game: &'a G, path: &'a Path<G>) -> ProofQuery<'a, G> {
        ProofQuery { game, path, attacker: game.mover(), shortest: false }
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

    /// Also searches for the shortest win; see [`ForcedWin::shortest`].
    #[must_use]
    pub fn shortest(self) -> ProofQuery<'a, G> {
        ProofQuery { shortest: true, ..self }
    }
}

/// The result of a proof search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProofResult<M> {
    /// The attacker has a forced win, verified against every defence.
    Proven(ForcedWin<M>),
    /// The attacker has none, within the moves of the policy and the depth limit.
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
    /// Whether it is proven to be the shortest.
    pub shortest: bool,
}

/// A df-pn solver. The table is kept between queries.
#[derive(Debug)]
pub struct Dfpn<P> {
    policy: P,
    table: ProofTable,
    nodes: u64,
}

impl<P> Dfpn<P> {
    /// A solver with a table of this size; 0 gives a table of a few hundred positions.
    pub fn new(policy: P, hash_mib: usize) -> Dfpn<P> {
        Dfpn { policy, table: ProofTable::new(hash_mib), nodes: 0 }
    }

    /// Clears the table. Needed after a change of the policy, and for reproducible node counts.
    pub fn forget(&mut self) {
        self.table.clear();
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
        self.nodes = 0;
        let mut budget = NodeBudget::new(limits, stop);
        let mut result = self.attempt(query, limits.depth, &mut budget);
        while let ProofResult::Proven(proof) = &mut result {
            if !query.shortest || proof.plies == 0 {
                proof.shortest |= proof.plies == 0;
                break;
            }
            match self.attempt(query, Some(proof.plies as u32 - 1), &mut budget) {
                ProofResult::Proven(shorter) => result = ProofResult::Proven(shorter),
                other => {
                    proof.shortest = other == ProofResult::Disproven;
                    break;
                }
            }
        }
        self.nodes = budget.spent;
        result
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
        let mut search = DfpnSearch::new(&self.policy, &mut self.table, query.attacker, budget);
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
    }
}
