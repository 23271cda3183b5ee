//! The df-pn search: expands the child with the best numbers until a threshold is reached.
//!
//! With a depth limit, numbers belong to positions *with a remaining depth*. Those never recur, so no result depends on
//! the path. Without a limit, a position that recurs on the path is disproven, and results that depend on it are stored
//! under a key of the path. Solved positions are also stored as bounds of the length of the shortest win, which answer for
//! other depths and for other pieces in hand (see `dominance`).

use tesuji_game::{Game, Outcome, Side};

use super::dominance::{Counts, Holdings};
use super::numbers::{INFINITE, NO_PATH, OpenGroups, ProofNumbers};
use super::path::{SearchPath, mix};
use super::table::{ProofEntry, ProofTables};
use super::{AttackPolicy, NodeBudget, SideToMove};

/// The longest path; it bounds the call stack.
pub(super) const MAX_PLY: u32 = 2000;

/// Key modifiers: attacker to move, remaining depth, path-dependent.
const ATTACKER: u64 = 0x3c6e_f372_fe94_f82b;
const REMAINING_DEPTH: u64 = 0xa54f_f53a_5f1d_36f1;
const PATH_DEPENDENT: u64 = 0x510e_527f_ade6_82d1;

/// A move and the numbers of the position after it.
#[derive(Clone, Copy, Debug)]
struct DfpnChild<M> {
    mv: M,
    numbers: ProofNumbers,
    /// Whether the move is like the one before.
    alike: bool,
    /// Whether it was met as near to the root as its parent, or nearer: possibly a cycle.
    old: bool,
}

/// A running search.
pub(super) struct DfpnSearch<'a, 'b, G: Game, P> {
    pub(super) policy: &'a P,
    tables: &'a mut ProofTables,
    attacker: Side,
    pub(super) budget: &'a mut NodeBudget<'b>,
    path: SearchPath,
    /// The children of all nodes on the path, as a stack.
    children: Vec<DfpnChild<G::Move>>,
    list: Vec<G::Move>,
    /// The last path index within the depth limit.
    last: Option<u32>,
    /// An old position was met and no new one since; thresholds are raised.
    cycling: bool,
    /// The winning root move, if it was searched.
    winning: Option<G::Move>,
}

impl<'a, 'b, G: Game, P: AttackPolicy<G>> DfpnSearch<'a, 'b, G, P> {
    pub(super) fn new(
        policy: &'a P,
        tables: &'a mut ProofTables,
        attacker: Side,
        budget: &'a mut NodeBudget<'b>,
    ) -> DfpnSearch<'a, 'b, G, P> {
        DfpnSearch {
            policy,
            tables,
            attacker,
            budget,
            path: SearchPath::default(),
            children: Vec::new(),
            list: Vec::new(),
            last: None,
            cycling: false,
            winning: None,
        }
    }

    #[inline]
    pub(super) fn attacks(&self, game: &G) -> bool {
        game.mover() == self.attacker
    }

    /// The key of a position with its side to move, which some games leave out of the key.
    #[inline]
    pub(super) fn key(&self, game: &G) -> u64 {
        if self.attacks(game) { game.key() ^ ATTACKER } else { game.key() }
    }

    /// The position as the table of solved positions knows it.
    #[inline]
    fn holdings(&self, game: &G) -> Holdings {
        let Holdings { rest, counts } = self.policy.holdings(game, self.attacker);
        Holdings { rest: if self.attacks(game) { rest ^ ATTACKER } else { rest }, counts }
    }

    /// Searches from here, with or without a depth limit, until it is solved or the budget is spent.
    pub(super) fn root(&mut self, game: &mut G, depth: Option<u32>) -> ProofNumbers {
        self.begin(depth);
        let key = self.key(game);
        match self.probe(game, key) {
            TableResult::Solved(numbers) => numbers,
            TableResult::Unsolved(entry) => self.search(game, key, Some(entry), [INFINITE; 2]),
            TableResult::Unknown if depth == Some(0) => self.terminal(game),
            TableResult::Unknown => self.search(game, key, None, [INFINITE; 2]),
        }
    }

    /// Searches again within `left` plies for a winning move that the table has lost.
    pub(super) fn search_again(&mut self, game: &mut G, left: u32) -> Option<G::Move> {
        self.begin(Some(left));
        let key = self.key(game);
        self.search(game, key, None, [INFINITE; 2]);
        self.winning
    }

    fn begin(&mut self, depth: Option<u32>) {
        self.path = SearchPath::default();
        self.last = depth.map(|depth| depth.min(MAX_PLY - 1) + 1);
        self.cycling = false;
        self.winning = None;
    }

    /// Probes the tables for a position that would be next on the path.
    fn probe(&self, game: &G, key: u64) -> TableResult {
        let index = self.path.len() + 1;
        let left = self.last.map(|last| last - index);
        let entry = self.tables.numbers.probe(key).copied();
        let is_solved = |numbers: &ProofNumbers| {
            numbers.is_disproven() || numbers.is_proven() && left.is_none_or(|left| numbers.plies <= left)
        };
        if let Some(numbers) = entry.map(|entry| entry.numbers).filter(is_solved) {
            return TableResult::Solved(numbers);
        }
        if let Some(numbers) = self.tables.solved.probe(self.holdings(game), left) {
            return TableResult::Solved(numbers);
        }
        if let Some(left) = left {
            let entry = self.tables.numbers.probe(with_depth(key, left)).copied();
            return entry.map_or(TableResult::Unknown, TableResult::Unsolved);
        }
        if let Some(here) = self.path.find(key) {
            return TableResult::Solved(ProofNumbers::disproven(here));
        }
        if index > MAX_PLY {
            return TableResult::Solved(ProofNumbers::disproven(0));
        }
        match entry {
            Some(entry) if entry.path_dependent => match self.tables.numbers.probe(self.path_key(key)) {
                Some(stored) => TableResult::Solved(stored.numbers),
                None => TableResult::Unsolved(entry),
            },
            Some(entry) => TableResult::Unsolved(entry),
            None => TableResult::Unknown,
        }
    }

    /// The path-dependent key of a position behind the current path.
    fn path_key(&self, key: u64) -> u64 {
        key ^ mix(self.path.hash() ^ PATH_DEPENDENT)
    }

    /// The length of a win within `left` plies according to the tables, which still has to be verified.
    pub(super) fn stored_win(&self, game: &mut G, left: u32) -> Option<u32> {
        let entry = self.tables.numbers.probe(self.key(game)).map(|entry| entry.numbers);
        let exact = entry.filter(|numbers| numbers.is_proven()).map(|numbers| numbers.plies);
        let stored = exact.into_iter().chain(self.tables.solved.win(self.holdings(game), left)).min();
        let mated = || (!self.attacks(game) && game.count() == 0 && self.terminal(game).is_proven()).then_some(0);
        stored.filter(|&plies| plies <= left).or_else(mated)
    }

    /// The numbers of a position without moves to try.
    fn terminal(&self, game: &G) -> ProofNumbers {
        let outcome = game.outcome().map(|outcome| if self.attacks(game) { outcome } else { -outcome });
        if outcome == Some(Outcome::Win) { ProofNumbers::proven(0) } else { ProofNumbers::disproven(NO_PATH) }
    }

    /// The initial numbers of a new position, the next on the path.
    fn initialize(&mut self, game: &mut G) -> ProofNumbers {
        let left = self.last.map(|last| last - self.path.len() - 1);
        if left == Some(0) {
            return self.terminal(game);
        }
        let side = if self.attacks(game) {
            if P::KNOWS_WINS_AT_ONCE
                && let Some(numbers) = self.win_at_once(game, left)
            {
                return numbers;
            }
            SideToMove::Attacker
        } else {
            match game.count() {
                0 => return self.terminal(game),
                replies => SideToMove::Defender { replies: u32::try_from(replies).unwrap_or(u32::MAX) },
            }
        };
        let (proof, disproof) = self.policy.initialize(game, side);
        ProofNumbers::unsolved(proof, disproof)
    }

    /// The result of a position that the attacker wins at once, or that one ply is too little to win.
    fn win_at_once(&mut self, game: &mut G, left: Option<u32>) -> Option<ProofNumbers> {
        let here = self.holdings(game);
        if let Some(mv) = self.policy.win_at_once(game) {
            let undo = game.play(mv);
            let least = self.policy.least_held(game, self.attacker);
            game.undo(undo);
            let counts = self.policy.held_before(game, mv, least);
            debug_assert!(here.counts.covers(counts), "{mv:?} in {game:?}");
            self.tables.solved.store_win(Holdings { counts, ..here }, 1, 1);
            return Some(ProofNumbers::proven(1));
        }
        (left == Some(1)).then(|| {
            let counts = self.policy.most_held(game, self.attacker);
            debug_assert!(counts.covers(here.counts), "{game:?}");
            self.tables.solved.store_none(Holdings { counts, ..here }, left, 1);
            ProofNumbers::disproven(NO_PATH)
        })
    }

    /// Generates the children of the last node on the path.
    fn expand(&mut self, game: &mut G, attacking: bool, distance: u16) {
        let mut list = std::mem::take(&mut self.list);
        list.clear();
        if attacking {
            self.policy.attacks(game, &mut list);
        } else {
            self.policy.defences(game, &mut list);
        }
        let mut before = None;
        for &mv in &list {
            let alike = !attacking && before.is_some_and(|before| self.policy.alike(before, mv));
            before = Some(mv);
            let undo = game.play(mv);
            let (numbers, old) = match self.probe(game, self.key(game)) {
                TableResult::Solved(numbers) => (numbers, false),
                TableResult::Unsolved(entry) => (entry.numbers, entry.distance <= distance),
                TableResult::Unknown => (self.initialize(game), false),
            };
            game.undo(undo);
            self.children.push(DfpnChild { mv, numbers, alike, old });
        }
        self.list = list;
    }

    /// Searches an unsolved position until its proof or disproof number reaches its threshold.
    fn search(&mut self, game: &mut G, key: u64, known: Option<ProofEntry>, thresholds: [u32; 2]) -> ProofNumbers {
        if !self.budget.take() {
            return known.map_or(ProofNumbers::unsolved(1, 1), |entry| entry.numbers);
        }
        let before = self.budget.spent;
        let attacking = self.attacks(game);
        let first = self.children.len();
        self.path.push(key);
        let index = self.path.len();
        let distance = known.map_or(index as u16, |entry| entry.distance.min(index as u16));
        self.expand(game, attacking, distance);

        let mut numbers = self.update(game, first, attacking, index);
        let [mut proof, mut disproof] = thresholds;
        if known.is_none() {
            self.cycling = false;
        }
        self.cycling |= self.last.is_none() && self.children[first..].iter().any(|child| child.old);
        if self.cycling {
            proof = proof.max(numbers.proof.saturating_add(1));
            disproof = disproof.max(numbers.disproof.saturating_add(1));
        }
        while numbers.proof < proof && numbers.disproof < disproof && numbers.proof != 0 && numbers.disproof != 0 {
            let (chosen, thresholds) = self.select(first, attacking, [proof, disproof]);
            let undo = game.play(self.children[chosen].mv);
            let child = self.key(game);
            let result = match self.probe(game, child) {
                TableResult::Solved(numbers) => numbers,
                TableResult::Unsolved(entry) => self.search(game, child, Some(entry), thresholds),
                TableResult::Unknown => self.search(game, child, None, thresholds),
            };
            game.undo(undo);
            self.children[chosen].numbers = result;
            numbers = self.update(game, first, attacking, index);
            if self.budget.over {
                break;
            }
        }
        if index == 1 && attacking && numbers.is_proven() {
            let wins = self.children.iter().filter(|child| child.numbers.is_proven());
            self.winning = wins.min_by_key(|child| child.numbers.plies).map(|child| child.mv);
        }
        let solved = self.solved_holdings(game, first, numbers);
        self.children.truncate(first);
        self.path.pop();
        let work = u32::try_from(self.budget.spent - before + 1).unwrap_or(u32::MAX);
        self.store(solved, known, ProofEntry { key, numbers, work, distance, path_dependent: false });
        numbers
    }

    /// The numbers of a node from its children.
    fn update(&self, game: &G, first: usize, attacking: bool, index: u32) -> ProofNumbers {
        let children = &self.children[first..];
        if children.is_empty() {
            return self.terminal(game);
        }
        ProofNumbers::from_children(children.iter().map(|child| (child.numbers, child.alike)), attacking, index)
    }

    /// The child with the smallest phi, and its thresholds: a quarter beyond the second best (the 1 + ε trick), so that
    /// two children do not alternate at every step.
    fn select(&self, first: usize, attacking: bool, thresholds: [u32; 2]) -> (usize, [u32; 2]) {
        let (mut best, mut least, mut second) = (first, INFINITE, INFINITE);
        let mut open = OpenGroups::default();
        for (index, child) in self.children.iter().enumerate().skip(first) {
            let phi = child.numbers.phi(attacking);
            if phi < least {
                (best, second, least) = (index, least, phi);
            } else {
                second = second.min(phi);
            }
            open.add(child.numbers.delta(attacking) != 0, child.alike);
        }
        let [proof, disproof] = thresholds;
        let (phi, delta) = if attacking { (proof, disproof) } else { (disproof, proof) };
        let phi = phi.min(second.saturating_add(second / 4).saturating_add(1));
        let delta = if delta == INFINITE { INFINITE } else { delta - (open.count - 1) };
        (best, if attacking { [phi, delta] } else { [delta, phi] })
    }

    /// The last node on the path with the least that the attacker needs for a win, or the most with which he has none.
    /// `None` while it is unsolved, or if the result depends on the path.
    fn solved_holdings(&self, game: &mut G, first: usize, numbers: ProofNumbers) -> Option<Holdings> {
        let counts = if numbers.is_proven() {
            self.least(game, first, numbers.plies)
        } else if numbers.is_disproven() && numbers.is_path_independent() {
            self.most(game, first)
        } else {
            return None;
        };
        Some(Holdings { counts, ..self.holdings(game) })
    }

    /// The least that the attacker needs for the win found: for the shortest attack, or for all defences.
    fn least(&self, game: &mut G, first: usize, plies: u32) -> Counts {
        let children = &self.children[first..];
        if self.attacks(game) {
            let wins = |child: &&DfpnChild<G::Move>| child.numbers.is_proven() && child.numbers.plies < plies;
            let Some(child) = children.iter().find(wins) else { return self.holdings(game).counts };
            let after = self.least_after(game, child);
            return self.policy.held_before(game, child.mv, after);
        }
        let least = self.policy.least_held(game, self.attacker);
        children.iter().fold(least, |least, child| least.max(self.least_after(game, child)))
    }

    fn least_after(&self, game: &mut G, child: &DfpnChild<G::Move>) -> Counts {
        let undo = game.play(child.mv);
        let plies = child.numbers.plies;
        let counts = if plies == 0 && !self.attacks(game) {
            self.policy.least_held(game, self.attacker)
        } else {
            let here = self.holdings(game);
            self.tables.solved.least(here, plies).unwrap_or(here.counts)
        };
        game.undo(undo);
        counts
    }

    /// The most with which the attacker has no win: against one defence, or with all attacks.
    fn most(&self, game: &mut G, first: usize) -> Counts {
        let children = &self.children[first..];
        if !self.attacks(game) {
            let Some(child) = children.iter().find(|child| child.numbers.is_disproven()) else {
                return self.holdings(game).counts;
            };
            return self.most_after(game, child).min(self.policy.most_held_for(game, self.attacker, child.mv));
        }
        let most = self.policy.most_held(game, self.attacker);
        children.iter().fold(most, |most, child| {
            let after = self.most_after(game, child);
            most.min(self.policy.held_before(game, child.mv, after))
        })
    }

    fn most_after(&self, game: &mut G, child: &DfpnChild<G::Move>) -> Counts {
        let undo = game.play(child.mv);
        let left = self.last.map(|last| last - self.path.len() - 1);
        let here = self.holdings(game);
        game.undo(undo);
        self.tables.solved.most(here, left).unwrap_or(here.counts)
    }

    /// Stores the numbers of a position that has just left the path, under the key they hold for.
    fn store(&mut self, solved: Option<Holdings>, known: Option<ProofEntry>, entry: ProofEntry) {
        let ProofEntry { key, numbers, work, .. } = entry;
        let left = self.last.map(|last| last - self.path.len() - 1);
        if let Some(position) = solved {
            if numbers.is_proven() {
                self.tables.solved.store_win(position, numbers.plies, work);
            } else {
                self.tables.solved.store_none(position, left, work);
            }
        }
        let path_key = self.path_key(key);
        let table = &mut self.tables.numbers;
        if let Some(left) = left {
            if !numbers.is_proven() && !numbers.is_disproven() {
                table.store(ProofEntry { key: with_depth(key, left), ..entry });
            }
        } else if numbers.is_disproven() && !numbers.is_path_independent() {
            table.store(ProofEntry { key: path_key, ..entry });
            // On other paths it is unsolved; the old numbers are the best guess there.
            let numbers = known.map_or(ProofNumbers::unsolved(1, 1), |entry| entry.numbers);
            table.store(ProofEntry { numbers, path_dependent: true, ..entry });
        } else {
            table.store(ProofEntry { path_dependent: known.is_some_and(|entry| entry.path_dependent), ..entry });
        }
    }
}

/// The result of a table probe.
enum TableResult {
    Solved(ProofNumbers),
    Unsolved(ProofEntry),
    Unknown,
}

/// The key of a position with a remaining depth.
#[inline]
const fn with_depth(key: u64, left: u32) -> u64 {
    key ^ mix(REMAINING_DEPTH ^ left as u64)
}
