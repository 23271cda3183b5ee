//! A whole game: the value of every move and how much it lost.

use tesuji_registry::{
    GameAnalysisEvent, GameAnalysisRequest, GameAnalysisSummary, GameHandle, MoveAnalysis, RecordSource, Side,
    SideName, Value,
};
use tesuji_report::{EvaluatedMove, evaluation_plot};
use tesuji_store::save;

use super::graph::graph;
use crate::args;
use crate::command::load;
use crate::failure::{Done, Failure};
use crate::out::Out;

pub(super) fn run(game: &GameHandle, file: &str, args: &args::Analyze, out: &mut Out) -> Done {
    let source = RecordSource { bytes: load(file)?, format: args.format.clone(), file: Some(file.to_owned()) };
    let request = GameAnalysisRequest { source, index: args.index, engine: args.engine.request() };
    let json = args.json.json;
    let mut moves: Vec<MoveAnalysis> = Vec::new();
    let summary = out.events(
        |context, events| game.analyze_game(&request, context, events),
        |out, event| match event {
            GameAnalysisEvent::Started { .. } if json => Ok(()),
            GameAnalysisEvent::Started { plies, engine } => print_head(game, plies, &engine, out),
            GameAnalysisEvent::Move(analysis) => {
                let done = if json { out.json("analyze", &analysis) } else { print_move(game, &analysis, out) };
                moves.push(analysis);
                done
            }
        },
    )?;
    let values: Vec<Value> = moves.iter().map(MoveAnalysis::value_for_first).collect();
    if let Some(file) = &args.plot {
        let plotted: Vec<EvaluatedMove> = moves.iter().map(|analysis| evaluated(game, analysis)).collect();
        let svg = evaluation_plot(&plotted, game.players(), game.unit());
        save(file, svg.as_bytes()).map_err(|error| Failure::Failed(error.to_string()))?;
    }
    if json {
        return Ok(());
    }
    print_losses(game, &summary, out)?;
    out.line("")?;
    graph(&values, game.players()).iter().try_for_each(|line| out.line(line))
}

fn print_head(game: &GameHandle, plies: usize, engine: &str, out: &mut Out) -> Done {
    let [first, second] = game.players();
    out.line(format_args!("{first} against {second}, {plies} plies; engine {engine}"))?;
    out.line(format_args!("{:>4} {:<7} {:<9}{:>11} {:>7}   better", "ply", "", "move", "value", "loss"))
}

fn print_move(game: &GameHandle, analysis: &MoveAnalysis, out: &mut Out) -> Done {
    let MoveAnalysis { ply, mover, mv, loss, pv, .. } = analysis;
    let (better, loss) = match loss {
        0 => (String::new(), "·".to_owned()),
        loss => (pv[..pv.len().min(5)].join(" "), loss.to_string()),
    };
    let (player, value) = (game.player(*mover), analysis.value_text());
    let line = format!("{ply:>4} {player:<7} {mv:<9}{value:>11} {loss:>7}   {better}");
    out.line(line.trim_end())
}

fn evaluated(game: &GameHandle, analysis: &MoveAnalysis) -> EvaluatedMove {
    let MoveAnalysis { ply, mover, mv, loss, .. } = analysis;
    let value = analysis.value_for_first();
    let estimate = f64::from(value.get());
    EvaluatedMove {
        name: format!("{ply}. {} {mv}", game.player(*mover)),
        mover: Side::BOTH[mover.index()],
        value: if value.is_proven() { f64::INFINITY.copysign(estimate) } else { estimate },
        text: value.to_string(),
        loss: *loss,
    }
}

fn print_losses(game: &GameHandle, summary: &GameAnalysisSummary, out: &mut Out) -> Done {
    out.line("")?;
    for side in [SideName::First, SideName::Second] {
        let losses = summary.sides[side.index()];
        if losses.moves == 0 {
            continue;
        }
        let mean = losses.total as f64 / losses.moves as f64;
        let worst = match losses.worst {
            0 => String::new(),
            worst => format!(", the most at ply {} ({worst})", losses.worst_ply),
        };
        out.line(format_args!(
            "{:<7} lost {} in {} moves, {mean:.1} each{worst}",
            game.player(side),
            losses.total,
            losses.moves
        ))?;
    }
    Ok(())
}
