//! How fast the rules run, on one core, in CPU time: counting, playing and taking back, random games.
//!
//! Every row is the best of five rounds, and the rounds of all rows are interleaved. The ratio is to the
//! first row's rate.

use std::time::Duration;

use cpu_time::ThreadTime;
use tesuji_game::{Game, Notation, Symmetric};
use tesuji_trax::{EightByEight, Trax, Unlimited, Variant};

const ROUNDS: usize = 5;
const MID: &str = r"@0/ A2+ A3/ @2/ @2/ A1/ D2+ B0+ @3+ D0/ E1/ F1/";

/// What is measured: a name and a job that says how often it did its work.
type Row = (&'static str, fn() -> u64);

fn main() {
    let rows: [Row; 9] = [
        ("perft 6, leaves", || Trax::<Unlimited>::start().leaves(6)),
        ("perft 6, leaves, 8x8", || Trax::<EightByEight>::start().leaves(6)),
        ("perft 3 in mid-game, leaves", || at(MID).leaves(3)),
        ("perft 5 one by one, do+undo", || one_by_one(&mut Trax::<Unlimited>::start(), 5, &mut Vec::new())),
        ("do+undo in mid-game", do_undo),
        ("random games, moves", || random_games::<Unlimited>(10_000)),
        ("clones of a mid-game", || repeat(|game| game.clone().turns() as u64)),
        ("keys", || repeat(|game| game.key())),
        ("canonical keys", || repeat(|game| game.canonical_key())),
    ];
    let mut best = [(0, Duration::MAX); 9];
    for _ in 0..ROUNDS {
        for ((_, job), best) in rows.iter().zip(&mut best) {
            let start = ThreadTime::now();
            let count = job();
            *best = (count, best.1.min(start.elapsed()));
        }
    }
    println!("{:<32}{:>12}{:>10}{:>10}{:>8}", "what", "count", "CPU s", "M/s", "ratio");
    let rate = |(count, time): (u64, Duration)| count as f64 / time.as_secs_f64() / 1e6;
    for ((what, _), &here) in rows.iter().zip(&best) {
        let (seconds, ratio) = (here.1.as_secs_f64(), rate(here) / rate(best[0]));
        println!("{what:<32}{:>12}{seconds:>10.4}{:>10.2}{ratio:>8.2}", here.0, rate(here));
    }
}

fn at(moves: &str) -> Trax<Unlimited> {
    Trax::parse(moves).unwrap_or_else(|error| panic!("{moves}: {error}"))
}

/// Plays and takes back every move of the tree; says how many.
fn one_by_one(game: &mut Trax<Unlimited>, depth: usize, lists: &mut Vec<Vec<tesuji_trax::Move>>) -> u64 {
    if depth == 0 {
        return 0;
    }
    let mut list = lists.pop().unwrap_or_default();
    game.moves(&mut list);
    let mut played = list.len() as u64;
    for &mv in &list {
        let undo = game.play(mv);
        played += one_by_one(game, depth - 1, lists);
        game.undo(undo);
    }
    lists.push(list);
    played
}

/// Plays and takes back every move of one position, again and again: no generation in between.
fn do_undo() -> u64 {
    let mut game = at(MID);
    let mut list = Vec::new();
    game.moves(&mut list);
    let mut played = 0;
    for _ in 0..20_000 {
        for &mv in &list {
            let undo = game.play(mv);
            played += 1;
            game.undo(std::hint::black_box(undo));
        }
    }
    played
}

fn random_games<V: Variant>(games: u32) -> u64 {
    let mut seed = 0x9e37_79b9_7f4a_7c15u64;
    let mut list = Vec::new();
    let mut played = 0;
    for _ in 0..games {
        let mut game = Trax::<V>::start();
        loop {
            game.moves(&mut list);
            if list.is_empty() {
                break;
            }
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            game.play(list[((u128::from(seed) * list.len() as u128) >> 64) as usize]);
            played += 1;
        }
    }
    played
}

fn repeat(work: impl Fn(&Trax<Unlimited>) -> u64) -> u64 {
    const TIMES: u64 = 20_000;
    let game = at(MID);
    for _ in 0..TIMES {
        std::hint::black_box(work(std::hint::black_box(&game)));
    }
    TIMES
}
