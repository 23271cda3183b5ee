//! Solves FFO #40 to #44 on one thread: nodes, CPU seconds and nodes per second.
//!
//! `cargo run --release -p tesuji-engines --example ffo -- [first] [last]` takes a range of its numbers.

use cpu_time::ProcessTime;
use tesuji_engines::othello::{Aim, Pattern, Solver};
use tesuji_game::Notation;
use tesuji_othello::Othello;

/// Number, position and score.
const PROBLEMS: [(u32, &str, i32); 5] = [
    (40, "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X", 38),
    (41, "-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X", 0),
    (42, "--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X", 6),
    (43, "--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O", -12),
    (44, "--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX-- O", -14),
];

fn main() {
    let mut range = std::env::args().skip(1).filter_map(|word| word.parse::<u32>().ok());
    let first = range.next().unwrap_or(40);
    let last = range.next().unwrap_or(44);
    let (mut nodes, mut seconds) = (0, 0.0);
    for (number, board, score) in PROBLEMS {
        let Ok(game) = Othello::parse(board) else { continue };
        if !(first..=last).contains(&number) {
            continue;
        }
        let mut solver = Solver::new(256, Pattern::shipped());
        let begun = ProcessTime::now();
        let solved = solver.solve(&game, Aim::Score);
        let spent = begun.elapsed().as_secs_f64();
        let right = if solved.score == score { "" } else { "  WRONG" };
        let line: Vec<String> = solved.line.iter().map(ToString::to_string).collect();
        println!(
            "#{number} {:+3} {:>12} nodes {spent:>8.2} s {:>6.1} Mn/s  {}{right}",
            solved.score,
            solved.nodes,
            solved.nodes as f64 / spent / 1e6,
            line.join("")
        );
        nodes += solved.nodes;
        seconds += spent;
    }
    println!("all {nodes:>16} nodes {seconds:>8.2} s {:>6.1} Mn/s", nodes as f64 / seconds / 1e6);
}
