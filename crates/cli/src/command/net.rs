//! `tesuji net`: files of networks.

use std::path::Path;

use tesuji_registry::{
    NetworkBench, NetworkConversion, NetworkEvaluationJob, NetworkEvaluationResponse, NetworkFormat, NetworkInfo,
    NetworkSpeed, Registry, SearchBench, TruthJob, TruthRequest, TruthResponse,
};
use tesuji_report::grouped;

use super::counted;
use super::train::{precision, warn};
use crate::args::{self, ArithmeticName, NetFormat, NetVerb};
use crate::failure::Done;
use crate::out::Out;

pub(crate) fn run(registry: &Registry, args: &args::Net, out: &mut Out) -> Done {
    match &args.verb {
        NetVerb::Show(args) => show(registry, args, out),
        NetVerb::Eval(args) => eval(registry, args, out),
        NetVerb::Convert(args) => convert(registry, args, out),
        NetVerb::Bench(args) => bench(registry, args, out),
    }
}

fn show(registry: &Registry, args: &args::NetShow, out: &mut Out) -> Done {
    let info = registry.show_network(&args.file)?;
    warn(info.warning.as_slice());
    if args.json.json {
        return out.json("net-show", &info);
    }
    let NetworkInfo { architecture, games, encoder, encoding, parameters, operations, bits, bytes, sha256, .. } = &info;
    let mut line = |name: &str, text: &str| out.line(format_args!("{name:<14}{text}"));
    line("architecture", architecture)?;
    line("games", &if games.is_empty() { "none here".to_owned() } else { games.join(", ") })?;
    line("encoder", &encoder.as_ref().map_or_else(|| encoding.clone(), |name| format!("{name} ({encoding})")))?;
    line("parameters", &grouped(*parameters as u64))?;
    line("operations", &format!("{:.1} million per position", *operations as f64 / 1e6))?;
    let stored = bits.map_or(String::new(), |bits| format!(" in numbers of {bits} bits"));
    line("size", &format!("{} bytes{stored}", grouped(*bytes as u64)))?;
    if let Some(sha256) = sha256 {
        line("SHA-256", &format!("{sha256}, correct"))?;
    }
    for (name, text) in info.metadata.iter().filter(|(name, _)| *name != "encoder") {
        for (number, text) in text.lines().enumerate() {
            line(if number == 0 { name } else { "" }, text)?;
        }
    }
    out.line(format_args!("{} tensors", info.tensors.len()))?;
    for tensor in &info.tensors {
        let shape: Vec<String> = tensor.shape.iter().map(ToString::to_string).collect();
        out.line(format_args!("  {:<28}{}", tensor.name, shape.join(" × ")))?;
    }
    Ok(())
}

/// A network against the truth of a tablebase.
fn measure(registry: &Registry, folder: &Path, args: &args::NetEval, out: &mut Out) -> Done {
    let truth = TruthJob {
        tablebase: folder.to_owned(),
        positions: args.positions.unwrap_or(100_000),
        seed: args.seed,
        threads: args.threads.get(),
    };
    let request = TruthRequest { net: args.file.clone(), truth, engine: args.engine.clone() };
    let response = out.operation(|_, context| Ok(registry.measure_network(&request, context)?))?;
    warn(&response.warnings);
    if args.json.json {
        return out.json("net-eval", &response);
    }
    let TruthResponse { game, figures, engine, engine_moves, .. } = response;
    let (boards, contested) = (grouped(figures.positions), grouped(figures.contested));
    out.line(format_args!("{boards} random boards of {game}, {contested} of them with moves of different results"))?;
    let percent = |share: f64| format!("{:.2} %", 100.0 * share);
    let mut line = |name: &str, text: String| out.line(format_args!("{name:<34}{text:>9}"));
    line("policy, optimal moves", percent(figures.optimal_moves))?;
    line("  and as quick as can be", percent(figures.shortest_moves))?;
    line("  where moves differ", percent(figures.contested_optimal))?;
    line("  where moves differ, by chance", percent(figures.contested_by_chance))?;
    line("value, mean error", format!("{:.4}", figures.value_error))?;
    line("value, root mean square error", format!("{:.4}", figures.value_rms))?;
    line("value, winner predicted", percent(figures.value_accuracy))?;
    if let (Some(engine), Some(moves)) = (engine, engine_moves) {
        line(&format!("{engine}, optimal moves"), percent(moves.optimal_moves))?;
        line("  and as quick as can be", percent(moves.shortest_moves))?;
        line("  where moves differ", percent(moves.contested_optimal))?;
    }
    Ok(())
}

fn eval(registry: &Registry, args: &args::NetEval, out: &mut Out) -> Done {
    if let Some(folder) = &args.tablebase {
        return measure(registry, folder, args, out);
    }
    let job = NetworkEvaluationJob {
        net: args.file.clone(),
        data: args.data.clone(),
        positions: args.positions.map(|positions| positions as usize),
        threads: args.threads.get(),
    };
    let response = out.operation(|_, context| Ok(registry.evaluate_network_file(&job, context)?))?;
    warn(response.warning.as_slice());
    if args.json.json {
        return out.json("net-eval", &response);
    }
    let NetworkEvaluationResponse { game, figures, .. } = response;
    out.line(format_args!("{} positions of {game}", grouped(figures.positions)))?;
    let percent = |share: f64| format!("{:.2} %", 100.0 * share);
    let nats = |entropy: f64| format!("{entropy:.4}");
    for (name, text) in [
        ("policy, top 1", figures.policy_accuracy.map(percent)),
        ("  among legal moves", figures.policy_accuracy_legal.map(percent)),
        ("policy, top 3", figures.policy_top3.map(percent)),
        ("policy, cross-entropy", figures.policy_cross_entropy.map(nats)),
        ("value, winner predicted", figures.value_accuracy.map(percent)),
        ("value, cross-entropy", figures.value_cross_entropy.map(nats)),
    ] {
        if let Some(text) = text {
            out.line(format_args!("{name:<24}{text:>9}"))?;
        }
    }
    Ok(())
}

fn convert(registry: &Registry, args: &args::NetConvert, out: &mut Out) -> Done {
    let to = match args.to {
        NetFormat::Onnx => NetworkFormat::Onnx,
        NetFormat::Safetensors => NetworkFormat::Safetensors,
    };
    let precision = precision(args.precision);
    let request = NetworkConversion { file: args.file.clone(), to, precision, out: args.out.clone() };
    let response = registry.convert_network(&request)?;
    warn(response.warning.as_slice());
    if args.json.json {
        return out.json("net-convert", &response);
    }
    out.line(format_args!("{} bytes in {}", grouped(response.bytes as u64), response.file))
}

fn bench(registry: &Registry, args: &args::NetBench, out: &mut Out) -> Done {
    let request = NetworkBench {
        file: args.file.clone(),
        batches: args.batch.iter().map(|batch| *batch as usize).collect(),
        threads: args.threads.get(),
        bf16: args.precision == ArithmeticName::Bf16,
        time: args.time,
    };
    let (json, mut headed) = (args.json.json, false);
    out.events(
        |context, events| registry.bench_network(&request, context, events),
        |out, speed: NetworkSpeed| {
            if json {
                return out.json("net-bench", speed);
            }
            if !headed {
                headed = true;
                let (instructions, arithmetic) = (&speed.instructions, &speed.arithmetic);
                out.line(format_args!("{instructions}, {arithmetic}, on {}", counted(speed.threads, "thread")))?;
                out.line(format_args!("{:>6} {:>12} {:>14}", "batch", "positions/s", "per CPU second"))?;
            }
            let (second, cpu) = (grouped(speed.per_second as u64), grouped(speed.per_cpu_second as u64));
            out.line(format_args!("{:>6} {second:>12} {cpu:>14}", speed.batch))
        },
    )?;
    if args.search {
        bench_search(registry, args, out)?;
    }
    args.data.as_deref().map_or(Ok(()), |set| bench_reading(registry, set, args, out))
}

/// The tree search against its network.
fn bench_search(registry: &Registry, args: &args::NetBench, out: &mut Out) -> Done {
    for (number, &batch) in args.batch.iter().enumerate() {
        let request = SearchBench { file: args.file.clone(), batch: batch as usize, time: args.time };
        let speed = out.operation(|_, context| Ok(registry.bench_search(&request, context)?))?;
        if args.json.json {
            out.json("net-bench", &speed)?;
            continue;
        }
        if number == 0 {
            out.line("search by puct on one thread, evaluations per CPU second")?;
            out.line(format_args!("{:>6} {:>12} {:>14} {:>8}", "batch", "search", "network alone", "share"))?;
        }
        let [search, network] =
            [speed.search_per_cpu_second, speed.network_per_cpu_second].map(|rate| grouped(rate as u64));
        out.line(format_args!("{batch:>6} {search:>12} {network:>14} {:>7.1}%", 100.0 * speed.ratio))?;
    }
    Ok(())
}

/// How fast a data set is read.
fn bench_reading(registry: &Registry, set: &Path, args: &args::NetBench, out: &mut Out) -> Done {
    let speed = out.operation(|_, context| Ok(registry.bench_reading(set, args.time, context)?))?;
    if args.json.json {
        return out.json("net-bench", &speed);
    }
    let [read, planes] = [speed.per_cpu_second, speed.with_planes_per_cpu_second].map(|rate| grouped(rate as u64));
    out.line(format_args!("{} of {} positions", speed.set, grouped(speed.positions)))?;
    out.line(format_args!("read {read} positions per CPU second, {planes} with input planes"))
}
