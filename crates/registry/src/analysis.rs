//! Analysis of positions and games.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tesuji_game::{Notation, Outcome, Record, Side, tags};
use tesuji_search::{Bound, Choice, PvLine, SearchReport, UnitValue, Value, ValueUnit};
use tesuji_task::{CancelToken, Context};

use crate::engine::PreparedEngine;
use crate::{
    Counting, EngineChoice, EngineRequest, Error, GameEnding, MoveMark, Playable, PositionSpec, ProvenResult,
    RecordSource, Registration, SideName, ValueReport,
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
        /// The unit of the values.
        unit: String,
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
    /// Where the lines come from: `search`, `book`, `tablebase` or `policy`; absent when the engine reported no iteration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// A principal variation with its value.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct AnalysisLine {
    /// The first move.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// The value, seen by the mover.
    #[serde(flatten)]
    pub value: ValueReport,
    /// The principal variation, including the first move.
    pub pv: Vec<String>,
    /// The probability that the policy of a network gives the move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prior: Option<f64>,
    /// The value in the unit of the game, for records, even if the engine reports win rates.
    #[serde(skip)]
    pub(crate) in_game_unit: Option<f64>,
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
        /// The names of both players, where the record has them.
        names: [Option<String>; 2],
        /// Plies of the game.
        plies: usize,
        /// The engine spec with all settings that were filled in.
        engine: String,
        /// The unit of the values.
        unit: String,
    },
    /// A move is analysed.
    Move(Box<MoveAnalysis>),
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
    #[serde(flatten)]
    pub value: ValueReport,
    /// The best move.
    pub best: Option<String>,
    /// The value of the best move, in the same unit; none for a proven win or loss without a score.
    pub best_value: Option<f64>,
    /// The result of the best move, if it is certain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best_proven: Option<ProvenResult>,
    /// How much the move lost, in the same unit. Proven results count as a decided game.
    pub loss: f64,
    /// How bad the move is; absent for good ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<MoveMark>,
    /// Depth of the search.
    pub depth: u32,
    /// The principal variation of the best move.
    pub pv: Vec<String>,
    /// The line that is expected after the move.
    #[serde(skip)]
    pub(crate) expected: Vec<String>,
}

/// What each side lost in a game.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct GameAnalysisSummary {
    /// The unit of the values.
    #[serde(skip)]
    pub unit: Option<ValueUnit>,
    /// The first player, then the second.
    pub sides: [SideLosses; 2],
}

/// What a side lost in a game.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct SideLosses {
    /// Its moves.
    pub moves: usize,
    /// The sum of its losses, in the unit of the values.
    pub total: f64,
    /// The largest loss.
    pub worst: f64,
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

    /// Searches every position of the game that leads to a position.
    ///
    /// # Errors
    /// The position, a move or the engine does not exist, or the operation was cancelled.
    fn analyze_moves(
        &self,
        at: &PositionSpec,
        engine: &EngineRequest,
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
        let (mover, ending) = (now.mover().into(), GameEnding::of(&record, self.counting));
        let unit = self.engines.unit_of(&prepared.spec);
        let reported = self.engines.reported_unit(&prepared.spec);
        if ending.is_none() {
            let (engine, unit) = (prepared.spec.to_string(), reported.name.to_owned());
            events(AnalysisEvent::Started { mover, engine, unit });
        }
        let mut updates = 0;
        let choice = prepared.engine.think(&record, &prepared.limits, context.cancel, &mut |report| {
            updates += 1;
            events(AnalysisEvent::Update(AnalysisUpdate::of(now, report, unit)));
        });
        let choice = EngineChoice::of(now, &choice);
        if updates == 0 {
            let line = |mv: &String| AnalysisLine::without_value(mv.clone(), reported);
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
        let mut record = request.source.record::<G>(request.index)?;
        self.filler(&request.source)(&mut record);
        self.analyze_record(&record, &request.engine, context, events)
    }

    fn analyze_moves(
        &self,
        at: &PositionSpec,
        engine: &EngineRequest,
        context: Context<'_>,
        events: &mut dyn FnMut(GameAnalysisEvent),
    ) -> Result<GameAnalysisSummary, Error> {
        self.analyze_record(&at.record::<G>()?, engine, context, events)
    }
}

impl<G: Playable> Registration<G> {
    /// Searches every position of a record.
    pub(crate) fn analyze_record(
        &self,
        record: &Record<G>,
        engine: &EngineRequest,
        context: Context<'_>,
        events: &mut dyn FnMut(GameAnalysisEvent),
    ) -> Result<GameAnalysisSummary, Error> {
        let mut prepared = engine.prepare(&self.engines, "engine", GAME_TIME)?;
        prepared.limits.ignore_book = true;
        let plies = record.plies().len();
        let units = AnalysisUnits {
            engine: self.engines.unit_of(&prepared.spec),
            reported: self.engines.reported_unit(&prepared.spec),
        };
        let unit = units.reported.name.to_owned();
        let names = [tags::FIRST, tags::SECOND].map(|tag| record.tag(tag).map(str::to_owned));
        events(GameAnalysisEvent::Started { names, plies, engine: prepared.spec.to_string(), unit });
        let mut summary = GameAnalysisSummary { unit: Some(units.reported), ..GameAnalysisSummary::default() };
        let mut game = Record::with_rules(record.start().clone(), record.path().rules.clone());
        for (index, mv) in record.moves().enumerate() {
            let position = game.now().clone();
            let before = prepared.search(&game, None, units, self.counting, context.cancel);
            game.push(mv).map_err(|refusal| Error::invalid(format!("move {}: {refusal}", index + 1)))?;
            // The reply is searched one ply less deep, so that both searches end at the same depth of the game.
            // Otherwise the loss would depend on the depth. A game that the move ends has its result.
            let is_best = before.pv.first() == Some(&mv);
            let (played, expected) = if is_best && game.ending().is_none() {
                (before.value, game.now().print_line(&before.pv[1..]))
            } else {
                let depth = Some(before.depth);
                let after = prepared.search(&game, depth, units, self.counting, context.cancel);
                (after.value.to_parent(), game.now().print_line(&after.pv))
            };
            let best = if is_best { played } else { before.value };
            if context.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let pv = position.print_line(&before.pv);
            let analysis = MoveAnalysis {
                ply: index + 1,
                mover: position.mover().into(),
                mv: position.print_move(mv),
                value: played.into(),
                best: pv.first().cloned(),
                best_value: best.number,
                best_proven: ProvenResult::of(best),
                loss: played.loss(best),
                mark: MoveMark::of(played.loss(best), units.reported.name),
                depth: before.depth,
                pv,
                expected,
            };
            summary.sides[analysis.mover.index()].add(&analysis);
            events(GameAnalysisEvent::Move(Box::new(analysis)));
        }
        Ok(summary)
    }
}

/// The units of an analysis.
#[derive(Clone, Copy)]
struct AnalysisUnits {
    /// In which the engine counts.
    engine: ValueUnit,
    /// In which it reports.
    reported: ValueUnit,
}

/// The result of a search of one position of a game.
struct PositionAnalysis<M> {
    /// Seen by the mover.
    value: UnitValue,
    pv: Vec<M>,
    depth: u32,
}

impl<G: Playable> PreparedEngine<G> {
    /// Searches the end of a record, one ply less deep than `depth` if given. A finished game has its result.
    fn search(
        &mut self,
        record: &Record<G>,
        depth: Option<u32>,
        units: AnalysisUnits,
        counting: Option<Counting<G>>,
        cancel: &CancelToken,
    ) -> PositionAnalysis<G::Move> {
        if let Some(ending) = record.ending() {
            let (outcome, now) = (Outcome::of(ending.winner, record.now().mover()), record.now());
            let score = counting.and_then(|counting| (counting.final_score)(now));
            let margin = score.map(|[first, second]| {
                let lead = first.cast_signed() - second.cast_signed();
                if now.mover() == Side::First { lead } else { -lead }
            });
            return PositionAnalysis { value: units.reported.finished(outcome, margin), pv: Vec::new(), depth: 0 };
        }
        let mut last: Option<SearchReport<G::Move>> = None;
        let mut limits = self.limits.clone();
        if let Some(depth) = depth.filter(|&depth| depth > 0) {
            limits.depth = Some((depth - 1).max(1));
        }
        let choice = self.engine.think(record, &limits, cancel, &mut |report| last = Some(report.clone()));
        let depth = last.as_ref().map_or(0, |report| report.depth);
        let (value, pv) = match (last.and_then(|report| report.lines.into_iter().next()), choice) {
            (Some(line), _) => (units.engine.read(&line), line.moves),
            (None, Choice::Move { mv, .. }) => (UnitValue::even(units.reported), vec![mv]),
            (None, Choice::Claim) => (units.reported.value(Value::win(1), Bound::Exact, true), Vec::new()),
            (None, _) => (UnitValue::even(units.reported), Vec::new()),
        };
        PositionAnalysis { value, pv, depth }
    }
}

impl AnalysisUpdate {
    /// The report of an engine that counts in `unit`.
    pub(crate) fn of<G: Notation>(position: &G, report: &SearchReport<G::Move>, unit: ValueUnit) -> AnalysisUpdate {
        AnalysisUpdate {
            depth: report.depth,
            nodes: report.nodes,
            seconds: report.time.as_secs_f64(),
            lines: report.lines.iter().map(|line| AnalysisLine::of(position, line, unit)).collect(),
            deepest: Some(report.seldepth),
            source: Some(report.source.name().to_owned()),
        }
    }
}

impl AnalysisLine {
    fn of<G: Notation>(position: &G, line: &PvLine<G::Move>, unit: ValueUnit) -> AnalysisLine {
        let pv = position.print_line(&line.moves);
        let value = unit.read(line).into();
        AnalysisLine { mv: pv.first().cloned(), value, pv, prior: line.prior, in_game_unit: unit.estimate(line).number }
    }

    fn without_value(mv: String, unit: ValueUnit) -> AnalysisLine {
        let pv = vec![mv.clone()];
        AnalysisLine { mv: Some(mv), value: ValueReport::none(unit), pv, prior: None, in_game_unit: None }
    }

    /// The value for people, without its unit. Empty without one.
    pub fn value_text(&self) -> String {
        self.value.text()
    }
}

impl MoveAnalysis {
    /// The value, seen by the first player.
    pub fn value_for_first(&self) -> Option<UnitValue> {
        self.value.shown.map(|value| if self.mover == SideName::First { value } else { -value })
    }

    /// The value for people, without its unit.
    pub fn value_text(&self) -> String {
        self.value.text()
    }

    /// The loss for people, without its unit.
    pub fn loss_text(&self) -> String {
        self.value.shown.map_or_else(String::new, |value| value.unit.amount(self.loss))
    }
}

impl SideLosses {
    fn add(&mut self, analysis: &MoveAnalysis) {
        self.moves += 1;
        self.total += analysis.loss;
        if analysis.loss > self.worst {
            (self.worst, self.worst_ply) = (analysis.loss, analysis.ply);
        }
    }
}
