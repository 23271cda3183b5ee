//! A toy game: letters have hidden values, words of three letters are features, and letters are their factors.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tesuji_task::{CancelToken, Context, Progress};

use super::*;
use crate::JobError;

const LETTERS: usize = 6;
const WORDS: usize = LETTERS * LETTERS * LETTERS;

fn hidden_value(letter: usize) -> f32 {
    (letter as f32 * 1.3).sin()
}

fn letters(word: usize) -> [usize; 3] {
    [word / (LETTERS * LETTERS), word / LETTERS % LETTERS, word % LETTERS]
}

/// The weight of a word is its own and those of its letters.
fn toy_factors() -> Factors {
    Factors::new(WORDS, |word, add| {
        add(word);
        letters(word).into_iter().for_each(|letter| add(WORDS + letter));
    })
}

/// Positions of four words each, whose win rates follow from the letters.
fn toy_data(seed: u64, positions: usize) -> SparseData {
    let mut data = SparseData::default();
    let mut state = seed;
    for _ in 0..positions {
        let words: Vec<u32> = (0..4)
            .map(|_| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                ((state >> 33) % WORDS as u64) as u32
            })
            .collect();
        let logit: f32 = words.iter().flat_map(|&word| letters(word as usize)).map(hidden_value).sum();
        let rate = 1.0 / (1.0 + (-logit).exp());
        data.push(&words, rate, Some(if logit > 0.0 { 1.0 } else { 0.0 }));
    }
    data
}

fn settings() -> SparseSettings {
    SparseSettings { batch: 32, rate: 0.3, epochs: 3, checkpoint: Duration::ZERO, ..SparseSettings::default() }
}

/// Trains in a folder until `cancel_after` steps are done.
fn train(folder: &Path, cancel_after: Option<u64>) -> Result<SparseOutcome, JobError> {
    train_from(folder, None, cancel_after)
}

fn train_from(folder: &Path, start: Option<&[i16]>, cancel_after: Option<u64>) -> Result<SparseOutcome, JobError> {
    let (train, test, factors) = (toy_data(1, 1000), toy_data(2, 300), toy_factors());
    let training = SparseTraining {
        model: "toy/1",
        factors: &factors,
        start,
        scale: 1000.0,
        train: &train,
        test: &test,
        settings: &settings(),
        task: "toy\nline",
        out: &folder.join("toy.weights"),
    };
    let (cancel, steps) = (CancelToken::new(), AtomicU64::new(0));
    let progress = |_: Progress<'_>| {
        if cancel_after.is_some_and(|most| steps.fetch_add(1, Ordering::Relaxed) + 1 >= most) {
            cancel.cancel();
        }
    };
    training.run(Context { cancel: &cancel, progress: &progress }, &mut |_| {})
}

#[test]
fn what_can_be_learned_is_learned_and_rare_words_learn_from_their_letters() {
    let folder = tempfile::tempdir().unwrap();
    let outcome = train(folder.path(), None).unwrap();
    assert_eq!(outcome.points.len(), 3);
    let [first, last] = [outcome.points[0], outcome.points[2]].map(|point| point.test);
    assert!(last.excess() < first.excess() && last.excess() < 0.02, "{first:?} {last:?}");
    assert!(last.accuracy() > 0.95 && last.positions == 300, "{last:?}");
    // No word was seen often enough by itself: with 1000 positions, each some twenty times.
    let weights = outcome.weights.stage(0);
    let error = |word: usize| {
        let truth = letters(word).into_iter().map(hidden_value).sum::<f32>();
        (f32::from(weights[word]) / 1000.0 - truth).abs()
    };
    let mean = (0..WORDS).map(error).sum::<f32>() / WORDS as f32;
    assert!(mean < 0.35, "{mean}");
}

#[test]
fn an_interrupted_training_ends_with_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, parts] = ["whole", "parts"].map(|name| folder.path().join(name));
    [&whole, &parts].into_iter().for_each(|path| fs::create_dir(path).unwrap());
    let outcome = train(&whole, None).unwrap();
    let mut interruptions = 0;
    let resumed = loop {
        match train(&parts, Some(1 + interruptions % 5)) {
            Ok(outcome) => break outcome,
            Err(JobError::Cancelled(message)) => assert!(message.contains("of 3000 positions"), "{message}"),
            Err(error) => panic!("{error}"),
        }
        interruptions += 1;
        assert!(interruptions < 200);
    };
    assert!(interruptions >= 25, "{interruptions}");
    assert_eq!(resumed, outcome);
    let bytes = |folder: &Path| fs::read(folder.join("toy.weights")).unwrap();
    assert_eq!(bytes(&whole), bytes(&parts));
    assert!(!parts.join("toy.weights.checkpoint").exists());
    // Made before: not made again.
    let again = train(&whole, None).unwrap();
    assert!(again.existed && again.weights == outcome.weights);
    // A file of another kind is kept.
    fs::write(whole.join("toy.weights"), "junk").unwrap();
    assert!(matches!(train(&whole, None), Err(JobError::Input(_))));
    assert_eq!(fs::read(whole.join("toy.weights")).unwrap(), b"junk");
}

#[test]
fn a_checkpoint_that_does_not_fit_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(train(folder.path(), Some(7)), Err(JobError::Cancelled(_))));
    let path = folder.path().join("toy.weights.checkpoint");
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let refused = train(folder.path(), None);
    assert!(matches!(&refused, Err(JobError::Input(message)) if message.contains("damaged")), "{refused:?}");
}

#[test]
fn a_training_goes_on_from_given_weights() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second, other] = ["first", "second", "other"].map(|name| folder.path().join(name));
    [&first, &second, &other].into_iter().for_each(|path| fs::create_dir(path).unwrap());
    let from_nothing = train(&first, None).unwrap();
    let start = from_nothing.weights.stage(0).to_vec();
    let further = train_from(&second, Some(&start), None).unwrap();
    let loss = |outcome: &SparseOutcome, at: usize| outcome.points[at].test.excess();
    assert!(loss(&further, 0) < loss(&from_nothing, 0), "{} {}", loss(&further, 0), loss(&from_nothing, 0));
    assert!(loss(&further, 2) < loss(&from_nothing, 2), "{} {}", loss(&further, 2), loss(&from_nothing, 2));
    assert!(matches!(train_from(&other, Some(&[1, 2]), None), Err(JobError::Field { field: "continue", .. })));
}
