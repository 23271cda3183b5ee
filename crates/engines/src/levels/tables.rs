//! The levels of each game. The ratings come from matches between the levels (docs/page.md, `examples/levels.toml`).

use super::{LEVELS, Level};

const fn level(engine: &'static str, mistakes: u32, rating: i32) -> Level {
    Level { engine, mistakes, rating: Some(rating) }
}

const fn unrated(engine: &'static str, mistakes: u32) -> Level {
    Level { engine, mistakes, rating: None }
}

/// Othello: the depth of `expert` in plies; up to level 10 of `expert` the endgame is exact from twice as many empties.
pub(crate) const OTHELLO: &[Level; LEVELS] = &[
    level("expert:level=1,book=none,hash=1", 56, 0),
    level("expert:level=1,book=none,hash=1", 41, 283),
    level("expert:level=1,book=none,hash=1", 27, 497),
    level("expert:level=1,book=none,hash=1", 17, 577),
    level("expert:level=2,book=none,hash=1", 9, 883),
    level("expert:level=3,book=none,hash=1", 5, 1109),
    level("expert:level=4,book=none,hash=1", 0, 1367),
    level("expert:level=6,book=none,hash=4", 0, 1479),
    level("expert:level=8,hash=8", 0, 1676),
    level("expert", 0, 2025),
];

/// Trax, all variants. Three plies take some 50,000 nodes, so depth alone would leave no steps above the beginners.
pub(crate) const TRAX: &[Level; LEVELS] = &[
    level("alphabeta:depth=1,book=none,hash=1", 100, 0),
    level("alphabeta:depth=1,book=none,hash=1", 70, 175),
    level("alphabeta:depth=1,book=none,hash=1", 40, 316),
    level("alphabeta:depth=1,book=none,hash=1", 20, 451),
    level("alphabeta:depth=1,book=none,hash=1", 0, 659),
    level("alphabeta:nodes=5000,book=none,hash=4", 0, 694),
    level("alphabeta:nodes=15000,book=none,hash=8", 0, 1010),
    level("alphabeta:nodes=45000,book=none,hash=16", 0, 1157),
    level("alphabeta:nodes=140000,book=none,hash=16", 0, 1318),
    level("alphabeta", 0, 1477),
];

/// Ostle. Most second-best moves cost little here: the first level never plays the best one.
pub(crate) const OSTLE: &[Level; LEVELS] = &[
    level("alphabeta:depth=1,hash=1", 100, 0),
    level("alphabeta:depth=1,hash=1", 70, 209),
    level("alphabeta:depth=1,hash=1", 28, 307),
    level("alphabeta:depth=2,hash=1", 22, 590),
    level("alphabeta:depth=3,hash=1", 10, 761),
    level("alphabeta:depth=4,hash=1", 5, 903),
    level("alphabeta:depth=5,hash=4", 2, 990),
    level("alphabeta:depth=6,hash=4", 0, 1121),
    level("alphabeta:nodes=300000,hash=16", 0, 1282),
    level("alphabeta", 0, 1362),
];

/// Shogi. Up to level 6 the evaluation is `material`, so that a better network changes the upper levels alone.
pub(crate) const SHOGI: &[Level; LEVELS] = &[
    level("alphabeta:depth=1,eval=material,hash=1", 70, 0),
    level("alphabeta:depth=1,eval=material,hash=1", 45, 166),
    level("alphabeta:depth=1,eval=material,hash=1", 25, 471),
    level("alphabeta:depth=2,eval=material,hash=1", 15, 583),
    level("alphabeta:depth=2,eval=material,hash=1", 0, 991),
    level("alphabeta:depth=6,eval=material,hash=4", 0, 1348),
    level("alphabeta:nodes=3000,hash=4", 0, 1568),
    level("alphabeta:nodes=10000,hash=8", 0, 2186),
    level("alphabeta:nodes=40000,hash=16", 0, 2410),
    level("alphabeta", 0, 2758),
];

/// Any other game.
pub(crate) const GENERIC: &[Level; LEVELS] = &[
    unrated("alphabeta:depth=1,hash=1", 90),
    unrated("alphabeta:depth=1,hash=1", 60),
    unrated("alphabeta:depth=1,hash=1", 30),
    unrated("alphabeta:depth=2,hash=1", 15),
    unrated("alphabeta:depth=2,hash=1", 5),
    unrated("alphabeta:depth=3,hash=4", 0),
    unrated("alphabeta:nodes=5000,hash=4", 0),
    unrated("alphabeta:nodes=20000,hash=8", 0),
    unrated("alphabeta:nodes=100000,hash=16", 0),
    unrated("alphabeta", 0),
];
