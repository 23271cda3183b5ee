//! Exit codes, JSON fields and messages that scripts and people rely on.

use std::process::{Command, Stdio};

use serde_json::Value;

use crate::run::{fed, tesuji};

const GAMES: [&str; 6] = ["othello", "trax", "trax-8x8", "trax-loop", "ostle", "shogi"];

#[test]
fn games_lists_every_game_with_its_formats() {
    let run = tesuji(&["games", "--json"]);
    let names: Vec<_> = run.json().iter().map(|card| card["game"].as_str().unwrap().to_owned()).collect();
    assert_eq!(names, GAMES);
    assert!(run.json().iter().all(|card| card["schema"] == "tesuji/games/1"));
    let formats = |game: usize| run.json()[game]["formats"].clone();
    assert_eq!(formats(0), serde_json::json!(["transcript", "ggf", "wthor", "obf"]));
}

#[test]
fn perft_counts_by_depth_on_any_number_of_threads() {
    for (game, expected) in
        [("othello", [4, 12, 56, 244]), ("trax", [2, 24, 432, 9568]), ("shogi", [30, 900, 25470, 719_731])]
    {
        for more in [&["--threads", "1"][..], &["--threads", "3"], &["--hash", "4"], &["--divide"]] {
            let run = tesuji(&[&["perft", game, "4", "--json"], more].concat());
            let leaves: Vec<u64> = run.json().iter().map(|line| line["leaves"].as_u64().unwrap()).collect();
            assert_eq!(leaves, expected, "{game} {more:?}");
            if more == ["--divide"] {
                let moves = run.json()[3]["moves"].as_object().unwrap().clone();
                assert_eq!(moves.values().map(|n| n.as_u64().unwrap()).sum::<u64>(), expected[3]);
                assert_eq!(moves.len() as u64, expected[0]);
            }
        }
    }
}

#[test]
fn perft_text_ends_in_the_last_depth() {
    let run = tesuji(&["perft", "othello", "6"]);
    let last: Vec<&str> = run.out.lines().last().unwrap().split_whitespace().collect();
    assert_eq!(last[..2], ["6", "8,200"]);
}

#[test]
fn distinct_positions_and_classes() {
    let counts = |flag| -> Vec<u64> {
        tesuji(&["perft", "trax", "4", flag, "--json"])
            .json()
            .iter()
            .map(|line| line["leaves"].as_u64().unwrap())
            .collect()
    };
    assert_eq!(counts("--distinct"), [2, 20, 194, 1912]);
    assert_eq!(counts("--classes"), [2, 8, 42, 318]);
}

#[test]
fn show_as_json() {
    let run = tesuji(&["show", "othello", "--json", "--moves", "f5"]);
    let shown = &run.json()[0];
    assert_eq!(shown["schema"], "tesuji/show/2");
    assert_eq!(shown["mover"], "second");
    assert_eq!(shown["moves"], serde_json::json!(["f4", "d6", "f6"]));
    assert_eq!(shown["outcome"], Value::Null);
    let shogi = &tesuji(&["show", "shogi", "--json"]).json()[0];
    assert_eq!(shogi["declare"], false);
    assert_eq!(shogi["moves"].as_array().unwrap().len(), 30);
    let ostle = &tesuji(&["show", "ostle", "--json"]).json()[0];
    assert_eq!((&ostle["mover"], &ostle["position"]), (&"first".into(), &"22222-00000-00300-00000-11111 X".into()));
}

/// A position may begin with a hyphen.
#[test]
fn positions_may_begin_with_a_hyphen() {
    let empty = format!("{} X", "-".repeat(64));
    let run = tesuji(&["show", "othello", "--json", "--position", &empty]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(run.json()[0]["outcome"], "draw");
}

#[test]
fn every_board_is_drawn_in_every_style() {
    for game in GAMES {
        for style in [&["--color", "always"][..], &["--color", "never"], &["--ascii"]] {
            let run = tesuji(&[&["show", game], style].concat());
            assert_eq!(run.code, 0, "{game}: {}", run.err);
            assert_eq!(run.out.contains('\x1b'), style == ["--color", "always"], "{game} {style:?}");
            assert!(style != ["--ascii"] || run.out.is_ascii(), "{game}: {}", run.out);
        }
    }
}

#[test]
fn an_illegal_record_is_named_and_the_next_one_read() {
    let records = b"@0/ B1+ C1/ C2\\ @1+ A2/ A3/ D3\\ B3\\\n@0/ A2\\ B1\\\n@0/ Q9+\n";
    let run = fed(&["replay", "trax", "-"], records);
    assert_eq!(run.code, 1);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[0].starts_with("record 1: 8 moves legal, then move 9, \"B3\\\":"), "{}", lines[0]);
    assert!(lines[1].contains("won (loop)"), "{}", lines[1]);
    let run = fed(&["replay", "trax", "-", "--json"], records);
    let readings = run.json();
    assert_eq!(readings[0]["error"]["move"], 9);
    assert_eq!(readings[0]["error"]["text"], "B3\\");
    assert_eq!((&readings[1]["reason"], &readings[1]["error"]), (&"loop".into(), &Value::Null));
    assert_eq!(readings[2]["outcome"], "unfinished");
}

#[test]
fn records_convert_there_and_back() {
    let usi = "startpos moves 7g7f 3c3d 8h2b+ 3a2b\n";
    let csa = fed(&["convert", "shogi", "-", "--to", "csa"], usi.as_bytes());
    assert_eq!(csa.code, 0, "{}", csa.err);
    assert!(csa.out.contains("+8822UM"), "{}", csa.out);
    let kif = fed(&["convert", "shogi", "-", "--to", "kif"], csa.out.as_bytes());
    let back = fed(&["convert", "shogi", "-", "--to", "usi"], kif.out.as_bytes());
    assert_eq!(back.out, usi);
    let ggf = fed(&["convert", "othello", "-", "--to", "ggf"], b"f5d6c3d3c4\n");
    let back = fed(&["convert", "othello", "-", "--to", "transcript"], ggf.out.as_bytes());
    assert_eq!(back.out, "f5d6c3d3c4\n");
}

/// Bad input: exit 2, and one message that names it and says what would be right.
#[test]
fn bad_input_is_named() {
    for (words, part) in [
        (&["perft", "chess", "3"][..], "othello"),
        (&["perft", "othello", "x"], "<DEPTH> \"x\": expected a whole number"),
        (&["perft", "othello", "3", "--threads", "0"], "--threads \"0\": expected a number from 1 to 1024"),
        (&["show", "othello", "--position", "XO"], "XO"),
        (&["show", "othello", "--moves", "f5 a1"], "\"a1\""),
        (&["show", "shogi", "--moves", "7g7e"], "7g7e"),
        (&["show", "trax", "--moves", "@0\\"], "@0\\"),
        (&["show", "ostle", "--position", "123"], "25"),
        (&["replay", "othello", "no-such-file"], "no-such-file"),
        (&["replay", "othello", "-", "--format", "pgn"], "transcript"),
        (&["convert", "shogi", "-", "--to", "pgn"], "csa"),
    ] {
        let run = tesuji(words);
        assert_eq!(run.code, 2, "{words:?}: {}", run.err);
        assert!(run.err.contains(part), "{words:?}: {}", run.err);
        assert_eq!(run.out, "", "{words:?}");
        assert!(!run.err.contains("panicked"), "{words:?}: {}", run.err);
    }
}

/// Random bytes as a record file: faults, never a panic.
#[test]
fn random_files_are_refused_politely() {
    let mut state = 1_u64;
    for length in [0, 1, 15, 16, 17, 83, 84, 1000, 5000] {
        let bytes: Vec<u8> = (0..length)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 56) as u8
            })
            .collect();
        for game in GAMES {
            let run = fed(&["replay", game, "-", "--json"], &bytes);
            assert!(run.code <= 1, "{game}, {length} bytes: {}", run.err);
        }
    }
}

#[test]
fn completions_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = tesuji(&["completions", shell]);
        assert!(run.code == 0 && run.out.contains("perft"), "{shell}");
    }
}

/// Nobody listens any more: a quiet end, no panic.
#[test]
fn a_closed_pipe_is_a_quiet_end() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tesuji"))
        .args(["games"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"));
}
