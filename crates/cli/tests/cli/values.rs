//! Values in the unit of the game, scores in words, one viewpoint; and outputs that are checked before the work.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::folder::Folder;
use crate::run::{fed, tesuji};

const SMALL: [&str; 4] = ["--threads", "1", "--hash", "1"];
/// The mover wins by six.
const SIX: &str = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";
/// The shortest game: black takes every disc.
const WIPEOUT: &str = "e6f4e3f6g5d6e7f5c5";

fn analyze(words: &[&str]) -> Vec<Value> {
    let run = tesuji(&[&["analyze"], words, &["--json"], &SMALL[..]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    run.json()
}

#[test]
fn a_solved_position_has_its_exact_score() {
    for engine in ["expert", "alphabeta"] {
        let last = analyze(&["othello", "--position", SIX, "--engine", engine, "--depth", "20"]).pop().unwrap();
        let line = &last["lines"][0];
        assert_eq!((&line["value"], &line["unit"]), (&json!(6.0), &json!("discs")), "{line}");
        assert_eq!(line["proven"], json!({ "result": "win", "score": 6 }), "{engine}: {line}");
    }
    let run = tesuji(&[&["analyze", "othello", "--position", SIX], &SMALL[..]].concat());
    assert!(run.out.contains(" +6 exact "), "{}", run.out);
}

/// No estimate of the first moves of Othello is a hundred discs, and a mate has no number at all.
#[test]
fn numbers_are_in_the_unit() {
    for engine in ["expert", "alphabeta", "alphabeta:eval=classic", "alphabeta:eval=squares"] {
        for update in analyze(&["othello", "--moves", "f5d6", "--engine", engine, "--depth", "4"]) {
            assert!(update["lines"][0]["value"].as_f64().unwrap().abs() < 20.0, "{engine}: {update}");
        }
    }
    let mate = analyze(&["shogi", "--position", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "--depth", "3"]).pop().unwrap();
    assert_eq!((&mate["lines"][0]["value"], &mate["lines"][0]["unit"]), (&Value::Null, &json!("centipawns")));
    for eval in ["leaf-average", "monte-carlo", "leaf-average+mc"] {
        let run = tesuji(&["show", "trax", "--moves", "@0/ B1+ A0/", "--eval", eval, "--json"]);
        let value = &run.json()[0]["eval"];
        assert!(value["value"].as_f64().unwrap().abs() <= 1.0 && value["unit"] == "wins", "{value}");
    }
}

#[test]
fn a_tree_search_tells_its_win_rate() {
    for game in ["othello", "trax", "ostle", "shogi"] {
        let last = analyze(&[game, "--engine", "uct:playouts=200"]).pop().unwrap();
        let line = &last["lines"][0];
        let rate = line["value"].as_f64().unwrap();
        assert!(line["unit"] == "win %" && (0.0..=100.0).contains(&rate) && line["rate"].is_null(), "{line}");
    }
    let run = tesuji(&[&["analyze", "othello", "--engine", "uct:playouts=50"], &SMALL[..]].concat());
    assert!(run.out.starts_with("black to move, values in win % for black;"), "{}", run.out);
    let run = fed(
        &[&["analyze", "othello", "--game", "-", "--json", "--engine", "uct:playouts=50"], &SMALL[..]].concat(),
        b"f5d6\n",
    );
    assert!(run.json().iter().all(|mv| mv["unit"] == "win %" && mv["loss"].as_f64().unwrap() <= 100.0), "{}", run.out);
}

/// A finished game has its score, not a proven win of so many plies.
#[test]
fn the_last_move_of_a_game_has_the_final_score() {
    let words = [&["analyze", "othello", "--game", "-", "--depth", "3"], &SMALL[..]].concat();
    let last = fed(&[&words[..], &["--json"]].concat(), WIPEOUT.as_bytes()).json().pop().unwrap();
    assert_eq!((&last["value"], &last["proven"]), (&json!(64.0), &json!({ "result": "win", "score": 64 })), "{last}");
    let text = fed(&words, WIPEOUT.as_bytes()).out;
    assert!(text.contains("values in discs for the mover") && text.contains("+64 exact"), "{text}");
    assert!(text.lines().any(|line| line.starts_with("white   lost ") && line.contains(" discs in 4 moves")), "{text}");
}

#[test]
fn static_values_and_hints_name_their_unit() {
    let run = tesuji(&["show", "othello", "--moves", "f5d6", "--eval", "pattern"]);
    assert!(run.out.contains(" discs for black (pattern)"), "{}", run.out);
    let over = format!("{}{} X", "X".repeat(41), "O".repeat(23));
    let run = tesuji(&["show", "othello", "--position", &over, "--eval", "classic"]);
    assert!(run.out.contains("value     +18 discs, exact for black"), "{}", run.out);
    let run = tesuji(&["show", "shogi", "--eval", "material"]);
    assert!(run.out.contains(" centipawns for black"), "{}", run.out);
    let words = ["play", "othello", "--plain", "--first", "human", "--depth", "2", "--threads", "1", "--hash", "1"];
    let run = fed(&words, b"hint\nquit\n");
    assert!(run.out.lines().any(|line| line.starts_with("hint: ") && line.contains("discs")), "{}", run.out);
}

#[test]
fn scores_are_told_from_one_viewpoint() {
    for (discs, mover, margin, text) in [
        ([41, 23], "X", 18, "black won 41–23"),
        ([41, 23], "O", 18, "black won 41–23"),
        ([23, 41], "X", -18, "white won 41–23"),
        ([32, 32], "O", 0, "a draw, 32–32"),
    ] {
        let position = format!("{}{} {mover}", "X".repeat(discs[0]), "O".repeat(discs[1]));
        let shown = tesuji(&["show", "othello", "--position", &position, "--json"]).json().remove(0);
        assert_eq!((&shown["margin"], &shown["score"]), (&json!(margin), &json!(discs)), "{position}");
        let run = tesuji(&["show", "othello", "--position", &position]);
        assert!(run.out.ends_with(&format!("over      {text}\n")), "{}", run.out);
    }
    let shown = tesuji(&["show", "othello", "--moves", WIPEOUT, "--json"]).json().remove(0);
    assert_eq!((&shown["counts"], &shown["score"]), (&json!([13, 0]), &json!([64, 0])));
    let run = tesuji(&["show", "othello"]);
    assert!(run.out.contains("discs     black 2, white 2\n"), "{}", run.out);
    let run = fed(&["replay", "othello", "-"], format!("{WIPEOUT}\nf5d6\n").as_bytes());
    let lines: Vec<&str> = run.out.lines().collect();
    assert!(lines[0].starts_with("record 1: 9 moves, black won 64–0"), "{}", run.out);
    assert!(lines[1].starts_with("record 2: 2 moves, unfinished"), "{}", run.out);
    let replayed = fed(&["replay", "othello", "-", "--json"], WIPEOUT.as_bytes()).json().remove(0);
    assert_eq!((&replayed["score"], &replayed["reason"]), (&json!([64, 0]), &json!("discs")));
}

fn tournament(game: &str, settings: &str) -> String {
    format!(
        "game = \"{game}\"\ndepth = 1\nlongest = 0\n{settings}\n\
         [[player]]\nengine = \"alphabeta:hash=1\"\n[[player]]\nengine = \"random\"\n"
    )
}

#[test]
fn thresholds_are_in_the_unit_of_the_game() {
    let folder = Folder::new("thresholds");
    let config = folder.path("config.toml");
    let run = |game: &str, settings: &str, out: &str| {
        fs::write(&config, tournament(game, settings)).unwrap();
        tesuji(&["tournament", "run", &config, "--out", &folder.path(out), "--json"])
    };
    // What these settings were before values had units.
    for (game, settings, part) in [
        (
            "othello",
            "adjudicate = { win = { value = 1900, moves = 2 } }",
            "adjudicate.win.value = 1900: values are in discs",
        ),
        (
            "othello",
            "adjudicate = { draw = { value = 50, moves = 2 } }",
            "adjudicate.draw.value = 50: values are in discs",
        ),
        ("othello", "openings = { bound = 300 }", "openings.bound = 300: values are in discs, here from 0 to 16"),
        ("ostle", "adjudicate = { win = { value = 1000, moves = 2 } }", "values are in pieces, here from 0 to 5"),
        ("trax", "openings = { bound = 250 }", "values are in wins"),
    ] {
        let run = run(game, settings, "never");
        assert!(run.code == 2 && run.err.contains(part) && run.err.lines().count() == 1, "{}", run.err);
        assert!(!Path::new(&folder.path("never")).exists(), "{settings}");
    }
    let played = run("othello", "pairs = 2\nadjudicate = { win = { value = 60, moves = 9 } }", "othello");
    assert_eq!(played.code, 0, "{}", played.err);
    let games: Vec<Value> = played.json().into_iter().filter(|line| line["event"] == "game").collect();
    assert_eq!(games.len(), 4);
    for game in games {
        let score: [i64; 2] = serde_json::from_value(game["score"].clone()).unwrap();
        assert_eq!((score[0] + score[1], game["margin"].as_i64()), (64, Some(score[0] - score[1])), "{game}");
        let winner = ["second", "draw", "first"][(score[0].cmp(&score[1]) as i64 + 1) as usize];
        assert_eq!(game["result"], winner, "{game}");
    }
    let report = fs::read_to_string(folder.file("othello/report.html")).unwrap();
    assert!(report.contains(" discs\"") && report.contains("won ") && report.contains("\"unit\":\"discs\""));
    // The values of the journal are discs, not hundredths of them.
    let journal = fs::read_to_string(folder.file("othello/journal.txt")).unwrap();
    let values = journal.split("\"values\":[").skip(1).flat_map(|rest| rest.split(']').next().unwrap_or("").split(','));
    let values: Vec<f64> = values.filter_map(|number| number.parse().ok()).collect();
    assert!(values.len() > 50 && values.iter().all(|value| value.abs() <= 64.0), "{values:?}");
}

#[test]
fn outputs_are_checked_before_the_work() {
    let folder = Folder::new("outputs");
    let (game, png, svg) = (folder.path("game.txt"), folder.path("x.png"), folder.path("x.svg"));
    fs::write(&game, WIPEOUT).unwrap();
    let plot = |file: &str| {
        let words = ["analyze", "othello", "--game", &game, "--depth", "2", "--plot", file];
        tesuji(&[&words[..], &SMALL[..]].concat())
    };
    let refused = plot(&png);
    assert!(refused.code == 2 && refused.err.contains("ends in .svg") && refused.out.is_empty(), "{}", refused.err);
    let refused = plot(&folder.path("none/x.svg"));
    assert!(
        refused.code == 2 && refused.err.contains("there is no folder") && refused.out.is_empty(),
        "{}",
        refused.err
    );
    assert_eq!(plot(&svg).code, 0);
    let drawn = fs::read_to_string(&svg).unwrap();
    assert!(drawn.contains("Value for black after each move, in discs") && drawn.contains(">ply</text>"), "{drawn}");
    let set = folder.path("none/set");
    let refused = tesuji(&["selfplay", "othello", "--games", "1000000", "--out", &set]);
    assert!(refused.code == 2 && refused.err.contains("--out: cannot write"), "{} {}", refused.code, refused.err);
}
