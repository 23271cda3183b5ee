//! `solve othello`: exact values of positions, from the command line, files and standard input.

use std::fs;

use serde_json::json;

use crate::folder::Folder;
use crate::run::{fed, tesuji};

/// FFO #20, worth 6 by h5 alone, which ends the game.
const SIX: &str = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";
/// FFO #4, a draw by two moves.
const DRAW: &str = "-XXXXXX-X-XXXOO-XOXXXOOXXXOXOOOX-OXOOXXX--OOOXXX--OOXX----XOXXO- X";
/// Black cannot move, white can.
const PASS: &str = "OX-XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX X";
/// Nobody can.
const OVER: &str = "XX------XX------------------------------------------------------ X";

#[test]
fn a_position_is_solved() {
    let run = tesuji(&["solve", "othello", SIX, "--hash", "1"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines[..3], [&format!("position  {SIX}"), "value     +6: black wins by 6", "best      h5"]);
    assert!(lines[3] == "line      h5" && lines[4].contains(" nodes in "), "{}", run.out);
}

#[test]
fn json_has_the_fields_of_the_contract() {
    for (position, score, outcome, best) in [
        (SIX, 6, "win", &["h5"][..]),
        (DRAW, 0, "draw", &["h8", "a5"]),
        (PASS, 58, "win", &["pass"]),
        (OVER, 64, "win", &[]),
    ] {
        let run = tesuji(&["solve", "othello", position, "--json", "--best", "--hash", "1"]);
        assert_eq!(run.code, 0, "{}", run.err);
        let answer = &run.json()[0];
        assert_eq!(answer["schema"], "tesuji/solve/2");
        assert_eq!((&answer["position"], &answer["score"]), (&json!(position), &json!(score)));
        assert_eq!(answer["outcome"], outcome);
        let mut found: Vec<&str> = answer["best"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
        found.sort_unstable();
        let mut best = best.to_vec();
        best.sort_unstable();
        assert_eq!(found, best, "{position}");
        assert!(answer["nodes"].is_u64() && answer["seconds"].is_f64());
    }
    let run = tesuji(&["solve", "othello", DRAW, "--json", "--wld", "--hash", "1"]);
    assert_eq!((&run.json()[0]["score"], &run.json()[0]["outcome"]), (&json!(null), &json!("draw")));
}

#[test]
fn a_file_is_solved_line_by_line_and_compared() {
    let folder = Folder::new("endings");
    let file = folder.path("some.obf");
    fs::write(&file, format!("% two\n{SIX}; H5:+6\n\n{DRAW}; h8:+0; a5:+0;\n")).unwrap();
    let run = tesuji(&["solve", "othello", &file, "--hash", "1"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(run.out.lines().count(), 3);
    assert!(run.out.lines().last().unwrap().starts_with("2 positions, "), "{}", run.out);
    let wrong = format!("{SIX}; H5:+8\n{DRAW}\n");
    let run = fed(&["solve", "othello", "-", "--hash", "1"], wrong.as_bytes());
    assert_eq!(run.code, 1);
    assert!(run.out.lines().next().unwrap().ends_with("THE FILE SAYS +8"), "{}", run.out);
    assert!(run.err.contains("1 value not as the file says"), "{}", run.err);
}

#[test]
fn what_takes_too_long_is_told_and_the_rest_goes_on() {
    let start = "---------------------------OX------XO--------------------------- X";
    let run =
        fed(&["solve", "othello", "-", "--hash", "1", "--time-limit", "500ms"], format!("{start}\n{SIX}\n").as_bytes());
    assert_eq!(run.code, 1);
    let first = run.out.lines().next().unwrap();
    // What it thought last: at least the first ply was seen.
    assert!(first.contains("60 empty  not solved in time: ") && first.ends_with(" plies"), "{first}");
    assert!(run.out.lines().nth(1).unwrap().contains("+6"), "{}", run.out);
    let run =
        fed(&["solve", "othello", "-", "--json", "--wld", "--time-limit", "500ms"], format!("{start}\n").as_bytes());
    let told: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert!(told["score"].is_null() && told["estimate"]["score"].is_null(), "{told}");
    assert!(told["estimate"]["depth"].as_u64().unwrap() > 0, "{told}");
    assert_eq!(told["estimate"]["selectivity"], 73);
}

#[test]
fn bad_positions_name_their_line() {
    for (words, input, told) in [
        (&["XO"][..], "", "is neither a file nor a position"),
        (&["-"], "", "no positions"),
        (&["-"], "% nothing\n-X-\n", "-: line 2: "),
        (&[], "", "give a position of 64 squares and a side"),
        (&["-", "--wdl"], "", "there is no option --wdl; did you mean --wld?"),
    ] {
        let run = fed(&[&["solve", "othello"], words].concat(), input.as_bytes());
        assert_eq!((run.code, &run.out[..]), (2, ""), "{words:?}: {}", run.err);
        assert!(run.err.contains(told), "{words:?}: {}", run.err);
        assert_eq!(run.err.lines().count(), 1, "{}", run.err);
    }
}
