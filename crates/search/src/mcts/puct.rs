//! PUCT: a tree that grows where a policy points and a value agrees, its leaves judged in batches.

use tesuji_game::{Game, MoveList, Record};

use super::batch::{Hand, add};
use super::pace::Pace;
use super::provider::{Leaf, PolicyValue};
use super::walk::{Walk, look_ahead};
use super::{Settings, Tree, think};
use crate::{CancelToken, Choice, Engine, Limits, Proven, Report, Rng};

/// How much a judgement counts, and how many leaves are judged at once. The defaults are known to serve well.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Urgency {
    /// The weight of the policy in a young tree.
    pub c_init: f32,
    /// The visits after which that weight begins to grow.
    pub c_base: f32,
    /// First-play urgency: how much less than its parent a move never tried is held to be worth, once all
    /// of the policy has been tried.
    pub fpu_reduction: f32,
    /// The same at the root.
    pub fpu_reduction_root: f32,
    /// Above 1 makes the policy more even.
    pub temperature: f32,
    /// The most leaves judged at once by each thread.
    pub batch: usize,
}

impl Default for Urgency {
    fn default() -> Urgency {
        Urgency {
            c_init: 1.44,
            c_base: 28288.0,
            fpu_reduction: 0.27,
            fpu_reduction_root: 0.0,
            temperature: 1.74,
            batch: 16,
        }
    }
}

/// An engine that grows a tree by judgement.
#[derive(Debug)]
pub struct Puct<G: Game, P> {
    tree: Tree<G::Move>,
    provider: P,
    settings: Settings,
    urgency: Urgency,
    rng: Rng,
}

impl<G: Game, P: PolicyValue<G>> Puct<G, P> {
    /// An engine that this provider judges for.
    pub fn new(provider: P, settings: Settings, urgency: Urgency) -> Puct<G, P> {
        let tree = Tree::new(settings.memory_mib);
        Puct { tree, provider, settings, urgency, rng: Rng::new(settings.seed) }
    }

    /// What it has grown.
    pub fn tree(&self) -> &Tree<G::Move> {
        &self.tree
    }

    /// Has the root judged and puts it into the tree.
    fn plant(&mut self, game: &G, list: &G::Moves) -> Option<u32> {
        let mut leaf = [Leaf::new(game.clone(), list)];
        self.provider.judge(&mut leaf);
        let [leaf] = leaf;
        add(&self.tree, game.key(), &leaf, self.urgency.temperature)
    }
}

impl<G: Game, P: PolicyValue<G>> Engine<G> for Puct<G, P> {
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
        if self.provider.prepare(record.path()).changed {
            self.tree.clear();
        }
        if self.provider.verdict(&mut game) == Some(Proven::Win(0)) {
            return Choice::Claim;
        }
        let alone = self.settings.threads <= 1;
        let pace = Pace::new(limits, stop, alone, list.len() == 1);
        if !think::root_at(&mut self.tree, record, &list) {
            match self.plant(&game, &list) {
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
                    provider: &self.provider,
                    settings: &self.settings,
                    urgency: &self.urgency,
                    list: G::Moves::default(),
                    batch: Vec::new(),
                    waiting: Vec::new(),
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
