//! The journal of a tournament: a header that identifies it, then one line per game, on disk before it counts. Nothing
//! else is stored; every figure is recomputed from here.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tesuji_store::{Journal, StoreError, journal, save};
use thiserror::Error;

use crate::config::{ConfigError, TournamentConfig};
use crate::journal_entry::{FailureEntry, GameEntry, JournalHeader, JournalLine, OLD_SCHEMA, SCHEMA};
use crate::schedule::{EventSchedule, Results};

/// The kind of the journal in the store.
const KIND: &str = "tournament";
/// The journal in the folder of a tournament.
pub const JOURNAL: &str = "journal.txt";
/// The settings in the folder of a tournament.
pub const CONFIG: &str = "tournament.toml";

/// Why the folder of a tournament cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// A file cannot be written or read, or is damaged.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A folder cannot be created, or a file cannot be read.
    #[error("{}: {source}", path.display())]
    Io {
        /// Its path.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// The configuration is invalid.
    #[error("{}: {error}", path.display())]
    Config {
        /// Its path.
        path: PathBuf,
        /// The cause.
        error: ConfigError,
    },
    /// A line that does not belong to this tournament.
    #[error("{}, line {line}: {what}", path.display())]
    Line {
        /// The journal.
        path: PathBuf,
        /// The line number, from 1.
        line: usize,
        /// The reason.
        what: String,
    },
    /// The tournament has changed since the journal was started.
    #[error("{}: this is another tournament now: {what}. Undo that, or start in another folder", path.display())]
    Changed {
        /// The journal.
        path: PathBuf,
        /// The first difference.
        what: String,
    },
    /// The folder holds no tournament.
    #[error("{}: no tournament began here", path.display())]
    Nothing {
        /// The missing or empty journal.
        path: PathBuf,
    },
}

/// The games of a tournament so far, and the file they are stored in.
#[derive(Debug)]
pub struct TournamentJournal {
    file: Option<Journal>,
    games: Vec<BTreeMap<usize, GameEntry>>,
    results: Vec<Results>,
    failures: Vec<FailureEntry>,
    torn: bool,
}

/// A stored tournament, read-only.
#[derive(Debug)]
pub struct SavedTournament {
    /// Its configuration.
    pub config: TournamentConfig,
    /// Everything its games depend on.
    pub header: JournalHeader,
    /// Its games.
    pub journal: TournamentJournal,
}

impl TournamentJournal {
    /// A journal that is not stored.
    pub fn in_memory(config: &TournamentConfig) -> TournamentJournal {
        let events = config.events.len();
        TournamentJournal {
            file: None,
            games: vec![BTreeMap::new(); events],
            results: vec![Results::new(); events],
            failures: Vec::new(),
            torn: false,
        }
    }

    /// Starts the journal in a folder.
    pub fn create(
        folder: &Path,
        config: &TournamentConfig,
        facts: Vec<(String, String)>,
    ) -> Result<TournamentJournal, JournalError> {
        let io = |path: &Path, source| JournalError::Io { path: path.to_owned(), source };
        std::fs::create_dir_all(folder).map_err(|source| io(folder, source))?;
        let path = folder.join(JOURNAL);
        if path.exists() {
            return Err(StoreError::Exists { path }.into());
        }
        // The configuration first: a journal without it cannot be resumed.
        save(folder.join(CONFIG), config.print().as_bytes())?;
        let mut file = Journal::create(path, KIND)?;
        file.append(&JournalLine::Tournament(header(config, facts)).print())?;
        Ok(TournamentJournal { file: Some(file), ..TournamentJournal::in_memory(config) })
    }

    /// The configuration of the tournament in a folder.
    pub fn config(folder: &Path) -> Result<TournamentConfig, JournalError> {
        let path = folder.join(CONFIG);
        if !path.exists() {
            return Err(JournalError::Nothing { path });
        }
        let text = std::fs::read_to_string(&path).map_err(|source| JournalError::Io { path: path.clone(), source })?;
        TournamentConfig::parse(&text).map_err(|error| JournalError::Config { path, error })
    }

    /// Resumes a tournament if its facts are still the same.
    pub fn open(
        folder: &Path,
        config: &TournamentConfig,
        facts: Vec<(String, String)>,
    ) -> Result<TournamentJournal, JournalError> {
        let path = folder.join(JOURNAL);
        let now = header(config, facts);
        if !path.exists() {
            // Interrupted after the configuration was written.
            return TournamentJournal::create(folder, config, now.facts);
        }
        let (mut file, lines) = Journal::open(&path, KIND)?;
        let mut journal = TournamentJournal::in_memory(config);
        journal.torn = file.mended();
        match lines.first() {
            // Interrupted before the header was written.
            None => file.append(&JournalLine::Tournament(now).print())?,
            Some(line) => {
                let then = read_header(&path, line, &[SCHEMA])?;
                if let Some(what) = difference(&then.facts, &now.facts) {
                    return Err(JournalError::Changed { path, what });
                }
                journal.load(&path, config, &lines)?;
            }
        }
        journal.file = Some(file);
        Ok(journal)
    }

    /// Reads every line after the header and rejects those that do not belong to this tournament.
    fn load(&mut self, path: &Path, config: &TournamentConfig, lines: &[String]) -> Result<(), JournalError> {
        // The header of the file is line 1, that of the tournament line 2.
        for (index, text) in lines.iter().enumerate().skip(1) {
            let wrong = |what: String| JournalError::Line { path: path.to_owned(), line: index + 2, what };
            match JournalLine::parse(text).map_err(wrong)? {
                JournalLine::Tournament(_) => return Err(wrong("a second header".to_owned())),
                JournalLine::Failure(failure) => self.failures.push(failure),
                JournalLine::Game(game) => {
                    let known = self
                        .games
                        .get(game.event)
                        .ok_or_else(|| wrong(format!("there is no event {}", game.event + 1)))?;
                    if known.contains_key(&game.number) {
                        return Err(wrong(format!("game {} is there a second time", game.number + 1)));
                    }
                    self.insert(*game);
                }
            }
        }
        self.check(path, config)
    }

    /// Checks that every game is in the schedule, with the right players.
    fn check(&self, path: &Path, config: &TournamentConfig) -> Result<(), JournalError> {
        for ((event, games), results) in config.events.iter().zip(&self.games).zip(&self.results) {
            let schedule = EventSchedule::new(event);
            for (&number, game) in games {
                let name = |player: usize| event.players.get(player).map(|entrant| entrant.name.as_str());
                let scheduled = schedule.game(number, results);
                let fits = scheduled.is_some_and(|scheduled| {
                    let players = scheduled.players.map(name);
                    players == [Some(game.first.as_str()), Some(game.second.as_str())]
                        && (scheduled.opening, scheduled.round) == (game.opening, game.round)
                });
                if !fits {
                    let what = format!(
                        "game {} of {}, {} against {}, is not in the schedule",
                        number + 1,
                        event.game,
                        game.first,
                        game.second
                    );
                    return Err(JournalError::Changed { path: path.to_owned(), what });
                }
            }
        }
        Ok(())
    }

    fn insert(&mut self, game: GameEntry) {
        if let (Some(games), Some(results)) = (self.games.get_mut(game.event), self.results.get_mut(game.event)) {
            results.insert(game.number, game.result);
            games.insert(game.number, game);
        }
    }

    /// Adds a game. It is on disk when this returns.
    pub fn add(&mut self, game: GameEntry) -> Result<(), JournalError> {
        let line = JournalLine::Game(Box::new(game.clone())).print();
        self.add_line(&line, game)
    }

    /// Adds a game with its line as it was written first: numbers that are read and written again may change.
    pub(crate) fn add_line(&mut self, line: &str, game: GameEntry) -> Result<(), JournalError> {
        if let Some(journal) = &mut self.file {
            journal.append(line)?;
        }
        self.insert(game);
        Ok(())
    }

    /// Adds a game that could not start.
    pub fn add_failure(&mut self, failure: FailureEntry) -> Result<(), JournalError> {
        if let Some(journal) = &mut self.file {
            journal.append(&JournalLine::Failure(failure.clone()).print())?;
        }
        self.failures.push(failure);
        Ok(())
    }

    /// The games of an event by number.
    pub fn games(&self, event: usize) -> &BTreeMap<usize, GameEntry> {
        static NONE: BTreeMap<usize, GameEntry> = BTreeMap::new();
        self.games.get(event).unwrap_or(&NONE)
    }

    /// The results of an event by game number.
    pub fn results(&self, event: usize) -> &Results {
        static NONE: Results = Results::new();
        self.results.get(event).unwrap_or(&NONE)
    }

    /// Every game of the tournament, event by event.
    pub fn all(&self) -> impl Iterator<Item = &GameEntry> {
        self.games.iter().flat_map(BTreeMap::values)
    }

    /// Games that could not start.
    pub fn failures(&self) -> &[FailureEntry] {
        &self.failures
    }

    /// Whether the journal ended with an incomplete line, which was dropped.
    pub fn torn(&self) -> bool {
        self.torn
    }
}

impl SavedTournament {
    /// Reads a journal, or that of a folder, also while it is being written.
    pub fn read(path: &Path) -> Result<SavedTournament, JournalError> {
        let path = if path.is_dir() { path.join(JOURNAL) } else { path.to_owned() };
        let reading = journal::read(&path, KIND)?;
        let Some(first) = reading.lines.first() else { return Err(JournalError::Nothing { path }) };
        // Results, times and faults have not changed; the values of an old journal are not used.
        let header = read_header(&path, first, &[SCHEMA, OLD_SCHEMA])?;
        let config = TournamentConfig::parse(&header.config)
            .map_err(|error| JournalError::Config { path: path.clone(), error })?;
        let mut journal = TournamentJournal::in_memory(&config);
        journal.torn = reading.torn;
        journal.load(&path, &config, &reading.lines)?;
        Ok(SavedTournament { config, header, journal })
    }
}

fn header(config: &TournamentConfig, facts: Vec<(String, String)>) -> JournalHeader {
    JournalHeader {
        schema: SCHEMA.to_owned(),
        id: id(&facts),
        name: config.name.clone(),
        config: config.print(),
        facts,
    }
}

/// The header of a journal, which must be of one of these versions.
fn read_header(path: &Path, line: &str, versions: &[&str]) -> Result<JournalHeader, JournalError> {
    let wrong = |what: String| JournalError::Line { path: path.to_owned(), line: 2, what };
    match JournalLine::parse(line).map_err(wrong)? {
        JournalLine::Tournament(header) if versions.contains(&header.schema.as_str()) => Ok(header),
        JournalLine::Tournament(header) => {
            Err(wrong(format!("written as {:?}; this program writes {SCHEMA:?}", header.schema)))
        }
        _ => Err(wrong("the tournament should be named here".to_owned())),
    }
}

/// FNV-1a. It detects accidental changes, not malice.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The checksum of facts as 16 digits.
fn id(facts: &[(String, String)]) -> String {
    let text: String = facts.iter().map(|(key, value)| format!("{key}\0{value}\0")).collect();
    format!("{:016x}", checksum(text.as_bytes()))
}

/// Describes the first fact that differs.
fn difference(then: &[(String, String)], now: &[(String, String)]) -> Option<String> {
    let of = |facts: &[(String, String)], key: &str| {
        facts.iter().find(|(known, _)| known == key).map(|(_, value)| value.clone())
    };
    let keys = then.iter().chain(now).map(|(key, _)| key);
    for key in keys {
        let words = match (of(then, key), of(now, key)) {
            (then, now) if then == now => continue,
            (Some(then), Some(now)) => format!("{key} was {then:?} when it began and is {now:?} now"),
            (Some(then), None) => format!("{key} was {then:?} when it began and is not set now"),
            (None, Some(now)) => format!("{key} was not set when it began and is {now:?} now"),
            (None, None) => continue,
        };
        return Some(words);
    }
    // The same facts in another order.
    (then != now).then(|| "the settings are in another order".to_owned())
}
