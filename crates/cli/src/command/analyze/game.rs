//! A whole record: what each move was worth, and what it gave away.

use std::time::Duration;

use serde_json::json;
use tesuji_game::{Outcome, Record, Side};
use tesuji_search::{CancelToken, Choice, Report, Value};
use tesuji_store::save;

use super::graph::graph;
use super::plot::{Point, plot};
use crate::args::{self, Source};
use crate::command::{each_record, player};
use crate::entry::{CliGame, Playable};
use crate::failure::{Done, Failure};
use crate::out::Out;
use crate::think::{Chosen, interrupted, raise_on_interrupt, value_json};

const USUAL: Duration = Duration::from_millis(500);

/// What the engine thinks of one position of the game.
struct Judged<M> {
    /// Seen by its mover.
    value: Value,
    line: Vec<M>,
    depth: u32,
}

pub(crate) fn run<G: Playable>(shelf: &CliGame<G>, args: &args::Analyze, out: &mut Out) -> Done {
    let record = pick::<G>(args)?;
    let mut chosen = Chosen::new(&shelf.engines, args.engine.as_deref(), &args.spend, USUAL)?;
    chosen.limits.afresh = true;
    let stop = CancelToken::new();
    raise_on_interrupt(&stop);
    if !args.json.json {
        let [first, second] = G::players();
        let counts = record.plies().len();
        out.line(format_args!("{first} against {second}, {counts} plies; engine {}", chosen.spec))?;
        out.line(format_args!("{:>4} {:<7} {:<9}{:>11} {:>7}   better", "ply", "", "move", "value", "loss"))?;
    }
    let mut losses = Losses::default();
    let (mut course, mut points) = (Vec::new(), Vec::new());
    let mut game = Record::with_rules(record.start().clone(), record.path().rules.clone());
    for (index, mv) in record.moves().enumerate() {
        let mover = game.now().mover();
        let from = game.now().clone();
        let text = from.print_move(mv);
        let before = judge(&mut chosen, &game, None, &stop);
        game.push(mv).map_err(|refusal| Failure::usage(format!("move {}: {refusal}", index + 1)))?;
        let is_best = before.line.first() == Some(&mv);
        // Looked at one ply less deep, the reply ends where the search before the move did: values of other
        // depths would tell of the depth, not of the move.
        let played = match is_best {
            true => before.value,
            false => judge(&mut chosen, &game, Some(before.depth), &stop).value.back(),
        };
        if interrupted() {
            return Err(Failure::No);
        }
        let loss = loss(before.value, played);
        losses.note(mover, index + 1, loss);
        course.push(if mover == Side::First { played } else { -played });
        points.push(Point { name: format!("{}. {} {text}", index + 1, player::<G>(mover)), mover, loss });
        let better = from.print_line(&before.line);
        if args.json.json {
            out.json(
                "analyze",
                &json!({
                    "ply": index + 1,
                    "mover": mover.to_string(),
                    "move": text,
                    "value": value_json(played),
                    "best": better.first(),
                    "best_value": value_json(before.value),
                    "loss": loss,
                    "depth": before.depth,
                    "pv": better,
                }),
            )?;
        } else {
            let better = if loss == 0 { String::new() } else { better[..better.len().min(5)].join(" ") };
            let loss = if loss > 0 { loss.to_string() } else { "·".to_owned() };
            let (who, value) = (player::<G>(mover), played.to_string());
            let line = format!("{:>4} {who:<7} {text:<9}{value:>11} {loss:>7}   {better}", index + 1);
            out.line(line.trim_end())?;
        }
    }
    if let Some(file) = &args.plot {
        let svg = plot(&course, &points, G::players(), shelf.matches.unit);
        save(file, svg.as_bytes()).map_err(|error| Failure::Failed(error.to_string()))?;
    }
    if args.json.json {
        return Ok(());
    }
    losses.tell::<G>(out)?;
    out.line("")?;
    graph(&course, G::players()).iter().try_for_each(|line| out.line(line))
}

/// The record that was asked for; one with a fault is refused.
fn pick<G: Playable>(args: &args::Analyze) -> Result<Record<G>, Failure> {
    let file = args.record.clone().unwrap_or_default();
    let source = Source { game: args.at.game.clone(), file, format: args.format.clone() };
    let (mut found, mut count) = (None, 0);
    each_record::<G>(&source, |index, reading| {
        count = index;
        if index == args.index {
            found = Some(reading);
        }
        Ok(())
    })?;
    let reading = found.ok_or_else(|| {
        Failure::usage(format!("--index {}: {:?} holds {count} records", args.index, source.file))
    })?;
    match reading.fault {
        Some(fault) => Err(Failure::usage(format!("{:?}: {fault}", source.file))),
        None => Ok(reading.record),
    }
}

/// The engine's word on where the game stands, one ply less deep than `behind` where that is given; the
/// result where it is over.
fn judge<G: Playable>(
    chosen: &mut Chosen<G>,
    record: &Record<G>,
    behind: Option<u32>,
    stop: &CancelToken,
) -> Judged<G::Move> {
    if let Some(ending) = record.ending() {
        let outcome = Outcome::of(ending.winner, record.now().mover());
        return Judged { value: Value::over(outcome), line: Vec::new(), depth: 0 };
    }
    let mut last: Option<Report<G::Move>> = None;
    let mut limits = chosen.limits.clone();
    if let Some(depth) = behind.filter(|&depth| depth > 0) {
        limits.depth = Some(depth.saturating_sub(1).max(1));
    }
    let choice = chosen.engine.think(record, &limits, stop, &mut |report| last = Some(report.clone()));
    let depth = last.as_ref().map_or(0, |report| report.depth);
    match (last.and_then(|report| report.lines.into_iter().next()), choice) {
        (Some(line), _) => Judged { value: line.value, line: line.moves, depth },
        (None, Choice::Move { mv, .. }) => Judged { value: Value::DRAW, line: vec![mv], depth },
        (None, Choice::Claim) => Judged { value: Value::win(1), line: Vec::new(), depth },
        (None, _) => Judged { value: Value::DRAW, line: Vec::new(), depth },
    }
}

/// What a move gave away, in the unit of the evaluation. Results count as far as an estimate can reach: to
/// win later than possible gives nothing away.
fn loss(best: Value, played: Value) -> i32 {
    let bounded = |value: Value| i32::from(value.get().clamp(-Value::LIMIT, Value::LIMIT));
    (bounded(best) - bounded(played)).max(0)
}

/// What each side gave away.
#[derive(Default)]
struct Losses {
    sides: [Vec<(usize, i32)>; 2],
}

impl Losses {
    fn note(&mut self, side: Side, ply: usize, loss: i32) {
        self.sides[side.index()].push((ply, loss));
    }

    fn tell<G: Playable>(&self, out: &mut Out) -> Done {
        out.line("")?;
        for side in Side::BOTH {
            let moves = &self.sides[side.index()];
            let Some(worst) = moves.iter().max_by_key(|(ply, loss)| (*loss, usize::MAX - ply)) else {
                continue;
            };
            let total: i64 = moves.iter().map(|(_, loss)| i64::from(*loss)).sum();
            let mean = total as f64 / moves.len() as f64;
            let worst = match worst {
                (_, 0) => String::new(),
                (ply, loss) => format!(", the most at ply {ply} ({loss})"),
            };
            let name = player::<G>(side);
            out.line(format_args!(
                "{name:<7} gave away {total} in {} moves, {mean:.1} each{worst}",
                moves.len()
            ))?;
        }
        Ok(())
    }
}
