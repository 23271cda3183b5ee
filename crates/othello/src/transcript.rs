//! Transcripts: `f5d6c3…`, glued or between blanks, with or without move numbers, passes left out.

use tesuji_game::{Game, Notation, PushError, Record, RecordError, TextError};

use crate::notation::PASSES;
use crate::{Move, Othello, Square};

/// The next move of a transcript and what follows it, both as text; `None` at the end.
fn next(mut text: &str) -> Option<(&str, &str)> {
    loop {
        text = text.trim_start();
        let unnumbered = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let undotted = unnumbered.trim_start_matches('.');
        if unnumbered.len() == text.len() || undotted.len() == unnumbered.len() {
            break;
        }
        text = undotted;
    }
    let begins = |word: &&&str| text.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word));
    let length = match PASSES.iter().find(begins) {
        Some(pass) => pass.len(),
        None if text.get(..2).is_some_and(|begin| Square::parse(begin).is_some()) => 2,
        None => text.find(char::is_whitespace).unwrap_or(text.len()),
    };
    (length > 0).then(|| text.split_at(length))
}

/// Plays a transcript into `record`. Written moves are counted, implied passes are not.
pub(crate) fn read_moves(record: &mut Record<Othello>, mut text: &str) -> Result<(), RecordError> {
    let mut number = 0;
    while let Some((word, rest)) = next(text) {
        number += 1;
        push(record, word).map_err(|refusal| refusal.at_move(number, word))?;
        text = rest;
    }
    Ok(())
}

/// Plays one written move, after the pass that it implies: the mover can turn nothing and the other side can
/// play here.
pub(crate) fn push(record: &mut Record<Othello>, word: &str) -> Result<(), PushError> {
    if let Some(square) = Square::parse(word)
        && record.ending().is_none()
        && record.now().must_pass()
    {
        let mut passed = *record.now();
        passed.play(Move::PASS);
        if passed.is_legal(square) {
            record.push(Move::PASS)?;
        }
    }
    record.push_text(word)
}

/// The moves glued together. Passes are implied by what follows them; only a last one has to be written.
pub(crate) fn print_moves(record: &Record<Othello>) -> String {
    let mut text: String = record.moves().filter(|&mv| mv != Move::PASS).map(|mv| mv.to_string()).collect();
    if record.moves().last() == Some(Move::PASS) {
        text += "pass";
    }
    text
}

/// One game, without a line feed: the start position only when it is not the usual one or nothing else
/// would stand on the line.
pub(crate) fn print(record: &Record<Othello>) -> String {
    let moves = print_moves(record);
    if *record.start() == Othello::start() && !moves.is_empty() {
        moves
    } else {
        format!("{}: {moves}", record.start().print()).trim_end().to_owned()
    }
}

/// Reads what [`print`] writes.
pub(crate) fn parse(text: &str) -> Result<Record<Othello>, TextError> {
    let reading = tesuji_game::lines::read_line(text);
    match reading.fault {
        None => Ok(reading.record),
        Some(fault) => Err(TextError::new(fault.text, 0, fault.message)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (String, Option<RecordError>) {
        let mut record = Record::new(Othello::start());
        let fault = read_moves(&mut record, text).err();
        (print_moves(&record), fault)
    }

    #[test]
    fn spellings_of_a_transcript() {
        for text in
            ["f5d6c3", "F5D6C3", " f5 d6\tc3\n", "1.f5 2.d6 3.c3", "1. f5 d6 2. c3", "1.f5d62.c3", "1... f5 d6c3"]
        {
            assert_eq!(read(text), ("f5d6c3".to_owned(), None), "{text}");
        }
        assert_eq!(read(""), (String::new(), None));
    }

    #[test]
    fn the_first_wrong_move_is_named() {
        for (text, number, word) in [
            ("f5d6d6", 3, "d6"),
            ("f5 zz9 c3", 2, "zz9"),
            ("f5 34 d6", 2, "34"),
            ("f5pass", 2, "pass"),
            ("f5é", 2, "é"),
            ("a1", 1, "a1"),
        ] {
            let fault = read(text).1.unwrap();
            assert_eq!((fault.mv, fault.text.as_str()), (Some(number), word), "{text}");
        }
    }

    #[test]
    fn implied_passes_are_played_and_not_counted() {
        // Black turns b1 and white, who can turn nothing, passes; black goes on.
        let start = format!("{:-<64} X", "-OX---OX");
        for text in ["a1f1", "a1 pass f1", "a1PAf1", "a1--f1", "a1 ps f1"] {
            let reading = tesuji_game::lines::read_line::<Othello>(&format!("{start}: {text}"));
            assert_eq!(reading.fault, None, "{text}");
            let moves: Vec<String> = reading.record.moves().map(|mv| mv.to_string()).collect();
            assert_eq!(moves, ["a1", "pass", "f1"], "{text}");
            assert!(reading.record.ending().is_some());
        }
        let fault = |text: &str| {
            tesuji_game::lines::read_line::<Othello>(&format!("{start}: {text}")).fault.map(|fault| fault.mv)
        };
        assert_eq!(fault("a1 f1 h8"), Some(Some(3)));
        assert_eq!(fault("a1 pass f1 h8"), Some(Some(4)));
        assert_eq!(fault("a1 h8"), Some(Some(2)));
        // A move that no pass would make legal implies none.
        let stopped = tesuji_game::lines::read_line::<Othello>(&format!("{start}: a1 h8")).record;
        assert_eq!(print_moves(&stopped), "a1");
        assert_eq!(fault("a1 pass pass"), Some(Some(3)));
    }
}
