//! How weights were made, in lines of text that go into their file: the same lines, the same weights.

use std::fmt::Write;

use tesuji_learn::{Model, TrainedStage, TrainingConfig, Weights};

use super::sets::Sets;
use crate::args;

/// What is known before the training.
pub(super) fn begin<M: Model>(
    model: &M,
    sets: &Sets<M::Position>,
    from: &Weights,
    args: &args::Train,
    plan: &TrainingConfig,
) -> String {
    let args::Train { step, iterations, ridge, smooth, seed, plain, .. } = args;
    let plain = if *plain { " --plain" } else { "" };
    let stages = format!("{}..{}", plan.stages.start, plan.stages.end - 1);
    let mut story = format!(
        "{} by tesuji {}\n--step {step} --iterations {iterations} --ridge {ridge} --smooth {smooth} --seed {seed} \
         --stages {stages}{plain}, one game in {} kept back\n",
        model.name(),
        env!("CARGO_PKG_VERSION"),
        plan.holdout.every
    );
    // Writing to a string cannot fail.
    for (name, count, origin) in &sets.origins {
        let _ = writeln!(story, "data {name}: {count} samples, {}", origin.replace('\n', "; "));
    }
    let _ = writeln!(story, "all data {:016x}", sets.samples.fingerprint(model));
    if args.from.is_some() {
        let _ = writeln!(story, "continued from weights that were made so:");
        from.provenance().lines().for_each(|line| {
            let _ = writeln!(story, "  {line}");
        });
        let _ = writeln!(story, "  sum {:08x}", from.checksum());
    }
    story
}

/// The same with what came of it.
pub(super) fn end(story: &str, trained: &[TrainedStage]) -> String {
    let mut story = story.to_owned();
    for stage in trained {
        if let Some([seen, held]) = stage.curve.last() {
            let _ = writeln!(
                story,
                "stage {}: mean error {:.3} on {}, kept back {:.3} on {}",
                stage.stage,
                seen.mean(),
                seen.count,
                held.mean(),
                held.count
            );
        }
    }
    story
}
