//! `play` as its users meet it: saved games, counts, names, and the mouse and the keys of a real terminal.

use std::fs;
use std::path::PathBuf;

use crate::folder::Folder;
use crate::run::{Run, fed};
#[cfg(unix)]
use crate::terminal::Terminal;

const QUICK: [&str; 4] = ["--depth", "1", "--hash", "1"];
const HUMANS: [&str; 4] = ["--first", "human", "--second", "human"];

fn play(words: &[&str], input: &str) -> Run {
    fed(&[&["play"], words, &QUICK].concat(), input.as_bytes())
}

/// The file that a run says it saved the game in.
fn saved(run: &Run) -> PathBuf {
    let line = run.err.lines().find_map(|line| line.strip_prefix("the game is saved in "));
    PathBuf::from(line.unwrap_or_else(|| panic!("no file in {}", run.err)))
}

/// Without `--save` the game is kept too, and the way to continue it is told.
#[test]
fn plain_games_are_kept() {
    for (input, code) in [("f5\nd6\n", 1), ("f5\nd6\nquit\n", 0)] {
        let run = play(&[&["othello", "--plain"], &HUMANS[..]].concat(), input);
        assert_eq!(run.code, code, "{input}: {}", run.err);
        let file = saved(&run);
        assert_eq!(fs::read_to_string(&file).unwrap(), "f5d6\n");
        let continued =
            run.err.lines().find_map(|line| line.strip_prefix("continue it with: tesuji play othello --game "));
        assert_eq!(continued, file.to_str(), "{}", run.err);
        let run = play(&["othello", "--game", continued.unwrap()], "moves\nquit\n");
        assert!(run.out.contains("5 moves:"), "{}", run.out);
        fs::remove_file(file).unwrap();
    }
}

/// A finished game is saved, succeeds, and there is nothing to continue. Without any move there is no game.
#[test]
fn finished_games_and_games_without_moves() {
    let run = play(&[&["othello", "--plain"], &HUMANS[..]].concat(), "f5\nresign\n");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(!run.err.contains("continue it with"), "{}", run.err);
    fs::remove_file(saved(&run)).unwrap();
    let run = play(&["othello", "--plain"], "");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
}

/// A file that cannot be written is refused before the first move, and no folder is made for it. What fails later is
/// told at the end.
#[test]
fn files_that_cannot_be_written() {
    let folder = Folder::new("unwritable-game");
    let missing = folder.path("none/game.txt");
    let run = play(&[&["othello", "--plain", "--save", &missing], &HUMANS[..]].concat(), "f5\nquit\n");
    assert_eq!((run.code, run.out.as_str(), run.err.lines().count()), (2, "", 1), "{}", run.err);
    assert!(run.err.contains("--save: cannot write") && run.err.contains("there is no folder"), "{}", run.err);
    assert!(!std::path::Path::new(&folder.path("none")).exists());
    let run = play(&[&["othello", "--plain"], &HUMANS[..]].concat(), &format!("f5\nsave {missing}\nd6\nquit\n"));
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("there is no folder"), "{}", run.err);
    assert_eq!(fs::read_to_string(saved(&run)).unwrap(), "f5d6\n");
    fs::remove_file(saved(&run)).unwrap();
}

#[test]
fn files_with_unknown_endings_are_refused() {
    let run = play(&["shogi", "--plain", "--save", "out.foo"], "");
    assert_eq!(run.code, 2, "{}", run.err);
    assert_eq!(run.err.lines().count(), 1, "{}", run.err);
    for part in ["--save", "out.foo", "\".foo\"", ".usi", ".csa", ".kif"] {
        assert!(run.err.contains(part), "{part}: {}", run.err);
    }
    let run = play(&[&["shogi", "--plain"], &HUMANS[..]].concat(), "7g7f\nsave nowhere.txt\nquit\n");
    assert!(run.err.contains("\".txt\"") && !PathBuf::from("nowhere.txt").exists(), "{}", run.err);
    fs::remove_file(saved(&run)).unwrap();
}

#[test]
fn counts_and_the_ko_in_plain_lines() {
    let run = play(&[&["othello", "--plain"], &HUMANS[..]].concat(), "f5\nd6\nquit\n");
    for line in ["discs: black 2, white 2", "discs: black 4, white 1", "discs: black 3, white 3"] {
        assert!(run.out.lines().any(|own| own == line), "{line}: {}", run.out);
    }
    fs::remove_file(saved(&run)).unwrap();
    let run = play(&[&["ostle", "--plain"], &HUMANS[..]].concat(), "c3u\nc2d\nquit\n");
    assert!(run.out.contains("pieces: black 5, white 5\nforbidden: c2d (ko)\nwhite to move"), "{}", run.out);
    assert!(run.err.contains("c2d") && run.err.contains("forbidden"), "{}", run.err);
    fs::remove_file(saved(&run)).unwrap();
}

#[test]
fn japanese_names_of_players_and_moves() {
    let words = ["shogi", "--plain", "--japanese", "--second", "random:seed=1"];
    let run = play(&words, "７六歩\nresign\n");
    assert!(run.out.contains("sente to move") && run.out.contains("gote plays △"), "{} {}", run.out, run.err);
    assert!(run.out.ends_with("the game is over: gote won (resignation)\n"), "{}", run.out);
    fs::remove_file(saved(&run)).unwrap();
    let run = play(&["othello", "--japanese"], "");
    assert!(run.code == 2 && run.err.contains("--japanese") && run.err.contains("shogi"), "{}", run.err);
}

/// A click on f5 plays there; the mouse is the terminal's own again at the end.
#[cfg(unix)]
#[test]
fn clicks_on_a_real_terminal() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("clicked.txt");
    let _ = fs::remove_file(&path);
    let mut terminal = Terminal::start(&["play", "othello", "--second", "random", "--save", path.to_str().unwrap()]);
    terminal.shows("\x1b[?1006h");
    terminal.shows("black");
    // Column 19, row 7, in the form of SGR.
    terminal.press("\x1b[<0;19;7M\x1b[<0;19;7m");
    terminal.shows("white played");
    terminal.press("q");
    terminal.shows("\x1b[?1006l");
    terminal.shows("the game is saved in");
    assert_eq!(terminal.child.wait().unwrap().code(), Some(0));
    assert!(fs::read_to_string(&path).unwrap().starts_with("f5"));
}

/// Text in the input does not disable the keys.
#[cfg(unix)]
#[test]
fn keys_behind_text_on_a_real_terminal() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("typed.txt");
    let _ = fs::remove_file(&path);
    let words = [&["play", "othello", "--save", path.to_str().unwrap()], &HUMANS[..]].concat();
    let mut terminal = Terminal::start(&words);
    terminal.shows("black");
    // Text, undo, redo, text again; if one of these keys were typed, so would be the last, and the game would not end.
    terminal.press("f5\rf4uUfq");
    terminal.shows("the game is saved in");
    assert_eq!(terminal.child.wait().unwrap().code(), Some(0));
    assert_eq!(fs::read_to_string(&path).unwrap(), "f5\n");
}
