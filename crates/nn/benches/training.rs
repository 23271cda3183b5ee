//! The speed of training in single precision, batch 256: positions per CPU second on one thread, and per second on two.

use std::time::Instant;

use cpu_time::ProcessTime;
use tesuji_nn::{Batch, Encoding, Network, Planes, PolicyTargets, Random, Trainer, TrainingOptions};

const SHOGI: Encoding = Encoding { height: 9, width: 9, planes: 104, policy_planes: 27 };
const SIZE: usize = 256;
const STEPS: usize = 4;

fn main() {
    let mut random = Random::new(1);
    // About as many pieces and hands as in a real position.
    let bits: Vec<u64> = (0..SIZE * SHOGI.words()).map(|_| random.bits() & random.bits() & random.bits()).collect();
    let labels: Vec<u32> = (0..SIZE).map(|_| random.below(SHOGI.labels()) as u32).collect();
    let values: Vec<f32> = (0..SIZE).map(|_| random.below(2) as f32).collect();
    let batch = Batch {
        planes: Planes::Bits(&bits),
        size: SIZE,
        policy: Some(PolicyTargets::Labels(&labels)),
        value: Some(&values),
    };
    for spec in ["policy-value:blocks=6,channels=64", "policy:layers=12,channels=192"] {
        for threads in [1, 2] {
            let Ok(architecture) = spec.parse() else { continue };
            let network = Network::new(SHOGI, architecture, 1);
            let Ok(mut trainer) = Trainer::new(network, TrainingOptions::default(), threads) else { continue };
            let (mut per_cpu, mut per_second) = (0f64, 0f64);
            // The first step allocates.
            for step in 0..=STEPS {
                let (cpu, wall) = (ProcessTime::now(), Instant::now());
                if let Err(error) = trainer.step(&batch) {
                    eprintln!("{error}");
                    return;
                }
                if step > 0 {
                    per_cpu = per_cpu.max(SIZE as f64 / cpu.elapsed().as_secs_f64());
                    per_second = per_second.max(SIZE as f64 / wall.elapsed().as_secs_f64());
                }
            }
            println!("{spec}, {threads} threads: {per_cpu:5.0} positions per CPU second, {per_second:5.0} per second");
        }
    }
}
