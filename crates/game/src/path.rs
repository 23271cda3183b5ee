//! The history of a game, for repetition rules and move limits.

use crate::{Game, Side};

/// The positions of a game so far, and the rule options that its result depends on.
///
/// For games whose positions cannot repeat, only the number of plies is kept.
#[derive(Clone, Debug)]
pub struct Path<G: Game> {
    steps: Vec<PathEntry>,
    /// A counting filter over the entries: a count of one proves that a position is new.
    seen: Vec<u32>,
    plies: usize,
    /// Rule options such as a move limit.
    pub rules: G::Rules,
}

#[derive(Clone, Copy, Debug)]
struct PathEntry {
    key: u64,
    mover: Side,
    in_check: bool,
}

impl PathEntry {
    /// The counter of this entry; `count` is a power of two.
    #[inline]
    fn counter(&self, count: usize) -> usize {
        (self.key ^ self.key >> 32) as usize & (count - 1) ^ self.mover.index()
    }
}

/// The number of counters of a new path.
const FEWEST: usize = 64;
/// The least number of counters per entry.
const SPARE: usize = 16;

/// A repetition of the latest position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Repetition {
    /// The number of occurrences, including this one: at least 2.
    pub times: usize,
    /// Plies since the first occurrence.
    pub since: usize,
    /// The side that gave check with every move since then; `None` when neither or both did.
    pub checker: Option<Side>,
}

impl<G: Game> Path<G> {
    /// A path that starts here.
    pub fn new(start: &G, rules: G::Rules) -> Path<G> {
        let seen = if G::RECURS { vec![0; FEWEST] } else { Vec::new() };
        let mut path = Path { steps: Vec::new(), seen, plies: 0, rules };
        path.record(start);
        path
    }

    fn record(&mut self, now: &G) {
        if !G::RECURS {
            return;
        }
        let step = PathEntry { key: now.key(), mover: now.mover(), in_check: now.in_check() };
        self.steps.push(step);
        let count = self.seen.len();
        if self.steps.len() * SPARE <= count {
            self.seen[step.counter(count)] += 1;
        } else {
            self.seen = vec![0; 2 * count];
            for step in &self.steps {
                self.seen[step.counter(2 * count)] += 1;
            }
        }
    }

    /// Adds the position after one ply.
    #[inline]
    pub fn push(&mut self, now: &G) {
        self.plies += 1;
        self.record(now);
    }

    /// Removes the last ply.
    #[inline]
    pub fn pop(&mut self) {
        debug_assert!(self.plies > 0, "the start cannot be taken back");
        self.plies -= 1;
        if let Some(step) = self.steps.pop() {
            let count = self.seen.len();
            self.seen[step.counter(count)] -= 1;
        }
    }

    /// Plies played since the start.
    #[inline]
    pub fn plies(&self) -> usize {
        self.plies
    }

    /// The number of occurrences of the most frequent position; 1 for games without repetition.
    pub fn most_often(&self) -> usize {
        let mut keys: Vec<_> = self.steps.iter().map(|entry| (entry.key, entry.mover.index())).collect();
        keys.sort_unstable();
        keys.chunk_by(|a, b| a == b).map(<[_]>::len).max().unwrap_or(1)
    }

    /// The repetition of the latest position, if it has occurred before.
    #[inline]
    pub fn repetition(&self) -> Option<Repetition> {
        let counter = self.steps.last()?.counter(self.seen.len());
        if self.seen[counter] < 2 { None } else { self.scan() }
    }

    /// The repetition that pushing `next` would give. `key` is its key.
    ///
    /// One counter decides for most positions. This is the repetition test of a search.
    #[inline]
    pub fn repetition_of(&mut self, next: &G, key: u64) -> Option<Repetition> {
        if !G::RECURS {
            return None;
        }
        let counter = PathEntry { key, mover: next.mover(), in_check: false }.counter(self.seen.len());
        if self.seen[counter] == 0 {
            return None;
        }
        self.push(next);
        let repetition = self.repetition();
        self.pop();
        repetition
    }

    /// [`repetition`](Path::repetition) by a scan of all entries.
    fn scan(&self) -> Option<Repetition> {
        let now = self.steps.last()?;
        let last = self.steps.len() - 1;
        let same = |step: &PathEntry| step.key == now.key && step.mover == now.mover;
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
        Some(Repetition { times, since: last - first, checker })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Outcome;

    /// A toy game of rooms: the move is the next room, and keys collide in their low bits.
    #[derive(Clone, PartialEq, Eq, Hash, Debug)]
    struct Rooms(u8, Side);

    impl Game for Rooms {
        type Move = u8;
        type Moves = Vec<u8>;
        type Undo = Rooms;
        type Rules = ();

        const NAME: &'static str = "rooms";
        const RECURS: bool = true;

        fn start() -> Rooms {
            Rooms(0, Side::First)
        }

        fn mover(&self) -> Side {
            self.1
        }

        fn moves(&mut self, out: &mut Vec<u8>) {
            out.clear();
            out.extend(0..=u8::MAX);
        }

        fn play(&mut self, mv: u8) -> Rooms {
            std::mem::replace(self, Rooms(mv, !self.1))
        }

        fn undo(&mut self, undo: Rooms) {
            *self = undo;
        }

        fn outcome(&self) -> Option<Outcome> {
            None
        }

        fn key(&self) -> u64 {
            u64::from(self.0 % 8) | u64::from(self.0) << 48 | u64::from(self.0 / 16) << 32
        }

        fn in_check(&self) -> bool {
            self.0.is_multiple_of(3)
        }
    }

    /// Long games with moves and undos, with few rooms and with many: the filter never changes a result.
    #[test]
    fn the_filter_agrees_with_a_full_scan() {
        let mut chance = 1_u64;
        let mut draw = |below: u64| {
            chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (chance >> 33) % below
        };
        let (mut repeated, mut fresh) = (0, 0);
        for rooms in [3, 20, 256] {
            let mut path = Path::new(&Rooms::start(), ());
            let mut games = vec![Rooms::start()];
            for _ in 0..3000 {
                let Some(now) = games.last() else { break };
                if games.len() > 1 && draw(5) < 2 {
                    path.pop();
                    games.pop();
                } else {
                    let next = Rooms(draw(rooms) as u8, !now.1);
                    let foreseen = path.repetition_of(&next, next.key());
                    path.push(&next);
                    assert_eq!(foreseen, path.repetition());
                    games.push(next);
                }
                assert_eq!(path.repetition(), path.scan());
                let now = games.last().cloned();
                let times = games.iter().filter(|&game| Some(game) == now.as_ref()).count();
                assert_eq!(path.repetition().map_or(1, |repetition| repetition.times), times);
                if games.len() % 50 == 0 {
                    let times = |game| games.iter().filter(|&other| other == game).count();
                    assert_eq!(Some(path.most_often()), games.iter().map(times).max());
                }
                if times > 1 { repeated += 1 } else { fresh += 1 }
            }
            assert_eq!((path.plies() + 1, path.steps.len()), (games.len(), games.len()));
        }
        assert!(repeated > 1000 && fresh > 1000, "{repeated} {fresh}");
    }
}
