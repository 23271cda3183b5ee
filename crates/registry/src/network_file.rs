//! Files of networks: what is in them, how well and how fast they are, and other formats.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use serde::{Deserialize, Serialize};
use tesuji_engines::network::ENCODER;
use tesuji_learn::job::write_new;
use tesuji_learn::positions::PositionSetHeader;
use tesuji_nn::{
    Arithmetic, Evaluation, Evaluator, Network, NetworkFile, OnnxNorms, Planes, Precision, Random, read_onnx,
    read_onnx_for, sha256, write_onnx,
};
use tesuji_store::blocks::{BlockError, BlockFile};
use tesuji_task::{Context, cores};

use crate::{Error, FilePrecision, GameHandle, NetworkEvaluation, NetworkEvaluationJob, Registry};

/// The largest file that is read. A network of a gigabyte would need seconds for a position.
const MAX_BYTES: u64 = 1 << 30;

/// The format of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NetworkFormat {
    /// Tensors with metadata.
    Safetensors,
    /// A graph for other programs.
    Onnx,
}

/// What a file of a network contains.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NetworkInfo {
    /// The file.
    pub file: String,
    /// Its format.
    pub format: NetworkFormat,
    /// Its size.
    pub bytes: usize,
    /// The architecture.
    pub architecture: String,
    /// The games whose positions it reads, as far as the file or the shape tells.
    pub games: Vec<String>,
    /// The name of the encoding of the game, if the file has it.
    pub encoder: Option<String>,
    /// The shape of the encoding.
    pub encoding: String,
    /// Learned parameters.
    pub parameters: usize,
    /// Floating-point operations to evaluate a position, counted as direct convolutions.
    pub operations: usize,
    /// Bits of a stored number, if all have the same.
    pub bits: Option<usize>,
    /// The SHA-256 of the weights, compared with the one in the file.
    pub sha256: Option<String>,
    /// All tensors.
    pub tensors: Vec<TensorInfo>,
    /// What the file says about itself.
    pub metadata: BTreeMap<String, String>,
    /// What was assumed about a file of another program.
    #[serde(skip)]
    pub warning: Option<String>,
}

/// A tensor.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TensorInfo {
    /// Its name.
    pub name: String,
    /// The length of each dimension.
    pub shape: Vec<usize>,
}

/// The figures of a network on data sets.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NetworkEvaluationResponse {
    /// The file of the network.
    pub net: String,
    /// The game.
    pub game: String,
    /// The figures.
    #[serde(flatten)]
    pub figures: NetworkEvaluation,
    /// What was assumed about a file of another program.
    #[serde(skip)]
    pub warning: Option<String>,
}

/// A network to be written in another format or precision.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NetworkConversion {
    /// The file to read.
    pub file: PathBuf,
    /// The format to write.
    pub to: NetworkFormat,
    /// How numbers are stored; ONNX files have single precision.
    pub precision: FilePrecision,
    /// The file to write.
    pub out: PathBuf,
}

/// A converted network.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NetworkConversionResponse {
    /// The new file.
    pub file: String,
    /// Its format.
    pub format: NetworkFormat,
    /// Its size.
    pub bytes: usize,
    /// What was assumed about a file of another program.
    #[serde(skip)]
    pub warning: Option<String>,
}

/// A measurement of the speed of a network.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NetworkBench {
    /// The file.
    pub file: PathBuf,
    /// Positions that are evaluated together.
    pub batches: Vec<usize>,
    /// Threads; all cores by default.
    pub threads: Option<usize>,
    /// Computes in bfloat16 where the processor has a matrix unit for it.
    pub bf16: bool,
    /// How long each batch size is measured.
    pub time: Duration,
}

/// The speed of a network with one size of batches.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NetworkSpeed {
    /// Positions that are evaluated together.
    pub batch: usize,
    /// Threads.
    pub threads: usize,
    /// The instruction set.
    pub instructions: String,
    /// The arithmetic: `f32` or `bf16`.
    pub arithmetic: String,
    /// Positions evaluated.
    pub positions: u64,
    /// Positions per second.
    pub per_second: f64,
    /// Positions per second of CPU time.
    pub per_cpu_second: f64,
}

/// A network with what its file says about it.
struct NetworkFromFile {
    format: NetworkFormat,
    bytes: Vec<u8>,
    file: NetworkFile,
    warning: Option<String>,
}

/// Whether a file calls itself ONNX.
fn is_onnx(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("onnx"))
}

fn read(path: &Path, game: Option<&GameHandle>) -> Result<NetworkFromFile, Error> {
    let cannot = |error: std::io::Error| Error::invalid(format!("cannot read {}: {error}", path.display()));
    let wrong = |error: &dyn std::fmt::Display| Error::invalid(format!("{}: {error}", path.display()));
    let length = fs::metadata(path).map_err(cannot)?.len();
    if length > MAX_BYTES {
        return Err(wrong(&format!("the file has {length} bytes; a network has at most {MAX_BYTES}")));
    }
    let bytes = fs::read(path).map_err(cannot)?;
    let named = game.and_then(|game| game.encoding());
    let expected = named.map(|encoding| {
        let tesuji_game::Encoding { name: _, height, width, planes, policy_planes } = encoding;
        tesuji_nn::Encoding { height, width, planes, policy_planes }
    });
    if is_onnx(path) {
        let network = match expected {
            Some(expected) => read_onnx_for(&bytes, expected),
            None => read_onnx(&bytes),
        };
        let file = NetworkFile { network: network.map_err(|error| wrong(&error))?, metadata: BTreeMap::new() };
        return Ok(NetworkFromFile { format: NetworkFormat::Onnx, bytes, file, warning: None });
    }
    let (file, warning) = NetworkFile::read_for(&bytes, expected, None).map_err(|error| wrong(&error))?;
    if let (Some(found), Some(named)) = (file.metadata.get(ENCODER), named)
        && found != named.name
    {
        return Err(wrong(&format!("the network belongs to the encoder {found}; {} is needed", named.name)));
    }
    let warning = warning.map(|warning| format!("{}: {warning}", path.display()));
    Ok(NetworkFromFile { format: NetworkFormat::Safetensors, bytes, file, warning })
}

impl Registry {
    /// Describes the file of a network. Its checksum is verified.
    ///
    /// # Errors
    /// The file is damaged, or no network.
    pub fn show_network(&self, path: &Path) -> Result<NetworkInfo, Error> {
        let NetworkFromFile { format, bytes, file: NetworkFile { network, metadata }, warning } = read(path, None)?;
        let tensors = network.tensors();
        let numbers: usize = tensors.iter().map(|tensor| tensor.data.len()).sum();
        let data = match format {
            NetworkFormat::Safetensors => {
                let header = bytes.first_chunk::<8>().map_or(0, |length| u64::from_le_bytes(*length) as usize);
                bytes.get(8 + header..)
            }
            NetworkFormat::Onnx => None,
        };
        let bits = data.map(|data| 8 * data.len()).filter(|bits| bits.is_multiple_of(numbers.max(1)));
        Ok(NetworkInfo {
            file: path.display().to_string(),
            format,
            bytes: bytes.len(),
            architecture: network.architecture().to_string(),
            games: self.games_of(&network, metadata.get(ENCODER)),
            encoder: metadata.get(ENCODER).cloned(),
            encoding: network.encoding().to_string(),
            parameters: network.parameters(),
            operations: network.operations(),
            bits: bits.map(|bits| bits / numbers.max(1)),
            sha256: data.filter(|_| warning.is_none()).map(sha256),
            tensors: tensors
                .iter()
                .map(|tensor| TensorInfo { name: tensor.name.clone(), shape: tensor.shape.clone() })
                .collect(),
            metadata,
            warning,
        })
    }

    /// The games whose positions a network reads: by the name of the encoding, or else by its shape.
    fn games_of(&self, network: &Network, encoder: Option<&String>) -> Vec<String> {
        let reads = |game: &&GameHandle| {
            game.encoding().is_some_and(|own| match encoder {
                Some(name) => own.name == name,
                None => {
                    let tesuji_nn::Encoding { height, width, planes, policy_planes } = network.encoding();
                    (own.height, own.width, own.planes, own.policy_planes) == (height, width, planes, policy_planes)
                }
            })
        };
        self.games().iter().filter(reads).map(|game| game.name().to_owned()).collect()
    }

    /// Evaluates a network on data sets. The first set says which game it is.
    ///
    /// # Errors
    /// A file is damaged or belongs to another game, or the work was cancelled.
    pub fn evaluate_network_file(
        &self,
        job: &NetworkEvaluationJob,
        context: Context<'_>,
    ) -> Result<NetworkEvaluationResponse, Error> {
        let Some(set) = job.data.first() else { return Err(Error::field("data", "give a data set of positions")) };
        let blocks = BlockFile::open(set).map_err(|error| match error {
            BlockError::Magic { .. } => Error::invalid(format!(
                "{} is not a data set of positions: give one made by `tesuji train data` or `tesuji selfplay`",
                set.display()
            )),
            error => Error::invalid(error),
        })?;
        let header = PositionSetHeader::parse(blocks.head())
            .map_err(|what| Error::invalid(format!("{} {what}", set.display())))?;
        let game = self.game(&header.game).map_err(|error| Error::invalid(format!("{}: {error}", set.display())))?;
        let NetworkFromFile { file, warning, .. } = read(&job.net, Some(game))?;
        let figures = game.evaluate_network(job, &file.network, context)?;
        Ok(NetworkEvaluationResponse { net: job.net.display().to_string(), game: header.game, figures, warning })
    }

    /// Writes a network in another format or precision.
    ///
    /// # Errors
    /// The file is damaged, or the new one exists with other contents or cannot be written.
    pub fn convert_network(&self, request: &NetworkConversion) -> Result<NetworkConversionResponse, Error> {
        let NetworkFromFile { mut file, warning, .. } = read(&request.file, None)?;
        let bytes = match request.to {
            NetworkFormat::Onnx if request.precision == FilePrecision::F16 => {
                return Err(Error::field("precision", "ONNX files are written in single precision: leave it out"));
            }
            NetworkFormat::Onnx => write_onnx(&file.network, OnnxNorms::Kept),
            NetworkFormat::Safetensors => {
                // The shape of an ONNX file often tells the game.
                let games = self.games().iter().filter_map(|game| game.encoding());
                let tesuji_nn::Encoding { height, width, planes, policy_planes } = file.network.encoding();
                let shape = (height, width, planes, policy_planes);
                let mut named = games.filter(|own| (own.height, own.width, own.planes, own.policy_planes) == shape);
                if let Some(encoding) = named.next() {
                    file.metadata.entry(ENCODER.to_owned()).or_insert_with(|| encoding.name.to_owned());
                }
                file.write(Precision::from(request.precision))
            }
        };
        write_new(&request.out, &bytes)?;
        let file = request.out.display().to_string();
        Ok(NetworkConversionResponse { file, format: request.to, bytes: bytes.len(), warning })
    }

    /// Measures the speed of a network, batch size after batch size.
    ///
    /// # Errors
    /// The file is damaged, a batch is empty, or the work was cancelled.
    pub fn bench_network(
        &self,
        request: &NetworkBench,
        context: Context<'_>,
        events: &mut dyn FnMut(NetworkSpeed),
    ) -> Result<(), Error> {
        let NetworkFromFile { file, .. } = read(&request.file, None)?;
        let threads = request.threads.unwrap_or_else(cores);
        let wanted = if request.bf16 { Arithmetic::Bf16 } else { Arithmetic::Single };
        let mut evaluator = Evaluator::new(&file.network, threads).with_arithmetic(&file.network, wanted);
        if evaluator.arithmetic() != wanted {
            tracing::warn!(
                "this processor has no instructions for bf16 (AMX, AVX-512 BF16): the network is computed in f32"
            );
        }
        let arithmetic = if evaluator.arithmetic() == Arithmetic::Bf16 { "bf16" } else { "f32" };
        let (encoding, mut evaluation) = (file.network.encoding(), Evaluation::default());
        for (number, &batch) in request.batches.iter().enumerate() {
            if batch == 0 {
                return Err(Error::field("batch", "0: a batch has at least one position"));
            }
            // Random planes, as sparse as those of a game: three random words of which all must have the bit.
            let mut random = Random::new(1);
            let words = (0..batch * encoding.words()).map(|_| random.bits() & random.bits() & random.bits());
            let planes: Vec<u64> = words.collect();
            evaluator.evaluate_into(Planes::Bits(&planes), batch, &mut evaluation);
            let (begun, cpu, mut positions) = (Instant::now(), ProcessTime::now(), 0);
            while positions == 0 || begun.elapsed() < request.time {
                if context.is_cancelled() {
                    return Err(Error::Cancelled);
                }
                evaluator.evaluate_into(Planes::Bits(&planes), batch, &mut evaluation);
                positions += batch as u64;
            }
            let rate = |seconds: f64| (positions as f64 / seconds.max(1e-9) * 10.0).round() / 10.0;
            events(NetworkSpeed {
                batch,
                threads,
                instructions: evaluator.instruction_set().to_string(),
                arithmetic: arithmetic.to_owned(),
                positions,
                per_second: rate(begun.elapsed().as_secs_f64()),
                per_cpu_second: rate(cpu.elapsed().as_secs_f64()),
            });
            context.report(number as u64 + 1, request.batches.len() as u64);
        }
        Ok(())
    }
}
