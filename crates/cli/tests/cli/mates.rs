//! `solve shogi`: forced mates, the shortest by default; and what `solve othello` says about every move.

use std::fs;

use crate::folder::Folder;
use crate::run::{fed, tesuji};

/// Mate in 3; the only line is G*2c, 1a, R*1b.
const IN_THREE: &str = "9/6B1k/9/9/9/9/9/9/9 b RGPrb3g4s4n4l17p 1";
/// Mate in 5, uchifuzume on the way.
const IN_FIVE: &str = "5+R1B1/9/6k1G/9/9/9/9/9/9 b RPb3g4s4n4l17p 1";
/// A lone rook checks for ever.
const NONE: &str = "4k4/9/9/9/9/9/9/9/3R5 b - 1";

#[test]
fn the_shortest_mate_is_found_and_told() {
    let run = tesuji(&["solve", "shogi", IN_THREE, "--hash", "4"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("mate      black mates in 3 plies, the shortest way\n"), "{}", run.out);
    assert!(run.out.contains("moves     G*2c 1b1a R*1b\n"), "{}", run.out);
    // Without quotation marks a position is several words.
    let words: Vec<&str> = ["solve", "shogi"].into_iter().chain(IN_THREE.split(' ')).chain(["--json"]).collect();
    let run = tesuji(&words);
    let answer = &run.json()[0];
    assert_eq!(answer["schema"], "tesuji/solve-mates/1");
    assert_eq!(answer["position"], IN_THREE);
    assert_eq!((&answer["mate"], &answer["proven"], &answer["shortest"]), (&3.into(), &true.into(), &true.into()));
    assert_eq!(answer["moves"], serde_json::json!(["G*2c", "1b1a", "R*1b"]));
    assert!(answer["nodes"].as_u64().unwrap() > 0 && answer["seconds"].as_f64().unwrap() >= 0.0);
}

#[test]
fn files_are_answered_in_order_and_compared_with_their_solutions() {
    let folder = Folder::new("mates-file");
    let file = folder.path("mates.sfen");
    let text = format!(
        "{IN_FIVE}\n# a remark\n{NONE}\nsfen {IN_THREE} moves G*2c 1b1a R*1b\n\
         {IN_THREE} moves G*2c 1b1a\n8k/9/8G/9/9/9/9/9/9 b 2G 1 moves G*2a 1a2a G*2b\n"
    );
    fs::write(&file, &text).unwrap();
    for threads in ["1", "2"] {
        let run = tesuji(&["solve", "shogi", &file, "--json", "--hash", "8", "--threads", threads]);
        assert_eq!(run.code, 0, "{}", run.err);
        let all = run.json();
        let mates: Vec<_> = all.iter().map(|answer| (answer["mate"].as_u64(), answer["given"].as_u64())).collect();
        let expected = [(Some(5), None), (None, None), (Some(3), Some(3)), (Some(1), None), (Some(1), Some(3))];
        assert_eq!(mates, expected, "{}", run.out);
        assert!(all.iter().all(|answer| answer["proven"] == true));
    }
    let run = fed(&["solve", "shogi", "-", "--hash", "8"], text.as_bytes());
    assert_eq!(run.code, 0, "{}", run.err);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines.len(), 6, "{}", run.out);
    assert!(lines[1].contains("no mate within 31"), "{}", run.out);
    assert!(lines[4].contains("mate in 1 ") && lines[4].contains("(3 given)"), "{}", run.out);
    assert!(lines[5].starts_with("4 mates, 1 without a mate, 1 shorter than given; "), "{}", run.out);
}

/// A problem in KIF is solved like the same problem in SFEN.
#[test]
fn records_of_any_format_are_solved() {
    let usi = format!("sfen {IN_THREE} moves G*2c 1b1a R*1b\n");
    for format in ["kif", "csa", "kif-sjis"] {
        let folder = Folder::new(&format!("mates-{format}"));
        let file = folder.path("problem");
        let child = std::process::Command::new(env!("CARGO_BIN_EXE_tesuji"))
            .args(["convert", "shogi", "-", "--to", format])
            .stdin(std::process::Stdio::piped())
            .stdout(fs::File::create(&file).unwrap())
            .spawn();
        let mut child = child.unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), usi.as_bytes()).unwrap();
        assert!(child.wait().unwrap().success());
        let run = tesuji(&["solve", "shogi", &file, "--json", "--hash", "4"]);
        assert_eq!(run.code, 0, "{format}: {}", run.err);
        assert_eq!((&run.json()[0]["mate"], &run.json()[0]["given"]), (&3.into(), &3.into()), "{format}");
    }
}

#[test]
fn limits_are_kept() {
    let run = tesuji(&["solve", "shogi", IN_FIVE, "--json", "--max", "4", "--hash", "4"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!((&run.json()[0]["mate"], &run.json()[0]["proven"]), (&serde_json::Value::Null, &true.into()));
    let run = tesuji(&["solve", "shogi", IN_FIVE, "--json", "--nodes", "1", "--hash", "4"]);
    assert_eq!(run.code, 1);
    assert_eq!(run.err, "tesuji: 1 position not decided within 5 s or 1 nodes\n");
    assert_eq!((&run.json()[0]["mate"], &run.json()[0]["proven"]), (&serde_json::Value::Null, &false.into()));
    let run = tesuji(&["solve", "shogi", IN_FIVE, "--json", "--any", "--hash", "4"]);
    assert!(run.json()[0]["mate"].as_u64().is_some_and(|plies| plies >= 5), "{}", run.out);
}

#[test]
fn bad_input_is_named() {
    for (words, told) in [
        (&["missing.sfen"][..], "\"missing.sfen\" is neither a file nor a position"),
        (&["9/9/9/9/9/9/9/9/4K4 b G 1"], "the side to be mated has no king"),
        (&[IN_THREE, "--max", "0"], "--max"),
        (&[IN_THREE, "--best"], "--best"),
    ] {
        let run = tesuji(&[&["solve", "shogi"], words].concat());
        assert_eq!((run.code, &run.out[..]), (2, ""), "{words:?}: {}", run.err);
        assert!(run.err.contains(told), "{words:?}: {}", run.err);
    }
}

/// A bad position in a file is reported in its place; the others are solved.
#[test]
fn a_bad_position_does_not_stop_the_others() {
    let text = format!("{IN_THREE}\n4k4/9/4P4/4P4/9/9/9/9/9 b G 1\n{IN_THREE}\n");
    let run = fed(&["solve", "shogi", "-", "--json", "--hash", "4"], text.as_bytes());
    assert_eq!((run.code, &run.err[..]), (1, "tesuji: -: 1 position refused\n"));
    let all = run.json();
    assert_eq!((&all[0]["mate"], &all[2]["mate"], all.len()), (&3.into(), &3.into(), 3));
    assert_eq!((&all[1]["index"], &all[1]["proven"]), (&2.into(), &false.into()));
    assert!(all[1]["error"].as_str().unwrap().contains("two unpromoted pawns on file 5 (nifu)"), "{}", run.out);
    let run = fed(&["solve", "shogi", "-", "--hash", "4"], text.as_bytes());
    assert!(run.out.contains("    2  no position to solve: "), "{}", run.out);
    assert!(run.out.contains("\n2 mates, 1 refused; "), "{}", run.out);
}

/// Twelve empty squares.
const TWELVE: &str = "--OXXO--XOXXXX--XOOOXXXXXOOXXXXXXOOOOXXX-XXXXXXX--XXOOOX--OXXOO- O";

#[test]
fn every_move_of_othello_has_its_exact_value() {
    let run = tesuji(&["solve", "othello", TWELVE, "--all", "--json", "--hash", "4", "--threads", "1"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let answer = &run.json()[0];
    let moves = answer["moves"].as_array().unwrap();
    let shown = tesuji(&["show", "othello", "--position", TWELVE, "--json"]);
    assert_eq!(moves.len(), shown.json()[0]["moves"].as_array().unwrap().len());
    let scores: Vec<i64> = moves.iter().map(|mv| mv["score"].as_i64().unwrap()).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    assert_eq!(answer["score"], scores[0]);
    for mv in moves {
        let after =
            tesuji(&["show", "othello", "--position", TWELVE, "--moves", mv["move"].as_str().unwrap(), "--json"]);
        let after = after.json()[0]["position"].as_str().unwrap().to_owned();
        let solved = tesuji(&["solve", "othello", &after, "--json", "--hash", "4"]).json();
        assert_eq!(solved[0]["score"].as_i64().map(|score| -score), mv["score"].as_i64(), "{mv}");
    }
    let best: Vec<_> = moves.iter().filter(|mv| mv["score"] == answer["score"]).map(|mv| &mv["move"]).collect();
    let only_best = tesuji(&["solve", "othello", TWELVE, "--best", "--json", "--hash", "4"]).json();
    assert_eq!(only_best[0]["best"].as_array().unwrap().iter().collect::<Vec<_>>(), best);
    assert_eq!(answer["best"], only_best[0]["best"]);
    assert!(only_best[0].get("moves").is_none());
    let run = tesuji(&["solve", "othello", TWELVE, "--all", "--hash", "4"]);
    let first = format!("moves     {} {:+}", moves[0]["move"].as_str().unwrap(), scores[0]);
    assert!(run.out.contains(&first), "{}", run.out);
    let run = tesuji(&["solve", "othello", TWELVE, "--all", "--wld", "--json", "--hash", "4"]);
    let outcomes: Vec<_> = run.json()[0]["moves"].as_array().unwrap().iter().map(|mv| mv["outcome"].clone()).collect();
    assert_eq!(outcomes.len(), moves.len());
}

/// What it takes to tell the best moves from the others is part of the cost.
#[test]
fn the_nodes_for_other_best_moves_are_counted() {
    let nodes = |options: &[&str]| {
        let words = ["solve", "othello", TWELVE, "--json", "--hash", "4", "--threads", "1"];
        tesuji(&[&words[..], options].concat()).json()[0]["nodes"].as_u64().unwrap()
    };
    let (plain, best, all) = (nodes(&[]), nodes(&["--best"]), nodes(&["--all"]));
    assert!(plain < best && best < all, "{plain} {best} {all}");
}
