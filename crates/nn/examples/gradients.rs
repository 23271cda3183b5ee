//! The loss and the gradients of a network on one batch, for a comparison with other programs
//! (`python/compare_gradients.py`).
//!
//! ```text
//! gradients NET.safetensors BATCH.safetensors OUT.safetensors
//! ```
//!
//! The batch has the tensors `planes` (positions × planes × rows × columns), `labels` and `values`.

use std::collections::BTreeMap;

use tesuji_nn::{
    Batch, NamedArray, NetworkFile, Planes, PolicyTargets, Precision, Safetensors, Trainer, TrainingOptions,
};

fn run(net: &str, batch: &str, out: &str) -> Result<(), Box<dyn std::error::Error>> {
    let network = NetworkFile::read(&std::fs::read(net)?)?.network;
    let batch = Safetensors::read(&std::fs::read(batch)?)?;
    let find = |name: &str| {
        let found = batch.tensors.iter().find(|tensor| tensor.name == name);
        found.map(|tensor| &tensor.data).ok_or(format!("the batch has no tensor {name}"))
    };
    let labels: Vec<u32> = find("labels")?.iter().map(|label| *label as u32).collect();
    let (planes, values) = (find("planes")?, find("values")?);
    let batch = Batch {
        planes: Planes::Dense(planes),
        size: labels.len(),
        policy: Some(PolicyTargets::Labels(&labels)),
        value: Some(values),
    };
    let mut trainer = Trainer::new(network, TrainingOptions::default(), 1)?;
    let metrics = trainer.step(&batch)?.metrics;
    let size = labels.len() as f64;
    let metadata = BTreeMap::from([
        ("policy_loss".to_owned(), (metrics.policy_loss / size).to_string()),
        ("value_loss".to_owned(), (metrics.value_loss / size).to_string()),
    ]);
    let gradients = trainer.network().tensors().iter().zip(trainer.gradients());
    let tensors = gradients
        .filter(|(_, gradient)| !gradient.is_empty())
        .map(|(tensor, gradient)| NamedArray {
            name: tensor.name.clone(),
            shape: tensor.shape.clone(),
            data: gradient.clone(),
        })
        .collect();
    std::fs::write(out, Safetensors { metadata, tensors }.write(Precision::F32))?;
    Ok(())
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [net, batch, out] = &arguments[..] else {
        eprintln!("usage: gradients NET.safetensors BATCH.safetensors OUT.safetensors");
        std::process::exit(2);
    };
    if let Err(error) = run(net, batch, out) {
        eprintln!("error: {error}");
        std::process::exit(1);
    }
}
