//! Any texts come back, and no noise is believed.

use std::path::Path;

use proptest::collection::vec;
use proptest::prelude::*;
use tesuji_laws::for_all;
use tesuji_store::{Journal, journal};

use crate::model::SimulatedDisk;

const PATH: &str = "dir/j";

fn written(events: &[String]) -> Vec<u8> {
    let disk = SimulatedDisk::default();
    let mut journal = Journal::create_on(&disk, Path::new(PATH), "test").unwrap();
    for event in events {
        journal.append(event).unwrap();
    }
    disk.content(PATH).unwrap()
}

fn read(bytes: &[u8]) -> Result<Vec<String>, String> {
    let disk = SimulatedDisk::with(&[(PATH, bytes)]);
    journal::read_on(&disk, Path::new(PATH), "test").map(|reading| reading.lines).map_err(|error| error.to_string())
}

fn events() -> impl Strategy<Value = Vec<String>> {
    vec("[^\n\r\0]{0,40}", 0..8)
}

/// Something done to a file by accident: bytes changed, lost, put in, or doubled.
#[derive(Clone, Debug)]
enum Accident {
    Change(usize, u8),
    Lose(usize, usize),
    Insert(usize, Vec<u8>),
    Double(usize, usize),
}

fn accident() -> impl Strategy<Value = Accident> {
    prop_oneof![
        (any::<usize>(), 1..=255u8).prop_map(|(at, bits)| Accident::Change(at, bits)),
        (any::<usize>(), 1..60usize).prop_map(|(at, length)| Accident::Lose(at, length)),
        (any::<usize>(), vec(any::<u8>(), 1..20)).prop_map(|(at, bytes)| Accident::Insert(at, bytes)),
        (any::<usize>(), 1..60usize).prop_map(|(at, length)| Accident::Double(at, length)),
    ]
}

fn happen(bytes: &mut Vec<u8>, accident: &Accident) {
    let span = |bytes: &[u8], at: usize, length: usize| {
        let start = at % (bytes.len() + 1);
        start..bytes.len().min(start + length)
    };
    match accident {
        Accident::Change(at, bits) => {
            let at = span(bytes, *at, 1);
            bytes[at].iter_mut().for_each(|byte| *byte ^= bits);
        }
        Accident::Lose(at, length) => drop(bytes.drain(span(bytes, *at, *length))),
        Accident::Insert(at, more) => {
            let at = at % (bytes.len() + 1);
            drop(bytes.splice(at..at, more.iter().copied()));
        }
        Accident::Double(at, length) => {
            let span = span(bytes, *at, *length);
            let (end, more) = (span.end, bytes[span].to_vec());
            drop(bytes.splice(end..end, more));
        }
    }
}

#[test]
fn any_texts_come_back() {
    for_all(300, events(), |events| {
        if read(&written(&events))? == events { Ok(()) } else { Err("other lines came back".into()) }
    });
}

#[test]
fn after_accidents_there_is_an_error_or_a_beginning_of_what_was_written() {
    for_all(4000, (events(), vec(accident(), 1..4)), |(events, accidents)| {
        let mut bytes = written(&events);
        accidents.iter().for_each(|accident| happen(&mut bytes, accident));
        match read(&bytes) {
            Ok(lines) if !events.starts_with(&lines) => Err(format!("{lines:?} were believed")),
            _ => Ok(()),
        }
    });
}

#[test]
fn noise_is_no_journal() {
    for_all(1000, vec(any::<u8>(), 40..400), |bytes| match read(&bytes) {
        Ok(lines) => Err(format!("{lines:?} were believed")),
        Err(message) if message.contains("line 1: ") => Ok(()),
        Err(message) => Err(message),
    });
}
