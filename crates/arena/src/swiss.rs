//! Swiss pairings by the Monrad system: players with similar scores meet, with as few rematches as possible. The
//! pairings of a round are a pure function of the rounds before it.

use std::collections::HashSet;

/// The scores of a Swiss event before a round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SwissTable {
    /// Half points by player.
    points: Vec<u32>,
    met: HashSet<[usize; 2]>,
    byes: Vec<u32>,
}

/// The pairings of one round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SwissRound {
    /// The pairings, the leaders first. The first player begins the first game.
    pub pairings: Vec<[usize; 2]>,
    /// The player without an opponent, who is credited with every game of the round.
    pub bye: Option<usize>,
}

/// Search steps for pairings without a rematch, after which a rematch is allowed.
const MAX_STEPS: u32 = 100_000;

impl SwissTable {
    /// The table before the first round.
    pub fn new(players: usize) -> SwissTable {
        SwissTable { points: vec![0; players], met: HashSet::new(), byes: vec![0; players] }
    }

    /// Adds the half points that both players of a pairing scored.
    pub fn add_pairing(&mut self, players: [usize; 2], half_points: [u32; 2]) {
        self.met.insert(key(players));
        for (player, points) in players.into_iter().zip(half_points) {
            if let Some(total) = self.points.get_mut(player) {
                *total += points;
            }
        }
    }

    /// Adds a bye, which counts as a win in each of `games` games.
    pub fn add_bye(&mut self, player: usize, games: u32) {
        if let (Some(points), Some(byes)) = (self.points.get_mut(player), self.byes.get_mut(player)) {
            *points += 2 * games;
            *byes += 1;
        }
    }

    /// Half points by player, byes included.
    pub fn points(&self) -> &[u32] {
        &self.points
    }

    /// The next round. The lowest player among those with the fewest byes gets the bye.
    pub fn pair(&self) -> SwissRound {
        let mut order: Vec<usize> = (0..self.points.len()).collect();
        order.sort_by_key(|&player| (std::cmp::Reverse(self.points[player]), player));
        let mut bye = None;
        if order.len() % 2 == 1 {
            let fewest = self.byes.iter().copied().min().unwrap_or(0);
            let last = order.iter().rposition(|&player| self.byes[player] == fewest);
            bye = last.map(|place| order.remove(place));
        }
        let mut steps = 0;
        let pairings = self.without_rematch(&order, &mut steps).unwrap_or_else(|| self.fewest_rematches(&order));
        SwissRound { pairings, bye }
    }

    /// Pairs from the top with the nearest player below; backtracks where the rest cannot be paired.
    fn without_rematch(&self, order: &[usize], steps: &mut u32) -> Option<Vec<[usize; 2]>> {
        let Some((&top, rest)) = order.split_first() else { return Some(Vec::new()) };
        for (place, &other) in rest.iter().enumerate() {
            *steps += 1;
            if *steps > MAX_STEPS {
                return None;
            }
            if self.met.contains(&key([top, other])) {
                continue;
            }
            let mut left = rest.to_vec();
            left.remove(place);
            if let Some(mut below) = self.without_rematch(&left, steps) {
                below.insert(0, [top, other]);
                return Some(below);
            }
        }
        None
    }

    /// Pairs from the top with the nearest player not met yet, or the nearest.
    fn fewest_rematches(&self, order: &[usize]) -> Vec<[usize; 2]> {
        let mut left = order.to_vec();
        let mut pairings = Vec::new();
        while left.len() > 1 {
            let top = left.remove(0);
            let place = left.iter().position(|&other| !self.met.contains(&key([top, other]))).unwrap_or(0);
            pairings.push([top, left.remove(place)]);
        }
        pairings
    }
}

fn key([one, two]: [usize; 2]) -> [usize; 2] {
    [one.min(two), one.max(two)]
}
