//! Swiss rounds by Monrad's way: players of like scores meet, nobody twice where that can be avoided. The
//! pairings of a round are a pure function of the rounds before it.

use std::collections::HashSet;

/// How a Swiss event stands before a round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    /// Half points by player.
    points: Vec<u32>,
    met: HashSet<[usize; 2]>,
    byes: Vec<u32>,
}

/// Who meets whom in a round, and who sits out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Round {
    /// The pairings, the leaders first. The first named begins the first game.
    pub meetings: Vec<[usize; 2]>,
    /// Sits out, and is credited with every game of the round.
    pub bye: Option<usize>,
}

/// Steps that the search for pairings without a rematch may take before one is allowed.
const PATIENCE: u32 = 100_000;

impl Table {
    /// Before the first round.
    pub fn new(players: usize) -> Table {
        Table { points: vec![0; players], met: HashSet::new(), byes: vec![0; players] }
    }

    /// Counts a meeting in which both scored so many half points.
    pub fn meeting(&mut self, players: [usize; 2], half_points: [u32; 2]) {
        self.met.insert(key(players));
        for (player, points) in players.into_iter().zip(half_points) {
            if let Some(total) = self.points.get_mut(player) {
                *total += points;
            }
        }
    }

    /// Counts a bye: worth a win in each of `games` games.
    pub fn bye(&mut self, player: usize, games: u32) {
        if let (Some(points), Some(byes)) = (self.points.get_mut(player), self.byes.get_mut(player)) {
            *points += 2 * games;
            *byes += 1;
        }
    }

    /// Half points by player, byes included.
    pub fn points(&self) -> &[u32] {
        &self.points
    }

    /// The next round. The bye goes to the lowest of those who have had the fewest.
    pub fn pair(&self) -> Round {
        let mut order: Vec<usize> = (0..self.points.len()).collect();
        order.sort_by_key(|&player| (std::cmp::Reverse(self.points[player]), player));
        let mut bye = None;
        if order.len() % 2 == 1 {
            let fewest = self.byes.iter().copied().min().unwrap_or(0);
            let last = order.iter().rposition(|&player| self.byes[player] == fewest);
            bye = last.map(|place| order.remove(place));
        }
        let mut steps = 0;
        let meetings =
            self.without_rematch(&order, &mut steps).unwrap_or_else(|| self.fewest_rematches(&order));
        Round { meetings, bye }
    }

    /// Pairs from the top with the nearest below, going back where the rest cannot be paired.
    fn without_rematch(&self, order: &[usize], steps: &mut u32) -> Option<Vec<[usize; 2]>> {
        let Some((&top, rest)) = order.split_first() else { return Some(Vec::new()) };
        for (place, &other) in rest.iter().enumerate() {
            *steps += 1;
            if *steps > PATIENCE {
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

    /// Pairs from the top with the nearest not met yet, or the nearest.
    fn fewest_rematches(&self, order: &[usize]) -> Vec<[usize; 2]> {
        let mut left = order.to_vec();
        let mut meetings = Vec::new();
        while left.len() > 1 {
            let top = left.remove(0);
            let place = left.iter().position(|&other| !self.met.contains(&key([top, other]))).unwrap_or(0);
            meetings.push([top, left.remove(place)]);
        }
        meetings
    }
}

fn key([one, two]: [usize; 2]) -> [usize; 2] {
    [one.min(two), one.max(two)]
}
