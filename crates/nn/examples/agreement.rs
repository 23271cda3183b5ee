//! How often bfloat16 and single precision prefer the same move, and how far win rates differ
//! (`python/compare_arithmetic.py`).
//!
//! ```text
//! agreement NET.safetensors BATCH.safetensors
//! ```
//!
//! The batch has the tensor `planes` (positions × planes × rows × columns), and `labels` if the moves played are known: then
//! it also says how often each arithmetic finds them.

use tesuji_nn::{Arithmetic, Evaluator, NetworkFile, Planes, Safetensors};

fn best(logits: &[f32]) -> Option<usize> {
    (0..logits.len()).max_by(|a, b| logits[*a].total_cmp(&logits[*b]))
}

fn run(net: &str, batch: &str) -> Result<(), Box<dyn std::error::Error>> {
    let network = NetworkFile::read(&std::fs::read(net)?)?.network;
    let batch = Safetensors::read(&std::fs::read(batch)?)?;
    let found = batch.tensors.iter().find(|tensor| tensor.name == "planes");
    let planes = &found.ok_or("the batch has no tensor planes")?.data;
    let positions = planes.len() / network.encoding().inputs();
    let mut single = Evaluator::new(&network, 1);
    let mut bf16 = Evaluator::new(&network, 1).with_arithmetic(&network, Arithmetic::Bf16);
    if bf16.arithmetic() != Arithmetic::Bf16 {
        return Err("this machine has neither AMX nor AVX-512 BF16".into());
    }
    let (a, b) = (single.evaluate(Planes::Dense(planes), positions), bf16.evaluate(Planes::Dense(planes), positions));
    let labels = network.encoding().labels();
    let pairs = a.policy.chunks_exact(labels).zip(b.policy.chunks_exact(labels));
    let same = pairs.filter(|(a, b)| best(a) == best(b));
    println!("{positions} positions");
    if !a.policy.is_empty() {
        println!("the same best label: {:.3} %", 100.0 * same.count() as f64 / positions as f64);
    }
    if let Some(played) = batch.tensors.iter().find(|tensor| tensor.name == "labels") {
        for (name, policy) in [("single precision", &a.policy), ("bfloat16", &b.policy)] {
            let moves = policy.chunks_exact(labels).zip(&played.data);
            let found = moves.filter(|(logits, label)| best(logits) == Some(**label as usize)).count();
            println!("the move played, {name}: {:.3} %", 100.0 * found as f64 / positions as f64);
        }
    }
    let differences = a.value.iter().zip(&b.value).map(|(a, b)| f64::from((a - b).abs()));
    if !a.value.is_empty() {
        let most = differences.clone().fold(0.0, f64::max);
        println!(
            "win rates: differ by {:.5} on average, {most:.5} at most",
            differences.sum::<f64>() / positions as f64
        );
    }
    Ok(())
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [net, batch] = &arguments[..] else {
        eprintln!("usage: agreement NET.safetensors BATCH.safetensors");
        std::process::exit(2);
    };
    if let Err(error) = run(net, batch) {
        eprintln!("error: {error}");
        std::process::exit(1);
    }
}
