//! The player that looks one ply ahead with the value of a network.

use std::time::Instant;

use tesuji_game::{MoveList, Outcome, Planes, Record};
use tesuji_search::mcts::{LeafPosition, PolicyValue, WinRateScale};
use tesuji_search::{Bound, CancelToken, Choice, Engine, Limits, PvLine, ReportSource, SearchReport, Value};

use super::policy_value::NetworkPolicyValue;

/// Plays the move after which the opponent's win rate is least. Moves that end the game count as they end it, and a
/// repetition as the rules judge it.
#[derive(Debug)]
pub struct ValuePlayer {
    network: NetworkPolicyValue,
    prior: f32,
    scale: WinRateScale,
}

impl ValuePlayer {
    /// The least prior where nothing else is said. A value network was trained on positions of games and knows little of
    /// those after a blunder: without the policy it loses 95 of 100 games of shogi to the policy alone, with this prior it
    /// wins 60.
    pub const PRIOR: f64 = 0.5;

    /// A player with this network. It looks at the moves whose probability by the policy is at least `prior` times that
    /// of the most probable move, and at those that end the game; 0 is all. `scale` converts its win rates to values.
    pub fn new(network: NetworkPolicyValue, prior: f32, scale: WinRateScale) -> ValuePlayer {
        ValuePlayer { network, prior, scale }
    }

    /// The logit that a move needs.
    fn least_logit<G: Planes>(&self, leaf: &LeafPosition<G>) -> f32 {
        let best = leaf.policy.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        // A ratio of probabilities is a difference of logits.
        best + self.prior.ln()
    }

    fn line<M>(&self, mv: M, rate: f64) -> PvLine<M> {
        let value = self.scale.value(rate);
        PvLine { value, bound: Bound::Exact, moves: vec![mv], rate: Some(rate), prior: None, solved: false }
    }
}

/// The line of a move that ends the game.
fn final_line<M>(mv: M, outcome: Outcome) -> PvLine<M> {
    let rate = match outcome {
        Outcome::Win => 1.0,
        Outcome::Draw => 0.5,
        Outcome::Loss => 0.0,
    };
    let value = Value::over(-outcome).to_parent();
    PvLine { value, bound: Bound::Exact, moves: vec![mv], rate: Some(rate), prior: None, solved: true }
}

/// How a line compares: won, open or drawn by its win rate, lost.
fn rank<M>(line: &PvLine<M>) -> f64 {
    match (line.value.is_proven(), line.rate.unwrap_or(0.5)) {
        (true, rate) => 4.0 * rate - 2.0,
        (false, rate) => rate,
    }
}

impl<G: Planes> Engine<G> for ValuePlayer {
    fn think(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        stop: &CancelToken,
        watch: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> Choice<G::Move> {
        let started = limits.started.unwrap_or_else(Instant::now);
        let mut list = G::Moves::default();
        record.now().clone().moves(&mut list);
        if record.ending().is_some() || list.is_empty() {
            return Choice::Over;
        }
        let (mut lines, mut moves, mut games) = (Vec::new(), Vec::new(), Vec::new());
        let mut path = record.path().clone();
        let mut replies = G::Moves::default();
        let mut root = [LeafPosition::new(record.now().clone(), &list)];
        if self.prior > 0.0 {
            self.network.evaluate(&mut root);
        }
        let [root] = root;
        let least = if self.prior > 0.0 { self.least_logit(&root) } else { f32::NEG_INFINITY };
        for (mv, logit) in root.moves.into_iter().zip(root.policy) {
            let mut game = record.now().clone();
            let side = game.mover();
            game.play(mv);
            path.push(&game);
            game.moves(&mut replies);
            let over = if replies.is_empty() { game.outcome().map(|outcome| -outcome) } else { None };
            let by_path = || game.ending(&path).map(|ending| Outcome::of(ending.winner, side));
            let repeated = || match path.repetition()?.checker {
                Some(checker) if checker == side => Some(0.0),
                Some(_) => Some(1.0),
                None => Some(0.5),
            };
            if let Some(outcome) = over.or_else(by_path) {
                lines.push(final_line(mv, outcome));
            } else if let Some(rate) = if G::RECURS { repeated() } else { None } {
                lines.push(self.line(mv, rate));
            } else if logit >= least {
                moves.push(mv);
                games.push(game);
            }
            path.pop();
        }
        let batch = self.network.batch();
        for (moves, games) in moves.chunks(batch).zip(games.chunks(batch)) {
            // Stopped: the best move so far, but never none at all.
            if stop.is_cancelled() && !lines.is_empty() {
                break;
            }
            let values = self.network.values(games);
            lines.extend(moves.iter().zip(values).map(|(&mv, value)| self.line(mv, 1.0 - f64::from(value))));
        }
        // Stable: of equal moves the first.
        lines.sort_by(|a, b| rank(b).total_cmp(&rank(a)));
        let nodes = lines.len() as u64;
        lines.truncate(limits.lines.max(1));
        let Some(mv) = lines.first().and_then(|line| line.moves.first().copied()) else { return Choice::Over };
        watch(&SearchReport {
            depth: 1,
            seldepth: 1,
            nodes,
            time: started.elapsed(),
            hashfull: None,
            lines,
            source: ReportSource::Search,
        });
        Choice::Move { mv, reply: None }
    }
}
