//! Paths and records on a toy: a walk round a ring, where some cells give check.

#![allow(clippy::unwrap_used)]

use tesuji_game::{Ending, Game, Notation, Outcome, Path, PushError, Record, Repetition, Side, TextError};

/// A token on a ring of eight cells; the movers take turns in pushing it on or back. Standing on a cell of
/// `checks` is check. The third occurrence of a position ends the game.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Ring {
    cell: u8,
    mover: Side,
    checks: u8,
}

impl Game for Ring {
    type Move = u8;
    type Moves = Vec<u8>;
    type Undo = Self;
    type Rules = ();
    const NAME: &'static str = "ring";

    fn start() -> Self {
        Ring { cell: 0, mover: Side::First, checks: 0 }
    }

    fn mover(&self) -> Side {
        self.mover
    }

    fn moves(&mut self, out: &mut Vec<u8>) {
        *out = vec![1, 7];
    }

    fn play(&mut self, step: u8) -> Self {
        let before = self.clone();
        self.cell = (self.cell + step) % 8;
        self.mover = !self.mover;
        before
    }

    fn undo(&mut self, before: Self) {
        *self = before;
    }

    fn outcome(&self) -> Option<Outcome> {
        None
    }

    fn in_check(&self) -> bool {
        self.checks >> self.cell & 1 == 1
    }

    fn ending(&self, path: &Path<Self>) -> Option<Ending> {
        let repetition = path.repetition().filter(|repetition| repetition.times == 3)?;
        Some(Ending { winner: repetition.checker.map(|side| !side), reason: "third" })
    }
}

impl Notation for Ring {
    fn parse(text: &str) -> Result<Self, TextError> {
        Err(TextError::new(text, 0, "the ring has no text"))
    }

    fn print(&self) -> String {
        self.cell.to_string()
    }

    fn print_move(&self, step: u8) -> String {
        if step == 1 { "on".to_owned() } else { "back".to_owned() }
    }
}

fn walked(checks: u8, steps: &[u8]) -> Record<Ring> {
    let mut record = Record::new(Ring { checks, ..Ring::start() });
    for &step in steps {
        record.push(step).unwrap();
    }
    record
}

#[test]
fn a_position_recurs_with_the_same_mover_only() {
    let eight = walked(0, &[1; 8]);
    assert_eq!(eight.path().repetition(), Some(Repetition { times: 2, since: 8, checker: None }));
    assert_eq!(walked(0, &[1, 7]).path().repetition().map(|found| found.since), Some(2));
    assert_eq!(walked(0, &[1, 1]).path().repetition(), None);
}

#[test]
fn the_checker_is_who_checked_with_every_move() {
    // To and fro between cells 0 and 1: the first player's moves end on 1, the second's on 0.
    let steps = [1, 7, 1, 7];
    let checker = |checks| walked(checks, &steps).path().repetition().and_then(|found| found.checker);
    assert_eq!(checker(0b00), None);
    assert_eq!(checker(0b10), Some(Side::First));
    assert_eq!(checker(0b01), Some(Side::Second));
    assert_eq!(checker(0b11), None, "both checked throughout");
    // One quiet move in between: cell 7 is reached by the first player as well.
    let quiet = walked(0b10, &[1, 7, 7, 1]);
    assert_eq!(quiet.path().repetition().map(|found| (found.times, found.checker)), Some((3, None)));
}

#[test]
fn the_path_goes_back_as_it_came() {
    let mut game = Ring::start();
    let mut path = Path::new(&game, ());
    for step in [1, 7] {
        game.play(step);
        path.push(&game);
    }
    assert_eq!((path.plies(), path.repetition().is_some()), (2, true));
    path.pop();
    assert_eq!((path.plies(), path.repetition()), (1, None));
}

#[test]
fn a_record_takes_legal_moves_until_the_end() {
    let mut record = walked(0b10, &[1, 7, 1]);
    assert_eq!(record.push(3), Err(PushError::Illegal));
    assert!(matches!(record.push_text("up"), Err(PushError::Text(_))));
    record.push_text("BACK").unwrap();
    let end = Ending { winner: Some(Side::Second), reason: "third" };
    assert_eq!(record.ending(), Some(end));
    assert_eq!(record.push(1), Err(PushError::Over(end)));
    assert_eq!(record.end(end), Err(PushError::Over(end)), "an ended game does not end again");
    assert_eq!(record.plies().len(), 4);
    let fault = Ring::read_moves(&mut walked(0, &[]), "on back off on").unwrap_err();
    assert_eq!((fault.mv, fault.text.as_str()), (Some(3), "off"));
}

#[test]
fn tags_and_notes() {
    let mut record = walked(0, &[1]);
    record.set_tag("event", "cup");
    record.set_tag("event", "final");
    record.set_tag("place", "");
    assert_eq!((record.tag("event"), record.tag("place"), record.tags.len()), (Some("final"), None, 1));
    record.note().unwrap().value(2.5).comment("one").comment("two");
    let ply = &record.plies()[0];
    assert_eq!((ply.value, ply.comment.as_str()), (Some(2.5), "one\ntwo"));
    assert!(walked(0, &[]).note().is_none());
}

#[test]
fn errors_quote_what_was_typed() {
    let quoted = |text: &str| TextError::new(text, 0, "no").to_string();
    assert_eq!(quoted("B3\\"), "\"B3\\\": no");
    assert_eq!(quoted("a\tb\u{7}"), "\"a\\tb\\u{7}\": no");
    assert_eq!(quoted(&"é".repeat(100)).chars().filter(|&letter| letter == 'é').count(), 60);
}
