//! Two speeds that the network alone does not tell: of a tree search with it, and of reading a data set.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use serde::{Deserialize, Serialize};
use tesuji_engines::network::{encoding_of, load_network, plane_words};
use tesuji_engines::{EngineConstructor, Spec};
use tesuji_game::{Game, MoveList, Record};
use tesuji_learn::job::JobError;
use tesuji_learn::positions::{PositionGame, PositionSet};
use tesuji_nn::{Evaluation, Evaluator, Planes, Random};
use tesuji_search::Limits;
use tesuji_task::Context;

use crate::{Error, GameHandle, Playable, Registration, Registry};

/// Plies of random play before each position that is searched.
const PLIES: [usize; 4] = [0, 8, 16, 24];

/// A measurement of a search with a network, on one thread.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SearchBench {
    /// The network.
    pub file: PathBuf,
    /// Positions that the search evaluates together.
    pub batch: usize,
    /// How long the search is measured.
    pub time: Duration,
}

/// The speed of a tree search against that of its network alone.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct SearchSpeed {
    /// Positions that the search evaluates together.
    pub batch: usize,
    /// Playouts of the search.
    pub playouts: u64,
    /// Positions that the network evaluated in them; the others were known or had been evaluated before.
    pub evaluated: u64,
    /// Positions that the search evaluated per second of CPU time.
    pub search_per_cpu_second: f64,
    /// Positions that the network alone evaluates per second of CPU time, in batches of the same size.
    pub network_per_cpu_second: f64,
    /// The first as a share of the second.
    pub ratio: f64,
}

/// The speed of reading a data set of positions.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ReadingSpeed {
    /// The file.
    pub set: String,
    /// Its positions.
    pub positions: u64,
    /// Entries that are read and unpacked per second of CPU time.
    pub per_cpu_second: f64,
    /// The same with the input planes of a network.
    pub with_planes_per_cpu_second: f64,
}

/// What can be measured for a game.
pub struct NetworkBenches<G: Playable> {
    search: fn(&SearchBench, EngineConstructor<G>, Context<'_>) -> Result<SearchSpeed, JobError>,
    reading: fn(&Path, Duration, Context<'_>) -> Result<ReadingSpeed, JobError>,
}

impl<G: Playable + PositionGame> NetworkBenches<G> {
    pub(crate) const OF_GAME: NetworkBenches<G> =
        NetworkBenches { search: search_speed::<G>, reading: reading_speed::<G> };
}

impl<G: Playable> Clone for NetworkBenches<G> {
    fn clone(&self) -> NetworkBenches<G> {
        *self
    }
}

impl<G: Playable> Copy for NetworkBenches<G> {}

/// Measurements of networks of a game.
pub trait NetworkBenchApi {
    /// Measures a search with a network of this game.
    ///
    /// # Errors
    /// The file is no network of the game, or the work was cancelled.
    fn bench_search(&self, request: &SearchBench, context: Context<'_>) -> Result<SearchSpeed, Error>;

    /// Measures how fast a data set of this game is read.
    ///
    /// # Errors
    /// The set is damaged, or the work was cancelled.
    fn bench_reading(&self, set: &Path, time: Duration, context: Context<'_>) -> Result<ReadingSpeed, Error>;
}

impl<G: Playable> Registration<G> {
    fn benches(&self) -> Result<NetworkBenches<G>, Error> {
        self.network_benches.ok_or_else(|| Error::invalid(format!("{} has no encoding for networks", G::NAME)))
    }
}

impl<G: Playable> NetworkBenchApi for Registration<G> {
    fn bench_search(&self, request: &SearchBench, context: Context<'_>) -> Result<SearchSpeed, Error> {
        Ok((self.benches()?.search)(request, self.engines.make, context)?)
    }

    fn bench_reading(&self, set: &Path, time: Duration, context: Context<'_>) -> Result<ReadingSpeed, Error> {
        Ok((self.benches()?.reading)(set, time, context)?)
    }
}

impl Registry {
    /// Measures a search with a network. Its file tells the game.
    ///
    /// # Errors
    /// The file is damaged or belongs to no game, or the work was cancelled.
    pub fn bench_search(&self, request: &SearchBench, context: Context<'_>) -> Result<SearchSpeed, Error> {
        let info = self.show_network(&request.file)?;
        let game: Option<&GameHandle> = info.games.first().and_then(|name| self.game(name).ok());
        let unknown = || Error::invalid(format!("{}: no game here has its encoding", request.file.display()));
        game.ok_or_else(unknown)?.bench_search(request, context)
    }

    /// Measures how fast a data set of positions is read.
    ///
    /// # Errors
    /// The file is no data set of positions or damaged, or the work was cancelled.
    pub fn bench_reading(&self, set: &Path, time: Duration, context: Context<'_>) -> Result<ReadingSpeed, Error> {
        let unknown = || {
            Error::invalid(format!(
                "{} is not a data set of positions: give one made by `tesuji train data` or `tesuji selfplay`",
                set.display()
            ))
        };
        let game = crate::positions::position_set_game(set).ok_or_else(unknown)?;
        self.game(&game)?.bench_reading(set, time, context)
    }
}

fn cancelled() -> JobError {
    JobError::Cancelled("interrupted".to_owned())
}

fn rate(count: u64, seconds: f64) -> f64 {
    (count as f64 / seconds.max(1e-9) * 10.0).round() / 10.0
}

/// Games of random moves, one for each number of plies.
fn records<G: Game>() -> Vec<Record<G>> {
    let play = |plies: usize| {
        let (mut record, mut random) = (Record::new(G::start()), Random::new(1 + plies as u64));
        for _ in 0..plies {
            let mut list = G::Moves::default();
            record.now().clone().moves(&mut list);
            let place = (random.bits() % list.len().max(1) as u64) as usize;
            if list.each().nth(place).is_none_or(|mv| record.push(mv).is_err()) {
                break;
            }
        }
        record
    };
    PLIES.into_iter().map(play).filter(|record| record.ending().is_none()).collect()
}

/// Slices of the search and of the network in turn, so that other work on the machine hits both.
fn search_speed<G: Playable + PositionGame>(
    request: &SearchBench,
    make: EngineConstructor<G>,
    context: Context<'_>,
) -> Result<SearchSpeed, JobError> {
    let wrong = |error: &dyn std::fmt::Display| JobError::Input(format!("{}: {error}", request.file.display()));
    let network = load_network::<G>(&request.file).map_err(|error| wrong(&error))?;
    let file = request.file.display().to_string();
    let settings = [("net", file), ("batch", request.batch.to_string()), ("threads", "1".to_owned())];
    let settings = settings.map(|(key, value)| (key.to_owned(), value)).into();
    let mut engine = make(&Spec { name: "puct".to_owned(), settings }).map_err(JobError::input)?;
    let bytes = std::fs::read(&request.file).map_err(|error| wrong(&error))?;
    let read = tesuji_engines::network::read_network::<G>(&request.file, &bytes).map_err(|error| wrong(&error))?;
    let mut evaluator = Evaluator::new(&read.file.network, 1);
    let mut random = Random::new(1);
    let words = request.batch * encoding_of::<G>().words();
    let planes: Vec<u64> = (0..words).map(|_| random.bits() & random.bits() & random.bits()).collect();
    let (records, mut evaluation) = (records::<G>(), Evaluation::default());
    let mut speed = SearchSpeed { batch: request.batch, ..SearchSpeed::default() };
    let (mut search_seconds, mut network_seconds, mut alone) = (0.0, 0.0, 0);
    let begun = Instant::now();
    let mut slices = records.iter().cycle();
    while speed.evaluated == 0 || begun.elapsed() < request.time {
        if context.is_cancelled() {
            return Err(cancelled());
        }
        let Some(record) = slices.next() else { break };
        // A search of some thousand playouts: the tree is large enough for full batches. Two lines keep the mate search
        // of shogi, which is not the network's, out of it.
        let limits = Limits { nodes: Some(200 * request.batch.max(8) as u64), lines: 2, ..Limits::default() };
        engine.forget();
        let (before, cpu) = (network.evaluated(), ProcessTime::now());
        let mut playouts = 0;
        engine.think(record, &limits, context.cancel, &mut |report| playouts = report.nodes);
        search_seconds += cpu.elapsed().as_secs_f64();
        speed.playouts += playouts;
        let evaluated = network.evaluated() - before;
        speed.evaluated += evaluated;
        let cpu = ProcessTime::now();
        let mut count = 0;
        while count < evaluated {
            evaluator.evaluate_into(Planes::Bits(&planes), request.batch, &mut evaluation);
            count += request.batch as u64;
        }
        network_seconds += cpu.elapsed().as_secs_f64();
        alone += count;
    }
    speed.search_per_cpu_second = rate(speed.evaluated, search_seconds);
    speed.network_per_cpu_second = rate(alone, network_seconds);
    speed.ratio = (1000.0 * speed.search_per_cpu_second / speed.network_per_cpu_second.max(1e-9)).round() / 1000.0;
    Ok(speed)
}

fn reading_speed<G: Playable + PositionGame>(
    path: &Path,
    time: Duration,
    context: Context<'_>,
) -> Result<ReadingSpeed, JobError> {
    let set = PositionSet::<G>::open(path).map_err(JobError::input)?;
    if set.is_empty() {
        return Err(JobError::Input(format!("{}: there is no position in it", path.display())));
    }
    let mut words = vec![0; encoding_of::<G>().words()];
    // The first pass checks the blocks, which later ones need not.
    set.for_each(|_, _| {}).map_err(JobError::input)?;
    let mut measure = |planes: bool| {
        let (begun, cpu, mut count, mut sum) = (Instant::now(), ProcessTime::now(), 0_u64, 0_u64);
        while count == 0 || begun.elapsed() < time {
            let read = set.for_each(|_, entry| {
                if planes {
                    plane_words(&entry.position, &mut words);
                    sum = sum.wrapping_add(words[0]);
                }
                sum = sum.wrapping_add(u64::from(entry.label.unwrap_or(0)));
                count += 1;
            });
            read.map_err(JobError::input)?;
            if context.is_cancelled() {
                return Err(cancelled());
            }
        }
        std::hint::black_box(sum);
        Ok(rate(count, cpu.elapsed().as_secs_f64()))
    };
    Ok(ReadingSpeed {
        set: path.display().to_string(),
        positions: set.len() as u64,
        per_cpu_second: measure(false)?,
        with_planes_per_cpu_second: measure(true)?,
    })
}
