//! What came of a training: the errors of each stage on the games kept back.

use std::path::Path;

use serde_json::json;
use tesuji_learn::{ErrorStats, Holdout, LABEL_SCALE, Model, Samples, Weights};

use crate::failure::Done;
use crate::out::Out;

/// The errors of weights on the games kept back, stage by stage.
pub(super) fn errors<M: Model>(
    model: &M,
    samples: &Samples<M::Position>,
    holdout: Holdout,
    weights: &Weights,
) -> Vec<ErrorStats> {
    let mut list = Vec::new();
    let stage = |stage: usize| {
        let mut errors = ErrorStats::default();
        for sample in samples.stage(stage).iter().filter(|sample| holdout.contains(sample.game)) {
            let truth = f64::from(sample.label) / f64::from(LABEL_SCALE);
            errors.add(weights.evaluate(model, &sample.position, &mut list) - truth);
        }
        errors
    };
    (0..model.stages()).map(stage).collect()
}

pub(super) fn tell<M: Model>(
    model: &M,
    samples: &Samples<M::Position>,
    holdout: Holdout,
    weights: &Weights,
    path: &Path,
    as_json: bool,
    out: &mut Out,
) -> Done {
    let stages = errors(model, samples, holdout, weights);
    let mut all = ErrorStats::default();
    stages.iter().for_each(|errors| all.merge(errors));
    if as_json {
        for (stage, errors) in stages.iter().enumerate() {
            out.json(
                "train",
                json!({ "event": "stage", "stage": stage, "positions": errors.count,
                "mean": errors.mean(), "rms": errors.rms() }),
            )?;
        }
        return out.json(
            "train",
            json!({ "event": "final", "weights": path.display().to_string(),
            "model": model.name(), "positions": all.count, "mean": all.mean(), "rms": all.rms() }),
        );
    }
    out.line("errors in discs on the games kept back")?;
    out.line(format_args!("{:>5} {:>10} {:>8} {:>8}", "stage", "positions", "mean", "rms"))?;
    let rows = stages.iter().enumerate().map(|(stage, errors)| (stage.to_string(), errors));
    for (name, errors) in rows.chain([("all".to_owned(), &all)]) {
        let (count, mean, rms) = (errors.count, errors.mean(), errors.rms());
        out.line(format_args!("{name:>5} {count:>10} {mean:>8.3} {rms:>8.3}"))?;
    }
    out.line(format_args!("weights in {}", path.display()))
}
