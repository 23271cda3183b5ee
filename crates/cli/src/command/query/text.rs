//! Query results as text: the board, the value, and the moves in groups.

use std::fmt::Write;

use tesuji_registry::{BoardDescription, LineEntry, LineResponse, MoveEntry, QueryResponse};

use crate::draw::{Marks, Style, draw};

/// Columns of an ordinary terminal.
const WIDTH: usize = 78;
/// Where the text behind a label begins.
const LABEL: usize = 10;

/// How to write.
#[derive(Clone, Copy)]
pub(super) struct Page {
    /// The names of the players.
    pub(super) players: [&'static str; 2],
    pub(super) style: Style,
    /// Whether best moves may be in bold type.
    pub(super) bold: bool,
}

impl Page {
    /// A position and all its moves.
    pub(super) fn position(self, found: &QueryResponse) -> String {
        let mut page = found.board.as_ref().map_or(String::new(), |board| self.board(board));
        let _ = writeln!(page, "\nposition  {}", found.position);
        if let Some(outcome) = &found.outcome {
            page.push_str(&self.ending(outcome, found.reason.as_deref()));
            return page;
        }
        let value = found.value.as_deref().unwrap_or_default();
        let mover = self.players[found.mover.index()];
        let _ = writeln!(page, "value     {}", value_words(value, found.plies, mover));
        if let Some(ko) = found.moves.iter().find(|mv| mv.forbidden) {
            let _ = writeln!(page, "ko        {} is forbidden: it would take the last move back", ko.mv);
        }
        if let Some(plies) = found.reached_in {
            let _ = match plies {
                Some(0) => writeln!(page, "reached   the start"),
                Some(1) => writeln!(page, "reached   1 ply from the start"),
                Some(plies) => writeln!(page, "reached   {plies} plies from the start"),
                None => writeln!(page, "reached   by no game"),
            };
        }
        page.push('\n');
        page.push_str(&self.moves(found));
        page
    }

    fn board(self, board: &BoardDescription) -> String {
        draw(board, &Marks::default(), self.style).ansi()
    }

    /// Moves of the same value on a line, the best with a star.
    fn moves(self, found: &QueryResponse) -> String {
        let groups: Vec<&[MoveEntry]> = found.moves.chunk_by(|a, b| group(a) == group(b)).collect();
        let named: Vec<String> = groups.iter().filter_map(|group| group.first()).map(group_name).collect();
        let wide = named.iter().map(String::len).max().unwrap_or(0);
        let is_best =
            |mv: &MoveEntry| !mv.forbidden && (Some(&mv.value), mv.plies) == (found.value.as_ref(), found.plies);
        let mut page = String::new();
        for (row, (moves, name)) in groups.iter().zip(&named).enumerate() {
            let label = if row == 0 { "moves" } else { "" };
            let best = moves.first().is_some_and(is_best);
            let star = if best { "*" } else { " " };
            let words: Vec<String> = moves.iter().map(move_words).collect();
            let indent = LABEL + wide + 2;
            for (at, line) in wrapped(&words, WIDTH - indent).iter().enumerate() {
                let _ = if at == 0 {
                    writeln!(page, "{label:<8}{star} {name:<wide$}  {}", self.stressed(line, best))
                } else {
                    writeln!(page, "{:indent$}{}", "", self.stressed(line, best))
                };
            }
        }
        page
    }

    /// The line, a ply per row, and the board it leads to.
    pub(super) fn line(self, line: &LineResponse) -> String {
        let who = self.players.iter().map(|name| name.len()).max().unwrap_or(0).max("mover".len());
        let wide = line.plies.iter().map(|ply| ply.mv.len()).max().unwrap_or(0).max("move".len());
        let mut page = format!("\n ply  {:<who$}  {:<wide$}  {:<8}  moves by value\n", "mover", "move", "value");
        for entry in &line.plies {
            let LineEntry { ply, mover, mv, value, plies, moves, .. } = entry;
            let words = move_groups(moves);
            let start = format!(
                "{ply:>4}  {:<who$}  {}  {:<8}",
                self.players[mover.index()],
                self.stressed(&format!("{mv:<wide$}"), true),
                plies.map_or_else(|| value.clone(), |plies| format!("{value:<4} {plies:>3}"))
            );
            let indent = 4 + 2 + who + 2 + wide + 2 + 8 + 2;
            let mut rows = wrapped(&words, WIDTH - indent).into_iter();
            let row = format!("{start}  {}", rows.next().unwrap_or_default());
            let _ = writeln!(page, "{}", row.trim_end());
            for row in rows {
                let _ = writeln!(page, "{:indent$}{row}", "");
            }
        }
        page.push('\n');
        page.push_str(&self.board(&line.board));
        let _ = writeln!(page, "\nposition  {}", line.position);
        let end = line.plies.last().and_then(|ply| ply.end.as_ref());
        match end.map(|end| (end.repeats, &end.outcome, &end.reason)) {
            Some((Some(ply), ..)) => {
                let _ = writeln!(page, "again     as before ply {ply}: neither side makes progress, a draw");
            }
            Some((None, Some(outcome), reason)) => page.push_str(&self.ending(outcome, reason.as_deref())),
            _ => page.push_str("and so on: a draw\n"),
        }
        page
    }

    fn stressed(self, text: &str, best: bool) -> String {
        if best && self.bold { format!("\x1b[1m{text}\x1b[0m") } else { text.to_owned() }
    }

    /// How a game ended: `outcome` is `first`, `second` or `draw`.
    fn ending(self, outcome: &str, reason: Option<&str>) -> String {
        let reason = reason.unwrap_or_default();
        match outcome {
            "draw" => format!("over      a draw ({reason})\n"),
            side => format!("over      {} won ({reason})\n", self.players[usize::from(side == "second")]),
        }
    }
}

/// All moves of a step, the words of `win 5 a2r; loss 4 b2r b2u; forbidden c1d`.
fn move_groups(moves: &[MoveEntry]) -> Vec<String> {
    let groups: Vec<&[MoveEntry]> = moves.chunk_by(|a, b| group(a) == group(b)).collect();
    let mut words = Vec::new();
    for (at, group) in groups.iter().enumerate() {
        let [first, ..] = group else { continue };
        match (first.forbidden, first.plies) {
            (true, _) => words.push("forbidden".to_owned()),
            (false, None) => words.push(first.value.clone()),
            // Kept on one line.
            (false, Some(plies)) => words.push(format!("{} {plies}", first.value)),
        }
        words.extend(group.iter().map(|mv| mv.mv.clone()));
        if let (true, Some(last)) = (at + 1 < groups.len(), words.last_mut()) {
            last.push(';');
        }
    }
    words
}

/// What moves on one line have in common.
fn group(mv: &MoveEntry) -> (bool, &str, Option<u8>) {
    (mv.forbidden, &mv.value, mv.plies)
}

/// What stands before the moves of a group.
fn group_name(mv: &MoveEntry) -> String {
    match (mv.forbidden, mv.value.as_str(), mv.plies) {
        (true, ..) => "forbidden".to_owned(),
        (_, "win", Some(1)) => "wins at once".to_owned(),
        (_, "win", Some(plies)) => format!("wins in {plies}"),
        (_, "win", None) => "wins".to_owned(),
        (_, "draw", _) => "draws".to_owned(),
        // Only a move that ends the game loses in one ply.
        (_, _, Some(1)) => "suicide".to_owned(),
        (_, _, Some(plies)) => format!("loses in {plies}"),
        (_, _, None) => "loses".to_owned(),
    }
}

/// A move, with what it would do where it is forbidden.
fn move_words(mv: &MoveEntry) -> String {
    if !mv.forbidden {
        return mv.mv.clone();
    }
    let verb = if mv.value == "loss" { "lose" } else { &mv.value };
    let plies = mv.plies.map_or(String::new(), |plies| format!(" in {plies}"));
    format!("{}, which would {verb}{plies}", mv.mv)
}

/// Who wins, and in how many plies.
fn value_words(value: &str, plies: Option<u8>, mover: &str) -> String {
    match (value, plies) {
        ("draw", _) => format!("a draw, {mover} to move"),
        ("win", Some(1)) => format!("checkmate: {mover}, to move, wins at once"),
        ("win", Some(plies)) => format!("{mover}, to move, wins in {plies} plies"),
        ("win", None) => format!("{mover}, to move, wins"),
        (_, Some(plies)) => format!("{mover}, to move, loses in {plies} plies"),
        (_, None) => format!("{mover}, to move, loses"),
    }
}

/// Words in lines of `width` columns.
fn wrapped(words: &[String], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if line.len() + 1 + word.len() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.clone()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use tesuji_registry::{LineEnd, ShowRequest, SideName, shipped};

    use super::*;

    const PAGE: Page = Page { players: ["black", "white"], style: Style::Ascii, bold: false };
    const KO: &str = "01020-03021-00120-00000-02010 X/02010-03120-00210-00000-01020 O";

    fn board(position: &str) -> Option<BoardDescription> {
        let mut request = ShowRequest::default();
        request.at.position = Some(position.to_owned());
        shipped().game("ostle").and_then(|game| game.show(&request)).expect("a position").board
    }

    fn moves(words: &str, value: &str, plies: Option<u8>, forbidden: bool) -> Vec<MoveEntry> {
        let entry = |mv: &str| MoveEntry { mv: mv.to_owned(), value: value.to_owned(), plies, forbidden };
        words.split(' ').map(entry).collect()
    }

    fn response(value: &str, plies: Option<u8>, moves: Vec<MoveEntry>) -> QueryResponse {
        QueryResponse {
            game: "ostle".to_owned(),
            position: KO.to_owned(),
            mover: SideName::First,
            outcome: None,
            reason: None,
            value: Some(value.to_owned()),
            plies,
            moves,
            reached_in: None,
            board: board(KO),
            warning: None,
            line: None,
        }
    }

    #[test]
    fn a_position_with_its_moves() {
        let legal = "b1l b1r e2u e2d c3u c3d c3l c3r d5u d5l d5r b2d b2l b2r";
        let moves = [
            moves(legal, "loss", Some(2), false),
            moves("b1u b1d e2r d5d", "loss", Some(1), false),
            moves("e2l", "win", Some(5), true),
        ];
        let response = QueryResponse { reached_in: Some(Some(17)), ..response("loss", Some(2), moves.concat()) };
        let expected = "   a  b  c  d  e
1  .  X  .  O  .
2  .  #  .  O  X
3  .  .  X  O  .
4  .  .  .  .  .
5  .  O  .  X  .

position  01020-03021-00120-00000-02010 X/02010-03120-00210-00000-01020 O
value     black, to move, loses in 2 plies
ko        e2l is forbidden: it would take the last move back
reached   17 plies from the start

moves   * loses in 2  b1l b1r e2u e2d c3u c3d c3l c3r d5u d5l d5r b2d b2l b2r
          suicide     b1u b1d e2r d5d
          forbidden   e2l, which would win in 5
";
        assert_eq!(PAGE.position(&response), expected);
    }

    #[test]
    fn the_words_for_every_value() {
        for (value, plies, words, group) in [
            ("win", Some(5), "value     black, to move, wins in 5 plies\n", "moves   * wins in 5  e1d\n"),
            ("win", Some(1), "value     checkmate: black, to move, wins at once\n", "* wins at once  e1d\n"),
            ("win", None, "value     black, to move, wins\n", "moves   * wins  e1d\n"),
            ("draw", None, "value     a draw, black to move\n", "moves   * draws  e1d\n"),
            ("loss", Some(4), "value     black, to move, loses in 4 plies\n", "moves   * loses in 4  e1d\n"),
            ("loss", None, "value     black, to move, loses\n", "moves   * loses  e1d\n"),
        ] {
            let page = PAGE.position(&response(value, plies, moves("e1d", value, plies, false)));
            assert!(page.contains(words) && page.contains(group), "{page}");
        }
    }

    #[test]
    fn a_line_to_the_end() {
        let last = "00003-00000-00002-20210-11002 O";
        let end = |outcome: Option<&str>, repeats| LineEnd {
            after: last.to_owned(),
            outcome: outcome.map(str::to_owned),
            reason: Some("pieces".to_owned()),
            repeats,
        };
        let ply = |ply, mv: &str, value: &str, equal: &str, others: Vec<MoveEntry>, end| LineEntry {
            ply,
            position: KO.to_owned(),
            mover: if ply % 2 == 1 { SideName::First } else { SideName::Second },
            mv: mv.to_owned(),
            value: value.to_owned(),
            plies: Some(6 - ply as u8),
            equal: equal.split(' ').map(str::to_owned).collect(),
            moves: [moves(equal, value, Some(6 - ply as u8), false), others].concat(),
            end,
        };
        let line = |end| LineResponse {
            plies: vec![
                ply(
                    4,
                    "e2d",
                    "loss",
                    "e2d e2l d4u d4d d4l d4r a5r b5u b5r e1l",
                    moves("e1u", "loss", Some(1), false),
                    None,
                ),
                ply(
                    5,
                    "d3r",
                    "win",
                    "d3r a4d",
                    [moves("b5u", "draw", None, false), moves("c1d", "loss", Some(4), true)].concat(),
                    Some(end),
                ),
            ],
            board: board(last).expect("a board"),
            position: last.to_owned(),
        };
        let expected = "
 ply  mover  move  value     moves by value
   4  white  e2d   loss   2  loss 2 e2d e2l d4u d4d d4l d4r a5r b5u b5r e1l;
                             loss 1 e1u
   5  black  d3r   win    1  win 1 d3r a4d; draw b5u; forbidden c1d

   a  b  c  d  e
1  .  .  .  .  #
2  .  .  .  .  .
3  .  .  .  .  X
4  X  .  X  O  .
5  O  O  .  .  X

position  00003-00000-00002-20210-11002 O
over      black won (pieces)
";
        assert_eq!(PAGE.line(&line(end(Some("first"), None))), expected);
        let repeated = PAGE.line(&line(end(Some("draw"), Some(3))));
        assert!(repeated.ends_with("as before ply 3: neither side makes progress, a draw\n"), "{repeated}");
        assert!(PAGE.line(&line(end(None, None))).ends_with("and so on: a draw\n"));
    }
}
