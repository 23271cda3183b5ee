//! Answers, lines and their texts, over positions near the end that a plain search solves.

#![allow(clippy::unwrap_used)]

mod near;

use serde_json::{Value, json};
use tesuji_game::{Game, HasPerfectIndex, NO_MOVE, Notation, Outcome, Record};
use tesuji_ostle::{Index, Ostle};
use tesuji_solve::tablebase::{PositionValue, TablebaseError};

use super::answer::{Answer, Kind};
use super::asked::Asked;
use super::line::Line;
use super::oracle::failure;
use super::text::Page;
use super::{Found, args};
use crate::draw::Style;
use crate::failure::Failure;
use near::{Near, Outcomes, Stubborn};

/// A win in 5 that the ko turns into a loss in 2.
const KO: &str = "01020-03021-00120-00000-02010/02010-03120-00210-00000-01020";
/// A win in 5, where the forbidden move would win in 3.
const FIVE: &str = "00003-00010-10022-20100-02001/00003-00020-00011-20200-11002";

const PAGE: Page = Page { style: Style::Ascii, bold: false };

fn asked(text: &str) -> Asked<Ostle> {
    Asked { record: Record::new(Ostle::parse(text).unwrap()), past: true, warning: None }
}

fn worth(outcome: Outcome, plies: u8) -> PositionValue {
    PositionValue { outcome, plies: Some(plies) }
}

fn read(position: &str, previous: Option<&str>, moves: Option<&str>) -> Result<Asked<Ostle>, Failure> {
    Asked::read(&args::Query {
        game: "ostle".into(),
        position: Some(position.into()),
        previous: previous.map(str::to_owned),
        moves: moves.map(str::to_owned),
        line: false,
        longest: false,
        unreachable: false,
        table: None,
        ascii: true,
        json: args::Json { json: false },
    })
}

#[test]
fn a_position_for_people() {
    let asked = asked(KO);
    let answer = Some(Answer::of(&Near::new(5), *asked.record.now()).unwrap());
    let found = Found { answer, line: None, reached: Some(Some(17)) };
    let expected = "   a  b  c  d  e
1  .  X  .  O  .
2  .  #  .  O  X
3  .  .  X  O  .
4  .  .  .  .  .
5  .  O  .  X  .

position  01020-03021-00120-00000-02010/02010-03120-00210-00000-01020
value     black, to move, loses in 2 plies
ko        e2l is forbidden: it would take the last move back
reached   17 plies from the start

moves   * loses in 2  b1l b1r e2u e2d c3u c3d c3l c3r d5u d5l d5r b2d b2l b2r
          suicide     b1u b1d e2r d5d
          forbidden   e2l, which would win in 5
";
    assert_eq!(PAGE.position(&asked, &found), expected);
}

#[test]
fn the_words_for_every_worth() {
    let position = *asked(KO).record.now();
    let verdict = |position: &str, oracle: Near, more: &str| {
        let asked = asked(position);
        let answer = Some(Answer::of(&oracle, *asked.record.now()).unwrap());
        let page = PAGE.position(&asked, &Found { answer, line: None, reached: None });
        assert!(page.contains(more), "{page}");
    };
    verdict(&position.forbidding(NO_MOVE).print(), Near::new(5), "value     black, to move, wins in 5 plies");
    verdict("22222-00000-00300-00000-11111", Near::new(2), "value     a draw, black to move");
    verdict(
        "00001-00002-00203-02020-11100",
        Near::new(1),
        "value     checkmate: black, to move, wins at once",
    );
    verdict("00001-00002-00203-02020-11100", Near::new(1), "moves   * wins at once  e1d\n");
}

#[test]
fn a_position_for_scripts() {
    let asked = asked(KO);
    let answer = Some(Answer::of(&Near::new(5), *asked.record.now()).unwrap());
    let told = Found { answer, line: None, reached: None }.json(&asked);
    assert_eq!((&told["value"], &told["plies"], &told["outcome"]), (&json!("loss"), &json!(2), &Value::Null));
    assert_eq!(told["position"], KO);
    assert!(told.get("reached_in").is_none());
    let moves = told["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 19);
    assert_eq!(moves[0], json!({ "move": "b1l", "value": "loss", "plies": 2 }));
    assert_eq!(moves[17], json!({ "move": "d5d", "value": "loss", "plies": 1 }));
    assert_eq!(moves[18], json!({ "move": "e2l", "value": "win", "plies": 5, "forbidden": true }));
}

#[test]
fn the_distance_is_null_where_no_game_leads() {
    let asked = asked(KO);
    for (reached, expected) in [(Some(3), json!(3)), (None, Value::Null)] {
        let told = Found { answer: None, line: None, reached: Some(reached) }.json(&asked);
        assert_eq!(told.get("reached_in"), Some(&expected));
    }
}

#[test]
fn the_best_comes_first_and_nothing_forbidden_is_best() {
    let position = Ostle::parse(FIVE).unwrap();
    let answer = Answer::of(&Near::new(5), position).unwrap();
    assert_eq!(answer.worth, worth(Outcome::Win, 5));
    let best: Vec<String> = answer.best().map(|choice| position.print_move(choice.mv)).collect();
    assert_eq!(best, ["d2d"]);
    let last = answer.choices.last().unwrap();
    assert_eq!((last.kind, last.worth), (Kind::Forbidden, worth(Outcome::Win, 3)));
    let suicides = answer.choices.iter().filter(|choice| choice.kind == Kind::Suicide);
    assert!(suicides.clone().count() == 3 && suicides.clone().all(|it| it.worth == worth(Outcome::Loss, 1)));
    assert!(answer.choices.is_sorted_by_key(|choice| choice.kind));
}

#[test]
fn a_table_of_outcomes_tells_no_plies() {
    let asked = asked(FIVE);
    let answer = Answer::of(&Outcomes(Near::new(5)), *asked.record.now()).unwrap();
    let line = Line::follow(&Outcomes(Near::new(5)), &asked.record, &answer);
    assert!(matches!(line, Err(Failure::Failed(why)) if why.contains("--wdl")));
    let found = Found { answer: Some(answer), line: None, reached: None };
    let told = found.json(&asked);
    assert_eq!((&told["value"], &told["plies"]), (&json!("win"), &Value::Null));
    let page = PAGE.position(&asked, &found);
    assert!(page.contains("value     black, to move, wins\n"), "{page}");
    assert!(page.contains("* wins        d2d\n"), "{page}");
    // Replies that win at once are known without a table.
    assert!(page.contains("  loses in 2  d2r e1l\n"), "{page}");
}

/// The moves are those of the table of four pieces a side.
#[test]
fn a_line_to_the_end() {
    let asked = asked(FIVE);
    let oracle = Near::new(5);
    let answer = Answer::of(&oracle, *asked.record.now()).unwrap();
    let line = Line::follow(&oracle, &asked.record, &answer).unwrap();
    let expected = "
 ply  mover  move  value     as good
   1  black  d2d   win    5
   2  white  e3u   loss   4  e3l
   3  black  a3d   win    3
   4  white  e2d   loss   2  e2l d4u d4d d4l d4r a5r b5u b5r e1l
   5  black  d3r   win    1  a4d

   a  b  c  d  e
1  .  .  .  .  #
2  .  .  .  .  .
3  .  .  .  .  X
4  X  .  X  O  .
5  O  O  .  .  X

position  00003-00000-00002-20210-11002
over      black won (pieces)
";
    assert_eq!(PAGE.line(&line), expected);
    let told = line.json();
    assert_eq!(told.len(), 5);
    for (ply, told) in (1..).zip(&told) {
        assert_eq!((&told["ply"], &told["plies"]), (&json!(ply), &json!(6 - ply)));
        assert!(told["equal"].as_array().unwrap().contains(&told["move"]), "{told}");
        assert_eq!(told.get("outcome").is_some(), ply == 5);
    }
    assert_eq!(told[1]["equal"], json!(["e3u", "e3l"]));
    assert_eq!((&told[4]["outcome"], &told[4]["reason"]), (&json!("first"), &json!("pieces")));
}

#[test]
fn a_drawn_line_goes_on_until_a_position_comes_back() {
    let oracle = Near::new(1);
    let record = Record::new(Ostle::start());
    let line = Line::follow(&oracle, &record, &Answer::of(&oracle, Ostle::start()).unwrap()).unwrap();
    let first = &line.plies[line.since.unwrap() - 1].position;
    assert_eq!((line.record.now(), line.record.now().mover()), (first, first.mover()));
    let told = line.json().pop().unwrap();
    assert_eq!((&told["outcome"], &told["reason"]), (&json!("draw"), &json!("repetition")));
    assert_eq!((&told["after"], &told["repeats"]), (&json!(first.print()), &json!(line.since)));
    assert_eq!(told["plies"], Value::Null);
    assert!(PAGE.line(&line).ends_with(": nobody gets ahead, a draw\n"));
}

#[test]
fn a_table_that_contradicts_itself_gives_no_answer() {
    let told = Answer::of(&Stubborn(worth(Outcome::Win, 3)), Ostle::start());
    let Err(Failure::Failed(why)) = told else { unreachable!("an answer was given") };
    assert!(why.contains("is win in 3 and its best move is loss in 4"), "{why}");
}

#[test]
fn the_past_decides_what_is_forbidden() {
    let (board, previous) = KO.split_once('/').unwrap();
    for asked in [read(KO, None, None), read(board, Some(previous), None)] {
        let asked = asked.unwrap();
        assert_eq!((asked.record.now().print(), asked.past, asked.warning), (KO.to_owned(), true, None));
    }
    let bare = read(board, None, None).unwrap();
    assert_eq!((bare.record.now().forbidden(), bare.past, bare.warning), (NO_MOVE, false, None));
    let moved = read(board, None, Some("c3u")).unwrap();
    assert!(moved.past && moved.record.now().mover() != bare.record.now().mover());
}

#[test]
fn a_past_that_cannot_be_is_warned_of() {
    let (board, _) = KO.split_once('/').unwrap();
    for asked in [read(board, Some(board), None), read(&format!("{board}/{board}"), None, None)] {
        let asked = asked.unwrap();
        assert_eq!((asked.record.now().forbidden(), asked.past), (NO_MOVE, false));
        assert!(asked.warning.unwrap().contains("no move leads"));
    }
}

#[test]
fn what_cannot_be_read_is_named_with_its_place() {
    let (board, previous) = KO.split_once('/').unwrap();
    let wrong = format!("{board}/0x");
    for (asked, part) in [
        (read("01020-03x", None, None), "the position, character 9: \"x\""),
        (read(&wrong, None, None), "the position, character 32: \"x\""),
        (read(board, Some("12"), None), "--previous, character 1: \"12\""),
        (read(KO, Some(previous), None), "already tells the board before"),
        (read(board, None, Some("e2l c1c")), "--moves: move 2, \"c1c\""),
    ] {
        let Err(Failure::Usage(why)) = asked else { unreachable!("read without {part}") };
        assert!(why.contains(part), "{why}");
    }
}

#[test]
fn a_missing_class_names_the_run_that_makes_it() {
    let missing = |class: &str| TablebaseError::MissingClass { dir: "somewhere".into(), class: class.into() };
    for (class, pieces) in [("4-4", 8), ("5-4", 9), ("4-5", 9), ("5-5", 10)] {
        let why = failure::<Ostle>(&Index::new(), missing(class)).to_string();
        let command = format!("`tesuji solve ostle --pieces {pieces} --out somewhere`");
        assert!(why.contains(class) && why.contains(&command), "{why}");
    }
}
