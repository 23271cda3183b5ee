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
pub(crate) const EVAL: EngineSetting = setting("eval", "evaluation of the game (default: its first)");
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
        about: "Monte-Carlo tree search guided by a network, or by the evaluation where there is none",
        settings: PUCT_SETTINGS,
    },
    EngineKind {
        name: "policy",
        about: "plays by the policy of a network, without search",
        settings: &[
            NET,
            PRECISION,
            setting("temperature", "0: the most probable move; 1: a random one by the policy; up to 100 (default 0)"),
            SEED,
        ],
    },
    EngineKind {
        name: "value1",
        about: "searches one ply with the value of a network",
        settings: &[NET, PRECISION, PRIOR],
    },
];

const NET: EngineSetting =
    setting("net", "network file, .safetensors or .onnx (default: the one that ships for the game, if there is one)");

const PRECISION: EngineSetting =
    setting("precision", "of the network: f32, or bf16 on processors with AMX or AVX-512 BF16 (default f32)");

const PRIOR: EngineSetting = setting(
    "prior",
    "only moves whose probability is at least this share of the most probable one's, from 0 to 1 (default 0.5)",
);

/// The settings of `puct`.
pub(crate) const PUCT_SETTINGS: &[EngineSetting] = &[
    setting("net", "network file, .safetensors or .onnx; none: the evaluation (default: the shipped one, if any)"),
    PRECISION,
    PLAYOUTS,
    TIME,
    EVAL,
    setting("c", "exploration constant (default 1.44)"),
    setting("fpu", "first-play urgency: reduction for unvisited moves (default 0.27)"),
    setting("temperature", "of the policy: above 1 the priors are flatter (default 1.74)"),
    setting("batch", "positions that a thread evaluates together (default 16)"),
    setting("sample", "moves of the game's first so many plies are sampled by visit count (default 0)"),
    setting("resign", "resigns below this win rate, from 0 to 1 (default 0: never)"),
    setting("noise", "share of Dirichlet noise in the priors of the root, for self-play (default 0)"),
    SEED,
    TREE,
    THREADS,
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
