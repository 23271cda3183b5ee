//! The speed of inference: positions per CPU second, and GFLOP/s counted as direct convolutions. Arguments choose
//! instruction sets: `avx-512`, `avx2`, `portable`, `bf16` (AMX or AVX-512 BF16).

use cpu_time::ProcessTime;
use tesuji_nn::{Arithmetic, Encoding, Evaluation, Evaluator, InstructionSet, Network, Planes, Random};

const SHOGI: Encoding = Encoding { height: 9, width: 9, planes: 104, policy_planes: 27 };
const SECONDS: f64 = 1.0;

/// Positions per CPU second: the best of several calls, since other work on the machine only slows them down.
fn speed(positions: usize, mut work: impl FnMut()) -> f64 {
    work();
    let (start, mut best) = (ProcessTime::now(), f64::INFINITY);
    while start.elapsed().as_secs_f64() < SECONDS {
        let call = ProcessTime::now();
        work();
        best = best.min(call.elapsed().as_secs_f64());
    }
    positions as f64 / best
}

fn main() {
    let chosen: Vec<String> = std::env::args().skip(1).map(|arg| arg.to_lowercase()).collect();
    let mut random = Random::new(1);
    for spec in ["policy-value:blocks=6,channels=64", "policy:layers=12,channels=192"] {
        let Ok(architecture) = spec.parse() else { continue };
        let network = Network::new(SHOGI, architecture, 1);
        println!("{spec}: {} parameters, {:.1} MFLOP", network.parameters(), network.operations() as f64 / 1e6);
        let available = InstructionSet::ALL.into_iter().filter(|isa| isa.is_available());
        let mut evaluators: Vec<_> =
            available.map(|isa| (isa.to_string(), Evaluator::with(isa, &network, 1))).collect();
        let bf16 = Evaluator::new(&network, 1).with_arithmetic(&network, Arithmetic::Bf16);
        if bf16.arithmetic() == Arithmetic::Bf16 {
            evaluators.push(("bf16".to_owned(), bf16));
        }
        for (name, mut evaluator) in evaluators.into_iter().rev() {
            if chosen.iter().any(|arg| !arg.starts_with('-')) && !chosen.contains(&name.to_lowercase()) {
                continue;
            }
            for batch in [1, 16, 128] {
                // About as many pieces and hands as in a real position.
                let bits: Vec<u64> =
                    (0..batch * SHOGI.words()).map(|_| random.bits() & random.bits() & random.bits()).collect();
                let mut evaluation = Evaluation::default();
                let speed = speed(batch, || evaluator.evaluate_into(Planes::Bits(&bits), batch, &mut evaluation));
                let flops = speed * network.operations() as f64 / 1e9;
                println!("  {name}, batch {batch:3}: {speed:6.0} positions per CPU second, {flops:5.0} GFLOP/s");
            }
        }
    }
}
