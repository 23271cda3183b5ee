//! Networks: trained to the same bits on any number of threads and after any kill, shown, evaluated, converted, measured.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::folder::Folder;
use crate::run::{Run, fed, tesuji};
use crate::train::records;

const TINY: &str = "policy-value:blocks=1,channels=4,value-channels=2,value-hidden=4";

/// A data set of random games of Othello.
fn set(folder: &Folder, games: usize) -> String {
    let (records, set) = (records(folder, games), folder.path("games.set"));
    let run = tesuji(&["train", "data", "othello", &records, "--for", "net", "--out", &set]);
    assert_eq!(run.code, 0, "{}", run.err);
    set
}

fn words<'a>(set: &'a str, out: &'a str) -> Vec<&'a str> {
    vec!["train", "othello", "--net", TINY, "--data", set, "--out", out, "--batch", "16"]
}

fn train(set: &str, out: &str, more: &[&str]) -> Run {
    tesuji(&[&words(set, out), more].concat())
}

/// A training that is killed and continued gives the same bytes as one that is not, with one thread and with two.
#[test]
fn a_killed_training_goes_on_to_the_same_bits() {
    let folder = Folder::new("net-kill");
    let set = set(&folder, 12);
    let (whole, cut) = (folder.path("whole.safetensors"), folder.path("cut.safetensors"));
    let more = ["--test", &set, "--epochs", "6", "--eval-every", "500", "--checkpoint", "1ms"];
    let run = train(&set, &whole, &[&more[..], &["--threads", "1"]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    let checkpoint = format!("{cut}.checkpoint");
    let mut kills = 0;
    for threads in ["1", "2", "1"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tesuji"))
            .args(words(&set, &cut))
            .args(more)
            .args(["--threads", threads])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Killed as soon as it has written a checkpoint of its own.
        let before = fs::read(&checkpoint).ok();
        while child.try_wait().unwrap().is_none() && fs::read(&checkpoint).ok() == before {
            std::thread::yield_now();
        }
        kills += usize::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(kills > 0, "the training was over before it was killed");
    let log = folder.path("log");
    let run = train(&set, &cut, &[&more[..], &["--threads", "2", "--log", &log]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("continues after"), "{}", run.out);
    assert!(fs::read(&whole).unwrap() == fs::read(&cut).unwrap(), "the networks differ");
    assert!(!Path::new(&checkpoint).exists());
    for line in fs::read_to_string(&log).unwrap().lines() {
        let point: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(point["test"]["policy_accuracy"].is_number() && point["loss"].is_number(), "{line}");
    }
    let picture = fs::read_to_string(folder.file("cut.svg")).unwrap();
    assert!(picture.starts_with("<svg") && picture.contains("policy, test"), "{picture}");
    assert!(fs::read_to_string(folder.file("cut.html")).unwrap().contains("cross-entropy"));
}

#[test]
fn a_network_is_shown_evaluated_converted_and_measured() {
    let folder = Folder::new("net-file");
    let set = set(&folder, 4);
    let (net, onnx, half) = (folder.path("a.safetensors"), folder.path("a.onnx"), folder.path("half.safetensors"));
    let run = train(&set, &net, &["--test", &set, "--json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let events = run.json();
    let names: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert!(names[0] == "start" && names[1] == "evaluation" && names[names.len() - 1] == "final", "{names:?}");
    let last = &events[events.len() - 1];
    assert_eq!((&last["schema"], &last["architecture"]), (&"tesuji/train/1".into(), &TINY.into()));

    let shown = tesuji(&["net", "show", &net]);
    assert_eq!(shown.code, 0, "{}", shown.err);
    for part in
        [TINY, "othello", "othello-3/1", "correct", "--batch 16", "games.set:", "trunk.0.conv.weight", "32 bits"]
    {
        assert!(shown.out.contains(part), "{part}: {}", shown.out);
    }
    let eval = |file: &str| {
        let run = tesuji(&["net", "eval", file, "--data", &set, "--json"]);
        assert_eq!(run.code, 0, "{}", run.err);
        run.json().remove(0)
    };
    let figures = eval(&net);
    for name in ["policy_accuracy", "policy_top3", "policy_cross_entropy", "value_accuracy", "value_cross_entropy"] {
        assert_eq!(figures[name], last["test"][name], "{name}");
    }
    for (to, out, more) in [("onnx", &onnx, &[][..]), ("safetensors", &half, &["--precision", "f16"])] {
        let run = tesuji(&[&["net", "convert", &net, "--to", to, "--out", out], more].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        let near =
            eval(out)["policy_cross_entropy"].as_f64().unwrap() - figures["policy_cross_entropy"].as_f64().unwrap();
        assert!(near.abs() < 1e-2, "{to}: {near}");
    }
    assert!(fs::metadata(&half).unwrap().len() < fs::metadata(&net).unwrap().len());
    let run = tesuji(&["net", "bench", &net, "--batch", "1,8", "--time", "1ms", "--threads", "1", "--json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let speeds = run.json();
    assert_eq!(speeds.iter().map(|speed| speed["batch"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 8]);
    assert!(speeds.iter().all(|speed| speed["per_cpu_second"].as_f64().unwrap() > 0.0), "{speeds:?}");
    let verified = tesuji(&["verify", &net]);
    assert!(verified.code == 0 && verified.out.contains("an intact network"), "{}{}", verified.out, verified.err);
}

#[test]
fn damaged_and_foreign_networks_are_refused_in_one_line() {
    let folder = Folder::new("net-bad");
    let set = set(&folder, 2);
    let net = folder.path("a.safetensors");
    assert_eq!(train(&set, &net, &["--positions", "16"]).code, 0);
    let bytes = fs::read(&net).unwrap();
    let (cut, hit, junk) = (folder.path("cut.safetensors"), folder.path("hit.safetensors"), folder.path("junk.onnx"));
    fs::write(&cut, &bytes[..bytes.len() - 5]).unwrap();
    let mut damaged = bytes.clone();
    let last = damaged.len() - 1;
    damaged[last] ^= 1;
    fs::write(&hit, damaged).unwrap();
    fs::write(&junk, "junk").unwrap();
    for (file, message) in [
        (&cut, "the file is cut"),
        (&hit, "the weights are damaged"),
        (&junk, "not an ONNX file"),
        (&folder.path("none"), "cannot read"),
        (&set, "not a safetensors file"),
    ] {
        for words in [&["net", "show", file][..], &["net", "eval", file, "--data", &set], &["net", "bench", file]] {
            let run = tesuji(words);
            assert_eq!((run.code, run.err.lines().count(), run.out.as_str()), (2, 1, ""), "{words:?}: {}", run.err);
            assert!(run.err.contains(message) && run.err.contains(file.as_str()), "{words:?}: {}", run.err);
        }
    }
    let verified = tesuji(&["verify", &hit]);
    assert!(verified.code == 1 && verified.err.contains("damaged"), "{}", verified.err);
    let run = tesuji(&["net", "eval", &net, "--data", &net]);
    assert!(run.code == 2 && run.err.contains("is not a data set of positions"), "{}", run.err);
    let run = tesuji(&["net", "convert", &net, "--to", "onnx", "--precision", "f16", "--out", &folder.path("x.onnx")]);
    assert!(run.code == 2 && run.err.contains("--precision"), "{}", run.err);
}

#[test]
fn bad_settings_of_a_training_are_refused() {
    let folder = Folder::new("net-settings");
    let set = set(&folder, 2);
    let (out, junk) = (folder.path("a.safetensors"), folder.path("junk"));
    fs::write(&junk, "junk").unwrap();
    assert_eq!(train(&set, &out, &["--positions", "16"]).code, 0);
    let other = folder.path("b.safetensors");
    for (out, more, message) in [
        (&out, &["--positions", "32"][..], "already exists and was made with other settings"),
        (&other, &["--init", &junk], "--init: "),
        (&other, &["--test", &junk], "is not a data set of positions"),
        (&other, &["--patience", "2"], "--test"),
        (&other, &["--ridge", "2"], "--ridge"),
        (&other, &["--lr", "0"], "above 0"),
    ] {
        let run = train(&set, out, more);
        assert_eq!((run.code, run.err.lines().count()), (2, 1), "{more:?}: {}", run.err);
        assert!(run.err.contains(message), "{more:?}: {}", run.err);
    }
    let run = tesuji(&["train", "othello", "--net", "policy", "--data", &set, "--out", &other, "--batch", "0"]);
    assert!(run.code == 2 && run.err.contains("--batch"), "{}", run.err);
    let run = tesuji(&["train", "othello", "--net", "policy:chanels=4", "--data", &set, "--out", &other]);
    assert!(run.code == 2 && run.err.contains("--net: policy:chanels=4"), "{}", run.err);
    let run = tesuji(&["train", "othello", "--data", &set, "--out", &other, "--epochs", "3"]);
    assert!(run.code == 2 && run.err.contains("--net"), "{}", run.err);
    assert!(!Path::new(&other).exists());
}

/// A file without our metadata is used, and the user is told what was assumed, without `-v`.
#[test]
fn a_foreign_network_is_used_with_a_warning() {
    let folder = Folder::new("net-foreign");
    let set = set(&folder, 2);
    let (net, onnx) = (folder.path("a.safetensors"), folder.path("a.onnx"));
    assert_eq!(train(&set, &net, &["--positions", "16"]).code, 0);
    assert_eq!(tesuji(&["net", "convert", &net, "--to", "onnx", "--out", &onnx]).code, 0);
    let play = |engine: &str| {
        let run = fed(&["best-move", "othello", "--engine", engine], b"startpos\n");
        assert_eq!((run.code, run.out.lines().count()), (0, 1), "{}", run.err);
        run.err
    };
    assert_eq!(play(&format!("policy:net={net}")), "");
    let warning = play(&format!("policy:net={onnx}"));
    assert!(warning.starts_with("tesuji: warning:") && warning.lines().count() == 1, "{warning}");
    assert!(warning.contains("does not name its encoder, othello-3/1 is assumed"), "{warning}");
    // Without the head of ours, only the tensors are left.
    let bytes = fs::read(&net).unwrap();
    let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let mut header: serde_json::Value = serde_json::from_slice(&bytes[8..8 + length]).unwrap();
    header.as_object_mut().unwrap().remove("__metadata__");
    let header = serde_json::to_vec(&header).unwrap();
    let foreign = folder.path("foreign.safetensors");
    let file = [&(header.len() as u64).to_le_bytes()[..], &header, &bytes[8 + length..]].concat();
    fs::write(&foreign, file).unwrap();
    assert!(play(&format!("policy:net={foreign}")).starts_with("tesuji: warning:"));
}
