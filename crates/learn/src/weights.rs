//! The weights of an evaluation and their file format.
//!
//! ```text
//! length of the name, 4 bytes | length of the provenance, 4 | stages, 4 | weights of a stage, 4 | length of the rest, 4
//! name of the model | provenance | weights, compressed
//! ```
//!
//! This is the payload of a [`FileFrame`]. Adjacent stages are alike, so each stage is stored as its difference from the
//! one before, low and high bytes apart, compressed by zstd.

use tesuji_store::frame::{Fields, FileFrame, FrameError};
use thiserror::Error;

use crate::Model;

const FRAME: FileFrame = FileFrame { magic: b"tesujiW\n", version: 1 };
/// The largest number of weights that is accepted, over all stages.
const MAX_WEIGHTS: usize = 1 << 28;
/// The best compression: weights are compressed once and decompressed at every start.
const ZSTD_LEVEL: i32 = 19;

/// Why bytes are not the weights that are needed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// Not a file of weights.
    #[error("not a weights file: give one made by `tesuji train`")]
    Foreign,
    /// The layout of another version of this program.
    #[error(
        "weights of format {found}; this program reads format {}: train them again, or use a newer program",
        FRAME.version
    )]
    Format {
        /// The version in the file.
        found: u32,
    },
    /// The file is damaged.
    #[error("the weights are damaged ({what}): restore them from a copy, or train them again")]
    Damaged {
        /// What is wrong.
        what: &'static str,
    },
    /// The weights of another evaluation.
    #[error(
        "these are weights of {found:?}, {stages} stages of {weights}; those of {expected:?} are needed: train them again"
    )]
    Model {
        /// The model in the file.
        found: String,
        /// Its number of stages.
        stages: usize,
        /// Its weights per stage.
        weights: usize,
        /// The model that is needed.
        expected: String,
    },
}

impl From<FrameError> for WeightsError {
    fn from(error: FrameError) -> WeightsError {
        match error {
            FrameError::Foreign => WeightsError::Foreign,
            FrameError::Version { found } => WeightsError::Format { found },
            FrameError::Checksum => WeightsError::Damaged { what: "wrong checksum" },
            _ => WeightsError::Damaged { what: "the file is cut short" },
        }
    }
}

/// The quantised weights of all stages, in units of 1/128 point, and their provenance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    model: String,
    provenance: String,
    stages: usize,
    weights: usize,
    values: Vec<i16>,
}

impl Weights {
    /// Units in a point.
    pub const SCALE: f32 = 128.0;

    /// Weights that are all 0.
    pub fn zero<M: Model>(model: &M) -> Weights {
        let (stages, weights) = (model.stages(), model.weights());
        Weights {
            model: model.name().to_owned(),
            provenance: String::new(),
            stages,
            weights,
            values: vec![0; stages * weights],
        }
    }

    /// The weights of one stage, in units, for the evaluation of this name.
    pub fn of_units(model: impl Into<String>, provenance: impl Into<String>, values: Vec<i16>) -> Weights {
        let (model, provenance) = (model.into(), provenance.into());
        Weights { model, provenance, stages: 1, weights: values.len(), values }
    }

    /// How they were made, as lines of text.
    pub fn provenance(&self) -> &str {
        &self.provenance
    }

    /// Records how they were made.
    pub fn set_provenance(&mut self, provenance: impl Into<String>) {
        self.provenance = provenance.into();
    }

    /// The evaluation they are for, as [`Model::name`] gives it.
    pub fn model(&self) -> &str {
        &self.model
    }

    /// Number of stages.
    pub fn stages(&self) -> usize {
        self.stages
    }

    /// Number of weights of a stage.
    pub fn weights(&self) -> usize {
        self.weights
    }

    /// The weights of a stage, in units of 1/128 point.
    pub fn stage(&self, stage: usize) -> &[i16] {
        &self.values[stage * self.weights..][..self.weights]
    }

    /// The weights of a stage, in points.
    pub fn points(&self, stage: usize) -> Vec<f32> {
        self.stage(stage).iter().map(|&weight| f32::from(weight) / Weights::SCALE).collect()
    }

    /// Sets the weights of a stage, in points, rounded to units and saturated.
    pub fn set(&mut self, stage: usize, points: &[f32]) {
        let to = &mut self.values[stage * self.weights..][..self.weights];
        to.iter_mut().zip(points).for_each(|(to, points)| *to = (points * Weights::SCALE).round() as i16);
    }

    /// The evaluation of a position, in points. `features` is scratch space.
    pub fn evaluate<M: Model>(&self, model: &M, position: &M::Position, features: &mut Vec<u32>) -> f64 {
        features.resize(model.features(), 0);
        model.active_features(position, features);
        let stage = self.stage(model.stage(position));
        let sum: i32 = features.iter().map(|&weight| i32::from(stage[weight as usize])).sum();
        f64::from(sum) / f64::from(Weights::SCALE)
    }

    /// Checks that they are for this evaluation.
    pub fn check_model<M: Model>(self, model: &M) -> Result<Weights, WeightsError> {
        self.check_name(model.name(), model.stages(), model.weights())
    }

    /// Checks that they are for the evaluation of this name, with this many stages and weights.
    pub fn check_name(self, name: &str, stages: usize, weights: usize) -> Result<Weights, WeightsError> {
        if self.model == name && (self.stages, self.weights) == (stages, weights) {
            return Ok(self);
        }
        Err(WeightsError::Model {
            found: self.model,
            stages: self.stages,
            weights: self.weights,
            expected: name.to_owned(),
        })
    }

    /// A checksum of the values.
    pub fn checksum(&self) -> u32 {
        let mut sum = crc32fast::Hasher::new();
        self.values.iter().for_each(|value| sum.update(&value.to_le_bytes()));
        sum.finalize()
    }

    /// The bytes of a file.
    pub fn bytes(&self) -> Vec<u8> {
        let packed = compress(&self.values, self.weights);
        let (model, provenance) = (self.model.as_bytes(), self.provenance.as_bytes());
        FRAME.write(|out| {
            for number in [model.len(), provenance.len(), self.stages, self.weights, packed.len()] {
                // No part of an evaluation is anywhere near 4 GiB.
                out.extend((number as u32).to_le_bytes());
            }
            out.extend([model, provenance, &packed].concat());
        })
    }

    /// Whether bytes start with the magic number of a weights file.
    pub fn has_magic(bytes: &[u8]) -> bool {
        FRAME.matches(bytes)
    }

    /// Reads the bytes of a file.
    pub fn parse(bytes: &[u8]) -> Result<Weights, WeightsError> {
        let damaged = |what| WeightsError::Damaged { what };
        let mut fields = Fields::new(FRAME.read(bytes)?);
        let mut number = || fields.u32().map(|number| number as usize);
        let [model, provenance, stages, weights, length] = [number()?, number()?, number()?, number()?, number()?];
        let (model, provenance, packed) = (fields.bytes(model)?, fields.bytes(provenance)?, fields.rest());
        let count = stages.checked_mul(weights).filter(|&count| count <= MAX_WEIGHTS);
        if packed.len() != length {
            return Err(damaged("wrong length"));
        }
        let values = count.and_then(|count| decompress(packed, count, weights));
        let values = values.ok_or_else(|| damaged("the weights cannot be decompressed"))?;
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).map_err(|_| damaged("the provenance is not text"));
        Ok(Weights { model: text(model)?, provenance: text(provenance)?, stages, weights, values })
    }
}

/// Compresses stages of `weights` values each.
fn compress(values: &[i16], weights: usize) -> Vec<u8> {
    let changes = values.iter().enumerate().map(|(index, value)| {
        let before = index.checked_sub(weights).map_or(0, |before| values[before]);
        zigzag(value.wrapping_sub(before))
    });
    let mut planes: Vec<u8> = changes.clone().map(|change| change as u8).collect();
    planes.extend(changes.map(|change| (change >> 8) as u8));
    // Compressing into memory cannot fail; if it did, reading the file would report it.
    zstd::bulk::compress(&planes, ZSTD_LEVEL).unwrap_or_default()
}

/// The inverse of [`compress`]; `None` if there are not exactly `count` values.
fn decompress(packed: &[u8], count: usize, weights: usize) -> Option<Vec<i16>> {
    let planes = zstd::bulk::decompress(packed, 2 * count).ok().filter(|planes| planes.len() == 2 * count)?;
    let (low, high) = planes.split_at(count);
    let mut values: Vec<i16> =
        low.iter().zip(high).map(|(&low, &high)| unzigzag(u16::from_le_bytes([low, high]))).collect();
    for index in weights..count {
        values[index] = values[index].wrapping_add(values[index - weights]);
    }
    Some(values)
}

/// Zigzag coding: the sign goes to the lowest bit, so that the high byte of a small number of either sign is 0.
fn zigzag(value: i16) -> u16 {
    ((value << 1) ^ (value >> 15)) as u16
}

fn unzigzag(coded: u16) -> i16 {
    (coded >> 1) as i16 ^ -((coded & 1) as i16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_survives_compression() {
        let values: Vec<i16> = (i16::MIN..=i16::MAX).collect();
        for weights in [1, 7, 256, 65_536] {
            assert_eq!(decompress(&compress(&values, weights), values.len(), weights), Some(values.clone()));
        }
        assert_eq!(decompress(&compress(&values, 3), values.len() - 1, 3), None);
        assert_eq!(decompress(&compress(&values, 3), values.len() + 1, 3), None);
    }
}
