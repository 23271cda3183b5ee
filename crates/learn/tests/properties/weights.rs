//! Weights are read exactly as they were written, or refused.

use tesuji_learn::{Model, Weights, WeightsError};

use crate::toy::{Toy, draw, true_score};

fn some() -> Weights {
    let mut weights = Weights::zero(&Toy);
    let mut state = 1;
    for stage in 0..Toy.stages() {
        let points: Vec<f32> = (0..Toy.weights()).map(|_| draw(&mut state) as f32 / 1e8 - 10.0).collect();
        weights.set(stage, &points);
    }
    weights.set_provenance("made for a test\nseed 1");
    weights
}

#[test]
fn weights_survive_a_round_trip() {
    let weights = some();
    let read = Weights::parse(&weights.bytes()).unwrap();
    assert_eq!(read, weights);
    assert_eq!((read.model(), read.stages(), read.weights()), ("coins/pairs/1", 4, 63));
    assert_eq!(read.provenance(), "made for a test\nseed 1");
    assert!(read.check_model(&Toy).is_ok());
}

#[test]
fn no_flipped_bit_and_no_cut_is_accepted() {
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
fn foreign_files_are_refused() {
    assert_eq!(Weights::parse(b"<html>not found</html>"), Err(WeightsError::Foreign));
    assert_eq!(Weights::parse(b""), Err(WeightsError::Foreign));
    let mut newer = some().bytes();
    newer[8] = 9;
    assert_eq!(Weights::parse(&newer), Err(WeightsError::Format { found: 9 }));
    let message = Weights::parse(&newer).unwrap_err().to_string();
    assert!(message.contains("format 9") && message.contains("reads format 1"), "{message}");
}

/// The same game with another feature set.
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
    fn active_features(&self, position: &u16, to: &mut [u32]) {
        Toy.active_features(position, to);
    }
}

#[test]
fn weights_of_another_evaluation_are_refused() {
    let message = some().check_model(&Other).unwrap_err().to_string();
    assert!(message.contains("coins/pairs/1") && message.contains("coins/pairs/2"), "{message}");
}

#[test]
fn weights_are_rounded_and_saturated() {
    let mut weights = Weights::zero(&Toy);
    let mut points = vec![0.0; Toy.weights()];
    points[..5].copy_from_slice(&[0.003, 0.004, -1.25, 1e9, -1e9]);
    weights.set(2, &points);
    assert_eq!(weights.stage(2)[..5], [0, 1, -160, i16::MAX, i16::MIN]);
    assert!(weights.stage(1).iter().all(|&weight| weight == 0));
    assert_eq!(weights.points(2)[2], -1.25);
}

#[test]
fn an_evaluation_is_the_sum_of_the_weights() {
    let mut weights = Weights::zero(&Toy);
    let position = 1234;
    let mut list = vec![0; Toy.features()];
    Toy.active_features(&position, &mut list);
    let mut points = vec![0.0; Toy.weights()];
    list.iter().for_each(|&weight| points[weight as usize] = 0.25);
    weights.set(Toy.stage(&position), &points);
    assert_eq!(weights.evaluate(&Toy, &position, &mut Vec::new()), 7.0 * 0.25);
    assert_ne!(true_score(position), 0);
}
