//! Data sets come back as they were written, or not at all.

use std::fs;

use tesuji_learn::{Data, DataError, Model, Sample, Samples, data};
use tesuji_store::blocks::write_on;
use tesuji_store::disk::Os;

use crate::scratch::Scratch;
use crate::toy::{Toy, games};

fn some(count: u32) -> Vec<Sample<u16>> {
    let samples = games(count, 100, 11);
    (0..Toy.stages()).flat_map(|stage| samples.stage(stage).to_vec()).collect()
}

fn all(path: &std::path::Path) -> Result<Vec<Sample<u16>>, DataError> {
    let mut found = Vec::new();
    Data::open(&Toy, path)?.each(&Toy, |sample| found.push(sample))?;
    Ok(found)
}

#[test]
fn what_is_written_is_read() {
    let folder = Scratch::new();
    // Several blocks, one, none.
    for count in [7000, 3, 0] {
        let (path, samples) = (folder.path("a.set"), some(count));
        data::save(&Toy, &path, "tossed\ntwice", &samples).unwrap();
        assert_eq!(all(&path).unwrap(), samples);
        let head = Data::open(&Toy, &path).unwrap().head().clone();
        assert_eq!((head.positions.as_str(), head.count), ("coins/2", samples.len() as u64));
        assert_eq!(head.story, "tossed\ntwice");
    }
}

#[test]
fn no_flipped_bit_and_no_cut_is_believed() {
    let folder = Scratch::new();
    let (path, samples) = (folder.path("a.set"), some(2));
    data::save(&Toy, &path, "tossed", &samples).unwrap();
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
fn whole_files_of_something_else_are_refused_by_name() {
    let folder = Scratch::new();
    let path = folder.path("a.set");
    let told = |head: &str, block: &[u8]| {
        let mut writer = write_on(&Os, &path, head.as_bytes()).unwrap();
        writer.append(block).unwrap();
        writer.finish().unwrap();
        let message = all(&path).unwrap_err().to_string();
        assert!(message.contains("a.set"), "{message}");
        message
    };
    assert!(told("a table", b"").contains("is no data set"));
    assert!(told("tesuji-samples 2\ncoins/2\n0\n", b"").contains("format 2; this program reads format 1"));
    assert!(told("tesuji-samples 1\nothello/16\n0\n", b"").contains("\"othello/16\""));
    assert!(told("tesuji-samples 1\ncoins/2\nmany\n", b"").contains("is no data set"));
    assert!(told("tesuji-samples 1\ncoins/2\n2\n", &[0; 8]).contains("promises 2 samples and holds 1"));
    assert!(told("tesuji-samples 1\ncoins/2\n1\n", &[0; 9]).contains("ends inside a sample"));
    assert!(
        told("tesuji-samples 1\ncoins/2\n1\n", &[255; 8]).contains("sample 1: there is no such position")
    );
}

#[test]
fn what_is_drawn_depends_on_the_seed_and_not_on_the_order() {
    let samples = games(300, 100, 11);
    let mut turned = Samples::new(&Toy);
    for stage in 0..Toy.stages() {
        samples.stage(stage).iter().rev().for_each(|sample| turned.push(&Toy, *sample));
    }
    let positions =
        |list: Vec<Sample<u16>>| list.into_iter().map(|sample| sample.position).collect::<Vec<u16>>();
    let all = positions(samples.drawn(&Toy, 0, usize::MAX, 1));
    let mut once = all.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), all.len());
    assert!(samples.stage(0).iter().all(|sample| all.contains(&sample.position)));
    let few = positions(samples.drawn(&Toy, 0, 5, 1));
    assert_eq!(few, all[..5]);
    assert_eq!(few, positions(turned.drawn(&Toy, 0, 5, 1)));
    assert_ne!(few, positions(samples.drawn(&Toy, 0, 5, 2)));
}
