//! Help, messages and logs: what people read.

use std::fs;

use crate::folder::Folder;
use crate::run::{fed, tesuji};

/// Every wrong command line gives one line that says what would be right.
#[test]
fn wrong_arguments_are_told_in_one_line() {
    for (words, told) in [
        (&["analyse", "othello"][..], "tesuji: there is no command \"analyse\"; did you mean \"analyze\"?"),
        (&["frobnicate"], "tesuji: there is no command \"frobnicate\"; `tesuji --help` lists them"),
        (
            &["perft", "otello", "3"],
            "tesuji: perft: there is no game \"otello\"; did you mean othello? there are: othello,",
        ),
        (&["perft", "othello"], "tesuji: perft: <DEPTH> is missing; usage: tesuji perft [OPTIONS] <GAME> <DEPTH>"),
        (&["perft"], "tesuji: perft: <GAME>, <DEPTH> are missing; usage:"),
        (&["perft", "othello", "x"], "tesuji: perft: <DEPTH> \"x\": expected a whole number"),
        (&["perft", "othello", "999"], "tesuji: perft: <DEPTH> \"999\": expected a number from 0 to 200"),
        (&["perft", "othello", "3", "4"], "tesuji: perft: \"4\" is too much; usage:"),
        (&["play", "othello", "--hsh", "3"], "tesuji: play: there is no option --hsh; did you mean --hash?"),
        (&["play", "othello", "--xyzzy"], "tesuji: play: there is no option --xyzzy; `tesuji play --help` lists them"),
        (&["play", "othello", "--hash"], "tesuji: play: --hash needs a value"),
        (&["play", "othello", "--time", "1s", "--time", "2s"], "tesuji: play: --time is given twice"),
        (&["games", "--color", "red"], "tesuji: games: --color \"red\": possible values: auto, always, never"),
        (&["games", "-q", "-v"], "tesuji: games: --quiet cannot be used with --verbose"),
        (&["book"], "tesuji: book: what to do is missing: build, show, merge, export, import"),
        (&["solve"], "tesuji: solve: the game is missing: othello,"),
        (&["book", "shwo", "othello"], "tesuji: book: there is no command \"shwo\"; did you mean \"show\"?"),
        (
            &["book", "show", "ostle"],
            "tesuji: book: show: ostle has no `book show`; othello, trax, trax-8x8, trax-loop, shogi have",
        ),
        (&["query", "shogi"], "tesuji: query: shogi has no `query`; ostle has"),
        (&["engine", "uci"], "tesuji: engine: <PROTOCOL> \"uci\": "),
        (&["best-move", "othello", "--time", "1s", "--clock", "5m"], "--time cannot be used with --clock"),
        (
            &["selfplay", "othello", "--games", "0", "--out", "x"],
            "--games \"0\": expected a number from 1 to 100000000",
        ),
        (&["train", "othello", "--out", "x"], "tesuji: train: --data <SET>... is missing; usage:"),
    ] {
        let run = tesuji(words);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{words:?}: {}", run.err);
        assert!(run.err.contains(told), "{words:?}: {}", run.err);
        assert_eq!(run.err.lines().count(), 1, "{words:?}: {}", run.err);
    }
}

/// Without arguments: the games and what most people want, on a screen of 80 columns and 24 lines.
#[test]
fn the_overview_fits_on_one_screen() {
    let run = tesuji(&[]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert!(run.out.lines().count() <= 23, "{}", run.out);
    assert!(run.out.lines().all(|line| line.chars().count() <= 79), "{}", run.out);
    for part in ["othello", "trax-8x8", "ostle", "shogi", "tesuji play othello", "--help"] {
        assert!(run.out.contains(part), "{part}: {}", run.out);
    }
    assert_eq!(run.out.matches("\n  tesuji ").count(), 5 + 3, "{}", run.out);
}

const COMMANDS: [&[&str]; 41] = [
    &["games"],
    &["show"],
    &["perft"],
    &["replay"],
    &["convert"],
    &["play"],
    &["analyze"],
    &["best-move"],
    &["engine"],
    &["connect"],
    &["host"],
    &["match"],
    &["tournament", "run"],
    &["tournament", "resume"],
    &["stats"],
    &["solve"],
    &["solve", "othello"],
    &["solve", "ostle"],
    &["query"],
    &["verify"],
    &["train"],
    &["train", "data"],
    &["train", "label"],
    &["train", "probcut"],
    &["train", "export"],
    &["net"],
    &["net", "show"],
    &["net", "eval"],
    &["net", "convert"],
    &["net", "bench"],
    &["selfplay"],
    &["book"],
    &["book", "build"],
    &["book", "show"],
    &["book", "merge"],
    &["book", "export"],
    &["book", "import"],
    &["bench"],
    &["cluster"],
    &["cluster", "submit"],
    &["cluster", "work"],
];

/// The options that every command has come last, under their own heading; then examples.
#[test]
fn global_options_are_the_last_of_every_help() {
    for command in COMMANDS {
        let run = tesuji(&[command, &["--help"]].concat());
        assert_eq!(run.code, 0, "{command:?}: {}", run.err);
        let headings: Vec<&str> = run
            .out
            .lines()
            .filter(|line| line.ends_with(':') && line.starts_with(char::is_uppercase) && !line.contains("Examples"))
            .collect();
        assert_eq!(headings.last(), Some(&"Global options:"), "{command:?}: {}", run.out);
        let (own, global) = run.out.split_once("Global options:").unwrap();
        for option in ["--color", "--quiet", "--verbose", "--help"] {
            assert!(global.contains(option) && !own.contains(&format!("  {option}")), "{command:?}: {option}");
        }
    }
}

#[test]
fn defaults_are_in_the_help() {
    for (command, part) in [
        (&["play"][..], "[default: 1s, if nothing else limits the search]"),
        (&["analyze"], "[default: 5s, with --game 500ms, if nothing else limits the search]"),
        (&["match"], "[default: 1s, unless something else limits both engines]"),
        (&["engine"], "--threads"),
        (&["match"], "--hash"),
    ] {
        let help = tesuji(&[command, &["--help"]].concat()).out;
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(help.contains(part), "{command:?}: {part}: {help}");
    }
    // Only games that the command works for.
    let help = tesuji(&["book", "show", "--help"]).out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("[possible values: othello, trax, trax-8x8, trax-loop, shogi]"), "{help}");
}

#[test]
fn an_odd_number_of_games_is_told() {
    let run = tesuji(&["match", "othello", "random", "random:seed=1", "--games", "3", "--json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(
        run.err.contains("--games 3: every opening is played twice, with the sides swapped: 4 games"),
        "{}",
        run.err
    );
    assert_eq!(run.json()[0]["total"], 4);
}

/// Errors of a tournament's description name the file, the line and the table.
/// Text has commas in every count of four digits or more, JSON in none.
#[test]
fn thousands_are_set_apart_in_text_alone() {
    let folder = Folder::new("thousands");
    let games = folder.path("games.txt");
    std::fs::write(&games, "f5d6c3\n".repeat(1234)).unwrap();
    let run = tesuji(&["stats", "othello", &games]);
    assert!(run.out.starts_with("records   1,234, 0 with faults, 1,234 unfinished\n"), "{}", run.out);
    let json = tesuji(&["stats", "othello", &games, "--json"]).json();
    assert_eq!((&json[0]["records"], &json[0]["unfinished"]), (&1234.into(), &1234.into()));
    let run = tesuji(&["replay", "othello", &games, "--ending", "discs"]);
    assert!(run.err.contains("0 of 1,234 records match; left out: 1,234 by ending"), "{}", run.err);
    let run = tesuji(&["perft", "othello", "4"]);
    assert!(run.out.lines().any(|line| line.split_whitespace().take(2).eq(["4", "244"])), "{}", run.out);
    let run = tesuji(&["perft", "othello", "5"]);
    assert!(run.out.lines().any(|line| line.split_whitespace().take(2).eq(["5", "1,396"])), "{}", run.out);
}

#[test]
fn errors_in_toml_have_a_place() {
    let folder = Folder::new("toml-errors");
    let players = "[[player]]\nname = \"a\"\nengine = \"random\"\n[[player]]\nname = \"b\"\nengine = \"random\"\n";
    for (text, told) in [
        (format!("pairs = 1\ngame = othello\n{players}"), "line 2: column 8: "),
        (
            format!("game = \"othello\"\npairs = \"two\"\n{players}"),
            "line 2: event 1, pairs: invalid type: string \"two\"",
        ),
        (
            format!("game = \"othello\"\npairz = 2\n{players}"),
            "line 2: tournament: there is no setting \"pairz\"; did you mean",
        ),
        (
            format!(
                "seed = 1\n{players}\n[[event]]\ngame = \"othello\"\n[[event]]\ngame = \"trax\"\n[event.openings]\nplyes = 4\n"
            ),
            "line 14: event 2, openings: there is no setting \"plyes\"",
        ),
        (format!("seed = -1\ngame = \"othello\"\n{players}"), "line 1: tournament, seed: "),
    ] {
        let config = folder.path("tournament.toml");
        fs::write(&config, &text).unwrap();
        let run = tesuji(&["tournament", "run", &config, "--out", &folder.path("out")]);
        assert_eq!(run.code, 2, "{text}: {}", run.err);
        assert!(run.err.contains("tournament.toml: ") && run.err.contains(told), "{text}: {}", run.err);
        assert_eq!(run.err.lines().count(), 1, "{}", run.err);
    }
}

/// A file that is no data set is named, in one line.
#[test]
fn training_on_something_else() {
    let folder = Folder::new("wrong-data");
    let (wrong, out) = (folder.path("games.txt"), folder.path("out"));
    fs::write(&wrong, "f5d6c3\n").unwrap();
    for data in [&wrong, &folder.path("none"), folder.name()] {
        let run = tesuji(&["train", "othello", "--data", data, "--out", &out]);
        assert_eq!((run.code, run.err.lines().count()), (2, 1), "{data}: {}", run.err);
        assert!(run.err.contains(data), "{}", run.err);
    }
    let run = tesuji(&["train", "othello", "--data", &wrong, "--out", &out]);
    assert!(run.err.contains("is not a data set: give one made by `tesuji train data`"), "{}", run.err);
}

/// `-v` says what is used, `-vv` every iteration; results stay where they were.
#[test]
fn verbosity() {
    let words = ["best-move", "othello", "--engine", "expert:level=2,hash=1,book=none", "--threads", "1"];
    let quiet = fed(&words, b"startpos\n");
    assert_eq!((quiet.code, quiet.err.as_str()), (0, ""));
    let told = fed(&[&words[..], &["-v"]].concat(), b"startpos\nf5 d6 c3 d3 c4\n");
    for part in ["shipped weights of Othello loaded", "engine created", "expert:level=2", "search finished", "depth=2"]
    {
        assert!(told.err.contains(part), "{part}: {}", told.err);
    }
    assert!(!told.err.contains("iteration finished"), "{}", told.err);
    assert_eq!(told.out.lines().count(), 1, "{}", told.out);
    let all = fed(&[&words[..], &["-vv"]].concat(), b"startpos\nf5 d6 c3 d3 c4\n");
    assert!(all.err.matches("iteration finished").count() >= 2, "{}", all.err);
    assert_eq!(all.out, told.out);
    let book = fed(&["best-move", "othello", "-v"], b"startpos\n");
    assert!(book.err.contains("shipped opening book loaded"), "{}", book.err);
}
