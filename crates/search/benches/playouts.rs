//! Playouts per second on one thread: `cargo bench -p tesuji-search --bench playouts`. CPU time, the best of five
//! interleaved runs.
//!
//! The rival is the MCTS of the crate `minimax` on the same Othello, with its defaults.

use std::hint::black_box;

use cpu_time::ProcessTime;
use tesuji_game::{Game, MoveList, Outcome, Record};
use tesuji_ostle::Ostle;
use tesuji_othello::{Move, Moves, Othello};
use tesuji_search::mcts::{EvalPolicy, MctsOptions, Puct, PuctOptions, Uct, UctOptions, WinRateScale, playout};
use tesuji_search::{CancelToken, Engine, Limits, NoEval, Rng};
use tesuji_shogi::Shogi;
use tesuji_trax::{EightByEight, Trax, Unlimited};

const RUNS: usize = 5;

type Work = Box<dyn Fn() -> u64>;

fn main() {
    println!("instruction set: {:?}\n", tesuji_game::isa::isa());
    table(
        "Othello from the start",
        vec![
            ("minimax MCTS", Box::new(|| rival(100_000, 0))),
            ("minimax MCTS, 2nd visit", Box::new(|| rival(100_000, 1))),
            ("UCT", Box::new(|| uct::<Othello>(100_000, 2))),
            ("UCT, 1st visit", Box::new(|| uct::<Othello>(100_000, 1))),
            ("UCT, 8th visit", Box::new(|| uct::<Othello>(100_000, 8))),
            ("playouts alone", Box::new(|| alone::<Othello>(100_000))),
        ],
    );
    every_game::<Ostle>(50_000);
    every_game::<Trax<Unlimited>>(10_000);
    every_game::<Trax<EightByEight>>(10_000);
    every_game::<Shogi>(1000);
}

fn every_game<G: Game>(count: u64) {
    table(
        G::NAME,
        vec![
            ("playouts alone", Box::new(move || alone::<G>(count))),
            ("UCT", Box::new(move || uct::<G>(count, 2))),
            ("PUCT, no evaluation", Box::new(move || puct::<G>(count))),
        ],
    );
}

/// Playouts from the start, without a tree.
fn alone<G: Game>(count: u64) -> u64 {
    let mut rng = Rng::new(1);
    let mut list = G::Moves::default();
    let (start, plies) = (G::start(), UctOptions::default().plies);
    for _ in 0..count {
        black_box(playout(&mut start.clone(), &mut list, &mut rng, plies));
    }
    count
}

fn uct<G: Game>(count: u64, expand_at: u32) -> u64 {
    grow(&mut Uct::<G>::new(options(), UctOptions { expand_at, ..UctOptions::default() }), count)
}

fn puct<G: Game>(count: u64) -> u64 {
    let policy = EvalPolicy::new(NoEval, WinRateScale::CENTIPAWNS, WinRateScale::CENTIPAWNS);
    grow(&mut Puct::<G, _>::new(policy, options(), PuctOptions::default()), count)
}

fn options() -> MctsOptions {
    MctsOptions { early_stop: false, ..MctsOptions::default() }
}

fn grow<G: Game>(engine: &mut dyn Engine<G>, count: u64) -> u64 {
    let limits = Limits { nodes: Some(count), ..Limits::default() };
    let mut done = 0;
    black_box(engine.think(&Record::new(G::start()), &limits, &CancelToken::new(), &mut |report| done = report.nodes));
    done
}

/// Our Othello behind the trait of that crate.
struct MinimaxOthello;

impl minimax::Game for MinimaxOthello {
    type S = Othello;
    type M = Move;

    fn generate_moves(state: &Othello, moves: &mut Vec<Move>) -> Option<minimax::Winner> {
        let mut list = Moves::default();
        state.clone().moves(&mut list);
        if list.is_empty() {
            return MinimaxOthello::get_winner(state);
        }
        moves.extend(list.each());
        None
    }

    fn apply(state: &mut Othello, mv: Move) -> Option<Othello> {
        let mut next = *state;
        next.play(mv);
        Some(next)
    }

    fn get_winner(state: &Othello) -> Option<minimax::Winner> {
        state.outcome().map(|outcome| match outcome {
            Outcome::Win => minimax::Winner::PlayerToMove,
            Outcome::Draw => minimax::Winner::Draw,
            Outcome::Loss => minimax::Winner::PlayerJustMoved,
        })
    }
}

fn rival(count: u64, before: u32) -> u64 {
    use minimax::Strategy;
    let options = minimax::MCTSOptions::default().with_num_threads(1).with_rollouts_before_expanding(before);
    let mut search = minimax::MonteCarloTreeSearch::<MinimaxOthello>::new(options);
    search.set_max_rollouts(count as u32);
    black_box(search.choose_move(&Othello::start()));
    count
}

fn table(title: &str, rows: Vec<(&str, Work)>) {
    let mut best = vec![(0, f64::INFINITY); rows.len()];
    for _ in 0..RUNS {
        for ((_, work), best) in rows.iter().zip(&mut best) {
            let begun = ProcessTime::now();
            let count = work();
            *best = (count, best.1.min(begun.elapsed().as_secs_f64()));
        }
    }
    println!("{title:<26} {:>10} {:>8} {:>9} {:>6}", "playouts", "CPU s", "k/s", "ratio");
    for ((name, _), (count, seconds)) in rows.iter().zip(&best) {
        let speed = |count: u64, seconds: f64| count as f64 / seconds / 1e3;
        let ratio = speed(*count, *seconds) / speed(best[0].0, best[0].1);
        println!("{name:<26} {count:>10} {seconds:>8.3} {:>9.1} {ratio:>6.2}", speed(*count, *seconds));
    }
    println!();
}
