//! Ostle's own commands as a user meets them: sides in positions, options, hints, and the engine `table`.

use serde_json::json;

use crate::folder::Folder;
use crate::run::{fed, tesuji};

/// What `show` prints leads back to the same position, mover and colours.
#[test]
fn a_shown_position_is_the_same_when_it_is_read_again() {
    for moves in ["", "c5u", "c3u", "c3u c1d", "c5u c1d b5u"] {
        let first = tesuji(&["show", "ostle", "--ascii", "--moves", moves]);
        assert_eq!(first.code, 0, "{}", first.err);
        let told = &tesuji(&["show", "ostle", "--json", "--moves", moves]).json()[0];
        let position = told["position"].as_str().unwrap();
        let again = tesuji(&["show", "ostle", "--ascii", "--position", position]);
        assert_eq!((again.code, &again.out), (0, &first.out), "{position:?}: {}", again.err);
    }
}

#[test]
fn a_side_is_accepted_everywhere() {
    let (board, previous) = ("11111-00300-00000-00000-22222", "22222-00000-00300-00000-11111");
    let mover = |words: &[&str]| tesuji(&[&["show", "ostle", "--json"], words].concat()).json()[0]["mover"].clone();
    assert_eq!(mover(&["--position", board]), "first");
    assert_eq!(mover(&["--position", &format!("{board} O")]), "second");
    assert_eq!(mover(&["--position", &format!("{board} O"), "--previous", previous]), "second");
    assert_eq!(mover(&["--position", board, "--previous", &format!("{previous} X")]), "second");
    // Records.
    let record = format!("{board} O/{previous} X: a1d e5u\n");
    let converted = fed(&["convert", "ostle", "-", "--to", "lines"], record.as_bytes());
    assert_eq!((converted.code, &converted.out), (0, &record), "{}", converted.err);
    let start = format!("{previous} O: c5u\n");
    assert_eq!(fed(&["convert", "ostle", "-", "--to", "lines"], start.as_bytes()).out, start);
    // The protocol of `best-move`.
    let best = fed(&["best-move", "ostle", "--depth", "1"], format!("{board} O\na1d\n").as_bytes());
    assert_eq!(best.code, 0, "{}", best.err);
    // `query`, quoted or not, of a game that is over.
    let over = ["11111-00000-00300-00000-22200", "O"];
    for words in [&[&over.join(" ")[..]][..], &over] {
        let run = tesuji(&[&["query", "ostle", "--json"], words].concat());
        assert_eq!(run.json()[0]["outcome"], "second", "{}", run.err);
    }
}

#[test]
fn a_wrong_side_is_named_with_its_place() {
    let board = "11111-00300-00000-00000-22222";
    for (position, part) in [
        (format!("{board} Y"), "then X or O for the side to move"),
        (format!("{board} X/22222-00000-00300-00000-11111 X"), "the sides take turns"),
    ] {
        let run = tesuji(&["show", "ostle", "--position", &position]);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{}", run.err);
        assert!(run.err.contains(part) && run.err.lines().count() == 1, "{}", run.err);
    }
}

/// An option of one game is not taken, and no work begins.
#[test]
fn options_of_another_game_are_refused() {
    let folder = Folder::new("solve-options");
    for (game, option) in [
        ("ostle", "--best"),
        ("ostle", "--wld"),
        ("ostle", "--hash=64"),
        ("othello", "--wdl"),
        ("othello", "--pieces=8"),
        ("othello", "--reach-only"),
        ("othello", "--checkpoint=1m"),
    ] {
        let run = tesuji(&["solve", game, option]);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{game} {option}: {}", run.err);
        let name = option.split('=').next().unwrap();
        assert!(run.err.contains(&format!("there is no option {name}")), "{game} {option}: {}", run.err);
        assert!(!run.err.contains("position") && !run.err.contains("solving"), "{game} {option}: {}", run.err);
    }
    assert!(folder.0.read_dir().unwrap().next().is_none());
    let help = |game: &str| tesuji(&["solve", game, "--help"]).out;
    assert!(help("ostle").contains("--pieces") && !help("ostle").contains("--best"));
    assert!(help("othello").contains("--best") && !help("othello").contains("--pieces"));
}

#[test]
fn the_engine_table_is_refused_without_a_tablebase() {
    let folder = Folder::new("no table");
    let spec = format!("table:dir=\"{}\"", folder.name());
    let best = fed(&["best-move", "ostle", "--engine", &spec], b"startpos\n");
    let matched = tesuji(&["match", "ostle", &spec, "random", "--games", "2"]);
    let played = tesuji(&["play", "ostle", "--plain", "--second", &spec]);
    let analyzed = tesuji(&["analyze", "ostle", "--engine", &spec]);
    let command = format!("`tesuji solve ostle --out '{}'` makes one", folder.name());
    for run in [best, matched, played, analyzed] {
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{}", run.err);
        assert!(run.err.contains("there is no tablebase of ostle") && run.err.contains(&command), "{}", run.err);
        assert_eq!(run.err.lines().count(), 1, "{}", run.err);
    }
}

#[test]
fn hints_are_commands_that_can_be_pasted() {
    let folder = Folder::new("a table's folder");
    let out = folder.name();
    let words = ["solve", "ostle", "--pieces", "8", "--wdl", "--threads", "1", "--time-limit", "1ms", "--out", out];
    let run = tesuji(&words);
    assert_eq!((run.code, run.out.as_str()), (1, ""), "{}", run.err);
    let quoted = format!("'{}'", out.replace('\'', r"'\''"));
    let command = format!("`tesuji solve ostle --pieces 8 --wdl --threads 1 --out {quoted}` goes on");
    assert!(run.err.contains(&command), "{}", run.err);
    let verified = tesuji(&["verify", out]);
    assert!(verified.code == 1 && verified.err.contains(&command), "{}", verified.err);
    let verified = tesuji(&["verify", &folder.path("work")]);
    assert!(verified.code == 1 && verified.err.contains(&command), "{}", verified.err);
    for (words, made) in [(&[][..], "makes one"), (&["--longest"], "makes them"), (&["-"], "makes one")] {
        let run = tesuji(&[&["query", "ostle", "--table", out], words].concat());
        assert!(
            run.code == 1 && run.err.contains(&format!("`tesuji solve ostle --out {quoted}` {made}")),
            "{}",
            run.err
        );
    }
}

#[test]
fn what_a_batch_cannot_use_is_refused() {
    for (words, part) in [
        (&["-", "--line"][..], "--line: with - every line is a position"),
        (&["-", "--moves", "c5u"], "--moves"),
        (&["-", "--longest"], "--longest"),
        (&["--farthest", "--unreachable"], "--unreachable"),
    ] {
        let run = fed(&[&["query", "ostle"], words].concat(), b"");
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{words:?}: {}", run.err);
        assert!(run.err.contains(part), "{words:?}: {}", run.err);
    }
    let run = tesuji(&["export", "ostle", "3-3"]);
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(run.err.contains("there are: 4-4"), "{}", run.err);
    let run = tesuji(&["export", "othello", "4-4"]);
    assert!(run.code == 2 && run.err.contains("othello has no `export`; ostle has"), "{}", run.err);
    assert_eq!(json!(run.out), "");
}
