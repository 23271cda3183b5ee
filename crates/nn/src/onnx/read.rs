//! A network from an ONNX file: the nodes are followed from the planes to the outputs, and each must be the next step
//! of a network of ours. Names do not matter, and batch norms may be folded.

use std::collections::HashMap;

use super::OnnxError;
use super::graph::{Constant, Graph, Node};
use crate::arch::{Architecture, Encoding, Trunk, ValueShape};
use crate::network::{EPSILON, Network};

/// What a value of the graph is in our networks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Activation {
    Planes,
    /// The output of a convolution, 3×3 or 1×1, by its number.
    Convolved(usize),
    /// With the input of its block added.
    Sum,
    /// The output of so many layers.
    Trunk(usize),
    /// Logits in planes, or in a row; whether the bias is added.
    Policy {
        flat: bool,
        biased: bool,
    },
    ValuePlanes,
    ValueFlat,
    Hidden,
    HiddenRelu,
    Logit,
    WinRate,
}

/// A convolution and the batch norm after it: factor, offset, mean and variance per channel.
#[derive(Clone, Debug)]
struct NormedConvolution {
    weight: Constant,
    norm: [Vec<f32>; 4],
    normalized: bool,
}

#[derive(Default)]
struct Walk<'a> {
    values: HashMap<&'a str, Activation>,
    convolutions: Vec<NormedConvolution>,
    /// The numbers of the convolutions of the trunk.
    trunk: Vec<usize>,
    /// Layers that end a residual block.
    sums: Vec<usize>,
    policy: Option<usize>,
    policy_bias: Option<Vec<f32>>,
    value: Option<usize>,
    fully_connected: Vec<(Constant, Vec<f32>)>,
}

/// More convolutions than a network of ours can have.
const MOST_CONVOLUTIONS: usize = 512;

/// Reads a network from an ONNX file.
///
/// # Errors
/// The file is damaged, or its graph is not one of our networks.
pub fn read_onnx(bytes: &[u8]) -> Result<Network, OnnxError> {
    read(bytes, None)
}

/// Reads a network for a game from an ONNX file.
///
/// # Errors
/// The file is damaged, its planes are not those of the game, or its graph is not one of our networks.
pub fn read_onnx_for(bytes: &[u8], encoding: Encoding) -> Result<Network, OnnxError> {
    read(bytes, Some(encoding))
}

fn read(bytes: &[u8], expected: Option<Encoding>) -> Result<Network, OnnxError> {
    let graph = Graph::read(bytes)?;
    let [(input, shape)] = &graph.inputs[..] else {
        return Err(OnnxError::Model(format!("{} inputs instead of one", graph.inputs.len())));
    };
    let &[_, planes, height, width] = &shape[..] else {
        return Err(OnnxError::Model(format!(
            "an input of the shape {shape:?} instead of batch × planes × rows × columns"
        )));
    };
    // Before the graph: a network of another program mostly has another encoder, too, and that is the better reason.
    if let Some(expected) = expected.filter(|e| (e.planes, e.height, e.width) != (planes, height, width)) {
        return Err(OnnxError::Encoder { planes, height, width, expected });
    }
    let mut walk = Walk::default();
    walk.values.insert(input, Activation::Planes);
    for node in &graph.nodes {
        let value = walk.step(&graph, node)?;
        let Some(output) = node.outputs.first() else { return Err(node.error("it has no output")) };
        if walk.values.insert(output, value).is_some() {
            return Err(node.error("its output stands twice"));
        }
    }
    for output in &graph.outputs {
        match walk.values.get(output) {
            Some(Activation::Policy { flat: true, .. } | Activation::WinRate) => {}
            _ => return Err(OnnxError::Model(format!("an output {output:?} that is neither logits nor a win rate"))),
        }
    }
    let without = expected.map_or(1, |expected| expected.policy_planes);
    let policy_planes = walk.policy.map_or(without, |policy| walk.convolutions[policy].weight.shape[0]);
    if let Some(expected) = expected.filter(|expected| expected.policy_planes != policy_planes) {
        return Err(OnnxError::Labels { found: policy_planes, expected: expected.policy_planes });
    }
    let encoding = Encoding { height, width, planes, policy_planes };
    // Checks the limits.
    let encoding = Encoding::parse(&encoding.to_string())
        .ok_or_else(|| OnnxError::Model(format!("an input of the shape {shape:?}, which no board has")))?;
    walk.network(encoding)
}

impl<'a> Walk<'a> {
    /// What the output of a node is.
    fn step(&mut self, graph: &Graph<'a>, node: &Node<'a>) -> Result<Activation, OnnxError> {
        let input = |n: usize| node.inputs.get(n).copied().unwrap_or_default();
        let constant =
            |n: usize| graph.constants.get(input(n)).ok_or_else(|| node.error("its weights are not constant"));
        let known = |n: usize| self.values.get(input(n)).copied();
        let misplaced = || node.error("a network of ours has no such step here");
        let source = known(0);
        match (node.operator, source) {
            ("Identity" | "Dropout", Some(value)) => Ok(value),
            ("Conv", Some(source)) => {
                let bias = if node.inputs.len() > 2 { Some(constant(2)?.data.clone()) } else { None };
                self.convolution(node, constant(1)?, bias, source)
            }
            ("BatchNormalization", Some(Activation::Convolved(number))) => {
                let parts = [constant(1)?, constant(2)?, constant(3)?, constant(4)?].map(|part| part.data.clone());
                let convolution = &mut self.convolutions[number];
                if convolution.normalized || parts.iter().any(|part| part.len() != convolution.weight.shape[0]) {
                    return Err(misplaced());
                }
                // A bias of the convolution is a shift of the mean.
                let bias = std::mem::replace(&mut convolution.norm, parts)[1].clone();
                convolution.norm[2].iter_mut().zip(bias).for_each(|(mean, bias)| *mean -= bias);
                convolution.normalized = true;
                // Our networks have one epsilon for all.
                let excess = node.float("epsilon", 1e-5) - EPSILON;
                convolution.norm[3].iter_mut().for_each(|variance| *variance += excess);
                Ok(Activation::Convolved(number))
            }
            ("Relu", Some(Activation::Convolved(number))) if self.trunk.last() == Some(&number) => {
                Ok(Activation::Trunk(self.trunk.len()))
            }
            ("Relu", Some(Activation::Sum)) => Ok(Activation::Trunk(self.trunk.len())),
            ("Relu", Some(Activation::Convolved(number))) if !self.trunk.contains(&number) && self.value.is_none() => {
                self.value = Some(number);
                Ok(Activation::ValuePlanes)
            }
            ("Relu", Some(Activation::Hidden)) => Ok(Activation::HiddenRelu),
            ("Add", _) => match (source, known(1)) {
                (Some(Activation::Convolved(number)), Some(Activation::Trunk(layers)))
                | (Some(Activation::Trunk(layers)), Some(Activation::Convolved(number)))
                    if self.trunk.last() == Some(&number) && layers + 2 == self.trunk.len() =>
                {
                    self.sums.push(self.trunk.len());
                    Ok(Activation::Sum)
                }
                (Some(value), None) => self.bias(node, value, constant(1)?),
                (None, Some(value)) => self.bias(node, value, constant(0)?),
                _ => Err(misplaced()),
            },
            ("Flatten" | "Reshape", Some(Activation::Convolved(number))) if self.starts_policy(number) => {
                self.policy = Some(number);
                Ok(Activation::Policy { flat: true, biased: false })
            }
            ("Flatten" | "Reshape", Some(Activation::Policy { biased, .. })) => {
                Ok(Activation::Policy { flat: true, biased })
            }
            ("Flatten" | "Reshape", Some(Activation::ValuePlanes)) => Ok(Activation::ValueFlat),
            ("Gemm", Some(source @ (Activation::ValueFlat | Activation::HiddenRelu)))
                if self.fully_connected.len() < 2 =>
            {
                self.fully_connect(node, constant(1)?, constant(2)?)?;
                Ok(if source == Activation::ValueFlat { Activation::Hidden } else { Activation::Logit })
            }
            ("Sigmoid", Some(Activation::Logit)) => Ok(Activation::WinRate),
            _ => Err(misplaced()),
        }
    }

    /// Whether a convolution may be that of the policy head.
    fn starts_policy(&self, number: usize) -> bool {
        !self.trunk.contains(&number) && self.policy.is_none() && !self.convolutions[number].normalized
    }

    fn convolution(
        &mut self,
        node: &Node<'_>,
        weight: &Constant,
        bias: Option<Vec<f32>>,
        source: Activation,
    ) -> Result<Activation, OnnxError> {
        let &[outputs, inputs, size, other] = &weight.shape[..] else {
            return Err(node.error(format!("weights of the shape {:?} instead of four dimensions", weight.shape)));
        };
        // An empty tensor may claim any number of channels, and a small file any number of convolutions.
        if weight.data.is_empty() || self.convolutions.len() == MOST_CONVOLUTIONS {
            return Err(node.error("it has no weights, or the graph has too many convolutions"));
        }
        let all = |name: &str, expected: i64| node.ints(name).is_none_or(|ints| ints.iter().all(|n| *n == expected));
        let pads = node.ints("pads").map_or(size == 1, |pads| pads.iter().all(|n| *n == size as i64 / 2));
        if size != other || ![1, 3].contains(&size) || !pads {
            return Err(node.error("it is neither 3×3 with padding 1 nor 1×1 without"));
        }
        if !(all("strides", 1) && all("dilations", 1) && all("group", 1)) {
            return Err(node.error("strides, dilations and group must be 1"));
        }
        let number = self.convolutions.len();
        let layers = self.trunk.len();
        let follows = match source {
            Activation::Planes => size == 3 && layers == 0,
            Activation::Trunk(above) => above == layers && inputs == self.convolutions[self.trunk[0]].weight.shape[0],
            _ => false,
        };
        let finished = self.policy.is_some() || self.value.is_some();
        if !follows || size == 3 && finished {
            return Err(node.error("a network of ours has no such step here"));
        }
        if size == 3 {
            self.trunk.push(number);
        }
        // Without a batch norm: one that changes nothing but adds the bias.
        let bias = bias.unwrap_or_else(|| vec![0.0; outputs]);
        if bias.len() != outputs {
            return Err(node.error(format!("{} biases for {outputs} channels", bias.len())));
        }
        let norm = [vec![(1.0 + EPSILON).sqrt(); outputs], bias, vec![0.0; outputs], vec![1.0; outputs]];
        self.convolutions.push(NormedConvolution { weight: weight.clone(), norm, normalized: false });
        Ok(Activation::Convolved(number))
    }

    /// The bias of every label, before or after the planes are flattened.
    fn bias(&mut self, node: &Node<'_>, value: Activation, bias: &Constant) -> Result<Activation, OnnxError> {
        let flat = match value {
            Activation::Convolved(number) if self.starts_policy(number) => {
                self.policy = Some(number);
                false
            }
            Activation::Policy { flat, biased: false } => flat,
            _ => return Err(node.error("a network of ours has no such step here")),
        };
        self.policy_bias = Some(bias.data.clone());
        Ok(Activation::Policy { flat, biased: true })
    }

    fn fully_connect(&mut self, node: &Node<'_>, weight: &Constant, bias: &Constant) -> Result<(), OnnxError> {
        let &[rows, columns] = &weight.shape[..] else {
            return Err(node.error(format!("weights of the shape {:?} instead of two dimensions", weight.shape)));
        };
        if node.float("alpha", 1.0) != 1.0
            || node.float("beta", 1.0) != 1.0
            || node.ints("transA").is_some_and(|t| t != [0])
        {
            return Err(node.error("alpha and beta must be 1, transA 0"));
        }
        let mut weight = weight.clone();
        if node.ints("transB") != Some(&[1]) {
            let element = |i: usize| weight.data[i % rows * columns + i / rows];
            weight = Constant { shape: vec![columns, rows], data: (0..rows * columns).map(element).collect() };
        }
        self.fully_connected.push((weight, bias.data.clone()));
        Ok(())
    }

    /// The network that the nodes make up.
    fn network(self, encoding: Encoding) -> Result<Network, OnnxError> {
        let Some(first) = self.trunk.first().map(|first| &self.convolutions[*first].weight) else {
            return Err(OnnxError::Model("no convolution of 3×3".to_owned()));
        };
        let layers = self.trunk.len();
        let blocks = self.sums.len();
        let residual = layers == 1 + 2 * blocks && self.sums.iter().enumerate().all(|(n, sum)| *sum == 3 + 2 * n);
        let trunk = match (blocks, residual) {
            (0, _) => Trunk::Plain { layers },
            (_, true) => Trunk::Residual { blocks },
            (_, false) => {
                return Err(OnnxError::Model("a trunk that is neither plain nor made of residual blocks".to_owned()));
            }
        };
        let (value, channels) = (self.value.map(|value| &self.convolutions[value]), first.shape[0]);
        if value.is_some() != (self.fully_connected.len() == 2) {
            return Err(OnnxError::Model("a value head without two fully connected layers".to_owned()));
        }
        let value_shape =
            value.map(|value| ValueShape { channels: value.weight.shape[0], hidden: self.fully_connected[0].1.len() });
        let architecture = Architecture { trunk, channels, policy: self.policy.is_some(), value: value_shape };
        if !architecture.policy && value.is_none() {
            return Err(OnnxError::Model("neither a policy nor a value".to_owned()));
        }
        let mut tensors = Vec::new();
        let mut convolution = |name: String, convolution: &NormedConvolution| {
            let parts = ["weight", "bias", "running_mean", "running_var"];
            for (part, data) in parts.into_iter().zip(&convolution.norm) {
                tensors.push((format!("{name}.bn.{part}"), vec![data.len()], data.clone()));
            }
            tensors.push((
                format!("{name}.conv.weight"),
                convolution.weight.shape.clone(),
                convolution.weight.data.clone(),
            ));
        };
        for (layer, number) in self.trunk.iter().enumerate() {
            convolution(format!("trunk.{layer}"), &self.convolutions[*number]);
        }
        if let Some(value) = value {
            convolution("value".to_owned(), value);
        }
        for (n, (weight, bias)) in self.fully_connected.into_iter().enumerate() {
            tensors.push((format!("value.fc{}.weight", n + 1), weight.shape, weight.data));
            tensors.push((format!("value.fc{}.bias", n + 1), vec![bias.len()], bias));
        }
        if let Some(policy) = self.policy {
            let NormedConvolution { weight, norm, .. } = &self.convolutions[policy];
            let squares = encoding.squares();
            let mut bias = self.policy_bias.unwrap_or_else(|| vec![0.0; encoding.labels()]);
            // A bias of the convolution is one per plane.
            bias.iter_mut().enumerate().for_each(|(label, bias)| *bias += norm[1].get(label / squares).unwrap_or(&0.0));
            tensors.push(("policy.conv.weight".to_owned(), weight.shape.clone(), weight.data.clone()));
            tensors.push(("policy.bias".to_owned(), vec![bias.len()], bias));
        }
        Ok(Network::from_tensors(encoding, architecture, tensors)?)
    }
}

#[cfg(test)]
mod tests {
    use super::super::protobuf::Message;
    use super::super::{OnnxNorms, write_onnx};
    use super::*;
    use crate::kernel::reference::{close, numbers};
    use crate::{Evaluator, Planes, Random};

    fn network(spec: &str) -> Network {
        let encoding =
            Encoding { height: 4, width: 5, planes: 3, policy_planes: if spec.starts_with('v') { 1 } else { 2 } };
        Network::new(encoding, spec.parse().unwrap(), 1)
    }

    #[test]
    fn networks_are_read_as_they_were_written() {
        for spec in [
            "policy-value:blocks=2,channels=3,value-hidden=4",
            "policy:layers=3,channels=5",
            "value:layers=1,channels=4,value-channels=2,value-hidden=3",
        ] {
            assert_eq!(read_onnx(&write_onnx(&network(spec), OnnxNorms::Kept)), Ok(network(spec)));
        }
    }

    /// Checks that two networks say the same.
    fn agree(a: &Network, b: &Network) {
        let planes = numbers(&mut Random::new(2), 3 * a.encoding().inputs());
        let [a, b] = [a, b].map(|network| Evaluator::new(network, 1).evaluate(Planes::Dense(&planes), 3));
        assert_eq!((a.policy.len(), a.value.len()), (b.policy.len(), b.value.len()));
        let pairs = a.policy.iter().chain(&a.value).zip(b.policy.iter().chain(&b.value));
        pairs.for_each(|(a, b)| close(*a, f64::from(*b), 1e-5));
    }

    #[test]
    fn folded_batch_norms_say_the_same() {
        let mut network = network("policy-value:blocks=2,channels=3,value-hidden=4");
        let mut random = Random::new(3);
        for tensor in network.tensors_mut().iter_mut().filter(|tensor| tensor.name.contains("bn")) {
            tensor.data.iter_mut().for_each(|x| *x += random.uniform());
        }
        let folded = read_onnx(&write_onnx(&network, OnnxNorms::Folded)).unwrap();
        assert_eq!(folded.architecture(), network.architecture());
        agree(&folded, &network);
    }

    #[test]
    fn a_bias_before_a_batch_norm_is_kept() {
        let mut expected = network("policy:layers=1,channels=2");
        let bias = [0.25f32, -0.5];
        // The same network, with a bias and a mean that is greater by as much.
        let bytes = write_onnx(&expected, OnnxNorms::Kept);
        let floats = |floats: &[f32]| floats.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
        let tensor = Message::default().number(1, 2).number(2, 1).text(8, "bias").bytes(9, &floats(&bias));
        let text = |text: &str| Message::default().text(1, text).0;
        let conv = [text("planes"), text("trunk.0.conv.weight")].concat();
        let changed =
            super::super::protobuf::fields(&bytes).unwrap().into_iter().fold(Message::default(), |model, field| {
                let (7, graph) = field else { return model };
                let nodes = super::super::protobuf::fields(graph.bytes().unwrap()).unwrap();
                let graph = nodes.into_iter().filter_map(|(field, wire)| Some((field, wire.bytes()?)));
                let graph = graph.fold(Message::default().message(5, &tensor), |graph, (field, part)| {
                    let is_conv = field == 1 && part.starts_with(&conv);
                    let third = if is_conv { text("bias") } else { Vec::new() };
                    graph.bytes(field, &[part, &third].concat())
                });
                model.message(7, &graph)
            });
        let read = read_onnx(&changed.0).unwrap();
        assert_ne!(read, expected);
        expected.tensors_mut()[3].data = bias.iter().map(|bias| -bias).collect();
        assert_eq!(read, expected);
    }

    #[test]
    fn cuts_and_flipped_bits_are_errors_or_networks_of_the_same_shape() {
        let network = network("policy-value:blocks=1,channels=2,value-channels=1,value-hidden=2");
        let bytes = write_onnx(&network, OnnxNorms::Kept);
        for length in 0..bytes.len() {
            match read_onnx(&bytes[..length]) {
                // The last fields are metadata.
                Ok(read) => assert_eq!(read, network),
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
        let mut refused = 0;
        for bit in 0..bytes.len() * 8 {
            let mut bytes = bytes.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            refused += usize::from(read_onnx(&bytes).is_err());
        }
        assert!(refused > bytes.len(), "{refused} of {} flipped bits are noticed", bytes.len() * 8);
    }

    #[test]
    fn a_network_for_other_planes_is_refused() {
        let network = network("policy:layers=1,channels=2");
        let bytes = write_onnx(&network, OnnxNorms::Kept);
        let encoding = network.encoding();
        assert_eq!(read_onnx_for(&bytes, encoding), Ok(network));
        let error = |encoding| read_onnx_for(&bytes, encoding).unwrap_err().to_string();
        assert_eq!(
            error(Encoding { planes: 104, ..encoding }),
            "the ONNX file belongs to another encoder: its input has 3 planes of 4×5 squares, and the game has 104 of 4×5"
        );
        assert_eq!(
            error(Encoding { policy_planes: 27, ..encoding }),
            "the ONNX file belongs to another encoder: its policy has 2 planes of labels, and the game has 27"
        );
    }

    #[test]
    fn empty_weights_with_a_huge_shape_ask_for_no_memory() {
        let text = |field: u64, text: &str| Message::default().text(field, text);
        let shape = [1u64 << 40, 0, 3, 3].iter().fold(Message::default(), |shape, length| shape.number(1, *length));
        let tensor = shape.number(2, 1).text(8, "w").bytes(9, &[]);
        let node = text(1, "planes").text(1, "w").text(2, "y").text(4, "Conv");
        let sides = [1, 1, 4, 4]
            .iter()
            .fold(Message::default(), |shape, length| shape.message(1, &Message::default().number(1, *length)));
        let kind = Message::default().message(1, &Message::default().number(1, 1).message(2, &sides));
        let graph = Message::default().message(1, &node).message(5, &tensor);
        let model = Message::default().message(7, &graph.message(11, &text(1, "planes").message(2, &kind)));
        assert!(read_onnx(&model.0).unwrap_err().to_string().contains("it has no weights"));
    }

    #[test]
    fn other_files_are_refused_with_the_reason() {
        let error = |bytes: &[u8]| read_onnx(bytes).unwrap_err().to_string();
        assert_eq!(error(b""), "the ONNX file has no graph");
        assert!(error(b"\x89PNG\r\n").contains("this is not an ONNX file"));
        let bytes = write_onnx(&network("policy:layers=3,channels=5"), OnnxNorms::Kept);
        let replace = |from: &[u8], to: &[u8]| {
            let at = bytes.windows(from.len()).position(|window| window == from).unwrap();
            [&bytes[..at], to, &bytes[at + from.len()..]].concat()
        };
        assert_eq!(
            error(&replace(b"Relu", b"Tanh")),
            "the node trunk.0.relu (Tanh): a network of ours has no such step here"
        );
    }
}
