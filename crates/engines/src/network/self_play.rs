//! Self-play for networks: an engine plays both sides by tree search, and its visit counts, values and results become a
//! data set of positions.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tesuji_game::{Ending, Game, MoveList, Notation, Outcome, Record, Side};
use tesuji_learn::job::read_input;
use tesuji_learn::numbered::{NumberFeed, NumberedJob, PartResults, save_positions, work_through};
use tesuji_learn::positions::{PositionBlock, PositionCollector, PositionEntry, PositionGame, SavedPositionSet};
use tesuji_learn::{JobError, counted};
use tesuji_search::{CancelToken, Choice, Engine, Limits, Proven, PvLine, Rng};
use tesuji_task::{Context, cores};

use super::candidate::identified;
use crate::training::{SelfPlayConfig, stored_value};
use crate::{EngineConstructor, Spec};

/// Plays games by tree search and writes their positions as a data set for networks.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NetworkSelfPlayJob {
    /// Number of games.
    pub games: u32,
    /// The file for the data set.
    pub out: PathBuf,
    /// The engine of both sides: a tree search, limited by playouts.
    pub engine: String,
    /// The start position in the notation of the game; the usual one if absent.
    pub position: Option<String>,
    /// A file of start positions, one per line in the notation of the game; each game begins at one of them, drawn at
    /// random.
    #[serde(default)]
    pub openings: Option<PathBuf>,
    /// Random plies before the engine plays; they are not learned from.
    pub random_plies: RangeInclusive<u32>,
    /// The share of Dirichlet noise in the priors of the root; PUCT alone has priors.
    pub noise: f32,
    /// The temperature of the visit counts by which the first moves are sampled.
    pub temperature: f64,
    /// So many plies of the engine are sampled; later the move with the most visits is played.
    pub sampled_plies: u32,
    /// A game of so many plies is a draw.
    pub longest: u32,
    /// The seed of everything random.
    pub seed: u64,
    /// Threads; all cores by default.
    pub threads: Option<usize>,
}

/// A data set that self-play has written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetworkSelfPlayOutcome {
    /// The data set.
    pub saved: SavedPositionSet,
    /// What the user should know, but is no error.
    pub warnings: Vec<String>,
}

impl NetworkSelfPlayJob {
    /// The engine where none is given.
    pub const DEFAULT_ENGINE: &str = "puct:playouts=400";

    /// Whether games of this engine are for a network where nothing else is said: PUCT has the priors to learn.
    pub fn is_usual_engine(spec: &str) -> bool {
        spec.split(':').next() == Some("puct")
    }

    /// Plays the games, or continues an interrupted run of the same job.
    ///
    /// # Errors
    /// Bad settings, failed reading or writing, and cancellation.
    pub fn run<G: PositionGame + Notation>(
        &self,
        make: EngineConstructor<G>,
        context: Context<'_>,
    ) -> Result<NetworkSelfPlayOutcome, JobError> {
        let spec = self.checked(make)?;
        let starts = start_positions::<G>(self.position.as_deref(), self.openings.as_deref())?;
        let task = self.task::<G>(&spec);
        let provenance = format!("{task}, {}", counted(self.games as usize, "game"));
        if let Some(saved) = PositionCollector::<G>::existing(&self.out, &provenance)? {
            return Ok(NetworkSelfPlayOutcome { saved, warnings: Vec::new() });
        }
        let mut collector = PositionCollector::<G>::open(&self.out, &task)?;
        if collector.done() < self.games {
            let play = |number: u32| self.play(&spec, make, &starts, number, context.cancel);
            collector.run(self.threads.unwrap_or_else(cores), self.games, || Ok(play), context)?;
        }
        let (saved, warning) = collector.save(&provenance, self.games)?;
        Ok(NetworkSelfPlayOutcome { saved, warnings: warning.into_iter().collect() })
    }

    /// The job as numbered games for any number of machines. Put together they are what [`NetworkSelfPlayJob::run`]
    /// writes.
    ///
    /// # Errors
    /// Bad settings.
    pub fn numbered<G: PositionGame + Notation>(&self, make: EngineConstructor<G>) -> Result<NumberedJob, JobError> {
        let spec = self.checked(make)?;
        let starts = start_positions::<G>(self.position.as_deref(), self.openings.as_deref())?;
        let task = self.task::<G>(&spec);
        let provenance = format!("{task}, {}", counted(self.games as usize, "game"));
        let job = self.clone();
        let work = move |feed: &mut dyn NumberFeed| {
            work_through(feed, |number, cancel| {
                Ok(job.play(&spec, make, &starts, number, cancel)?.map(|game| game.bytes()))
            })
        };
        let save = move |out: &Path, results: PartResults<'_>| save_positions::<G>(out, &provenance, results);
        Ok(NumberedJob { task, parts: self.games, work: Box::new(work), save: Box::new(save) })
    }

    /// The engine, once the settings are checked.
    fn checked<G: Game>(&self, make: EngineConstructor<G>) -> Result<Spec, JobError> {
        let mut spec = Spec::parse(&self.engine).map_err(JobError::input)?;
        if spec.name == "puct" && spec.get("noise").is_none() {
            spec.settings.push(("noise".to_owned(), self.noise.to_string()));
        }
        SelfPlayConfig { engine: spec.clone(), solve: 0, seed: self.seed, hash: None }
            .check()
            .map_err(JobError::input)?;
        if !["uct", "puct"].contains(&spec.name.as_str()) {
            let message = format!("{:?}: a network learns from visit counts: give puct or uct", self.engine);
            return Err(JobError::field("engine", message));
        }
        make(&spec).map_err(JobError::input)?;
        Ok(spec)
    }

    /// Everything the games depend on, in one line.
    fn task<G: Game>(&self, spec: &Spec) -> String {
        let (least, most) = (self.random_plies.start(), self.random_plies.end());
        let start = match (&self.position, &self.openings) {
            (Some(text), _) => format!(" from {text}"),
            (None, Some(file)) => format!(" from {}", identified(file).display()),
            (None, None) => String::new(),
        };
        // A network counts by its bytes, not by its place.
        let mut spec = spec.clone();
        for (_, value) in spec.settings.iter_mut().filter(|(key, value)| key == "net" && value != "none") {
            *value = identified(Path::new(value)).display().to_string();
        }
        format!(
            "self-play of {}{start} by {spec}: random plies {least}..{most}, temperature {} for {} plies, at most {} \
             plies, seed {}",
            G::NAME,
            self.temperature,
            self.sampled_plies,
            self.longest,
            self.seed
        )
    }

    /// Plays one game. Depends on the job and the number only. `None` when it was cancelled.
    fn play<G: PositionGame>(
        &self,
        spec: &Spec,
        make: EngineConstructor<G>,
        starts: &[G],
        number: u32,
        cancel: &CancelToken,
    ) -> Result<Option<PositionBlock<G>>, JobError> {
        let mut rng = Rng::new(self.seed ^ u64::from(number).wrapping_mul(0xd6e8_feb8_6659_fd93));
        let mut spec = spec.clone();
        spec.settings.retain(|(key, _)| key != "seed");
        spec.settings.push(("seed".to_owned(), rng.draw().to_string()));
        let mut engine = make(&spec).map_err(JobError::input)?;
        let mut record = random_opening(drawn_start(starts, &mut rng), &self.random_plies, &mut rng);
        let opening = record.plies().len();
        let mut entries: Vec<PositionEntry<G>> = Vec::new();
        let ending = loop {
            if let Some(ending) = record.ending() {
                break ending.winner;
            }
            let plies = record.plies().len();
            if plies >= self.longest as usize {
                break None;
            }
            let mover = record.now().mover();
            let sampled = plies - opening < self.sampled_plies as usize;
            let temperature = if sampled { self.temperature } else { 0.0 };
            match think(&mut *engine, &record, temperature, &mut rng, cancel) {
                _ if cancel.is_cancelled() => return Ok(None),
                Thought::Ends(Ending { winner, .. }) => break winner,
                Thought::Plays { mv, entry } => {
                    let ply = plies.min(usize::from(u16::MAX)) as u16;
                    entries.extend(entry.map(|entry| PositionEntry { ply, second: mover == Side::Second, ..entry }));
                    record.push(mv).map_err(|error| JobError::Failed(format!("{spec} made no legal move: {error}")))?;
                }
            }
        };
        let mut block = PositionBlock::default();
        for mut entry in entries {
            entry.game = number;
            entry.result = Some(Outcome::of(ending, if entry.second { Side::Second } else { Side::First }));
            // What the packing cannot express is not learned from.
            let _ = block.push(&entry);
        }
        Ok(Some(block))
    }
}

/// The positions where games begin: one in the notation of the game, or those of a file; the usual start without both.
pub(crate) fn start_positions<G: Game + Notation>(
    position: Option<&str>,
    openings: Option<&Path>,
) -> Result<Vec<G>, JobError> {
    let parse = |field: &'static str, text: &str| {
        let start = G::parse(text).map_err(|error| JobError::field(field, format!("{text}: {error}")))?;
        match start.outcome() {
            Some(_) => Err(JobError::field(field, format!("{text}: the game is over there"))),
            None => Ok(start),
        }
    };
    match (position, openings) {
        (Some(_), Some(_)) => Err(JobError::field("openings", "give a position or a file of positions, not both")),
        (Some(text), None) => Ok(vec![parse("position", text)?]),
        (None, None) => Ok(vec![G::start()]),
        (None, Some(file)) => {
            let bytes = read_input(file)?;
            let text = String::from_utf8_lossy(&bytes);
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
            let starts = lines.map(|line| parse("openings", line)).collect::<Result<Vec<_>, _>>()?;
            match starts.is_empty() {
                true => Err(JobError::field("openings", format!("{}: there is no position", file.display()))),
                false => Ok(starts),
            }
        }
    }
}

/// One of the start positions. Without a choice nothing is drawn: the games of one start stay what they were.
pub(crate) fn drawn_start<'a, G>(starts: &'a [G], rng: &mut Rng) -> &'a G {
    match starts {
        [only] => only,
        several => &several[rng.below(several.len())],
    }
}

/// Random moves from a start position; drawn anew when they end the game.
pub(crate) fn random_opening<G: Game>(start: &G, plies: &RangeInclusive<u32>, rng: &mut Rng) -> Record<G> {
    let (least, most) = (*plies.start(), *plies.end());
    for _ in 0..100 {
        let wanted = least + rng.below((most - least) as usize + 1) as u32;
        let (mut record, mut moves) = (Record::new(start.clone()), G::Moves::default());
        for _ in 0..wanted {
            record.now().clone().moves(&mut moves);
            let Some(mv) = (!moves.is_empty()).then(|| moves.each().nth(rng.below(moves.len()))).flatten() else {
                break;
            };
            if record.push(mv).is_err() {
                break;
            }
        }
        if record.ending().is_none() {
            return record;
        }
    }
    Record::new(start.clone())
}

/// What the engine does.
enum Thought<G: Game> {
    /// It plays a move; the entry is absent if no move of the position has a label.
    Plays { mv: G::Move, entry: Option<PositionEntry<G>> },
    /// It resigns or claims a win.
    Ends(Ending),
}

fn think<G: PositionGame>(
    engine: &mut dyn Engine<G>,
    record: &Record<G>,
    temperature: f64,
    rng: &mut Rng,
    cancel: &CancelToken,
) -> Thought<G> {
    let mut value = None;
    let choice = engine.think(record, &Limits { lines: 1, ..Limits::default() }, cancel, &mut |report| {
        value = report.lines.first().map(stored_line_value);
    });
    let (position, mover) = (record.now(), record.now().mover());
    let best = match choice {
        Choice::Move { mv, .. } => mv,
        Choice::Claim => return Thought::Ends(Ending { winner: Some(mover), reason: "declaration" }),
        Choice::Resign | Choice::Over => return Thought::Ends(Ending { winner: Some(!mover), reason: "resignation" }),
    };
    let counts = engine.root_visits();
    let mv = sample(&counts, temperature, rng).unwrap_or(best);
    let label = |mv: G::Move| position.label(mv).and_then(|label| u16::try_from(label).ok());
    let most = counts.iter().map(|(_, visits)| *visits).max().unwrap_or(0);
    let scaled = |visits: u32| (u64::from(visits) * u64::from(u16::MAX) / u64::from(most.max(1))) as u16;
    let fits = most <= u32::from(u16::MAX);
    let visits = counts.iter().filter_map(|&(mv, visits)| {
        let visits = if fits { visits as u16 } else { scaled(visits) };
        Some((label(mv)?, visits))
    });
    let visits: Vec<(u16, u16)> = visits.collect();
    let label = label(mv);
    let entry = (label.is_some() || !visits.is_empty()).then(|| PositionEntry {
        label,
        value,
        visits,
        ..PositionEntry::of(position.clone())
    });
    Thought::Plays { mv, entry }
}

/// The value of a line as a data set stores it.
fn stored_line_value<M>(line: &PvLine<M>) -> i16 {
    match (line.value.proven(), line.rate) {
        (Some(Proven::Win(_)), _) => stored_value(f64::INFINITY),
        (Some(Proven::Loss(_)), _) => stored_value(f64::NEG_INFINITY),
        (None, Some(rate)) => stored_value(crate::training::ODDS * (rate / (1.0 - rate)).ln()),
        (None, None) => stored_value(f64::from(line.value.get())),
    }
}

/// A move drawn by its visits, each to the power of 1 / temperature; `None` at temperature 0.
fn sample<M: Copy>(counts: &[(M, u32)], temperature: f64, rng: &mut Rng) -> Option<M> {
    if temperature <= 0.0 {
        return None;
    }
    let most = f64::from(counts.iter().map(|(_, visits)| *visits).max()?);
    let weight = |visits: u32| (f64::from(visits) / most).powf(1.0 / temperature);
    let total: f64 = counts.iter().map(|(_, visits)| weight(*visits)).sum();
    let mut drawn = rng.unit() * total;
    for &(mv, visits) in counts {
        drawn -= weight(visits);
        if drawn < 0.0 {
            return Some(mv);
        }
    }
    counts.last().map(|(mv, _)| *mv)
}

#[cfg(test)]
mod tests {
    use tesuji_learn::positions::PositionSet;
    use tesuji_ostle::Ostle;

    use super::*;
    use crate::HasEngines;

    fn job(folder: &std::path::Path, name: &str) -> NetworkSelfPlayJob {
        NetworkSelfPlayJob {
            games: 3,
            out: folder.join(name),
            engine: "puct:playouts=12,net=none".to_owned(),
            position: None,
            openings: None,
            random_plies: 0..=3,
            noise: 0.25,
            temperature: 1.0,
            sampled_plies: 8,
            longest: 40,
            seed: 7,
            threads: Some(1),
        }
    }

    fn play(job: &NetworkSelfPlayJob) -> Result<NetworkSelfPlayOutcome, JobError> {
        job.run::<Ostle>(Ostle::engine, Context::silent(&CancelToken::new()))
    }

    #[test]
    fn games_have_visits_values_and_results_on_any_number_of_threads() {
        let folder = tempfile::tempdir().expect("a folder");
        let one = job(folder.path(), "one.set");
        let saved = play(&one).expect("played").saved;
        assert_eq!(saved.games, 3);
        let set = PositionSet::<Ostle>::open(&one.out).expect("a set");
        let mut varied = 0;
        set.for_each(|_, entry| {
            let visits: u32 = entry.visits.iter().map(|(_, visits)| u32::from(*visits)).sum();
            assert!(visits > 0 && entry.value.is_some() && entry.result.is_some() && entry.label.is_some());
            varied += usize::from(entry.visits.len() > 1);
        })
        .expect("read");
        assert!(varied > 0);
        let two = NetworkSelfPlayJob { threads: Some(2), ..job(folder.path(), "two.set") };
        play(&two).expect("played");
        let bytes = |path: &std::path::Path| std::fs::read(path).expect("a file");
        assert!(bytes(&one.out) == bytes(&two.out), "the number of threads shows");
        // Two games of an interrupted run, then the rest.
        let part = NetworkSelfPlayJob { games: 2, ..job(folder.path(), "part.set") };
        let mut collector = PositionCollector::<Ostle>::open(&part.out, &task(&part)).expect("begun");
        let spec = noisy(&part);
        let worker = |number| part.play(&spec, Ostle::engine, &[Ostle::start()], number, &CancelToken::new());
        collector.run(1, 2, || Ok(worker), Context::silent(&CancelToken::new())).expect("played");
        drop(collector);
        let whole = job(folder.path(), "part.set");
        play(&whole).expect("continued");
        assert!(bytes(&one.out) == bytes(&whole.out), "the interruption shows");
    }

    fn noisy(job: &NetworkSelfPlayJob) -> Spec {
        let mut spec = Spec::parse(&job.engine).expect("a spec");
        spec.settings.push(("noise".to_owned(), job.noise.to_string()));
        spec
    }

    fn task(job: &NetworkSelfPlayJob) -> String {
        job.task::<Ostle>(&noisy(job))
    }

    #[test]
    fn other_engines_and_other_settings_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let message = |job: &NetworkSelfPlayJob| play(job).expect_err("a refusal").to_string();
        let fine = job(folder.path(), "a.set");
        let engine = |engine: &str| NetworkSelfPlayJob { engine: engine.to_owned(), ..fine.clone() };
        assert!(message(&engine("alphabeta:depth=2")).contains("learns from visit counts"));
        assert!(message(&engine("puct:time=1s")).contains("the same moves every time"));
        assert!(message(&NetworkSelfPlayJob { position: Some("x".to_owned()), ..fine.clone() }).contains("position"));
        play(&fine).expect("played");
        play(&fine).expect("the same again");
        assert!(message(&NetworkSelfPlayJob { seed: 8, ..fine }).contains("already exists"));
    }
}
