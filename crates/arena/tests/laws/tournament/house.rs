//! What the laws of tournaments share: folders that vanish, and the games as the command line would offer them.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use tesuji_arena::{Archive, Config, EventError, EventRunner, GameSettings, Playing, Tournament};
use tesuji_engines::EngineFactory;
use tesuji_game::Margin;
use tesuji_ostle::Ostle;
use tesuji_othello::Othello;
use tesuji_search::CancelToken;
use tesuji_shogi::Shogi;
use tesuji_trax::{Trax, Unlimited};

/// A folder that is gone when the test is.
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
    GameSettings { margin: Some(Othello::margin), ..GameSettings::new(EngineFactory::of_game(), &[]) }
}

pub(super) fn stages(config: &Config, index: usize) -> Result<Box<dyn EventRunner>, EventError> {
    match config.events[index].game.as_str() {
        "othello" => Ok(Box::new(Playing::new(config, index, othello())?)),
        "ostle" => {
            let house = GameSettings::<Ostle> {
                longest: Some(400),
                ..GameSettings::new(EngineFactory::of_game(), &[])
            };
            Ok(Box::new(Playing::new(config, index, house)?))
        }
        "trax" => {
            let house = GameSettings::<Trax<Unlimited>> {
                longest: Some(255),
                ..GameSettings::new(EngineFactory::of_game(), &[])
            };
            Ok(Box::new(Playing::new(config, index, house)?))
        }
        "shogi" => {
            let house = GameSettings::<Shogi> {
                longest: Some(512),
                ..GameSettings::new(EngineFactory::of_game(), &[])
            };
            Ok(Box::new(Playing::new(config, index, house)?))
        }
        other => Err(EventError::Other(format!("no game {other}"))),
    }
}

pub(super) fn config(text: &str) -> Config {
    Config::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Plays everything in memory.
pub(super) fn played(text: &str) -> Tournament {
    let mut tournament = Tournament::in_memory(config(text), &stages).expect("it can be set up");
    tournament.run(2, &CancelToken::new(), &mut |_| {}).expect("it can be played");
    tournament
}

/// What must not depend on timing: every game with its moves and its result.
pub(super) fn table(archive: &Archive) -> Vec<String> {
    archive.ledger.all().map(essence).collect()
}

/// A game without its times.
pub(super) fn essence(game: &tesuji_arena::GameLine) -> String {
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
