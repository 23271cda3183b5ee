//! Ratings of many players from all their games at once: the likeliest strengths if the score of two players
//! depends only on their difference (Bradley and Terry), draws counted half. No order of games plays a role.

mod components;
mod fit;
mod matrix;

use std::collections::BTreeMap;

use thiserror::Error;

use self::components::Components;
use self::fit::{Fit, Meeting};
use super::{NINETY_FIVE, Score, phi};

/// Elo per unit of log odds.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// Points beyond this teach nothing more, and drown what others teach; the share is kept.
const HEAVIEST: f64 = 1e8;

/// More points than this are a mistake.
const MOST: f64 = 1e20;

/// Points below this, from very old games, are none.
const LIGHTEST: f64 = 1e-5;

/// Who took how many points from whom.
#[derive(Clone, Debug)]
pub struct Pool {
    players: usize,
    /// By the lower number first: points of the lower, points of the higher.
    meetings: BTreeMap<(usize, usize), (f64, f64)>,
}

/// A result that cannot have happened.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
pub enum PoolError {
    /// There is no such player.
    #[error("player {0}: there are only {1} players, counted from 0")]
    Player(usize, usize),
    /// Somebody against himself.
    #[error("player {0} cannot be rated by games against itself")]
    Itself(usize),
    /// Points that are no number, negative, or more than anybody can take.
    #[error("{0} points: points lie between 0 and {MOST}")]
    Points(f64),
}

/// Differences are all that games tell; this fixes the rest.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Gauge {
    /// The mean of each component is 0.
    #[default]
    MeanZero,
    /// This player has this rating; components without that player have mean 0.
    Anchor {
        /// Who is fixed.
        player: usize,
        /// At which rating.
        elo: f64,
    },
}

/// How far a rating can be believed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Standing {
    /// By games alone.
    Rated,
    /// Won every game: really infinite, held by one virtual draw against the mean.
    WonAll,
    /// Lost every game: held in the same way.
    LostAll,
    /// One of a group that won or lost everything against the others: held in the same way.
    Held,
    /// No games: the rating means nothing.
    Unplayed,
}

/// The rating of one player.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// The rating.
    pub elo: f64,
    /// Its standard error in the gauge that was asked for; `None` without games. The error of a difference is
    /// [`Ratings::difference`], never computed from two of these.
    pub error: Option<f64>,
    /// Points taken.
    pub points: f64,
    /// Games played.
    pub games: f64,
    /// Ratings can be compared only within one component, numbered in the order of their first players.
    pub component: usize,
    /// How far the rating can be believed.
    pub standing: Standing,
}

impl Rating {
    /// Half the width of the 95 % interval.
    pub fn half_width(&self) -> Option<f64> {
        self.error.map(|error| NINETY_FIVE * error)
    }
}

/// How far apart two players are.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Difference {
    /// The first above the second.
    pub elo: f64,
    /// The standard error of the difference.
    pub error: f64,
}

impl Difference {
    /// The likelihood that the first is stronger.
    pub fn los(&self) -> f64 {
        if self.error > 0.0 { phi(self.elo / self.error) } else { 0.5 }
    }
}

/// The ratings of all players of a [`Pool`].
#[derive(Clone, Debug)]
pub struct Ratings {
    /// By the number of the player.
    pub players: Vec<Rating>,
    /// How many components there are; more than one means that some players cannot be compared.
    pub components: usize,
    /// What was fixed.
    pub gauge: Gauge,
    /// Per component, the place of each of its players in the covariance of its fit.
    places: Vec<usize>,
    fits: Vec<Fit>,
}

impl Pool {
    /// A pool of this many players, who have not played yet.
    pub fn new(players: usize) -> Pool {
        Pool { players, meetings: BTreeMap::new() }
    }

    /// Adds games of `one` against `other`, counted by `one`.
    pub fn add(&mut self, one: usize, other: usize, score: Score) -> Result<(), PoolError> {
        self.add_points(one, other, score.points(), score.turned().points())
    }

    /// Adds points, which may be weighted: old games may count less.
    pub fn add_points(&mut self, one: usize, other: usize, mine: f64, yours: f64) -> Result<(), PoolError> {
        if let Some(player) = [one, other].into_iter().find(|&player| player >= self.players) {
            return Err(PoolError::Player(player, self.players));
        }
        if one == other {
            return Err(PoolError::Itself(one));
        }
        if let Some(points) = [mine, yours].into_iter().find(|points| !(0.0..=MOST).contains(points)) {
            return Err(PoolError::Points(points));
        }
        let (key, low, high) =
            if one < other { ((one, other), mine, yours) } else { ((other, one), yours, mine) };
        let sum = self.meetings.entry(key).or_default();
        *sum = ((sum.0 + low).min(MOST), (sum.1 + high).min(MOST));
        Ok(())
    }

    /// The likeliest ratings. An anchor outside the pool is the mean.
    pub fn ratings(&self, gauge: Gauge) -> Ratings {
        let weighed: BTreeMap<_, _> =
            self.meetings.iter().map(|(&key, &points)| (key, weigh(points))).collect();
        let components = Components::of(self.players, &weighed);
        let mut points = vec![0.0; self.players];
        let mut games = vec![0.0; self.players];
        let mut places = vec![0; self.players];
        for (&(low, high), &(first, second)) in &self.meetings {
            points[low] += first;
            points[high] += second;
            games[low] += first + second;
            games[high] += first + second;
        }
        for group in &components.groups {
            for (place, &player) in group.iter().enumerate() {
                places[player] = place;
            }
        }
        let mut meetings = vec![Vec::new(); components.groups.len()];
        for (&(low, high), &(first, second)) in &weighed {
            if first + second > 0.0 {
                let meeting = Meeting { one: places[low], other: places[high], mine: first, yours: second };
                meetings[components.of_player[low]].push(meeting);
            }
        }
        let fits: Vec<Fit> = components
            .groups
            .iter()
            .zip(&meetings)
            .map(|(group, meetings)| {
                let held: Vec<bool> = group.iter().map(|&player| components.held[player]).collect();
                Fit::new(group.len(), meetings, &held)
            })
            .collect();

        let mut players: Vec<Rating> = (0..self.players)
            .map(|player| {
                let component = components.of_player[player];
                let fit = &fits[component];
                let standing = match components.held[player] {
                    _ if games[player] == 0.0 => Standing::Unplayed,
                    false => Standing::Rated,
                    true if points[player] == games[player] => Standing::WonAll,
                    true if points[player] == 0.0 => Standing::LostAll,
                    true => Standing::Held,
                };
                let variance = fit.covariance.at(places[player], places[player]);
                Rating {
                    elo: SCALE * fit.strengths[places[player]],
                    error: (standing != Standing::Unplayed).then(|| SCALE * variance.max(0.0).sqrt()),
                    points: points[player],
                    games: games[player],
                    component,
                    standing,
                }
            })
            .collect();
        let gauge = match gauge {
            Gauge::Anchor { player, elo } if player < self.players && elo.is_finite() => {
                let Rating { component, elo: free, .. } = players[player];
                let (fit, anchor) = (&fits[component], places[player]);
                for (&place, rating) in places.iter().zip(&mut players) {
                    if rating.component == component {
                        rating.elo = elo + (rating.elo - free);
                        rating.error = rating.error.map(|_| SCALE * fit.difference_error(place, anchor));
                    }
                }
                gauge
            }
            _ => Gauge::MeanZero,
        };
        Ratings { players, components: components.groups.len(), gauge, places, fits }
    }
}

/// Points of two players as they count: within the range in which sums of them stay exact enough.
fn weigh((first, second): (f64, f64)) -> (f64, f64) {
    let share = (HEAVIEST / first.max(second)).min(1.0);
    let count = |points: f64| if points * share < LIGHTEST { 0.0 } else { points * share };
    (count(first), count(second))
}

impl Ratings {
    /// How far `one` is above `other`; `None` when no chain of games joins them, or one of them does not exist.
    pub fn difference(&self, one: usize, other: usize) -> Option<Difference> {
        let (first, second) = (self.players.get(one)?, self.players.get(other)?);
        if first.component != second.component {
            return None;
        }
        let error = SCALE * self.fits[first.component].difference_error(self.places[one], self.places[other]);
        Some(Difference { elo: first.elo - second.elo, error })
    }
}
