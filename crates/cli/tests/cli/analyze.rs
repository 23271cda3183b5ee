//! `analyze`: the fields of its updates, and whole games.

use serde_json::{Value, json};

use crate::run::{fed, tesuji};

const SMALL: [&str; 4] = ["--threads", "1", "--hash", "1"];

#[test]
fn updates_have_their_fields() {
    for (game, unit) in [
        ("othello", "discs"),
        ("trax", "wins"),
        ("trax-8x8", "wins"),
        ("trax-loop", "wins"),
        ("ostle", "pieces"),
        ("shogi", "centipawns"),
    ] {
        let run = tesuji(&[&["analyze", game, "--json", "--depth", "3", "--lines", "2"], &SMALL[..]].concat());
        assert_eq!(run.code, 0, "{game}: {}", run.err);
        let updates = run.json();
        assert_eq!(updates.last().unwrap()["depth"], 3, "{game}");
        let mut nodes = 0;
        for update in &updates {
            assert_eq!(update["schema"], "tesuji/analyze/2");
            assert!(update["nodes"].as_u64().unwrap() >= nodes && update["seconds"].is_number(), "{update}");
            nodes = update["nodes"].as_u64().unwrap();
            let lines = update["lines"].as_array().unwrap();
            assert!(!lines.is_empty() && lines.len() <= 2, "{update}");
            for line in lines {
                assert!(line["value"].is_f64() && line["pv"][0] == line["move"], "{line}");
                assert_eq!(line["unit"], unit, "{game}");
            }
            let values: Vec<f64> = lines.iter().map(|line| line["value"].as_f64().unwrap()).collect();
            assert!(values.is_sorted_by(|a, b| a >= b), "{game}: the best line comes first: {update}");
        }
    }
}

/// The line can be played from where the analysis began.
#[test]
fn lines_are_legal() {
    let moves = "7g7f 3c3d";
    let run = tesuji(&[&["analyze", "shogi", "--moves", moves, "--depth", "4", "--json"], &SMALL[..]].concat());
    for update in run.json() {
        let pv: Vec<&str> =
            update["lines"][0]["pv"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
        let game = format!("startpos moves {moves} {}\n", pv.join(" "));
        let replay = fed(&["replay", "shogi", "-"], game.as_bytes());
        assert_eq!(replay.code, 0, "{game} {}", replay.out);
    }
}

#[test]
fn a_proven_win_has_its_distance() {
    let mate = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
    let run = tesuji(&[&["analyze", "shogi", "--position", mate, "--depth", "3", "--json"], &SMALL[..]].concat());
    let last = run.json().pop().unwrap();
    assert_eq!(last["lines"][0]["proven"], json!({ "result": "win", "plies": 1 }), "{last}");
    assert_eq!(last["lines"][0]["move"], "G*5b");
}

#[test]
fn engines_without_iterations_and_finished_games() {
    let run = tesuji(&["analyze", "othello", "--engine", "random", "--json"]);
    assert_eq!(run.json().len(), 1);
    assert!(run.json()[0]["lines"][0]["move"].is_string());
    let over = format!("{} X", "X".repeat(64));
    let run = tesuji(&["analyze", "othello", "--position", &over, "--json"]);
    assert_eq!((run.code, &run.json()[0]["lines"]), (0, &json!([])));
    let run = tesuji(&["analyze", "othello", "--position", &over]);
    assert!(run.out.contains("the game is over: black won"), "{}", run.out);
}

#[test]
fn text_for_people() {
    let run = tesuji(&[&["analyze", "othello", "--depth", "4", "--moves", "f5"], &SMALL[..]].concat());
    assert!(run.out.starts_with("white to move, values in discs for white; engine expert"), "{}", run.out);
    let last: Vec<&str> = run.out.lines().last().unwrap().split_whitespace().collect();
    assert_eq!(last[0], "4", "{}", run.out);
}

#[test]
fn a_whole_game() {
    let words = [&["analyze", "othello", "--game", "-", "--depth", "3"], &SMALL[..]].concat();
    let run = fed(&[&words[..], &["--json"]].concat(), b"f5d6c3d3c4\n");
    assert_eq!(run.code, 0, "{}", run.err);
    let moves: Vec<Value> = run.json();
    let played: Vec<&str> = moves.iter().map(|line| line["move"].as_str().unwrap()).collect();
    assert_eq!(played, ["f5", "d6", "c3", "d3", "c4"]);
    for (index, line) in moves.iter().enumerate() {
        assert_eq!(line["ply"], index + 1);
        assert_eq!(line["mover"], ["first", "second"][index % 2]);
        assert_eq!((&line["schema"], &line["unit"]), (&json!("tesuji/analyze-game/1"), &json!("discs")));
        let number = |field: &str| line[field].as_f64().unwrap();
        let loss = (number("best_value") - number("value")).max(0.0);
        assert!((number("loss") - loss).abs() < 1e-9 && loss < 20.0, "{line}");
        assert!(line["best"] != line["move"] || loss == 0.0, "{line}");
    }
    // All first moves of Othello are symmetric.
    assert_eq!(moves[0]["loss"], 0.0);
    let run = fed(&words, b"f5d6c3d3c4\n");
    assert_eq!(run.out.lines().filter(|line| line.contains(" lost ")).count(), 2, "{}", run.out);
    for (input, words, part) in
        [("f5a1", &[][..], "a1"), ("f5d6", &["--index", "2"], "1 record"), ("", &[], "no record")]
    {
        let run = fed(&[&["analyze", "othello", "--game", "-"], words].concat(), input.as_bytes());
        assert!(run.code == 2 && run.err.contains(part), "{input}: {}", run.err);
    }
}

#[test]
fn show_prints_the_static_value() {
    let run = tesuji(&["show", "othello", "--eval", "none", "--json"]);
    assert_eq!(run.json()[0]["eval"], json!({ "name": "none", "value": 0.0, "unit": "discs" }));
    let run = tesuji(&["show", "othello", "--eval", "nonne"]);
    assert!(run.code == 2 && run.err.contains("none"), "{}", run.err);
    let cards = tesuji(&["games", "--json"]).json();
    for card in cards {
        let game = card["game"].as_str().unwrap();
        assert!(card["engines"].as_array().unwrap().contains(&json!("alphabeta")), "{card}");
        for eval in card["evaluations"].as_array().unwrap() {
            let run = tesuji(&["show", game, "--eval", eval.as_str().unwrap()]);
            assert!(run.code == 0 && run.out.contains("value"), "{game} {eval}: {}", run.err);
        }
    }
}
