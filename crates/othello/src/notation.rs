//! Positions and moves as text: 64 of `X O -` from a1 to h8 and the side to move; `f5`, `pass`.

use tesuji_game::{Game, Notation, Record, RecordError, Side, TextError};

use crate::{Move, Othello, Square, transcript};

/// What stands on a square, or whose move it is, in all the spellings that are about.
fn side(letter: char) -> Option<Side> {
    match letter {
        'X' | 'x' | '*' | 'B' | 'b' => Some(Side::First),
        'O' | 'o' | 'W' | 'w' => Some(Side::Second),
        _ => None,
    }
}

/// What players call a side.
pub(crate) fn colour(side: Side) -> &'static str {
    match side {
        Side::First => "black",
        Side::Second => "white",
    }
}

/// A pass as it is written in transcripts, GGF and on Othello servers; longer words first.
pub(crate) const PASSES: [&str; 4] = ["pass", "pa", "ps", "--"];

/// The letters of the canonical form: black, white, empty.
pub(crate) fn print_board(position: &Othello, [black, white, empty]: [char; 3]) -> String {
    let [first, second] = Side::BOTH.map(|side| position.discs(side));
    let letter = |square: u32| match (first >> square & 1, second >> square & 1) {
        (1, _) => black,
        (_, 1) => white,
        _ => empty,
    };
    (0..64).map(letter).collect()
}

/// Reads the 64 squares that `text` begins with: black's discs, white's, and what follows.
fn parse_board(text: &str) -> Result<([u64; 2], &str), TextError> {
    let mut discs = [0; 2];
    let mut letters = text.char_indices();
    for index in 0..64 {
        let square = Square::new(index).map_or(String::new(), |square| square.to_string());
        match letters.next() {
            Some((_, '-' | '.')) => {}
            Some((at, letter)) => match side(letter) {
                Some(side) => discs[side.index()] |= 1 << index,
                None => {
                    let message = format!("{square} must be X (black), O (white) or - (empty)");
                    return Err(TextError::new(letter, at, message));
                }
            },
            None => {
                let message = format!("a board has 64 squares, and this one stops before {square}");
                return Err(TextError::new(text, text.len(), message));
            }
        }
    }
    Ok((discs, letters.as_str()))
}

impl Notation for Othello {
    fn parse(text: &str) -> Result<Othello, TextError> {
        let board = text.trim();
        let indent = text.len() - text.trim_start().len();
        let ([black, white], rest) =
            parse_board(board).map_err(|error| TextError { at: (indent + error.at).min(text.len()), ..error })?;
        let word = rest.trim_start();
        let mut letters = word.chars();
        let mover = match (letters.next(), letters.next()) {
            (None, _) => Some(Side::First),
            (Some(letter), None) => side(letter),
            _ => None,
        };
        let Some(mover) = mover else {
            let at = indent + board.len() - word.len();
            return Err(TextError::new(word, at, "after the 64 squares comes the side to move, X or O"));
        };
        let (own, other) = if mover == Side::First { (black, white) } else { (white, black) };
        Othello::new(own, other, mover).ok_or_else(|| TextError::new(text, 0, "a square holds two discs"))
    }

    fn print(&self) -> String {
        let mover = if self.mover() == Side::First { 'X' } else { 'O' };
        format!("{} {mover}", print_board(self, ['X', 'O', '-']))
    }

    fn parse_move(&mut self, text: &str) -> Result<Move, TextError> {
        let wrong = |message: String| Err(TextError::new(text, 0, message));
        let mover = colour(self.mover());
        if self.is_over() {
            return wrong("the game is over: neither side can move".to_owned());
        }
        if PASSES.iter().any(|pass| pass.eq_ignore_ascii_case(text)) {
            return if self.must_pass() { Ok(Move::PASS) } else { wrong(format!("{mover} can move and may not pass")) };
        }
        match Square::parse(text) {
            None => wrong("there is no such square; a move is a1 to h8, or pass".to_owned()),
            Some(square) if self.is_legal(square) => Ok(Move::from(square)),
            Some(square) if self.empties() & square.bit() == 0 => wrong(format!("{square} is taken")),
            Some(_) if self.must_pass() => wrong(format!("{mover} has no move here and must pass")),
            Some(square) => wrong(format!("{mover} turns no disc on {square}")),
        }
    }

    fn print_move(&self, mv: Move) -> String {
        mv.to_string()
    }

    fn read_moves(record: &mut Record<Othello>, text: &str) -> Result<(), RecordError> {
        transcript::read_moves(record, text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "---------------------------OX------XO--------------------------- X";

    #[test]
    fn every_spelling_of_the_start_is_the_start() {
        let board = START.trim_end_matches(" X");
        let spellings = [
            board.to_owned(),
            format!("{board}X"),
            format!("  {board}   *\n"),
            format!("{} b", board.replace('-', ".").replace('X', "*").replace('O', "w")),
            format!("{} B", board.replace('X', "b").replace('O', "W")),
            board.to_lowercase(),
        ];
        for text in spellings {
            assert_eq!(Othello::parse(&text), Ok(Othello::start()), "{text}");
        }
        assert_eq!(Othello::start().print(), START);
        let white = Othello::parse(&format!("{board} w")).unwrap();
        assert_eq!((white.mover(), white.own()), (Side::Second, Othello::start().other()));
    }

    #[test]
    fn a_wrong_board_is_refused_where_it_is_wrong() {
        let fault = |text: &str| {
            let error = Othello::parse(text).unwrap_err();
            (error.at, error.text, error.message)
        };
        let (at, text, message) = fault(&START.replacen('O', "Q", 1));
        assert_eq!((at, text.as_str()), (27, "Q"));
        assert!(message.starts_with("d4 must be"), "{message}");
        let (at, _, message) = fault("--X-");
        assert_eq!(at, 4);
        assert!(message.ends_with("stops before e1"), "{message}");
        let (at, text, _) = fault(&format!(" {START}X"));
        assert_eq!((at, text.as_str()), (66, "XX"));
        let (at, text, _) = fault(&START.replace(" X", " -"));
        assert_eq!((at, text.as_str()), (65, "-"));
        assert_eq!(fault("").0, 0);
        assert_eq!(fault("é").0, 0);
    }

    #[test]
    fn a_wrong_move_says_why() {
        let why = |position: &str, text: &str| Othello::parse(position).unwrap().parse_move(text).unwrap_err().message;
        assert_eq!(why(START, "d4"), "d4 is taken");
        assert_eq!(why(START, "A1"), "black turns no disc on a1");
        assert_eq!(why(START, "pass"), "black can move and may not pass");
        assert!(why(START, "i9").contains("a1 to h8"));
        let forced = format!("{:-<64} X", "XXO");
        assert!(Othello::parse(&forced).unwrap().parse_move("d1").is_ok());
        let forced = format!("{:-<64} O", "XXO");
        assert_eq!(why(&forced, "d1"), "white has no move here and must pass");
        assert_eq!(Othello::parse(&forced).unwrap().parse_move("PA"), Ok(Move::PASS));
        assert!(why(&format!("{:-<64}", ""), "a1").contains("over"));
    }
}
