//! The weights of an evaluation, as they are kept in a file or inside a program.
//!
//! ```text
//! magic, 8 bytes | format, 4
//! length of the name, 4 | length of the story, 4 | stages, 4 | weights of a stage, 4 | length of the rest, 4
//! name of the model | story: how they were made | weights, packed
//! checksum of all that, 4
//! ```
//!
//! Numbers are little-endian, the checksum is CRC-32.

mod pack;

use thiserror::Error;

use crate::Model;

const MAGIC: &[u8; 8] = b"tesujiW\n";
/// The version of this layout.
const FORMAT: u32 = 1;
/// Bytes before the name.
const BEFORE: usize = 32;
/// More weights than this, all stages together, are no evaluation of ours.
const MOST: usize = 1 << 28;

/// Why bytes are not the weights that are needed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// Something else.
    #[error("these are no weights: a file made by `tesuji train` is needed")]
    Foreign,
    /// The layout of another version of this program.
    #[error(
        "weights of format {found}; this program reads format {FORMAT}: train them anew, or take a newer program"
    )]
    Format {
        /// What they say.
        found: u32,
    },
    /// Not what was written.
    #[error("the weights are damaged ({what}): bring them from a copy, or train them anew")]
    Damaged {
        /// What is wrong.
        what: &'static str,
    },
    /// The weights of another evaluation.
    #[error(
        "these are weights of {found:?}, {stages} stages of {weights}; those of {expected:?} are needed: train them anew"
    )]
    Model {
        /// What they say.
        found: String,
        /// How many stages they have.
        stages: usize,
        /// How many weights each of these has.
        weights: usize,
        /// What is needed.
        expected: String,
    },
}

/// Weights of all stages, in units of 1/128 disc, and how they were made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    model: String,
    story: String,
    stages: usize,
    weights: usize,
    values: Vec<i16>,
}

impl Weights {
    /// Units in a disc.
    pub const PER_DISC: f32 = 128.0;

    /// Weights that are all 0.
    pub fn zero<M: Model>(model: &M) -> Weights {
        let (stages, weights) = (model.stages(), model.weights());
        Weights {
            model: model.name().to_owned(),
            story: String::new(),
            stages,
            weights,
            values: vec![0; stages * weights],
        }
    }

    /// What was done to make them, as lines of text.
    pub fn story(&self) -> &str {
        &self.story
    }

    /// Says how they were made.
    pub fn tell(&mut self, story: impl Into<String>) {
        self.story = story.into();
    }

    /// The evaluation they are for, as [`Model::name`] says it.
    pub fn model(&self) -> &str {
        &self.model
    }

    /// How many stages there are.
    pub fn stages(&self) -> usize {
        self.stages
    }

    /// How many weights each stage has.
    pub fn weights(&self) -> usize {
        self.weights
    }

    /// The weights of a stage, in units of 1/128 disc.
    pub fn stage(&self, stage: usize) -> &[i16] {
        &self.values[stage * self.weights..][..self.weights]
    }

    /// The weights of a stage, in discs.
    pub fn discs(&self, stage: usize) -> Vec<f32> {
        self.stage(stage).iter().map(|&weight| f32::from(weight) / Weights::PER_DISC).collect()
    }

    /// Gives a stage weights, in discs, each as near as a number of units can be.
    pub fn set(&mut self, stage: usize, discs: &[f32]) {
        let to = &mut self.values[stage * self.weights..][..self.weights];
        // A cast keeps what is too large within what there is.
        to.iter_mut().zip(discs).for_each(|(to, discs)| *to = (discs * Weights::PER_DISC).round() as i16);
    }

    /// What a position is worth, in discs.
    pub fn estimate<M: Model>(&self, model: &M, position: &M::Position, list: &mut Vec<u32>) -> f64 {
        list.resize(model.features(), 0);
        model.list(position, list);
        let stage = self.stage(model.stage(position));
        let sum: i32 = list.iter().map(|&weight| i32::from(stage[weight as usize])).sum();
        f64::from(sum) / f64::from(Weights::PER_DISC)
    }

    /// Whether they are for this evaluation.
    pub fn fit<M: Model>(self, model: &M) -> Result<Weights, WeightsError> {
        if self.model == model.name() && (self.stages, self.weights) == (model.stages(), model.weights()) {
            return Ok(self);
        }
        Err(WeightsError::Model {
            found: self.model,
            stages: self.stages,
            weights: self.weights,
            expected: model.name().to_owned(),
        })
    }

    /// A number that other weights hardly have.
    pub fn checksum(&self) -> u32 {
        let mut sum = crc32fast::Hasher::new();
        self.values.iter().for_each(|value| sum.update(&value.to_le_bytes()));
        sum.finalize()
    }

    /// The bytes of a file.
    pub fn bytes(&self) -> Vec<u8> {
        let packed = pack::pack(&self.values, self.weights);
        let mut bytes = Vec::with_capacity(BEFORE + self.model.len() + self.story.len() + packed.len() + 4);
        bytes.extend_from_slice(MAGIC);
        let numbers = [self.model.len(), self.story.len(), self.stages, self.weights, packed.len()];
        for number in [FORMAT as usize].into_iter().chain(numbers) {
            // No part of an evaluation is anywhere near 4 GiB.
            bytes.extend_from_slice(&(number as u32).to_le_bytes());
        }
        bytes.extend_from_slice(self.model.as_bytes());
        bytes.extend_from_slice(self.story.as_bytes());
        bytes.extend_from_slice(&packed);
        bytes.extend_from_slice(&crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Whether bytes begin as weights do, however they go on.
    pub fn claimed(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// The weights of the bytes of a file.
    pub fn parse(bytes: &[u8]) -> Result<Weights, WeightsError> {
        let damaged = |what| WeightsError::Damaged { what };
        let rest = bytes.strip_prefix(MAGIC).ok_or(WeightsError::Foreign)?;
        let word = |at: usize| rest.as_chunks::<4>().0.get(at).map(|&word| u32::from_le_bytes(word));
        let cut = || damaged("the file is cut short");
        let found = word(0).ok_or_else(cut)?;
        if found != FORMAT {
            return Err(WeightsError::Format { found });
        }
        let (all, sum) =
            bytes.split_last_chunk::<4>().filter(|(all, _)| all.len() >= BEFORE).ok_or_else(cut)?;
        if crc32fast::hash(all) != u32::from_le_bytes(*sum) {
            return Err(damaged("the checksum does not fit"));
        }
        let number = |at: usize| word(at).map(|word| word as usize).ok_or_else(cut);
        let (model, rest) = all[BEFORE..].split_at_checked(number(1)?).ok_or_else(cut)?;
        let (story, packed) = rest.split_at_checked(number(2)?).ok_or_else(cut)?;
        let (stages, weights) = (number(3)?, number(4)?);
        let count = stages.checked_mul(weights).filter(|&count| count <= MOST);
        if packed.len() != number(5)? {
            return Err(damaged("its parts are not as long as it says"));
        }
        let values = count.and_then(|count| pack::unpack(packed, count, weights));
        let values = values.ok_or_else(|| damaged("the weights cannot be unpacked"))?;
        let text = |bytes: &[u8]| {
            String::from_utf8(bytes.to_vec()).map_err(|_| damaged("what it says of itself is no text"))
        };
        Ok(Weights { model: text(model)?, story: text(story)?, stages, weights, values })
    }
}
