//! How near a network is to the truth where a tablebase knows it: random boards, the moves of the policy against the
//! results of all moves, and the win rate against the result.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use tesuji_game::{Game, HasPerfectIndex, MoveList, NO_MOVE, Outcome, PerfectIndex, Planes, Record};
use tesuji_learn::JobError;
use tesuji_search::mcts::{LeafPosition, PolicyValue};
use tesuji_search::{Choice, Limits, Rng};
use tesuji_solve::tablebase::{Tablebase, TablebaseError, TablebaseId};
use tesuji_task::{Context, cores, fold};

use super::NetworkPolicyValue;
use crate::{EngineConstructor, Spec};

/// Random boards of a tablebase.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TruthJob {
    /// The folder of the tablebase.
    pub tablebase: PathBuf,
    /// Boards to draw, without a forbidden move.
    pub positions: u32,
    /// The seed of the draw.
    pub seed: u64,
    /// Threads; all cores by default.
    pub threads: Option<usize>,
}

/// How near a network is to the truth.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct TruthFigures {
    /// Boards.
    pub positions: u64,
    /// The share of boards where the move keeps the result.
    pub optimal_moves: f64,
    /// The share of boards where the move is also the quickest win or the longest defence.
    pub shortest_moves: f64,
    /// Boards where some move keeps the result and another one does not.
    pub contested: u64,
    /// The share of these where the move keeps the result.
    pub contested_optimal: f64,
    /// What a random mover gets on these.
    pub contested_by_chance: f64,
    /// The mean distance of the win rate from the result (1, ½ or 0).
    pub value_error: f64,
    /// The root of the mean squared distance.
    pub value_rms: f64,
    /// The share of decided boards whose winner is predicted.
    pub value_accuracy: f64,
}

impl TruthFigures {
    /// The figures by name, for reports.
    pub fn named(&self) -> [(&'static str, f64); 7] {
        [
            ("optimal_moves", self.optimal_moves),
            ("shortest_moves", self.shortest_moves),
            ("contested_optimal", self.contested_optimal),
            ("contested_by_chance", self.contested_by_chance),
            ("value_error", self.value_error),
            ("value_rms", self.value_rms),
            ("value_accuracy", self.value_accuracy),
        ]
    }
}

/// The result of a move for the side that plays it.
#[derive(Clone, Copy, Debug)]
struct KnownMove<M> {
    mv: M,
    outcome: Outcome,
    /// Plies to the end, this move included; 0 for a draw or when unknown.
    plies: u16,
}

/// A board whose moves have known results.
#[derive(Clone, Debug)]
struct KnownPosition<G: Game> {
    game: G,
    moves: Vec<KnownMove<G::Move>>,
}

impl<G: Game> KnownPosition<G> {
    fn outcome(&self) -> Outcome {
        let rank = |outcome: Outcome| [Outcome::Loss, Outcome::Draw, Outcome::Win].iter().position(|o| *o == outcome);
        self.moves.iter().map(|known| known.outcome).max_by_key(|&outcome| rank(outcome)).unwrap_or(Outcome::Loss)
    }

    /// The moves that keep the result.
    fn optimal(&self) -> impl Iterator<Item = &KnownMove<G::Move>> {
        let outcome = self.outcome();
        self.moves.iter().filter(move |known| known.outcome == outcome)
    }

    /// The distance of a quickest win or longest defence.
    fn best_plies(&self) -> u16 {
        let plies = self.optimal().map(|known| known.plies);
        if self.outcome() == Outcome::Win { plies.min().unwrap_or(0) } else { plies.max().unwrap_or(0) }
    }
}

/// Boards whose truth is known. They are drawn once and serve every generation.
#[derive(Debug)]
pub struct KnownPositions<G: Game> {
    positions: Vec<KnownPosition<G>>,
    threads: usize,
}

/// Boards of a task.
const TASK: usize = 256;

/// A position to be looked up: its place in the tablebase, the board and the move.
struct Question<G> {
    place: (u8, u32),
    after: G,
    at: (usize, usize),
}

impl<G: HasPerfectIndex + Planes> KnownPositions<G> {
    /// Draws random boards and looks up all their moves.
    ///
    /// # Errors
    /// There is no tablebase, a block of it cannot be read, or the work was cancelled.
    pub fn draw(job: &TruthJob, context: Context<'_>) -> Result<KnownPositions<G>, JobError> {
        let id = TablebaseId { game: G::NAME.to_owned(), rules: G::RULES_VERSION, index: G::INDEX_VERSION };
        let wrong = |error: TablebaseError| JobError::field("tablebase", error);
        let table = Tablebase::open(&job.tablebase, Arc::new(G::index()), &id).map_err(wrong)?;
        let threads = job.threads.unwrap_or_else(cores);
        let mut positions = random_boards::<G>(&table, job)?;
        let index = table.game();
        let mut questions = Vec::new();
        for (number, known) in positions.iter_mut().enumerate() {
            let (mut list, mut game) = (G::Moves::default(), known.game);
            game.moves(&mut list);
            for (at, mv) in list.each().enumerate() {
                let mut after = known.game;
                after.play(mv);
                let over = after.outcome();
                known.moves.push(KnownMove { mv, outcome: -over.unwrap_or(Outcome::Draw), plies: 1 });
                if over.is_none() {
                    let rank = index.rank(after.forbidding(NO_MOVE));
                    questions.push(Question { place: (rank.class, rank.index), after, at: (number, at) });
                }
            }
        }
        // In the order of the file, so that each of its blocks is read once.
        questions.sort_unstable_by_key(|question| question.place);
        let (counter, failure) = (context.counter(questions.len() as u64), Mutex::new(None));
        let tasks: Vec<&[Question<G>]> = questions.chunks(16 * TASK).collect();
        let answers = fold(threads, tasks, |task, answers: &mut Vec<((usize, usize), Outcome, u16)>| {
            for question in task {
                if context.is_cancelled() {
                    return;
                }
                match table.value(question.after, question.after.forbidden()) {
                    Ok(value) => {
                        let plies = value.plies.map_or(0, |plies| u16::from(plies) + 1);
                        answers.push((question.at, -value.outcome, plies));
                    }
                    Err(error) => {
                        *failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                        return;
                    }
                }
            }
            counter.add(task.len() as u64);
        });
        if let Some(error) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(wrong(error));
        }
        if context.is_cancelled() {
            return Err(JobError::Cancelled("interrupted".to_owned()));
        }
        for ((number, at), outcome, plies) in answers.into_iter().flatten() {
            let known = &mut positions[number].moves[at];
            (known.outcome, known.plies) = (outcome, plies);
        }
        Ok(KnownPositions { positions, threads })
    }

    /// Compares the policy and the value of a network with the truth.
    ///
    /// # Errors
    /// Cancellation.
    pub fn measure(&self, network: &NetworkPolicyValue, context: Context<'_>) -> Result<TruthFigures, JobError> {
        let choose = |positions: &[KnownPosition<G>], sums: &mut Sums| {
            let leaf = |known: &KnownPosition<G>| {
                let mut list = G::Moves::default();
                known.game.clone().moves(&mut list);
                LeafPosition::new(known.game, &list)
            };
            let mut leaves: Vec<LeafPosition<G>> = positions.iter().map(leaf).collect();
            network.evaluate(&mut leaves);
            for (known, leaf) in positions.iter().zip(&leaves) {
                let logits = leaf.moves.iter().zip(&leaf.policy);
                let chosen = logits.max_by(|one, two| one.1.total_cmp(two.1)).map(|(mv, _)| *mv);
                sums.add(known, chosen, Some(f64::from(leaf.value)));
            }
        };
        self.sum(choose, context)
    }

    /// Compares the moves of an engine with the truth; values are left out.
    ///
    /// # Errors
    /// The engine cannot be made, or the work was cancelled.
    pub fn measure_engine(
        &self,
        spec: &Spec,
        make: EngineConstructor<G>,
        context: Context<'_>,
    ) -> Result<TruthFigures, JobError> {
        make(spec).map_err(JobError::input)?;
        let choose = |positions: &[KnownPosition<G>], sums: &mut Sums| {
            let Ok(mut engine) = make(spec) else { return };
            for known in positions {
                engine.forget();
                let record = Record::new(known.game);
                let choice = engine.think(&record, &Limits::default(), context.cancel, &mut |_| {});
                let chosen = if let Choice::Move { mv, .. } = choice { Some(mv) } else { None };
                sums.add(known, chosen, None);
            }
        };
        self.sum(choose, context)
    }

    fn sum(
        &self,
        choose: impl Fn(&[KnownPosition<G>], &mut Sums) + Sync,
        context: Context<'_>,
    ) -> Result<TruthFigures, JobError> {
        let counter = context.counter(self.positions.len() as u64);
        let tasks: Vec<_> = self.positions.chunks(TASK).enumerate().collect();
        let parts = fold(self.threads, tasks, |(number, positions), parts: &mut Vec<(usize, Sums)>| {
            if !context.is_cancelled() {
                let mut sums = Sums::default();
                choose(positions, &mut sums);
                parts.push((number, sums));
                counter.add(positions.len() as u64);
            }
        });
        if context.is_cancelled() {
            return Err(JobError::Cancelled("interrupted".to_owned()));
        }
        // Always in the same order: sums of fractions depend on it.
        let mut parts: Vec<(usize, Sums)> = parts.into_iter().flatten().collect();
        parts.sort_by_key(|(number, _)| *number);
        Ok(parts.into_iter().fold(Sums::default(), |sum, (_, part)| sum.plus(&part)).figures())
    }
}

/// Boards at random places of all classes that the tablebase has, the game not over.
fn random_boards<G: HasPerfectIndex>(
    table: &Tablebase<G::Index>,
    job: &TruthJob,
) -> Result<Vec<KnownPosition<G>>, JobError> {
    let index = table.game();
    let classes = index.stages().iter().flat_map(|classes| classes.iter().copied());
    let classes: Vec<(u8, u64)> =
        classes.filter(|&class| table.has(class)).map(|class| (class, u64::from(index.size(class)))).collect();
    let total: u64 = classes.iter().map(|(_, size)| size).sum();
    if total == 0 {
        return Err(JobError::field("tablebase", "it has no boards"));
    }
    let mut rng = Rng::new(job.seed);
    let mut positions = Vec::with_capacity(job.positions as usize);
    while positions.len() < job.positions as usize {
        let mut place = rng.below(total as usize) as u64;
        let class = classes.iter().find(|(_, size)| {
            let inside = place < *size;
            place -= if inside { 0 } else { *size };
            inside
        });
        let board = class.and_then(|(class, _)| index.unrank(*class, place as u32));
        if let Some(game) = board.filter(|game| game.outcome().is_none()) {
            positions.push(KnownPosition { game, moves: Vec::new() });
        }
    }
    Ok(positions)
}

/// What is added up over boards.
#[derive(Clone, Copy, Default)]
struct Sums {
    positions: u64,
    optimal: u64,
    shortest: u64,
    contested: u64,
    contested_optimal: u64,
    chance: f64,
    values: u64,
    error: f64,
    squares: f64,
    decided: u64,
    predicted: u64,
}

impl Sums {
    fn add<G: Game>(&mut self, known: &KnownPosition<G>, chosen: Option<G::Move>, value: Option<f64>) {
        let outcome = known.outcome();
        let chosen = chosen.and_then(|chosen| known.moves.iter().find(|known| known.mv == chosen));
        let is_optimal = chosen.is_some_and(|chosen| chosen.outcome == outcome);
        self.positions += 1;
        self.optimal += u64::from(is_optimal);
        self.shortest += u64::from(is_optimal && chosen.is_some_and(|chosen| chosen.plies == known.best_plies()));
        let keeping = known.optimal().count();
        if keeping < known.moves.len() {
            self.contested += 1;
            self.contested_optimal += u64::from(is_optimal);
            self.chance += keeping as f64 / known.moves.len() as f64;
        }
        let Some(value) = value else { return };
        let truth = match outcome {
            Outcome::Win => 1.0,
            Outcome::Draw => 0.5,
            Outcome::Loss => 0.0,
        };
        self.values += 1;
        self.error += (value - truth).abs();
        self.squares += (value - truth).powi(2);
        if outcome != Outcome::Draw {
            self.decided += 1;
            self.predicted += u64::from((value > 0.5) == (outcome == Outcome::Win));
        }
    }

    fn plus(self, other: &Sums) -> Sums {
        Sums {
            positions: self.positions + other.positions,
            optimal: self.optimal + other.optimal,
            shortest: self.shortest + other.shortest,
            contested: self.contested + other.contested,
            contested_optimal: self.contested_optimal + other.contested_optimal,
            chance: self.chance + other.chance,
            values: self.values + other.values,
            error: self.error + other.error,
            squares: self.squares + other.squares,
            decided: self.decided + other.decided,
            predicted: self.predicted + other.predicted,
        }
    }

    fn figures(&self) -> TruthFigures {
        let rounded = |number: f64| (number * 1e6).round() / 1e6;
        let mean = |sum: f64, count: u64| if count == 0 { 0.0 } else { rounded(sum / count as f64) };
        TruthFigures {
            positions: self.positions,
            optimal_moves: mean(self.optimal as f64, self.positions),
            shortest_moves: mean(self.shortest as f64, self.positions),
            contested: self.contested,
            contested_optimal: mean(self.contested_optimal as f64, self.contested),
            contested_by_chance: mean(self.chance, self.contested),
            value_error: mean(self.error, self.values),
            value_rms: rounded(if self.values == 0 { 0.0 } else { (self.squares / self.values as f64).sqrt() }),
            value_accuracy: mean(self.predicted as f64, self.decided),
        }
    }
}

#[cfg(test)]
mod tests {
    use tesuji_ostle::Ostle;

    use super::*;

    fn known(moves: &[(Outcome, u16)]) -> KnownPosition<Ostle> {
        let (mut list, game) = (<Ostle as Game>::Moves::default(), Ostle::start());
        game.clone().moves(&mut list);
        let moves = list.each().zip(moves).map(|(mv, &(outcome, plies))| KnownMove { mv, outcome, plies }).collect();
        KnownPosition { game, moves }
    }

    #[test]
    fn moves_and_values_are_compared_with_the_truth() {
        let won = known(&[(Outcome::Loss, 4), (Outcome::Win, 5), (Outcome::Win, 3), (Outcome::Draw, 0)]);
        assert_eq!((won.outcome(), won.optimal().count(), won.best_plies()), (Outcome::Win, 2, 3));
        let lost = known(&[(Outcome::Loss, 4), (Outcome::Loss, 8)]);
        assert_eq!((lost.outcome(), lost.best_plies()), (Outcome::Loss, 8));
        let mut sums = Sums::default();
        sums.add(&won, Some(won.moves[1].mv), Some(0.75));
        sums.add(&won, Some(won.moves[0].mv), Some(0.25));
        sums.add(&lost, Some(lost.moves[1].mv), Some(0.0));
        let figures = sums.figures();
        assert_eq!((figures.positions, figures.contested), (3, 2));
        assert_eq!((figures.optimal_moves, figures.shortest_moves), (0.666667, 0.333333));
        assert_eq!((figures.contested_optimal, figures.contested_by_chance), (0.5, 0.5));
        assert_eq!((figures.value_error, figures.value_accuracy), (0.333333, 0.666667));
        assert_eq!(Sums::default().plus(&sums).figures(), figures);
    }
}
