//! Weights come back as they were written, or not at all.

use tesuji_learn::{Model, Weights, WeightsError};

use crate::toy::{Toy, draw, worth};

fn some() -> Weights {
    let mut weights = Weights::zero(&Toy);
    let mut state = 1;
    for stage in 0..Toy.stages() {
        let discs: Vec<f32> = (0..Toy.weights()).map(|_| draw(&mut state) as f32 / 1e8 - 10.0).collect();
        weights.set(stage, &discs);
    }
    weights.tell("made for a test\nseed 1");
    weights
}

#[test]
fn what_is_written_is_read() {
    let weights = some();
    let read = Weights::parse(&weights.bytes()).unwrap();
    assert_eq!(read, weights);
    assert_eq!((read.model(), read.stages(), read.weights()), ("coins/pairs/1", 4, 63));
    assert_eq!(read.story(), "made for a test\nseed 1");
    assert!(read.fit(&Toy).is_ok());
}

#[test]
fn no_flipped_bit_and_no_cut_is_believed() {
    let whole = some().bytes();
    for bit in 0..8 * whole.len() {
        let mut hit = whole.clone();
        hit[bit / 8] ^= 1 << (bit % 8);
        assert!(Weights::parse(&hit).is_err(), "bit {bit}");
    }
    for cut in 0..whole.len() {
        assert!(Weights::parse(&whole[..cut]).is_err(), "cut to {cut} bytes");
    }
    let longer: Vec<u8> = whole.iter().copied().chain([0]).collect();
    assert!(Weights::parse(&longer).is_err());
}

#[test]
fn what_is_something_else_is_called_so() {
    assert_eq!(Weights::parse(b"<html>not found</html>"), Err(WeightsError::Foreign));
    assert_eq!(Weights::parse(b""), Err(WeightsError::Foreign));
    let mut newer = some().bytes();
    newer[8] = 9;
    assert_eq!(Weights::parse(&newer), Err(WeightsError::Format { found: 9 }));
    let message = Weights::parse(&newer).unwrap_err().to_string();
    assert!(message.contains("format 9") && message.contains("reads format 1"), "{message}");
}

/// The same coins by other features.
struct Other;

impl Model for Other {
    type Position = u16;
    const BYTES: usize = 2;
    fn pack(&self, position: &u16, to: &mut [u8]) {
        Toy.pack(position, to);
    }
    fn unpack(&self, from: &[u8]) -> Option<u16> {
        Toy.unpack(from)
    }
    fn name(&self) -> &str {
        "coins/pairs/2"
    }
    fn stages(&self) -> usize {
        4
    }
    fn stage(&self, position: &u16) -> usize {
        Toy.stage(position)
    }
    fn weights(&self) -> usize {
        Toy.weights()
    }
    fn features(&self) -> usize {
        Toy.features()
    }
    fn list(&self, position: &u16, to: &mut [u32]) {
        Toy.list(position, to);
    }
}

#[test]
fn weights_of_another_evaluation_are_refused() {
    let message = some().fit(&Other).unwrap_err().to_string();
    assert!(message.contains("coins/pairs/1") && message.contains("coins/pairs/2"), "{message}");
}

#[test]
fn units_are_fine_enough_and_large_numbers_stay_large() {
    let mut weights = Weights::zero(&Toy);
    let mut discs = vec![0.0; Toy.weights()];
    discs[..5].copy_from_slice(&[0.003, 0.004, -1.25, 1e9, -1e9]);
    weights.set(2, &discs);
    assert_eq!(weights.stage(2)[..5], [0, 1, -160, i16::MAX, i16::MIN]);
    assert!(weights.stage(1).iter().all(|&weight| weight == 0));
    assert_eq!(weights.discs(2)[2], -1.25);
}

#[test]
fn an_estimate_is_the_sum_of_the_weights() {
    let mut weights = Weights::zero(&Toy);
    let position = 1234;
    let mut list = vec![0; Toy.features()];
    Toy.list(&position, &mut list);
    let mut discs = vec![0.0; Toy.weights()];
    list.iter().for_each(|&weight| discs[weight as usize] = 0.25);
    weights.set(Toy.stage(&position), &discs);
    assert_eq!(weights.estimate(&Toy, &position, &mut Vec::new()), 7.0 * 0.25);
    assert_ne!(worth(position), 0);
}
