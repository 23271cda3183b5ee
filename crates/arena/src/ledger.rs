//! The journal of a tournament: the header that says which one it is, then one line per game, on the disk
//! before it counts. Nothing else is stored; every figure is counted anew from here.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tesuji_store::{Journal, StoreError, journal, save};
use thiserror::Error;

use crate::agenda::{Agenda, Results};
use crate::config::{Config, ConfigError};
use crate::facts::{difference, id};
use crate::line::{FailureLine, GameLine, Header, Line, SCHEMA};

/// What the store knows the journal as.
const KIND: &str = "tournament";
/// The journal in the folder of a tournament.
pub const JOURNAL: &str = "journal.txt";
/// The settings in the folder of a tournament.
pub const CONFIG: &str = "tournament.toml";

/// What can be wrong with the folder of a tournament.
#[derive(Debug, Error)]
pub enum LedgerError {
    /// A file cannot be written, read or believed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A folder cannot be made, or a file not read.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which one.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The settings make no sense.
    #[error("{}: {error}", path.display())]
    Config {
        /// Where they stand.
        path: PathBuf,
        /// What is wrong.
        error: ConfigError,
    },
    /// A line that no run of this tournament can have written.
    #[error("{}, line {line}: {what}", path.display())]
    Line {
        /// The journal.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// The journal is of another tournament.
    #[error("{}: this is another tournament now: {what}. Undo that, or begin anew in another folder", path.display())]
    Changed {
        /// The journal.
        path: PathBuf,
        /// The first difference.
        what: String,
    },
    /// The folder holds no tournament.
    #[error("{}: no tournament began here", path.display())]
    Nothing {
        /// The journal that is not there, or empty.
        path: PathBuf,
    },
}

/// The games of a tournament so far.
#[derive(Debug)]
pub struct Ledger {
    journal: Option<Journal>,
    games: Vec<BTreeMap<usize, GameLine>>,
    results: Vec<Results>,
    failures: Vec<FailureLine>,
    torn: bool,
}

/// A tournament as it was read, to be looked at and not to be gone on with.
#[derive(Debug)]
pub struct Archive {
    /// Its settings.
    pub config: Config,
    /// Everything its games depend on.
    pub header: Header,
    /// Its games.
    pub ledger: Ledger,
}

impl Ledger {
    /// Keeps games in memory only.
    pub fn in_memory(config: &Config) -> Ledger {
        let events = config.events.len();
        Ledger {
            journal: None,
            games: vec![BTreeMap::new(); events],
            results: vec![Results::new(); events],
            failures: Vec::new(),
            torn: false,
        }
    }

    /// Begins a tournament in a folder.
    pub fn create(
        folder: &Path,
        config: &Config,
        facts: Vec<(String, String)>,
    ) -> Result<Ledger, LedgerError> {
        let io = |path: &Path, source| LedgerError::Io { path: path.to_owned(), source };
        std::fs::create_dir_all(folder).map_err(|source| io(folder, source))?;
        let path = folder.join(JOURNAL);
        if path.exists() {
            return Err(StoreError::Exists { path }.into());
        }
        // The settings first: a journal without them could not be gone on with.
        save(folder.join(CONFIG), config.print().as_bytes())?;
        let mut journal = Journal::create(path, KIND)?;
        journal.append(&Line::Tournament(header(config, facts)).print())?;
        Ok(Ledger { journal: Some(journal), ..Ledger::in_memory(config) })
    }

    /// The settings of a tournament that began in a folder.
    pub fn config(folder: &Path) -> Result<Config, LedgerError> {
        let path = folder.join(CONFIG);
        if !path.exists() {
            return Err(LedgerError::Nothing { path });
        }
        let text = std::fs::read_to_string(&path)
            .map_err(|source| LedgerError::Io { path: path.clone(), source })?;
        Config::parse(&text).map_err(|error| LedgerError::Config { path, error })
    }

    /// Goes on with a tournament, if its facts are still the same.
    pub fn open(folder: &Path, config: &Config, facts: Vec<(String, String)>) -> Result<Ledger, LedgerError> {
        let path = folder.join(JOURNAL);
        let now = header(config, facts);
        if !path.exists() {
            // Killed after the settings were written.
            return Ledger::create(folder, config, now.facts);
        }
        let (mut journal, lines) = Journal::open(&path, KIND)?;
        let mut ledger = Ledger::in_memory(config);
        ledger.torn = journal.mended();
        match lines.first() {
            // Killed before anything was said.
            None => journal.append(&Line::Tournament(now).print())?,
            Some(line) => {
                let then = read_header(&path, line)?;
                if let Some(what) = difference(&then.facts, &now.facts) {
                    return Err(LedgerError::Changed { path, what });
                }
                ledger.take(&path, config, &lines)?;
            }
        }
        ledger.journal = Some(journal);
        Ok(ledger)
    }

    /// Every line after the header; none may be one that this tournament cannot have written.
    fn take(&mut self, path: &Path, config: &Config, lines: &[String]) -> Result<(), LedgerError> {
        // The header of the file is line 1, that of the tournament line 2.
        for (index, text) in lines.iter().enumerate().skip(1) {
            let wrong = |what: String| LedgerError::Line { path: path.to_owned(), line: index + 2, what };
            match Line::parse(text).map_err(wrong)? {
                Line::Tournament(_) => return Err(wrong("a second header".to_owned())),
                Line::Failure(failure) => self.failures.push(failure),
                Line::Game(game) => {
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

    /// Whether every game is one of the schedule, with the right players.
    fn check(&self, path: &Path, config: &Config) -> Result<(), LedgerError> {
        for ((event, games), results) in config.events.iter().zip(&self.games).zip(&self.results) {
            let agenda = Agenda::new(event);
            for (&number, game) in games {
                let name = |player: usize| event.players.get(player).map(|entrant| entrant.name.as_str());
                let fixture = agenda.game(number, results);
                let fits = fixture.is_some_and(|fixture| {
                    let players = fixture.players.map(name);
                    players == [Some(game.first.as_str()), Some(game.second.as_str())]
                        && (fixture.opening, fixture.round) == (game.opening, game.round)
                });
                if !fits {
                    let what = format!(
                        "game {} of {}, {} against {}, is not in the schedule",
                        number + 1,
                        event.game,
                        game.first,
                        game.second
                    );
                    return Err(LedgerError::Changed { path: path.to_owned(), what });
                }
            }
        }
        Ok(())
    }

    fn insert(&mut self, game: GameLine) {
        if let (Some(games), Some(results)) =
            (self.games.get_mut(game.event), self.results.get_mut(game.event))
        {
            results.insert(game.number, game.result);
            games.insert(game.number, game);
        }
    }

    /// Adds a game; when this returns, it is never lost.
    pub fn add(&mut self, game: GameLine) -> Result<(), LedgerError> {
        if let Some(journal) = &mut self.journal {
            journal.append(&Line::Game(Box::new(game.clone())).print())?;
        }
        self.insert(game);
        Ok(())
    }

    /// Adds that a game could not begin.
    pub fn fail(&mut self, failure: FailureLine) -> Result<(), LedgerError> {
        if let Some(journal) = &mut self.journal {
            journal.append(&Line::Failure(failure.clone()).print())?;
        }
        self.failures.push(failure);
        Ok(())
    }

    /// The games of an event by their numbers.
    pub fn games(&self, event: usize) -> &BTreeMap<usize, GameLine> {
        static NONE: BTreeMap<usize, GameLine> = BTreeMap::new();
        self.games.get(event).unwrap_or(&NONE)
    }

    /// The results of an event by the numbers of the games.
    pub fn results(&self, event: usize) -> &Results {
        static NONE: Results = Results::new();
        self.results.get(event).unwrap_or(&NONE)
    }

    /// Every game of the tournament, event by event.
    pub fn all(&self) -> impl Iterator<Item = &GameLine> {
        self.games.iter().flat_map(BTreeMap::values)
    }

    /// EngineFactory that did not start.
    pub fn failures(&self) -> &[FailureLine] {
        &self.failures
    }

    /// Whether the journal ended in the middle of a line, which did not count and was dropped.
    pub fn torn(&self) -> bool {
        self.torn
    }
}

impl Archive {
    /// Reads a journal, or that of a folder, also while it is being written.
    pub fn read(path: &Path) -> Result<Archive, LedgerError> {
        let path = if path.is_dir() { path.join(JOURNAL) } else { path.to_owned() };
        let reading = journal::read(&path, KIND)?;
        let Some(first) = reading.lines.first() else { return Err(LedgerError::Nothing { path }) };
        let header = read_header(&path, first)?;
        let config = Config::parse(&header.config)
            .map_err(|error| LedgerError::Config { path: path.clone(), error })?;
        let mut ledger = Ledger::in_memory(&config);
        ledger.torn = reading.torn;
        ledger.take(&path, &config, &reading.lines)?;
        Ok(Archive { config, header, ledger })
    }
}

fn header(config: &Config, facts: Vec<(String, String)>) -> Header {
    Header {
        schema: SCHEMA.to_owned(),
        id: id(&facts),
        name: config.name.clone(),
        config: config.print(),
        facts,
    }
}

fn read_header(path: &Path, line: &str) -> Result<Header, LedgerError> {
    let wrong = |what: String| LedgerError::Line { path: path.to_owned(), line: 2, what };
    match Line::parse(line).map_err(wrong)? {
        Line::Tournament(header) if header.schema == SCHEMA => Ok(header),
        Line::Tournament(header) => {
            Err(wrong(format!("written as {:?}; this program reads {SCHEMA:?}", header.schema)))
        }
        _ => Err(wrong("the tournament should be named here".to_owned())),
    }
}
