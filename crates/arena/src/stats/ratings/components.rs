//! Groups of players that can be compared: connected by games, and strongly connected by points.

use std::collections::BTreeMap;

/// The players grouped by the games that connect them.
pub(super) struct RatingGroups {
    /// The players of each group.
    pub(super) groups: Vec<Vec<usize>>,
    /// The group of each player.
    pub(super) of_player: Vec<usize>,
    /// Players whose rating must be regularised. Ratings are finite only within a strongly connected component of "took
    /// points from". Players outside the largest one of their group are held; where none is the largest, all are, so the
    /// order of the players plays no role.
    pub(super) held: Vec<bool>,
}

impl RatingGroups {
    pub(super) fn of(players: usize, pairings: &BTreeMap<(usize, usize), (f64, f64)>) -> RatingGroups {
        // From a player to those it took points from, and the reverse.
        let (mut beaten, mut beaters) = (vec![Vec::new(); players], vec![Vec::new(); players]);
        let mut joined = vec![Vec::new(); players];
        for (&(low, high), &(first, second)) in pairings {
            if first > 0.0 {
                beaten[low].push(high);
                beaters[high].push(low);
            }
            if second > 0.0 {
                beaten[high].push(low);
                beaters[low].push(high);
            }
            if first + second > 0.0 {
                joined[low].push(high);
                joined[high].push(low);
            }
        }

        let mut of_player = vec![usize::MAX; players];
        let mut groups = Vec::new();
        for player in 0..players {
            if of_player[player] == usize::MAX {
                let mut group = Vec::new();
                depth_first(player, &joined, &mut of_player, groups.len(), &mut group);
                group.sort_unstable();
                groups.push(group);
            }
        }

        let part = strong_components(&beaten, &beaters);
        let mut sizes = vec![0; players];
        for &number in &part {
            sizes[number] += 1;
        }
        let mut held = vec![false; players];
        for group in &groups {
            let largest = group.iter().map(|&player| sizes[part[player]]).max().unwrap_or(0);
            let mut main: Vec<usize> =
                group.iter().map(|&player| part[player]).filter(|&number| sizes[number] == largest).collect();
            main.sort_unstable();
            main.dedup();
            for &player in group {
                held[player] = group.len() > 1 && main != [part[player]];
            }
        }
        RatingGroups { groups, of_player, held }
    }
}

/// Marks every player reachable from `start` and appends them in postorder.
fn depth_first(start: usize, edges: &[Vec<usize>], mark: &mut [usize], number: usize, order: &mut Vec<usize>) {
    mark[start] = number;
    let mut path = vec![(start, 0)];
    while let Some((player, next)) = path.last_mut() {
        match edges[*player].get(*next) {
            Some(&other) => {
                *next += 1;
                if mark[other] == usize::MAX {
                    mark[other] = number;
                    path.push((other, 0));
                }
            }
            None => {
                order.push(*player);
                path.pop();
            }
        }
    }
}

/// The strongly connected component of each player (Kosaraju).
fn strong_components(forwards: &[Vec<usize>], backwards: &[Vec<usize>]) -> Vec<usize> {
    let players = forwards.len();
    let (mut seen, mut order) = (vec![usize::MAX; players], Vec::new());
    for player in 0..players {
        if seen[player] == usize::MAX {
            depth_first(player, forwards, &mut seen, 0, &mut order);
        }
    }
    let (mut part, mut number) = (vec![usize::MAX; players], 0);
    for &player in order.iter().rev() {
        if part[player] == usize::MAX {
            depth_first(player, backwards, &mut part, number, &mut Vec::new());
            number += 1;
        }
    }
    part
}
