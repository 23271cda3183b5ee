//! Answers for people: the board drawn, a few words, and the moves in groups.

use std::fmt::Write;

use tesuji_game::{HasPerfectIndex, NO_MOVE, Outcome, Record, Side};
use tesuji_registry::BoardDescription;
use tesuji_solve::tablebase::PositionValue;

use super::Found;
use super::answer::{Answer, Choice, Kind};
use super::asked::Asked;
use super::line::{Line, Ply};
use crate::command::player;
use crate::draw::{Marks, Style, draw};
use crate::entry::Playable;

/// Columns of an ordinary terminal.
const WIDTH: usize = 78;
/// Where the text behind a label begins.
const LABEL: usize = 10;

/// How to write.
#[derive(Clone, Copy)]
pub(super) struct Page {
    pub(super) style: Style,
    /// Whether the best may be in bold type.
    pub(super) bold: bool,
}

impl Page {
    /// A position and all its moves.
    pub(super) fn position<G: Playable + HasPerfectIndex>(
        self,
        asked: &Asked<G>,
        found: &Found<G>,
    ) -> String {
        let now = asked.record.now();
        let mut page = self.board(&asked.record);
        let _ = writeln!(page, "\nposition  {}", now.print());
        let Some(answer) = &found.answer else {
            page.push_str(&ending(&asked.record));
            return page;
        };
        let _ = writeln!(page, "value     {}", verdict(answer.worth, player::<G>(now.mover())));
        if now.forbidden() != NO_MOVE {
            let ko = now.print_move(G::move_from_number(now.forbidden()));
            let _ = writeln!(page, "ko        {ko} is forbidden: it would take the last move back");
        }
        if let Some(plies) = found.reached {
            let _ = match plies {
                Some(0) => writeln!(page, "reached   the start"),
                Some(1) => writeln!(page, "reached   1 ply from the start"),
                Some(plies) => writeln!(page, "reached   {plies} plies from the start"),
                None => writeln!(page, "reached   by no game"),
            };
        }
        page.push('\n');
        page.push_str(&self.moves(now, answer));
        page
    }

    /// The board as it lies on the table, with the last move pointed out.
    fn board<G: Playable>(self, record: &Record<G>) -> String {
        let mut list = G::Moves::default();
        if record.ending().is_none() {
            record.now().clone().moves(&mut list);
        }
        draw(&BoardDescription::of(record), &Marks::default(), self.style).ansi()
    }

    /// A board alone.
    pub(super) fn bare<G: Playable>(self, position: &G) -> String {
        self.board(&Record::new(position.clone()))
    }

    /// Moves of the same worth on a line, the best with a star.
    fn moves<G: Playable + HasPerfectIndex>(self, position: &G, answer: &Answer<G>) -> String {
        let groups: Vec<&[Choice<G>]> = answer.choices.chunk_by(|a, b| group(a) == group(b)).collect();
        let named: Vec<String> = groups.iter().filter_map(|group| group.first()).map(name).collect();
        let wide = named.iter().map(String::len).max().unwrap_or(0);
        let mut page = String::new();
        for (row, (choices, name)) in groups.iter().zip(&named).enumerate() {
            let label = if row == 0 { "moves" } else { "" };
            let best = choices.first().is_some_and(|choice| answer.is_best(choice));
            let star = if best { "*" } else { " " };
            let words: Vec<String> = choices.iter().map(|choice| word(position, choice)).collect();
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

    /// The line, a ply on each line, and the board it leads to.
    pub(super) fn line<G: Playable + HasPerfectIndex>(self, line: &Line<G>) -> String {
        let players = Side::BOTH.map(player::<G>);
        let who = players.iter().map(|name| name.len()).max().unwrap_or(0).max("mover".len());
        let shown = |ply: &Ply<G>| ply.position.print_move(ply.mv);
        let wide = line.plies.iter().map(|ply| shown(ply).len()).max().unwrap_or(0).max("move".len());
        let mut page = format!("\n ply  {:<who$}  {:<wide$}  {:<8}  as good\n", "mover", "move", "value");
        for (number, ply) in (1..).zip(&line.plies) {
            let Ply { position, answer, mv } = ply;
            let others: Vec<String> = answer
                .best()
                .filter(|choice| choice.mv != *mv)
                .map(|choice| position.print_move(choice.mv))
                .collect();
            let mover = player::<G>(position.mover());
            let start = format!(
                "{number:>4}  {mover:<who$}  {}  {:<8}",
                self.stressed(&format!("{:<wide$}", shown(ply)), true),
                brief(answer.worth)
            );
            let indent = 4 + 2 + who + 2 + wide + 2 + 8 + 2;
            let mut rows = wrapped(&others, WIDTH - indent).into_iter();
            let row = format!("{start}  {}", rows.next().unwrap_or_default());
            let _ = writeln!(page, "{}", row.trim_end());
            for row in rows {
                let _ = writeln!(page, "{:indent$}{row}", "");
            }
        }
        page.push('\n');
        page.push_str(&self.board(&line.record));
        let _ = writeln!(page, "\nposition  {}", line.record.now().print());
        match line.since {
            Some(since) => {
                let _ = writeln!(page, "again     as before ply {since}: nobody gets ahead, a draw");
            }
            None if line.record.ending().is_none() => page.push_str("and so on: a draw\n"),
            None => page.push_str(&ending(&line.record)),
        }
        page
    }

    fn stressed(self, text: &str, best: bool) -> String {
        if best && self.bold { format!("\x1b[1m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// What moves on one line have in common.
fn group<G: Playable>(choice: &Choice<G>) -> (Kind, Outcome, Option<u8>) {
    (choice.kind, choice.worth.outcome, choice.worth.plies)
}

/// What stands before the moves of a group.
fn name<G: Playable>(choice: &Choice<G>) -> String {
    match choice.kind {
        Kind::Forbidden => "forbidden".to_owned(),
        Kind::Suicide => "suicide".to_owned(),
        Kind::Open => match (choice.worth.outcome, choice.worth.plies) {
            (Outcome::Win, Some(1)) => "wins at once".to_owned(),
            (Outcome::Win, Some(plies)) => format!("wins in {plies}"),
            (Outcome::Win, None) => "wins".to_owned(),
            (Outcome::Draw, _) => "draws".to_owned(),
            (Outcome::Loss, Some(plies)) => format!("loses in {plies}"),
            (Outcome::Loss, None) => "loses".to_owned(),
        },
    }
}

/// A move, with what it would do where it is forbidden.
fn word<G: Playable>(position: &G, choice: &Choice<G>) -> String {
    let mv = position.print_move(choice.mv);
    if choice.kind != Kind::Forbidden {
        return mv;
    }
    let verb = match choice.worth.outcome {
        Outcome::Win => "win",
        Outcome::Draw => "draw",
        Outcome::Loss => "lose",
    };
    let plies = choice.worth.plies.map_or(String::new(), |plies| format!(" in {plies}"));
    format!("{mv}, which would {verb}{plies}")
}

/// A worth in a narrow column: `win 23`.
fn brief(worth: PositionValue) -> String {
    let word = match worth.outcome {
        Outcome::Win => "win",
        Outcome::Draw => "draw",
        Outcome::Loss => "loss",
    };
    worth.plies.map_or_else(|| word.to_owned(), |plies| format!("{word:<4} {plies:>3}"))
}

/// Who wins, and in how many plies.
fn verdict(worth: PositionValue, mover: &str) -> String {
    match (worth.outcome, worth.plies) {
        (Outcome::Draw, _) => format!("a draw, {mover} to move"),
        (Outcome::Win, Some(1)) => format!("checkmate: {mover}, to move, wins at once"),
        (Outcome::Win, Some(plies)) => format!("{mover}, to move, wins in {plies} plies"),
        (Outcome::Win, None) => format!("{mover}, to move, wins"),
        (Outcome::Loss, Some(plies)) => format!("{mover}, to move, loses in {plies} plies"),
        (Outcome::Loss, None) => format!("{mover}, to move, loses"),
    }
}

/// How a game ended.
fn ending<G: Playable>(record: &Record<G>) -> String {
    match record.ending() {
        Some(ending) => match ending.winner {
            Some(side) => format!("over      {} won ({})\n", player::<G>(side), ending.reason),
            None => format!("over      a draw ({})\n", ending.reason),
        },
        None => String::new(),
    }
}

/// Words in lines of so many columns.
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
