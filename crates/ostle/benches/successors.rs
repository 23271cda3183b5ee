//! How fast moves are made: CPU time, best of five, the rows interleaved so that noise meets all alike.

use std::hint::black_box;
use std::time::Duration;

use cpu_time::ThreadTime;
use tesuji_game::{Game, MoveList, perft};
use tesuji_ostle::{Moves, Ostle};

const ROUNDS: usize = 5;
const BOARDS: usize = 1 << 15;
const SWEEPS: usize = 32;

/// A row: what is counted, and a run that gives the count and a checksum over all that was made.
type Row = (String, Box<dyn Fn() -> (u64, u64)>);

fn main() {
    let mut rows: Vec<Row> = Vec::new();
    for (own, other) in [(5, 5), (5, 4), (4, 5), (4, 4)] {
        let boards = random_boards(own, other);
        let class = format!("({own},{other})");
        rows.push(row(format!("successors {class}"), &boards, sweep_successors));
        rows.push(row(format!("list and play {class}"), &boards, sweep_moves));
        rows.push(row(format!("count {class}"), &boards, |board| (1, { board }.count())));
        rows.push(row(format!("checkmate {class}"), &boards, |board| (1, board.checkmate().into())));
        rows.push(row(format!("canonical code {class}"), &boards, |board| (1, board.canonical_code())));
    }
    rows.push(("perft 6, counted at the last ply".into(), Box::new(|| (Ostle::start().leaves(6), 0))));
    rows.push(("perft 6, generic walk".into(), Box::new(|| (perft::walk(&mut Ostle::start(), 6), 0))));
    rows.push((
        "perft 6, every leaf played".into(),
        Box::new(|| {
            let mut sum = 0;
            let leaves = play_all(Ostle::start(), 6, &mut sum);
            (leaves, sum)
        }),
    ));

    let mut best = vec![Duration::MAX; rows.len()];
    let mut counts = vec![(0, 0); rows.len()];
    for _ in 0..ROUNDS {
        for (index, (_, run)) in rows.iter().enumerate() {
            let start = ThreadTime::now();
            counts[index] = black_box(run());
            best[index] = best[index].min(start.elapsed());
        }
    }
    println!("{:36} {:>12} {:>8} {:>9} {:>7}  {:>16}", "what", "count", "CPU s", "M/s", "ratio", "checksum");
    let rate = |index: usize| counts[index].0 as f64 / best[index].as_secs_f64() / 1e6;
    for (index, (what, _)) in rows.iter().enumerate() {
        let (count, sum) = counts[index];
        let (seconds, rate, ratio) = (best[index].as_secs_f64(), rate(index), rate(index) / rate(0));
        println!("{what:36} {count:12} {seconds:8.4} {rate:9.1} {ratio:7.2}  {sum:016x}");
    }
}

fn row(what: String, boards: &[Ostle], one: fn(Ostle) -> (u64, u64)) -> Row {
    let boards = boards.to_vec();
    let run = move || {
        let mut total = (0, 0u64);
        for _ in 0..SWEEPS {
            for &board in &boards {
                let (count, sum) = one(board);
                total = (total.0 + count, total.1.wrapping_add(sum));
            }
        }
        total
    };
    (what, Box::new(run))
}

/// Everything a solver would read of a successor goes into the sum.
fn sweep_successors(board: Ostle) -> (u64, u64) {
    let (mut count, mut sum) = (0, 0u64);
    board.successors(|mv, next, fallen| {
        count += 1;
        sum = sum.wrapping_add(next.bits() ^ u64::from(mv.index()) ^ fallen as u64);
    });
    (count, sum)
}

fn sweep_moves(board: Ostle) -> (u64, u64) {
    let (mut now, mut list, mut sum) = (board, Moves::default(), 0u64);
    now.moves(&mut list);
    for mv in list.each() {
        let undo = now.play(mv);
        sum = sum.wrapping_add(now.bits() ^ u64::from(mv.index()));
        now.undo(undo);
    }
    (list.len() as u64, sum)
}

fn play_all(position: Ostle, depth: u32, sum: &mut u64) -> u64 {
    let mut leaves = 0;
    position.successors(|_, next, _| {
        if depth == 1 {
            leaves += 1;
            *sum = sum.wrapping_add(next.bits());
        } else {
            leaves += play_all(next, depth - 1, sum);
        }
    });
    leaves
}

/// Boards drawn evenly from a class; the same on every machine.
fn random_boards(own: usize, other: usize) -> Vec<Ostle> {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut below = |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as usize % n
    };
    let board = |_| {
        let mut cells: [usize; 25] = std::array::from_fn(|cell| cell);
        for index in 0..own + other + 1 {
            cells.swap(index, index + below(25 - index));
        }
        let set = |cells: &[usize]| cells.iter().fold(0, |set, cell| set | 1 << cell);
        Ostle::new(set(&cells[1..=own]), set(&cells[own + 1..=own + other]), cells[0] as u8)
    };
    (0..BOARDS).filter_map(board).collect()
}
