//! Responses about positions near the end, which a plain search solves.

use serde_json::{Value, json};
use tesuji_game::{Game, NO_MOVE};
use tesuji_ostle::{Index, Ostle};

use super::*;
use oracles::{ShallowSearch, WdlOnly};

#[allow(dead_code)]
#[path = "../../../../solve/tests/laws/query/oracles.rs"]
mod oracles;

/// A win in 5 that the ko turns into a loss in 2.
const KO: &str = "01020-03021-00120-00000-02010 X/02010-03120-00210-00000-01020 O";
/// A win in 5, where the forbidden move would win in 3.
const FIVE: &str = "00003-00010-10022-20100-02001/00003-00020-00011-20200-11002";

fn asked(position: &str, previous: Option<&str>, moves: Option<&str>) -> Result<QueriedPosition<Ostle>, Error> {
    QueriedPosition::read(&PositionSpec {
        position: Some(position.to_owned()),
        previous: previous.map(str::to_owned),
        moves: moves.map(str::to_owned),
    })
}

#[test]
fn a_position_has_the_fields_of_the_contract() {
    let asked = asked(KO, None, None).unwrap();
    let result = QueryResult::new(&ShallowSearch::new(5), *asked.record.now()).unwrap();
    let json = serde_json::to_value(response(&asked, Some(&result), None, None)).unwrap();
    let fields: Vec<&String> = json.as_object().unwrap().keys().collect();
    assert_eq!(fields, ["game", "position", "mover", "outcome", "reason", "value", "plies", "moves"]);
    assert_eq!((&json["value"], &json["plies"], &json["outcome"]), (&json!("loss"), &json!(2), &Value::Null));
    assert_eq!(json["position"], KO);
    let moves = json["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 19);
    assert_eq!(moves[0], json!({ "move": "b1l", "value": "loss", "plies": 2 }));
    assert_eq!(moves[17], json!({ "move": "d5d", "value": "loss", "plies": 1 }));
    assert_eq!(moves[18], json!({ "move": "e2l", "value": "win", "plies": 5, "forbidden": true }));
}

#[test]
fn the_distance_is_null_where_no_game_leads() {
    let asked = asked(KO, None, None).unwrap();
    for (reached, expected) in [(Some(3), json!(3)), (None, Value::Null)] {
        let json = serde_json::to_value(response(&asked, None, None, Some(reached))).unwrap();
        assert_eq!(json.get("reached_in"), Some(&expected));
    }
}

#[test]
fn a_wdl_tablebase_reports_no_plies() {
    let asked = asked(FIVE, None, None).unwrap();
    let result = QueryResult::new(&WdlOnly(ShallowSearch::new(5)), *asked.record.now()).unwrap();
    let found = response(&asked, Some(&result), None, None);
    assert_eq!((found.value.as_deref(), found.plies), (Some("win"), None));
    let why = failure::<Ostle>(&Index::new(), Some("some where"), QueryError::NoDistances);
    assert!(why.to_string().contains("`tesuji solve ostle --out 'some where'`"), "{why}");
}

#[test]
fn a_line_has_the_fields_of_the_contract() {
    let (asked, oracle) = (asked(FIVE, None, None).unwrap(), ShallowSearch::new(5));
    let first = QueryResult::new(&oracle, *asked.record.now()).unwrap();
    let line = BestLine::new(&oracle, &asked.record, &first).unwrap();
    let json = serde_json::to_value(line_response(&line).plies).unwrap();
    let json = json.as_array().unwrap();
    assert_eq!(json.len(), 5);
    for (ply, json) in (1..).zip(json) {
        assert_eq!((&json["ply"], &json["plies"]), (&json!(ply), &json!(6 - ply)));
        assert!(json["equal"].as_array().unwrap().contains(&json["move"]), "{json}");
        let first = &json["moves"][0];
        assert_eq!((&first["value"], &first["plies"]), (&json["value"], &json["plies"]), "{json}");
        assert!(json["moves"].as_array().unwrap().len() > 15, "{json}");
        assert_eq!(json.get("outcome").is_some(), ply == 5);
    }
    assert_eq!(json[1]["equal"], json!(["e3u", "e3l"]));
    assert_eq!((&json[4]["outcome"], &json[4]["reason"]), (&json!("first"), &json!("pieces")));
    let fields: Vec<&String> = json[4].as_object().unwrap().keys().collect();
    let expected =
        ["ply", "position", "mover", "move", "value", "plies", "equal", "moves", "after", "outcome", "reason"];
    assert_eq!(fields, expected);
}

#[test]
fn a_drawn_line_names_the_repetition() {
    let oracle = ShallowSearch::new(1);
    let first = QueryResult::new(&oracle, Ostle::start()).unwrap();
    let line = BestLine::new(&oracle, &Record::new(Ostle::start()), &first).unwrap();
    let json = serde_json::to_value(line_response(&line).plies.pop()).unwrap();
    assert_eq!((&json["outcome"], &json["reason"]), (&json!("draw"), &json!("repetition")));
    let repeated = &line.plies[line.repeats.unwrap() - 1].position;
    assert_eq!((&json["after"], &json["repeats"]), (&json!(repeated.print()), &json!(line.repeats)));
    assert_eq!(json["plies"], Value::Null);
}

#[test]
fn the_past_decides_what_is_forbidden() {
    let (board, previous) = KO.split_once('/').unwrap();
    for asked in [asked(KO, None, None), asked(board, Some(previous), None)] {
        let asked = asked.unwrap();
        assert_eq!((asked.record.now().print(), asked.past, asked.warning), (KO.to_owned(), true, None));
    }
    let bare = asked(board, None, None).unwrap();
    assert_eq!((bare.record.now().forbidden(), bare.past, bare.warning), (NO_MOVE, false, None));
    let moved = asked(board, None, Some("c3u")).unwrap();
    assert!(moved.past && moved.record.now().mover() != bare.record.now().mover());
}

#[test]
fn an_impossible_past_gives_a_warning() {
    let (board, _) = KO.split_once(' ').unwrap();
    for asked in [asked(board, Some(board), None), asked(&format!("{board}/{board}"), None, None)] {
        let asked = asked.unwrap();
        assert_eq!((asked.record.now().forbidden(), asked.past), (NO_MOVE, false));
        assert!(asked.warning.unwrap().contains("no move leads"));
    }
}

#[test]
fn a_wrong_position_is_named_with_its_place() {
    let (board, previous) = KO.split_once('/').unwrap();
    let wrong = format!("{board}/0x");
    for (asked, part) in [
        (asked("01020-03x", None, None), "the position, character 9: \"x\""),
        (asked(&wrong, None, None), "the position, character 34: \"x\""),
        (asked(board, Some("12"), None), "--previous, character 1: \"12\""),
        (asked(KO, Some(previous), None), "already contains the board before"),
        (asked(board, None, Some("e2l c1c")), "moves: move 2, \"c1c\""),
    ] {
        let Err(why) = asked else { unreachable!("read without {part}") };
        assert!(why.to_string().contains(part), "{why}");
    }
}

#[test]
fn a_missing_class_names_the_command_that_adds_it() {
    for (class, pieces) in [("4-4", 8), ("5-4", 9), ("4-5", 9), ("5-5", 10)] {
        let missing = TablebaseError::MissingClass { dir: "somewhere".into(), class: class.into() };
        let why = failure::<Ostle>(&Index::new(), Some("somewhere"), missing.into()).to_string();
        let command = format!("`tesuji solve ostle --out somewhere --pieces {pieces}`");
        assert!(why.contains(class) && why.contains(&command), "{why}");
    }
}
