//! `tesuji train probcut`: the error model of Multi-ProbCut, measured and fitted.

use std::collections::BTreeMap;

use tesuji_registry::{DepthDifference, GameHandle, ProbCutJob, ProbCutResponse};
use tesuji_report::grouped;

use crate::args;
use crate::command::counted;
use crate::failure::Done;
use crate::out::Out;

/// Empty squares that share a line of the table.
const BAND: u32 = 10;

pub(super) fn run(game: &GameHandle, args: &args::TrainProbCut, out: &mut Out) -> Done {
    let job = ProbCutJob {
        data: args.searched.data.clone(),
        out: args.out.clone(),
        weights: args.searched.weights.clone(),
        positions: args.positions,
        depth: args.depth,
        solve: args.solve,
        seed: args.searched.seed,
        threads: args.searched.threads.get(),
        hash: args.searched.hash.map(|mib| mib as usize),
    };
    let ProbCutResponse { differences, summary } = out.operation(|_, context| Ok(game.fit_probcut(&job, context)?))?;
    if args.searched.json.json {
        differences.iter().try_for_each(|difference| out.json("train-cuts", difference))?;
        return out.json("train-cuts", &summary);
    }
    table(&differences, out)?;
    let positions = counted(summary.positions, "position");
    out.line(format_args!("{positions} measured, parameters in {}", summary.cuts))
}

/// Sums over the cells of one line of the table.
#[derive(Default)]
struct BandSums {
    count: f64,
    sum: f64,
    measured: f64,
    fitted: f64,
}

/// A line for each pair of depths in each band of empty squares. Searches to the end of the game have lines of their own.
fn table(differences: &[DepthDifference], out: &mut Out) -> Done {
    let mut bands: BTreeMap<(u32, u32, u32), BandSums> = BTreeMap::new();
    for cell in differences {
        let depth = if cell.depth == cell.empties { u32::MAX } else { cell.depth };
        let band = bands.entry((cell.empties / BAND, depth, cell.shallow)).or_default();
        let count = cell.count as f64;
        band.count += count;
        band.sum += count * cell.mean;
        band.measured += count * cell.measured.powi(2);
        band.fitted += count * cell.fitted.powi(2);
    }
    out.line("standard deviations and mean differences of deep searches from shallow ones, in discs")?;
    out.line(format_args!(
        "{:>7} {:>5} {:>7} {:>7} {:>8} {:>8} {:>7}",
        "empties", "depth", "shallow", "samples", "measured", "fitted", "mean"
    ))?;
    for ((band, depth, shallow), BandSums { count, sum, measured, fitted }) in bands {
        let empties = format!("{}-{}", band * BAND, band * BAND + BAND - 1);
        let depth = if depth == u32::MAX { "end".to_owned() } else { depth.to_string() };
        let samples = grouped(count as u64);
        let (measured, fitted, mean) = ((measured / count).sqrt(), (fitted / count).sqrt(), sum / count);
        out.line(format_args!(
            "{empties:>7} {depth:>5} {shallow:>7} {samples:>7} {measured:>8.2} {fitted:>8.2} {mean:>+7.2}"
        ))?;
    }
    Ok(())
}
