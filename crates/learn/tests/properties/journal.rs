//! A journal of samples holds exactly the lines that were appended.

use std::fs;

use tempfile::TempDir;
use tesuji_learn::{Model, Sample, SampleJournal};
use tesuji_store::Journal;

use crate::toy::{Toy, games};

/// The samples of `count` games, in the order of the games.
fn some(count: u32) -> Vec<Sample<u16>> {
    let samples = games(count, 100, 31);
    let mut all: Vec<Sample<u16>> = (0..Toy.stages()).flat_map(|stage| samples.stage(stage).to_vec()).collect();
    all.sort_by_key(|sample| sample.game);
    all
}

#[test]
fn appended_samples_are_read_back() {
    let folder = TempDir::new().unwrap();
    let (path, samples) = (folder.path().join("a.journal"), some(6));
    let part = |from: u32, to: u32| -> Vec<Sample<u16>> {
        samples.iter().copied().filter(|sample| (from..to).contains(&sample.game)).collect()
    };
    for (from, to) in [(0, 2), (2, 3), (3, 3), (3, 6)] {
        let (mut journal, found) = SampleJournal::open(&Toy, &path, "coins").unwrap();
        assert_eq!((journal.games(), found), (from, part(0, from)));
        journal.append(&Toy, to - from, &part(from, to)).unwrap();
    }
    let (journal, found) = SampleJournal::open(&Toy, &path, "coins").unwrap();
    assert_eq!((journal.games(), found), (6, samples));
}

#[test]
fn a_cut_loses_only_the_incomplete_line() {
    let folder = TempDir::new().unwrap();
    let (path, samples) = (folder.path().join("a.journal"), some(2));
    let (mut journal, _) = SampleJournal::open(&Toy, &path, "coins").unwrap();
    for game in 0..2 {
        let one: Vec<Sample<u16>> = samples.iter().copied().filter(|sample| sample.game == game).collect();
        journal.append(&Toy, 1, &one).unwrap();
    }
    drop(journal);
    let whole = fs::read(&path).unwrap();
    let lines: Vec<usize> = (0..whole.len()).filter(|&at| whole[at] == b'\n').collect();
    assert_eq!(lines.len(), 4, "header, task and two games");
    for cut in 0..whole.len() {
        fs::write(&path, &whole[..cut]).unwrap();
        let (journal, found) = SampleJournal::open(&Toy, &path, "coins").unwrap();
        let games = lines[2..].iter().filter(|&&end| end < cut).count() as u32;
        assert_eq!(journal.games(), games, "cut to {cut} bytes");
        assert_eq!(found, samples[..found.len()]);
        drop(journal);
    }
}

#[test]
fn a_journal_of_another_task_is_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.journal");
    SampleJournal::open(&Toy, &path, "coins").unwrap();
    let message = SampleJournal::open(&Toy, &path, "dice").unwrap_err().to_string();
    assert!(message.contains("other settings (coins)"), "{message}");
    for line in ["", "junk", "1 1 ", "0 x ", "0 1 0", "0 1 00", "0 1 zz", "0 1 ffffffffffffffff"] {
        fs::remove_file(&path).unwrap();
        let mut journal = Journal::create(&path, "samples").unwrap();
        journal.append("coins").unwrap();
        journal.append(line).unwrap();
        drop(journal);
        let message = SampleJournal::open(&Toy, &path, "coins").unwrap_err().to_string();
        assert!(message.contains("line 3"), "{line:?}: {message}");
    }
}
