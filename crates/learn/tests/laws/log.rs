//! What was logged is there when the log is opened again, and only that.

use std::fs;

use tesuji_learn::{Log, Model, Sample};
use tesuji_store::Journal;

use crate::scratch::Scratch;
use crate::toy::{Toy, games};

/// The samples of so many games, in the order of the games.
fn some(count: u32) -> Vec<Sample<u16>> {
    let samples = games(count, 100, 31);
    let mut all: Vec<Sample<u16>> =
        (0..Toy.stages()).flat_map(|stage| samples.stage(stage).to_vec()).collect();
    all.sort_by_key(|sample| sample.game);
    all
}

#[test]
fn what_was_logged_is_there_again() {
    let folder = Scratch::new();
    let (path, samples) = (folder.path("a.journal"), some(6));
    let part = |from: u32, to: u32| -> Vec<Sample<u16>> {
        samples.iter().copied().filter(|sample| (from..to).contains(&sample.game)).collect()
    };
    for (from, to) in [(0, 2), (2, 3), (3, 3), (3, 6)] {
        let (mut log, found) = Log::open(&Toy, &path, "coins").unwrap();
        assert_eq!((log.games(), found), (from, part(0, from)));
        log.append(&Toy, to - from, &part(from, to)).unwrap();
    }
    let (log, found) = Log::open(&Toy, &path, "coins").unwrap();
    assert_eq!((log.games(), found), (6, samples));
}

#[test]
fn a_cut_end_costs_its_line_and_no_more() {
    let folder = Scratch::new();
    let (path, samples) = (folder.path("a.journal"), some(2));
    let (mut log, _) = Log::open(&Toy, &path, "coins").unwrap();
    for game in 0..2 {
        let one: Vec<Sample<u16>> = samples.iter().copied().filter(|sample| sample.game == game).collect();
        log.append(&Toy, 1, &one).unwrap();
    }
    drop(log);
    let whole = fs::read(&path).unwrap();
    let lines: Vec<usize> = (0..whole.len()).filter(|&at| whole[at] == b'\n').collect();
    assert_eq!(lines.len(), 4, "header, task and two games");
    for cut in 0..whole.len() {
        fs::write(&path, &whole[..cut]).unwrap();
        let (log, found) = Log::open(&Toy, &path, "coins").unwrap();
        let games = lines[2..].iter().filter(|&&end| end < cut).count() as u32;
        assert_eq!(log.games(), games, "cut to {cut} bytes");
        assert_eq!(found, samples[..found.len()]);
        drop(log);
    }
}

#[test]
fn another_log_is_refused() {
    let folder = Scratch::new();
    let path = folder.path("a.journal");
    Log::open(&Toy, &path, "coins").unwrap();
    let message = Log::open(&Toy, &path, "dice").unwrap_err().to_string();
    assert!(message.contains("other settings (coins)"), "{message}");
    for line in ["", "junk", "1 1 ", "0 x ", "0 1 0", "0 1 00", "0 1 zz", "0 1 ffffffffffffffff"] {
        fs::remove_file(&path).unwrap();
        let mut journal = Journal::create(&path, "samples").unwrap();
        journal.append("coins").unwrap();
        journal.append(line).unwrap();
        drop(journal);
        let message = Log::open(&Toy, &path, "coins").unwrap_err().to_string();
        assert!(message.contains("line 3"), "{line:?}: {message}");
    }
}
