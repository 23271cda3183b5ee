//! Openings: from a file, or random ones that a shallow search finds fair. The same seed gives the same openings.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use tesuji_game::{Formats, Game, MoveList, Notation, Record};
use tesuji_search::{CancelToken, Engine, Limits, Rng, Value};
use thiserror::Error;

/// Random openings that are tried for the next fair one.
const MAX_TRIES: usize = 2000;

/// Why there is no opening.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OpeningError {
    /// No further random opening was found.
    #[error("there seem to be no more than {found} fair openings of {plies} plies: use more plies or a wider bound")]
    Exhausted {
        /// Openings found.
        found: usize,
        /// Their plies.
        plies: usize,
    },
    /// An opening of the file is invalid.
    #[error("opening {number} of the file: {message}")]
    File {
        /// Its number, from 1.
        number: usize,
        /// The reason.
        message: String,
    },
    /// The file is empty.
    #[error("the file holds no opening")]
    Empty,
}

/// Accepts openings that are about even.
pub struct FairnessFilter<G: Game> {
    /// Evaluates the position; its spec sets the limits.
    pub engine: Box<dyn Engine<G>>,
    /// The largest absolute value, in steps of the evaluation; without a bound only openings with a proven winner are
    /// rejected.
    pub bound: Option<i16>,
}

impl<G: Game> FairnessFilter<G> {
    fn accepts(&mut self, record: &Record<G>) -> bool {
        let mut value = Value::DRAW;
        self.engine.forget();
        self.engine.think(record, &Limits::default(), &CancelToken::new(), &mut |report| {
            value = report.lines.first().map_or(value, |line| line.value);
        });
        !value.is_proven() && self.bound.is_none_or(|bound| value.get().abs() <= bound)
    }
}

/// The openings of an event, by number.
pub struct Openings<G: Game>(OpeningSource<G>);

enum OpeningSource<G: Game> {
    // A record need not be `Sync`, so it needs a lock.
    Fixed(Mutex<Vec<Record<G>>>),
    Drawn { plies: usize, random: Mutex<RandomOpeningSource<G>> },
}

struct RandomOpeningSource<G: Game> {
    rng: Rng,
    fair: Option<FairnessFilter<G>>,
    drawn: Vec<Record<G>>,
    /// Positions that were drawn or rejected; transpositions would give the same games, and are judged once.
    seen: HashSet<u64>,
    /// No further one was found.
    exhausted: bool,
}

impl<G: Game> Openings<G> {
    /// Every game begins at the start position.
    pub fn start() -> Openings<G> {
        Openings(OpeningSource::Fixed(Mutex::new(vec![Record::new(G::start())])))
    }

    /// Openings of random plies that pass the filter.
    pub fn random(plies: usize, seed: u64, fair: Option<FairnessFilter<G>>) -> Openings<G> {
        if plies == 0 {
            return Openings::start();
        }
        let random = RandomOpeningSource {
            rng: Rng::new(seed),
            fair,
            drawn: Vec::new(),
            seen: HashSet::new(),
            exhausted: false,
        };
        Openings(OpeningSource::Drawn { plies, random: Mutex::new(random) })
    }

    /// Their number, if it is known.
    pub fn count(&self) -> Option<usize> {
        match &self.0 {
            OpeningSource::Fixed(records) => Some(records.lock().unwrap_or_else(PoisonError::into_inner).len()),
            OpeningSource::Drawn { .. } => None,
        }
    }

    /// The opening of this number; the openings of a file repeat.
    pub fn get(&self, number: usize) -> Result<Record<G>, OpeningError> {
        match &self.0 {
            OpeningSource::Fixed(records) => {
                let records = records.lock().unwrap_or_else(PoisonError::into_inner);
                records.get(number % records.len().max(1)).cloned().ok_or(OpeningError::Empty)
            }
            OpeningSource::Drawn { plies, random } => {
                let mut random = random.lock().unwrap_or_else(PoisonError::into_inner);
                while random.drawn.len() <= number {
                    random.next(*plies)?;
                }
                Ok(random.drawn[number].clone())
            }
        }
    }
}

impl<G: Formats> Openings<G> {
    /// The openings of a file: records in any format of the game, or positions, one per line. `plies` truncates them, a
    /// seed shuffles them.
    pub fn read(bytes: &[u8], plies: Option<usize>, shuffle: Option<u64>) -> Result<Openings<G>, OpeningError> {
        let records = positions::<G>(bytes).map_or_else(|| records::<G>(bytes), Ok)?;
        let mut openings = Vec::new();
        for (index, record) in records.into_iter().enumerate() {
            let wrong = |message: &str| OpeningError::File { number: index + 1, message: message.to_owned() };
            let mut opening = Record::with_rules(record.start().clone(), record.path().rules.clone());
            for mv in record.moves().take(plies.unwrap_or(usize::MAX)) {
                opening.push(mv).map_err(|refusal| wrong(&refusal.to_string()))?;
            }
            if opening.ending().is_some() {
                return Err(wrong("the game is over before it begins; truncate it with `plies`"));
            }
            openings.push(opening);
        }
        if openings.is_empty() {
            return Err(OpeningError::Empty);
        }
        if let Some(seed) = shuffle {
            let mut rng = Rng::new(seed);
            for end in (1..openings.len()).rev() {
                openings.swap(end, rng.below(end + 1));
            }
        }
        Ok(Openings(OpeningSource::Fixed(Mutex::new(openings))))
    }
}

/// One position per line, if every line is one.
fn positions<G: Notation>(bytes: &[u8]) -> Option<Vec<Record<G>>> {
    let text = std::str::from_utf8(bytes).ok()?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| G::parse(line).ok().map(Record::new)).collect()
}

fn records<G: Formats>(bytes: &[u8]) -> Result<Vec<Record<G>>, OpeningError> {
    G::read(G::detect(bytes), bytes)
        .enumerate()
        .map(|(index, reading)| match reading.fault {
            None => Ok(reading.record),
            Some(fault) => Err(OpeningError::File { number: index + 1, message: fault.to_string() }),
        })
        .collect()
}

impl<G: Game> RandomOpeningSource<G> {
    fn next(&mut self, plies: usize) -> Result<(), OpeningError> {
        for _ in 0..if self.exhausted { 0 } else { MAX_TRIES } {
            let Some(record) = self.draw(plies) else { continue };
            if self.seen.insert(record.now().key()) && self.fair.as_mut().is_none_or(|fair| fair.accepts(&record)) {
                self.drawn.push(record);
                return Ok(());
            }
        }
        self.exhausted = true;
        Err(OpeningError::Exhausted { found: self.drawn.len(), plies })
    }

    /// Random plies; `None` if the game ends before.
    fn draw(&mut self, plies: usize) -> Option<Record<G>> {
        let mut record = Record::new(G::start());
        let mut list = G::Moves::default();
        for _ in 0..plies {
            record.now().clone().moves(&mut list);
            let mv = list.each().nth(self.rng.below(list.len().max(1)))?;
            record.push(mv).ok()?;
        }
        record.ending().is_none().then_some(record)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tesuji_search::{Bound, Choice, PvLine, ReportSource, SearchReport};
    use tesuji_trax::{Move, Trax, Unlimited};

    use super::*;

    /// Calls every second position lost, and counts the searches.
    struct HalfFair(Arc<AtomicUsize>);

    impl Engine<Trax<Unlimited>> for HalfFair {
        fn think(
            &mut self,
            record: &Record<Trax<Unlimited>>,
            _: &Limits,
            _: &CancelToken,
            watch: &mut dyn FnMut(&SearchReport<Move>),
        ) -> Choice<Move> {
            self.0.fetch_add(1, Ordering::Relaxed);
            let value = if record.now().key().is_multiple_of(2) { Value::DRAW } else { Value::loss(2) };
            let line = PvLine { value, bound: Bound::Exact, moves: Vec::new(), rate: None, prior: None, solved: false };
            watch(&SearchReport {
                depth: 1,
                seldepth: 1,
                nodes: 1,
                time: std::time::Duration::ZERO,
                hashfull: None,
                lines: vec![line],
                source: ReportSource::Search,
            });
            Choice::Over
        }
    }

    #[test]
    fn no_position_is_judged_twice_and_the_end_is_told() {
        let judged = Arc::new(AtomicUsize::new(0));
        let fair = FairnessFilter { engine: Box::new(HalfFair(judged.clone())), bound: None };
        let openings = Openings::random(2, 7, Some(fair));
        let error = (0..).find_map(|number| openings.get(number).err()).unwrap();
        // Twenty-four ways lead to fewer positions.
        let OpeningError::Exhausted { found, plies: 2 } = error.clone() else { panic!("{error:?}") };
        let searches = judged.load(Ordering::Relaxed);
        assert!((1..24).contains(&found) && (found + 1..=24).contains(&searches), "{found} of {searches}");
        // At once, without another search.
        assert_eq!(openings.get(1000).err(), Some(error));
        assert_eq!(judged.load(Ordering::Relaxed), searches);
        assert!(openings.get(found - 1).is_ok());
    }
}
