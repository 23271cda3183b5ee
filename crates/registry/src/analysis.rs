//! Analysis of positions and games.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tesuji_game::{Notation, Outcome, Record};
use tesuji_search::{Bound, Choice, Proven, PvLine, SearchReport, Value};
use tesuji_task::{CancelToken, Context};

use crate::engine::PreparedEngine;
use crate::{
    EngineChoice, EngineRequest, Error, GameEnding, Playable, PositionSpec, RecordSource, Registration, SideName,
};

/// A search without any limit takes this long.
const POSITION_TIME: Duration = Duration::from_secs(5);
/// The same for each position of a game.
const GAME_TIME: Duration = Duration::from_millis(500);

/// Asks for the best moves of a position.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct AnalyzeRequest {
    /// The position.
    #[serde(flatten)]
    pub at: PositionSpec,
    /// The engine and its limits.
    #[serde(flatten)]
    pub engine: EngineRequest,
    /// The number of best moves; 0 counts as 1.
    pub lines: usize,
}

/// An event of an analysis.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "event")]
pub enum AnalysisEvent {
    /// The search begins; absent when the game is over.
    Started {
        /// The side to move. All values are seen by this side.
        mover: SideName,
        /// The engine spec with all settings that were filled in.
        engine: String,
    },
    /// An iteration is complete.
    Update(AnalysisUpdate),
}

/// The result of an iteration of a search.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct AnalysisUpdate {
    /// Depth in plies.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// Time since the search began.
    pub seconds: f64,
    /// The best moves, best first.
    pub lines: Vec<AnalysisLine>,
    /// The selective depth; absent when the engine reported no iteration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deepest: Option<u32>,
}

/// A principal variation with its value.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct AnalysisLine {
    /// The first move.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// The value seen by the mover. Proven results lie beyond all estimates. `None` if the engine gave no value.
    pub value: Option<i16>,
    /// The principal variation, including the first move.
    pub pv: Vec<String>,
    /// The proven result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proven: Option<ProvenResult>,
    /// Absent for exact values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<ValueBound>,
    /// The win rate, for engines that count playouts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
}

/// A result that needs no evaluation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProvenResult {
    /// `win` or `loss`.
    pub result: String,
    /// Its distance.
    pub plies: u16,
}

/// How a value bounds the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ValueBound {
    /// The true value is at least this.
    Lower,
    /// The true value is at most this.
    Upper,
}

/// How an analysis ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AnalysisSummary {
    /// The side to move.
    pub mover: SideName,
    /// What the engine would do.
    #[serde(flatten)]
    pub choice: EngineChoice,
    /// How the game ended, if it has.
    pub ending: Option<GameEnding>,
}

/// Asks for the value of every move of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameAnalysisRequest {
    /// The file of records.
    pub source: RecordSource,
    /// Which record of it, from 1.
    pub index: usize,
    /// The engine and its limits.
    #[serde(flatten)]
    pub engine: EngineRequest,
}

/// An event of the analysis of a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "event")]
pub enum GameAnalysisEvent {
    /// The analysis begins.
    Started {
        /// Plies of the game.
        plies: usize,
        /// The engine spec with all settings that were filled in.
        engine: String,
    },
    /// A move is analysed.
    Move(MoveAnalysis),
}

/// A move of a game, with its value and what was better.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MoveAnalysis {
    /// Its number, from 1.
    pub ply: usize,
    /// The side that played it.
    pub mover: SideName,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its value, seen by the mover.
    pub value: i16,
    /// The best move.
    pub best: Option<String>,
    /// The value of the best move.
    pub best_value: i16,
    /// How much the move lost, in the unit of the evaluation.
    pub loss: i32,
    /// Depth of the search.
    pub depth: u32,
    /// The principal variation of the best move.
    pub pv: Vec<String>,
}

/// What each side lost in a game.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct GameAnalysisSummary {
    /// The first player, then the second.
    pub sides: [SideLosses; 2],
}

/// What a side lost in a game.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct SideLosses {
    /// Its moves.
    pub moves: usize,
    /// The sum of its losses.
    pub total: i64,
    /// The largest loss.
    pub worst: i32,
    /// The ply of the largest loss; the first such ply.
    pub worst_ply: usize,
}

/// Analysis of positions and games.
pub trait AnalysisApi {
    /// Searches a position and reports every iteration. There is at least one update. Cancelling ends the search.
    ///
    /// # Errors
    /// The position or the engine does not exist.
    fn analyze(
        &self,
        request: &AnalyzeRequest,
        context: Context<'_>,
        events: &mut dyn FnMut(AnalysisEvent),
    ) -> Result<AnalysisSummary, Error>;

    /// Searches every position of a game.
    ///
    /// # Errors
    /// The record has an error, the engine does not exist, or the operation was cancelled.
    fn analyze_game(
        &self,
        request: &GameAnalysisRequest,
        context: Context<'_>,
        events: &mut dyn FnMut(GameAnalysisEvent),
    ) -> Result<GameAnalysisSummary, Error>;
}

impl<G: Playable> AnalysisApi for Registration<G> {
    fn analyze(
        &self,
        request: &AnalyzeRequest,
        context: Context<'_>,
        events: &mut dyn FnMut(AnalysisEvent),
    ) -> Result<AnalysisSummary, Error> {
        let record = request.at.record::<G>()?;
        let now = record.now();
        let mut prepared = request.engine.prepare(&self.engines, "engine", POSITION_TIME)?;
        prepared.limits.lines = request.lines.max(1);
        prepared.limits.ignore_book = true;
        let (mover, ending) = (now.mover().into(), GameEnding::of(&record));
        if ending.is_none() {
            events(AnalysisEvent::Started { mover, engine: prepared.spec.to_string() });
        }
        let mut updates = 0;
        let choice = prepared.engine.think(&record, &prepared.limits, context.cancel, &mut |report| {
            updates += 1;
            events(AnalysisEvent::Update(AnalysisUpdate::of(now, report)));
        });
        let choice = EngineChoice::of(now, &choice);
        if updates == 0 {
            let line = |mv: &String| AnalysisLine::without_value(mv.clone());
            let lines = if let EngineChoice::Move { mv } = &choice { vec![line(mv)] } else { Vec::new() };
            events(AnalysisEvent::Update(AnalysisUpdate { lines, ..AnalysisUpdate::default() }));
        }
        Ok(AnalysisSummary { mover, choice, ending })
    }

    fn analyze_game(
        &self,
        request: &GameAnalysisRequest,
        context: Context<'_>,
        events: &mut dyn FnMut(GameAnalysisEvent),
    ) -> Result<GameAnalysisSummary, Error> {
        let record = request.source.record::<G>(request.index)?;
        let mut prepared = request.engine.prepare(&self.engines, "engine", GAME_TIME)?;
        prepared.limits.ignore_book = true;
        let plies = record.plies().len();
        events(GameAnalysisEvent::Started { plies, engine: prepared.spec.to_string() });
        let mut summary = GameAnalysisSummary::default();
        let mut game = Record::with_rules(record.start().clone(), record.path().rules.clone());
        for (index, mv) in record.moves().enumerate() {
            let position = game.now().clone();
            let before = prepared.search(&game, None, context.cancel);
            game.push(mv).map_err(|refusal| Error::invalid(format!("move {}: {refusal}", index + 1)))?;
            // The reply is searched one ply less deep, so that both searches end at the same depth of the game.
            // Otherwise the loss would depend on the depth.
            let played = match before.pv.first() == Some(&mv) {
                true => before.value,
                false => prepared.search(&game, Some(before.depth), context.cancel).value.to_parent(),
            };
            if context.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let pv = position.print_line(&before.pv);
            let analysis = MoveAnalysis {
                ply: index + 1,
                mover: position.mover().into(),
                mv: position.print_move(mv),
                value: played.get(),
                best: pv.first().cloned(),
                best_value: before.value.get(),
                loss: loss(before.value, played),
                depth: before.depth,
                pv,
            };
            summary.sides[analysis.mover.index()].add(&analysis);
            events(GameAnalysisEvent::Move(analysis));
        }
        Ok(summary)
    }
}

/// The result of a search of one position of a game.
struct PositionAnalysis<M> {
    /// Seen by the mover.
    value: Value,
    pv: Vec<M>,
    depth: u32,
}

impl<G: Playable> PreparedEngine<G> {
    /// Searches the end of a record, one ply less deep than `depth` if given. A finished game has its result.
    fn search(&mut self, record: &Record<G>, depth: Option<u32>, cancel: &CancelToken) -> PositionAnalysis<G::Move> {
        if let Some(ending) = record.ending() {
            let outcome = Outcome::of(ending.winner, record.now().mover());
            return PositionAnalysis { value: Value::over(outcome), pv: Vec::new(), depth: 0 };
        }
        let mut last: Option<SearchReport<G::Move>> = None;
        let mut limits = self.limits.clone();
        if let Some(depth) = depth.filter(|&depth| depth > 0) {
            limits.depth = Some((depth - 1).max(1));
        }
        let choice = self.engine.think(record, &limits, cancel, &mut |report| last = Some(report.clone()));
        let depth = last.as_ref().map_or(0, |report| report.depth);
        let (value, pv) = match (last.and_then(|report| report.lines.into_iter().next()), choice) {
            (Some(line), _) => (line.value, line.moves),
            (None, Choice::Move { mv, .. }) => (Value::DRAW, vec![mv]),
            (None, Choice::Claim) => (Value::win(1), Vec::new()),
            (None, _) => (Value::DRAW, Vec::new()),
        };
        PositionAnalysis { value, pv, depth }
    }
}

/// How much a move lost. Proven results count as the largest estimate: a slower win loses nothing.
fn loss(best: Value, played: Value) -> i32 {
    let bounded = |value: Value| i32::from(value.get().clamp(-Value::LIMIT, Value::LIMIT));
    (bounded(best) - bounded(played)).max(0)
}

impl AnalysisUpdate {
    pub(crate) fn of<G: Notation>(position: &G, report: &SearchReport<G::Move>) -> AnalysisUpdate {
        AnalysisUpdate {
            depth: report.depth,
            nodes: report.nodes,
            seconds: report.time.as_secs_f64(),
            lines: report.lines.iter().map(|line| AnalysisLine::of(position, line)).collect(),
            deepest: Some(report.seldepth),
        }
    }
}

impl AnalysisLine {
    fn of<G: Notation>(position: &G, line: &PvLine<G::Move>) -> AnalysisLine {
        let pv = position.print_line(&line.moves);
        let proven = line.value.proven().map(|proven| match proven {
            Proven::Win(plies) => ProvenResult { result: "win".to_owned(), plies },
            Proven::Loss(plies) => ProvenResult { result: "loss".to_owned(), plies },
        });
        let bound = match line.bound {
            Bound::Exact => None,
            Bound::Lower => Some(ValueBound::Lower),
            Bound::Upper => Some(ValueBound::Upper),
        };
        let (mv, value) = (pv.first().cloned(), Some(line.value.get()));
        AnalysisLine { mv, value, pv, proven, bound, rate: line.rate }
    }

    fn without_value(mv: String) -> AnalysisLine {
        let pv = vec![mv.clone()];
        AnalysisLine { mv: Some(mv), value: None, pv, proven: None, bound: None, rate: None }
    }

    /// The value for people: an estimate, a win rate or a distance, with a sign if it is a bound. Empty without one.
    pub fn value_text(&self) -> String {
        let Some(value) = self.value.map(Value::of) else { return String::new() };
        let sign = match self.bound {
            None => "",
            Some(ValueBound::Lower) => "≥",
            Some(ValueBound::Upper) => "≤",
        };
        match self.rate {
            Some(rate) if !value.is_proven() => format!("{sign}{:.1} %", 100.0 * rate),
            _ => format!("{sign}{value}"),
        }
    }
}

impl MoveAnalysis {
    /// The value, seen by the first player.
    pub fn value_for_first(&self) -> Value {
        let value = Value::of(self.value);
        if self.mover == SideName::First { value } else { -value }
    }

    /// The value for people.
    pub fn value_text(&self) -> String {
        Value::of(self.value).to_string()
    }
}

impl SideLosses {
    fn add(&mut self, analysis: &MoveAnalysis) {
        self.moves += 1;
        self.total += i64::from(analysis.loss);
        if analysis.loss > self.worst {
            (self.worst, self.worst_ply) = (analysis.loss, analysis.ply);
        }
    }
}
