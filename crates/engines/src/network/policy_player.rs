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

/// The logits as probabilities with their indices: the chosen one first, then by probability.
fn ranked(logits: &[f32], chosen: usize) -> Vec<(usize, f64)> {
    let highest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let weights = logits.iter().map(|logit| f64::from(logit - highest).exp());
    let total: f64 = weights.clone().sum();
    let mut ranked: Vec<(usize, f64)> = weights.map(|weight| weight / total).enumerate().collect();
    ranked.sort_by(|a, b| (b.0 == chosen).cmp(&(a.0 == chosen)).then(b.1.total_cmp(&a.1)));
    ranked
}

/// Its lines are the most probable moves with their probabilities; all have the value of the position.
impl<G: Planes> Engine<G> for PolicyPlayer {
    fn think(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
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
        let Some(chosen) = self.choose(&leaf.policy) else { return Choice::Over };
        let Some(&mv) = leaf.moves.get(chosen) else { return Choice::Over };
        // Without a value head there is no value to report.
        if self.network.heads().1 {
            let rate = f64::from(leaf.value);
            let line = |(mv, prior)| PvLine {
                value: self.scale.value(rate),
                bound: Bound::Exact,
                moves: vec![mv],
                rate: Some(rate),
                prior: Some(prior),
                solved: false,
            };
            let ranked = ranked(&leaf.policy, chosen).into_iter().take(limits.lines.max(1));
            let lines = ranked.filter_map(|(index, prior)| Some((*leaf.moves.get(index)?, prior))).map(line).collect();
            let time = started.elapsed();
            watch(&SearchReport {
                depth: 1,
                seldepth: 1,
                nodes: 1,
                time,
                hashfull: None,
                lines,
                source: ReportSource::Policy,
            });
        }
        Choice::Move { mv, reply: None }
    }

    fn forget(&mut self) {
        self.rng = Rng::new(self.seed);
    }
}
