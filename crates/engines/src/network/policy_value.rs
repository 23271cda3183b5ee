//! A network as the policy and value of a tree search.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use tesuji_game::Planes;
use tesuji_nn::{Evaluation, EvaluatorBuffers, Planes as EncodedPlanes};
use tesuji_search::mcts::{LeafPosition, PolicyValue};

use super::bits::{encoding_of, plane_words};
use super::load::LoadedNetwork;

/// Floating-point operations after which a search looks at the clock: about 10 ms with AVX-512, 25 ms with AVX2.
const OPERATIONS_AT_ONCE: usize = 2_000_000_000;

/// Evaluates leaves with a network. Threads compute at the same time, each with its own buffers.
#[derive(Debug)]
pub struct NetworkPolicyValue {
    network: Arc<LoadedNetwork>,
    idle: Mutex<Vec<ThreadBuffers>>,
}

/// What a thread needs for a batch.
#[derive(Debug, Default)]
struct ThreadBuffers {
    planes: Vec<u64>,
    inner: EvaluatorBuffers,
    evaluation: Evaluation,
}

impl NetworkPolicyValue {
    /// An evaluator with this network.
    pub fn new(network: Arc<LoadedNetwork>) -> NetworkPolicyValue {
        NetworkPolicyValue { network, idle: Mutex::default() }
    }

    /// Whether the network has a policy head, and whether it has a value head.
    pub fn heads(&self) -> (bool, bool) {
        let architecture = self.network.architecture;
        (architecture.policy, architecture.value.is_some())
    }

    /// As many positions as are best computed at once, but not so many that the clock is forgotten.
    pub fn batch(&self) -> usize {
        (OPERATIONS_AT_ONCE / self.network.operations.max(1)).clamp(1, self.network.evaluator.chunk())
    }

    /// The win rates of positions for their sides to move; a half without a value head.
    pub fn values<G: Planes>(&self, games: &[G]) -> Vec<f32> {
        let mut buffers = self.take_buffers();
        let evaluation = self.compute(games.iter(), &mut buffers);
        let mut values = evaluation.value.clone();
        self.idle().push(buffers);
        values.resize(games.len(), 0.5);
        values
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<ThreadBuffers>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take_buffers(&self) -> ThreadBuffers {
        self.idle().pop().unwrap_or_default()
    }

    fn compute<'a, 'g, G: Planes>(
        &self,
        games: impl ExactSizeIterator<Item = &'g G>,
        buffers: &'a mut ThreadBuffers,
    ) -> &'a Evaluation {
        let ThreadBuffers { planes, inner, evaluation } = buffers;
        let (count, words) = (games.len(), encoding_of::<G>().words());
        planes.resize(count * words, 0);
        games.zip(planes.chunks_exact_mut(words)).for_each(|(game, words)| plane_words(game, words));
        self.network.evaluated.fetch_add(count as u64, Ordering::Relaxed);
        self.network.evaluator.evaluate_with(inner, EncodedPlanes::Bits(planes), count, evaluation);
        evaluation
    }
}

impl<G: Planes> PolicyValue<G> for NetworkPolicyValue {
    fn evaluate(&self, batch: &mut [LeafPosition<G>]) {
        let mut buffers = self.take_buffers();
        let evaluation = self.compute(batch.iter().map(|leaf| &leaf.game), &mut buffers);
        let labels = G::ENCODING.labels();
        for (index, leaf) in batch.iter_mut().enumerate() {
            if let Some(value) = evaluation.value.get(index) {
                leaf.value = *value;
            }
            if let Some(logits) = evaluation.policy.get(index * labels..(index + 1) * labels) {
                write_logits(leaf, logits);
            }
        }
        self.idle().push(buffers);
    }

    fn most_at_once(&self) -> usize {
        self.batch()
    }
}

/// The logits of the legal moves. A move without a label gets the mean of the others, which makes a small prior.
fn write_logits<G: Planes>(leaf: &mut LeafPosition<G>, logits: &[f32]) {
    let (mut sum, mut labelled) = (0.0, 0);
    for (&mv, policy) in leaf.moves.iter().zip(&mut leaf.policy) {
        let logit = leaf.game.label(mv).and_then(|label| logits.get(label));
        *policy = logit.copied().unwrap_or(f32::NAN);
        if let Some(logit) = logit {
            (sum, labelled) = (sum + logit, labelled + 1);
        }
    }
    if labelled < leaf.policy.len() {
        let mean = if labelled > 0 { sum / labelled as f32 } else { 0.0 };
        leaf.policy.iter_mut().filter(|policy| policy.is_nan()).for_each(|policy| *policy = mean);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::Path;

    use tesuji_game::{Game, Notation};
    use tesuji_nn::{Arithmetic, Network, NetworkFile, Precision};
    use tesuji_othello::Othello;
    use tesuji_shogi::Shogi;
    use tesuji_trax::{Trax, Unlimited};

    use super::super::load::shared;
    use super::*;

    fn leaf<G: Planes>(game: G) -> LeafPosition<G> {
        let mut list = G::Moves::default();
        game.clone().moves(&mut list);
        LeafPosition::new(game, &list)
    }

    /// Logits that tell their label.
    fn logits(count: usize) -> Vec<f32> {
        (0..count).map(|label| label as f32).collect()
    }

    /// The classic policy net needs 0.6 billion operations for a position, and a hundred of them a second or so.
    #[test]
    fn a_large_network_computes_few_positions_at_once() {
        let batch = |spec: &str| {
            let network = Network::new(encoding_of::<Shogi>(), spec.parse().expect("a spec"), 1);
            let file = NetworkFile { network, metadata: BTreeMap::new() };
            let loaded =
                shared::<Shogi>(Path::new(spec), &file.write(Precision::F32), Arithmetic::Single).expect("a network");
            NetworkPolicyValue::new(loaded).batch()
        };
        assert_eq!(batch("policy:layers=12,channels=192"), 3);
        assert_eq!(batch("policy-value:blocks=6,channels=64"), 16);
    }

    #[test]
    fn every_labelled_move_gets_its_logit() {
        let mut leaf = leaf(Othello::start());
        write_logits(&mut leaf, &logits(64));
        for (mv, policy) in leaf.moves.iter().zip(&leaf.policy) {
            assert_eq!(leaf.game.label(*mv), Some(*policy as usize));
        }
    }

    #[test]
    fn moves_without_a_label_get_the_mean() {
        // A compulsory pass is the only move.
        let pass =
            Othello::parse("XXXXXXXOOOOOOOO-OOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO- O").expect("a board");
        let mut only = leaf(pass);
        assert_eq!((only.moves.len(), only.game.label(only.moves[0])), (1, None));
        write_logits(&mut only, &logits(64));
        assert_eq!(only.policy, [0.0]);
        // A long row of Trax reaches beyond the window.
        let mut game = Trax::<Unlimited>::parse("@0+").expect("a move");
        while game.size().0 < 20 {
            let mut list = <Trax<Unlimited> as Game>::Moves::default();
            game.moves(&mut list);
            let mut right = list.iter().copied().filter(|mv| usize::from(mv.place().column) == game.size().0 + 1);
            game.play(right.next_back().expect("a tile on the right"));
        }
        let mut row = leaf(game);
        write_logits(&mut row, &vec![1.0; <Trax<Unlimited> as Planes>::ENCODING.labels()]);
        let outside = row.moves.iter().filter(|mv| row.game.label(**mv).is_none()).count();
        assert!(outside > 0 && outside < row.moves.len(), "{outside}");
        assert!(row.policy.iter().all(|policy| *policy == 1.0), "{:?}", row.policy);
    }
}
