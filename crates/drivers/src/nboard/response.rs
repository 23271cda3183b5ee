//! Search results as NBoard responses.

use tesuji_engines::HasEngines;
use tesuji_game::Notation;
use tesuji_othello::{Move, Othello};
use tesuji_protocol::nboard::{Response, SearchLine};
use tesuji_search::{Bound, SearchReport, Value};

/// The depth of a line that is solved to the end of the game.
pub(super) const SOLVED: &str = "100%";

/// A value in discs; 64 where the winner is proven and the margin is not known.
pub(super) fn discs(value: Value) -> f64 {
    Othello::UNIT.value(value, Bound::Exact, false).level()
}

/// `search` for every line of a report, best first.
pub(super) fn lines(now: &Othello, report: &SearchReport<Move>, depth: Option<&str>) -> Vec<Response> {
    let line = |line: &tesuji_search::PvLine<Move>| {
        let moves: String = now.print_line(&line.moves).iter().map(|mv| nboard_move(mv)).collect();
        let depth = depth.map_or_else(|| report.depth.max(1).to_string(), str::to_owned);
        Response::Search(SearchLine { moves, eval: discs(line.value), depth, text: String::new() })
    };
    report.lines.iter().filter(|line| !line.moves.is_empty()).map(line).collect()
}

/// A move as NBoard writes it: `F5`, `PA`.
pub(super) fn print_move(now: &Othello, mv: Move) -> String {
    nboard_move(&now.print_move(mv))
}

fn nboard_move(mv: &str) -> String {
    if mv == "pass" { "PA".to_owned() } else { mv.to_ascii_uppercase() }
}

#[cfg(test)]
mod tests {
    use tesuji_game::Game;

    use tesuji_search::ReportSource;

    use super::*;

    #[test]
    fn a_line_has_no_spaces_and_a_pass_is_pa() {
        // White has no move here; black then takes d1.
        let now = Othello::parse(&format!("{:-<64} O", "XXO")).unwrap();
        let moves = vec![Move::PASS, Move::from(tesuji_othello::Square::parse("d1").unwrap())];
        let line = tesuji_search::PvLine {
            value: Value::estimate(-10_600),
            bound: Bound::Exact,
            moves,
            rate: None,
            prior: None,
            solved: true,
        };
        let time = std::time::Duration::ZERO;
        let source = ReportSource::Search;
        let report = SearchReport { depth: 2, seldepth: 2, nodes: 3, time, hashfull: None, lines: vec![line], source };
        let text: Vec<String> = lines(&now, &report, None).iter().map(Response::to_string).collect();
        assert_eq!(text, ["search PAD1 -6 0 2"]);
        assert_eq!(lines(&now, &report, Some(SOLVED))[0].to_string(), "search PAD1 -6 0 100%");
        assert_eq!(discs(Value::estimate(125)), 1.25);
        assert_eq!(discs(Value::loss(3)), -64.0);
        assert!(now.outcome().is_none());
    }
}
