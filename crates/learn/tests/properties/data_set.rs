//! A data set is read exactly as it was written, or refused.

use std::fs;

use tempfile::TempDir;
use tesuji_learn::{DataSet, DataSetError, Model, Sample, Samples};
use tesuji_store::blocks::write_on;
use tesuji_store::disk::Os;

use crate::toy::{Toy, games};

fn some(count: u32) -> Vec<Sample<u16>> {
    let samples = games(count, 100, 11);
    (0..Toy.stages()).flat_map(|stage| samples.stage(stage).to_vec()).collect()
}

fn all(path: &std::path::Path) -> Result<Vec<Sample<u16>>, DataSetError> {
    let mut found = Vec::new();
    DataSet::open(&Toy, path)?.for_each(&Toy, |sample| found.push(sample))?;
    Ok(found)
}

#[test]
fn a_data_set_survives_a_round_trip() {
    let folder = TempDir::new().unwrap();
    // Several blocks, one, none.
    for count in [7000, 3, 0] {
        let (path, samples) = (folder.path().join("a.set"), some(count));
        DataSet::save(&Toy, &path, "random coins\nseed 11", &samples).unwrap();
        assert_eq!(all(&path).unwrap(), samples);
        let header = DataSet::open(&Toy, &path).unwrap().header().clone();
        assert_eq!((header.positions.as_str(), header.count), ("coins/2", samples.len() as u64));
        assert_eq!(header.provenance, "random coins\nseed 11");
    }
}

#[test]
fn no_flipped_bit_and_no_cut_is_accepted() {
    let folder = TempDir::new().unwrap();
    let (path, samples) = (folder.path().join("a.set"), some(2));
    DataSet::save(&Toy, &path, "random coins", &samples).unwrap();
    let whole = fs::read(&path).unwrap();
    for bit in 0..8 * whole.len() {
        let mut hit = whole.clone();
        hit[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, hit).unwrap();
        assert!(all(&path).is_err(), "bit {bit}");
    }
    for cut in 0..whole.len() {
        fs::write(&path, &whole[..cut]).unwrap();
        assert!(all(&path).is_err(), "cut to {cut} bytes");
    }
}

#[test]
fn foreign_files_are_refused_with_a_reason() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.set");
    let message = |head: &str, block: &[u8]| {
        let mut writer = write_on(&Os, &path, head.as_bytes()).unwrap();
        writer.append(block).unwrap();
        writer.finish().unwrap();
        let error = all(&path).unwrap_err().to_string();
        assert!(error.contains("a.set"), "{error}");
        error
    };
    assert!(message("a table", b"").contains("is not a data set"));
    assert!(message("tesuji-samples 2\ncoins/2\n0\n", b"").contains("format 2; this program reads format 1"));
    assert!(message("tesuji-samples 1\nothello/16\n0\n", b"").contains("\"othello/16\""));
    assert!(message("tesuji-samples 1\ncoins/2\nmany\n", b"").contains("is not a data set"));
    assert!(message("tesuji-samples 1\ncoins/2\n2\n", &[0; 8]).contains("promises 2 samples and holds 1"));
    assert!(message("tesuji-samples 1\ncoins/2\n1\n", &[0; 9]).contains("ends inside a sample"));
    assert!(message("tesuji-samples 1\ncoins/2\n1\n", &[255; 8]).contains("sample 1: there is no such position"));
}

#[test]
fn a_draw_depends_on_the_seed_and_not_on_the_order() {
    let samples = games(300, 100, 11);
    let mut reversed = Samples::new(&Toy);
    for stage in 0..Toy.stages() {
        samples.stage(stage).iter().rev().for_each(|sample| reversed.push(&Toy, *sample));
    }
    let positions = |list: Vec<Sample<u16>>| list.into_iter().map(|sample| sample.position).collect::<Vec<u16>>();
    let all = positions(samples.draw(&Toy, 0, usize::MAX, 1));
    let mut once = all.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), all.len());
    assert!(samples.stage(0).iter().all(|sample| all.contains(&sample.position)));
    let few = positions(samples.draw(&Toy, 0, 5, 1));
    assert_eq!(few, all[..5]);
    assert_eq!(few, positions(reversed.draw(&Toy, 0, 5, 1)));
    assert_ne!(few, positions(samples.draw(&Toy, 0, 5, 2)));
}
