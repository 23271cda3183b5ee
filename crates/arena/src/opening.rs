//! Where games begin: openings of a file, or drawn by chance that repeats itself and found fair by a shallow
//! search. Each is played with both colours, whoever plays.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use tesuji_game::{Formats, Game, MoveList, Notation, Record};
use tesuji_search::{CancelToken, Engine, Limits, Rng, Value};
use thiserror::Error;

/// How often an opening is drawn anew before there seem to be no more.
const TRIES: usize = 2000;

/// Why there is no opening.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OpeningError {
    /// Chance found no further one.
    #[error(
        "there seem to be no more than {found} fair openings of {plies} plies: ask for more plies, or a wider bound"
    )]
    Exhausted {
        /// How many there are.
        found: usize,
        /// How long they are.
        plies: usize,
    },
    /// A file holds something else.
    #[error("opening {number} of the file: {message}")]
    File {
        /// Which one, from 1.
        number: usize,
        /// What is wrong with it.
        message: String,
    },
    /// A file holds nothing.
    #[error("the file holds no opening")]
    Empty,
}

/// Judges whether an opening gives both sides a game.
pub struct Fair<G: Game> {
    /// Looks at the position, for so much.
    pub engine: Box<dyn Engine<G>>,
    /// What the value may be for either side, in the unit of the evaluation; without a bound only openings
    /// with a proven winner are refused.
    pub bound: Option<i16>,
}

impl<G: Game> Fair<G> {
    fn accepts(&mut self, record: &Record<G>) -> bool {
        let mut value = Value::DRAW;
        self.engine.forget();
        self.engine.think(record, &Limits::default(), &CancelToken::new(), &mut |report| {
            value = report.lines.first().map_or(value, |line| line.value);
        });
        !value.is_proven() && self.bound.is_none_or(|bound| value.get().abs() <= bound)
    }
}

/// The openings of an event, by number. The same seed gives the same ones, however many are asked for.
pub struct Openings<G: Game>(Source<G>);

enum Source<G: Game> {
    // Behind a lock because a record holds a list of moves, which need not be shareable.
    Fixed(Mutex<Vec<Record<G>>>),
    Drawn { plies: usize, lottery: Mutex<Lottery<G>> },
}

struct Lottery<G: Game> {
    rng: Rng,
    fair: Option<Fair<G>>,
    drawn: Vec<Record<G>>,
    /// Different ways to the same position would give the same games.
    seen: HashSet<u64>,
}

impl<G: Game> Openings<G> {
    /// Every game begins at the usual start.
    pub fn start() -> Openings<G> {
        Openings(Source::Fixed(Mutex::new(vec![Record::new(G::start())])))
    }

    /// Openings of so many random plies, as `fair` likes them.
    pub fn random(plies: usize, seed: u64, fair: Option<Fair<G>>) -> Openings<G> {
        if plies == 0 {
            return Openings::start();
        }
        let lottery = Lottery { rng: Rng::new(seed), fair, drawn: Vec::new(), seen: HashSet::new() };
        Openings(Source::Drawn { plies, lottery: Mutex::new(lottery) })
    }

    /// How many there are, if that is known.
    pub fn count(&self) -> Option<usize> {
        match &self.0 {
            Source::Fixed(records) => Some(records.lock().unwrap_or_else(PoisonError::into_inner).len()),
            Source::Drawn { .. } => None,
        }
    }

    /// The opening of this number; a file begins again when it is used up.
    pub fn get(&self, number: usize) -> Result<Record<G>, OpeningError> {
        match &self.0 {
            Source::Fixed(records) => {
                let records = records.lock().unwrap_or_else(PoisonError::into_inner);
                records.get(number % records.len().max(1)).cloned().ok_or(OpeningError::Empty)
            }
            Source::Drawn { plies, lottery } => {
                let mut lottery = lottery.lock().unwrap_or_else(PoisonError::into_inner);
                while lottery.drawn.len() <= number {
                    lottery.next(*plies)?;
                }
                Ok(lottery.drawn[number].clone())
            }
        }
    }
}

impl<G: Formats> Openings<G> {
    /// The openings of a file: records in any format of the game, or positions, one per line; `plies` cuts
    /// longer ones, and a seed shuffles them.
    pub fn read(
        bytes: &[u8],
        plies: Option<usize>,
        shuffle: Option<u64>,
    ) -> Result<Openings<G>, OpeningError> {
        let records = positions::<G>(bytes).map_or_else(|| records::<G>(bytes), Ok)?;
        let mut openings = Vec::new();
        for (index, record) in records.into_iter().enumerate() {
            let wrong = |message: &str| OpeningError::File { number: index + 1, message: message.to_owned() };
            let mut opening = Record::with_rules(record.start().clone(), record.path().rules.clone());
            for mv in record.moves().take(plies.unwrap_or(usize::MAX)) {
                opening.push(mv).map_err(|refusal| wrong(&refusal.to_string()))?;
            }
            if opening.ending().is_some() {
                return Err(wrong("the game is over before it begins; cut it by `plies`"));
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
        Ok(Openings(Source::Fixed(Mutex::new(openings))))
    }
}

/// Every line a position, or none of this.
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

impl<G: Game> Lottery<G> {
    fn next(&mut self, plies: usize) -> Result<(), OpeningError> {
        for _ in 0..TRIES {
            let Some(record) = self.draw(plies) else { continue };
            if self.seen.contains(&record.now().key())
                || !self.fair.as_mut().is_none_or(|fair| fair.accepts(&record))
            {
                continue;
            }
            self.seen.insert(record.now().key());
            self.drawn.push(record);
            return Ok(());
        }
        Err(OpeningError::Exhausted { found: self.drawn.len(), plies })
    }

    /// Random plies; none when the game was over before.
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
