//! Who can be compared with whom: chains of games, and chains of points.

use std::collections::BTreeMap;

/// The players sorted by the games that join them.
pub(super) struct Components {
    /// The players of each component.
    pub(super) groups: Vec<Vec<usize>>,
    /// The component of each player.
    pub(super) of_player: Vec<usize>,
    /// Who needs holding: ratings are finite only where everybody took points, through however many others, from
    /// everybody else. Players outside the largest such part of their component drift off without end. Where no
    /// part is the largest, everybody is held, so that the numbers of the players play no role.
    pub(super) held: Vec<bool>,
}

impl Components {
    pub(super) fn of(players: usize, meetings: &BTreeMap<(usize, usize), (f64, f64)>) -> Components {
        // From a player to those it took points from, and back.
        let (mut beaten, mut beaters) = (vec![Vec::new(); players], vec![Vec::new(); players]);
        let mut joined = vec![Vec::new(); players];
        for (&(low, high), &(first, second)) in meetings {
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
                sweep(player, &joined, &mut of_player, groups.len(), &mut group);
                group.sort_unstable();
                groups.push(group);
            }
        }

        let part = parts(&beaten, &beaters);
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
        Components { groups, of_player, held }
    }
}

/// Marks everybody that can be reached from `start`, each after all that can be reached from it.
fn sweep(start: usize, edges: &[Vec<usize>], mark: &mut [usize], number: usize, order: &mut Vec<usize>) {
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

/// The strongly connected part of each player (Kosaraju): forwards for the order, backwards for the parts.
fn parts(forwards: &[Vec<usize>], backwards: &[Vec<usize>]) -> Vec<usize> {
    let players = forwards.len();
    let (mut seen, mut order) = (vec![usize::MAX; players], Vec::new());
    for player in 0..players {
        if seen[player] == usize::MAX {
            sweep(player, forwards, &mut seen, 0, &mut order);
        }
    }
    let (mut part, mut number) = (vec![usize::MAX; players], 0);
    for &player in order.iter().rev() {
        if part[player] == usize::MAX {
            sweep(player, backwards, &mut part, number, &mut Vec::new());
            number += 1;
        }
    }
    part
}
