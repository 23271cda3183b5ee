//! UCT: a tree that grows where play-outs go well.

use tesuji_game::{Game, MoveList, Record};

use super::number::ln;
use super::pace::Pace;
use super::playout::playout;
use super::walk::{Walk, look_ahead, points_of};
use super::{Settings, Tree, think};
use crate::mcts::node::{PENDING, POINT};
use crate::{Choice, Engine, Eval, Limits, Nothing, Report, Rng, Stop, Value};

/// How play-outs are spent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rollouts {
    /// How much a move gains by having been tried less than the others.
    pub explore: f32,
    /// At which visit of a move the position behind it becomes part of the tree.
    pub expand_at: u32,
    /// The longest play-out. A longer one counts as what the evaluation makes of its end: a draw, without
    /// one.
    pub plies: u32,
}

impl Default for Rollouts {
    fn default() -> Rollouts {
        Rollouts { explore: 0.7, expand_at: 2, plies: 256 }
    }
}

/// An engine that grows a tree by random play-outs (UCT with MCTS-Solver).
#[derive(Debug)]
pub struct Uct<G: Game, E = Nothing> {
    tree: Tree<G::Move>,
    eval: E,
    settings: Settings,
    rollouts: Rollouts,
    rng: Rng,
}

impl<G: Game> Uct<G> {
    /// An engine without any knowledge of the game.
    pub fn new(settings: Settings, rollouts: Rollouts) -> Uct<G> {
        Uct::with_eval(Nothing, settings, rollouts)
    }
}

impl<G: Game, E: Eval<G>> Uct<G, E> {
    /// An engine that judges play-outs that do not end by an evaluation.
    pub fn with_eval(eval: E, settings: Settings, rollouts: Rollouts) -> Uct<G, E> {
        let tree = Tree::new(settings.memory_mib);
        Uct { tree, eval, settings, rollouts, rng: Rng::new(settings.seed) }
    }

    /// What it has grown.
    pub fn tree(&self) -> &Tree<G::Move> {
        &self.tree
    }
}

impl<G: Game, E: Eval<G>> Engine<G> for Uct<G, E> {
    fn think(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        stop: &Stop,
        watch: &mut dyn FnMut(&Report<G::Move>),
    ) -> Choice<G::Move> {
        let mut game = record.now().clone();
        let mut list = G::Moves::default();
        game.moves(&mut list);
        if record.ending().is_some() || list.is_empty() {
            return Choice::Over;
        }
        let alone = self.settings.threads <= 1;
        let pace = Pace::new(limits, stop, alone, list.len() == 1);
        if !think::root_at(&mut self.tree, record, &list) {
            let edges = list.each().map(|mv| (mv, 0.0));
            match self.tree.add(game.key(), list.len(), None, edges) {
                Some(root) => self.tree.root = root,
                // No tree can hold so many moves: any will do.
                None => {
                    return list.each().next().map_or(Choice::Over, |mv| Choice::Move { mv, reply: None });
                }
            }
        }
        look_ahead(&self.tree, self.tree.root, &mut game, &mut list);
        let hands: Vec<_> = (0..self.settings.threads.max(1))
            .map(|_| {
                let mut hand = Hand {
                    walk: Walk::new(&self.tree, record, alone),
                    eval: &self.eval,
                    settings: &self.settings,
                    rollouts: &self.rollouts,
                    list: G::Moves::default(),
                    rng: Rng::new(self.rng.draw()),
                };
                let pace = &pace;
                move || hand.bout(pace)
            })
            .collect();
        pace.run(&self.tree, &self.settings, hands, watch);
        watch(&pace.report(&self.tree, &self.settings));
        think::choice(&self.tree, record, &self.settings, &mut self.rng)
    }

    fn forget(&mut self) {
        self.tree.clear();
        self.rng = Rng::new(self.settings.seed);
    }
}

/// Play-outs between two looks at the clock.
const BOUT: usize = 16;

/// One thread at work.
struct Hand<'a, G: Game, E> {
    walk: Walk<'a, G>,
    eval: &'a E,
    settings: &'a Settings,
    rollouts: &'a Rollouts,
    list: G::Moves,
    rng: Rng,
}

impl<G: Game, E: Eval<G>> Hand<'_, G, E> {
    fn bout(&mut self, pace: &Pace<'_>) {
        for _ in 0..BOUT {
            if !pace.claim() {
                break;
            }
            self.simulate();
            pace.count();
            if self.walk.tree.node(self.walk.tree.root).proof().is_some() {
                pace.halt();
            }
        }
        pace.reached(self.walk.deepest);
    }

    /// One way down, one play-out, and back.
    fn simulate(&mut self) {
        self.walk.begin();
        let tree = self.walk.tree;
        let mut node = tree.root;
        let (mut proven, mut grown) = (false, false);
        let points = loop {
            let index = self.select(node);
            let (edge, visits, recurred) = self.walk.enter(node, index);
            if let Some(points) = recurred {
                break points;
            }
            if let Some(proof) = edge.proof() {
                break POINT - points_of(proof);
            }
            let mut child = edge.child();
            if child >= PENDING && visits >= self.rollouts.expand_at && !grown {
                child = self.expand();
                if child < PENDING {
                    edge.link(child);
                    grown = true;
                }
            }
            if child >= PENDING {
                let (points, over) = self.play_out();
                if over {
                    edge.prove(over_value(points).back());
                    proven = true;
                }
                break points;
            }
            if let Some(proof) = tree.node(child).proof() {
                edge.prove(proof.back());
                proven = true;
                break points_of(proof);
            }
            node = child;
        };
        Walk::<G>::credit(tree, &self.walk.steps, points, self.walk.alone);
        if proven {
            Walk::<G>::prove(tree, &self.walk.steps);
        }
    }

    /// The move to try: first those never tried, then by UCB1; nothing is to be learned of a proven one.
    #[inline]
    fn select(&mut self, node: u32) -> usize {
        let at = self.walk.tree.node(node);
        let edges = self.walk.tree.arena.edges(at);
        let visits = f64::from(at.visits().max(1));
        let weight = self.rollouts.explore * self.rollouts.explore * ln(visits) as f32;
        // Beginning anywhere breaks ties by chance.
        let start = self.rng.below(edges.len().max(1));
        let (mut best, mut index) = (f32::NEG_INFINITY, start);
        for at in (start..edges.len()).chain(0..start) {
            let edge = &edges[at];
            if edge.proof().is_some() {
                continue;
            }
            let visits = edge.visits();
            if visits == 0 {
                return at;
            }
            let share = 1.0 / visits as f32;
            let rate = edge.sum() as i64 as f32 * (share / POINT as f32);
            let score = rate + (weight * share).sqrt();
            if score > best {
                (best, index) = (score, at);
            }
        }
        index
    }

    /// Makes the position where the walk stands part of the tree, or finds it there; `PENDING` when it cannot
    /// be, because the game is over or memory is full.
    fn expand(&mut self) -> u32 {
        let (tree, game) = (self.walk.tree, &mut self.walk.game);
        let key = game.key();
        if let Some(node) = tree.find(key) {
            return node;
        }
        game.moves(&mut self.list);
        if self.list.is_empty() {
            return PENDING;
        }
        let edges = self.list.each().map(|mv| (mv, 0.0));
        let Some(node) = tree.add(key, self.list.len(), None, edges) else { return PENDING };
        if self.settings.look_ahead {
            look_ahead(tree, node, game, &mut self.list);
        }
        node
    }

    /// Points of a play-out for the mover where the walk stands, and whether the game was over already.
    #[inline]
    fn play_out(&mut self) -> (u32, bool) {
        let path_verdict = self.walk.verdict();
        let game = &mut self.walk.game;
        if let Some(points) = path_verdict {
            return (points, game.outcome().is_some());
        }
        let played = playout(game, &mut self.list, &mut self.rng, self.rollouts.plies);
        let points = played.points.unwrap_or_else(|| {
            let rate = self.settings.scale.rate(self.eval.value(game, &self.eval.begin(game)));
            let points = (rate * f64::from(POINT)) as u32;
            if played.plies.is_multiple_of(2) { points } else { POINT - points }
        });
        (points, played.plies == 0 && played.points.is_some())
    }
}

/// The value of a game that is over with so many points for its mover.
fn over_value(points: u32) -> Value {
    match points {
        0 => Value::loss(0),
        POINT => Value::win(0),
        _ => Value::DRAW,
    }
}
