//! How fast the kernels are: `cargo bench -p tesuji-othello`. Each row is the best of five runs, taken in
//! turn so that a busy machine disturbs all alike, in CPU time; the ratio is to the first row of its table.

use std::hint::black_box;

use cpu_time::ProcessTime;
use tesuji_game::{Game, MoveList, perft};
use tesuji_othello::kernel::{self, portable};
use tesuji_othello::{Moves, Othello, Square};

mod classic;
mod rival;

const RUNS: usize = 5;
const DEPTH: u32 = 10;

type Work<'a> = Box<dyn Fn() -> u64 + 'a>;

fn main() {
    let positions = positions();
    let boards: Vec<(u64, u64)> = positions.iter().map(|position| (position.own(), position.other())).collect();
    let moves: Vec<(u64, u64, Square)> = positions
        .iter()
        .flat_map(|&position| {
            let mut list = Moves::default();
            position.clone().moves(&mut list);
            let squares: Vec<Square> = list.each().filter_map(|mv| mv.square()).collect();
            squares.into_iter().map(move |square| (position.own(), position.other(), square))
        })
        .collect();

    let each_flip = |flips: fn(u64, u64, Square) -> u64| -> Work<'_> {
        let moves = &moves;
        Box::new(move || {
            for _ in 0..100 {
                for &(own, other, square) in moves {
                    black_box(flips(own, other, square));
                }
            }
            100 * moves.len() as u64
        })
    };
    let each_mobility = |mobility: fn(u64, u64) -> u64| -> Work<'_> {
        let boards = &boards;
        Box::new(move || {
            for _ in 0..1000 {
                for &(own, other) in boards {
                    black_box(mobility(own, other));
                }
            }
            1000 * boards.len() as u64
        })
    };

    println!("instruction set: {:?}\n", tesuji_game::isa::isa());
    table(
        "flips",
        vec![
            ("rays and carries, portable", each_flip(portable::flips)),
            ("lines and tables, portable", each_flip(rival::flips)),
            ("one function per square", each_flip(classic::flips_by_square)),
            ("shift propagation", each_flip(classic::flips_by_shifts)),
            ("dispatched", each_flip(kernel::flips_of_empty)),
        ],
    );
    table(
        "mobility",
        vec![
            ("doubled runs, portable", each_mobility(portable::mobility)),
            ("carries along all lines", each_mobility(classic::mobility_by_carries)),
            ("dispatched", each_mobility(kernel::mobility)),
        ],
    );
    let start = Othello::start();
    table(
        &format!("perft {DEPTH}, leaves"),
        vec![
            ("generic walk", Box::new(move || perft::walk(&mut start.clone(), DEPTH))),
            ("portable", Box::new(move || portable::leaves(start.own(), start.other(), DEPTH))),
            ("dispatched", Box::new(move || kernel::leaves(start.own(), start.other(), DEPTH))),
        ],
    );
}

/// The positions of a few hundred quick games, the same every time.
fn positions() -> Vec<Othello> {
    let mut number = 1u64;
    let mut found = Vec::new();
    let mut list = Moves::default();
    for _ in 0..200 {
        let mut game = Othello::start();
        loop {
            game.moves(&mut list);
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let chosen = list.each().nth((number >> 33) as usize % list.len().max(1));
            let Some(mv) = chosen else { break };
            found.push(game);
            game.play(mv);
        }
    }
    found
}

fn table(title: &str, rows: Vec<(&str, Work<'_>)>) {
    let mut best = vec![(0, f64::INFINITY); rows.len()];
    for _ in 0..RUNS {
        for ((_, work), best) in rows.iter().zip(&mut best) {
            let begun = ProcessTime::now();
            let count = black_box(work());
            *best = (count, best.1.min(begun.elapsed().as_secs_f64()));
        }
    }
    println!("{title:<28} {:>12} {:>8} {:>8} {:>6}", "count", "CPU s", "M/s", "ratio");
    for ((name, _), (count, seconds)) in rows.iter().zip(&best) {
        let speed = |count: u64, seconds: f64| count as f64 / seconds / 1e6;
        let ratio = speed(*count, *seconds) / speed(best[0].0, best[0].1);
        println!("{name:<28} {count:>12} {seconds:>8.3} {:>8.1} {ratio:>6.2}", speed(*count, *seconds));
    }
    println!();
}
