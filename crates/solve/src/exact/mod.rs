//! The exact solver: fail-soft alpha-beta to the end of the game, with a table that never takes one position
//! for another. Obvious correctness comes before speed: this is the oracle for every specialised solver.

mod table;
mod walk;
mod worth;

use tesuji_game::{Game, MoveList, Path, Symmetric};

use table::Table;
use walk::{Bounds, Walk};
pub use worth::{ByMargin, ByOutcome, Worth};

/// A solver: how finished games are valued, and a table kept from position to position.
///
/// Positions of games that can recur are not kept: their worth may rest on the path.
#[derive(Debug)]
pub struct Exact<G: Game, W> {
    worth: W,
    table: Table<G>,
    representative: Option<fn(&G) -> G>,
}

/// What a position is worth, and how to play it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution<M> {
    /// The worth, seen by the mover.
    pub value: i32,
    /// Every move that keeps it, in the order of the game's list; none when the game is over.
    pub best: Vec<M>,
    /// Best play of both sides, from the first best move to the end of the game, a repetition or the bound.
    pub line: Vec<M>,
    /// Positions visited.
    pub nodes: u64,
    /// Whether every line looked at ended by the rules. If not, positions at the bound of depth were taken for
    /// draws: a win or loss by [`ByOutcome`] is certain all the same, a draw is not.
    pub complete: bool,
}

impl<G: Game, W: Worth<G>> Exact<G, W> {
    /// A solver with a table of so many MiB; 0 for none. Only the positions themselves are counted, not what
    /// they may keep elsewhere.
    pub fn new(worth: W, table_mib: usize) -> Exact<G, W> {
        let table_mib = if G::RECURS { 0 } else { table_mib };
        Exact { worth, table: Table::new(table_mib), representative: None }
    }

    /// Keeps one position for all its images.
    #[must_use]
    pub fn symmetric(self) -> Exact<G, W>
    where
        G: Symmetric,
    {
        Exact { representative: Some(representative::<G>), ..self }
    }

    /// Solves a position to the end of the game.
    ///
    /// For games that end soon from here: the stack and the time grow with the tree.
    pub fn solve(&mut self, game: &G) -> Solution<G::Move> {
        let path = Path::new(game, G::Rules::default());
        self.solve_within(game, &path, None, &|| true).unwrap_or_else(|| Solution {
            value: 0,
            best: Vec::new(),
            line: Vec::new(),
            nodes: 0,
            complete: false,
        })
    }

    /// Solves a position that came this way, to so many plies, while `go_on` says so (asked now and then).
    ///
    /// A position that has stood on the path before is a draw, whatever the game says of its fourth time.
    pub fn solve_within(
        &mut self,
        game: &G,
        path: &Path<G>,
        depth: Option<u32>,
        go_on: &dyn Fn() -> bool,
    ) -> Option<Solution<G::Move>> {
        let mut walk = Walk::new(&self.worth, &mut self.table, self.representative, path.clone(), go_on);
        let mut game = game.clone();
        let mut left = depth.unwrap_or(u32::MAX);
        let mut value = walk.value(&mut game, left, Bounds::ALL)?;
        let worth = value;
        let (mut best, mut line) = (None, Vec::new());
        loop {
            let all = best.is_none();
            let keeping = walk.keeping(&mut game, left, value, all)?;
            let next = keeping.first().copied();
            best.get_or_insert(keeping);
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
        Some(Solution { value: worth, best: best.unwrap_or_default(), line, nodes, complete })
    }
}

/// Of all images of a position the one with the least key.
fn representative<G: Symmetric>(game: &G) -> G {
    let images = (0..G::SYMMETRIES).map(|symmetry| game.image(symmetry));
    images.min_by_key(G::key).unwrap_or_else(|| game.clone())
}

/// The moves of a position, few replies first: what leaves the opponent little is often best, and always
/// quickly refuted.
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
