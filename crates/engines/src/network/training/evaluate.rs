//! How well a network predicts moves and results, on positions it was not trained on.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::{Deserialize, Serialize};
use tesuji_game::MoveList;
use tesuji_learn::positions::{PositionEntry, PositionGame, PositionSets};
use tesuji_learn::{DataSetError, JobError};
use tesuji_nn::{Evaluation, Evaluator, Network, Planes};
use tesuji_task::{Context, cores, on_threads};

use super::loader::{policy_target, win_rate};
use crate::network::{encoding_of, plane_words};
use tesuji_learn::Shuffle;

/// Positions that a thread evaluates at a time.
const CHUNK: usize = 128;

/// The figures of a network on some positions. Those of a head that it does not have are absent.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct NetworkEvaluation {
    /// Positions.
    pub positions: u64,
    /// The share of positions whose move has the greatest logit of all labels.
    pub policy_accuracy: Option<f64>,
    /// The share of positions whose move has one of the three greatest logits.
    pub policy_top3: Option<f64>,
    /// The share of positions whose move has the greatest logit of all legal moves.
    pub policy_accuracy_legal: Option<f64>,
    /// The cross-entropy of the moves in nats.
    pub policy_cross_entropy: Option<f64>,
    /// The share of decided games whose winner is predicted.
    pub value_accuracy: Option<f64>,
    /// The cross-entropy of the results in nats.
    pub value_cross_entropy: Option<f64>,
}

/// Sums over positions.
#[derive(Clone, Copy, Default)]
struct EvaluationSums {
    positions: u64,
    moves: u64,
    top1: u64,
    top3: u64,
    legal: u64,
    policy_loss: f64,
    results: u64,
    decided: u64,
    right: u64,
    value_loss: f64,
}

/// Which positions of data sets are evaluated: all, or a random choice that depends on the number alone.
pub(super) fn sample(positions: usize, most: usize) -> Vec<usize> {
    if positions <= most {
        return (0..positions).collect();
    }
    let shuffle = Shuffle::new(positions as u64, 0, 0);
    let mut chosen: Vec<usize> = (0..most).map(|place| shuffle.at(place as u64) as usize).collect();
    // The order of the file is the fastest to read.
    chosen.sort_unstable();
    chosen
}

/// Evaluates a network on positions of data sets. `None` when it was cancelled. `progress` is told the positions that are
/// done.
///
/// The result does not depend on the number of threads.
pub(super) fn evaluate<G: PositionGame>(
    network: &Network,
    sets: &PositionSets<G>,
    positions: &[usize],
    threads: usize,
    context: Context<'_>,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Option<NetworkEvaluation>, DataSetError> {
    let chunks: Vec<&[usize]> = positions.chunks(CHUNK).collect();
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = |_: usize| -> Result<Vec<(usize, EvaluationSums)>, DataSetError> {
        let mut worker = ChunkEvaluator::new(network, sets);
        let mut sums = Vec::new();
        while !context.is_cancelled() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(chunk) = chunks.get(number) else { break };
            sums.push((number, worker.evaluate(chunk)?));
            progress((done.fetch_add(chunk.len(), Ordering::Relaxed) + chunk.len()) as u64);
        }
        Ok(sums)
    };
    let mut all = Vec::new();
    for sums in on_threads(threads.clamp(1, chunks.len().max(1)), work) {
        all.extend(sums?);
    }
    if context.is_cancelled() {
        return Ok(None);
    }
    all.sort_unstable_by_key(|(number, _)| *number);
    let mut total = EvaluationSums::default();
    all.iter().for_each(|(_, sums)| total.add(sums));
    Ok(Some(total.figures()))
}

/// What a thread needs to evaluate positions.
struct ChunkEvaluator<'a, G: PositionGame> {
    sets: &'a PositionSets<G>,
    evaluator: Evaluator,
    entries: Vec<PositionEntry<G>>,
    planes: Vec<u64>,
    evaluation: Evaluation,
    moves: G::Moves,
    target: Vec<(u32, f32)>,
}

impl<'a, G: PositionGame> ChunkEvaluator<'a, G> {
    fn new(network: &Network, sets: &'a PositionSets<G>) -> ChunkEvaluator<'a, G> {
        ChunkEvaluator {
            sets,
            evaluator: Evaluator::new(network, 1),
            entries: Vec::new(),
            planes: Vec::new(),
            evaluation: Evaluation::default(),
            moves: G::Moves::default(),
            target: Vec::new(),
        }
    }

    fn evaluate(&mut self, positions: &[usize]) -> Result<EvaluationSums, DataSetError> {
        let (words, labels) = (encoding_of::<G>().words(), encoding_of::<G>().labels());
        self.planes.resize(positions.len() * words, 0);
        self.entries.resize_with(positions.len(), || PositionEntry::of(G::start()));
        for ((&position, entry), planes) in
            positions.iter().zip(&mut self.entries).zip(self.planes.chunks_exact_mut(words))
        {
            self.sets.entry(position, entry)?;
            plane_words(&entry.position, planes);
        }
        self.evaluator.evaluate_into(Planes::Bits(&self.planes), positions.len(), &mut self.evaluation);
        let mut sums = EvaluationSums { positions: positions.len() as u64, ..EvaluationSums::default() };
        for (entry, logits) in self.entries.iter_mut().zip(self.evaluation.policy.chunks_exact(labels)) {
            policy_target(entry, &mut self.target);
            sums.policy(entry, logits, &self.target, &mut self.moves);
        }
        for (entry, found) in self.entries.iter().zip(&self.evaluation.value) {
            if let Some(result) = entry.result {
                sums.value(f64::from(*found), f64::from(win_rate(result)));
            }
        }
        Ok(sums)
    }
}

impl EvaluationSums {
    fn policy<G: PositionGame>(
        &mut self,
        entry: &mut PositionEntry<G>,
        logits: &[f32],
        target: &[(u32, f32)],
        moves: &mut G::Moves,
    ) {
        let Some(&(best, _)) = target.iter().reduce(|best, one| if one.1 > best.1 { one } else { best }) else {
            return;
        };
        let best = logits[best as usize];
        let greater = logits.iter().filter(|logit| **logit > best).count();
        entry.position.moves(moves);
        let legal = moves.each().filter_map(|mv| entry.position.label(mv));
        let legal = legal.map(|label| logits[label]).fold(f32::NEG_INFINITY, f32::max);
        self.moves += 1;
        self.top1 += u64::from(greater == 0);
        self.top3 += u64::from(greater < 3);
        self.legal += u64::from(best >= legal);
        let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f64 = logits.iter().map(|logit| f64::from((logit - most).exp())).sum();
        let aimed: f64 = target.iter().map(|(label, p)| f64::from(*p) * f64::from(logits[*label as usize])).sum();
        self.policy_loss += f64::from(most) + sum.ln() - aimed;
    }

    fn value(&mut self, found: f64, result: f64) {
        let p = found.clamp(1e-7, 1.0 - 1e-7);
        self.results += 1;
        self.value_loss -= result * p.ln() + (1.0 - result) * (1.0 - p).ln();
        if result != 0.5 {
            self.decided += 1;
            self.right += u64::from((found > 0.5) == (result > 0.5));
        }
    }

    fn add(&mut self, other: &EvaluationSums) {
        self.positions += other.positions;
        self.moves += other.moves;
        self.top1 += other.top1;
        self.top3 += other.top3;
        self.legal += other.legal;
        self.policy_loss += other.policy_loss;
        self.results += other.results;
        self.decided += other.decided;
        self.right += other.right;
        self.value_loss += other.value_loss;
    }

    fn figures(&self) -> NetworkEvaluation {
        NetworkEvaluation {
            positions: self.positions,
            policy_accuracy: mean(self.top1 as f64, self.moves),
            policy_top3: mean(self.top3 as f64, self.moves),
            policy_accuracy_legal: mean(self.legal as f64, self.moves),
            policy_cross_entropy: mean(self.policy_loss, self.moves),
            value_accuracy: mean(self.right as f64, self.decided),
            value_cross_entropy: mean(self.value_loss, self.results),
        }
    }
}

/// A mean with six decimals, which text and back do not change; `None` of nothing.
pub(super) fn mean(sum: f64, count: u64) -> Option<f64> {
    (count > 0).then(|| rounded(sum / count as f64))
}

/// Six decimals.
pub(super) fn rounded(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

/// An evaluation of a network on data sets.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NetworkEvaluationJob {
    /// The network.
    pub net: PathBuf,
    /// The data sets.
    pub data: Vec<PathBuf>,
    /// At most so many positions, chosen at random; all by default.
    pub positions: Option<usize>,
    /// Threads; all cores by default.
    pub threads: Option<usize>,
}

impl NetworkEvaluationJob {
    /// Evaluates a network that was read from the file.
    ///
    /// # Errors
    /// A data set cannot be used, or the work was cancelled.
    pub fn run<G: PositionGame>(&self, network: &Network, context: Context<'_>) -> Result<NetworkEvaluation, JobError> {
        let sets = PositionSets::<G>::open(&self.data).map_err(JobError::input)?;
        if sets.is_empty() {
            return Err(JobError::field("data", "there is no position in it"));
        }
        let positions = sample(sets.len(), self.positions.unwrap_or(usize::MAX));
        let (threads, total) = (self.threads.unwrap_or_else(cores), positions.len() as u64);
        let progress = |done: u64| context.report(done, total);
        evaluate(network, &sets, &positions, threads, context, &progress)
            .map_err(JobError::input)?
            .ok_or_else(|| JobError::Cancelled("interrupted".to_owned()))
    }
}
