//! `play` in plain lines: moves and commands in, boards out.

use std::fs;
use std::path::PathBuf;

use crate::run::fed;

fn file(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path
}

const QUICK: [&str; 4] = ["--depth", "1", "--hash", "1"];

fn play(words: &[&str], input: &str) -> crate::run::Run {
    fed(&[&["play"], words, &QUICK].concat(), input.as_bytes())
}

#[test]
fn a_person_against_the_engine() {
    let run = play(&["othello"], "f5\nquit\n");
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(run.out.matches("black to move").count(), 2, "{}", run.out);
    assert_eq!(run.out.matches("white plays ").count(), 1, "{}", run.out);
}

#[test]
fn the_engine_may_begin() {
    let run = play(&["othello", "--first", "alphabeta"], "quit\n");
    assert!(run.out.contains("black plays ") && run.out.ends_with("white to move\n"), "{}", run.out);
}

/// Undo takes the engine's reply back too.
#[test]
fn undo_and_redo() {
    let path = file("undo.txt");
    let save = path.to_str().unwrap();
    let run = play(&["othello", "--save", save], "f5\nundo\nquit\n");
    assert_eq!(run.code, 0);
    assert!(run.err.contains(save), "{}", run.err);
    let replay = fed(&["replay", "othello", save], b"");
    assert!(replay.out.is_empty() || replay.out.contains("0 moves"), "{}", replay.out);
    let run = play(&["othello", "--second", "human", "--first", "human"], "f5\nd6\nundo\nundo\nredo\nboard\n");
    assert!(run.out.trim_end().ends_with("white to move"), "{}", run.out);
    let run = play(&["othello"], "undo\n");
    assert!(run.err.contains("nothing to take back"), "{}", run.err);
}

#[test]
fn wrong_moves_are_named_and_the_game_continues() {
    let run = play(&["othello", "--second", "human", "--first", "human"], "a1\nhello\nf5\nmoves\nhelp\nquit\n");
    assert_eq!(run.code, 0);
    assert!(run.err.contains("a1") && run.err.contains("hello"), "{}", run.err);
    assert!(run.out.contains("3 moves:\nf4 d6 f6\n"), "{}", run.out);
    assert!(run.out.contains("takes back"), "{}", run.out);
}

/// Two engines play to the end; the saved game is the game that was played.
#[test]
fn whole_games_between_engines_are_saved() {
    for (game, ending) in [("othello", "txt"), ("trax", "txt"), ("ostle", "txt"), ("shogi", "csa"), ("shogi", "kif")] {
        let path = file(&format!("whole-{game}.{ending}"));
        let save = path.to_str().unwrap();
        let first = "random:seed=3";
        let run = play(&[game, "--first", first, "--second", "random:seed=5", "--save", save], "");
        assert_eq!(run.code, 0, "{game}: {}", run.err);
        let last = run.out.lines().last().unwrap();
        assert!(last.starts_with("the game is over: "), "{game}: {last}");
        let plays = run.out.lines().filter(|line| line.contains(" plays ")).count();
        let replay = fed(&["replay", game, save, "--json"], b"");
        assert_eq!(replay.code, 0, "{game}: {}", replay.out);
        let record = &replay.json()[0];
        assert_eq!(record["moves"], plays, "{game}: {record}");
        assert_ne!(record["outcome"], "unfinished", "{game}: {record}");
    }
}

#[test]
fn resigning_and_continuing_a_file() {
    let path = file("resigned.csa");
    let save = path.to_str().unwrap();
    let run = play(&["shogi", "--second", "human", "--first", "human", "--save", save], "7g7f\nresign\n");
    assert!(run.out.ends_with("the game is over: black won (resignation)\n"), "{}", run.out);
    let replay = fed(&["replay", "shogi", save, "--json"], b"");
    assert_eq!(replay.json()[0]["reason"], "resignation");
    let lines = file("begun.txt");
    fs::write(&lines, "f5d6\n").unwrap();
    let run = play(&["othello", "--game", lines.to_str().unwrap()], "moves\n");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("5 moves:"), "{}", run.out);
    let run = play(&["othello", "--game", "no-such-file"], "");
    assert!(run.code == 2 && run.err.contains("no-such-file"), "{}", run.err);
}

#[test]
fn hints_and_moves_by_the_engine() {
    let run = play(&["shogi"], "hint\ngo\nquit\n");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("hint: ") && run.out.contains("black plays "), "{}", run.out);
    assert!(run.out.contains("white plays "), "{}", run.out);
}

/// A win in shogi may be declared only where it is one.
#[test]
fn declarations() {
    let entered = "K1+R+B1GGSS/1+P+P+P+P4/9/9/9/9/9/9/4k4 b RB2G2S4N4L14P 1";
    let run = play(&["shogi", "--position", entered], "win\n");
    assert!(run.out.contains("black won (declaration)"), "{} {}", run.out, run.err);
    let run = play(&["shogi"], "win\n");
    assert!(run.err.contains("cannot be declared"), "{}", run.err);
}

#[test]
fn bad_players_and_files_are_named() {
    for (words, part) in [
        (&["othello", "--first", "humna"][..], "humna"),
        (&["othello", "--save", "/"], "folder"),
        (&["othello", "--game", "x", "--moves", "f5"], "cannot be used with"),
    ] {
        let run = play(words, "");
        assert!(run.code == 2 && run.err.contains(part), "{words:?}: {}", run.err);
    }
}
