//! The trainer finds known weights, on any number of threads, without use of the held-out set.

use tesuji_learn::{Holdout, Model, Sample, Samples, TrainedStage, TrainingConfig, Weights, train};
use tesuji_task::{CancelToken, Context};

use crate::toy::{Coins, Toy, games};

pub(crate) const HOLDOUT: Holdout = Holdout { seed: 5, every: 10 };

pub(crate) fn config() -> TrainingConfig {
    TrainingConfig { iterations: 40, step: 1.0, ridge: 0.01, smooth: 0.0, stages: 0..4, holdout: HOLDOUT }
}

pub(crate) fn trained(samples: &Samples<Coins>, config: &TrainingConfig, threads: usize) -> Vec<TrainedStage> {
    let cancel = CancelToken::new();
    let context = Context::silent(&cancel);
    let trained = train(&Toy, samples, &Weights::zero(&Toy), config, threads, None, context);
    trained.ok().flatten().expect("it was not cancelled")
}

#[test]
fn known_weights_are_found() {
    for stage in trained(&games(6000, 0, 1), &config(), 2) {
        let [seen, held] = stage.curve.last().unwrap();
        assert!(held.count > 100, "stage {} has {} held-out positions", stage.stage, held.count);
        assert!(seen.mean() < 0.01 && held.mean() < 0.02, "stage {}: {seen:?} {held:?}", stage.stage);
        assert!(stage.curve[0][1].mean() > 0.5, "before the first iteration the error is large");
    }
}

#[test]
fn noise_is_averaged_out() {
    let noisy = trained(&games(4000, 200, 2), &config(), 1);
    let clean = games(500, 0, 3);
    for stage in noisy {
        let mut sum = 0.0;
        for sample in clean.stage(stage.stage) {
            let mut list = vec![0; Toy.features()];
            Toy.active_features(&sample.position, &mut list);
            let estimate: f32 = list.iter().map(|&weight| stage.weights[weight as usize]).sum();
            sum += (estimate - f32::from(sample.label) / 100.0).abs();
        }
        let mean = sum / clean.stage(stage.stage).len() as f32;
        assert!(mean < 0.25, "stage {}: off by {mean} where labels were off by 1", stage.stage);
    }
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let samples = games(500, 100, 4);
    let config = TrainingConfig { smooth: 0.3, ridge: 2.0, ..config() };
    let one = trained(&samples, &config, 1);
    for threads in [2, 3, 8] {
        assert_eq!(one, trained(&samples, &config, threads));
    }
}

#[test]
fn the_held_out_set_is_not_trained_on() {
    let samples = games(600, 50, 6);
    // The same games, with nonsense labels in the held-out set.
    let mut spoilt = Samples::new(&Toy);
    for stage in 0..4 {
        for &sample in samples.stage(stage) {
            let label = if HOLDOUT.contains(sample.game) { 30_000 } else { sample.label };
            spoilt.push(&Toy, Sample { label, ..sample });
        }
    }
    let config = TrainingConfig { smooth: 0.5, ..config() };
    let (right, wrong) = (trained(&samples, &config, 1), trained(&spoilt, &config, 1));
    for (right, wrong) in right.iter().zip(&wrong) {
        assert_eq!(right.weights, wrong.weights);
        assert_eq!(right.curve.last().unwrap()[0], wrong.curve.last().unwrap()[0]);
        assert_ne!(right.curve.last().unwrap()[1], wrong.curve.last().unwrap()[1]);
    }
}

#[test]
fn the_held_out_set_has_the_requested_size() {
    for seed in 0..5 {
        let holdout = Holdout { seed, every: 20 };
        let kept = (0..20_000).filter(|&game| holdout.contains(game)).count();
        assert!((900..1100).contains(&kept), "{kept} of 20,000");
        assert!((0..20_000).any(|game| holdout.contains(game) != HOLDOUT.contains(game)));
    }
    assert!((0..1000).all(|game| !Holdout { seed: 1, every: 0 }.contains(game)));
}

#[test]
fn a_ridge_limits_rare_weights() {
    // One sample of 64 points: with a strong ridge the fit stays below it.
    let mut samples = Samples::new(&Toy);
    samples.push(&Toy, Sample { position: 0, label: 6400, game: 1 });
    let stage = Toy.stage(&0);
    let at = |ridge: f32| {
        let config = TrainingConfig { ridge, holdout: Holdout { seed: 0, every: 0 }, ..config() };
        let weights = &trained(&samples, &config, 1)[stage].weights;
        (0..7).map(|pair| weights[9 * pair]).sum::<f32>()
    };
    assert!((at(0.001) - 64.0).abs() < 0.1);
    assert!((at(7.0) - 32.0).abs() < 0.1, "7 weights of a sample against a ridge of 7: half the way");
}

#[test]
fn a_stage_without_samples_learns_from_adjacent_ones() {
    let samples = games(300, 0, 7);
    let mut lonely = Samples::new(&Toy);
    samples.stage(1).iter().for_each(|&sample| lonely.push(&Toy, sample));
    let alone = trained(&lonely, &config(), 1);
    let smoothed = trained(&lonely, &TrainingConfig { smooth: 0.3, ..config() }, 1);
    assert!(alone[2].weights.iter().all(|&weight| weight == 0.0));
    assert!(smoothed[2].weights.iter().any(|&weight| weight != 0.0));
}
