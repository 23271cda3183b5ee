//! Speed of the alpha-beta search: `cargo bench -p tesuji-search --bench alphabeta`. CPU time, the best of several
//! interleaved runs. An argument (`speed`, `rival`, `threads`) selects one table.

#[path = "alphabeta/evals.rs"]
mod evals;
#[path = "alphabeta/rival.rs"]
mod rival;

use std::time::{Duration, Instant};

use cpu_time::{ProcessTime, ThreadTime};
use evals::{DiscsAndMoves, Scrambled};
use tesuji_game::{Game, MoveList, Record};
use tesuji_ostle::Ostle;
use tesuji_othello::Othello;
use tesuji_search::alphabeta::{AlphaBeta, AlphaBetaOptions, RootDriver};
use tesuji_search::{CancelToken, Engine, Eval, Limits, NoEval, NoHeuristics, Rng, SearchReport};
use tesuji_shogi::Shogi;
use tesuji_trax::{Trax, Unlimited};

const RUNS: usize = 3;
const HASH_MIB: usize = 64;
/// A shorter search measures the start of threads instead of the search.
const LONG_ENOUGH: Duration = Duration::from_millis(20);

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let wants = |name: &str| wanted.is_empty() || wanted.iter().any(|word| word == name);
    if wants("speed") {
        println!("{:40}{:>12}{:>10}{:>12}", "one thread", "nodes", "CPU s", "nodes/s");
        speed("othello, discs and moves, 9 plies", &openings::<Othello>(10, 4), DiscsAndMoves, 9);
        speed("othello, scrambled, 8 plies", &openings::<Othello>(10, 4), Scrambled, 8);
        speed("trax, nothing, 5 plies", &openings::<Trax<Unlimited>>(6, 4), NoEval, 5);
        speed("trax, scrambled, 4 plies", &openings::<Trax<Unlimited>>(6, 4), Scrambled, 4);
        speed("ostle, scrambled, 6 plies", &openings::<Ostle>(4, 4), Scrambled, 6);
        speed("shogi, scrambled, 4 plies", &openings::<Shogi>(20, 4), Scrambled, 4);
        speed("shogi, nothing, 5 plies", &openings::<Shogi>(20, 4), NoEval, 5);
    }
    if wants("rival") {
        against_rival(9);
        against_rival(10);
    }
    if wants("threads") {
        println!(
            "\n{:40}{:>8}{:>8}{:>8}{:>8}{:>9}{:>9}",
            "two threads against one", "wall", "leader", "CPU", "nodes", "wall s", "of one"
        );
        threads("othello, discs and moves, 11 plies", &openings::<Othello>(10, 6), DiscsAndMoves, 11);
        threads("trax, scrambled, 6 plies", &openings::<Trax<Unlimited>>(5, 8), Scrambled, 6);
        threads("ostle, scrambled, 7 plies", &openings::<Ostle>(4, 4), Scrambled, 7);
        threads("shogi, scrambled, 5 plies", &openings::<Shogi>(20, 4), Scrambled, 5);
    }
}

/// Positions after `plies` random moves.
fn openings<G: Game>(plies: usize, count: u64) -> Vec<Record<G>> {
    let opening = |seed| {
        let mut rng = Rng::new(seed);
        let mut record = Record::new(G::start());
        let mut list = G::Moves::default();
        for _ in 0..plies {
            record.now().clone().moves(&mut list);
            let mv = list.each().nth(rng.below(list.len().max(1)))?;
            record.push(mv).ok()?;
        }
        record.ending().is_none().then_some(record)
    };
    (0..).filter_map(opening).take(count as usize).collect()
}

struct Cost {
    cpu: Duration,
    /// CPU time of the main thread: the wall time on idle cores.
    leader: Duration,
    wall: Duration,
    nodes: u64,
}

/// Searches a position to a depth with a new engine.
fn search<G: Game, E: Eval<G>>(mut engine: AlphaBeta<E>, record: &Record<G>, depth: u32) -> (Cost, i32) {
    let limits = Limits { depth: Some(depth), lines: 1, ..Limits::default() };
    let mut last: Option<SearchReport<G::Move>> = None;
    Engine::<G>::forget(&mut engine);
    let (cpu, leader, wall) = (ProcessTime::now(), ThreadTime::now(), Instant::now());
    engine.think(record, &limits, &CancelToken::new(), &mut |report| last = Some(report.clone()));
    let value = last.as_ref().map_or(0, |report| i32::from(report.lines[0].value.get()));
    let nodes = last.map_or(0, |report| report.nodes);
    (Cost { cpu: cpu.elapsed(), leader: leader.elapsed(), wall: wall.elapsed(), nodes }, value)
}

fn ours<E>(eval: E, threads: usize) -> AlphaBeta<E> {
    AlphaBeta::new(eval, NoHeuristics, AlphaBetaOptions { hash_mib: HASH_MIB, threads })
}

fn speed<G: Game, E: Eval<G> + Copy>(name: &str, records: &[Record<G>], eval: E, depth: u32) {
    let run = || {
        let costs: Vec<Cost> = records.iter().map(|record| search(ours(eval, 1), record, depth).0).collect();
        (costs.iter().map(|cost| cost.nodes).sum::<u64>(), costs.iter().map(|cost| cost.cpu).sum::<Duration>())
    };
    let (nodes, cpu) = (0..RUNS).map(|_| run()).min_by_key(|&(_, cpu)| cpu).unwrap_or_default();
    println!("{name:40}{nodes:>12}{:>10.3}{:>12.0}", cpu.as_secs_f64(), nodes as f64 / cpu.as_secs_f64());
}

fn against_rival(depth: u32) {
    let records = openings::<Othello>(12, 6);
    let mut best = [Duration::MAX; 4];
    let mut nodes = [0; 2];
    for _ in 0..RUNS {
        let mut sums = [Duration::ZERO; 4];
        nodes = [0; 2];
        for record in &records {
            let mut values = Vec::new();
            for (index, driver) in [RootDriver::Pvs, RootDriver::Mtdf].into_iter().enumerate() {
                let (cost, value) = search(ours(DiscsAndMoves, 1).with_driver(driver), record, depth);
                sums[index] += cost.cpu;
                nodes[index] += cost.nodes;
                values.push(value);
            }
            for (index, all) in [(2, false), (3, true)] {
                let begun = ProcessTime::now();
                values.push(rival::search(record.now(), depth as u8, HASH_MIB, all));
                sums[index] += begun.elapsed();
            }
            if !values.iter().all(|value| *value == values[0]) {
                println!("values differ through the transposition tables: {values:?}");
            }
        }
        for (best, sum) in best.iter_mut().zip(sums) {
            *best = sum.min(*best);
        }
    }
    println!(
        "\n{:40}{:>10}{:>8}{:>12}",
        format!("othello to {depth} plies, same evaluation"),
        "CPU s",
        "ratio",
        "nodes"
    );
    let names = ["tesuji, PVS", "tesuji, MTD(f)", "minimax-rs, as it comes", "minimax-rs, countermoves, aspiration"];
    for (index, (name, cpu)) in names.iter().zip(best).enumerate() {
        let nodes = nodes.get(index).map_or(String::new(), u64::to_string);
        let ratio = cpu.as_secs_f64() / best[0].as_secs_f64();
        println!("{name:40}{:>10.3}{ratio:>8.2}{nodes:>12}", cpu.as_secs_f64());
    }
}

/// Wall time, CPU time of the leader and of both, and nodes of two threads, as ratios to one; geometric
/// means over the positions.
fn threads<G: Game, E: Eval<G> + Copy>(name: &str, records: &[Record<G>], eval: E, depth: u32) {
    let mut counted = 0;
    let mut logs = [0.0; 4];
    let mut walls = [Duration::ZERO; 2];
    for record in records {
        let mut best =
            [1, 2].map(|_| Cost { cpu: Duration::MAX, leader: Duration::MAX, wall: Duration::MAX, nodes: 0 });
        for _ in 0..RUNS {
            for (best, threads) in best.iter_mut().zip([1, 2]) {
                let (cost, _) = search(ours(eval, threads), record, depth);
                if cost.wall < best.wall {
                    *best = cost;
                }
            }
        }
        let [one, two] = best;
        if one.wall < LONG_ENOUGH {
            continue;
        }
        counted += 1;
        logs[0] += (two.wall.as_secs_f64() / one.wall.as_secs_f64()).ln();
        logs[1] += (two.cpu.as_secs_f64() / one.cpu.as_secs_f64()).ln();
        logs[2] += (two.nodes as f64 / one.nodes as f64).ln();
        logs[3] += (two.leader.as_secs_f64() / one.leader.as_secs_f64()).ln();
        walls[0] += one.wall;
        walls[1] += two.wall;
    }
    let [wall, cpu, nodes, leader] = logs.map(|log: f64| (log / f64::from(counted)).exp());
    println!(
        "{name:40}{wall:>8.2}{leader:>8.2}{cpu:>8.2}{nodes:>8.2}{:>9.2}{:>9.2}",
        walls[1].as_secs_f64(),
        walls[0].as_secs_f64()
    );
}
