//! Players with networks: legal games in every game, files that do not fit, and what the search does with a network.

use std::path::{Path, PathBuf};

use tempfile::TempDir;
use tesuji_engines::network::{ENCODER, encoding_of};
use tesuji_engines::{HasEngines, Spec};
use tesuji_game::{Ending, Game, MoveList, Notation, Planes, Record};
use tesuji_nn::{Network, NetworkFile, OnnxNorms, Precision, write_onnx};
use tesuji_ostle::Ostle;
use tesuji_othello::Othello;
use tesuji_search::{CancelToken, Choice, Engine, Limits, Proven, ReportSource, SearchReport};
use tesuji_shogi::Shogi;
use tesuji_trax::{EightByEight, Loops, Trax, Unlimited};

/// A random network in a file.
fn write<G: Planes>(folder: &Path, architecture: &str, seed: u64) -> PathBuf {
    let network = Network::new(encoding_of::<G>(), architecture.parse().unwrap(), seed);
    let metadata = [(ENCODER.to_owned(), G::ENCODING.name.to_owned())].into();
    let path = folder.join(format!("{}-{seed}.safetensors", architecture.replace([':', ',', '='], "-")));
    std::fs::write(&path, NetworkFile { network, metadata }.write(Precision::F32)).unwrap();
    path
}

const TINY: &str = "policy-value:blocks=1,channels=4,value-hidden=4";

struct Files {
    folder: TempDir,
    net: String,
}

fn tiny<G: Planes>() -> Files {
    let folder = tempfile::tempdir().unwrap();
    let net = write::<G>(folder.path(), TINY, 1).display().to_string();
    Files { folder, net }
}

fn made<G: HasEngines>(text: &str) -> Box<dyn Engine<G>> {
    Spec::parse(text).and_then(|spec| G::engine(&spec)).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn refused<G: HasEngines>(text: &str) -> String {
    match Spec::parse(text).and_then(|spec| G::engine(&spec)) {
        Ok(_) => panic!("{text} is an engine"),
        Err(error) => error.to_string(),
    }
}

fn choose<G: Game>(engine: &mut dyn Engine<G>, record: &Record<G>, limits: &Limits) -> Choice<G::Move> {
    engine.think(record, limits, &CancelToken::new(), &mut |_| {})
}

/// Every kind of player plays a whole game against itself, legally and twice the same.
fn plays_whole_games<G: HasEngines>(most: usize) {
    let files = tiny::<G>();
    let kinds = [
        "policy:",
        "policy:temperature=1,seed=3,",
        "value1:",
        "value1:prior=0.5,precision=bf16,",
        "puct:playouts=12,hash=1,batch=4,noise=0.25,sample=6,",
        "puct:playouts=9,hash=1,batch=1,c=1,fpu=0,temperature=1,",
    ];
    for kind in kinds {
        let spec = format!("{kind}net={}", files.net);
        let games = [(), ()].map(|()| {
            let (mut engine, mut record) = (made::<G>(&spec), Record::new(G::start()));
            while record.ending().is_none() && record.plies().len() < most {
                match choose(engine.as_mut(), &record, &Limits::default()) {
                    Choice::Move { mv, .. } => {
                        record.push(mv).unwrap_or_else(|error| panic!("{spec}: {error}"));
                    }
                    // A declaration in shogi.
                    Choice::Claim => break,
                    other => panic!("{spec} chose {other:?}"),
                }
            }
            assert_eq!(choose(engine.as_mut(), &over(&record), &Limits::default()), Choice::Over, "{spec}");
            record.moves().collect::<Vec<_>>()
        });
        assert_eq!(games[0], games[1], "{spec} plays differently the second time");
    }
}

/// The record, if its game is over; else one that is.
fn over<G: Game>(record: &Record<G>) -> Record<G> {
    let mut over = record.clone();
    if over.ending().is_none() {
        let winner = Some(!over.now().mover());
        over.end(Ending { winner, reason: "resignation" }).unwrap();
    }
    over
}

#[test]
fn networks_play_whole_games() {
    plays_whole_games::<Othello>(80);
    plays_whole_games::<Ostle>(60);
    plays_whole_games::<Shogi>(30);
    plays_whole_games::<Trax<Unlimited>>(20);
    plays_whole_games::<Trax<EightByEight>>(20);
    plays_whole_games::<Trax<Loops>>(20);
}

#[test]
fn files_that_do_not_fit_are_refused_in_one_line() {
    let files = tiny::<Ostle>();
    let folder = files.folder.path();
    let net = &files.net;
    let file = |architecture: &str| write::<Ostle>(folder, architecture, 2).display().to_string();
    let (policy, value) = (file("policy:layers=1,channels=4"), file("value:layers=1,channels=4"));
    let check = |spec: String, message: String| assert_eq!(refused::<Ostle>(&spec), message);
    let lacks = |file: &str, head: &str, engine: &str| {
        format!("net={file}: the network has no {head} head, which the engine {engine} needs")
    };
    check(format!("value1:net={policy}"), lacks(&policy, "value", "value1"));
    check(format!("puct:net={policy}"), lacks(&policy, "value", "puct"));
    check(format!("puct:net={value}"), lacks(&value, "policy", "puct"));
    check(format!("policy:net={value}"), lacks(&value, "policy", "policy"));
    check("policy".into(), "policy: no network ships for ostle: name a file with net=FILE".into());
    check("value1:net=none".into(), "net=none: the engine value1 needs a network: name a file".into());
    check(
        "puct:net=no.such".into(),
        "net=no.such: the file cannot be read: No such file or directory (os error 2)".into(),
    );
    check(
        format!("puct:net={net},eval=material"),
        format!("net={net}: a network replaces the evaluation: give net or eval, not both"),
    );
    check("policy:temprature=1".into(), "there is no setting \"temprature\"; did you mean \"temperature\"?".into());
    check(format!("policy:temperature=-1,net={net}"), "temperature=-1: a number from 0 to 100".into());
    check(format!("puct:resign=2,net={net}"), "resign=2: a number from 0 to 1".into());
    check(format!("puct:batch=0,net={net}"), "batch=0: a whole number from 1 to 1024".into());
    check(
        format!("value1:playouts=9,net={net}"),
        "there is no setting \"playouts\"; there are: net, precision, prior".into(),
    );
    check(format!("value1:prior=2,net={net}"), "prior=2: a number from 0 to 1".into());
    let wrong = refused::<Ostle>(&format!("puct:precision=f8,net={net}"));
    assert!(wrong.contains("f8") && wrong.contains("bf16"), "{wrong}");
    let message = refused::<Othello>(&format!("policy:net={net}"));
    assert_eq!(message, format!("net={net}: the network reads ostle-7/1, and othello is encoded as othello-3/1"));
    let bytes = std::fs::read(net).unwrap();
    for (name, bytes) in [("cut", &bytes[..bytes.len() / 2]), ("empty", &[]), ("text", b"not a network")] {
        let path = folder.join(name);
        std::fs::write(&path, bytes).unwrap();
        let message = refused::<Ostle>(&format!("puct:net={}", path.display()));
        assert!(message.starts_with("net=") && message.lines().count() == 1, "{message}");
    }
}

/// An ONNX file of the same network plays the same.
#[test]
fn onnx_files_play_too() {
    let files = tiny::<Ostle>();
    let bytes = std::fs::read(&files.net).unwrap();
    let onnx = files.folder.path().join("net.onnx");
    std::fs::write(&onnx, write_onnx(&NetworkFile::read(&bytes).unwrap().network, OnnxNorms::Kept)).unwrap();
    let record = Record::new(Ostle::start());
    let play = |net: &str| choose(made::<Ostle>(&format!("value1:net={net}")).as_mut(), &record, &Limits::default());
    assert_eq!(play(&onnx.display().to_string()), play(&files.net));
}

/// Without a network, `puct` is what it was.
#[test]
fn no_network_means_the_evaluation() {
    let record = Record::new(Othello::start());
    let lines = |spec: &str| {
        let mut last = None;
        let limits = Limits { lines: 4, ..Limits::default() };
        made::<Othello>(spec).think(&record, &limits, &CancelToken::new(), &mut |report| last = Some(report.clone()));
        last.map(|report| report.lines)
    };
    let plain = lines("puct:playouts=60,hash=1,eval=pattern");
    assert!(plain.is_some());
    assert_eq!(lines("puct:playouts=60,hash=1,net=none"), plain);
    assert_eq!(lines("puct:playouts=60,hash=1,net=none,eval=pattern"), plain);
}

fn report(
    spec: &str,
    record: &Record<Shogi>,
    limits: &Limits,
) -> (Choice<tesuji_shogi::Move>, SearchReport<tesuji_shogi::Move>) {
    let mut last = None;
    let choice =
        made::<Shogi>(spec).think(record, limits, &CancelToken::new(), &mut |found| last = Some(found.clone()));
    (choice, last.expect("a report"))
}

fn shogi(position: &str) -> Record<Shogi> {
    Record::new(Shogi::parse(position).unwrap())
}

/// A random network knows nothing, but a mate in one is a mate.
#[test]
fn mates_in_one_are_played() {
    let files = tiny::<Shogi>();
    let mate = shogi("4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
    for spec in [format!("value1:net={}", files.net), format!("puct:playouts=30,hash=1,net={}", files.net)] {
        let (choice, report) = report(&spec, &mate, &Limits::default());
        let Choice::Move { mv, .. } = choice else { panic!("{spec}: {choice:?}") };
        assert_eq!(mv.to_string(), "G*5b", "{spec}");
        assert_eq!(report.lines[0].value.proven(), Some(Proven::Win(1)), "{spec}");
    }
}

/// With `prior=1` only the most probable move is left, which is what `policy` plays; moves that end the game always
/// count.
#[test]
fn improbable_moves_are_left_out_by_their_prior() {
    let files = tiny::<Shogi>();
    let played = |spec: &str, record: &Record<Shogi>| {
        let spec = format!("{spec}net={}", files.net);
        let mut last = None;
        let limits = Limits { lines: 1000, ..Limits::default() };
        let choice =
            made::<Shogi>(&spec).think(record, &limits, &CancelToken::new(), &mut |found| last = Some(found.clone()));
        (choice, last.map_or(0, |report| report.lines.len()))
    };
    let start = Record::new(Shogi::start());
    let (policy, _) = played("policy:", &start);
    let Choice::Move { mv: probable, .. } = policy else { panic!("{policy:?}") };
    let (only, one) = played("value1:prior=1,", &start);
    assert!(matches!(only, Choice::Move { mv, .. } if mv == probable) && one == 1, "{only:?}");
    let ((_, some), (_, all)) = (played("value1:prior=0.99,", &start), played("value1:prior=0,", &start));
    assert!(all == 30 && (1..all).contains(&some), "{some} of {all}");
    let (mate, _) = played("value1:prior=1,", &shogi("4k4/9/4P4/9/9/9/9/9/4K4 b G 1"));
    assert!(matches!(mate, Choice::Move { mv, .. } if mv.to_string() == "G*5b"), "{mate:?}");
}

/// The moves of a policy come with their probabilities, the most probable first.
#[test]
fn a_policy_tells_the_probability_of_each_move() {
    let files = tiny::<Shogi>();
    let spec = format!("policy:net={}", files.net);
    let start = Record::new(Shogi::start());
    let priors = |lines: usize| -> Vec<f64> {
        let (choice, report) = report(&spec, &start, &Limits { lines, ..Limits::default() });
        assert!(matches!(choice, Choice::Move { mv, .. } if report.lines[0].moves == [mv]), "{choice:?}");
        assert_eq!(report.source, ReportSource::Policy);
        report.lines.iter().map(|line| line.prior.expect("a probability")).collect()
    };
    let all = priors(1000);
    assert!(all.len() == 30 && (all.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{all:?}");
    assert!(all.is_sorted_by(|a, b| a >= b), "{all:?}");
    assert_eq!(priors(3), all[..3]);
}

/// The win rate is 600 times the logarithm of its odds in centipawns.
#[test]
fn win_rates_are_centipawns() {
    let files = tiny::<Shogi>();
    for kind in ["policy:", "value1:", "puct:playouts=30,hash=1,"] {
        let spec = format!("{kind}net={}", files.net);
        let line = report(&spec, &Record::new(Shogi::start()), &Limits::default()).1.lines.remove(0);
        let rate = line.rate.unwrap();
        let centipawns = -600.0 * (1.0 / rate - 1.0).ln();
        assert!((f64::from(line.value.get()) - centipawns).abs() <= 0.5, "{spec}: {rate} is {}", line.value);
    }
}

#[test]
fn hopeless_games_are_resigned_by_threshold() {
    let files = tiny::<Shogi>();
    let start = Record::new(Shogi::start());
    let choice = |resign: &str| {
        let spec = format!("puct:playouts=20,hash=1,net={},resign={resign}", files.net);
        choose(made::<Shogi>(&spec).as_mut(), &start, &Limits::default())
    };
    assert_eq!(choice("1"), Choice::Resign);
    assert!(matches!(choice("0"), Choice::Move { .. }));
}

/// The visits of the root are the target of a policy; noise changes them, and the same seed does not.
#[test]
fn visits_of_the_root_are_counted() {
    let files = tiny::<Ostle>();
    let record = Record::new(Ostle::start());
    let visits = |settings: &str| {
        let mut engine = made::<Ostle>(&format!("puct:hash=1,playouts=64,batch=4,net={}{settings}", files.net));
        assert!(engine.root_visits().is_empty());
        choose(engine.as_mut(), &record, &Limits::default());
        let visits = engine.root_visits();
        engine.forget();
        assert!(engine.root_visits().is_empty());
        visits
    };
    let noisy = visits(",noise=0.5,seed=1");
    assert_eq!(noisy.iter().map(|(_, visits)| visits).sum::<u32>(), 64, "{noisy:?}");
    let mut list = <Ostle as Game>::Moves::default();
    Ostle::start().moves(&mut list);
    assert!(noisy.iter().all(|(mv, _)| list.has(*mv)));
    assert_eq!(noisy, visits(",noise=0.5,seed=1"));
    assert_ne!(noisy, visits(",noise=0.5,seed=2"));
    assert_ne!(noisy, visits(""));
    assert!(made::<Ostle>("alphabeta").root_visits().is_empty());
}
