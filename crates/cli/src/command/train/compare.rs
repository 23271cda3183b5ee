//! `tesuji train --eval`: evaluations side by side on the held-out set.

use tesuji_registry::{CompareJob, CompareResponse, GameHandle};
use tesuji_report::grouped;

use super::warn;
use crate::args;
use crate::failure::Done;
use crate::out::Out;

pub(super) fn run(game: &GameHandle, args: &args::Train, names: &[String], out: &mut Out) -> Done {
    let job = CompareJob { data: args.data.clone(), evaluations: names.to_vec(), seed: args.seed };
    let CompareResponse { evaluations, warnings } = game.compare_evaluations(&job)?;
    warn(&warnings);
    if args.json.json {
        return evaluations.iter().flatten().try_for_each(|row| out.json("train-compare", row));
    }
    out.line("mean error and root mean square error, in discs, on the held-out set")?;
    let columns = || evaluations.iter().filter_map(|rows| rows.first());
    let fitted: Vec<&str> = columns().filter(|row| row.fitted).map(|row| row.name.as_str()).collect();
    if !fitted.is_empty() {
        out.line(format_args!(
            "{}: hand-written, in units of their own; scaled by linear regression at each stage",
            fitted.join(", ")
        ))?;
    }
    let head: String = columns().map(|row| format!(" {:>17}", row.name)).collect();
    out.line(format_args!("{:>5} {:>11}{head}", "stage", "positions"))?;
    for (index, first) in evaluations.first().into_iter().flatten().enumerate() {
        let name = first.stage.map_or_else(|| "all".to_owned(), |stage| stage.to_string());
        let row = |rows: &Vec<_>| -> String {
            let row: &tesuji_registry::ComparedErrors = &rows[index];
            format!(" {:>8.3} {:>8.3}", row.mean, row.rms)
        };
        let errors: String = evaluations.iter().map(row).collect();
        out.line(format_args!("{name:>5} {:>11}{errors}", grouped(first.positions)))?;
    }
    Ok(())
}
