//! What is there to be found is found, by any number of threads, without a look at what is kept back.

use tesuji_learn::{Control, Holdout, Model, News, Plan, Sample, Samples, Stage, Weights, train};

use crate::toy::{Coins, Toy, games};

pub(crate) const HOLDOUT: Holdout = Holdout { seed: 5, every: 10 };

pub(crate) fn plan() -> Plan {
    Plan { iterations: 40, step: 1.0, ridge: 0.01, smooth: 0.0, stages: 0..4, holdout: HOLDOUT }
}

fn go(_: News) -> Control {
    Control::Continue
}

pub(crate) fn trained(samples: &Samples<Coins>, plan: &Plan, threads: usize) -> Vec<Stage> {
    let trained = train(&Toy, samples, &Weights::zero(&Toy), plan, threads, None, &go);
    trained.ok().flatten().expect("nobody stopped it")
}

#[test]
fn a_known_rule_is_found() {
    for stage in trained(&games(6000, 0, 1), &plan(), 2) {
        let [seen, held] = stage.curve.last().unwrap();
        assert!(held.count > 100, "stage {} is judged by {} positions", stage.stage, held.count);
        assert!(seen.mean() < 0.01 && held.mean() < 0.02, "stage {}: {seen:?} {held:?}", stage.stage);
        assert!(stage.curve[0][1].mean() > 0.5, "before the first step the error is large");
    }
}

#[test]
fn noise_is_averaged_out() {
    let noisy = trained(&games(4000, 200, 2), &plan(), 1);
    let clean = games(500, 0, 3);
    for stage in noisy {
        let mut sum = 0.0;
        for sample in clean.stage(stage.stage) {
            let mut list = vec![0; Toy.features()];
            Toy.list(&sample.position, &mut list);
            let estimate: f32 = list.iter().map(|&weight| stage.weights[weight as usize]).sum();
            sum += (estimate - f32::from(sample.label) / 100.0).abs();
        }
        let mean = sum / clean.stage(stage.stage).len() as f32;
        assert!(mean < 0.25, "stage {}: off by {mean} where labels were off by 1", stage.stage);
    }
}

#[test]
fn threads_change_nothing() {
    let samples = games(500, 100, 4);
    let plan = Plan { smooth: 0.3, ridge: 2.0, ..plan() };
    let one = trained(&samples, &plan, 1);
    for threads in [2, 3, 8] {
        assert_eq!(one, trained(&samples, &plan, threads));
    }
}

#[test]
fn what_is_kept_back_is_not_trained_on() {
    let samples = games(600, 50, 6);
    // The same games, with nonsense in those that are kept back.
    let mut spoilt = Samples::new(&Toy);
    for stage in 0..4 {
        for &sample in samples.stage(stage) {
            let label = if HOLDOUT.keeps(sample.game) { 30_000 } else { sample.label };
            spoilt.push(&Toy, Sample { label, ..sample });
        }
    }
    let plan = Plan { smooth: 0.5, ..plan() };
    let (right, wrong) = (trained(&samples, &plan, 1), trained(&spoilt, &plan, 1));
    for (right, wrong) in right.iter().zip(&wrong) {
        assert_eq!(right.weights, wrong.weights);
        assert_eq!(right.curve.last().unwrap()[0], wrong.curve.last().unwrap()[0]);
        assert_ne!(right.curve.last().unwrap()[1], wrong.curve.last().unwrap()[1]);
    }
}

#[test]
fn about_as_many_games_are_kept_back_as_asked() {
    for seed in 0..5 {
        let holdout = Holdout { seed, every: 20 };
        let kept = (0..20_000).filter(|&game| holdout.keeps(game)).count();
        assert!((900..1100).contains(&kept), "{kept} of 20,000");
        assert!((0..20_000).any(|game| holdout.keeps(game) != HOLDOUT.keeps(game)));
    }
    assert!((0..1000).all(|game| !Holdout { seed: 1, every: 0 }.keeps(game)));
}

#[test]
fn a_ridge_holds_rare_weights_back() {
    // One position, seen once, says 64 discs: a strong ridge does not believe it.
    let mut samples = Samples::new(&Toy);
    samples.push(&Toy, Sample { position: 0, label: 6400, game: 1 });
    let stage = Toy.stage(&0);
    let at = |ridge: f32| {
        let plan = Plan { ridge, holdout: Holdout { seed: 0, every: 0 }, ..plan() };
        let weights = &trained(&samples, &plan, 1)[stage].weights;
        (0..7).map(|pair| weights[9 * pair]).sum::<f32>()
    };
    assert!((at(0.001) - 64.0).abs() < 0.1);
    assert!((at(7.0) - 32.0).abs() < 0.1, "7 weights of a sample against a ridge of 7: half the way");
}

#[test]
fn neighbours_teach_a_stage_that_has_nothing() {
    let samples = games(300, 0, 7);
    let mut lonely = Samples::new(&Toy);
    samples.stage(1).iter().for_each(|&sample| lonely.push(&Toy, sample));
    let alone = trained(&lonely, &plan(), 1);
    let taught = trained(&lonely, &Plan { smooth: 0.3, ..plan() }, 1);
    assert!(alone[2].weights.iter().all(|&weight| weight == 0.0));
    assert!(taught[2].weights.iter().any(|&weight| weight != 0.0));
}
