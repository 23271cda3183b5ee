//! The tablebase player (engine kind `table`): plays a solved game perfectly. It is never replaced silently by a search:
//! a missing tablebase is an error, and so is an incomplete one unless the spec names a fallback.
//!
//! `moves` probes the moves of a position, `tie_break` orders equally good ones, `wdl` plays from tablebases without
//! distances.

mod moves;
mod tie_break;
mod wdl;

use std::cmp::Reverse;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use tesuji_game::{HasPerfectIndex, Outcome, PerfectIndex, Record};
use tesuji_search::{CancelToken, Choice, Engine, Limits, PvLine, ReportSource, SearchReport};
use tesuji_solve::tablebase::{Metric, ShellCommand, Tablebase, TablebaseError, TablebaseId};

use crate::{Spec, SpecError};
use moves::{MoveProber, ProbedMove};

/// The engine of a spec of kind [`TABLE`](crate::TABLE). `search` creates the engine that chooses among equal outcomes
/// and plays where the tablebase has no answer, from an `alphabeta` spec with the same settings.
///
/// # Errors
/// The `dir` of the spec, or the default folder, holds no tablebase; it lacks boards and the spec has no `fallback`; or
/// it cannot be read.
pub fn from_table<G: HasPerfectIndex>(
    spec: &Spec,
    search: impl FnOnce(&Spec) -> Result<Box<dyn Engine<G>>, SpecError>,
) -> Result<Box<dyn Engine<G>>, SpecError> {
    let seed = spec.number("seed", 0, u64::MAX)?.unwrap_or(0);
    let has_fallback = match spec.get("fallback") {
        None => false,
        Some("alphabeta") => true,
        Some(other) => return Err(SpecError::unknown("fallback", other, &["alphabeta"])),
    };
    let own = |key: &str| ["dir", "seed", "fallback"].contains(&key);
    let settings = spec.settings.iter().filter(|(key, _)| !own(key)).cloned().collect();
    let search = search(&Spec { name: "alphabeta".to_owned(), settings })?;
    let chosen = spec.get("dir");
    let dir = chosen.map_or_else(|| tesuji_store::home().join("tables"), Into::into);
    let command = ShellCommand::solve(G::NAME);
    let command = if chosen.is_some() { command.out(&dir) } else { command };
    let unavailable = |message: String| Err(SpecError::Unavailable { engine: spec.name.clone(), message });
    let tablebase = match open::<G>(&dir) {
        Ok(tablebase) => tablebase,
        Err(TablebaseError::NotFound { game, dir }) => {
            return unavailable(format!(
                "there is no tablebase of {game} in {}: `{command}` makes one, `{}:dir=DIR` names another folder, and \
                 `alphabeta` plays without one",
                dir.display(),
                spec.name
            ));
        }
        Err(error) => return Err(SpecError::value("dir", &dir.display().to_string(), error.to_string())),
    };
    let missing = missing_classes(&tablebase);
    if !has_fallback && !missing.is_empty() {
        let command = if tablebase.metric() == Metric::Wdl { command.flag("--wdl") } else { command };
        return unavailable(format!(
            "the tablebase in {} lacks the boards of {}: `{command}` adds them, and `{}:fallback=alphabeta` plays there \
             by alpha-beta search",
            dir.display(),
            missing.join(", "),
            spec.name
        ));
    }
    Ok(Box::new(TablebasePlayer::new(tablebase, seed, search)))
}

/// The names of the classes that a tablebase lacks.
fn missing_classes<I: PerfectIndex + Send>(tablebase: &Tablebase<I>) -> Vec<String> {
    let index = tablebase.game();
    let classes = index.stages().iter().flat_map(|classes| classes.iter().copied());
    classes.filter(|&class| !tablebase.has(class)).map(|class| index.class_name(class)).collect()
}

fn open<G: HasPerfectIndex>(dir: &Path) -> Result<Tablebase<G::Index>, TablebaseError> {
    let id = TablebaseId { game: G::NAME.to_owned(), rules: G::RULES_VERSION, index: G::INDEX_VERSION };
    Tablebase::open(dir, Arc::new(G::index()), &id)
}

/// Plays from the tablebase of a solved game: the shortest win, the longest defence, and in a draw the move after which
/// most replies lose. Where the tablebase has no answer, another engine plays the move.
///
/// A tablebase without distances (WDL) does not show how to make progress. There the other engine chooses among the
/// moves that keep the result.
pub struct TablebasePlayer<G: HasPerfectIndex> {
    prober: MoveProber<G>,
    seed: u64,
    search: Box<dyn Engine<G>>,
    /// Whether the other engine was used since the last [`Engine::forget`].
    searched: bool,
    /// Whether a warning of damage was given.
    warned: bool,
}

impl<G: HasPerfectIndex> TablebasePlayer<G> {
    /// A player with this tablebase. `seed` chooses between equally good moves (0: the first); `search` plays where the
    /// tablebase has no answer.
    pub fn new(tablebase: Tablebase<G::Index>, seed: u64, search: Box<dyn Engine<G>>) -> TablebasePlayer<G> {
        TablebasePlayer { prober: MoveProber::new(tablebase), seed, search, searched: false, warned: false }
    }

    /// All moves, best first.
    fn ranked(&self, record: &Record<G>) -> Result<Vec<ProbedMove<G>>, TablebaseError> {
        let mut moves = self.prober.probe_all(record.now())?;
        let positions = positions(record);
        let occurrences = |game: &G| positions.iter().filter(|&before| before == game).count();
        let mut best = tie_break::best(&moves);
        tie_break::sort(&self.prober, record.now(), self.seed, &mut best, occurrences)?;
        moves.sort_by_key(|probed| {
            let rank = best.iter().position(|equal| equal.mv == probed.mv);
            (Reverse(probed.value().0), rank)
        });
        Ok(moves)
    }

    /// The result, or nothing and a warning that a search takes the place of a tablebase that cannot be read. One warning
    /// is enough, and boards that the tablebase lacks are no damage.
    fn or_warn<T: Default>(&mut self, read: Result<T, TablebaseError>) -> T {
        read.unwrap_or_else(|error| {
            if !matches!(error, TablebaseError::MissingClass { .. }) && !std::mem::replace(&mut self.warned, true) {
                let dir = self.prober.dir().display();
                tracing::warn!(
                    "{error}; `table` plays such positions by alpha-beta search, and `tesuji verify {dir}` lists the damage"
                );
            }
            T::default()
        })
    }

    fn lines(&self, ranked: &[ProbedMove<G>], count: usize) -> Result<Vec<PvLine<G::Move>>, TablebaseError> {
        let line = |probed: &ProbedMove<G>| {
            let (value, bound) = probed.value();
            Ok(PvLine { value, bound, moves: self.prober.line(probed)?, rate: None, prior: None, solved: true })
        };
        ranked.iter().take(count.max(1)).map(line).collect()
    }
}

/// The positions of a game, the current one included.
fn positions<G: HasPerfectIndex>(record: &Record<G>) -> Vec<G> {
    let mut now = *record.start();
    let mut all = vec![now];
    for mv in record.moves() {
        now.play(mv);
        all.push(now);
    }
    all
}

impl<G: HasPerfectIndex> Engine<G> for TablebasePlayer<G> {
    fn think(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        stop: &CancelToken,
        watch: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> Choice<G::Move> {
        if record.ending().is_some() {
            return Choice::Over;
        }
        let started = limits.started.unwrap_or_else(Instant::now);
        self.prober.take_probes();
        // If a block cannot be read, the other engine plays this move.
        let ranked = self.ranked(record);
        let ranked = self.or_warn(ranked);
        if let Some(first) = ranked.first()
            && first.outcome != Outcome::Draw
            && first.plies.is_none()
        {
            self.searched = true;
            return wdl::think(&ranked, self.search.as_mut(), record, limits, stop, watch);
        }
        let lines = self.lines(&ranked, limits.lines);
        let lines = self.or_warn(lines);
        let Some(best) = lines.first().map(|line| line.moves.clone()) else {
            tracing::info!("the tablebase has no answer; another engine searches");
            self.searched = true;
            return self.search.think(record, limits, stop, watch);
        };
        let longest = lines.iter().map(|line| line.moves.len()).max().unwrap_or(0) as u32;
        tracing::info!(plies = best.len(), "move from the tablebase");
        watch(&SearchReport {
            depth: best.len() as u32,
            seldepth: longest,
            nodes: self.prober.take_probes(),
            time: started.elapsed(),
            hashfull: None,
            lines,
            source: ReportSource::Tablebase,
        });
        best.first().map_or(Choice::Over, |&mv| Choice::Move { mv, reply: best.get(1).copied() })
    }

    fn forget(&mut self) {
        if std::mem::take(&mut self.searched) {
            self.search.forget();
        }
    }
}
