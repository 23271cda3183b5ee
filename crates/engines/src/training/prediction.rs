//! How often a static evaluation, one ply ahead, predicts the moves of records.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tesuji_game::perft::identity;
use tesuji_game::{Formats, Game, MoveList, Outcome, ParsedRecord, Symmetric};
use tesuji_learn::JobError;
use tesuji_task::{Context, cores};

use super::{SparseEvaluation, StaticEvaluation};
use crate::corpus::{Corpus, FileError};

/// Compares the moves of records with those that an evaluation prefers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PredictionJob {
    /// The weights; those that ship if absent.
    pub weights: Option<PathBuf>,
    /// Files of records.
    pub records: Vec<PathBuf>,
    /// Threads; all cores by default.
    pub threads: Option<usize>,
}

/// How often moves were predicted. Moves that lead to the same position are one move. Moves with equal values share a
/// place: each of `k` equal best moves counts as the best with a share of 1/k.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct PredictionCounts {
    /// Records with moves to compare.
    pub games: u64,
    /// Records left out because a move cannot be read.
    pub faulty_records: u64,
    /// Moves compared: all but forced ones.
    pub moves: u64,
    /// Moves that were the best of the evaluation.
    pub first: f64,
    /// Moves among the best three.
    pub first_three: f64,
    /// What a random choice would predict.
    pub random: f64,
    /// Moves that were the best, or led to a mirror image of what the best leads to.
    pub first_image: f64,
    /// What a random choice between positions that are no mirror images would predict.
    pub random_image: f64,
    /// Files that cannot be read or hold nothing of the game; the others are used.
    pub file_errors: Vec<FileError>,
}

impl PredictionCounts {
    fn add(&mut self, other: &PredictionCounts) {
        self.games += other.games;
        self.faulty_records += other.faulty_records;
        self.moves += other.moves;
        self.first += other.first;
        self.first_three += other.first_three;
        self.random += other.random;
        self.first_image += other.first_image;
        self.random_image += other.random_image;
    }
}

impl PredictionJob {
    /// Compares all moves.
    ///
    /// # Errors
    /// Weights or records that cannot be used, and cancellation.
    pub fn run<G: SparseEvaluation + Formats + Symmetric>(
        &self,
        context: Context<'_>,
    ) -> Result<PredictionCounts, JobError> {
        let evaluation = G::static_evaluation(self.weights.as_deref())?;
        let corpus = Corpus::open::<G>(&self.records, None)?;
        let mut counts = PredictionCounts::default();
        corpus.read::<G, _, _>(
            self.threads.unwrap_or_else(cores),
            context,
            |_| |_, parsed| compare(&evaluation, &parsed),
            |result| {
                match result {
                    Ok(found) => counts.add(&found),
                    Err(error) => counts.file_errors.push(error),
                }
                true
            },
        );
        match context.is_cancelled() {
            true => Err(JobError::Cancelled("interrupted".to_owned())),
            false if counts.moves == 0 => Err(JobError::field("records", "there is no move to compare with")),
            false => Ok(counts),
        }
    }
}

fn compare<G: Formats + Symmetric>(evaluation: &StaticEvaluation<G>, parsed: &ParsedRecord<G>) -> PredictionCounts {
    let mut counts = PredictionCounts::default();
    if parsed.fault.is_some() {
        counts.faulty_records = 1;
        return counts;
    }
    let mut position = parsed.record.start().clone();
    let mut moves = G::Moves::default();
    for played in parsed.record.plies() {
        position.moves(&mut moves);
        let all: Vec<Successor> = moves.each().map(|mv| Successor::of(evaluation, &mut position, mv)).collect();
        let own = moves.each().position(|mv| mv == played.mv);
        if let (Some(own), true) = (own.map(|at| &all[at]), all.len() > 1) {
            let [first, first_three, random] = places(&all, own, |successor| successor.position);
            let [first_image, _, random_image] = places(&all, own, |successor| successor.class);
            counts.moves += 1;
            counts.first += first;
            counts.first_three += first_three;
            counts.random += random;
            counts.first_image += first_image;
            counts.random_image += random_image;
        }
        position.play(played.mv);
    }
    counts.games = u64::from(counts.moves > 0);
    counts
}

/// Where a move leads.
struct Successor {
    /// Its value for the side that plays the move.
    value: i32,
    /// An identity of the position.
    position: u128,
    /// An identity of the position and its mirror images.
    class: u128,
}

impl Successor {
    fn of<G: Game + Symmetric>(evaluation: &StaticEvaluation<G>, position: &mut G, mv: G::Move) -> Successor {
        let undo = position.play(mv);
        let value = match position.outcome() {
            Some(Outcome::Loss) => i32::MAX,
            Some(Outcome::Win) => i32::MIN,
            Some(Outcome::Draw) => 0,
            None => -i32::from(evaluation(position).get()),
        };
        let images = (0..G::SYMMETRIES).map(|image| identity(&position.image(image)));
        let successor = Successor { value, position: identity(position), class: images.fold(u128::MAX, u128::min) };
        position.undo(undo);
        successor
    }
}

/// The shares with which a move is the first, among the first three, and drawn at random; successors of one `key` are
/// one.
fn places(all: &[Successor], own: &Successor, key: impl Fn(&Successor) -> u128) -> [f64; 3] {
    let mut distinct: BTreeMap<u128, i32> = all.iter().map(|successor| (key(successor), successor.value)).collect();
    // An attack may be found on one image and missed on another.
    distinct.insert(key(own), own.value);
    let better = distinct.values().filter(|value| **value > own.value).count() as f64;
    let equal = distinct.values().filter(|value| **value == own.value).count() as f64;
    let share = |places: f64| ((places - better) / equal).clamp(0.0, 1.0);
    [share(1.0), share(3.0), 1.0 / distinct.len() as f64]
}
