//! From records and self-play to weights: the same bytes on any number of threads and after any interruption.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use tesuji_game::{Formats, Game, MoveList, Record};
use tesuji_learn::Weights;
use tesuji_othello::{Moves, Othello, TRANSCRIPT};
use tesuji_search::Rng;

use crate::folder::Folder;
use crate::run::{Run, tesuji};

/// Random games, one per line.
pub(crate) fn records(folder: &Folder, count: usize) -> String {
    let (mut rng, mut list, mut bytes) = (Rng::new(1), Moves::default(), Vec::new());
    for _ in 0..count {
        let mut record = Record::new(Othello::start());
        while record.ending().is_none() {
            record.now().clone().moves(&mut list);
            record.push(list.each().nth(rng.below(list.len())).unwrap()).unwrap();
        }
        bytes.extend(Othello::write(TRANSCRIPT, &record).unwrap());
    }
    fs::write(folder.file("games.txt"), bytes).unwrap();
    folder.path("games.txt")
}

/// A data set of such games.
fn set(folder: &Folder, count: usize) -> String {
    let (games, set) = (records(folder, count), folder.path("games.set"));
    let run = tesuji(&["train", "data", "othello", &games, "--out", &set]);
    assert_eq!(run.code, 0, "{}", run.err);
    set
}

fn train(set: &str, out: &str, more: &[&str]) -> Run {
    let words = ["train", "othello", "--data", set, "--out", out, "--iterations", "3", "--stages", "10..14"];
    tesuji(&[&words, more].concat())
}

#[test]
fn records_become_a_data_set_and_unusable_ones_are_counted() {
    let folder = Folder::new("train-data");
    let games = records(&folder, 5);
    let text = fs::read_to_string(&games).unwrap() + "f5d6c3\nf5f5\n";
    let unfinished = &text.lines().next().unwrap()[..60];
    fs::write(&games, format!("{text}{unfinished}\n")).unwrap();
    let set = folder.path("a.set");
    let run = tesuji(&["train", "data", "othello", &games, "--out", &set, "--json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let response = &run.json()[0];
    assert_eq!(response["schema"], "tesuji/train-data/1");
    let figure = |name: &str| response[name].as_u64().unwrap();
    assert_eq!([figure("games"), figure("faulty"), figure("short"), figure("unscored")], [5, 1, 1, 1]);
    assert!(figure("positions") > 5 * 40, "{response}");

    let text = tesuji(&["train", "data", "othello", folder.name(), "--out", &folder.path("b.set")]);
    assert_eq!(text.code, 0, "{}", text.err);
    assert!(text.out.contains("5 games used; 1 do not replay, 1 are too short"), "{}", text.out);
    assert_eq!(fs::read(&set).unwrap(), fs::read(folder.file("b.set")).unwrap());
    let solved = tesuji(&["train", "data", "othello", &games, "--out", &folder.path("c.set"), "--solve", "6"]);
    assert_eq!(solved.code, 0, "{}", solved.err);
    assert_ne!(fs::read(&set).unwrap(), fs::read(folder.file("c.set")).unwrap());
}

#[test]
fn bad_input_is_refused_and_nothing_is_written() {
    let folder = Folder::new("train-bad");
    let set = set(&folder, 3);
    let (nothing, junk, out) = (folder.path("nothing"), folder.path("junk"), folder.path("w"));
    fs::write(&junk, "junk").unwrap();
    let empty = folder.path("empty");
    fs::create_dir(&empty).unwrap();
    for (words, message) in [
        (
            &["train", "ostle", "--data", &set, "--out", &out][..],
            "ostle has no evaluation that can be trained; othello has",
        ),
        (&["train", "data", "shogi", &junk, "--out", &out], "these files give no positions"),
        (
            &["selfplay", "trax", "--for", "net", "--games", "1", "--out", &out, "--engine", "alphabeta:depth=1"],
            "a network learns from visit counts",
        ),
        (&["selfplay", "trax", "--games", "1", "--out", &out, "--engine", "alphabeta"], "every time"),
        (&["selfplay", "trax", "--games", "1", "--out", &out, "--solve", "3"], "no solver"),
        (&["selfplay", "othello", "--games", "1", "--out", &out, "--random-moves", "0.1"], "only with --for weights"),
        (&["train", "trax", "--data", &set, "--out", &out], "--test"),
        (&["train", "trax", "--data", &set, "--test", &set, "--out", &out], "is a data set for weights"),
        (&["train", "trax", "--data", &set, "--test", &set, "--out", &out, "--plain"], "no stages"),
        (&["train", "othello", "--data", &set, "--test", &set, "--out", &out], "--test: only with --net"),
        (&["train", "othello", "--records", &set], "othello has no evaluation that learns"),
        (&["train", "trax", "--records", &nothing], "nothing"),
        (&["train", "othello", "--data", &nothing, "--out", &out], "nothing"),
        (&["train", "othello", "--data", &junk, "--out", &out], "is not a data set"),
        (&["train", "othello", "--data", &set, "--out", &out, "--continue", &junk], "not a weights file"),
        (&["train", "othello", "--data", &set, "--out", &out, "--continue", &nothing], "cannot be read"),
        (&["train", "othello", "--data", &set, "--out", &out, "--stages", "5..99"], "has the stages 0.."),
        (&["train", "othello", "--data", &set, "--out", &out, "--stages", "9..5"], "the smaller first"),
        (&["train", "othello", "--data", &set, "--out", &out, "--ridge", "0"], "above 0"),
        (&["train", "othello", "--data", &set, "--out", &out, "--smooth", "2"], "from 0 to 1"),
        (&["train", "othello", "--data", &set, "--out", &junk], "with other settings"),
        (&["train", "othello", "--data", &set], "--out"),
        (&["train", "othello", "--data", &set, "--eval", "clasic"], "classic, squares"),
        (&["train", "data", "othello", &nothing, "--out", &out], "cannot read"),
        (&["train", "data", "othello", &empty, "--out", &out], "holds no records"),
        (&["selfplay", "othello", "--games", "2", "--out", &out, "--engine", "alphabeta"], "every time"),
        (&["selfplay", "othello", "--games", "2", "--out", &out, "--engine", "alfabeta:depth=1"], "alphabeta"),
        (&["selfplay", "othello", "--games", "2", "--out", &junk], "with other settings"),
    ] {
        let run = tesuji(words);
        assert_eq!(run.code, 2, "{words:?}: {}", run.err);
        assert!(run.err.contains(message), "{words:?}: {}", run.err);
        assert_eq!(run.out, "", "{words:?}");
        assert!(!Path::new(&out).exists(), "{words:?}");
    }
    assert_eq!(fs::read_to_string(&junk).unwrap(), "junk");
}

#[test]
fn training_gives_the_same_weights_on_any_number_of_threads() {
    let folder = Folder::new("train-threads");
    let set = set(&folder, 60);
    let mut made = Vec::new();
    for threads in ["1", "2", "3"] {
        let out = folder.path(&format!("{threads}.weights"));
        let run = train(&set, &out, &["--threads", threads, "--json"]);
        assert_eq!(run.code, 0, "{}", run.err);
        let last = run.json().pop().unwrap();
        assert_eq!((&last["schema"], &last["event"]), (&"tesuji/train/1".into(), &"final".into()));
        assert!(last["mean"].as_f64().unwrap() > 0.0, "{last}");
        made.push(fs::read(&out).unwrap());
        let picture = fs::read_to_string(folder.file(&format!("{threads}.svg"))).unwrap();
        assert!(picture.starts_with("<svg") && picture.contains("polyline"));
        assert!(fs::read_to_string(folder.file(&format!("{threads}.html"))).unwrap().contains("stage 12"));
        assert!(!folder.file(&format!("{threads}.weights.work")).exists());
    }
    assert!(made.iter().all(|weights| *weights == made[0]));
    let weights = Weights::parse(&made[0]).unwrap();
    assert!(weights.provenance().contains("--iterations 3") && weights.provenance().contains("games.set"));
    assert!(weights.stage(12).iter().any(|&weight| weight != 0));
    assert!(weights.stage(9).iter().all(|&weight| weight == 0), "only the stages that were asked for");
    let verified = tesuji(&["verify", &folder.path("1.weights")]);
    assert_eq!(verified.code, 0, "{}", verified.err);
    assert!(verified.out.contains("intact") && verified.out.contains("--iterations 3"), "{}", verified.out);
    fs::write(folder.file("cut.weights"), &made[0][..made[0].len() - 9]).unwrap();
    let verified = tesuji(&["verify", &folder.path("cut.weights")]);
    assert_eq!(verified.code, 1, "{}", verified.out);
    assert!(verified.err.contains("damaged"), "{}", verified.err);
    // A second run changes nothing; another training does not overwrite it.
    let again = train(&set, &folder.path("1.weights"), &[]);
    assert_eq!(again.code, 0, "{}", again.err);
    assert!(again.err.contains("before") && again.out.contains("held-out"), "{}", again.out);
    assert_eq!(train(&set, &folder.path("1.weights"), &["--ridge", "9"]).code, 2);
    assert_eq!(fs::read(folder.file("1.weights")).unwrap(), made[0]);
}

#[test]
fn training_continues_from_weights() {
    let folder = Folder::new("train-continue");
    let set = set(&folder, 40);
    let (first, second) = (folder.path("a.weights"), folder.path("b.weights"));
    assert_eq!(train(&set, &first, &[]).code, 0);
    let words = ["train", "othello", "--data", &set, "--out", &second, "--continue", &first];
    let run = tesuji(&[&words[..], &["--iterations", "2", "--stages", "14..15"]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    let [before, after] = [&first, &second].map(|path| Weights::parse(&fs::read(path).unwrap()).unwrap());
    assert_eq!(before.stage(12), after.stage(12));
    assert_ne!(before.stage(14), after.stage(14));
    assert!(before.stage(15).iter().all(|&weight| weight == 0));
    assert!(after.stage(15).iter().any(|&weight| weight != 0));
    assert!(after.provenance().contains("continued from"));

    let words = ["train", "othello", "--data", &set, "--eval", "classic", &second];
    let run = tesuji(&words);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("b.weights") && run.out.contains("linear regression"), "{}", run.out);
    let run = tesuji(&["train", "othello", "--data", &set, "--json", "--eval"]);
    let names: Vec<String> = run
        .json()
        .iter()
        .filter(|object| object["event"] == "final")
        .map(|object| object["name"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(names, ["classic", "squares"]);
}

/// Runs a command repeatedly and kills it after growing delays until it finishes. Returns the number of kills.
pub(crate) fn killed(words: &[&str], most: u32) -> u32 {
    for kills in 0.. {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tesuji"))
            .args(words)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        if kills < most {
            // Not a wait for an event: a kill at any moment must be harmless.
            std::thread::sleep(std::time::Duration::from_millis(u64::from(10 + 7 * (kills % 40))));
            let _ = child.kill();
        }
        let output = child.wait_with_output().unwrap();
        match output.status.code() {
            Some(0) => return kills,
            Some(code) => panic!("exit {code}: {}", String::from_utf8_lossy(&output.stderr)),
            None => {}
        }
    }
    most
}

#[test]
fn fifty_kills_do_not_change_the_weights() {
    let folder = Folder::new("train-kills");
    let set = set(&folder, 300);
    let words = |out: &str| {
        let mut words = vec!["train", "othello", "--data", &set, "--iterations", "4", "--checkpoint", "1ms"];
        words.extend(["--threads", "2", "--stages", "5..24", "--out"]);
        words.iter().map(|&word| word.to_owned()).chain([out.to_owned()]).collect::<Vec<String>>()
    };
    let run = |words: &[String], most: u32| killed(&words.iter().map(String::as_str).collect::<Vec<&str>>(), most);
    assert_eq!(run(&words(&folder.path("whole")), 0), 0);
    // A finished run is started again until there were fifty kills.
    let (mut kills, mut round) = (0, 0);
    while kills < 50 {
        let out = folder.path(&format!("killed-{round}"));
        kills += run(&words(&out), 50 - kills);
        assert_eq!(fs::read(&out).unwrap(), fs::read(folder.file("whole")).unwrap(), "after {kills} kills");
        assert!(!folder.file(&format!("killed-{round}.work")).exists());
        round += 1;
    }
}

/// Alpha-beta plays, and a network for the evaluation `nnue` learns its values: the same bytes in any way.
#[test]
fn shogi_learns_from_self_play_however_often_it_is_killed() {
    let folder = Folder::new("selfplay-shogi");
    let words = |out: &str, threads: &str| {
        let words =
            ["selfplay", "shogi", "--games", "12", "--engine", "alphabeta:nodes=60,hash=1", "--random", "6..10"];
        let more = ["--longest", "60", "--seed", "3", "--threads", threads, "--out", out];
        words.iter().chain(&more).map(|&word| word.to_owned()).collect::<Vec<String>>()
    };
    let (set, _) = made_in_any_way(&folder, words);
    let again = tesuji(&words(&set, "1").iter().map(String::as_str).collect::<Vec<&str>>());
    assert!(again.code == 0 && again.out.contains("of 12 games"), "{}{}", again.out, again.err);

    let words = |out: &str, threads: &str| {
        let words =
            ["train", "shogi", "--eval", "nnue", "--data", &set, "--test", &set, "--epochs", "2", "--batch", "64"];
        let more = ["--checkpoint", "1ms", "--threads", threads, "--out", out];
        words.iter().chain(&more).map(|&word| word.to_owned()).collect::<Vec<String>>()
    };
    let run = |name: &str, threads: &str, most: u32| {
        let words = words(&folder.path(name), threads);
        killed(&words.iter().map(String::as_str).collect::<Vec<&str>>(), most);
        fs::read(folder.file(name)).unwrap()
    };
    assert!(run("whole.nnue", "1", 0) == run("killed.nnue", "2", 20), "the interruptions show");
    assert!(!folder.file("killed.nnue.checkpoint").exists());
    for (more, message) in [
        (&["--engine", "alphabeta:nodes=9", "--position", "x"][..], "--openings"),
        (&["--engine", "alphabeta:nodes=9", "--openings", &set], "openings"),
        (&["--engine", "alphabeta:nodes=9", "--for", "net"], "puct"),
        (&["--engine", "alphabeta:nodes=9", "--solve", "3"], "no solver"),
        (&["--engine", "puct:playouts=9", "--for", "weights"], "alphabeta"),
    ] {
        let out = folder.path("bad.set");
        let run = tesuji(&[&["selfplay", "shogi", "--games", "1", "--out", &out], more].concat());
        assert!(run.code == 2 && run.err.contains(message), "{more:?}: {}", run.err);
    }
}

/// Makes a data set with one thread, with three, and with two that are killed twenty times. Returns the first path and
/// the bytes, which are all equal.
fn made_in_any_way(folder: &Folder, words: impl Fn(&str, &str) -> Vec<String>) -> (String, Vec<u8>) {
    let run = |name: &str, threads: &str, most: u32| {
        let words = words(&folder.path(name), threads);
        killed(&words.iter().map(String::as_str).collect::<Vec<&str>>(), most);
        fs::read(folder.file(name)).unwrap()
    };
    let whole = run("one.set", "1", 0);
    assert_eq!(run("three.set", "3", 0), whole);
    assert_eq!(run("killed.set", "2", 20), whole);
    assert!(!folder.file("killed.set.journal").exists());
    (folder.path("one.set"), whole)
}

#[test]
fn self_play_does_not_depend_on_threads_or_kills() {
    let folder = Folder::new("selfplay");
    let words = |out: &str, threads: &str| {
        let words = ["selfplay", "othello", "--games", "30", "--engine", "alphabeta:depth=1,hash=1"];
        let more = ["--solve", "8", "--seed", "3", "--threads", threads, "--out", out];
        words.iter().chain(&more).map(|&word| word.to_owned()).collect::<Vec<String>>()
    };
    let (one, _) = made_in_any_way(&folder, words);

    let again = tesuji(&words(&one, "1").iter().map(String::as_str).collect::<Vec<&str>>());
    assert_eq!(again.code, 0, "{}", again.err);
    assert!(again.out.contains("of 30 games"), "{}", again.out);
    let weights = folder.path("w");
    let trained = train(&one, &weights, &[]);
    assert_eq!(trained.code, 0, "{}", trained.err);
    let few = tesuji(&[
        "selfplay",
        "othello",
        "--games",
        "9",
        "--random",
        "1",
        "--solve",
        "4",
        "--out",
        &folder.path("few.set"),
        "--engine",
        "random",
    ]);
    assert_eq!(few.code, 2, "{}", few.err);
    assert!(few.err.contains("only about 1 different openings"), "{}", few.err);
}

#[test]
fn labels_do_not_depend_on_threads_or_kills() {
    let folder = Folder::new("label");
    let set = set(&folder, 40);
    let words = |out: &str, threads: &str| {
        let words = ["train", "label", "othello", "--data", &set, "--depth", "3", "--positions", "60"];
        let more = ["--stages", "4..20", "--solve", "9", "--seed", "3", "--threads", threads, "--out", out];
        words.iter().chain(&more).map(|&word| word.to_owned()).collect::<Vec<String>>()
    };
    let (one, whole) = made_in_any_way(&folder, words);
    // An existing data set is not made again, and not overwritten by another one.
    let again = tesuji(&words(&one, "1").iter().map(String::as_str).collect::<Vec<&str>>());
    assert_eq!(again.code, 0, "{}", again.err);
    assert!(again.out.contains("positions labelled in"), "{}", again.out);
    let trained = train(&one, &folder.path("w"), &[]);
    assert_eq!(trained.code, 0, "{}", trained.err);
    for (more, said) in [
        (["--depth", "4"].as_slice(), "was made with other settings"),
        (&["--stages", "4..99"], "has the stages 0..26"),
        (&["--weights", &set], "weights"),
        (&["--sure", "0"], "--sure"),
        // The old name of `--random-move-rate`.
        (&["--stray", "x"], "--random-move-rate"),
    ] {
        let label = ["train", "label", "othello", "--data", &set, "--out", &one];
        let refused = tesuji(&[&label, more].concat());
        assert_eq!(refused.code, 2, "{}", refused.err);
        assert!(refused.err.contains(said), "{}", refused.err);
        assert_eq!(fs::read(&one).unwrap(), whole);
    }
}

#[test]
fn probcut_parameters_do_not_depend_on_threads_and_are_used_by_the_engine() {
    let folder = Folder::new("train-cuts");
    let set = set(&folder, 6);
    let cuts = |out: &str, more: &[&str]| {
        let words = ["train", "probcut", "othello", "--data", &set, "--out", out, "--positions", "4", "--depth", "4"];
        tesuji(&[&words[..], &["--solve", "10"], more].concat())
    };
    let (one, two) = (folder.path("one.cuts"), folder.path("two.cuts"));
    let run = cuts(&one, &["--threads", "1"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("measured") && run.out.contains("  end "), "{}", run.out);
    let run = cuts(&two, &["--threads", "3", "--json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(fs::read(&one).unwrap(), fs::read(&two).unwrap());
    let lines = run.json();
    assert!(lines.iter().all(|line| line["schema"] == "tesuji/train-cuts/1"));
    assert!(lines.iter().any(|line| line["empties"] == line["depth"] && line["fitted"].as_f64().unwrap() > 0.0));
    assert_eq!(lines.last().unwrap()["event"], "final");

    let again = cuts(&one, &[]);
    assert_eq!(again.code, 2, "{}", again.out);
    assert!(again.err.contains("already exists"), "{}", again.err);
    assert_eq!(tesuji(&["verify", &one]).code, 0);
    let engine = format!("expert:depth=4,cuts={one}");
    let played = tesuji(&["analyze", "othello", "--engine", &engine, "--json"]);
    assert_eq!(played.code, 0, "{}", played.err);

    let text = fs::read_to_string(&one).unwrap().replacen("constant ", "constant 1", 1);
    fs::write(&two, text).unwrap();
    assert_eq!(tesuji(&["verify", &two]).code, 1);
    let engine = format!("expert:depth=4,cuts={two}");
    let refused = tesuji(&["analyze", "othello", "--engine", &engine]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("wrong checksum"), "{}", refused.err);
    // Exact searches do not depend on the size of the table.
    let sized = folder.path("sized.cuts");
    assert_eq!(cuts(&sized, &["--hash", "1"]).code, 0);
    assert_eq!(fs::read(&one).unwrap(), fs::read(&sized).unwrap());
    let refused = cuts(&folder.path("x"), &["--hash", "0"]);
    assert!(refused.code == 2 && refused.err.contains("--hash"), "{}", refused.err);
    // The old name of the command.
    let other = tesuji(&["train", "cuts", "trax", "--data", &set, "--out", &folder.path("x")]);
    assert_eq!(other.code, 2);
    assert!(other.err.contains("trax has no `train probcut`; othello has"), "{}", other.err);
}

#[test]
fn weights_are_exported_and_nothing_is_overwritten() {
    let folder = Folder::new("train-export");
    let out = folder.path("eval.dat");
    let export = |more: &[&str]| tesuji(&[&["train", "export", "othello", "--out", &out], more].concat());
    let refused = export(&["--format", "edax"]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("train othello --plain"), "{}", refused.err);
    let (set, plain) = (folder.path("own.set"), folder.path("plain.weights"));
    let played = tesuji(&["selfplay", "othello", "--games", "4", "--engine", "random", "--solve", "2", "--out", &set]);
    assert_eq!(played.code, 0, "{}", played.err);
    let trained = tesuji(&["train", "othello", "--data", &set, "--plain", "--iterations", "1", "--out", &plain]);
    assert_eq!(trained.code, 0, "{}", trained.err);
    let export = |more: &[&str]| export(&[&["--weights", &plain], more].concat());
    let run = export(&["--format", "edax", "--json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(run.json()[0]["bytes"].as_u64().unwrap(), fs::metadata(&out).unwrap().len());
    // The same file may be written again, another one may not.
    assert_eq!(export(&["--format", "edax"]).code, 0);
    let other = export(&["--format", "egaroucid"]);
    assert_eq!(other.code, 2);
    assert!(other.err.contains("already exists"), "{}", other.err);
    assert_eq!(export(&["--format", "zebra"]).code, 2);
    let nothing = tesuji(&[
        "train",
        "export",
        "othello",
        "--format",
        "edax",
        "--weights",
        &folder.path("nothing"),
        "--out",
        &out,
    ]);
    assert_eq!(nothing.code, 2);
    assert!(nothing.err.contains("cannot be read"), "{}", nothing.err);
}

/// Self-play, training, prediction and verification of the Trax evaluation; training survives fifty kills.
#[test]
fn trax_weights_are_made_by_commands_and_survive_kills() {
    let folder = Folder::new("train-trax");
    let played = |name: &str, games: &str, seed: &str, threads: &str| {
        let out = folder.path(name);
        let words = ["selfplay", "trax", "--games", games, "--engine", "alphabeta:nodes=150,hash=1", "--random-moves"];
        let run = tesuji(&[&words[..], &["0.05", "--seed", seed, "--threads", threads, "--out", &out]].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(run.out.contains(&format!("of {games} games")), "{}", run.out);
        assert_eq!(tesuji(&["verify", &out]).code, 0);
        out
    };
    let (data, test) = (played("data.set", "120", "1", "1"), played("test.set", "20", "2", "2"));
    let again = played("again.set", "120", "1", "3");
    assert_eq!(fs::read(&data).unwrap(), fs::read(&again).unwrap());

    let words = |out: &str| {
        let words = ["train", "trax", "--data", &data, "--test", &test, "--epochs", "3", "--batch", "4"];
        let more = ["--checkpoint", "1ms", "--out", out];
        words.iter().chain(&more).map(|&word| word.to_owned()).collect::<Vec<String>>()
    };
    let run = |words: &[String], most: u32| killed(&words.iter().map(String::as_str).collect::<Vec<&str>>(), most);
    let whole = folder.path("whole.weights");
    assert_eq!(run(&words(&whole), 0), 0);
    let bytes = fs::read(&whole).unwrap();
    let (mut kills, mut round) = (0, 0);
    while kills < 50 {
        let out = folder.path(&format!("killed-{round}.weights"));
        kills += run(&words(&out), 50 - kills);
        assert_eq!(fs::read(&out).unwrap(), bytes, "after {kills} kills");
        assert!(!folder.file(&format!("killed-{round}.weights.checkpoint")).exists());
        round += 1;
    }
    let picture = fs::read_to_string(folder.file("whole.svg")).unwrap();
    assert!(picture.starts_with("<svg") && picture.contains("held out"), "{picture}");

    let verified = tesuji(&["verify", &whole]);
    assert!(verified.code == 0 && verified.out.contains("trax/lines/1"), "{}", verified.out);
    let shown = tesuji(&["best-move", "trax", "--engine", &format!("alphabeta:nodes=50,weights={whole}")]);
    assert_eq!(shown.code, 2, "no game on standard input");
    let games = folder.path("games.txt");
    fs::write(&games, "@0/ A2\\ B1\\\n@0+ A2+\n").unwrap();
    let run = tesuji(&["train", "trax", "--eval", &whole, "--records", &games, "--json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let report = &run.json()[0];
    assert_eq!((&report["schema"], &report["moves"]), (&"tesuji/train/1".into(), &5.into()));
    let share = report["accuracy"].as_f64().unwrap();
    assert!((0.0..=1.0).contains(&share), "{report}");
    let shipped = tesuji(&["train", "trax", "--records", &games]);
    assert!(shipped.code == 0 && shipped.out.contains("of 5 moves of 2 games predicted"), "{}", shipped.out);
}
