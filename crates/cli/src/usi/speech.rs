//! What the search found, in the words of the protocol.

use tesuji_game::{Notation, Record};
use tesuji_protocol::usi::{Answer, BestMove, Bound, News, Score, Worth};
use tesuji_search::{self as search, Choice, Line, Proven, Report};
use tesuji_shogi::{Move, Shogi};

use super::options::Options;
use super::position::any_move;

/// What to answer for an engine's choice.
pub(super) fn chosen(
    record: &Record<Shogi>,
    choice: Choice<Move>,
    last: Option<&Report<Move>>,
    options: &Options,
) -> Answer {
    let line = last.and_then(|report| report.lines.first());
    let (mv, reply) = match choice {
        Choice::Claim => return Answer::BestMove(BestMove::Win),
        Choice::Resign => return Answer::BestMove(BestMove::Resign),
        Choice::Move { mv, reply } => (Some(mv), reply),
        // Stopped before it had anything, or broken: any move is better than none.
        Choice::Over => {
            (line.and_then(|line| line.moves.first().copied()).or_else(|| any_move(record)), None)
        }
    };
    if line.is_some_and(|line| i32::from(line.value.get()) <= -options.resign()) {
        return Answer::BestMove(BestMove::Resign);
    }
    let expected = || line.filter(|line| line.moves.first().copied() == mv)?.moves.get(1).copied();
    let reply = reply.or_else(expected).filter(|_| options.ponder());
    let words: Vec<Move> = mv.into_iter().chain(reply).collect();
    let mut words = record.now().print_line(&words).into_iter();
    match words.next() {
        Some(mv) => Answer::BestMove(BestMove::Move { mv, ponder: words.next() }),
        None => best(any_move(record)),
    }
}

/// A move, or giving up where there is none.
pub(super) fn best(mv: Option<Move>) -> Answer {
    Answer::BestMove(match mv {
        Some(mv) => BestMove::Move { mv: mv.to_string(), ponder: None },
        None => BestMove::Resign,
    })
}

/// One line of a report.
pub(super) fn info(now: &Shogi, report: &Report<Move>, index: usize, line: &Line<Move>) -> Answer {
    let seconds = report.time.as_secs_f64();
    let worth = match line.value.proven() {
        Some(Proven::Win(plies)) => Worth::Mates(Some(plies.into())),
        Some(Proven::Loss(plies)) => Worth::IsMated(Some(plies.into())),
        None => Worth::Centipawns(line.value.get().into()),
    };
    let bound = match line.bound {
        search::Bound::Exact => Bound::Exact,
        search::Bound::Lower => Bound::Lower,
        search::Bound::Upper => Bound::Upper,
    };
    Answer::Info(News {
        depth: Some(report.depth),
        seldepth: Some(report.deepest.max(report.depth)),
        multipv: (report.lines.len() > 1).then_some(index as u32 + 1),
        score: Some(Score { worth, bound }),
        time: Some(report.time),
        nodes: Some(report.nodes),
        nps: (seconds > 0.0).then(|| (report.nodes as f64 / seconds) as u64),
        hashfull: report.full,
        currmove: None,
        pv: now.print_line(&line.moves),
        string: None,
    })
}
