//! OBF: one position per line, with the exact values of its moves; `%` begins a comment.

use tesuji_game::{Game, Notation, ParsedRecord, Record, RecordError, Side, TextError};

use crate::{Move, Othello, transcript};

/// The tag that keeps the values of a position: `A2:+38; C7:+36`.
const VALUES: &str = "values";
/// The prefix of a comment with the moves that led to the position.
const MOVES: &str = "moves ";

/// A position and what is known of its moves.
#[derive(Clone, PartialEq, Debug)]
pub struct ObfProblem {
    /// The position.
    pub position: Othello,
    /// Moves with their scores for the mover, in the order of the source: usually best first.
    pub values: Vec<(Move, i32)>,
    /// What stood behind `%`.
    pub comment: String,
}

impl ObfProblem {
    /// Reads `<64 squares> <side>; A2:+38; C7:+36; % words`; all but the position may be missing.
    pub fn parse(line: &str) -> Result<ObfProblem, TextError> {
        let (data, comment) = line.split_once('%').unwrap_or((line, ""));
        let mut at = 0;
        let mut parts = data.split(';').map(|part| {
            let indent = part.len() - part.trim_start().len();
            let place = at + indent;
            at += part.len() + 1;
            (place.min(line.len()), part.trim())
        });
        let (place, text) = parts.next().unwrap_or((0, ""));
        let mut position = Othello::parse(text).map_err(|error| TextError { at: place + error.at, ..error })?;
        let mut values = Vec::new();
        for (place, text) in parts.filter(|(_, text)| !text.is_empty()) {
            let wrong = |message: String| TextError::new(text, place, message);
            let (mv, value) = text
                .split_once(':')
                .ok_or_else(|| wrong("a value is written as move, colon and score: A2:+38".to_owned()))?;
            let value: i32 = value.trim().parse().map_err(|_| wrong("the score must be a whole number".to_owned()))?;
            match position.parse_move(mv.trim()) {
                Ok(mv) => values.push((mv, value)),
                // Some programs close the list with an impossible pass.
                Err(_) if mv.trim() == "--" => {}
                Err(error) => return Err(wrong(error.message)),
            }
        }
        Ok(ObfProblem { position, values, comment: one_line(comment) })
    }

    /// The line that [`ObfProblem::parse`] reads.
    pub fn print(&self) -> String {
        let mut line = format!("{};", self.position.print());
        if !self.values.is_empty() {
            line += &format!(" {};", self.print_values());
        }
        if !self.comment.is_empty() {
            line += " % ";
            line += &one_line(&self.comment);
        }
        line
    }

    fn print_values(&self) -> String {
        let value = |&(mv, value): &(Move, i32)| match mv.square() {
            Some(square) => format!("{}:{value:+}", square.to_string().to_uppercase()),
            None => format!("--:{value:+}"),
        };
        self.values.iter().map(value).collect::<Vec<_>>().join("; ")
    }

    /// The best score, if any is known.
    pub fn score(&self) -> Option<i32> {
        self.values.iter().map(|&(_, value)| value).max()
    }

    /// The moves with the best score.
    pub fn best(&self) -> impl Iterator<Item = Move> + '_ {
        let best = self.score();
        self.values.iter().filter(move |&&(_, value)| Some(value) == best).map(|&(mv, _)| mv)
    }
}

/// Words without line breaks, as they are both read and written.
fn one_line(words: &str) -> String {
    words.trim().replace(['\n', '\r'], " ")
}

/// Reads every line that is neither empty nor a comment.
pub(crate) fn read(bytes: &[u8]) -> impl Iterator<Item = ParsedRecord<Othello>> + '_ {
    bytes
        .split(|&byte| byte == b'\n')
        .map(|line| String::from_utf8_lossy(line).trim().to_owned())
        .enumerate()
        .filter(|(_, line)| !line.is_empty() && !line.starts_with(['%', '#']))
        .map(|(index, line)| match ObfProblem::parse(&line) {
            Ok(problem) => ParsedRecord { record: record(problem), fault: None },
            Err(error) => {
                let fault = RecordError::from(error).on_line(index + 1);
                ParsedRecord { record: Record::new(Othello::start()), fault: Some(fault) }
            }
        })
}

/// The record of a position: without moves, unless its comment has them.
fn record(problem: ObfProblem) -> Record<Othello> {
    let told = problem.comment.strip_prefix(MOVES).and_then(|moves| transcript::parse(moves).ok());
    if let Some(mut game) = told.filter(|game| *game.now() == problem.position && !game.plies().is_empty()) {
        game.set_tag(VALUES, problem.print_values());
        return game;
    }
    let mut record = Record::new(problem.position);
    record.set_tag(VALUES, problem.print_values());
    record.comment = problem.comment;
    record
}

/// The line of a record: the position it has reached, and in a comment the moves that led there.
pub(crate) fn write(record: &Record<Othello>) -> Result<String, String> {
    let mut problem = ObfProblem { position: *record.now(), values: Vec::new(), comment: record.comment.clone() };
    if !record.plies().is_empty() {
        problem.comment = format!("{MOVES}{}", transcript::print(record));
    }
    if let Some(values) = record.tag(VALUES) {
        let line = format!("{}; {values}", record.now().print());
        problem.values = ObfProblem::parse(&line).map_err(|error| format!("the tag {VALUES}: {error}"))?.values;
    }
    Ok(problem.print() + "\n")
}

/// The game up to the position with so many empty squares where a disc is placed; the move that was played there has
/// the final score of the game as its value, for the player who moved.
///
/// ```
/// use tesuji_game::{Formats, Notation, Record};
/// use tesuji_othello::{OBF, Othello, position_at_empties};
///
/// let board = format!("{}O{}O- X", "X".repeat(55), "X".repeat(6));
/// let mut game = Record::new(Othello::parse(&board)?);
/// game.push_text("h8").expect("a legal move");
/// let position = position_at_empties(&game, 1)?;
/// let line = String::from_utf8_lossy(&Othello::write(OBF, &position)?).into_owned();
/// assert!(line.ends_with(" X; H8:+64;\n"), "{line}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The game does not end on the board, or has no such position.
pub fn position_at_empties(game: &Record<Othello>, empties: u32) -> Result<Record<Othello>, String> {
    if !game.now().is_over() {
        return Err("the game is not finished, so it has no final score".to_owned());
    }
    let last = *game.now();
    let mut now = *game.start();
    for (ply, mv) in game.moves().enumerate() {
        let left = 64 - (now.discs(Side::First) | now.discs(Side::Second)).count_ones();
        if left == empties && mv != Move::PASS {
            let score = if now.mover() == last.mover() { last.score() } else { -last.score() };
            let mut position = game.up_to(ply);
            let values = vec![(mv, score)];
            position.set_tag(VALUES, ObfProblem { position: now, values, comment: String::new() }.print_values());
            return Ok(position);
        }
        now.play(mv);
    }
    Err(format!("no move of the game was played with {empties} empty squares"))
}
