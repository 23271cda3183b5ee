//! SFEN, the position notation of USI.

use tesuji_game::{Game, Side, TextError};

use crate::{Piece, PieceKind, Setup, Shogi, Square};

/// The start position.
const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// The start position.
pub(crate) fn start() -> Shogi {
    match parse(START) {
        Ok(start) => start,
        Err(error) => unreachable!("{error}"),
    }
}

/// One field of the text and its offset.
#[derive(Clone, Copy)]
struct Field<'a> {
    text: &'a str,
    at: usize,
}

fn fields(text: &str) -> Vec<Field<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(word) = rest.split_whitespace().next() {
        let at = word.as_ptr() as usize - text.as_ptr() as usize;
        found.push(Field { text: word, at });
        rest = &text[at + word.len()..];
    }
    found
}

/// Parses `startpos`, or board, side, hands and an optional move number, optionally after the word `sfen`.
pub(crate) fn parse(text: &str) -> Result<Shogi, TextError> {
    let all = fields(text);
    let words = match all.as_slice() {
        [first, rest @ ..] if first.text == "sfen" => rest,
        words => words,
    };
    match words {
        [] => Err(TextError::new(text, 0, "no position here; \"startpos\" is one")),
        [word] if word.text == "startpos" => Ok(start()),
        &[board, ref rest @ ..] => {
            let mut setup = Setup::new();
            read_board(board, &mut setup)?;
            let end = text.trim_end().len();
            let missing = |what: &str| TextError::new(text.trim(), end, format!("{what} is missing"));
            let side = rest.first().ok_or_else(|| missing("the side to move (b or w)"))?;
            match side.text {
                "b" => setup.side(Side::First),
                "w" => setup.side(Side::Second),
                other => return Err(TextError::new(other, side.at, "the side to move is b or w")),
            };
            let hands = rest.get(1).ok_or_else(|| missing("what is in hand (- for nothing)"))?;
            read_hands(*hands, &mut setup)?;
            if let Some(number) = rest.get(2) {
                let value = number.text.parse();
                let value = value
                    .map_err(|_| TextError::new(number.text, number.at, "the number of the move is a whole number"))?;
                setup.number(value);
            }
            if let Some(extra) = rest.get(3) {
                return Err(TextError::new(extra.text, extra.at, "nothing follows the number of the move"));
            }
            setup.build().map_err(|error| TextError::new(board.text, board.at, error.to_string()))
        }
    }
}

/// Ranks from the top, each from file 9 to file 1: letters are pieces, digits empty squares.
fn read_board(field: Field<'_>, setup: &mut Setup) -> Result<(), TextError> {
    let mut at = field.at;
    let ranks: Vec<&str> = field.text.split('/').collect();
    if ranks.len() != 9 {
        let message = format!("a board has 9 ranks between slashes, here are {}", ranks.len());
        return Err(TextError::new(field.text, field.at, message));
    }
    for (text, rank) in ranks.into_iter().zip(1..) {
        let mut file = 9;
        let mut promoted = false;
        let wrong = |message: String| Err(TextError::new(text, at, format!("rank {rank}: {message}")));
        for letter in text.chars() {
            if promoted && PieceKind::from_letter(letter).is_none() {
                return wrong(format!("a piece follows +, not {letter:?}"));
            }
            match letter {
                '+' => promoted = true,
                '1'..='9' => file -= letter as i32 - '0' as i32,
                _ => {
                    let Some(plain) = PieceKind::from_letter(letter) else {
                        return wrong(format!("{letter:?} is no piece; pieces are KRBGSNLP"));
                    };
                    let Some(kind) = (if promoted { plain.promoted() } else { Some(plain) }) else {
                        return wrong(format!("a {} does not promote", plain.name()));
                    };
                    let side = if letter.is_ascii_uppercase() { Side::First } else { Side::Second };
                    let Some(square) = u8::try_from(file).ok().and_then(|file| Square::new(file, rank)) else {
                        return wrong("more than 9 files".to_owned());
                    };
                    setup.put(square, Piece { side, kind });
                    promoted = false;
                    file -= 1;
                }
            }
        }
        if promoted {
            return wrong("a piece follows +".to_owned());
        }
        if file != 0 {
            return wrong(format!("{} files for 9", 9 - file));
        }
        at += text.len() + 1;
    }
    Ok(())
}

/// `-`, or letters with a count before: `2Pb`.
fn read_hands(field: Field<'_>, setup: &mut Setup) -> Result<(), TextError> {
    if field.text == "-" {
        return Ok(());
    }
    let mut count: Option<u32> = None;
    for (index, letter) in field.text.char_indices() {
        let wrong = |message: String| Err(TextError::new(field.text, field.at + index, message));
        if let Some(digit) = letter.to_digit(10) {
            count = Some(count.unwrap_or(0).saturating_mul(10).saturating_add(digit));
            continue;
        }
        let Some(kind) = PieceKind::from_letter(letter) else {
            return wrong(format!("{letter:?} is no piece in hand; pieces are RBGSNLP, - is none"));
        };
        if count == Some(0) {
            return wrong(format!("none of a {} is simply left out", kind.name()));
        }
        let side = if letter.is_ascii_uppercase() { Side::First } else { Side::Second };
        setup.hand(side, kind, count.take().unwrap_or(1));
    }
    match count {
        Some(_) => Err(TextError::new(field.text, field.at, "a piece follows its number")),
        None => Ok(()),
    }
}

/// The canonical text, with the move number.
pub(crate) fn print(position: &Shogi) -> String {
    let mut text = String::with_capacity(80);
    for rank in 1..=9 {
        if rank > 1 {
            text.push('/');
        }
        let mut empty = 0_u8;
        for piece in (1..=9).rev().map(|file| Square::new(file, rank).and_then(|at| position.piece(at))) {
            match piece {
                None => empty += 1,
                Some(Piece { side, kind }) => {
                    push_count(&mut text, &mut empty);
                    push_letters(&mut text, side, kind);
                }
            }
        }
        push_count(&mut text, &mut empty);
    }
    text.push_str(if position.mover() == Side::First { " b " } else { " w " });
    let hands = text.len();
    for side in Side::BOTH {
        for kind in PieceKind::HAND {
            let held = position.hand(side, kind);
            if held > 1 {
                text.push_str(&held.to_string());
            }
            if held > 0 {
                push_letters(&mut text, side, kind);
            }
        }
    }
    if text.len() == hands {
        text.push('-');
    }
    text + " " + &position.number().to_string()
}

fn push_count(text: &mut String, empty: &mut u8) {
    if *empty > 0 {
        text.push(char::from(b'0' + *empty));
        *empty = 0;
    }
}

fn push_letters(text: &mut String, side: Side, kind: PieceKind) {
    match side {
        Side::First => text.push_str(kind.letters()),
        Side::Second => text.push_str(&kind.letters().to_ascii_lowercase()),
    }
}
