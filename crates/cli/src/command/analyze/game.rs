//! A whole game: the value of every move and how much it lost.

use std::path::Path;

use tesuji_registry::{
    GameAnalysisEvent, GameAnalysisRequest, GameAnalysisSummary, GameHandle, MoveAnalysis, RecordSource, Side,
    SideName, UnitValue, ValueUnit,
};
use tesuji_report::{EvaluatedMove, evaluation_plot};
use tesuji_store::{check_target, save};

use super::graph::graph;
use crate::args;
use crate::command::{counted, load};
use crate::failure::{Done, Failure};
use crate::out::Out;

pub(super) fn run(game: &GameHandle, file: &str, args: &args::Analyze, out: &mut Out) -> Done {
    if let Some(plot) = &args.plot {
        check_plot(plot)?;
    }
    let source = RecordSource { bytes: load(file)?, format: args.format.clone(), file: Some(file.to_owned()) };
    let request = GameAnalysisRequest { source, index: args.index.unwrap_or(1), engine: args.engine.request() };
    let json = args.json.json;
    let mut moves: Vec<MoveAnalysis> = Vec::new();
    let summary = out.events(
        |context, events| game.analyze_game(&request, context, events),
        |out, event| match event {
            GameAnalysisEvent::Move(analysis) => {
                let done = if json { out.json("analyze-game", &analysis) } else { print_move(game, &analysis, out) };
                moves.push(*analysis);
                done
            }
            _ if json => Ok(()),
            started => print_head(game, &started, out),
        },
    )?;
    let values: Vec<UnitValue> = moves.iter().filter_map(MoveAnalysis::value_for_first).collect();
    if let Some(file) = &args.plot {
        let plotted: Vec<EvaluatedMove> = moves.iter().filter_map(|analysis| evaluated(game, analysis)).collect();
        let unit = values.first().map_or(game.unit(), |value| value.unit);
        let svg = evaluation_plot(&plotted, game.players(), unit);
        save(file, svg.as_bytes()).map_err(|error| Failure::Failed(error.to_string()))?;
    }
    if json {
        return Ok(());
    }
    print_summary(game, &summary, &values, out)
}

/// What each side lost, and the chart of the values.
pub(super) fn print_summary(
    game: &GameHandle,
    summary: &GameAnalysisSummary,
    values: &[UnitValue],
    out: &mut Out,
) -> Done {
    print_losses(game, summary, out)?;
    out.line("")?;
    graph(values, game.players()).iter().try_for_each(|line| out.line(line))
}

/// Refuses a plot that could not be written after the work, or not as its name says.
fn check_plot(file: &str) -> Done {
    if !Path::new(file).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg")) {
        return Err(Failure::usage(format!("--plot {file}: plots are written as SVG; use a name that ends in .svg")));
    }
    check_target(file).map_err(|error| Failure::usage(format!("--plot {error}")))
}

/// The head of the table: who plays, the unit of the values, the engine.
pub(super) fn print_head(game: &GameHandle, started: &GameAnalysisEvent, out: &mut Out) -> Done {
    let GameAnalysisEvent::Started { names, plies, engine, unit } = started else { return Ok(()) };
    let plies = if *plies == 1 { "1 ply".to_owned() } else { format!("{plies} plies") };
    let player = |side: usize| match &names[side] {
        Some(name) => format!("{name} ({})", game.players()[side]),
        None => game.players()[side].to_owned(),
    };
    let (first, second) = (player(0), player(1));
    out.line(format_args!("{first} against {second}, {plies}; values in {unit} for the mover; engine {engine}"))?;
    out.line(format_args!("{:>4} {:<7} {:<9}{:>11} {:>7}   better", "ply", "", "move", "value", "loss"))
}

/// The line of a move: a bad one has its mark behind it.
pub(super) fn print_move(game: &GameHandle, analysis: &MoveAnalysis, out: &mut Out) -> Done {
    let MoveAnalysis { ply, mover, mv, loss, pv, mark, .. } = analysis;
    let mv = mark.map_or(mv.clone(), |mark| format!("{mv} {mark}"));
    let (better, loss) = match *loss {
        0.0 => (String::new(), "·".to_owned()),
        _ => (pv[..pv.len().min(5)].join(" "), analysis.loss_text()),
    };
    let (player, value) = (game.player(*mover), analysis.value_text());
    let line = format!("{ply:>4} {player:<7} {mv:<9}{value:>11} {loss:>7}   {better}");
    out.line(line.trim_end())
}

fn evaluated(game: &GameHandle, analysis: &MoveAnalysis) -> Option<EvaluatedMove> {
    let MoveAnalysis { ply, mover, mv, loss, .. } = analysis;
    Some(EvaluatedMove {
        name: format!("{ply}. {} {mv}", game.player(*mover)),
        mover: Side::BOTH[mover.index()],
        value: analysis.value_for_first()?,
        loss: *loss,
    })
}

fn print_losses(game: &GameHandle, summary: &GameAnalysisSummary, out: &mut Out) -> Done {
    out.line("")?;
    for side in [SideName::First, SideName::Second] {
        let losses = summary.sides[side.index()];
        if losses.moves == 0 {
            continue;
        }
        let unit = summary.unit.unwrap_or(game.unit());
        let worst = match losses.worst {
            0.0 => String::new(),
            worst => format!(", the most at ply {} ({})", losses.worst_ply, unit.amount(worst)),
        };
        // Means are small: one decimal more than single losses have.
        let mean = ValueUnit { decimals: unit.decimals + 1, ..unit }.amount(losses.total / losses.moves as f64);
        out.line(format_args!(
            "{:<7} lost {} {} in {}, {mean} each{worst}",
            game.player(side),
            unit.amount(losses.total),
            unit.name,
            counted(losses.moves, "move"),
        ))?;
    }
    Ok(())
}
