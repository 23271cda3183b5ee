//! Search results as USI responses.

use tesuji_game::{Claims, Notation, Record};
use tesuji_protocol::usi::{BestMove, Bound, Info, Response, Score, ScoreValue};
use tesuji_search::{self as search, Choice, Proven, PvLine, SearchReport};
use tesuji_shogi::{Move, Shogi};

use super::options::UsiOptions;
use crate::first_move;

/// `bestmove` for the choice of an engine.
pub(super) fn best_move(
    record: &Record<Shogi>,
    choice: Choice<Move>,
    last: Option<&SearchReport<Move>>,
    options: &UsiOptions,
) -> Response {
    let line = last.and_then(|report| report.lines.first());
    let (mv, reply) = match choice {
        Choice::Claim => return Response::BestMove(BestMove::Win),
        Choice::Resign => return Response::BestMove(BestMove::Resign),
        Choice::Move { mv, reply } => (Some(mv), reply),
        // Stopped before the first iteration, or panicked.
        Choice::Over => (line.and_then(|line| line.moves.first().copied()).or_else(|| first_move(record.now())), None),
    };
    if line.is_some_and(|line| i32::from(line.value.get()) <= -options.resign()) {
        return Response::BestMove(BestMove::Resign);
    }
    let expected = || line.filter(|line| line.moves.first().copied() == mv)?.moves.get(1).copied();
    let reply = reply.or_else(expected).filter(|_| options.ponder());
    let moves: Vec<Move> = mv.into_iter().chain(reply).collect();
    let mut words = record.now().print_line(&moves).into_iter();
    match words.next() {
        Some(mv) => Response::BestMove(BestMove::Move { mv, ponder: words.next() }),
        None => any_move(record),
    }
}

/// The answer to a game that is over, or that its mover can end by a declaration.
pub(super) fn known_answer(record: &Record<Shogi>) -> Option<Response> {
    if record.ending().is_some() {
        return Some(Response::BestMove(BestMove::Resign));
    }
    record.now().claim(&record.path().rules).then_some(Response::BestMove(BestMove::Win))
}

/// `bestmove` without a search: a legal move, or resignation where there is none.
pub(super) fn any_move(record: &Record<Shogi>) -> Response {
    Response::BestMove(match first_move(record.now()) {
        Some(mv) => BestMove::Move { mv: mv.to_string(), ponder: None },
        None => BestMove::Resign,
    })
}

/// `info` for one line of a report.
pub(super) fn info(now: &Shogi, report: &SearchReport<Move>, index: usize, line: &PvLine<Move>) -> Response {
    let seconds = report.time.as_secs_f64();
    let value = match line.value.proven() {
        Some(Proven::Win(plies)) => ScoreValue::MateIn(Some(plies.into())),
        Some(Proven::Loss(plies)) => ScoreValue::MatedIn(Some(plies.into())),
        None => ScoreValue::Centipawns(line.value.get().into()),
    };
    let bound = match line.bound {
        search::Bound::Exact => Bound::Exact,
        search::Bound::Lower => Bound::Lower,
        search::Bound::Upper => Bound::Upper,
    };
    Response::Info(Info {
        depth: Some(report.depth),
        seldepth: Some(report.seldepth.max(report.depth)),
        multipv: (report.lines.len() > 1).then_some(index as u32 + 1),
        score: Some(Score { value, bound }),
        time: Some(report.time),
        nodes: Some(report.nodes),
        nps: (seconds > 0.0).then(|| (report.nodes as f64 / seconds) as u64),
        hashfull: report.hashfull,
        currmove: None,
        pv: now.print_line(&line.moves),
        string: None,
    })
}
