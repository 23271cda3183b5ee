//! Solves Ostle, or its first classes, and prints what was found: `ostle PIECES [DIR [MINUTES]]`. With `reach` in the
//! place of the pieces it finds how far all boards are from the start instead.
//!
//! With a directory the values are kept there, work is saved every so many minutes, and a run that was killed goes
//! on. `TESUJI_THREADS` says how many threads work, 2 unless told; `TESUJI_STEP` that every so manieth value is proven,
//! every one unless told, none when 0.

use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use tesuji_game::{Game, NO_MOVE, Ranked};
use tesuji_ostle::{Index, Ostle};
use tesuji_solve::reach::{self, Reached, reach};
use tesuji_solve::retrograde::{
    Budget, Census, Ended, Order, Plan, RetrogradeError, Shelf, Solution, census, solve, verify,
};

fn main() -> Result<(), RetrogradeError> {
    let mut words = std::env::args().skip(1);
    let what = words.next().unwrap_or_default();
    let pieces: usize = what.parse().unwrap_or(8);
    let dir = words.next();
    let minutes: u64 = words.next().and_then(|word| word.parse().ok()).unwrap_or(5);
    let threads = std::env::var("TESUJI_THREADS").ok().and_then(|word| word.parse().ok()).unwrap_or(2);
    let checks = std::env::var("TESUJI_STEP").ok().and_then(|word| word.parse().ok()).unwrap_or(1);

    let game = Index::new();
    if what == "reach" {
        return distances(&game, dir, minutes, threads);
    }
    let plan = Plan { threads, stages: pieces.clamp(8, 10) - 7, memory: 14 << 30 };
    let budget = Budget::new(&game, plan.stages, threads, dir.is_some());
    println!("memory by stage, MiB: {:?}", budget.stages.iter().map(|bytes| bytes >> 20).collect::<Vec<_>>());
    let mut shelf = dir.map(|dir| Shelf::open(dir, "ostle")).transpose()?;

    let clock = Clock::start();
    let mut saved = Instant::now();
    let mut watch = |report: &tesuji_solve::retrograde::Report| {
        if report.new_layer {
            println!(
                "{clock} stage {} layer {} edges {} decided {}",
                report.stage, report.layer, report.edges, report.decided
            );
        }
        if saved.elapsed() < Duration::from_secs(60 * minutes) {
            return Order::Go;
        }
        saved = Instant::now();
        println!("{clock} saving at layer {}, {:.1} %", report.layer, 100.0 * report.part);
        Order::Save
    };
    let mut solution = match solve(&game, &plan, shelf.as_mut(), &mut watch)? {
        Ended::Solved(solution) => solution,
        Ended::Stopped => return Ok(()),
    };
    println!("{clock} solved");

    let classes: Vec<u8> =
        game.stages().iter().take(plan.stages).flat_map(|classes| classes.iter().copied()).collect();
    for &class in &classes {
        if let Some(shelf) = &shelf
            && let Some(values) = shelf.values(&game, class)?
        {
            solution.insert(class, values);
        }
    }
    println!("{clock} loaded");
    let mut sum = Census::default();
    for &class in &classes {
        let Some(values) = solution.class(class) else { continue };
        let found = census(&game, class, values, plan.stages == 3, threads);
        println!("{clock} class {}: {}", game.class_name(class), totals(&found));
        sum.add(&found);
    }
    println!("all: {}", totals(&sum));
    print_histogram("boards by plies", &sum.first);
    print_histogram("nodes by plies", &sum.nodes);
    println!("start: {:?}", value_of_start(&game, &solution));
    for &class in classes.iter().filter(|_| checks > 0) {
        let (boards, wrong) = verify(&game, &solution, class, checks, threads, &|_| true)?;
        println!("{clock} class {}: verified {boards} boards, {} wrong", game.class_name(class), wrong.len());
        for wrong in wrong.iter().take(5) {
            println!("{wrong:?}");
        }
    }
    Ok(())
}

fn distances(game: &Index, dir: Option<String>, minutes: u64, threads: usize) -> Result<(), RetrogradeError> {
    let mut shelf = dir.map(|dir| Shelf::open(dir, "ostle")).transpose()?;
    let (clock, mut saved, mut last) = (Clock::start(), Instant::now(), None);
    println!("memory, MiB: {}", Reached::memory(game) >> 20);
    let mut watch = |depth: u8, moves: u64| {
        if last.replace(depth) != Some(depth) {
            println!("{clock} depth {depth} moves {moves}");
        }
        if saved.elapsed() < Duration::from_secs(60 * minutes) {
            return Order::Go;
        }
        saved = Instant::now();
        println!("{clock} saving at depth {depth}");
        Order::Save
    };
    let Some(reached) = reach(game, Ostle::start(), threads, shelf.as_mut(), &mut watch)? else {
        return Ok(());
    };
    println!("{clock} reached");
    let found = reach::census(game, &reached, true, threads);
    println!("{clock} counted; {} boards are not reached", found.unreached);
    print_histogram("boards by depth", &found.boards);
    print_histogram("positions by depth", &found.positions);
    print_histogram("nodes of the published search by depth", &found.published);
    Ok(())
}

fn value_of_start(game: &Index, solution: &Solution) -> Option<u8> {
    solution.value(game, Ostle::start(), NO_MOVE)
}

fn totals(census: &Census) -> String {
    format!(
        "boards {} checkmates {} symmetric {} exceptions {} nodes {} unled {} merged {} ambiguous {} coincidences {}",
        census.boards,
        census.wins_at_once,
        census.symmetric,
        census.exceptions,
        census.nodes.iter().sum::<u64>(),
        census.unled,
        census.merged,
        census.ambiguous,
        census.coincidences
    )
}

fn print_histogram(what: &str, counts: &[u64]) {
    println!("{what}:");
    for (value, count) in counts.iter().enumerate().filter(|(_, count)| **count != 0) {
        println!("{value}:{count}");
    }
}

struct Clock {
    wall: Instant,
    cpu: ProcessTime,
}

impl Clock {
    fn start() -> Clock {
        Clock { wall: Instant::now(), cpu: ProcessTime::now() }
    }
}

impl std::fmt::Display for Clock {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (wall, cpu) = (self.wall.elapsed().as_secs_f64(), self.cpu.elapsed().as_secs_f64());
        write!(out, "[wall {wall:8.1} s, CPU {cpu:8.1} s]")
    }
}
