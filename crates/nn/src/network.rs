//! A network: its architecture, its encoding and its tensors.

use thiserror::Error;

use crate::arch::{Architecture, Encoding, Trunk};
use crate::random::Random;
use crate::safetensors::NamedArray;

/// What a tensor is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Weights of a convolution or a fully connected layer. Weight decay applies to these alone.
    Weight,
    /// A bias, or the factor or the shift of a batch norm.
    Bias,
    /// A running average of a batch norm. It is measured, not learned.
    Statistic,
}

/// A named array.
#[derive(Clone, PartialEq, Debug)]
pub struct Tensor {
    /// The name in files, such as `trunk.0.conv.weight`.
    pub name: String,
    /// The length of each dimension.
    pub shape: Vec<usize>,
    /// What it is for.
    pub role: Role,
    /// The numbers, the last dimension fastest.
    pub data: Vec<f32>,
}

/// Added to the variance in a batch norm.
pub(crate) const EPSILON: f32 = 1e-5;

/// A network with its weights.
///
/// Tensors are named, shaped and ordered as in PyTorch: a convolution is outputs × inputs × height × width, a fully
/// connected layer outputs × inputs.
#[derive(Clone, PartialEq, Debug)]
pub struct Network {
    encoding: Encoding,
    architecture: Architecture,
    tensors: Vec<Tensor>,
}

/// Tensors that do not fit the network.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NetworkError {
    /// A tensor is missing.
    #[error("the tensor {name} is missing")]
    Missing {
        /// Its name.
        name: String,
    },
    /// A tensor has another shape.
    #[error("the tensor {name} has the shape {found:?} instead of {expected:?}")]
    Shape {
        /// Its name.
        name: String,
        /// Its shape.
        found: Vec<usize>,
        /// The shape that the architecture needs.
        expected: Vec<usize>,
    },
    /// A tensor that the architecture does not have.
    #[error("the network has no tensor {name}")]
    Unknown {
        /// Its name.
        name: String,
    },
    /// A tensor that stands twice.
    #[error("the tensor {name} stands twice")]
    Twice {
        /// Its name.
        name: String,
    },
    /// A tensor contains infinite values or no numbers.
    #[error("the tensor {name} contains a value that is not a finite number, or a negative variance")]
    NotFinite {
        /// Its name.
        name: String,
    },
}

/// Positions of the tensors of a batch norm and its convolution, relative to the first.
pub(crate) mod part {
    pub(crate) const SCALE: usize = 1;
    pub(crate) const SHIFT: usize = 2;
    pub(crate) const MEAN: usize = 3;
    pub(crate) const VARIANCE: usize = 4;
    pub(crate) const COUNT: usize = 5;
}

impl Network {
    /// A network with random weights: those before a ReLU by He et al. (2015), with the same weights for the same seed.
    pub fn new(encoding: Encoding, architecture: Architecture, seed: u64) -> Network {
        let mut random = Random::new(seed);
        let tensor = |(name, shape, role): (String, Vec<usize>, Role)| {
            let size = shape.iter().product();
            let data = match role {
                Role::Weight => {
                    // No ReLU follows on the last layer of a head.
                    let gain = if name == "policy.conv.weight" || name == "value.fc2.weight" { 1.0 } else { 2.0 };
                    let deviation = (gain / shape[1..].iter().product::<usize>() as f32).sqrt();
                    (0..size).map(|_| random.normal() * deviation).collect()
                }
                _ => {
                    vec![if name.ends_with("bn.weight") || name.ends_with("bn.running_var") { 1.0 } else { 0.0 }; size]
                }
            };
            Tensor { name, shape, role, data }
        };
        let tensors = layout(encoding, architecture).into_iter().map(tensor).collect();
        Network { encoding, architecture, tensors }
    }

    /// A network with the given tensors, in any order.
    ///
    /// # Errors
    /// A tensor is missing, unknown, not finite, or has a shape that does not fit.
    pub fn from_tensors(
        encoding: Encoding,
        architecture: Architecture,
        tensors: Vec<(String, Vec<usize>, Vec<f32>)>,
    ) -> Result<Network, NetworkError> {
        let mut layout: Vec<_> = layout(encoding, architecture).into_iter().map(|entry| (entry, None)).collect();
        for (name, shape, data) in tensors {
            let Some(((_, expected, _), slot)) = layout.iter_mut().find(|((known, ..), _)| *known == name) else {
                return Err(NetworkError::Unknown { name });
            };
            if shape != *expected || data.len() != shape.iter().product::<usize>() {
                return Err(NetworkError::Shape { name, found: shape, expected: expected.clone() });
            }
            // The root of a negative variance is not a number, either.
            if !data.iter().all(|x| x.is_finite() && (*x >= 0.0 || !name.ends_with("bn.running_var"))) {
                return Err(NetworkError::NotFinite { name });
            }
            if slot.replace(data).is_some() {
                return Err(NetworkError::Twice { name });
            }
        }
        let tensor = |((name, shape, role), data): ((String, Vec<usize>, Role), Option<Vec<f32>>)| match data {
            Some(data) => Ok(Tensor { name, shape, role, data }),
            None => Err(NetworkError::Missing { name }),
        };
        let tensors = layout.into_iter().map(tensor).collect::<Result<_, _>>()?;
        Ok(Network { encoding, architecture, tensors })
    }

    /// A network with the tensors of a file.
    pub(crate) fn from_arrays(
        encoding: Encoding,
        architecture: Architecture,
        arrays: Vec<NamedArray>,
    ) -> Result<Network, NetworkError> {
        let parts = arrays.into_iter().map(|array| (array.name, array.shape, array.data));
        Network::from_tensors(encoding, architecture, parts.collect())
    }

    /// The tensors as they are written to a file.
    pub(crate) fn to_arrays(&self) -> Vec<NamedArray> {
        let array = |tensor: &Tensor| {
            let Tensor { name, shape, data, .. } = tensor.clone();
            NamedArray { name, shape, data }
        };
        self.tensors.iter().map(array).collect()
    }

    /// Takes over every tensor of the trunk of another network, as when a value net starts from a policy net.
    ///
    /// # Errors
    /// The trunks have different shapes.
    pub fn take_trunk(&mut self, other: &Network) -> Result<(), NetworkError> {
        let count = self.architecture.convolutions() * part::COUNT;
        for tensor in &mut self.tensors[..count] {
            let Some(source) = other.tensors.iter().find(|source| source.name == tensor.name) else {
                return Err(NetworkError::Missing { name: tensor.name.clone() });
            };
            if source.shape != tensor.shape {
                let (found, expected) = (source.shape.clone(), tensor.shape.clone());
                return Err(NetworkError::Shape { name: tensor.name.clone(), found, expected });
            }
            tensor.data.clone_from(&source.data);
        }
        Ok(())
    }

    /// Takes over every tensor of another network that has the same name and shape; the names of these.
    pub fn take_over(&mut self, other: &Network) -> Vec<String> {
        let mut taken = Vec::new();
        for tensor in &mut self.tensors {
            let same = |source: &&Tensor| source.name == tensor.name && source.shape == tensor.shape;
            if let Some(source) = other.tensors.iter().find(same) {
                tensor.data.clone_from(&source.data);
                taken.push(tensor.name.clone());
            }
        }
        taken
    }

    /// Whether every number of every tensor is finite.
    pub fn is_finite(&self) -> bool {
        self.tensors.iter().all(|tensor| tensor.data.iter().all(|x| x.is_finite()))
    }

    /// The encoding of the game.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The architecture.
    pub fn architecture(&self) -> Architecture {
        self.architecture
    }

    /// All tensors, in the order of the layers.
    pub fn tensors(&self) -> &[Tensor] {
        &self.tensors
    }

    /// The numbers of all tensors may be changed, their shapes may not.
    pub(crate) fn tensors_mut(&mut self) -> &mut [Tensor] {
        &mut self.tensors
    }

    /// The number of learned parameters.
    pub fn parameters(&self) -> usize {
        self.tensors.iter().filter(|tensor| tensor.role != Role::Statistic).map(|tensor| tensor.data.len()).sum()
    }

    /// Floating-point operations to evaluate a position, counted as direct convolutions.
    pub fn operations(&self) -> usize {
        let squares = self.encoding.squares();
        let weights = self.tensors.iter().filter(|tensor| tensor.role == Role::Weight);
        let times = |tensor: &Tensor| if tensor.shape.len() == 4 { squares } else { 1 };
        weights.map(|tensor| 2 * tensor.data.len() * times(tensor)).sum()
    }

    /// The first tensor of a convolution of the trunk.
    pub(crate) fn layer(&self, layer: usize) -> usize {
        layer * part::COUNT
    }

    /// The first tensor of the policy head.
    pub(crate) fn policy(&self) -> usize {
        self.architecture.convolutions() * part::COUNT
    }

    /// The first tensor of the value head: its convolution, followed by the two layers.
    pub(crate) fn value(&self) -> usize {
        self.policy() + if self.architecture.policy { 2 } else { 0 }
    }

    /// Whether the block that ends with this convolution adds its input.
    pub(crate) fn ends_block(&self, layer: usize) -> bool {
        matches!(self.architecture.trunk, Trunk::Residual { .. }) && layer > 0 && layer.is_multiple_of(2)
    }

    /// A convolution with its batch norm as one convolution: weights and bias.
    pub(crate) fn folded(&self, first: usize) -> (Vec<f32>, Vec<f32>) {
        let [weight, scale, shift, mean, variance] = [0, 1, 2, 3, 4].map(|part| &self.tensors[first + part].data);
        let factor = |o: usize| scale[o] / (variance[o] + EPSILON).sqrt();
        let per_output = weight.len() / scale.len();
        let weights = weight.iter().enumerate().map(|(i, w)| w * factor(i / per_output)).collect();
        (weights, (0..scale.len()).map(|o| shift[o] - mean[o] * factor(o)).collect())
    }
}

/// The name, the shape and the role of every tensor of a network.
fn layout(encoding: Encoding, architecture: Architecture) -> Vec<(String, Vec<usize>, Role)> {
    let mut tensors = Vec::new();
    let channels = architecture.channels;
    // In the order of `part`.
    let mut convolution = |name: &str, shape: [usize; 4]| {
        let norm = |part: &str, role: Role| (format!("{name}.bn.{part}"), vec![shape[0]], role);
        tensors.push((format!("{name}.conv.weight"), shape.to_vec(), Role::Weight));
        tensors.extend(["weight", "bias"].map(|part| norm(part, Role::Bias)));
        tensors.extend(["running_mean", "running_var"].map(|part| norm(part, Role::Statistic)));
    };
    for layer in 0..architecture.convolutions() {
        let inputs = if layer == 0 { encoding.planes } else { channels };
        convolution(&format!("trunk.{layer}"), [channels, inputs, 3, 3]);
    }
    let mut heads = Vec::new();
    if let Some(shape) = architecture.value {
        let flat = shape.channels * encoding.squares();
        heads.push(("value.fc1.weight".to_owned(), vec![shape.hidden, flat], Role::Weight));
        heads.push(("value.fc1.bias".to_owned(), vec![shape.hidden], Role::Bias));
        heads.push(("value.fc2.weight".to_owned(), vec![1, shape.hidden], Role::Weight));
        heads.push(("value.fc2.bias".to_owned(), vec![1], Role::Bias));
        convolution("value", [shape.channels, channels, 1, 1]);
    }
    let value = tensors.split_off(architecture.convolutions() * part::COUNT);
    if architecture.policy {
        let shape = vec![encoding.policy_planes, channels, 1, 1];
        tensors.push(("policy.conv.weight".to_owned(), shape, Role::Weight));
        tensors.push(("policy.bias".to_owned(), vec![encoding.labels()], Role::Bias));
    }
    tensors.into_iter().chain(value).chain(heads).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHOGI: Encoding = Encoding { height: 9, width: 9, planes: 104, policy_planes: 27 };

    #[test]
    fn sizes_are_those_of_the_classic_nets() {
        let small = Network::new(SHOGI, "policy-value:blocks=6,channels=64".parse().unwrap(), 1);
        assert_eq!(SHOGI.labels(), 2187);
        let (trunk, norms) = ((104 + 12 * 64) * 64 * 9, 13 * 2 * 64);
        let (policy, value) = (64 * 27 + 2187, 64 * 8 + 2 * 8 + 648 * 64 + 64 + 64 + 1);
        assert_eq!(small.parameters(), trunk + norms + policy + value);
        let book = Network::new(SHOGI, "policy:layers=12,channels=192".parse().unwrap(), 1);
        assert_eq!(book.tensors()[0].shape, [192, 104, 3, 3]);
        assert_eq!(book.parameters(), 192 * 104 * 9 + 11 * 192 * 192 * 9 + 12 * 2 * 192 + 27 * 192 + 2187);
    }

    #[test]
    fn weights_depend_on_the_seed_alone() {
        let net = |seed| Network::new(SHOGI, "policy-value:blocks=1,channels=8".parse().unwrap(), seed);
        assert_eq!(net(3), net(3));
        assert_ne!(net(3), net(4));
    }

    #[test]
    fn tensors_that_do_not_fit_are_named() {
        let net = Network::new(SHOGI, "policy-value:blocks=1,channels=8".parse().unwrap(), 1);
        type Parts = Vec<(String, Vec<usize>, Vec<f32>)>;
        let parts = |net: &Network| -> Parts {
            net.tensors().iter().map(|t| (t.name.clone(), t.shape.clone(), t.data.clone())).collect()
        };
        let build = |parts| Network::from_tensors(SHOGI, net.architecture(), parts);
        let mut reversed = parts(&net);
        reversed.reverse();
        assert_eq!(build(reversed).as_ref(), Ok(&net));
        let error = |change: &dyn Fn(&mut Parts)| {
            let mut parts = parts(&net);
            change(&mut parts);
            build(parts).unwrap_err().to_string()
        };
        assert_eq!(error(&|parts| drop(parts.remove(1))), "the tensor trunk.0.bn.weight is missing");
        assert_eq!(error(&|parts| parts[1].0 = "x".into()), "the network has no tensor x");
        assert!(error(&|parts| parts[1].1 = vec![4, 2]).contains("has the shape [4, 2] instead of [8]"));
        assert!(error(&|parts| parts[1].2[0] = f32::NAN).contains("not a finite number"));
        let mut other = Network::new(SHOGI, "value:blocks=1,channels=8".parse().unwrap(), 5);
        other.take_trunk(&net).unwrap();
        assert_eq!(other.tensors()[..15], net.tensors()[..15]);
        let mut wide = Network::new(SHOGI, "value:blocks=1,channels=9".parse().unwrap(), 5);
        assert!(wide.take_trunk(&net).is_err());
        // The value head of another trunk: all but its first convolution.
        let taken = wide.take_over(&net);
        assert!(taken.len() == 8 && taken.iter().all(|name| name.starts_with("value.")), "{taken:?}");
        assert!(net.is_finite());
    }
}
