//! What is told of each class of a table: a row, and the first entries that are wrong.

use serde_json::{Value as Json, json};
use tesuji_game::{HasPerfectIndex, MoveList, NO_MOVE, PerfectIndex};
use tesuji_solve::retrograde::{BoardValue, ValueMismatch};
use tesuji_solve::tablebase::Metric;

use super::entries::{Class, Proof};
use crate::command::solve::summary::grouped;
use crate::entry::Playable;
use crate::failure::Done;
use crate::out::Out;

/// The heads of the columns.
pub(super) fn heads(out: &mut Out) -> Done {
    out.line(format_args!(
        "{:<8}{:<6}{:>15}{:>15}{:>9}{:>9}",
        "class", "file", "boards", "entries", "wrong", "seconds"
    ))
}

/// Class and file; boards, entries looked at and wrong ones.
pub(super) fn row(names: [&str; 2], counts: [u64; 3], seconds: f64, out: &mut Out) -> Done {
    let ([class, file], [boards, entries, wrong]) = (names, counts.map(grouped));
    out.line(format_args!("{class:<8}{file:<6}{boards:>15}{entries:>15}{wrong:>9}{seconds:>9.1}"))
}

/// A class, and what is wrong with it.
pub(super) fn class<G: Playable + HasPerfectIndex, R: PerfectIndex<Board = G>>(
    game: &R,
    class: &Class,
    json: bool,
    out: &mut Out,
) -> Done {
    let Class { facts, looked, proof, seconds, .. } = class;
    let exact = facts.metric == Metric::Dtw;
    if json {
        let wrong: Vec<Json> =
            looked.shown.iter().map(|wrong| wrong_json::<G, R>(game, wrong, exact)).collect();
        return out.json(
            "verify",
            json!({ "event": "class", "game": G::NAME, "class": facts.name,
                "file": facts.path.display().to_string(), "boards": facts.boards,
                "entries": looked.boards, "wrong": looked.wrong, "first_wrong": wrong,
                "proof": proof_word(*proof), "seconds": seconds }),
        );
    }
    let ending = if exact { "table" } else { "wdl" };
    row([&facts.name, ending], [facts.boards, looked.boards, looked.wrong], *seconds, out)?;
    for wrong in &looked.shown {
        let Some(board) = game.unrank(wrong.class, wrong.index) else {
            out.line(format_args!("  number {} is no board and should be worth nothing", wrong.index))?;
            continue;
        };
        let board = board.forbidding(NO_MOVE);
        let (said, right) = (words(board, wrong.stored, exact), words(board, wrong.derived, exact));
        out.line(format_args!("  {}: {said}; right would be: {right}", board.print()))?;
    }
    Ok(())
}

/// What is not proven, for whoever believes too much.
pub(super) const UNPROVEN: &str = "every draw is proven; wins and losses agree with each other, which a circle of them would too: only a table \
     with plies proves them";

fn proof_word(proof: Proof) -> &'static str {
    match proof {
        Proof::Derived => "derived",
        Proof::Consistent => "consistent",
        Proof::Compared => "compared",
    }
}

fn wrong_json<G: Playable + HasPerfectIndex, R: PerfectIndex<Board = G>>(
    game: &R,
    wrong: &ValueMismatch,
    exact: bool,
) -> Json {
    let board = game.unrank(wrong.class, wrong.index).map(|board| board.forbidding(NO_MOVE));
    let worth = |value| board.map(|board| words(board, value, exact));
    json!({ "index": wrong.index, "position": board.map(|board| board.print()),
        "said": worth(wrong.stored), "right": worth(wrong.derived) })
}

/// `loss in 4`, and what a move being forbidden makes of it.
fn words<G: Playable + HasPerfectIndex>(board: G, value: BoardValue, exact: bool) -> String {
    let worth = |value: u8| match (value, exact) {
        (0, _) => "draw".to_owned(),
        (1, _) => "win in 1".to_owned(),
        (won, true) if won % 2 == 1 => format!("win in {won}"),
        (lost, true) => format!("loss in {lost}"),
        (won, false) if won % 2 == 1 => "win".to_owned(),
        _ => "loss".to_owned(),
    };
    let first = worth(value.first);
    if value.mv >= NO_MOVE {
        return first;
    }
    let name = named(board, value.mv);
    format!("{first}, without {name} {}", worth(value.second))
}

/// The name of a move; its number, as what a wrong entry says need not be a move of this board.
pub(super) fn named<G: Playable + HasPerfectIndex>(mut board: G, number: u8) -> String {
    let mut moves = G::Moves::default();
    board.moves(&mut moves);
    let found = moves.each().find(|&mv| G::move_number(mv) == number);
    found.map_or_else(|| format!("move {number}"), |mv| board.print_move(mv))
}
