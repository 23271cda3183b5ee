//! Proof numbers: is there a forced win, when the attacker plays only what a [`Policy`] lets it try?
//!
//! Depth-first proof-number search (df-pn) in a bounded table. Two numbers guide it: how many positions must
//! still be won to prove the win, and how many must be held to disprove it. Four things are known to go wrong,
//! and are dealt with here:
//!
//! - *Positions counted twice* (transpositions make sums of numbers explode): a node's number is that of its
//!   hardest child, plus one for every other open child.
//! - *Going round in circles* without new positions: thresholds grow where an older position is met again.
//! - *Repetition*: a position that stands on the path already is a failure of the attack. What rests on such
//!   a failure is not a property of the position; it is kept under the path it was found on, unless the circle
//!   closes at the position itself (see `tree`). Wins never rest on repetition.
//! - *Lost table entries and equal keys*: no win is claimed before `proof` has written the whole strategy down
//!   and walked it by the rules alone, with every defence answered.

mod mark;
mod proof;
mod table;
mod trail;
mod tree;

use std::time::{Duration, Instant};

use tesuji_game::{Game, MoveList, Path, Record, Side};

use crate::{CancelToken, Limits, Time};
use table::Table;
use tree::Tree;

/// What attacker and defender may try.
///
/// The attacker's moves may be few: a win by fewer moves is a win. The defender's may be left out only when
/// they cannot change the verdict; every legal defence is answered before a win is claimed.
pub trait Policy<G: Game>: Send + Sync {
    /// Writes to `out`, which is empty, what the attacker may try: checks, moves that threaten to win.
    fn attacks(&self, game: &mut G, out: &mut Vec<G::Move>);

    /// Writes to `out`, which is empty, what the defender may try. None only when the game is over.
    fn defences(&self, game: &mut G, out: &mut Vec<G::Move>) {
        let mut list = G::Moves::default();
        game.moves(&mut list);
        out.extend(list.each());
    }

    /// A first guess at the numbers of proof and disproof, at least 1 each, of a position never seen before:
    /// with the attacker to move, or with the defender and so many replies. A better one saves time only.
    #[inline]
    fn guess(&self, game: &G, turn: Turn) -> (u32, u32) {
        let _ = game;
        match turn {
            Turn::Attacker => (1, 1),
            Turn::Defender { replies } => (replies, 1),
        }
    }
}

/// Whose move it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// The attacker's.
    Attacker,
    /// The defender's.
    Defender {
        /// How many legal moves there are.
        replies: u32,
    },
}

/// Where a win is asked for, and for whom.
#[derive(Clone, Debug)]
pub struct Question<'a, G: Game> {
    game: &'a G,
    path: &'a Path<G>,
    attacker: Side,
    shortest: bool,
}

impl<'a, G: Game> Question<'a, G> {
    /// Can the mover of `game`, which came this way, win by force?
    pub fn new(game: &'a G, path: &'a Path<G>) -> Question<'a, G> {
        Question { game, path, attacker: game.mover(), shortest: false }
    }

    /// Can the mover at the end of a record win by force?
    pub fn of(record: &'a Record<G>) -> Question<'a, G> {
        Question::new(record.now(), record.path())
    }

    /// Asks for this side instead of the mover.
    #[must_use]
    pub fn attacker(self, attacker: Side) -> Question<'a, G> {
        Question { attacker, ..self }
    }

    /// Asks for the shortest win, too: see [`Proof::shortest`].
    #[must_use]
    pub fn shortest(self) -> Question<'a, G> {
        Question { shortest: true, ..self }
    }
}

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer<M> {
    /// The attacker wins by force. It was replayed: every defence has its answer.
    Proven(Proof<M>),
    /// The attacker does not, with the moves the policy lets it try and within the depth asked for, if any.
    Disproven,
    /// The limits were reached first.
    Unknown,
}

/// A forced win.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof<M> {
    /// The attacker's moves, and the defences that hold out longest against them.
    pub line: Vec<M>,
    /// How long the game lasts at most when the attacker plays on like this: the length of `line`.
    pub plies: usize,
    /// Whether no forced win is shorter.
    pub shortest: bool,
}

/// The solver: a policy and a table, which is kept from question to question.
#[derive(Debug)]
pub struct Dfpn<P> {
    policy: P,
    table: Table,
    nodes: u64,
}

impl<P> Dfpn<P> {
    /// A solver whose table takes so many MiB; 0 leaves room for a few hundred positions.
    pub fn new(policy: P, hash_mib: usize) -> Dfpn<P> {
        Dfpn { policy, table: Table::new(hash_mib), nodes: 0 }
    }

    /// Forgets all it has found. Needed when the policy's own options change, and for the same nodes again.
    pub fn forget(&mut self) {
        self.table.clear();
    }

    /// Positions visited for the last question.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Answers a question within the limits: depth (plies), nodes and time.
    ///
    /// Repetition is judged from the position asked about; what stood before it counts only where the rules of
    /// the game end it, and then the win is not claimed.
    pub fn solve<G: Game>(
        &mut self,
        question: &Question<'_, G>,
        limits: &Limits,
        stop: &CancelToken,
    ) -> Answer<G::Move>
    where
        P: Policy<G>,
    {
        self.nodes = 0;
        let mut budget = Budget::new(limits, stop);
        let mut answer = self.attempt(question, limits.depth, &mut budget);
        while let Answer::Proven(proof) = &mut answer {
            if !question.shortest || proof.plies == 0 {
                proof.shortest |= proof.plies == 0;
                break;
            }
            match self.attempt(question, Some(proof.plies as u32 - 1), &mut budget) {
                Answer::Proven(shorter) => answer = Answer::Proven(shorter),
                verdict => {
                    proof.shortest = verdict == Answer::Disproven;
                    break;
                }
            }
        }
        self.nodes = budget.spent;
        answer
    }

    fn attempt<G: Game>(
        &mut self,
        question: &Question<'_, G>,
        depth: Option<u32>,
        budget: &mut Budget<'_>,
    ) -> Answer<G::Move>
    where
        P: Policy<G>,
    {
        let mut tree = Tree::new(&self.policy, &mut self.table, question.attacker, budget);
        let mut game = question.game.clone();
        let mark = tree.root(&mut game, depth);
        if mark.is_disproven() {
            return if mark.is_absolute() { Answer::Disproven } else { Answer::Unknown };
        }
        if !mark.is_proven() {
            return Answer::Unknown;
        }
        let line = proof::strategy(&mut tree, question, mark.plies)
            .and_then(|strategy| proof::replay(question, &strategy));
        line.map_or(Answer::Unknown, |line| {
            Answer::Proven(Proof { plies: line.len(), line, shortest: false })
        })
    }
}

/// What is left of the limits.
#[derive(Debug)]
struct Budget<'a> {
    stop: &'a CancelToken,
    nodes: u64,
    deadline: Option<Instant>,
    spent: u64,
    over: bool,
}

impl<'a> Budget<'a> {
    /// Looking at the clock costs more than a node of a small game.
    const BETWEEN_LOOKS: u64 = 256;

    fn new(limits: &Limits, stop: &'a CancelToken) -> Budget<'a> {
        let begun = limits.begun.unwrap_or_else(Instant::now);
        let deadline = limits.time.and_then(|time| begun.checked_add(share(time)));
        Budget { stop, nodes: limits.nodes.unwrap_or(u64::MAX), deadline, spent: 0, over: false }
    }

    /// Takes one node; `false` when there is none left, and from then on.
    #[inline]
    fn take(&mut self) -> bool {
        self.over |= self.spent >= self.nodes || self.stop.is_cancelled();
        if self.spent.is_multiple_of(Budget::BETWEEN_LOOKS) {
            self.over |= self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        }
        self.spent += u64::from(!self.over);
        !self.over
    }
}

/// The time for one answer.
fn share(time: Time) -> Duration {
    match time {
        Time::Move(time) => time,
        Time::Clock { left, increment, byoyomi } => left / 40 + increment + byoyomi,
    }
}
