//! The logits and win rates of a network, for a comparison with other programs (`python/compare_onnx.py`).
//!
//! ```text
//! outputs NET.safetensors BATCH.safetensors OUT.safetensors
//! ```
//!
//! The batch has the tensor `planes` (positions × planes × rows × columns), the result `policy` and `value`.

use std::collections::BTreeMap;

use tesuji_nn::{Evaluator, NamedArray, NetworkFile, Planes, Precision, Safetensors};

fn run(net: &str, batch: &str, out: &str) -> Result<(), Box<dyn std::error::Error>> {
    let network = NetworkFile::read(&std::fs::read(net)?)?.network;
    let batch = Safetensors::read(&std::fs::read(batch)?)?;
    let found = batch.tensors.iter().find(|tensor| tensor.name == "planes");
    let planes = &found.ok_or("the batch has no tensor planes")?.data;
    let positions = planes.len() / network.encoding().inputs();
    let result = Evaluator::new(&network, 1).evaluate(Planes::Dense(planes), positions);
    let array = |name: &str, data: Vec<f32>| {
        let shape = vec![positions, data.len() / positions.max(1)];
        NamedArray { name: name.to_owned(), shape, data }
    };
    let tensors = vec![array("policy", result.policy), array("value", result.value)];
    let file = Safetensors { tensors, metadata: BTreeMap::new() };
    std::fs::write(out, file.write(Precision::F32))?;
    Ok(())
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [net, batch, out] = &arguments[..] else {
        eprintln!("usage: outputs NET.safetensors BATCH.safetensors OUT.safetensors");
        std::process::exit(2);
    };
    if let Err(error) = run(net, batch, out) {
        eprintln!("error: {error}");
        std::process::exit(1);
    }
}
