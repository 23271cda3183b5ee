//! Where the opening ends and the endgame begins, from games alone.
//!
//! The middlegame begins where games no longer share positions: at the first ply at which nine of ten games stand in a
//! position that no other game of the set has at that ply. The endgame begins where games are decided: at the median ply
//! from which on the values of the moves never again favour the side that does not win.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use tesuji_game::{Game, Record, Side};

/// Positions are compared up to this ply.
const COMPARED: usize = 80;
/// With fewer games still going on, their positions tell nothing.
const FEWEST: usize = 20;

/// Where the phases of a game begin, in plies.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct GamePhases {
    /// The first ply at which nine of ten games stand in a position of their own; none if they never do, or if there are
    /// too few games.
    pub middlegame: Option<usize>,
    /// The median ply from which on the values never favour the loser; none where games have no values.
    pub endgame: Option<usize>,
    /// Different positions at each ply, from the start on.
    pub distinct: Vec<usize>,
}

/// What the phases need of a game.
#[derive(Clone, Debug, Default)]
pub(crate) struct PhaseFacts {
    /// The keys of the positions, the start first.
    keys: Vec<u64>,
    decided: Option<usize>,
}

impl PhaseFacts {
    /// The facts of a record.
    pub(crate) fn of<G: Game>(record: &Record<G>) -> PhaseFacts {
        let mut game = record.start().clone();
        let mut keys = vec![game.key()];
        let mut movers = vec![game.mover()];
        for mv in record.moves() {
            game.play(mv);
            if keys.len() <= COMPARED {
                keys.push(game.key());
            }
            movers.push(game.mover());
        }
        let winner = record.ending().and_then(|ending| ending.winner);
        PhaseFacts { keys, decided: winner.and_then(|winner| decided(record, &movers, winner)) }
    }
}

/// The ply from which on no value favours the loser.
fn decided<G: Game>(record: &Record<G>, movers: &[Side], winner: Side) -> Option<usize> {
    let plies = record.plies();
    let favours = |(ply, value): (usize, f64)| {
        let seen = if movers[ply] == winner { value } else { -value };
        (seen <= 0.0).then_some(ply + 1)
    };
    let valued: Vec<(usize, f64)> =
        plies.iter().enumerate().filter_map(|(ply, note)| Some((ply, note.value?))).collect();
    if valued.is_empty() {
        return None;
    }
    Some(valued.into_iter().filter_map(favours).max().unwrap_or(0))
}

/// Collects the phases of games.
#[derive(Default)]
pub(crate) struct PhaseCounter {
    /// How many games have each position, by ply.
    positions: Vec<HashMap<u64, usize>>,
    decided: Vec<usize>,
}

impl PhaseCounter {
    pub(crate) fn add(&mut self, facts: &PhaseFacts) {
        if self.positions.len() < facts.keys.len() {
            self.positions.resize_with(facts.keys.len(), HashMap::new);
        }
        for (ply, &key) in facts.keys.iter().enumerate() {
            *self.positions[ply].entry(key).or_default() += 1;
        }
        self.decided.extend(facts.decided);
    }

    pub(crate) fn phases(&self) -> GamePhases {
        let own = |positions: &HashMap<u64, usize>| {
            let games: usize = positions.values().sum();
            let alone = positions.values().filter(|&&games| games == 1).count();
            games >= FEWEST && 10 * alone >= 9 * games
        };
        let mut decided = self.decided.clone();
        decided.sort_unstable();
        GamePhases {
            middlegame: self.positions.iter().position(own),
            endgame: decided.get(decided.len() / 2).copied(),
            distinct: self.positions.iter().map(HashMap::len).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(keys: &[u64], decided: Option<usize>) -> PhaseFacts {
        PhaseFacts { keys: keys.to_vec(), decided }
    }

    #[test]
    fn the_middlegame_begins_where_games_part() {
        let mut counter = PhaseCounter::default();
        for game in 0..40 {
            counter.add(&facts(&[1, game / 20, 100 + game], Some(game as usize)));
        }
        let phases = counter.phases();
        assert_eq!((phases.middlegame, phases.endgame, phases.distinct), (Some(2), Some(20), vec![1, 2, 40]));
        assert_eq!(PhaseCounter::default().phases(), GamePhases::default());
    }

    #[test]
    fn few_games_tell_nothing() {
        let mut counter = PhaseCounter::default();
        (0..19).for_each(|game| counter.add(&facts(&[game], None)));
        assert_eq!((counter.phases().middlegame, counter.phases().endgame), (None, None));
    }
}
