//! Shared setup of the tournament tests: temporary folders, event runners, finished tournaments.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use tesuji_arena::{
    EventError, EventRunner, GameRunner, GameSettings, SavedTournament, Tournament, TournamentConfig, TournamentError,
    TournamentJournal,
};
use tesuji_engines::{EngineFactory, HasEngines};
use tesuji_game::{BoardView, Formats, Margin};
use tesuji_ostle::Ostle;
use tesuji_othello::Othello;
use tesuji_search::CancelToken;
use tesuji_shogi::Shogi;
use tesuji_trax::{Trax, Unlimited};

/// A temporary folder, removed at the end of the test.
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn new() -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("tesuji-arena-{}-{count}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a temporary folder");
        Folder(path)
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    pub(super) fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub(super) fn othello() -> GameSettings<Othello> {
    GameSettings { final_score: Some(Othello::final_score), ..GameSettings::new(EngineFactory::of_game(), &[]) }
}

/// The runner of the event of this number.
fn runner(config: &TournamentConfig, index: usize) -> Result<Box<dyn EventRunner>, EventError> {
    fn of<G: Formats + BoardView + HasEngines>(longest: usize) -> GameSettings<G> {
        GameSettings { longest: Some(longest), ..GameSettings::new(EngineFactory::of_game(), &[]) }
    }
    Ok(match config.events[index].game.as_str() {
        "othello" => Box::new(GameRunner::new(config, index, othello())?),
        "ostle" => Box::new(GameRunner::new(config, index, of::<Ostle>(400))?),
        "trax" => Box::new(GameRunner::new(config, index, of::<Trax<Unlimited>>(255))?),
        "shogi" => Box::new(GameRunner::new(config, index, of::<Shogi>(512))?),
        other => return Err(EventError::Other(format!("no game {other}"))),
    })
}

/// The runners of all events.
pub(super) fn runners(config: &TournamentConfig) -> Result<Vec<Box<dyn EventRunner>>, TournamentError> {
    let one = |index| runner(config, index).map_err(|error| TournamentError::event(config, index, error));
    (0..config.events.len()).map(one).collect()
}

pub(super) fn in_memory(config: TournamentConfig) -> Result<Tournament, TournamentError> {
    let runners = runners(&config)?;
    Ok(Tournament::in_memory(config, runners))
}

pub(super) fn create(folder: &Path, config: TournamentConfig) -> Result<Tournament, TournamentError> {
    let runners = runners(&config)?;
    Tournament::create(folder, config, runners)
}

pub(super) fn open(folder: &Path) -> Result<Tournament, TournamentError> {
    let config = TournamentJournal::config(folder)?;
    let runners = runners(&config)?;
    Tournament::open(folder, config, runners)
}

pub(super) fn config(text: &str) -> TournamentConfig {
    TournamentConfig::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Plays everything in memory.
pub(super) fn played(text: &str) -> Tournament {
    let mut tournament = in_memory(config(text)).expect("it can be set up");
    tournament.run(2, &CancelToken::new(), &mut |_| {}).expect("it can be played");
    tournament
}

/// What must not depend on timing: every game with its moves and its result.
pub(super) fn table(archive: &SavedTournament) -> Vec<String> {
    archive.journal.all().map(essence).collect()
}

/// A game without its times.
pub(super) fn essence(game: &tesuji_arena::GameEntry) -> String {
    format!(
        "{} {} {} {} {:?} {} {} {:?} {:?} {:?}",
        game.event,
        game.number,
        game.first,
        game.second,
        game.result,
        game.reason,
        game.moves,
        game.values,
        game.nodes,
        game.margin
    )
}
