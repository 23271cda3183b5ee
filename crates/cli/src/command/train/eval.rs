//! `tesuji train --eval`: evaluations beside each other, on the games kept back.

use std::path::Path;

use serde_json::json;
use tesuji_engines::Trainable;
use tesuji_learn::{ErrorStats, Holdout, LABEL_SCALE, LinearRegression, Model};

use super::sets::Sets;
use super::{load, table};
use crate::failure::{Done, Failure};
use crate::out::Out;

/// An evaluation and its errors, stage by stage.
struct Column {
    name: String,
    /// Whether it was made by hand, and so fitted to the scores by a straight line.
    fitted: bool,
    stages: Vec<ErrorStats>,
}

type Positions<G> = Sets<<<G as Trainable>::Model as Model>::Position>;

pub(super) fn run<G: Trainable>(
    model: &G::Model,
    sets: &Positions<G>,
    holdout: Holdout,
    names: &[String],
    as_json: bool,
    out: &mut Out,
) -> Done {
    let mut columns = Vec::new();
    for rival in G::RIVALS.iter().filter(|rival| names.is_empty() || names.iter().any(|name| name == *rival))
    {
        columns.push(by_hand::<G>(model, sets, holdout, rival)?);
    }
    for name in names.iter().filter(|name| !G::RIVALS.contains(&name.as_str())) {
        let path = Path::new(name);
        if !path.exists() {
            let known = G::RIVALS.join(", ");
            return Err(Failure::usage(format!(
                "--eval {name}: neither a file of weights nor one of {known}"
            )));
        }
        let weights = load(model, path)?;
        if weights.provenance().contains(" --seed ")
            && !weights.provenance().contains(&format!(" --seed {} ", holdout.seed))
        {
            eprintln!(
                "tesuji: {name} kept other games back (see --seed): it may have been trained on those it is judged by"
            );
        }
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let stages = table::errors(model, &sets.samples, holdout, &weights);
        columns.push(Column { name, fitted: false, stages });
    }
    if as_json { tell_json(model, &columns, out) } else { tell(model, &columns, out) }
}

/// An evaluation made by hand, with the straight line at each stage that suits it best.
fn by_hand<G: Trainable>(
    model: &G::Model,
    sets: &Positions<G>,
    holdout: Holdout,
    name: &str,
) -> Result<Column, Failure> {
    let mut stages = Vec::new();
    for stage in 0..model.stages() {
        let mut fit = LinearRegression::default();
        for sample in sets.samples.stage(stage).iter().filter(|sample| holdout.contains(sample.game)) {
            let value = G::judge(name, &G::at(&sample.position));
            let value = value.map_err(|error| Failure::usage(error.to_string()))?;
            fit.add(
                f64::from(value.get()) / f64::from(LABEL_SCALE),
                f64::from(sample.label) / f64::from(LABEL_SCALE),
            );
        }
        stages.push(fit.errors(fit.line()));
    }
    Ok(Column { name: name.to_owned(), fitted: true, stages })
}

fn all(column: &Column) -> ErrorStats {
    let mut all = ErrorStats::default();
    column.stages.iter().for_each(|errors| all.merge(errors));
    all
}

fn tell<M: Model>(model: &M, columns: &[Column], out: &mut Out) -> Done {
    out.line("mean error and root of the mean square, in discs, on the games kept back")?;
    let fitted: Vec<&str> =
        columns.iter().filter(|column| column.fitted).map(|column| column.name.as_str()).collect();
    if !fitted.is_empty() {
        out.line(format_args!(
            "{}: made by hand in units of their own, so scaled at each stage by the straight line that suits them best",
            fitted.join(", ")
        ))?;
    }
    let mut head = format!("{:>5} {:>10}", "stage", "positions");
    columns.iter().for_each(|column| head.push_str(&format!(" {:>17}", column.name)));
    out.line(head)?;
    for stage in 0..=model.stages() {
        let errors: Vec<ErrorStats> = columns
            .iter()
            .map(|column| column.stages.get(stage).copied().unwrap_or_else(|| all(column)))
            .collect();
        let name = if stage < model.stages() { stage.to_string() } else { "all".to_owned() };
        let mut line = format!("{name:>5} {:>10}", errors.first().map_or(0, |errors| errors.count));
        for errors in errors {
            line.push_str(&format!(" {:>8.3} {:>8.3}", errors.mean(), errors.rms()));
        }
        out.line(line)?;
    }
    Ok(())
}

fn tell_json<M: Model>(model: &M, columns: &[Column], out: &mut Out) -> Done {
    for column in columns {
        let figures = |errors: &ErrorStats| {
            json!({ "name": column.name, "fitted": column.fitted, "positions": errors.count,
                "mean": errors.mean(), "rms": errors.rms() })
        };
        for stage in 0..model.stages() {
            let mut fields = figures(&column.stages[stage]);
            fields["event"] = "stage".into();
            fields["stage"] = stage.into();
            out.json("train", fields)?;
        }
        let mut fields = figures(&all(column));
        fields["event"] = "final".into();
        out.json("train", fields)?;
    }
    Ok(())
}
