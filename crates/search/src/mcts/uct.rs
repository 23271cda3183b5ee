//! UCT: a tree that grows where play-outs go well.

use tesuji_game::{Game, MoveList, Record};

use super::pace::Pace;
use super::rollout::Hand;
use super::walk::{Walk, look_ahead};
use super::{Settings, Tree, think};
use crate::{CancelToken, Choice, Engine, Eval, Limits, NoEval, Report, Rng};

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
        Rollouts { explore: 0.35, expand_at: 2, plies: 256 }
    }
}

/// An engine that grows a tree by random play-outs (UCT with MCTS-Solver).
#[derive(Debug)]
pub struct Uct<G: Game, E = NoEval> {
    tree: Tree<G::Move>,
    eval: E,
    settings: Settings,
    rollouts: Rollouts,
    rng: Rng,
}

impl<G: Game> Uct<G> {
    /// An engine without any knowledge of the game.
    pub fn new(settings: Settings, rollouts: Rollouts) -> Uct<G> {
        Uct::with_eval(NoEval, settings, rollouts)
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
        stop: &CancelToken,
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
                    walks: [(); 2].map(|()| Walk::new(&self.tree, record, alone)),
                    eval: &self.eval,
                    settings: &self.settings,
                    rollouts: &self.rollouts,
                    lists: Default::default(),
                    rng: Rng::new(self.rng.draw()),
                    earliest: usize::MAX,
                };
                let pace = &pace;
                move || hand.bout(pace)
            })
            .collect();
        pace.run(&self.tree, &self.settings, hands, watch);
        watch(&pace.report(&self.tree, &self.settings));
        pace.learn();
        think::choice(&self.tree, record, &self.settings, &mut self.rng)
    }

    fn forget(&mut self) {
        self.tree.clear();
        self.rng = Rng::new(self.settings.seed);
    }
}
