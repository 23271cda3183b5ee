//! Exact solver: fail-soft alpha-beta to the end of the game.
//!
//! The table compares whole positions, so a hash collision cannot change a result. Correctness comes before speed: this
//! is the reference implementation for every specialised solver.

use tesuji_game::{Game, Margin, MoveList, Outcome, Path, Symmetric};

/// An exact solver: a scoring of finished games and a table kept from position to position.
///
/// Positions of games that can recur are not stored, because their value may depend on the path.
#[derive(Debug)]
pub struct ExactSolver<G: Game, W> {
    scoring: W,
    table: ExactTable<G>,
    representative: Option<fn(&G) -> G>,
}

/// The exact value of a position and best play from it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExactSolution<M> {
    /// The value for the side to move.
    pub value: i32,
    /// Every move that keeps the value, in the order of the game's move list; empty when the game is over.
    pub best: Vec<M>,
    /// Best play of both sides, from the first best move to the end of the game, a repetition or the depth
    /// limit.
    pub line: Vec<M>,
    /// Positions visited.
    pub nodes: u64,
    /// Whether every line ended by the rules. If not, positions at the depth limit counted as draws: a win or
    /// loss by [`ByOutcome`] is still certain, a draw is not.
    pub complete: bool,
}

impl<G: Game, W: Scoring<G>> ExactSolver<G, W> {
    /// A solver with a table of `table_mib` MiB; 0 for none. The size counts the positions themselves, not
    /// what they own on the heap.
    pub fn new(scoring: W, table_mib: usize) -> ExactSolver<G, W> {
        let table_mib = if G::RECURS { 0 } else { table_mib };
        ExactSolver { scoring, table: ExactTable::new(table_mib), representative: None }
    }

    /// Stores one position for all its images under symmetry.
    #[must_use]
    pub fn symmetric(self) -> ExactSolver<G, W>
    where
        G: Symmetric,
    {
        ExactSolver { representative: Some(representative::<G>), ..self }
    }

    /// Solves a position to the end of the game.
    ///
    /// The stack and the time grow with the tree, so use it only near the end.
    pub fn solve(&mut self, game: &G) -> ExactSolution<G::Move> {
        let path = Path::new(game, G::Rules::default());
        self.solve_within(game, &path, None, &|| true).unwrap_or_else(|| ExactSolution {
            value: 0,
            best: Vec::new(),
            line: Vec::new(),
            nodes: 0,
            complete: false,
        })
    }

    /// Solves a position with this history, to a depth limit, while `go_on` returns true (polled every 1024
    /// nodes).
    ///
    /// The first repetition of a position on the path counts as a draw, whatever the rules say of a fourth
    /// one.
    pub fn solve_within(
        &mut self,
        game: &G,
        path: &Path<G>,
        depth: Option<u32>,
        go_on: &dyn Fn() -> bool,
    ) -> Option<ExactSolution<G::Move>> {
        let mut walk = ExactSearch::new(&self.scoring, &mut self.table, self.representative, path.clone(), go_on);
        let mut game = game.clone();
        let mut left = depth.unwrap_or(u32::MAX);
        let mut value = walk.value(&mut game, left, Bounds::ALL)?;
        let result = value;
        let (mut best, mut line) = (None, Vec::new());
        loop {
            let all = best.is_none();
            let moves_keeping = walk.moves_keeping(&mut game, left, value, all)?;
            let next = moves_keeping.first().copied();
            best.get_or_insert(moves_keeping);
            let Some(mv) = next else { break };
            line.push(mv);
            walk.play(&mut game, mv);
            value = -value;
            left -= 1;
            if walk.repeated() {
                break;
            }
        }
        let (nodes, complete) = (walk.nodes, !walk.bounded);
        Some(ExactSolution { value: result, best: best.unwrap_or_default(), line, nodes, complete })
    }
}

/// The image with the least key.
fn representative<G: Symmetric>(game: &G) -> G {
    let images = (0..G::SYMMETRIES).map(|symmetry| game.image(symmetry));
    images.min_by_key(G::key).unwrap_or_else(|| game.clone())
}

/// The moves of a position, fewest replies first: such moves are often best, and refuted quickly.
fn ordered<G: Game>(game: &mut G, list: &G::Moves) -> Vec<G::Move> {
    let mut moves: Vec<(u64, G::Move)> = Vec::with_capacity(list.len());
    for mv in list.each() {
        let undo = game.play(mv);
        moves.push((game.count(), mv));
        game.undo(undo);
    }
    moves.sort_by_key(|&(replies, _)| replies);
    moves.into_iter().map(|(_, mv)| mv).collect()
}

/// The score of finished games for the side to move: more is better, 0 is a draw, and a swap of sides negates
/// it. Within ±2³⁰.
pub trait Scoring<G: Game> {
    /// The score of a game that is over.
    fn score(&self, game: &G) -> i32;
}

/// Win 1, draw 0, loss −1.
#[derive(Clone, Copy, Debug, Default)]
pub struct ByOutcome;

impl<G: Game> Scoring<G> for ByOutcome {
    fn score(&self, game: &G) -> i32 {
        match game.outcome() {
            Some(Outcome::Win) => 1,
            Some(Outcome::Loss) => -1,
            Some(Outcome::Draw) | None => 0,
        }
    }
}

/// The margin.
#[derive(Clone, Copy, Debug, Default)]
pub struct ByMargin;

impl<G: Margin> Scoring<G> for ByMargin {
    fn score(&self, game: &G) -> i32 {
        game.margin().unwrap_or(0)
    }
}

/// One position per slot; always replaced.
#[derive(Debug)]
struct ExactTable<G> {
    slots: Vec<Option<Slot<G>>>,
}

#[derive(Clone, Debug)]
struct Slot<G> {
    game: G,
    /// Remaining depth of the entry.
    left: u32,
    bounds: Bounds,
}

impl<G: Game> ExactTable<G> {
    fn new(mib: usize) -> ExactTable<G> {
        let count = mib.saturating_mul(1 << 20) / size_of::<Option<Slot<G>>>();
        ExactTable { slots: vec![None; count] }
    }

    fn is_none(&self) -> bool {
        self.slots.is_empty()
    }

    fn slot(&self, game: &G) -> usize {
        // Keys of small games often have weak upper bits.
        let key = game.key().wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((u128::from(key ^ key >> 32) * self.slots.len() as u128) >> 64) as usize
    }

    /// The bounds of a position at this remaining depth; [`Bounds::ALL`] when it is not stored.
    fn probe(&self, game: &G, left: u32) -> Bounds {
        match self.slots.get(self.slot(game)) {
            Some(Some(stored)) if stored.left == left && stored.game == *game => stored.bounds,
            _ => Bounds::ALL,
        }
    }

    fn store(&mut self, game: G, left: u32, bounds: Bounds) {
        let slot = self.slot(&game);
        if let Some(slot) = self.slots.get_mut(slot) {
            *slot = Some(Slot { game, left, bounds });
        }
    }
}

/// Lower and upper bound of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Bounds {
    low: i32,
    high: i32,
}

impl Bounds {
    /// No information. The bounds negate each other.
    const ALL: Bounds = Bounds { low: -i32::MAX, high: i32::MAX };
}

/// Smaller trees are cheaper to search again than to store.
const MIN_STORED_NODES: u64 = 16;

/// One search.
struct ExactSearch<'a, G: Game, W> {
    scoring: &'a W,
    table: &'a mut ExactTable<G>,
    representative: Option<fn(&G) -> G>,
    path: Path<G>,
    go_on: &'a dyn Fn() -> bool,
    nodes: u64,
    /// Whether the depth limit was reached anywhere.
    bounded: bool,
}

impl<'a, G: Game, W: Scoring<G>> ExactSearch<'a, G, W> {
    fn new(
        scoring: &'a W,
        table: &'a mut ExactTable<G>,
        representative: Option<fn(&G) -> G>,
        path: Path<G>,
        go_on: &'a dyn Fn() -> bool,
    ) -> ExactSearch<'a, G, W> {
        ExactSearch { scoring, table, representative, path, go_on, nodes: 0, bounded: false }
    }

    /// Whether the latest position repeats an earlier one on the path.
    fn repeated(&self) -> bool {
        G::RECURS && self.path.repetition().is_some()
    }

    /// Plays a move.
    fn play(&mut self, game: &mut G, mv: G::Move) -> G::Undo {
        let undo = game.play(mv);
        self.path.push(game);
        undo
    }

    /// Fail-soft alpha-beta: the value is exact within the window `asked` and a bound outside it. `None` when
    /// stopped.
    fn value(&mut self, game: &mut G, left: u32, asked: Bounds) -> Option<i32> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(1024) && !(self.go_on)() {
            return None;
        }
        let mut list = G::Moves::default();
        game.moves(&mut list);
        if list.is_empty() {
            return Some(self.scoring.score(game));
        }
        if left == 0 {
            self.bounded = true;
            return Some(0);
        }
        let (stored, known) = self.probe(game, left);
        let Bounds { low, high } = known;
        if low >= asked.high || low == high {
            return Some(low);
        }
        if high <= asked.low {
            return Some(high);
        }
        let (alpha, beta) = (asked.low.max(low), asked.high.min(high));
        let before = self.nodes;
        let mut best = -i32::MAX;
        for mv in ordered(game, &list) {
            let window = Bounds { low: -beta, high: -alpha.max(best) };
            best = best.max(self.after(game, mv, left, window)?);
            if best >= beta {
                break;
            }
        }
        if let Some(stored) = stored.filter(|_| self.nodes - before >= MIN_STORED_NODES) {
            let low = if best > alpha { best } else { low };
            let high = if best < beta { best } else { high };
            self.table.store(stored, left, Bounds { low, high });
        }
        Some(best)
    }

    /// The stored bounds of a position, and the representative under which to store it.
    fn probe(&self, game: &G, left: u32) -> (Option<G>, Bounds) {
        if G::RECURS || self.table.is_none() {
            return (None, Bounds::ALL);
        }
        let stored = self.representative.map_or_else(|| game.clone(), |representative| representative(game));
        let known = self.table.probe(&stored, left);
        (Some(stored), known)
    }

    /// The value of a move for the side that plays it; `window` is from the opponent's point of view.
    fn after(&mut self, game: &mut G, mv: G::Move, left: u32, window: Bounds) -> Option<i32> {
        let undo = self.play(game, mv);
        let value = if self.repeated() { Some(0) } else { self.value(game, left - 1, window) };
        self.path.pop();
        game.undo(undo);
        value.map(|value| -value)
    }

    /// The moves that keep an exact value: all of them, or only the first.
    fn moves_keeping(&mut self, game: &mut G, left: u32, value: i32, all: bool) -> Option<Vec<G::Move>> {
        let mut list = G::Moves::default();
        game.moves(&mut list);
        let mut moves_keeping = Vec::new();
        for mv in list.each().filter(|_| left > 0) {
            if self.after(game, mv, left, Bounds { low: -value, high: 1 - value })? >= value {
                moves_keeping.push(mv);
                if !all {
                    break;
                }
            }
        }
        Some(moves_keeping)
    }
}
