//! Statistics of records, and of games that engines play for them.

use serde::{Deserialize, Serialize};
pub use tesuji_arena::{GamePhases, OpeningResults, PlayerRating, RecordStats};
use tesuji_arena::{RecordCounter, RecordFacts};
use tesuji_engines::Spec;
use tesuji_game::{Ending, MoveList, ParsedRecord, Record};
use tesuji_search::{Choice, Limits, Rng};
use tesuji_task::{Context, cores, ordered_stream};

use crate::corpus::CorpusRecord;
use crate::{CorpusRequest, CorpusSummary, Error, FileError, Playable, Registration};

/// The engine of self-play for statistics: the same moves on every machine, within a second a game.
const ENGINE: &str = "alphabeta:depth=3,hash=4";

/// Random openings that are tried until one does not end the game.
const OPENING_TRIES: u32 = 100;

/// Asks for the statistics of records.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StatsRequest {
    /// The records.
    #[serde(flatten)]
    pub corpus: CorpusRequest,
    /// Players with fewer games are not rated.
    pub min_games: usize,
}

/// The statistics of records.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StatsResponse {
    /// Where the games come from.
    pub source: String,
    /// The figures.
    #[serde(flatten)]
    pub stats: RecordStats,
    /// How the records were read; absent for self-play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read: Option<CorpusSummary>,
}

/// Asks for the statistics of games that an engine plays against itself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SelfPlayStatsRequest {
    /// Number of games.
    pub games: u32,
    /// The seed of the random plies at the start of each game.
    pub seed: u64,
    /// The engine; a search of depth 3 if absent.
    pub engine: Option<String>,
    /// Threads; all cores by default.
    pub threads: Option<usize>,
}

/// Statistics of records.
pub trait StatsApi {
    /// The statistics of records. `events` gets an error for each file that cannot be used, and for each faulty record.
    ///
    /// # Errors
    /// A path does not exist, or the format or the filter is wrong.
    fn record_stats(
        &self,
        request: &StatsRequest,
        context: Context<'_>,
        events: &mut dyn FnMut(FileError),
    ) -> Result<StatsResponse, Error>;

    /// The statistics of games that an engine plays against itself, from random openings.
    ///
    /// # Errors
    /// There is no such engine, or it was cancelled.
    fn self_play_stats(&self, request: &SelfPlayStatsRequest, context: Context<'_>) -> Result<StatsResponse, Error>;
}

impl<G: Playable> StatsApi for Registration<G> {
    fn record_stats(
        &self,
        request: &StatsRequest,
        context: Context<'_>,
        events: &mut dyn FnMut(FileError),
    ) -> Result<StatsResponse, Error> {
        let mut counter = RecordCounter::default();
        let facts = |CorpusRecord { file, index, parsed, .. }: CorpusRecord<'_, G>| {
            let fault = parsed.fault.as_ref();
            let error = fault.map(|fault| file.error(fault.line, format!("record {index}: {fault}")));
            (self.facts(&parsed), error)
        };
        let read = request.corpus.read(self, context, facts, |result| match result {
            Ok((facts, error)) => {
                counter.add(&facts);
                error.into_iter().for_each(&mut *events);
            }
            Err(error) => events(error),
        })?;
        let source = if read.files == 1 { "1 file".to_owned() } else { format!("{} files", read.files) };
        Ok(StatsResponse { source, stats: counter.stats(G::NAME, request.min_games), read: Some(read) })
    }

    fn self_play_stats(&self, request: &SelfPlayStatsRequest, context: Context<'_>) -> Result<StatsResponse, Error> {
        let engine = request.engine.as_deref().unwrap_or(ENGINE);
        let spec = Spec::parse(engine).map_err(|error| Error::field("engine", error))?;
        // A bad spec is reported before the work starts.
        (self.engines.make)(&spec).map_err(|error| Error::field("engine", error))?;
        let mut counter = RecordCounter::default();
        let done = context.counter(u64::from(request.games));
        let play = |number: u32, emit: &mut dyn FnMut(RecordFacts) -> bool| {
            if let Some(record) = self.self_play(&spec, request.seed, number, context) {
                emit(self.facts(&ParsedRecord { record, fault: None }));
            }
        };
        let threads = request.threads.unwrap_or_else(cores);
        ordered_stream(threads, 4 * threads, 0..request.games, play, context.cancel, |facts| {
            counter.add(&facts);
            done.add(1)
        });
        if context.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let source = format!("{} games of {spec} against itself, seed {}", request.games, request.seed);
        Ok(StatsResponse { source, stats: counter.stats(G::NAME, usize::MAX), read: None })
    }
}

impl<G: Playable> Registration<G> {
    fn facts(&self, parsed: &ParsedRecord<G>) -> RecordFacts {
        let openings = self.openings.filter(|_| parsed.fault.is_none());
        RecordFacts::of(parsed, openings.map_or_else(Vec::new, |openings| openings(&parsed.record)))
    }

    /// A game of an engine against itself after random plies. Depends only on the seed and the number of the game.
    /// `None` when it was cancelled.
    pub(crate) fn self_play(&self, spec: &Spec, seed: u64, number: u32, context: Context<'_>) -> Option<Record<G>> {
        let mut rng = Rng::new(Rng::new(seed).draw() ^ u64::from(number) << 32);
        let mut engine = (self.engines.make)(spec).ok()?;
        let mut record = self.random_opening(&mut rng)?;
        let limits = Limits { lines: 1, ignore_book: true, ..Limits::default() };
        let unit = self.engines.unit_of(spec);
        while record.ending().is_none() && self.matches.longest.is_none_or(|longest| record.plies().len() < longest) {
            let mover = record.now().mover();
            let mut value = None;
            let choice = engine.think(&record, &limits, context.cancel, &mut |report| {
                value = report.lines.first().map(|line| unit.estimate(line).level());
            });
            match choice {
                Choice::Move { mv, .. } => {
                    record.push(mv).ok()?;
                    if let (Some(value), Some(note)) = (value, record.note()) {
                        note.value(value);
                    }
                }
                Choice::Claim => record.end(Ending { winner: Some(mover), reason: "declaration" }).ok()?,
                Choice::Resign => record.end(Ending { winner: Some(!mover), reason: "resignation" }).ok()?,
                Choice::Over => break,
            }
            if context.is_cancelled() {
                return None;
            }
        }
        Some(record)
    }

    /// Random plies, after which the game is over only if that is hard to avoid.
    fn random_opening(&self, rng: &mut Rng) -> Option<Record<G>> {
        let mut list = G::Moves::default();
        let mut record = Record::new(G::start());
        for _ in 0..OPENING_TRIES {
            record = Record::new(G::start());
            while record.ending().is_none() && record.plies().len() < self.matches.plies {
                record.now().clone().moves(&mut list);
                let chosen = rng.below(list.len());
                record.push(list.each().nth(chosen)?).ok()?;
            }
            if record.ending().is_none() {
                break;
            }
        }
        Some(record)
    }
}
