//! The player that follows the policy of a network without any search.

use std::time::Instant;

use tesuji_game::{MoveList, Planes, Record};
use tesuji_search::mcts::{LeafPosition, PolicyValue, WinRateScale};
use tesuji_search::{Bound, CancelToken, Choice, Engine, Limits, PvLine, ReportSource, Rng, SearchReport};

use super::policy_value::NetworkPolicyValue;

/// Plays the most probable move of the policy, or a random one by its probability.
#[derive(Debug)]
pub struct PolicyPlayer {
    network: NetworkPolicyValue,
    /// 0 plays the most probable move; 1 samples the policy; higher ones flatten it.
    temperature: f64,
    scale: WinRateScale,
    seed: u64,
    rng: Rng,
}

impl PolicyPlayer {
    /// A player with this network. `scale` converts its win rate to values.
    pub fn new(network: NetworkPolicyValue, temperature: f64, seed: u64, scale: WinRateScale) -> PolicyPlayer {
        PolicyPlayer { network, temperature, scale, seed, rng: Rng::new(seed) }
    }

    /// The index of the chosen logit.
    fn choose(&mut self, logits: &[f32]) -> Option<usize> {
        let best = (0..logits.len()).max_by(|&a, &b| logits[a].total_cmp(&logits[b]).then(b.cmp(&a)))?;
        if self.temperature <= 0.0 {
            return Some(best);
        }
        let weight = |logit: &f32| (f64::from(logit - logits[best]) / self.temperature).exp();
        let mut left = self.rng.unit() * logits.iter().map(weight).sum::<f64>();
        let sampled = logits.iter().position(|logit| {
            left -= weight(logit);
            left < 0.0
        });
        Some(sampled.unwrap_or(best))
    }
}

impl<G: Planes> Engine<G> for PolicyPlayer {
    fn think(
        &mut self,
        record: &Record<G>,
        _: &Limits,
        _: &CancelToken,
        watch: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> Choice<G::Move> {
        let started = Instant::now();
        let mut list = G::Moves::default();
        record.now().clone().moves(&mut list);
        if record.ending().is_some() || list.is_empty() {
            return Choice::Over;
        }
        let mut batch = [LeafPosition::new(record.now().clone(), &list)];
        self.network.evaluate(&mut batch);
        let [leaf] = batch;
        let Some(&mv) = self.choose(&leaf.policy).and_then(|index| leaf.moves.get(index)) else { return Choice::Over };
        // Without a value head there is nothing to report.
        if self.network.heads().1 {
            let rate = f64::from(leaf.value);
            let value = self.scale.value(rate);
            let line = PvLine { value, bound: Bound::Exact, moves: vec![mv], rate: Some(rate), solved: false };
            let time = started.elapsed();
            watch(&SearchReport {
                depth: 1,
                seldepth: 1,
                nodes: 1,
                time,
                hashfull: None,
                lines: vec![line],
                source: ReportSource::Search,
            });
        }
        Choice::Move { mv, reply: None }
    }

    fn forget(&mut self) {
        self.rng = Rng::new(self.seed);
    }
}
