//! The way a game went: what repetition and other verdicts over a whole game need to know.

use crate::{Game, Side};

/// The positions a game has passed through, and the options its verdict depends on.
///
/// Empty of cost for games whose positions cannot recur: nothing but the number of plies is kept.
#[derive(Clone, Debug)]
pub struct Path<G: Game> {
    steps: Vec<Step>,
    plies: usize,
    /// Rule options such as a limit of moves.
    pub rules: G::Rules,
}

#[derive(Clone, Copy, Debug)]
struct Step {
    key: u64,
    mover: Side,
    in_check: bool,
}

/// That the latest position has stood on the path before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recurrence {
    /// How often it has stood, now included: at least 2.
    pub times: usize,
    /// Plies since it first stood.
    pub since: usize,
    /// Who gave check with every move since then; `None` when nobody did, or both.
    pub checker: Option<Side>,
}

impl<G: Game> Path<G> {
    /// The path that begins here.
    pub fn new(start: &G, rules: G::Rules) -> Path<G> {
        let mut path = Path { steps: Vec::new(), plies: 0, rules };
        path.note(start);
        path
    }

    fn note(&mut self, now: &G) {
        if G::RECURS {
            self.steps.push(Step { key: now.key(), mover: now.mover(), in_check: now.in_check() });
        }
    }

    /// Goes one ply on, to `now`.
    #[inline]
    pub fn push(&mut self, now: &G) {
        self.plies += 1;
        self.note(now);
    }

    /// Goes one ply back.
    #[inline]
    pub fn pop(&mut self) {
        debug_assert!(self.plies > 0, "the start cannot be taken back");
        self.plies -= 1;
        if G::RECURS {
            self.steps.pop();
        }
    }

    /// Plies played since the start.
    #[inline]
    pub fn plies(&self) -> usize {
        self.plies
    }

    /// How often the position that has stood most often has stood; 1 where none can recur.
    pub fn most_often(&self) -> usize {
        let mut keys: Vec<_> = self.steps.iter().map(|step| (step.key, step.mover.index())).collect();
        keys.sort_unstable();
        keys.chunk_by(|a, b| a == b).map(<[_]>::len).max().unwrap_or(1)
    }

    /// Whether and how the latest position has occurred before, counted from its first occurrence.
    pub fn recurrence(&self) -> Option<Recurrence> {
        let now = self.steps.last()?;
        let last = self.steps.len() - 1;
        let same = |step: &Step| step.key == now.key && step.mover == now.mover;
        let first = self.steps[..last].iter().position(same)?;
        let times = self.steps[first..].iter().filter(|step| same(step)).count();
        let checked_throughout = |side: Side| {
            let mut replies = self.steps[first + 1..].iter().filter(|step| step.mover == side).peekable();
            replies.peek().is_some() && replies.all(|step| step.in_check)
        };
        let checker = match (checked_throughout(Side::First), checked_throughout(Side::Second)) {
            (true, false) => Some(Side::Second),
            (false, true) => Some(Side::First),
            _ => None,
        };
        Some(Recurrence { times, since: last - first, checker })
    }
}
