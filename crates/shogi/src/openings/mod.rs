//! The names of shogi's openings and castles, found by patterns on the board.
//!
//! Each side has its own strategy and castle, so a game shows several names. A side's last pattern of the highest level
//! counts: a Half Mino that becomes a Mino is a Mino, and remains one when it falls apart.

mod pattern;
mod tables;

use std::sync::LazyLock;

use tesuji_game::{Game, NamedOpenings, OpeningKind, OpeningName, Record, Side};

use self::pattern::Pattern;
use self::tables::{CASTLES, Entry, JOINT, ROOKS, SILVERS};
use crate::Shogi;

/// Plies that are examined.
const PLIES: usize = 80;

/// A table with its patterns understood.
struct Table(Vec<(&'static Entry, Pattern)>);

impl Table {
    fn of(entries: &'static [Entry]) -> Table {
        // A test parses all patterns.
        Table(entries.iter().filter_map(|entry| Some((entry, Pattern::parse(entry.pattern)?))).collect())
    }

    /// Replaces `found` by the best entry that matches the position after `ply` plies, if it is not of a lower level.
    fn update(&self, position: &Shogi, side: Side, ply: usize, found: &mut Option<&'static Entry>) {
        let level = found.map_or(0, |entry| entry.level);
        let better = self.0.iter().filter(|(entry, _)| entry.level >= level && ply <= entry.until);
        let matching = better.filter(|(_, pattern)| pattern.matches(position, side)).map(|(entry, _)| *entry);
        // Of equal levels the first in the table counts.
        if let Some(best) = matching.min_by_key(|entry| std::cmp::Reverse(entry.level)) {
            *found = Some(best);
        }
    }
}

static TABLES: LazyLock<[Table; 4]> = LazyLock::new(|| [ROOKS, SILVERS, CASTLES, JOINT].map(Table::of));

/// What one side shows.
#[derive(Clone, Copy, Default)]
struct SideFindings {
    rook: Option<&'static Entry>,
    silver: Option<&'static Entry>,
    castle: Option<&'static Entry>,
}

impl NamedOpenings for Shogi {
    fn openings(record: &Record<Shogi>) -> Vec<OpeningName> {
        // Patterns mean nothing in a problem or a handicap game.
        if *record.start() != Shogi::start() {
            return Vec::new();
        }
        let [rooks, silvers, castles, joint] = &*TABLES;
        let mut position = record.start().clone();
        let (mut sides, mut both) = ([SideFindings::default(); 2], None);
        for (index, mv) in record.moves().take(PLIES).enumerate() {
            let mover = position.mover();
            position.play(mv);
            let found = &mut sides[mover.index()];
            rooks.update(&position, mover, index + 1, &mut found.rook);
            silvers.update(&position, mover, index + 1, &mut found.silver);
            castles.update(&position, mover, index + 1, &mut found.castle);
            joint.update(&position, Side::First, index + 1, &mut both);
        }
        let is_ranging = |found: &SideFindings| found.rook.is_some_and(|entry| entry.is_ranging);
        both = match sides.iter().filter(|found| is_ranging(found)).count() {
            0 => both,
            1 => None,
            _ => Some(&tables::DOUBLE_RANGING_ROOK),
        };
        let mut names: Vec<OpeningName> =
            both.map(|entry| entry.name(OpeningKind::Opening, None)).into_iter().collect();
        for (side, SideFindings { rook, silver, castle }) in Side::BOTH.into_iter().zip(sides) {
            // The silvers of a ranging rook are no strategy of their own.
            let silver = silver.filter(|_| !rook.is_some_and(|entry| entry.is_ranging));
            names
                .extend([rook, silver].into_iter().flatten().map(|entry| entry.name(OpeningKind::Opening, Some(side))));
            names.extend(castle.map(|entry| entry.name(OpeningKind::Castle, Some(side))));
        }
        names
    }
}

#[cfg(test)]
mod tests;
