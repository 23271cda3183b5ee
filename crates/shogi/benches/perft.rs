//! Leaves per second of CPU time beside two other generators, in one interleaved run, the best of several.
//!
//! All are compiled alike, for any x86-64 machine; ours finds better instructions when it runs. `leaves` foresees
//! the replies to quiet moves, `walk` is the generic recursion that plays every move and counts every position.

use cpu_time::ProcessTime;
use haitaka::Board;
use rsshogi::board::perft::compute_perft;
use rsshogi::board::position_from_sfen;
use tesuji_game::{Game, Notation, perft};
use tesuji_shogi::Shogi;

const ROUNDS: usize = 5;
const NAMES: [&str; 4] = ["tesuji leaves", "tesuji walk", "rsshogi 1.7.3", "haitaka 0.3.2"];

struct Tree {
    name: &'static str,
    position: &'static str,
    depth: u32,
    leaves: u64,
}

const TREES: [Tree; 4] = [
    Tree {
        name: "startpos",
        position: "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        depth: 5,
        leaves: 19_861_490,
    },
    Tree {
        name: "matsuri",
        position: "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        depth: 4,
        leaves: 516_925_165,
    },
    Tree {
        name: "midgame2",
        position: "6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1",
        depth: 3,
        leaves: 8_420_492,
    },
    Tree {
        name: "pins",
        position: "ln3gsn1/7kl/3+B1p1p1/p4s2p/2P6/P2B3PP/1PNP+rPP2/2G3SK1/L4G1NL b G3Prs3p 65",
        depth: 3,
        leaves: 1_183_354,
    },
];

fn main() {
    println!(
        "{:<10} {:>5} {:>12}  {:<16} {:>8} {:>8} {:>6}",
        "tree", "depth", "leaves", "by", "CPU s", "M/s", "ours x"
    );
    for tree in TREES {
        let mut ours = Shogi::parse(tree.position).expect("a position");
        let rsshogi = position_from_sfen(tree.position).expect("a position");
        let haitaka = Board::from_sfen(tree.position).expect("a position");
        let mut best = [f64::INFINITY; NAMES.len()];
        for _ in 0..ROUNDS {
            let mut run = |which: usize, count: &mut dyn FnMut() -> u64| {
                let begun = ProcessTime::now();
                let leaves = count();
                best[which] = best[which].min(begun.elapsed().as_secs_f64());
                // haitaka lets some pawn drops give mate.
                assert!(leaves == tree.leaves || which == 3, "{leaves} leaves in {}", tree.name);
            };
            run(0, &mut || ours.leaves(tree.depth));
            run(1, &mut || perft::walk(&mut ours, tree.depth));
            run(2, &mut || {
                let mut position = rsshogi.clone();
                position.init_stack();
                compute_perft(&mut position, tree.depth as u8)
            });
            run(3, &mut || bulk(&haitaka, tree.depth));
        }
        for (name, seconds) in NAMES.iter().zip(best) {
            println!(
                "{:<10} {:>5} {:>12}  {name:<16} {seconds:>8.3} {:>8.1} {:>6.2}",
                tree.name,
                tree.depth,
                tree.leaves,
                tree.leaves as f64 / seconds / 1e6,
                seconds / best[0],
            );
        }
    }
}

/// haitaka's own way to count: by the lengths of its move sets at the last ply.
fn bulk(board: &Board, depth: u32) -> u64 {
    let mut leaves = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            leaves += moves.into_iter().len() as u64;
        } else {
            for mv in moves {
                let mut board = board.clone();
                board.play_unchecked(mv);
                leaves += bulk(&board, depth - 1);
            }
        }
        false
    });
    leaves
}
