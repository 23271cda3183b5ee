//! Levels of play from 1 (first steps) to 10 (full strength): the engine kind `level`, which every game has.
//!
//! A level is an engine spec with limits of its own and, for weak levels, the share of moves that are chosen among the
//! inferior ones. Limits count nodes or plies, so a level plays the same moves on every machine.

mod player;
mod tables;

use serde::{Deserialize, Serialize};
use tesuji_game::Game;
use tesuji_search::Engine;

use crate::kind::{HASH, THREADS, TIME, setting};
use crate::{EngineConstructor, EngineKind, Spec, SpecError};

pub(crate) use player::LevelPlayer;
pub(crate) use tables::{GENERIC, OSTLE, OTHELLO, SHOGI, TRAX};

/// The number of levels of every game; the last one is full strength.
pub const LEVELS: usize = 10;

/// The engine kind.
pub const LEVEL: EngineKind = EngineKind {
    name: "level",
    about: "plays at a level from 1 (first steps) to 10 (full strength)",
    settings: &[
        setting("n", "the level, from 1 to 10 (default 10)"),
        setting("seed", "chooses the mistakes of the weak levels (default 0)"),
        TIME,
        HASH,
        THREADS,
    ],
};

/// A level of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// The engine spec that plays.
    pub engine: &'static str,
    /// How many moves in a hundred are chosen among the inferior ones.
    pub mistakes: u32,
    /// The measured rating, with level 1 at 0.
    pub rating: Option<i32>,
}

/// A level as front ends show it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LevelInfo {
    /// Its number, from 1.
    pub level: usize,
    /// Its name: `beginner`.
    pub name: String,
    /// What it means, in plain words.
    pub about: String,
    /// The spec that plays at this level, for every command that takes an engine.
    pub engine: String,
    /// The engine behind it.
    pub plays: String,
    /// How many moves in a hundred are chosen among the inferior ones.
    pub mistakes: u32,
    /// The rating in Elo from matches between the levels, with level 1 at 0; absent where it was not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<i32>,
}

/// The names of the levels and what they mean.
const WORDS: [(&str, &str); LEVELS] = [
    ("first steps", "has just learned the rules and plays most moves without a plan"),
    ("beginner", "sees what is obvious, and overlooks much"),
    ("casual", "looks one move ahead and makes a mistake now and then"),
    ("improver", "plans a little ahead; careless moves get fewer"),
    ("intermediate", "a steady opponent with rare slips"),
    ("advanced", "hardly ever careless; calculates short lines"),
    ("strong", "calculates further than most players"),
    ("expert", "hard to beat without experience"),
    ("master", "punishes almost every mistake"),
    ("full strength", "uses all its time and knowledge"),
];

impl LevelInfo {
    /// All levels of a table, in order.
    pub fn of(levels: &[Level]) -> Vec<LevelInfo> {
        let info = |(index, (level, (name, about))): (usize, (&Level, (&str, &str)))| LevelInfo {
            level: index + 1,
            name: name.to_owned(),
            about: about.to_owned(),
            engine: format!("{}:n={}", LEVEL.name, index + 1),
            plays: level.engine.to_owned(),
            mistakes: level.mistakes,
            rating: level.rating,
        };
        levels.iter().zip(WORDS).enumerate().map(info).collect()
    }
}

/// The player of a spec of kind [`LEVEL`]. `make` creates the engines behind it.
pub(crate) fn level_player<G: Game>(
    spec: &Spec,
    levels: &[Level],
    make: EngineConstructor<G>,
) -> Result<Box<dyn Engine<G>>, SpecError> {
    EngineKind::of(spec, &[&LEVEL])?;
    let number = spec.number("n", 1, levels.len() as u64)?.unwrap_or(levels.len() as u64) as usize;
    let seed = spec.number("seed", 0, u64::MAX)?.unwrap_or(0);
    let level = levels[number - 1];
    let mut inner = Spec::parse(level.engine)?;
    let full_strength = number == levels.len();
    for (key, value) in &spec.settings {
        // More threads would make the moves of a limited search depend on chance.
        let wanted = key == "time" || key == "hash" || key == "threads" && full_strength;
        if wanted && inner.get(key).is_none() {
            inner.settings.push((key.clone(), value.clone()));
        }
    }
    // Checked here as well, since the weak levels do not pass them on.
    spec.number("threads", 1, 1024)?;
    let engine = make(&inner)?;
    if level.mistakes == 0 {
        return Ok(engine);
    }
    let shallow = make(&Spec::parse("alphabeta:depth=1,hash=1")?)?;
    Ok(Box::new(LevelPlayer::new(engine, shallow, level.mistakes, seed)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_has_ten_levels_that_make_ever_fewer_mistakes() {
        for table in [OTHELLO, TRAX, OSTLE, SHOGI, GENERIC] {
            assert_eq!(table.len(), LEVELS);
            assert!(table.windows(2).all(|pair| pair[0].mistakes >= pair[1].mistakes), "{table:?}");
            let rated: Vec<i32> = table.iter().filter_map(|level| level.rating).collect();
            assert!(rated.windows(2).all(|pair| pair[0] < pair[1]), "{rated:?}");
            let full = Spec::parse(table[LEVELS - 1].engine).expect("a spec");
            assert!(!full.is_limited() && table[LEVELS - 1].mistakes == 0, "{full}");
            assert!(table[..LEVELS - 1].iter().all(|level| Spec::parse(level.engine).is_ok_and(|s| s.is_limited())));
        }
    }
}
