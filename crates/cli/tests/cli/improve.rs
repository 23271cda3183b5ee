//! `tesuji improve`: killed again and again it ends with the same files, and every generation is reported.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::folder::Folder;
use crate::run::{Run, tesuji};

fn words(out: &str) -> Vec<&str> {
    let net = "policy-value:blocks=1,channels=4,value-channels=2,value-hidden=4";
    let mut words = vec!["improve", "ostle", "--generations", "2", "--out", out, "--net", net, "--games", "4"];
    words.extend(["--engine", "puct:playouts=6", "--longest", "30", "--random", "0..4", "--batch", "16"]);
    words.extend(["--window", "1", "--gate-games", "4", "--gate-score", "0.4", "--checkpoint", "1ms", "--seed", "5"]);
    words
}

/// Options that are there already get another value.
fn improve(out: &str, more: &[&str]) -> Run {
    let mut words = words(out);
    match more {
        [option, value] => match words.iter().position(|word| word == option) {
            Some(at) => words[at + 1] = value,
            None => words.extend(more),
        },
        _ => words.extend(more),
    }
    tesuji(&words)
}

/// The files whose bytes must not tell how often a run was killed. The journals of matches have times.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for part in ["", "self-play", "evaluations"] {
        for entry in fs::read_dir(folder.join(part)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                all.insert(path.strip_prefix(folder).unwrap().to_owned(), fs::read(&path).unwrap());
            }
        }
    }
    all
}

/// Everything that a run has written so far: names and sizes.
fn traces(folder: &Path) -> Vec<(PathBuf, u64)> {
    let mut all = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).into_iter().flatten().flatten() {
            match entry.metadata() {
                Ok(about) if about.is_dir() => folders.push(entry.path()),
                Ok(about) => all.push((entry.path(), about.len())),
                Err(_) => {}
            }
        }
    }
    all.sort();
    all
}

/// Runs a command again and again on one thread and on two, killed as soon as it has written something of its own: in
/// self-play, in training, in the gate, in between. Ends when a run is over before. Returns the number of kills.
fn killed(words: &[&str], out: &str) -> u32 {
    let mut kills = 0;
    for threads in ["1", "2"].iter().cycle().take(60) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tesuji"))
            .args(words)
            .args(["--threads", threads])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let before = traces(Path::new(out));
        while child.try_wait().unwrap().is_none() && traces(Path::new(out)) == before {
            std::thread::yield_now();
        }
        let over = child.try_wait().unwrap().is_some();
        child.kill().unwrap();
        child.wait().unwrap();
        if over {
            break;
        }
        kills += 1;
    }
    kills
}

#[test]
fn a_run_that_is_killed_ends_with_the_same_bytes() {
    let folder = Folder::new("improve-kill");
    let (whole, cut) = (folder.path("whole"), folder.path("cut"));
    let run = improve(&whole, &["--threads", "1", "--json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let kills = killed(&words(&cut), &cut);
    assert!(kills > 5, "the run was over before it was killed: {kills}");
    let run = improve(&cut, &["--threads", "2"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let (expected, found) = (files(Path::new(&whole)), files(Path::new(&cut)));
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    for (name, bytes) in &expected {
        assert!(found.get(name) == Some(bytes), "{} differs after {kills} kills", name.display());
    }
    let names: Vec<String> = expected.keys().map(|name| name.display().to_string()).collect();
    for name in ["best.safetensors", "improve.journal", "improve.svg", "improve.html", "self-play/0002.set"] {
        assert!(names.iter().any(|known| known == name), "{name}: {names:?}");
    }
}

#[test]
fn every_generation_is_reported_and_a_run_is_only_continued_by_its_own_command() {
    let folder = Folder::new("improve-report");
    let out = folder.path("run");
    let run = improve(&out, &["--json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let events = run.json();
    let of = |name: &str| events.iter().filter(|event| event["event"] == name).collect::<Vec<_>>();
    assert_eq!((of("start").len(), of("step").len(), of("generation").len()), (1, 8, 2), "{}", run.out);
    for (number, report) in of("generation").iter().enumerate() {
        assert_eq!(report["schema"], "tesuji/improve/1");
        assert_eq!((&report["generation"], &report["games"]), (&(number as u64 + 1).into(), &4.into()));
        assert!(report["positions"].as_u64().unwrap() > 0 && report["learned"].as_u64().unwrap() > 0, "{report}");
        assert!(report["losses"]["policy_loss"].is_number() && report["losses"]["value_loss"].is_number(), "{report}");
        let gate = &report["gate"];
        let games = ["wins", "draws", "losses"].map(|name| gate[name].as_u64().unwrap()).iter().sum::<u64>();
        assert!((1..=4).contains(&games) && report["accepted"].is_boolean(), "{report}");
    }
    let last = of("final")[0];
    assert!(Path::new(last["file"].as_str().unwrap()).exists(), "{last}");
    // The same command has nothing to do, one more generation has; another setting is refused.
    let again = improve(&out, &[]);
    assert_eq!(again.code, 0, "{}", again.err);
    assert!(again.out.contains("continues after 2 generations of 2"), "{}", again.out);
    assert!(again.out.contains("accepted") || again.out.contains("rejected"), "{}", again.out);
    let other = improve(&out, &["--noise", "0.5"]);
    assert_eq!((other.code, other.err.lines().count()), (2, 1), "{}", other.err);
    assert!(other.err.contains("other settings"), "{}", other.err);
    let shown = tesuji(&["net", "show", &format!("{out}/best.safetensors")]);
    assert!(shown.code == 0 && shown.out.contains("ostle-7/1"), "{}{}", shown.out, shown.err);
}

#[test]
fn bad_settings_are_refused_in_one_line() {
    let folder = Folder::new("improve-bad");
    let (out, junk) = (folder.path("run"), folder.path("junk"));
    fs::write(&junk, "junk").unwrap();
    for (more, message) in [
        (&["--engine", "alphabeta:depth=2"][..], "puct"),
        (&["--engine", "puct:time=1s"], "same moves every time"),
        (&["--engine", "puct:playouts=6,net=x"], "its own network"),
        (&["--net", "policy:layers=1,channels=4"], "policy and value"),
        (&["--init", &junk], "junk"),
        (&["--openings", &junk], "junk"),
        (&["--gate-engine", "random"], "gate-engine"),
        (&["--tablebase", folder.name()], "tablebase"),
    ] {
        let run = improve(&out, more);
        assert_eq!((run.code, run.err.lines().count()), (2, 1), "{more:?}: {}", run.err);
        assert!(run.err.contains(message), "{more:?}: {}", run.err);
        let _ = fs::remove_dir_all(&out);
    }
    let run = tesuji(&["improve", "ostle", "--generations", "0", "--out", &out]);
    assert!(run.code == 2 && run.err.contains("--generations"), "{}", run.err);
}

/// The weights of Trax: two generations, killed and resumed, end with the same files.
#[test]
fn the_weights_of_trax_improve() {
    let folder = Folder::new("improve-trax");
    let words = |out: &str| {
        let words = ["improve", "trax", "--generations", "2", "--games", "6", "--engine", "alphabeta:nodes=100,hash=1"];
        let more = ["--epochs", "2", "--gate-games", "4", "--gate-score", "0.3", "--seed", "5", "--out", out];
        words.iter().chain(&more).map(|&word| word.to_owned()).collect::<Vec<String>>()
    };
    let (whole, cut) = (folder.path("whole"), folder.path("cut"));
    let run = tesuji(&words(&whole).iter().map(String::as_str).chain(["--json"]).collect::<Vec<_>>());
    assert_eq!(run.code, 0, "{}", run.err);
    let last = run.json().pop().unwrap();
    assert!(last["event"] == "final" && last["generations"].as_array().unwrap().len() == 2, "{last}");
    let kills = killed(&words(&cut).iter().map(String::as_str).collect::<Vec<_>>(), &cut);
    assert!(kills > 5, "the run was over before it was killed: {kills}");
    let run = tesuji(&words(&cut).iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(files(Path::new(&whole)), files(Path::new(&cut)));
    assert!(files(Path::new(&cut)).contains_key(Path::new("best.weights")));
    let bad = tesuji(&["improve", "trax", "--generations", "1", "--out", &folder.path("x"), "--openings", &whole]);
    assert!(bad.code == 2 && bad.err.contains("--openings: only for networks"), "{}", bad.err);
}

/// The evaluation `nnue` of shogi: two generations, killed and resumed, end with the same files.
#[test]
fn the_nnue_of_shogi_improves() {
    let folder = Folder::new("improve-shogi");
    let (whole, cut, test, starts) =
        (folder.path("whole"), folder.path("cut"), folder.path("test.set"), folder.path("starts.txt"));
    fs::write(&starts, "l2k1gs1l/9/p1np1pppp/9/9/9/PPPP1P1PP/9/LNSGK1SNL b RBrb2p 1\n").unwrap();
    let engine = "alphabeta:nodes=60,hash=1";
    let play = ["selfplay", "shogi", "--games", "4", "--engine", engine, "--openings", &starts, "--random", "1..3"];
    let held_out = tesuji(&play.iter().copied().chain(["--longest", "40", "--out", &test]).collect::<Vec<_>>());
    assert_eq!(held_out.code, 0, "{}", held_out.err);
    let words = |out: &str| {
        let words = ["improve", "shogi", "--generations", "2", "--games", "4", "--engine", engine, "--longest", "40"];
        let more = ["--test", &test, "--openings", &starts, "--random", "1..3", "--epochs", "2", "--batch", "32"];
        let last = ["--gate-games", "4", "--sprt", "0,400", "--checkpoint", "1ms", "--seed", "5", "--out", out];
        words.iter().chain(&more).chain(&last).map(|&word| word.to_owned()).collect::<Vec<String>>()
    };
    let run = tesuji(&words(&whole).iter().map(String::as_str).chain(["--json"]).collect::<Vec<_>>());
    assert_eq!(run.code, 0, "{}", run.err);
    let last = run.json().pop().unwrap();
    assert!(last["event"] == "final" && last["generations"].as_array().unwrap().len() == 2, "{last}");
    assert!(last["generations"][0]["losses"]["test_loss"].as_f64().unwrap() > 0.0, "{last}");
    let kills = killed(&words(&cut).iter().map(String::as_str).collect::<Vec<_>>(), &cut);
    assert!(kills > 5, "the run was over before it was killed: {kills}");
    let run = tesuji(&words(&cut).iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(files(Path::new(&whole)) == files(Path::new(&cut)), "the files differ after {kills} kills");
    // What it made is an evaluation.
    let net = format!("alphabeta:depth=2,eval={cut}/evaluations/0002.nnue");
    let asked = tesuji(&["analyze", "shogi", "--engine", &net]);
    assert_eq!(asked.code, 0, "{}", asked.err);
    for (more, message) in [
        (&["--engine", "alphabeta:nodes=9,eval=material"][..], "leave out eval"),
        (&["--engine", "alphabeta:nodes=9", "--init", &test], "init"),
        (&["--engine", "alphabeta:nodes=9"], "--test"),
    ] {
        let out = folder.path("bad");
        let mut words = vec!["improve", "shogi", "--generations", "1", "--out", &out];
        words.extend(more);
        if message != "--test" {
            words.extend(["--test", &test]);
        }
        let run = tesuji(&words);
        assert!(run.code == 2 && run.err.contains(message), "{more:?}: {}", run.err);
        let _ = fs::remove_dir_all(&out);
    }
}
