//! A network as an ONNX file.

use super::protobuf::Message;
use crate::network::{EPSILON, Network, part};
use crate::safetensors::NamedArray;

/// What becomes of the batch norms in an ONNX file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OnnxNorms {
    /// They are kept, so that the file can be read back without loss and trained further.
    #[default]
    Kept,
    /// They are folded into the convolutions, for programs that do not do that themselves.
    Folded,
}

/// The bytes of an ONNX file: the input `planes`, the outputs `policy` (logits) and `value` (win rates), any number of
/// positions at a time.
pub fn write_onnx(network: &Network, norms: OnnxNorms) -> Vec<u8> {
    let (encoding, architecture) = (network.encoding(), network.architecture());
    let mut graph = GraphWriter { network, norms, body: Message::default() };
    let mut value = "planes".to_owned();
    let mut block = value.clone();
    for layer in 0..architecture.convolutions() {
        let name = format!("trunk.{layer}");
        let mut sum = graph.convolution(&name, network.layer(layer), &value);
        if network.ends_block(layer) {
            sum = graph.node("Add", &[&sum, &block], &format!("{name}.add"), &[]);
        }
        value = graph.node("Relu", &[&sum], &format!("{name}.relu"), &[]);
        if layer == 0 || network.ends_block(layer) {
            block.clone_from(&value);
        }
    }
    let mut outputs = Vec::new();
    if architecture.policy {
        let [weight, bias] = [0, 1].map(|part| graph.tensor(network.policy() + part));
        let planes = graph.node("Conv", &[&value, &weight], "policy.conv", &[ints("kernel_shape", &[1, 1])]);
        let flat = graph.node("Flatten", &[&planes], "policy.flat", &[]);
        outputs.push(("policy", graph.node("Add", &[&flat, &bias], "policy", &[]), encoding.labels()));
    }
    if architecture.value.is_some() {
        let first = network.value();
        let planes = graph.convolution("value.planes", first, &value);
        let planes = graph.node("Relu", &[&planes], "value.planes.relu", &[]);
        let flat = graph.node("Flatten", &[&planes], "value.flat", &[]);
        let [w1, b1, w2, b2] = [0, 1, 2, 3].map(|part| graph.tensor(first + part::COUNT + part));
        let transposed = [int("transB", 1)];
        let hidden = graph.node("Gemm", &[&flat, &w1, &b1], "value.fc1", &transposed);
        let hidden = graph.node("Relu", &[&hidden], "value.fc1.relu", &[]);
        let logit = graph.node("Gemm", &[&hidden, &w2, &b2], "value.fc2", &transposed);
        outputs.push(("value", graph.node("Sigmoid", &[&logit], "value", &[]), 1));
    }
    let mut body = std::mem::take(&mut graph.body).text(2, "tesuji");
    for tensor in graph.tensors() {
        let data: Vec<u8> = tensor.data.iter().flat_map(|x| x.to_le_bytes()).collect();
        let shape = tensor.shape.iter().fold(Message::default(), |message, length| message.number(1, *length as u64));
        body = body.message(5, &shape.number(2, 1).text(8, &tensor.name).bytes(9, &data));
    }
    body = body.message(11, &value_info("planes", &[encoding.planes, encoding.height, encoding.width]));
    for (_, name, length) in &outputs {
        body = body.message(12, &value_info(name, &[*length]));
    }
    let metadata = |key: &str, value: &str| Message::default().text(1, key).text(2, value);
    let model = Message::default().number(1, 8).text(2, "tesuji").message(7, &body);
    let model = model.message(8, &Message::default().text(1, "").number(2, 17));
    let model = model.message(14, &metadata("architecture", &architecture.to_string()));
    model.message(14, &metadata("encoding", &encoding.to_string())).0
}

struct GraphWriter<'a> {
    network: &'a Network,
    norms: OnnxNorms,
    body: Message,
}

impl GraphWriter<'_> {
    fn tensor(&self, index: usize) -> String {
        self.network.tensors()[index].name.clone()
    }

    /// Adds a node with one output, whose name is returned.
    fn node(&mut self, operator: &str, inputs: &[&str], output: &str, attributes: &[Message]) -> String {
        let node = inputs.iter().fold(Message::default(), |node, input| node.text(1, input));
        let node = node.text(2, output).text(3, output).text(4, operator);
        let node = attributes.iter().fold(node, |node, attribute| node.message(5, attribute));
        self.body = std::mem::take(&mut self.body).message(1, &node);
        output.to_owned()
    }

    /// The constant tensors.
    fn tensors(&self) -> Vec<NamedArray> {
        let mut arrays = self.network.to_arrays();
        if self.norms == OnnxNorms::Folded {
            let layers = (0..self.network.architecture().convolutions()).map(|layer| self.network.layer(layer));
            let value = self.network.architecture().value.map(|_| self.network.value());
            // From the last on, so that the numbers of the others stay.
            for first in layers.chain(value).rev() {
                let (weights, bias) = self.network.folded(first);
                let name = bias_name(&arrays[first].name);
                arrays[first].data = weights;
                arrays
                    .splice(first + 1..first + part::COUNT, [NamedArray { name, shape: vec![bias.len()], data: bias }]);
            }
        }
        arrays
    }

    /// A convolution with its batch norm.
    fn convolution(&mut self, name: &str, first: usize, input: &str) -> String {
        let [weight, scale, shift, mean, variance] = [0, 1, 2, 3, 4].map(|part| self.tensor(first + part));
        let size = self.network.tensors()[first].shape[2] as u64;
        let attributes = [ints("kernel_shape", &[size; 2]), ints("pads", &[size / 2; 4])];
        let output = format!("{name}.conv");
        if self.norms == OnnxNorms::Folded {
            return self.node("Conv", &[input, &weight, &bias_name(&weight)], &output, &attributes);
        }
        let sum = self.node("Conv", &[input, &weight], &output, &attributes);
        let epsilon = Message::default().text(1, "epsilon").float(2, EPSILON).number(20, 1);
        let inputs = [&sum[..], &scale, &shift, &mean, &variance];
        self.node("BatchNormalization", &inputs, &format!("{name}.bn"), &[epsilon])
    }
}

/// The name of the bias of a convolution whose batch norm is folded.
fn bias_name(weight: &str) -> String {
    weight.replace("conv.weight", "conv.bias")
}

fn int(name: &str, number: u64) -> Message {
    Message::default().text(1, name).number(3, number).number(20, 2)
}

fn ints(name: &str, numbers: &[u64]) -> Message {
    let message = numbers.iter().fold(Message::default().text(1, name), |message, number| message.number(8, *number));
    message.number(20, 7)
}

/// A tensor of floats for any number of positions.
fn value_info(name: &str, shape: &[usize]) -> Message {
    let batch = Message::default().message(1, &Message::default().text(2, "batch"));
    let shape =
        shape.iter().fold(batch, |shape, length| shape.message(1, &Message::default().number(1, *length as u64)));
    let tensor = Message::default().number(1, 1).message(2, &shape);
    Message::default().text(1, name).message(2, &Message::default().message(1, &tensor))
}
