//! A network for inference: integers, and the file that holds them.
//!
//! ```text
//! feature set: length, 4 bytes, and name | inputs, 4 | columns of an accumulator, 4 | output buckets, 4 | unit, 4
//! provenance: length, 4, and text
//! biases of the accumulator, i16 | rows of the inputs, i16 each | direct weights of the inputs, i16
//! for each output bucket:
//!     layer 1: biases, i32; weights, i8, hidden unit by hidden unit | layer 2 likewise | output: bias, i32; weights, i16
//! ```
//!
//! This is the payload of a [`FileFrame`]. Numbers are little-endian.
//!
//! An accumulator counts 1 as 255. Its clipped and squared columns count 1 as 127, as the clipped units of the hidden
//! layers do, whose weights count 1 as 64. The output and its biases count 64 for each unit of value, the direct weights
//! 8 for each. The *unit* is the value that multiplies the odds of winning by e.

use tesuji_store::frame::{Fields, FileFrame, FrameError};
use thiserror::Error;

use super::dense::HIDDEN;

/// The frame of the file.
pub const FRAME: FileFrame = FileFrame { magic: b"tesujiU\n", version: 1 };

/// 1 in an accumulator.
pub const ACCUMULATOR_ONE: i16 = 255;
/// 1 as an activation.
pub const ACTIVATION_ONE: i32 = 127;
/// Binary digits of a hidden weight after the point.
pub const WEIGHT_SHIFT: u32 = 6;
/// Steps of the output for each unit of value.
pub const OUTPUT_STEPS: i32 = 64;
/// Steps of a direct weight for each unit of value.
pub const DIRECT_STEPS: i32 = 8;

/// The most inputs, columns and output buckets that are read: larger numbers are damage.
const MOST: [usize; 3] = [1 << 20, 1 << 10, 64];

/// The layers of one output bucket.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutputLayers {
    /// Biases of the first hidden layer.
    pub bias1: Vec<i32>,
    /// Weights of the first hidden layer, unit by unit: the side to move first, then the other.
    pub weights1: Vec<i8>,
    /// Biases of the second hidden layer.
    pub bias2: Vec<i32>,
    /// Weights of the second hidden layer, unit by unit.
    pub weights2: Vec<i8>,
    /// The bias of the output.
    pub bias3: i32,
    /// The weights of the output.
    pub weights3: Vec<i16>,
}

/// A quantised network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NnueWeights {
    /// Name and version of the feature set.
    pub features: String,
    /// Columns of an accumulator.
    pub width: usize,
    /// The value that multiplies the odds of winning by e.
    pub unit: u32,
    /// How it was made.
    pub provenance: String,
    /// Biases of the accumulator.
    pub bias: Vec<i16>,
    /// A row of `width` columns for each input.
    pub rows: Vec<i16>,
    /// A direct weight for each input.
    pub direct: Vec<i16>,
    /// The layers of each output bucket.
    pub outputs: Vec<OutputLayers>,
}

/// A file that holds no network.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NnueFileError {
    /// The frame is damaged, or that of something else.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// The content does not fit together.
    #[error("the network in it is damaged: {0}")]
    Content(&'static str),
}

impl NnueWeights {
    /// The number of inputs.
    pub fn inputs(&self) -> usize {
        self.direct.len()
    }

    /// The bytes of the file.
    pub fn write(&self) -> Vec<u8> {
        FRAME.write(|out| {
            let number = |out: &mut Vec<u8>, number: usize| out.extend((number as u32).to_le_bytes());
            let text = |out: &mut Vec<u8>, text: &str| {
                number(out, text.len());
                out.extend(text.as_bytes());
            };
            text(out, &self.features);
            for size in [self.inputs(), self.width, self.outputs.len(), self.unit as usize] {
                number(out, size);
            }
            text(out, &self.provenance);
            for part in [&self.bias, &self.rows, &self.direct] {
                out.extend(part.iter().flat_map(|number| number.to_le_bytes()));
            }
            for layers in &self.outputs {
                out.extend(layers.bias1.iter().flat_map(|number| number.to_le_bytes()));
                out.extend(layers.weights1.iter().map(|number| number.cast_unsigned()));
                out.extend(layers.bias2.iter().flat_map(|number| number.to_le_bytes()));
                out.extend(layers.weights2.iter().map(|number| number.cast_unsigned()));
                out.extend(layers.bias3.to_le_bytes());
                out.extend(layers.weights3.iter().flat_map(|number| number.to_le_bytes()));
            }
        })
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// They are no file of this type, or damaged.
    pub fn read(bytes: &[u8]) -> Result<NnueWeights, NnueFileError> {
        let mut fields = Fields::new(FRAME.read(bytes)?);
        let text = |fields: &mut Fields<'_>| {
            let length = fields.u32()? as usize;
            let bytes = fields.bytes(length)?.to_vec();
            String::from_utf8(bytes).map_err(|_| NnueFileError::Content("a text is not UTF-8"))
        };
        let features = text(&mut fields)?;
        let [inputs, width, outputs] = [fields.u32()? as usize, fields.u32()? as usize, fields.u32()? as usize];
        let unit = fields.u32()?;
        if [inputs, width, outputs].iter().zip(MOST).any(|(&found, most)| found == 0 || found > most) || unit == 0 {
            return Err(NnueFileError::Content("its sizes are not those of a network"));
        }
        let provenance = text(&mut fields)?;
        let words = |fields: &mut Fields<'_>, count: usize| -> Result<Vec<i16>, FrameError> {
            let words = fields.bytes(2 * count)?.as_chunks::<2>().0;
            Ok(words.iter().map(|&bytes| i16::from_le_bytes(bytes)).collect())
        };
        let longs = |fields: &mut Fields<'_>, count: usize| -> Result<Vec<i32>, FrameError> {
            let longs = fields.bytes(4 * count)?.as_chunks::<4>().0;
            Ok(longs.iter().map(|&bytes| i32::from_le_bytes(bytes)).collect())
        };
        let bytes = |fields: &mut Fields<'_>, count: usize| -> Result<Vec<i8>, FrameError> {
            Ok(fields.bytes(count)?.iter().map(|byte| byte.cast_signed()).collect())
        };
        let bias = words(&mut fields, width)?;
        let rows = words(&mut fields, inputs * width)?;
        let direct = words(&mut fields, inputs)?;
        let mut layers = Vec::with_capacity(outputs);
        for _ in 0..outputs {
            layers.push(OutputLayers {
                bias1: longs(&mut fields, HIDDEN)?,
                weights1: bytes(&mut fields, HIDDEN * 2 * width)?,
                bias2: longs(&mut fields, HIDDEN)?,
                weights2: bytes(&mut fields, HIDDEN * HIDDEN)?,
                bias3: fields.u32()?.cast_signed(),
                weights3: words(&mut fields, HIDDEN)?,
            });
        }
        if !fields.is_empty() {
            return Err(NnueFileError::Content("there are bytes behind its end"));
        }
        Ok(NnueWeights { features, width, unit, provenance, bias, rows, direct, outputs: layers })
    }

    /// The value of a position for the side to move, computed slowly: the reference of all kernels.
    ///
    /// # Panics
    /// If an input or the output bucket does not exist.
    pub fn evaluate(&self, active: [&[u32]; 2], output: usize) -> i32 {
        let mut inputs = Vec::with_capacity(2 * self.width);
        for active in active {
            let row = |input: u32| &self.rows[input as usize * self.width..][..self.width];
            for column in 0..self.width {
                let sum: i32 = active.iter().map(|&input| i32::from(row(input)[column])).sum();
                let clipped = (sum + i32::from(self.bias[column])).clamp(0, i32::from(ACCUMULATOR_ONE));
                inputs.push((clipped * clipped) >> 9);
            }
        }
        let straight = |active: &[u32]| active.iter().map(|&input| i32::from(self.direct[input as usize])).sum::<i32>();
        let layers = &self.outputs[output];
        let first = hidden(&inputs, &layers.weights1, &layers.bias1);
        let second = hidden(&first, &layers.weights2, &layers.bias2);
        let sum: i32 = second.iter().zip(&layers.weights3).map(|(x, &w)| x * i32::from(w)).sum();
        let direct = OUTPUT_STEPS / DIRECT_STEPS / 2 * (straight(active[0]) - straight(active[1]));
        (layers.bias3 + sum + direct) / OUTPUT_STEPS
    }
}

fn hidden(inputs: &[i32], weights: &[i8], biases: &[i32]) -> Vec<i32> {
    let units = weights.chunks_exact(inputs.len()).zip(biases);
    let unit = |(weights, bias): (&[i8], &i32)| {
        let sum: i32 = inputs.iter().zip(weights).map(|(x, &w)| x * i32::from(w)).sum();
        ((sum + bias) >> WEIGHT_SHIFT).clamp(0, ACTIVATION_ONE)
    };
    units.map(unit).collect()
}
