//! The kinds of engines that a spec can name, and their settings.

use crate::{Spec, SpecError};

/// A kind of engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EngineKind {
    /// Its name in a spec.
    pub name: &'static str,
    /// A short description.
    pub about: &'static str,
    /// Its settings.
    pub settings: &'static [EngineSetting],
}

/// A setting of an engine, for help texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EngineSetting {
    /// Its key.
    pub key: &'static str,
    /// What it does, and its default.
    pub about: &'static str,
}

pub(crate) const fn setting(key: &'static str, about: &'static str) -> EngineSetting {
    EngineSetting { key, about }
}

pub(crate) const TIME: EngineSetting =
    setting("time", "time per move, such as 250ms or 1s (default: the caller's limit)");
pub(crate) const THREADS: EngineSetting = setting("threads", "number of search threads (default 1)");
pub(crate) const DEPTH: EngineSetting = setting("depth", "search depth in plies (default: no limit)");
pub(crate) const NODES: EngineSetting = setting("nodes", "nodes to search (default: no limit)");
pub(crate) const HASH: EngineSetting = setting("hash", "transposition table in MiB (default 64)");
const SEED: EngineSetting = setting("seed", "random seed (default 0)");
const EVAL: EngineSetting = setting("eval", "evaluation of the game (default: its first)");
const PLAYOUTS: EngineSetting = setting("playouts", "number of playouts (default: no limit)");
const TREE: EngineSetting = setting("hash", "memory limit of the tree in MiB (default 256)");

/// The engine kinds of every game.
pub const KINDS: &[EngineKind] = &[
    EngineKind { name: "random", about: "plays a random legal move", settings: &[SEED] },
    EngineKind { name: "alphabeta", about: "alpha-beta search", settings: &[DEPTH, NODES, TIME, EVAL, HASH, THREADS] },
    EngineKind {
        name: "uct",
        about: "Monte-Carlo tree search with random playouts; the evaluation scores unfinished ones",
        settings: &[PLAYOUTS, TIME, EVAL, SEED, TREE, THREADS],
    },
    EngineKind {
        name: "puct",
        about: "Monte-Carlo tree search guided by the evaluation",
        settings: &[PLAYOUTS, TIME, EVAL, SEED, TREE, THREADS],
    },
];

/// The tablebase player of a solved game. All settings but the first three are those of the search behind it.
pub const TABLE: EngineKind = EngineKind {
    name: "table",
    about: "plays perfectly from the tablebase of the solved game, which `tesuji solve` makes",
    settings: &[
        setting("dir", "folder of the tablebase (default: tables in the data folder of this program)"),
        setting("seed", "chooses between equally good moves (default 0: the first)"),
        setting("fallback", "alphabeta: what plays on boards that the tablebase lacks (default: it must be complete)"),
        DEPTH,
        NODES,
        TIME,
        EVAL,
        HASH,
        THREADS,
    ],
};

impl EngineKind {
    /// The kind that a spec names.
    ///
    /// # Errors
    /// There is no such kind, or it has no such setting.
    pub fn of(spec: &Spec, kinds: &[&'static EngineKind]) -> Result<&'static EngineKind, SpecError> {
        let kind = kinds.iter().copied().find(|kind| kind.name == spec.name).ok_or_else(|| {
            let names: Vec<&str> = kinds.iter().map(|kind| kind.name).collect();
            SpecError::unknown("engine", &spec.name, &names)
        })?;
        let keys: Vec<&str> = kind.settings.iter().map(|setting| setting.key).collect();
        match spec.settings.iter().find(|(key, _)| !keys.contains(&key.as_str())) {
            Some((key, _)) => Err(SpecError::unknown("setting", key, &keys)),
            None => Ok(kind),
        }
    }
}
