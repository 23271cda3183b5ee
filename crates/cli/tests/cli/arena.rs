//! Matches and tournaments as their users meet them: tables, files, kills, and going on.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

use crate::folder::Folder;
use crate::run::{fed, tesuji};

const TOURNAMENT: &str = r#"
name = "killed"
seed = 3
pairs = 2

[[player]]
name = "one"
# Nothing to load: it is killed after a few milliseconds.
engine = "alphabeta:nodes=4000,hash=1,eval=none"
[[player]]
name = "two"
engine = "uct:playouts=300,hash=4,eval=none"
[[player]]
name = "any"
engine = "random"

[[event]]
game = "othello"
[[event]]
game = "ostle"
longest = 60
"#;

/// The final tables without what the clock wrote into them.
fn tables(folder: &str) -> Vec<Value> {
    ["othello", "ostle"]
        .iter()
        .flat_map(|game| {
            let run = tesuji(&["stats", game, folder, "--json"]);
            assert_eq!(run.code, 0, "{}", run.err);
            run.json()
        })
        .map(|mut table| {
            assert_eq!(table["schema"], "tesuji/standings/1");
            for player in table["players"].as_array_mut().unwrap() {
                for clock in ["seconds", "cpu_seconds", "lag_ms"] {
                    assert!(player.as_object_mut().unwrap().remove(clock).is_some());
                }
            }
            table
        })
        .collect()
}

/// Event and number of every game in a journal, in the order they were written.
fn games(folder: &str) -> Vec<(u64, u64)> {
    let text = fs::read_to_string(Path::new(folder).join("journal.txt")).unwrap();
    let lines = text.lines().skip(1).map(|line| line.split_once(' ').unwrap().1);
    lines
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|line| line["kind"] == "game")
        .map(|line| (line["event"].as_u64().unwrap(), line["number"].as_u64().unwrap()))
        .collect()
}

#[test]
fn a_killed_tournament_goes_on_and_ends_as_if_nothing_had_been() {
    let folder = Folder::new("arena-kill");
    let config = folder.path("tournament.toml");
    fs::write(&config, TOURNAMENT).unwrap();
    let (whole, killed) = (folder.path("whole"), folder.path("killed"));
    let run = tesuji(&["tournament", "run", &config, "--out", &whole]);
    assert_eq!(run.code, 0, "{}", run.err);

    let mut kills = 0;
    loop {
        let begun = Path::new(&killed).join("journal.txt").exists();
        let words: Vec<&str> = match begun {
            false => vec!["tournament", "run", &config, "--out", &killed],
            true => vec!["tournament", "resume", &killed],
        };
        let mut child = Command::new(env!("CARGO_BIN_EXE_tesuji"))
            .args(&words)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Ever later on the whole: on a busy machine it comes to an end as well.
        sleep(Duration::from_millis(15 + 7 * (kills % 9) + 2 * kills));
        if let Some(status) = child.try_wait().unwrap() {
            let mut words = String::new();
            std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut words).unwrap();
            assert!(status.success(), "after {kills} kills: {words}");
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
        assert!(kills < 5000, "it never comes to an end");
    }
    assert!(kills > 3, "it ended after {kills} kills");
    let played = games(&killed);
    assert_eq!(played.len(), 24);
    assert_eq!(played.iter().collect::<BTreeSet<_>>().len(), 24, "a game is there twice: {played:?}");
    assert_eq!(tables(&killed), tables(&whole));
    assert!(Path::new(&killed).join("report.html").exists());
    // The games in their own format are games.
    let records = folder.path("killed/1-othello.ggf");
    let replayed = tesuji(&["replay", "othello", &records, "--json"]);
    assert_eq!((replayed.code, replayed.json().len()), (0, 12), "{}", replayed.err);
}

#[test]
fn another_description_is_not_taken_for_the_same_tournament() {
    let folder = Folder::new("arena-other");
    let config = folder.path("tournament.toml");
    fs::write(&config, TOURNAMENT.replace("pairs = 2", "pairs = 1")).unwrap();
    let out = folder.path("out");
    assert_eq!(tesuji(&["tournament", "run", &config, "--out", &out]).code, 0);
    let again = tesuji(&["tournament", "run", &config, "--out", &out]);
    assert_eq!(again.code, 2);
    assert!(again.err.contains("resume"), "{}", again.err);
    let inside = folder.path("out/tournament.toml");
    let text = fs::read_to_string(&inside).unwrap();
    fs::write(&inside, text.replace("nodes=4000", "nodes=4001")).unwrap();
    let changed = tesuji(&["tournament", "resume", &out]);
    assert_eq!(changed.code, 2);
    assert!(changed.err.contains("engine") && changed.err.contains("4001"), "{}", changed.err);
    for (slip, word) in [("pairs", "pairz"), ("engine = \"random\"", "engine = \"randon\"")] {
        fs::write(&config, TOURNAMENT.replacen(slip, word, 1)).unwrap();
        let run = tesuji(&["tournament", "run", &config, "--out", &folder.path("never")]);
        assert_eq!(run.code, 2);
        assert!(run.err.contains("did you mean"), "{}", run.err);
        assert!(!Path::new(&folder.path("never")).join("journal.txt").exists());
    }
}

#[test]
fn a_match_tells_its_figures() {
    let words = ["match", "othello", "alphabeta:depth=3,hash=1", "random", "--games", "20", "--seed", "5"];
    let run = tesuji(&words);
    assert_eq!(run.code, 0, "{}", run.err);
    for figure in ["games   20", "pairs   [", "elo ", "margin "] {
        assert!(run.out.contains(figure), "{figure:?} is missing in\n{}", run.out);
    }
    let json = tesuji(&[&words[..], &["--json"]].concat());
    let lines = json.json();
    assert!(lines.iter().all(|line| line["schema"] == "tesuji/match/1"));
    assert_eq!(lines.iter().filter(|line| line["event"] == "game").count(), 20);
    let last = lines.iter().find(|line| line["event"] == "final").unwrap();
    let meeting = &last["meetings"][0];
    let counts: u64 = ["wins", "draws", "losses"].iter().map(|result| meeting[*result].as_u64().unwrap()).sum();
    assert_eq!(counts, 20);
    assert!(meeting["estimate"]["elo"].as_f64().unwrap() > 200.0, "{meeting}");
}

#[test]
fn a_test_ends_a_match_early() {
    let words =
        ["match", "ostle", "alphabeta:depth=3,hash=1", "random", "--games", "2000", "--sprt", "0,100", "--json"];
    let lines = tesuji(&words).json();
    let last = lines.iter().find(|line| line["event"] == "final").unwrap();
    assert_eq!(last["meetings"][0]["sprt"]["verdict"], "H1", "{last}");
    assert!(last["played"].as_u64().unwrap() < 500, "{last}");
}

#[test]
fn bad_words_are_refused() {
    for (words, message) in [
        (&["match", "othello", "alphabeta", "alphabetta"][..], "did you mean \"alphabeta\""),
        (&["match", "othello", "alphabeta:depth=1", "process:cmd=x,protocol=usi"], "gtp"),
        (&["match", "chess", "random", "random"], "othello"),
        (&["match", "othello", "random", "random", "--sprt", "5,0"], "0,10"),
        (&["match", "othello", "random", "random", "--openings", "/no/such/file"], "/no/such/file"),
        (&["tournament", "resume", "/no/such/folder"], "/no/such/folder"),
        (&["stats", "othello", "/no/such/file"], "/no/such/file"),
    ] {
        let run = tesuji(words);
        assert_eq!(run.code, 2, "{words:?}: {}", run.err);
        assert!(run.err.contains(message), "{words:?}: {}", run.err);
    }
}

#[test]
fn records_of_others_are_counted() {
    let one = "(;GM[Othello]PB[Ann]PW[Bob]RE[+2]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[f5];)";
    let run = fed(&["stats", "othello", "-", "--format", "ggf", "--json"], one.as_bytes());
    let figures = &run.json()[0];
    assert_eq!((&figures["records"], &figures["plies"]["longest"]), (&1.into(), &1.into()), "{}", run.err);
    assert_eq!(figures["branching"][0], 4.0);
    let run = fed(&["stats", "trax", "-"], b"@0/ B1+\n@0/ @0/\n");
    assert!(run.out.starts_with("records   2, 1 with faults"), "{}", run.out);
}
