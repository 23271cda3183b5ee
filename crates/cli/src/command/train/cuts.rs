//! `tesuji train cuts`: how far shallow searches of Othello are from deeper ones, measured and fitted.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::json;
use tesuji_engines::Trainable;
use tesuji_engines::othello::{Cuts, Depths, Gap, Study};
use tesuji_othello::Othello;
use tesuji_search::CancelToken;

use super::export::keep;
use super::sets::Sets;
use super::{pattern, threads};
use crate::args;
use crate::command::counted;
use crate::failure::{Done, Failure};
use crate::out::Out;
use crate::think::raise_on_interrupt;

/// Empty squares that share a line of the table.
const BAND: u32 = 10;

pub(crate) fn run(args: &args::TrainCuts, out: &mut Out) -> Done {
    if args.out.exists() {
        let path = args.out.display();
        return Err(Failure::usage(format!("{path} is there already: choose another name")));
    }
    let eval = pattern(args.weights.as_deref())?;
    let sets = Sets::load(&Othello::model(), &args.data)?;
    let positions = Study::positions(&sets.samples, args.positions as usize, args.seed);
    let depths = Depths { plies: args.depth, end: args.solve };
    let stop = CancelToken::new();
    raise_on_interrupt(&stop);
    let progress = out.progress(positions.len() as u64);
    let tell = |done: usize| progress.at(done as u64);
    let study = Study::measure(&eval, &positions, depths, threads(args.threads), &stop, &tell);
    progress.done();
    let study = study.ok_or_else(|| Failure::Failed("interrupted; nothing was written".to_owned()))?;
    let cuts = study.fit().ok_or_else(|| {
        Failure::usage("--data: too few positions to tell anything: give more sets, or --positions more")
    })?;
    keep(&args.out, cuts.print(&story(args, &sets, positions.len())).as_bytes())?;
    if args.json.json {
        return tell_json(&study, &cuts, &args.out, positions.len(), out);
    }
    tell_table(&study, &cuts, out)?;
    let path = args.out.display();
    out.line(format_args!("{} measured, error model in {path}", counted(positions.len(), "position")))
}

/// How the file came about: the same lines, the same parameters.
fn story<P>(args: &args::TrainCuts, sets: &Sets<P>, positions: usize) -> String {
    let args::TrainCuts { positions: each, depth, solve, seed, .. } = args;
    let weights = match &args.weights {
        None => "the weights that ship".to_owned(),
        Some(path) => path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(),
    };
    let mut story = format!(
        "by tesuji {} with {weights}\n--positions {each} --depth {depth} --solve {solve} --seed {seed}: {positions} in all",
        env!("CARGO_PKG_VERSION")
    );
    for (name, count, origin) in &sets.origins {
        story.push_str(&format!("\ndata {name}: {count} samples, {}", origin.replace('\n', "; ")));
    }
    story
}

/// The deviation that the model gives for all positions of a cell.
fn fitted(cuts: &Cuts, [empties, depth, shallow]: [u32; 3]) -> f64 {
    f64::from(cuts.deviation(empties, depth, shallow))
}

fn tell_json(study: &Study, cuts: &Cuts, path: &Path, positions: usize, out: &mut Out) -> Done {
    for (&at, gap) in &study.gaps {
        let [empties, depth, shallow] = at;
        out.json(
            "train-cuts",
            json!({ "event": "gap", "empties": empties, "depth": depth, "shallow": shallow, "count": gap.count,
            "measured": gap.deviation(), "fitted": fitted(cuts, at), "mean": gap.mean() }),
        )?;
    }
    out.json(
        "train-cuts",
        json!({ "event": "final", "cuts": path.display().to_string(), "positions": positions }),
    )
}

/// A line for every pair of depths in every band; those to the end of the game are told apart, since there the depth
/// is the number of empty squares.
fn tell_table(study: &Study, cuts: &Cuts, out: &mut Out) -> Done {
    let mut lines: BTreeMap<(u32, u32, u32), (Gap, f64)> = BTreeMap::new();
    for (&at, gap) in &study.gaps {
        let [empties, depth, shallow] = at;
        let depth = if depth == empties { u32::MAX } else { depth };
        let (sum, squares) = lines.entry((empties / BAND, depth, shallow)).or_default();
        sum.join(gap);
        *squares += gap.count as f64 * fitted(cuts, at).powi(2);
    }
    out.line("standard deviations and mean differences of deeper searches from shallow ones, in discs")?;
    out.line(format_args!(
        "{:>7} {:>5} {:>7} {:>7} {:>8} {:>8} {:>7}",
        "empties", "depth", "shallow", "samples", "measured", "fitted", "mean"
    ))?;
    for ((band, depth, shallow), (gap, squares)) in lines {
        let stage = format!("{}-{}", band * BAND, band * BAND + BAND - 1);
        let depth = if depth == u32::MAX { "end".to_owned() } else { depth.to_string() };
        let fitted = (squares / gap.count.max(1) as f64).sqrt();
        let (count, measured, mean) = (gap.count, gap.deviation(), gap.mean());
        out.line(format_args!(
            "{stage:>7} {depth:>5} {shallow:>7} {count:>7} {measured:>8.2} {fitted:>8.2} {mean:>+7.2}"
        ))?;
    }
    Ok(())
}
