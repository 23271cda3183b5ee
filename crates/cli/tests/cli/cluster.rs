//! Jobs in units, without a queue: in any order they make what one machine makes. `tests/postgres` has the queue.

use std::path::Path;

use tesuji_registry::{
    CollectedJob, DataSetJob, DistributedJob, SelfPlayJob, Unit, UnitFeed, ValueSelfPlayJob, shipped,
};
use tesuji_task::CancelToken;

use crate::folder::Folder;
use crate::run::tesuji;

/// Hands out units from the last to the first, some of them twice.
struct Backwards {
    left: Vec<u32>,
    current: u32,
    results: Vec<(u32, Vec<u8>)>,
}

impl UnitFeed for Backwards {
    fn next(&mut self) -> Option<Unit> {
        self.current = self.left.pop()?;
        Some(Unit { number: self.current, payload: None, cancel: CancelToken::new() })
    }

    fn done(&mut self, result: Vec<u8>) {
        self.results.push((self.current, result));
    }
}

/// Does a job in units and collects it.
fn in_units(job: &DistributedJob, out: &Path) -> CollectedJob {
    let job = shipped().unit_job(job).unwrap();
    let units = job.units();
    assert!(units > 2, "{units} units");
    let mut feed = Backwards { left: (0..units).chain([1, 0]).collect(), current: 0, results: Vec::new() };
    job.work(&mut feed).unwrap();
    let mut results = feed.results;
    results.sort_by_key(|(number, _)| *number);
    for pair in results.chunk_by(|one, two| one.0 == two.0).filter(|pair| pair.len() > 1) {
        assert_eq!(pair[0], pair[1], "a unit depends on its number alone");
    }
    results.dedup_by_key(|(number, _)| *number);
    job.collect(out, &mut results.into_iter().map(Ok)).unwrap()
}

fn same_bytes(game: &str, local: &[&str], job: impl Fn(&Path) -> DataSetJob) {
    let folder = Folder::new(&format!("cluster-{game}"));
    let (here, there) = (folder.path("here.set"), folder.path("there.set"));
    let run = tesuji(&[&["selfplay", game, "--seed", "3", "--out", &here], local].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    let job = DistributedJob::DataSet { game: game.to_owned(), job: job(Path::new(&there)), group: 2 };
    let collected = in_units(&job, Path::new(&there));
    assert!(matches!(collected, CollectedJob::DataSet { positions, .. } if positions > 0));
    assert_eq!(std::fs::read(&there).unwrap(), std::fs::read(&here).unwrap());
}

#[test]
fn self_play_of_othello_has_the_same_bytes_in_units() {
    let engine = "alphabeta:depth=1,hash=1";
    same_bytes("othello", &["--games", "7", "--engine", engine, "--solve", "6"], |out| {
        DataSetJob::SelfPlay(SelfPlayJob {
            games: 7,
            out: out.to_owned(),
            engine: Some(engine.to_owned()),
            random_plies: 8..=20,
            solve: 6,
            seed: 3,
            threads: None,
            hash: None,
        })
    });
}

#[test]
fn self_play_of_trax_has_the_same_bytes_in_units() {
    let engine = "alphabeta:nodes=30,hash=1";
    same_bytes("trax", &["--games", "7", "--engine", engine], |out| {
        DataSetJob::ValueSelfPlay(ValueSelfPlayJob {
            games: 7,
            out: out.to_owned(),
            engine: engine.to_owned(),
            openings: None,
            random_plies: 1..=8,
            random_moves: ValueSelfPlayJob::RANDOM_MOVES,
            longest: 512,
            seed: 3,
            threads: None,
        })
    });
}

#[test]
fn self_play_of_shogi_has_the_same_bytes_in_units() {
    let engine = "alphabeta:nodes=40,hash=1";
    same_bytes("shogi", &["--games", "5", "--engine", engine, "--longest", "60"], |out| {
        DataSetJob::ValueSelfPlay(ValueSelfPlayJob {
            games: 5,
            out: out.to_owned(),
            engine: engine.to_owned(),
            openings: None,
            random_plies: 1..=8,
            random_moves: ValueSelfPlayJob::RANDOM_MOVES,
            longest: 60,
            seed: 3,
            threads: None,
        })
    });
}

#[test]
fn wrong_words_are_told() {
    for (words, told) in [
        (&["cluster"][..], "what to do is missing: init, submit, work, status, collect, cancel, retry, simulate"),
        (&["cluster", "status"], "--db is missing: postgres://user@host/name"),
        (&["cluster", "status", "--db", "mysql://x/y"], "should be postgres://user@host/name"),
        (&["cluster", "work", "--db", "postgres://x/y", "--lease", "10ms"], "--lease \"10ms\": from 1s to 24h"),
        (
            &["cluster", "submit", "--db", "postgres://x/y", "--group", "3", "match", "othello", "random", "random"],
            "--group: a unit of a match or tournament is a pair of games",
        ),
    ] {
        let run = tesuji(words);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{words:?}: {}", run.err);
        assert!(run.err.contains(told), "{words:?}: {}", run.err);
    }
}
