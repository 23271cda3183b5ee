//! One thread of UCT at work: down two ways, two play-outs side by side, and up again.

use tesuji_game::{Game, MoveList};

use super::node::{Edge, PENDING, POINT};
use super::number::ln_of_count;
use super::pace::Pace;
use super::playout::{Playout, pair, playout};
use super::walk::{Walk, look_ahead, points_of};
use super::{Rollouts, Settings, Tree};
use crate::{Eval, Rng, Value};

/// Pairs of play-outs between two looks at the clock.
const BOUT: usize = 8;

/// How many plies before the earliest end of a play-out it begins to be worth looking for moves that end the
/// game: in some games they are everywhere, in others only at the very end.
const NEARLY: usize = 4;

/// It goes down two ways at a time, so that their play-outs can be made side by side; the visit counted on
/// the first way sends the second elsewhere.
pub(super) struct Hand<'a, G: Game, E> {
    pub(super) walks: [Walk<'a, G>; 2],
    pub(super) eval: &'a E,
    pub(super) settings: &'a Settings,
    pub(super) rollouts: &'a Rollouts,
    pub(super) lists: [G::Moves; 2],
    pub(super) rng: Rng,
    /// In how few plies from the root a play-out has ended.
    pub(super) earliest: usize,
}

/// How a way down ended.
#[derive(Clone, Copy)]
enum End {
    /// Where a play-out has to tell.
    Open,
    /// With points for the mover there.
    Known(u32),
    /// With a proof of the last move.
    Proven(u32),
}

impl<G: Game, E: Eval<G>> Hand<'_, G, E> {
    pub(super) fn bout(&mut self, pace: &Pace<'_>) {
        for _ in 0..BOUT {
            if !pace.claim() {
                break;
            }
            let first = self.descend(0);
            let second = pace.claim().then(|| self.descend(1));
            if let (End::Open, Some(End::Open)) = (first, second) {
                let [one, two] = &mut self.walks;
                let games = [&mut one.game, &mut two.game];
                let [one, two] = pair(games, &mut self.lists, &mut self.rng, self.rollouts.plies);
                for (which, played) in [one, two].into_iter().enumerate() {
                    let end = self.told(which, played);
                    self.ascend(which, end, pace);
                }
                continue;
            }
            for (which, end) in [Some(first), second].into_iter().enumerate() {
                let Some(mut end) = end else { continue };
                if let End::Open = end {
                    let (game, list) = (&mut self.walks[which].game, &mut self.lists[which]);
                    let played = playout(game, list, &mut self.rng, self.rollouts.plies);
                    end = self.told(which, played);
                }
                self.ascend(which, end, pace);
            }
        }
        self.walks.iter().for_each(|walk| pace.reached(walk.deepest));
    }

    /// One way down, until nothing is known any more.
    fn descend(&mut self, which: usize) -> End {
        self.walks[which].begin();
        let tree = self.walks[which].tree;
        let mut node = tree.root;
        let mut grown = false;
        loop {
            let index = self.select(tree, node);
            let (edge, visits, recurred) = self.walks[which].enter(node, index);
            if let Some(points) = recurred {
                return End::Known(points);
            }
            if let Some(proof) = edge.proof() {
                return End::Known(POINT - points_of(proof));
            }
            let mut child = edge.child();
            if child >= PENDING && visits >= self.rollouts.expand_at && !grown {
                child = self.expand(which);
                if child < PENDING {
                    edge.link(child);
                    grown = true;
                }
            }
            if child >= PENDING {
                let walk = &self.walks[which];
                let Some(points) = walk.verdict() else { return End::Open };
                return if walk.game.outcome().is_some() {
                    self.over(which, points)
                } else {
                    End::Known(points)
                };
            }
            if let Some(proof) = tree.node(child).proof() {
                edge.prove(proof.back());
                return End::Proven(points_of(proof));
            }
            node = child;
        }
    }

    /// Carries the end of a way up.
    #[inline]
    fn ascend(&self, which: usize, end: End, pace: &Pace<'_>) {
        let Walk { tree, ref steps, alone, .. } = self.walks[which];
        if let End::Known(points) | End::Proven(points) = end {
            Walk::<G>::credit(tree, steps, points, alone);
        }
        if let End::Proven(_) = end {
            Walk::<G>::prove(tree, steps);
            if tree.node(tree.root).proof().is_some() {
                pace.halt();
            }
        }
        pace.count();
    }

    /// The move to try: first those never tried, then by UCB1; nothing is to be learned of a proven one.
    #[inline]
    fn select(&mut self, tree: &Tree<G::Move>, node: u32) -> usize {
        let at = tree.node(node);
        let edges = tree.arena.edges(at);
        let visits = at.visits();
        if (visits as usize) < edges.len() {
            let start = self.rng.below(edges.len());
            let new = |edge: &Edge| edge.visits() == 0 && edge.proof().is_none();
            if let Some(after) = edges[start..].iter().position(new) {
                return start + after;
            }
            if let Some(before) = edges[..start].iter().position(new) {
                return before;
            }
        }
        let weight = self.rollouts.explore * self.rollouts.explore * ln_of_count(visits.max(1));
        let (mut best, mut index) = (f32::NEG_INFINITY, 0);
        for (at, edge) in edges.iter().enumerate() {
            // One that was never tried has been taken before, unless another thread was quicker.
            let share = 1.0 / edge.visits().max(1) as f32;
            let rate = edge.sum() as i64 as f32 * (share / POINT as f32);
            let score = rate + (weight * share).sqrt();
            if score > best && edge.proof().is_none() {
                (best, index) = (score, at);
            }
        }
        index
    }

    /// Makes the position where a walk stands part of the tree, or finds it there; `PENDING` when it cannot
    /// be, because the game is over or memory is full.
    fn expand(&mut self, which: usize) -> u32 {
        let (walk, list) = (&mut self.walks[which], &mut self.lists[which]);
        let key = walk.game.key();
        if let Some(node) = walk.tree.find(key) {
            return node;
        }
        walk.game.moves(list);
        if list.is_empty() {
            return PENDING;
        }
        let edges = list.each().map(|mv| (mv, 0.0));
        let Some(node) = walk.tree.add(key, list.len(), None, edges) else { return PENDING };
        if self.settings.look_ahead && walk.steps.len() + NEARLY >= self.earliest {
            look_ahead(walk.tree, node, &mut walk.game, list);
        }
        node
    }

    /// What a play-out tells of the way it began at the end of.
    #[inline]
    fn told(&mut self, which: usize, played: Playout) -> End {
        if played.points.is_some() {
            let plies = self.walks[which].steps.len() + played.plies as usize;
            self.earliest = self.earliest.min(plies);
        }
        match played {
            Playout { plies: 0, points: Some(points) } => self.over(which, points),
            Playout { points: Some(points), .. } => End::Known(points),
            Playout { plies, points: None } => {
                let game = &self.walks[which].game;
                let rate = self.settings.scale.rate(self.eval.value(game, &self.eval.begin(game)));
                let points = (rate * f64::from(POINT)) as u32;
                End::Known(if plies.is_multiple_of(2) { points } else { POINT - points })
            }
        }
    }

    /// The game is over where a way ends.
    fn over(&self, which: usize, points: u32) -> End {
        let value = match points {
            0 => Value::loss(0),
            POINT => Value::win(0),
            _ => Value::DRAW,
        };
        let Walk { tree, ref steps, .. } = self.walks[which];
        if let Some(step) = steps.last() {
            tree.arena.edge(step.edge).prove(value.back());
        }
        End::Proven(points)
    }
}
