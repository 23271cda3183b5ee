//! Files of tensors in the safetensors format: a length, a header in JSON, then the numbers.
//!
//! The reader is strict: tensors must cover the data without gaps and without overlaps, in any order, and a name may
//! stand once. What it allocates is bounded by the length of the file.

use std::collections::{BTreeMap, HashSet};
use std::fmt;

use serde::Deserializer;
use serde::de::{Deserialize, MapAccess, Visitor};
use serde_json::{Map, Value, json};
use thiserror::Error;

use crate::half::{from_bf16, from_f16, to_f16};

/// The longest header, as in the reference implementation.
const MOST_HEADER: usize = 100_000_000;

/// How numbers are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Precision {
    /// Single precision, without loss.
    F32,
    /// Half precision.
    F16,
}

/// A named array.
#[derive(Clone, PartialEq, Debug)]
pub struct NamedArray {
    /// The name.
    pub name: String,
    /// The length of each dimension.
    pub shape: Vec<usize>,
    /// The numbers, the last dimension fastest.
    pub data: Vec<f32>,
}

/// The content of a file.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Safetensors {
    /// What the file says about itself.
    pub metadata: BTreeMap<String, String>,
    /// The tensors, in the order of the header.
    pub tensors: Vec<NamedArray>,
}

/// A file that is not a safetensors file, or a damaged one.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SafetensorsError {
    /// Shorter than its header says.
    #[error("the file is cut: it has {found} bytes, and its header needs {needed}")]
    Cut {
        /// The length of the file.
        found: usize,
        /// The least length.
        needed: u64,
    },
    /// A header longer than any.
    #[error("this is not a safetensors file: its header would have {length} bytes")]
    Header {
        /// The length.
        length: u64,
    },
    /// A header that is not JSON of the right form.
    #[error("the header of the safetensors file is invalid: {0}")]
    Json(String),
    /// An invalid entry of a tensor.
    #[error("the tensor {name}: {problem}")]
    Tensor {
        /// The name of the tensor.
        name: String,
        /// What is wrong with it.
        problem: String,
    },
    /// Bytes that belong to no tensor or to several.
    #[error("the tensors do not cover the data of the file exactly once, from byte {at} on")]
    Coverage {
        /// The first such byte of the data.
        at: usize,
    },
}

/// The entries of the header in order, so that a name that stands twice is noticed.
struct Entries(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Entries, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Entries;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}

impl Safetensors {
    /// Reads a file.
    ///
    /// # Errors
    /// The bytes are not a complete safetensors file with tensors of floats.
    pub fn read(bytes: &[u8]) -> Result<Safetensors, SafetensorsError> {
        let cut = |needed: u64| SafetensorsError::Cut { found: bytes.len(), needed };
        let (length, rest) = bytes.split_first_chunk::<8>().ok_or(cut(8))?;
        let length = u64::from_le_bytes(*length);
        let size = usize::try_from(length).ok().filter(|size| *size <= MOST_HEADER);
        let size = size.ok_or(SafetensorsError::Header { length })?;
        let (header, data) = rest.split_at_checked(size).ok_or(cut(8 + length))?;
        let Entries(entries) =
            serde_json::from_slice(header).map_err(|error| SafetensorsError::Json(error.to_string()))?;
        let (mut file, mut ranges, mut names) = (Safetensors::default(), Vec::new(), HashSet::new());
        for (name, entry) in entries {
            if name == "__metadata__" {
                file.metadata =
                    serde_json::from_value(entry).map_err(|error| SafetensorsError::Json(error.to_string()))?;
                continue;
            }
            let wrong = |problem: String| SafetensorsError::Tensor { name: name.clone(), problem };
            if !names.insert(name.clone()) {
                return Err(wrong("its name stands twice".to_owned()));
            }
            let (begin, end) = offsets(&entry)
                .ok_or_else(|| wrong("data_offsets is not a pair of whole numbers in order".to_owned()))?;
            if end > data.len() {
                return Err(cut(8 + length + end as u64));
            }
            ranges.push((begin, end));
            // A counter of PyTorch's batch norms, not needed for anything.
            if name.ends_with(".num_batches_tracked") {
                continue;
            }
            let shape = shape(&entry).ok_or_else(|| wrong("shape is not a list of whole numbers".to_owned()))?;
            let dtype = entry["dtype"].as_str().unwrap_or_default();
            let width = match dtype {
                "F32" => 4,
                "F16" | "BF16" => 2,
                _ => return Err(wrong(format!("dtype {} is not F32, F16 or BF16", entry["dtype"]))),
            };
            let count = shape.iter().try_fold(1usize, |product, length| product.checked_mul(*length));
            if count.and_then(|count| count.checked_mul(width)) != Some(end - begin) {
                return Err(wrong(format!("{} bytes do not fit the shape {shape:?} of {dtype}", end - begin)));
            }
            file.tensors.push(NamedArray { data: floats(dtype, &data[begin..end]), name, shape });
        }
        ranges.sort_unstable();
        let mut covered = 0;
        for (begin, end) in ranges {
            if begin != covered {
                return Err(SafetensorsError::Coverage { at: covered.min(begin) });
            }
            covered = end;
        }
        if covered == data.len() { Ok(file) } else { Err(SafetensorsError::Coverage { at: covered }) }
    }

    /// The bytes of a file.
    pub fn write(&self, precision: Precision) -> Vec<u8> {
        let data = Safetensors::data(&self.tensors, precision);
        let mut header = Map::new();
        if !self.metadata.is_empty() {
            header.insert("__metadata__".to_owned(), json!(self.metadata));
        }
        let (dtype, width) = match precision {
            Precision::F32 => ("F32", 4),
            Precision::F16 => ("F16", 2),
        };
        let mut begin = 0;
        for tensor in &self.tensors {
            let end = begin + tensor.data.len() * width;
            let entry = json!({ "dtype": dtype, "shape": tensor.shape, "data_offsets": [begin, end] });
            header.insert(tensor.name.clone(), entry);
            begin = end;
        }
        let mut header = Value::Object(header).to_string();
        // The data begin at a multiple of 8.
        header.extend(std::iter::repeat_n(' ', header.len().next_multiple_of(8) - header.len()));
        [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &data].concat()
    }

    /// The numbers of tensors as they are stored.
    pub(crate) fn data(tensors: &[NamedArray], precision: Precision) -> Vec<u8> {
        let all = tensors.iter().flat_map(|tensor| &tensor.data);
        match precision {
            Precision::F32 => all.flat_map(|x| x.to_le_bytes()).collect(),
            Precision::F16 => all.flat_map(|x| to_f16(*x).to_le_bytes()).collect(),
        }
    }
}

fn whole(value: &Value) -> Option<usize> {
    value.as_u64().and_then(|number| usize::try_from(number).ok())
}

fn shape(entry: &Value) -> Option<Vec<usize>> {
    entry["shape"].as_array()?.iter().map(whole).collect()
}

fn offsets(entry: &Value) -> Option<(usize, usize)> {
    let [begin, end] = entry["data_offsets"].as_array()?.as_slice() else { return None };
    let (begin, end) = (whole(begin)?, whole(end)?);
    (begin <= end).then_some((begin, end))
}

fn floats(dtype: &str, bytes: &[u8]) -> Vec<f32> {
    let halves = || bytes.as_chunks::<2>().0.iter().map(|bytes| u16::from_le_bytes(*bytes));
    match dtype {
        "F32" => bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect(),
        "F16" => halves().map(from_f16).collect(),
        _ => halves().map(from_bf16).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::reference::numbers;
    use crate::random::Random;

    fn file() -> Safetensors {
        let mut random = Random::new(1);
        let array = |name: &str, shape: Vec<usize>, data| NamedArray { name: name.into(), shape, data };
        Safetensors {
            metadata: BTreeMap::from([("architecture".into(), "policy".into())]),
            tensors: vec![
                array("a", vec![2, 3], numbers(&mut random, 6)),
                array("b", vec![], numbers(&mut random, 1)),
                array("ü \"c\"", vec![0, 3], vec![]),
            ],
        }
    }

    /// A file with this header and so many bytes of data.
    fn with_header(header: &str, data: usize) -> Result<Safetensors, SafetensorsError> {
        Safetensors::read(&[&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &vec![0; data]].concat())
    }

    #[test]
    fn what_is_written_is_read() {
        let file = file();
        assert_eq!(Safetensors::read(&file.write(Precision::F32)), Ok(file.clone()));
        let half = Safetensors::read(&file.write(Precision::F16)).unwrap();
        for (half, full) in half.tensors.iter().zip(&file.tensors) {
            assert_eq!((&half.name, &half.shape), (&full.name, &full.shape));
            for (half, full) in half.data.iter().zip(&full.data) {
                assert!((half - full).abs() <= full.abs() / 2048.0 + 1e-7);
            }
        }
        // Half precision is exact the second time.
        assert_eq!(Safetensors::read(&half.write(Precision::F16)), Ok(half));
    }

    #[test]
    fn every_cut_is_an_error() {
        let bytes = file().write(Precision::F32);
        for length in 0..bytes.len() {
            assert!(Safetensors::read(&bytes[..length]).is_err(), "{length} of {} bytes", bytes.len());
        }
        assert_eq!(Safetensors::read(&[&bytes[..], &[0]].concat()), Err(SafetensorsError::Coverage { at: 28 }));
    }

    #[test]
    fn flipped_bits_never_panic() {
        let bytes = file().write(Precision::F32);
        for bit in 0..bytes.len() * 8 {
            let mut bytes = bytes.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let _ = Safetensors::read(&bytes);
        }
    }

    #[test]
    fn errors_name_the_tensor_and_the_problem() {
        let error = |header: &str| with_header(header, 8).unwrap_err().to_string();
        assert!(error("[]").contains("invalid"));
        assert!(error(r#"{"a":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}}"#).contains("\"I64\" is not F32"));
        assert!(error(r#"{"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}}"#).contains("8 bytes do not fit"));
        assert!(error(r#"{"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,8]}}"#).contains("shape is not"));
        assert!(error(r#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}}"#).contains("data_offsets"));
        assert!(error(r#"{"a":{"dtype":"F32","shape":[3],"data_offsets":[0,12]}}"#).contains("cut"));
        let entry = r#""a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}"#;
        assert!(error(&format!("{{{entry},{entry}}}")).contains("stands twice"));
        assert!(
            error(&format!("{{{entry},\"b\":{{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}}}"))
                .contains("exactly once")
        );
        let huge = u32::MAX as usize;
        let header = format!(r#"{{"a":{{"dtype":"F32","shape":[{huge},{huge},{huge}],"data_offsets":[0,8]}}}}"#);
        assert!(error(&header).contains("do not fit"));
        assert!(
            Safetensors::read(b"GIF89a, long enough for a length").unwrap_err().to_string().contains("this is not")
        );
        let counter = r#"{"a.num_batches_tracked":{"dtype":"I64","shape":[],"data_offsets":[0,8]}}"#;
        assert_eq!(with_header(counter, 8), Ok(Safetensors::default()));
    }
}
