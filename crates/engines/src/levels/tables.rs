//! The levels of each game. The ratings come from tournaments between the levels (`examples/levels.toml`).

use super::{LEVELS, Level};

const fn level(engine: &'static str, mistakes: u32) -> Level {
    Level { engine, mistakes, rating: None }
}

/// Othello: the depth of `expert` in plies; up to level 10 of `expert` the endgame is exact from twice as many empties.
pub(crate) const OTHELLO: &[Level; LEVELS] = &[
    level("expert:level=1,book=none,hash=1", 70),
    level("expert:level=1,book=none,hash=1", 45),
    level("expert:level=1,book=none,hash=1", 25),
    level("expert:level=2,book=none,hash=1", 12),
    level("expert:level=3,book=none,hash=1", 5),
    level("expert:level=4,book=none,hash=1", 4),
    level("expert:level=5,book=none,hash=4", 0),
    level("expert:level=8,hash=8", 0),
    level("expert:level=12,hash=16", 0),
    level("expert", 0),
];

/// Trax, all variants. Three plies take some 50,000 nodes, so depth alone would leave no steps above the beginners.
pub(crate) const TRAX: &[Level; LEVELS] = &[
    level("alphabeta:depth=1,book=none,hash=1", 70),
    level("alphabeta:depth=1,book=none,hash=1", 40),
    level("alphabeta:depth=1,book=none,hash=1", 20),
    level("alphabeta:depth=1,book=none,hash=1", 8),
    level("alphabeta:depth=1,book=none,hash=1", 2),
    level("alphabeta:nodes=5000,book=none,hash=4", 0),
    level("alphabeta:nodes=20000,hash=8", 0),
    level("alphabeta:nodes=60000,hash=16", 0),
    level("alphabeta:nodes=200000,hash=16", 0),
    level("alphabeta", 0),
];

/// Ostle. Most second-best moves cost little here: the first level never plays the best one.
pub(crate) const OSTLE: &[Level; LEVELS] = &[
    level("alphabeta:depth=1,hash=1", 100),
    level("alphabeta:depth=1,hash=1", 60),
    level("alphabeta:depth=2,hash=1", 20),
    level("alphabeta:depth=3,hash=1", 18),
    level("alphabeta:depth=4,hash=1", 8),
    level("alphabeta:depth=5,hash=4", 3),
    level("alphabeta:depth=6,hash=4", 0),
    level("alphabeta:depth=8,hash=8", 0),
    level("alphabeta:nodes=300000,hash=16", 0),
    level("alphabeta", 0),
];

/// Shogi.
pub(crate) const SHOGI: &[Level; LEVELS] = &[
    level("alphabeta:depth=1,eval=material,hash=1", 70),
    level("alphabeta:depth=1,eval=material,hash=1", 45),
    level("alphabeta:depth=1,eval=material,hash=1", 25),
    level("alphabeta:depth=2,eval=material,hash=1", 15),
    level("alphabeta:depth=3,eval=material,hash=4", 6),
    level("alphabeta:depth=3,eval=material,hash=4", 0),
    level("alphabeta:nodes=10000,hash=4", 0),
    level("alphabeta:nodes=50000,hash=8", 0),
    level("alphabeta:nodes=250000,hash=32", 0),
    level("alphabeta", 0),
];

/// Any other game.
pub(crate) const GENERIC: &[Level; LEVELS] = &[
    level("alphabeta:depth=1,hash=1", 90),
    level("alphabeta:depth=1,hash=1", 60),
    level("alphabeta:depth=1,hash=1", 30),
    level("alphabeta:depth=2,hash=1", 15),
    level("alphabeta:depth=2,hash=1", 5),
    level("alphabeta:depth=3,hash=4", 0),
    level("alphabeta:nodes=5000,hash=4", 0),
    level("alphabeta:nodes=20000,hash=8", 0),
    level("alphabeta:nodes=100000,hash=16", 0),
    level("alphabeta", 0),
];
