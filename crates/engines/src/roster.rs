//! What every shipped game can be played by, and the words for it.

use tesuji_game::Game;
use tesuji_search::{Engine, Value};

use crate::{Spec, SpecError};

/// A game with engines. Implemented once per game, in its folder.
pub trait HasEngines: Game {
    /// The evaluations of the game, by the names a spec may use, the default first.
    const EVALUATIONS: &'static [&'static str];

    /// The spec that plays when nobody asks for another.
    const DEFAULT: &'static str;

    /// The kinds of engines that not every game has, such as [`TABLE`] for one that is solved.
    const OWN_KINDS: &'static [Kind] = &[];

    /// The kinds of engines a spec may name: those of every game, then its own.
    fn kinds() -> Vec<&'static Kind> {
        KINDS.iter().chain(Self::OWN_KINDS).collect()
    }

    /// The engine of a spec, or why there is none. `human` and `process` are not engines of this room.
    fn engine(spec: &Spec) -> Result<Box<dyn Engine<Self>>, SpecError>;

    /// The static value of a position by one of the evaluations, seen by the mover: for `show --eval`. A
    /// finished game has the worth of its result.
    fn judge(evaluation: &str, game: &Self) -> Result<Value, SpecError>;
}

/// A kind of engine that a spec can name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// How it plays, in a few words.
    pub about: &'static str,
    /// What can be set.
    pub settings: &'static [Setting],
}

/// A setting an engine understands, for help texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setting {
    /// Its key.
    pub key: &'static str,
    /// What it does, and its default.
    pub about: &'static str,
}

pub(crate) const fn setting(key: &'static str, about: &'static str) -> Setting {
    Setting { key, about }
}

pub(crate) const TIME: Setting =
    setting("time", "time per move, such as 250ms or 1s (as long as the caller allows)");
const SEED: Setting = setting("seed", "what chance begins with (0)");
const EVAL: Setting = setting("eval", "the evaluation, one of those the game has (its first)");
const PLAYOUTS: Setting = setting("playouts", "times to go down the tree (as many as time allows)");
const TREE: Setting = setting("hash", "the most memory of the tree in MiB (256)");
pub(crate) const THREADS: Setting = setting("threads", "threads that think together (1)");

pub(crate) const DEPTH: Setting = setting("depth", "plies to look ahead (as far as time allows)");
pub(crate) const NODES: Setting = setting("nodes", "positions to visit (no limit)");
pub(crate) const HASH: Setting = setting("hash", "size of the table in MiB (64)");

/// The kinds of engines that every game has.
pub const KINDS: &[Kind] = &[
    Kind { name: "random", about: "plays any legal move", settings: &[SEED] },
    Kind {
        name: "alphabeta",
        about: "searches by alpha-beta to a depth",
        settings: &[DEPTH, NODES, TIME, EVAL, HASH, THREADS],
    },
    Kind {
        name: "uct",
        about: "grows a tree by random play-outs; the evaluation judges those that do not end",
        settings: &[PLAYOUTS, TIME, EVAL, SEED, TREE, THREADS],
    },
    Kind {
        name: "puct",
        about: "grows a tree where the evaluation points",
        settings: &[PLAYOUTS, TIME, EVAL, SEED, TREE, THREADS],
    },
];

/// The kind of engine that a solved game has besides. All settings but the first two are those of the search that plays
/// where the table has no answer.
pub const TABLE: Kind = Kind {
    name: "table",
    about: "plays perfectly from the table of the solved game, and searches by alpha-beta where there is none",
    settings: &[
        setting("dir", "where the table lies (tables in the data folder of this program)"),
        setting("seed", "which of equally good moves to play (0: the first)"),
        DEPTH,
        NODES,
        TIME,
        EVAL,
        HASH,
        THREADS,
    ],
};

impl Kind {
    /// The kind of engine among these that a spec names, if all its settings are ones that kind has.
    pub fn of(spec: &Spec, kinds: &[&'static Kind]) -> Result<&'static Kind, SpecError> {
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
