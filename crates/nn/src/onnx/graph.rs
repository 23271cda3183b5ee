//! The graph of an ONNX file as it stands there: nodes, constant tensors, inputs and outputs.

use std::collections::HashMap;

use super::OnnxError;
use super::protobuf::{Wire, fields};
use crate::half::from_f16;

/// An operation.
#[derive(Clone, Debug, Default)]
pub(super) struct Node<'a> {
    pub(super) operator: &'a str,
    pub(super) inputs: Vec<&'a str>,
    pub(super) outputs: Vec<&'a str>,
    pub(super) attributes: HashMap<&'a str, Attribute>,
}

/// A setting of an operation.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Attribute {
    pub(super) float: f32,
    /// A single number is a list of one.
    pub(super) ints: Vec<i64>,
}

/// A constant tensor.
#[derive(Clone, Debug, Default)]
pub(super) struct Constant {
    pub(super) shape: Vec<usize>,
    pub(super) data: Vec<f32>,
}

/// The graph of a model.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph<'a> {
    pub(super) nodes: Vec<Node<'a>>,
    pub(super) constants: HashMap<&'a str, Constant>,
    /// Name and shape; a length that is not fixed is 0.
    pub(super) inputs: Vec<(&'a str, Vec<usize>)>,
    pub(super) outputs: Vec<&'a str>,
}

fn invalid(what: &str) -> OnnxError {
    OnnxError::Model(format!("an invalid {what}"))
}

fn text<'a>(wire: Wire<'a>, what: &str) -> Result<&'a str, OnnxError> {
    wire.text().ok_or_else(|| invalid(what))
}

fn nested<'a>(wire: Wire<'a>, what: &str) -> Result<Vec<(u64, Wire<'a>)>, OnnxError> {
    fields(wire.bytes().ok_or_else(|| invalid(what))?)
}

impl<'a> Graph<'a> {
    /// Reads the graph of a model.
    pub(super) fn read(bytes: &'a [u8]) -> Result<Graph<'a>, OnnxError> {
        let mut graph = None;
        for (field, wire) in fields(bytes)? {
            if field == 7 && graph.replace(Graph::parse(wire)?).is_some() {
                return Err(OnnxError::Model("two graphs".to_owned()));
            }
        }
        graph.ok_or_else(|| OnnxError::Model("no graph".to_owned()))
    }

    fn parse(wire: Wire<'a>) -> Result<Graph<'a>, OnnxError> {
        let mut graph = Graph::default();
        for (field, wire) in nested(wire, "graph")? {
            match field {
                1 => graph.nodes.push(Node::parse(wire)?),
                5 => {
                    let (name, constant) = Constant::parse(wire)?;
                    if graph.constants.insert(name, constant).is_some() {
                        return Err(OnnxError::Model(format!("two tensors {name:?}")));
                    }
                }
                11 => graph.inputs.push(value_info(wire)?),
                12 => graph.outputs.push(value_info(wire)?.0),
                _ => {}
            }
        }
        // Old files list constants as inputs, too.
        graph.inputs.retain(|(name, _)| !graph.constants.contains_key(name));
        Ok(graph)
    }
}

impl<'a> Node<'a> {
    fn parse(wire: Wire<'a>) -> Result<Node<'a>, OnnxError> {
        let mut node = Node::default();
        for (field, wire) in nested(wire, "node")? {
            match field {
                1 => node.inputs.push(text(wire, "name of a value")?),
                2 => node.outputs.push(text(wire, "name of a value")?),
                4 => node.operator = text(wire, "operator")?,
                5 => {
                    let (name, attribute) = Attribute::parse(wire)?;
                    node.attributes.insert(name, attribute);
                }
                _ => {}
            }
        }
        Ok(node)
    }

    /// An error at this node.
    pub(super) fn error(&self, problem: impl Into<String>) -> OnnxError {
        let node = self.outputs.first().copied().unwrap_or_default().to_owned();
        OnnxError::Node { node, operator: self.operator.to_owned(), problem: problem.into() }
    }

    /// The numbers of an attribute, if it is there.
    pub(super) fn ints(&self, name: &str) -> Option<&[i64]> {
        self.attributes.get(name).map(|attribute| &attribute.ints[..])
    }

    /// A float of an attribute.
    pub(super) fn float(&self, name: &str, default: f32) -> f32 {
        self.attributes.get(name).map_or(default, |attribute| attribute.float)
    }
}

impl Attribute {
    fn parse(wire: Wire<'_>) -> Result<(&str, Attribute), OnnxError> {
        let (mut name, mut attribute) = ("", Attribute::default());
        for (field, wire) in nested(wire, "attribute")? {
            match field {
                1 => name = text(wire, "name of an attribute")?,
                2 => attribute.float = wire.float().ok_or_else(|| invalid("attribute"))?,
                3 | 8 => attribute.ints.extend(wire.numbers()?.into_iter().map(|number| number as i64)),
                _ => {}
            }
        }
        Ok((name, attribute))
    }
}

impl Constant {
    fn parse(wire: Wire<'_>) -> Result<(&str, Constant), OnnxError> {
        let (mut name, mut kind, mut constant) = ("", 0, Constant::default());
        let mut raw: Option<&[u8]> = None;
        for (field, wire) in nested(wire, "tensor")? {
            match field {
                1 => {
                    for length in wire.numbers()? {
                        constant.shape.push(usize::try_from(length).map_err(|_| invalid("shape of a tensor"))?);
                    }
                }
                2 => kind = wire.number().ok_or_else(|| invalid("type of a tensor"))?,
                4 => match wire {
                    Wire::Bytes(bytes) => constant.data.extend(singles(bytes)),
                    _ => constant.data.push(wire.float().ok_or_else(|| invalid("tensor"))?),
                },
                8 => name = text(wire, "name of a tensor")?,
                9 => raw = Some(wire.bytes().ok_or_else(|| invalid("tensor"))?),
                14 if wire.number() != Some(0) => {
                    return Err(OnnxError::Model(format!("the numbers of the tensor {name:?} in another file")));
                }
                _ => {}
            }
        }
        match (kind, raw) {
            (1, Some(raw)) => constant.data = singles(raw).collect(),
            (10, Some(raw)) => {
                constant.data = raw.as_chunks::<2>().0.iter().map(|half| from_f16(u16::from_le_bytes(*half))).collect();
            }
            // Shapes are given as whole numbers; only their presence matters here.
            (7, _) => return Ok((name, Constant::default())),
            (1, None) => {}
            _ => return Err(OnnxError::Model(format!("a tensor {name:?} that is neither FLOAT nor FLOAT16"))),
        }
        let count = constant.shape.iter().try_fold(1usize, |product, length| product.checked_mul(*length));
        if count != Some(constant.data.len()) {
            let (found, shape) = (constant.data.len(), constant.shape);
            return Err(OnnxError::Model(format!("a tensor {name:?} with {found} numbers and the shape {shape:?}")));
        }
        Ok((name, constant))
    }
}

fn singles(bytes: &[u8]) -> impl Iterator<Item = f32> {
    bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes))
}

/// The name and the shape of an input or output.
fn value_info(wire: Wire<'_>) -> Result<(&str, Vec<usize>), OnnxError> {
    let (mut name, mut shape) = ("", Vec::new());
    for (field, wire) in nested(wire, "input")? {
        match field {
            1 => name = text(wire, "name of an input")?,
            2 => {
                let tensors = nested(wire, "type")?.into_iter().filter(|(field, _)| *field == 1);
                for (_, tensor) in tensors {
                    for (_, dimensions) in nested(tensor, "type")?.into_iter().filter(|(field, _)| *field == 2) {
                        for (_, dimension) in nested(dimensions, "shape")?.into_iter().filter(|(field, _)| *field == 1)
                        {
                            let fixed = nested(dimension, "shape")?.into_iter().find(|(field, _)| *field == 1);
                            let length = fixed.and_then(|(_, wire)| wire.number());
                            shape.push(length.and_then(|length| usize::try_from(length).ok()).unwrap_or(0));
                        }
                    }
                }
            }
            _ => {}
        }
    }
    Ok((name, shape))
}
