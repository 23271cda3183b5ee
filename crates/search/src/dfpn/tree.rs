//! The search itself: into the child that is nearest to a verdict, until a threshold is reached.
//!
//! A question with a bound of depth is a question about positions *with so many plies left*: those never recur,
//! so nothing there rests on a path. Without a bound, a position that stands on the path already is held, and
//! what rests on that is kept under the path.

use tesuji_game::{Game, Outcome, Side};

use super::mark::{INFINITE, Mark, NOTHING};
use super::table::{Entry, Table};
use super::trail::{RepetitionStack, stir};
use super::{Budget, Policy, Turn};

/// Deeper than this nothing is tried: it bounds the stack.
const DEEPEST: u32 = 2000;

/// Tells the keys of the attacker's positions from the defender's, and both from those with plies left.
const ATTACKER: u64 = 0x3c6e_f372_fe94_f82b;
const LEFT: u64 = 0xa54f_f53a_5f1d_36f1;
const BY_PATH: u64 = 0x510e_527f_ade6_82d1;

/// A move to try, and what is known of it.
#[derive(Clone, Copy, Debug)]
struct Child<M> {
    mv: M,
    mark: Mark,
    /// It was met as near to the root as its parent, or nearer: perhaps in a circle.
    old: bool,
}

/// A search under way.
pub(super) struct Tree<'a, 'b, G: Game, P> {
    pub(super) policy: &'a P,
    table: &'a mut Table,
    attacker: Side,
    pub(super) budget: &'a mut Budget<'b>,
    trail: RepetitionStack,
    /// The children of all nodes on the path, one behind the other.
    children: Vec<Child<G::Move>>,
    list: Vec<G::Move>,
    /// The place on the path up to which is searched; none without a bound of depth.
    last: Option<u32>,
    /// An old position was met, and no new one since: thresholds give way.
    circling: bool,
    /// The move that wins at the root, if it was searched and won.
    winning: Option<G::Move>,
}

impl<'a, 'b, G: Game, P: Policy<G>> Tree<'a, 'b, G, P> {
    pub(super) fn new(
        policy: &'a P,
        table: &'a mut Table,
        attacker: Side,
        budget: &'a mut Budget<'b>,
    ) -> Tree<'a, 'b, G, P> {
        Tree {
            policy,
            table,
            attacker,
            budget,
            trail: RepetitionStack::default(),
            children: Vec::new(),
            list: Vec::new(),
            last: None,
            circling: false,
            winning: None,
        }
    }

    #[inline]
    pub(super) fn attacks(&self, game: &G) -> bool {
        game.mover() == self.attacker
    }

    /// The key of a position with its role: some games leave the mover out.
    #[inline]
    pub(super) fn key(&self, game: &G) -> u64 {
        if self.attacks(game) { game.key() ^ ATTACKER } else { game.key() }
    }

    /// Searches from here, to a depth or without a bound, until there is a verdict or the budget is spent.
    pub(super) fn root(&mut self, game: &mut G, depth: Option<u32>) -> Mark {
        self.begin(depth);
        let key = self.key(game);
        match self.look(key) {
            Known::Settled(mark) => mark,
            Known::Open(entry) => self.search(game, key, Some(entry), [INFINITE; 2]),
            Known::Unknown if depth == Some(0) => self.over(game),
            Known::Unknown => self.search(game, key, None, [INFINITE; 2]),
        }
    }

    /// Searches again, with so many plies left, where a win is known but not the move: the table has lost it.
    pub(super) fn again(&mut self, game: &mut G, left: u32) -> Option<G::Move> {
        self.begin(Some(left));
        let key = self.key(game);
        self.search(game, key, None, [INFINITE; 2]);
        self.winning
    }

    fn begin(&mut self, depth: Option<u32>) {
        self.trail = RepetitionStack::default();
        self.last = depth.map(|depth| depth.min(DEEPEST - 1) + 1);
        self.circling = false;
        self.winning = None;
    }

    /// What the table knows of the position that would come next on the path.
    fn look(&self, key: u64) -> Known {
        let entry = self.table.get(key).copied();
        let settled = entry.map(|entry| entry.mark).filter(|mark| match self.last {
            Some(last) if mark.is_proven() => self.trail.place() + 1 + mark.plies <= last,
            _ => mark.is_proven() || mark.is_disproven(),
        });
        if let Some(mark) = settled {
            return Known::Settled(mark);
        }
        let place = self.trail.place() + 1;
        if let Some(last) = self.last {
            let entry = self.table.get(bounded(key, last - place)).copied();
            return match entry {
                Some(entry) if entry.mark.is_proven() || entry.mark.is_disproven() => {
                    Known::Settled(entry.mark)
                }
                Some(entry) => Known::Open(entry),
                None => Known::Unknown,
            };
        }
        if let Some(here) = self.trail.find(key) {
            return Known::Settled(Mark::held(here));
        }
        if place > DEEPEST {
            return Known::Settled(Mark::held(0));
        }
        match entry {
            Some(entry) if entry.by_path => match self.table.get(self.by_path(key)) {
                Some(held) => Known::Settled(held.mark),
                None => Known::Open(entry),
            },
            Some(entry) => Known::Open(entry),
            None => Known::Unknown,
        }
    }

    /// The key of a position on the present path, not yet on it itself.
    fn by_path(&self, key: u64) -> u64 {
        key ^ stir(self.trail.code() ^ BY_PATH)
    }

    /// How long a win known to the table takes from here with so many plies left: to be proven, not believed.
    pub(super) fn promise(&self, game: &mut G, left: u32) -> Option<u32> {
        let key = self.key(game);
        let won = |key: u64| self.table.get(key).map(|entry| entry.mark).filter(|mark| mark.is_proven());
        let promised = [won(key), won(bounded(key, left))].into_iter().flatten().map(|mark| mark.plies).min();
        let mated = || (!self.attacks(game) && game.count() == 0 && self.over(game).is_proven()).then_some(0);
        promised.filter(|&plies| plies <= left).or_else(mated)
    }

    /// The verdict on a position that has no moves to try.
    fn over(&self, game: &G) -> Mark {
        let outcome = game.outcome().map(|outcome| if self.attacks(game) { outcome } else { -outcome });
        if outcome == Some(Outcome::Win) { Mark::won(0) } else { Mark::held(NOTHING) }
    }

    /// The mark of a position never met before, the next on the path.
    fn guess(&self, game: &mut G) -> Mark {
        if self.last == Some(self.trail.place() + 1) {
            return self.over(game);
        }
        let turn = if self.attacks(game) {
            Turn::Attacker
        } else {
            match game.count() {
                0 => return self.over(game),
                replies => Turn::Defender { replies: u32::try_from(replies).unwrap_or(u32::MAX) },
            }
        };
        let (proof, disproof) = self.policy.guess(game, turn);
        Mark::open(proof, disproof)
    }

    /// Lists the children of a node that has just come onto the path.
    fn expand(&mut self, game: &mut G, attacking: bool, distance: u16) {
        let mut list = std::mem::take(&mut self.list);
        list.clear();
        if attacking {
            self.policy.attacks(game, &mut list);
        } else {
            self.policy.defences(game, &mut list);
        }
        for &mv in &list {
            let undo = game.play(mv);
            let (mark, old) = match self.look(self.key(game)) {
                Known::Settled(mark) => (mark, false),
                Known::Open(entry) => (entry.mark, entry.distance <= distance),
                Known::Unknown => (self.guess(game), false),
            };
            game.undo(undo);
            self.children.push(Child { mv, mark, old });
        }
        self.list = list;
    }

    /// Searches a position that is not settled, until its proof or its disproof number reaches its threshold.
    fn search(&mut self, game: &mut G, key: u64, known: Option<Entry>, thresholds: [u32; 2]) -> Mark {
        if !self.budget.take() {
            return known.map_or(Mark::open(1, 1), |entry| entry.mark);
        }
        let before = self.budget.spent;
        let attacking = self.attacks(game);
        let first = self.children.len();
        self.trail.push(key);
        let place = self.trail.place();
        let distance = known.map_or(place as u16, |entry| entry.distance.min(place as u16));
        self.expand(game, attacking, distance);

        let mut mark = self.fold(game, first, attacking, place);
        let [mut proof, mut disproof] = thresholds;
        if known.is_none() {
            self.circling = false;
        }
        self.circling |= self.last.is_none() && self.children[first..].iter().any(|child| child.old);
        if self.circling {
            proof = proof.max(mark.proof.saturating_add(1));
            disproof = disproof.max(mark.disproof.saturating_add(1));
        }
        while mark.proof < proof && mark.disproof < disproof && mark.proof != 0 && mark.disproof != 0 {
            let (chosen, thresholds) = self.choose(first, attacking, [proof, disproof]);
            let undo = game.play(self.children[chosen].mv);
            let child = self.key(game);
            let found = match self.look(child) {
                Known::Settled(mark) => mark,
                Known::Open(entry) => self.search(game, child, Some(entry), thresholds),
                Known::Unknown => self.search(game, child, None, thresholds),
            };
            game.undo(undo);
            self.children[chosen].mark = found;
            mark = self.fold(game, first, attacking, place);
            if self.budget.over {
                break;
            }
        }
        if place == 1 && attacking && mark.is_proven() {
            let won = self.children.iter().filter(|child| child.mark.is_proven());
            self.winning = won.min_by_key(|child| child.mark.plies).map(|child| child.mv);
        }
        self.children.truncate(first);
        self.trail.pop();
        let work = u32::try_from(self.budget.spent - before + 1).unwrap_or(u32::MAX);
        self.keep(key, mark, known, Entry { key, mark, work, distance, by_path: false });
        mark
    }

    fn fold(&self, game: &G, first: usize, attacking: bool, place: u32) -> Mark {
        let children = &self.children[first..];
        if children.is_empty() {
            return self.over(game);
        }
        Mark::fold(children.iter().map(|child| child.mark), attacking, place)
    }

    /// The child nearest to the verdict its parent wants, and how far to go on with it: a quarter beyond the
    /// second best, so that two rivals do not take turns at every step.
    fn choose(&self, first: usize, attacking: bool, thresholds: [u32; 2]) -> (usize, [u32; 2]) {
        let (mut best, mut least, mut second, mut open) = (first, INFINITE, INFINITE, 0);
        for (index, child) in self.children.iter().enumerate().skip(first) {
            let wanted = child.mark.wanted(attacking);
            if wanted < least {
                (best, second, least) = (index, least, wanted);
            } else {
                second = second.min(wanted);
            }
            open += u32::from(child.mark.feared(attacking) != 0);
        }
        let [proof, disproof] = thresholds;
        let (wanted, feared) = if attacking { (proof, disproof) } else { (disproof, proof) };
        let wanted = wanted.min(second.saturating_add(second / 4).saturating_add(1));
        let feared = if feared == INFINITE { INFINITE } else { feared - (open - 1) };
        (best, if attacking { [wanted, feared] } else { [feared, wanted] })
    }

    /// Keeps what was found of a position that has just left the path, under the key it holds for.
    fn keep(&mut self, key: u64, mark: Mark, known: Option<Entry>, entry: Entry) {
        let place = self.trail.place() + 1;
        if let Some(last) = self.last {
            self.table.put(Entry { key: bounded(key, last - place), ..entry });
            let shorter = |old: &Entry| !old.mark.is_proven() || old.mark.plies > mark.plies;
            if mark.is_proven() && self.table.get(key).is_none_or(shorter) {
                self.table.put(entry);
            }
        } else if mark.is_disproven() && !mark.is_absolute() {
            self.table.put(Entry { key: self.by_path(key), ..entry });
            // Elsewhere it is open; what it was thought to cost is the best guess there.
            let mark = known.map_or(Mark::open(1, 1), |entry| entry.mark);
            self.table.put(Entry { mark, by_path: true, ..entry });
        } else {
            self.table.put(Entry { by_path: known.is_some_and(|entry| entry.by_path), ..entry });
        }
    }
}

/// What the table says.
enum Known {
    Settled(Mark),
    Open(Entry),
    Unknown,
}

/// The key of a position with so many plies left.
#[inline]
const fn bounded(key: u64, left: u32) -> u64 {
    key ^ stir(LEFT ^ left as u64)
}
