//! Opening books of YaneuraOu: text files that begin with `#YANEURAOU-DB2016`. A line `sfen …` names a position; the
//! lines behind it its moves.
//!
//! ```text
//! #YANEURAOU-DB2016 1.00
//! sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
//! 7g7f 3c3d 40 32 1203        the move, the expected reply or none, value, depth, number of games
//! ```
//!
//! Small files are read and checked as a whole. In large ones, which must be sorted by their positions as YaneuraOu sorts
//! them, a position is found by binary search in the file.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use tesuji_game::{Game, MoveList, Notation};
use tesuji_shogi::{Move, Shogi};
use thiserror::Error;

use crate::book::{BookLine, ForeignBook};

/// How a file begins.
const HEADER: &str = "#YANEURAOU-DB2016";
/// The only version there is.
const VERSION: &str = "1.00";
/// Larger files are not read as a whole.
const SMALL: u64 = 64 << 20;
/// Positions that are compared to see whether a large file is sorted.
const SAMPLES: u64 = 64;
/// The longest line of a file.
const MAX_LINE: u64 = 4096;

/// Why a file is not a book.
#[derive(Debug, Error)]
pub enum YaneuraOuBookError {
    /// It cannot be read.
    #[error("the file cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// A line is wrong.
    #[error("line {line}: {text:?}: {expected}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// Its beginning.
        text: String,
        /// What would be right.
        expected: String,
    },
    /// A large file whose positions are not in order.
    #[error("a book of more than {} MiB must be sorted: {after:?} stands behind {before:?}", SMALL >> 20)]
    Unsorted {
        /// A position.
        before: String,
        /// One that stands behind it.
        after: String,
    },
}

/// A move of a book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct YaneuraOuMove {
    /// The move in USI.
    pub mv: String,
    /// The expected reply.
    pub reply: Option<String>,
    /// The value in centipawns for the side to move.
    pub value: i32,
    /// The depth of the search.
    pub depth: u32,
    /// The number of games.
    pub count: u64,
}

/// A book.
#[derive(Debug)]
pub struct YaneuraOuBook(Contents);

#[derive(Debug)]
enum Contents {
    /// The moves by position, without move numbers.
    Read(HashMap<String, Vec<YaneuraOuMove>>),
    /// A sorted file and its size.
    Sorted(Mutex<File>, u64),
}

impl YaneuraOuBook {
    /// Opens a file; `None` if it does not begin like such a book.
    pub fn open(path: &Path) -> Option<Result<YaneuraOuBook, YaneuraOuBookError>> {
        let mut file = File::open(path).ok()?;
        let mut begin = Vec::new();
        let wanted = HEADER.len() + 3;
        file.by_ref().take(wanted as u64).read_to_end(&mut begin).ok()?;
        let begin = begin.strip_prefix(b"\xef\xbb\xbf".as_slice()).unwrap_or(&begin);
        begin.starts_with(HEADER.as_bytes()).then(|| YaneuraOuBook::of(file, path, SMALL))
    }

    fn of(mut file: File, path: &Path, small: u64) -> Result<YaneuraOuBook, YaneuraOuBookError> {
        file.seek(SeekFrom::Start(0))?;
        let size = file.metadata()?.len();
        let contents = if size <= small {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            Contents::Read(parse(&bytes)?)
        } else {
            check_sorted(&mut file, size)?;
            Contents::Sorted(Mutex::new(file), size)
        };
        tracing::info!(file = %path.display(), bytes = size, "opening book of YaneuraOu opened");
        Ok(YaneuraOuBook(contents))
    }

    /// Reads a book from memory.
    ///
    /// # Errors
    /// The first wrong line.
    pub fn parse(bytes: &[u8]) -> Result<YaneuraOuBook, YaneuraOuBookError> {
        Ok(YaneuraOuBook(Contents::Read(parse(bytes)?)))
    }

    /// The moves of a position as they stand in the file; none when it is not in the book.
    ///
    /// # Errors
    /// A large file cannot be read, or has a wrong line at this position.
    pub fn probe(&self, game: &Shogi) -> Result<Vec<YaneuraOuMove>, YaneuraOuBookError> {
        let name = without_number(&game.print()).to_owned();
        match &self.0 {
            Contents::Read(positions) => Ok(positions.get(&name).cloned().unwrap_or_default()),
            Contents::Sorted(file, size) => {
                find(&mut file.lock().unwrap_or_else(PoisonError::into_inner), *size, &name)
            }
        }
    }
}

impl ForeignBook<Shogi> for YaneuraOuBook {
    /// The legal moves by their value; of equal ones those that were played more often first.
    fn lines(&self, game: &Shogi) -> Vec<BookLine<Move>> {
        let mut moves = self.probe(game).unwrap_or_else(|error| {
            tracing::warn!(%error, "opening book");
            Vec::new()
        });
        moves.sort_by_key(|known| Reverse((known.value, known.count)));
        moves.iter().filter_map(|known| line(game, known)).collect()
    }
}

/// The line of a move, if that is legal.
fn line(game: &Shogi, known: &YaneuraOuMove) -> Option<BookLine<Move>> {
    let mut game = game.clone();
    let Ok(mv) = game.parse_move(&known.mv) else {
        tracing::warn!(mv = known.mv, position = game.print(), "a move of the opening book is not legal");
        return None;
    };
    game.play(mv);
    let reply = known.reply.as_deref().and_then(|reply| game.parse_move(reply).ok());
    let mut list = <Shogi as Game>::Moves::default();
    game.moves(&mut list);
    let reply = reply.filter(|&reply| list.has(reply));
    Some(BookLine { moves: [Some(mv), reply].into_iter().flatten().collect(), score: known.value, depth: known.depth })
}

/// An SFEN without its move number. The same position counts at any move.
fn without_number(sfen: &str) -> &str {
    let sfen = sfen.trim();
    match sfen.rsplit_once(' ') {
        Some((rest, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => rest.trim_end(),
        _ => sfen,
    }
}

/// What a line of a book says.
enum BookText<'a> {
    Nothing,
    Position(&'a str),
    Move(YaneuraOuMove),
}

fn read_line(text: &str) -> Result<BookText<'_>, String> {
    let text = text.trim();
    if text.is_empty() || text.starts_with('#') || text.starts_with("//") {
        return Ok(BookText::Nothing);
    }
    if let Some(sfen) = text.strip_prefix("sfen ") {
        return Ok(BookText::Position(sfen.trim()));
    }
    let mut words = text.split_ascii_whitespace();
    let mv = words.next().unwrap_or_default();
    if !is_move(mv) {
        return Err("expected `sfen` and a position, or a move, its reply, value, depth and count".to_owned());
    }
    let reply = words.next().filter(|word| is_move(word)).map(str::to_owned);
    // Older files leave the last words out.
    let mut number = |name: &str| -> Result<i64, String> {
        words
            .next()
            .map_or(Ok(0), |word| word.parse().map_err(|_| format!("the {name} is a whole number, not {word:?}")))
    };
    let value = number("value")?.clamp(-32_000, 32_000) as i32;
    let depth = number("depth")?.clamp(0, 1000) as u32;
    let count = number("count")?.max(0).unsigned_abs();
    Ok(BookText::Move(YaneuraOuMove { mv: mv.to_owned(), reply, value, depth, count }))
}

/// Whether a word looks like a move in USI: `7g7f`, `8h2b+`, `P*5e`.
fn is_move(word: &str) -> bool {
    let square = |file: u8, rank: u8| (b'1'..=b'9').contains(&file) && (b'a'..=b'i').contains(&rank);
    match *word.as_bytes() {
        [piece, b'*', file, rank] => b"PLNSGBR".contains(&piece) && square(file, rank),
        [a, b, c, d] | [a, b, c, d, b'+'] => square(a, b) && square(c, d),
        _ => false,
    }
}

fn parse(bytes: &[u8]) -> Result<HashMap<String, Vec<YaneuraOuMove>>, YaneuraOuBookError> {
    let mut positions: HashMap<String, Vec<YaneuraOuMove>> = HashMap::new();
    let mut current: Option<String> = None;
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf".as_slice()).unwrap_or(bytes);
    for (line, bytes) in bytes.split(|&byte| byte == b'\n').enumerate().map(|(index, bytes)| (index + 1, bytes)) {
        let wrong = |text: &str, expected: String| {
            let text = text.trim().chars().take(80).collect();
            YaneuraOuBookError::Line { line, text, expected }
        };
        let text = std::str::from_utf8(bytes)
            .map_err(|_| wrong(&String::from_utf8_lossy(bytes), "expected text in ASCII".to_owned()))?;
        if line == 1 {
            check_header(text).map_err(|expected| wrong(text, expected))?;
        }
        match read_line(text).map_err(|expected| wrong(text, expected))? {
            BookText::Nothing => {}
            BookText::Position(sfen) => {
                let position = Shogi::parse(sfen).map_err(|error| wrong(text, error.to_string()))?;
                // In our own order of pieces in hand.
                current = Some(without_number(&position.print()).to_owned());
            }
            BookText::Move(mv) => {
                let Some(position) = &current else {
                    return Err(wrong(text, "a move needs a line `sfen …` before it".to_owned()));
                };
                positions.entry(position.clone()).or_default().push(mv);
            }
        }
    }
    Ok(positions)
}

fn check_header(text: &str) -> Result<(), String> {
    let version = text.trim().strip_prefix(HEADER).map(str::trim);
    match version {
        Some(VERSION) => Ok(()),
        _ => Err(format!("expected {HEADER} {VERSION}")),
    }
}

/// The first line `sfen …` that begins at `from` or behind it: where it begins, its position without a number, and where
/// the next line begins.
fn next_position(file: &mut File, from: u64) -> Result<Option<(u64, String, u64)>, YaneuraOuBookError> {
    let mut at = from;
    // A line begins behind a line feed, or at the start of the file.
    file.seek(SeekFrom::Start(from.saturating_sub(1)))?;
    let mut input = BufReader::with_capacity(4096, file);
    let mut line = Vec::new();
    if from > 0 {
        at = from - 1 + read_bounded(&mut input, &mut line)?;
    }
    loop {
        let begin = at;
        let length = read_bounded(&mut input, &mut line)?;
        if length == 0 {
            return Ok(None);
        }
        at += length;
        if let Some(sfen) = line.strip_prefix(b"sfen ") {
            return Ok(Some((begin, without_number(&String::from_utf8_lossy(sfen)).to_owned(), at)));
        }
    }
}

/// Reads a line; its length with the line feed, 0 at the end.
fn read_bounded(input: &mut impl BufRead, line: &mut Vec<u8>) -> Result<u64, YaneuraOuBookError> {
    line.clear();
    let length = input.take(MAX_LINE).read_until(b'\n', line)?;
    if length as u64 == MAX_LINE {
        let text = String::from_utf8_lossy(&line[..80]).into_owned();
        let expected = format!("a line has fewer than {MAX_LINE} bytes");
        return Err(YaneuraOuBookError::Line { line: 0, text, expected });
    }
    Ok(length as u64)
}

/// The moves of a position in a sorted file.
fn find(file: &mut File, size: u64, name: &str) -> Result<Vec<YaneuraOuMove>, YaneuraOuBookError> {
    // The position begins in this range of bytes.
    let (mut low, mut high) = (0, size);
    while low < high {
        let middle = low + (high - low) / 2;
        match next_position(file, middle)? {
            Some((_, found, _)) if found.as_str() < name => low = middle + 1,
            _ => high = middle,
        }
    }
    let Some((_, found, moves)) = next_position(file, low)? else { return Ok(Vec::new()) };
    if found != name {
        return Ok(Vec::new());
    }
    file.seek(SeekFrom::Start(moves))?;
    let (mut input, mut line, mut known) = (BufReader::new(file), Vec::new(), Vec::new());
    while read_bounded(&mut input, &mut line)? > 0 {
        let text = String::from_utf8_lossy(&line).into_owned();
        match read_line(&text) {
            Ok(BookText::Move(mv)) => known.push(mv),
            Ok(BookText::Nothing) => {}
            Ok(BookText::Position(_)) => break,
            Err(expected) => {
                return Err(YaneuraOuBookError::Line { line: 0, text: text.trim().to_owned(), expected });
            }
        }
    }
    Ok(known)
}

/// Whether some positions all over the file are in order.
fn check_sorted(file: &mut File, size: u64) -> Result<(), YaneuraOuBookError> {
    let mut first = String::new();
    BufReader::new(&mut *file).take(MAX_LINE).read_line(&mut first)?;
    let header = first.trim_start_matches('\u{feff}').trim();
    check_header(header).map_err(|expected| YaneuraOuBookError::Line { line: 1, text: header.to_owned(), expected })?;
    let mut before: Option<String> = None;
    for sample in 0..SAMPLES {
        let Some((_, after, _)) = next_position(file, size / SAMPLES * sample)? else { break };
        match before {
            Some(before) if before > after => return Err(YaneuraOuBookError::Unsorted { before, after }),
            _ => before = Some(after),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

    fn book(lines: &[&str]) -> String {
        format!("{HEADER} {VERSION}\n{}\n", lines.join("\n"))
    }

    #[test]
    fn the_best_move_is_played_whatever_its_number() {
        let text = book(&[START, "2g2f 8c8d 30 20 9", "7g7f 3c3d 40 32 5", "3i4h none 40 32 2", "7g7e 3c3d 99 1 1"]);
        let book = YaneuraOuBook::parse(text.as_bytes()).unwrap();
        let lines = book.lines(&Shogi::start());
        assert_eq!(lines.len(), 3, "one move is not legal");
        let line = &lines[0];
        let moves: Vec<String> = line.moves.iter().map(ToString::to_string).collect();
        assert_eq!((moves, line.score, line.depth), (vec!["7g7f".to_owned(), "3c3d".to_owned()], 40, 32));
        assert_eq!(book.lines(&Shogi::start().with_number(9)), lines);
        assert_eq!(book.probe(&Shogi::start()).unwrap().len(), 4);
        assert_eq!(book.probe(&Shogi::parse("4k4/9/9/9/9/9/9/9/4K4 b P 1").unwrap()).unwrap(), []);
    }

    #[test]
    fn old_files_leave_words_out_and_other_words_mean_no_reply() {
        let text = book(&["// a comment", START, "7g7f", "2g2f none", "3i4h resign 5\r", "", "# x"]);
        let moves = YaneuraOuBook::parse(text.as_bytes()).unwrap().probe(&Shogi::start()).unwrap();
        let of = |mv: &YaneuraOuMove| (mv.mv.clone(), mv.reply.clone(), mv.value);
        let expected = [("7g7f", 0), ("2g2f", 0), ("3i4h", 5)].map(|(mv, value)| (mv.to_owned(), None, value));
        assert_eq!(moves.iter().map(of).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn faults_name_their_line() {
        let fault = |text: String| YaneuraOuBook::parse(text.as_bytes()).unwrap_err().to_string();
        assert!(fault(book(&["7g7f 3c3d 0 0 0"])).starts_with("line 2: \"7g7f 3c3d 0 0 0\": a move needs"));
        assert!(fault(book(&[START, "7g7x"])).contains("line 3: \"7g7x\": expected `sfen`"));
        assert!(fault(book(&[START, "7g7f 3c3d much"])).contains("the value is a whole number"));
        assert!(fault(book(&["sfen lnsgkgsnl/9 b - 1"])).starts_with("line 2: "));
        assert!(fault("#YANEURAOU-DB2016 2.00\n".to_owned()).contains("expected #YANEURAOU-DB2016 1.00"));
    }

    /// Whatever a file says, it gives a book of legal moves or a fault.
    #[test]
    fn any_lines_are_survived() {
        let words = ["sfen", START, "7g7f", "P*5e", "3c3d", "none", "-5", "x", "#", "\u{fffd}", "\n", "\n", " ", " "];
        let mut rng = tesuji_search::Rng::new(5);
        let (mut books, mut played) = (0, 0);
        for _ in 0..10_000 {
            let mut text = if rng.below(2) == 0 { book(&[]) } else { book(&[START]) };
            for _ in 0..rng.below(12) {
                text += words[rng.below(words.len())];
            }
            let Ok(read) = YaneuraOuBook::parse(text.as_bytes()) else { continue };
            books += 1;
            if let Some(line) = read.lines(&Shogi::start()).first() {
                played += 1;
                assert!(Shogi::start().is_legal(line.moves[0]), "{text}");
            }
        }
        assert!(books > 100 && played > 10, "{books} {played}");
    }

    /// A sorted file is searched where it lies, and tells the same as one that was read.
    #[test]
    fn large_files_are_searched_on_the_disk() {
        let mut game = Shogi::start();
        let mut positions: Vec<(String, String)> = Vec::new();
        let moves = ["7g7f", "3c3d", "2g2f", "8c8d", "2f2e", "8d8e", "6i7h", "4a3b", "8h2b+", "3a2b"];
        for (index, text) in moves.iter().enumerate() {
            positions.push((format!("sfen {}", game.print()), format!("{text} none {index} 1 1")));
            let mv = game.parse_move(text).unwrap();
            game.play(mv);
        }
        positions.sort();
        let lines: Vec<&str> = positions.iter().flat_map(|(sfen, mv)| [sfen.as_str(), mv.as_str()]).collect();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.db");
        std::fs::write(&path, book(&lines)).unwrap();
        let read = YaneuraOuBook::open(&path).unwrap().unwrap();
        let sorted = YaneuraOuBook::of(File::open(&path).unwrap(), &path, 0).unwrap();
        let mut game = Shogi::start();
        for text in moves {
            assert_eq!(sorted.probe(&game).unwrap(), read.probe(&game).unwrap(), "{}", game.print());
            assert_eq!(sorted.probe(&game).unwrap()[0].mv, text);
            let mv = game.parse_move(text).unwrap();
            game.play(mv);
        }
        assert_eq!(sorted.probe(&game).unwrap(), []);
        positions.reverse();
        let lines: Vec<&str> = positions.iter().flat_map(|(sfen, mv)| [sfen.as_str(), mv.as_str()]).collect();
        std::fs::write(&path, book(&lines)).unwrap();
        let unsorted = YaneuraOuBook::of(File::open(&path).unwrap(), &path, 0);
        assert!(matches!(unsorted, Err(YaneuraOuBookError::Unsorted { .. })));
        std::fs::write(&path, "tesuji").unwrap();
        assert!(YaneuraOuBook::open(&path).is_none());
    }
}
