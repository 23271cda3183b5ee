//! Ratings of many players from all their games at once: maximum likelihood in the Bradley-Terry model, with a draw as
//! half a win. The order of games plays no role.

mod components;
mod fit;
mod matrix;

use std::collections::BTreeMap;
use std::fmt;

use thiserror::Error;

use self::components::RatingGroups;
use self::fit::{PairPoints, RatingFit};
use super::{MatchScore, NINETY_FIVE, phi};

/// Elo per unit of log odds.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// More points per pairing are scaled down to this, keeping their ratio, for numerical stability.
const HEAVIEST: f64 = 1e8;

/// The most points that are accepted.
const MOST: f64 = 1e20;

/// Fewer points count as none.
const LIGHTEST: f64 = 1e-5;

/// The points of players against each other.
#[derive(Clone, Debug)]
pub struct RatingPool {
    players: usize,
    /// By player numbers, the lower first: points of the lower, points of the higher.
    pairings: BTreeMap<(usize, usize), (f64, f64)>,
}

/// An invalid result.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
pub enum PoolError {
    /// There is no such player.
    #[error("player {0}: there are only {1} players, counted from 0")]
    Player(usize, usize),
    /// A player against itself.
    #[error("player {0} cannot be rated by games against itself")]
    Itself(usize),
    /// Points that are NaN, negative or too large.
    #[error("{0} points: points lie between 0 and {MOST}")]
    Points(f64),
}

/// Games determine only differences; this fixes the zero point.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum RatingScale {
    /// The mean of each group is 0.
    #[default]
    MeanZero,
    /// This player has this rating; groups without it have mean 0.
    Anchor {
        /// The player.
        player: usize,
        /// Its rating.
        elo: f64,
    },
}

/// How reliable a rating is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum RatingStatus {
    /// Determined by games.
    #[default]
    Rated,
    /// Won every game: regularised by one virtual draw against the mean.
    WonAll,
    /// Lost every game: regularised in the same way.
    LostAll,
    /// Member of a set that won or lost every game against the others: regularised in the same way.
    Held,
    /// No games: the rating is meaningless.
    Unplayed,
}

impl fmt::Display for RatingStatus {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            RatingStatus::Rated => "rated",
            RatingStatus::WonAll => "won every game",
            RatingStatus::LostAll => "lost every game",
            RatingStatus::Held => "won or lost every game against the others",
            RatingStatus::Unplayed => "no games",
        })
    }
}

/// The rating of one player.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// The rating.
    pub elo: f64,
    /// Its standard error in the chosen scale; `None` without games. Use [`Ratings::difference`] for the error of a
    /// difference.
    pub error: Option<f64>,
    /// Points.
    pub points: f64,
    /// Games played.
    pub games: f64,
    /// Ratings can be compared only within one group; groups are numbered by their first players.
    pub component: usize,
    /// How reliable the rating is.
    pub status: RatingStatus,
}

impl Rating {
    /// Half the width of the 95 % interval.
    pub fn half_width(&self) -> Option<f64> {
        self.error.map(|error| NINETY_FIVE * error)
    }
}

/// The difference of two ratings.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Difference {
    /// The first minus the second.
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

/// The ratings of all players of a [`RatingPool`].
#[derive(Clone, Debug)]
pub struct Ratings {
    /// By the number of the player.
    pub players: Vec<Rating>,
    /// The number of groups; with more than one some players cannot be compared.
    pub components: usize,
    /// The scale.
    pub scale: RatingScale,
    /// The index of each player in the covariance of its group.
    places: Vec<usize>,
    fits: Vec<RatingFit>,
}

impl RatingPool {
    /// A pool of this many players without games.
    pub fn new(players: usize) -> RatingPool {
        RatingPool { players, pairings: BTreeMap::new() }
    }

    /// Adds games of `one` against `other`, from the point of view of `one`.
    pub fn add(&mut self, one: usize, other: usize, score: MatchScore) -> Result<(), PoolError> {
        self.add_points(one, other, score.points(), score.reversed().points())
    }

    /// Adds points, which may be weighted.
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
        let (key, low, high) = if one < other { ((one, other), mine, yours) } else { ((other, one), yours, mine) };
        let sum = self.pairings.entry(key).or_default();
        *sum = ((sum.0 + low).min(MOST), (sum.1 + high).min(MOST));
        Ok(())
    }

    /// The maximum-likelihood ratings. An anchor outside the pool counts as mean zero.
    pub fn ratings(&self, scale: RatingScale) -> Ratings {
        let weighed: BTreeMap<_, _> = self.pairings.iter().map(|(&key, &points)| (key, weigh(points))).collect();
        let components = RatingGroups::of(self.players, &weighed);
        let mut points = vec![0.0; self.players];
        let mut games = vec![0.0; self.players];
        let mut places = vec![0; self.players];
        for (&(low, high), &(first, second)) in &self.pairings {
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
        let mut pairings = vec![Vec::new(); components.groups.len()];
        for (&(low, high), &(first, second)) in &weighed {
            if first + second > 0.0 {
                let pairing = PairPoints { one: places[low], other: places[high], mine: first, yours: second };
                pairings[components.of_player[low]].push(pairing);
            }
        }
        let fits: Vec<RatingFit> = components
            .groups
            .iter()
            .zip(&pairings)
            .map(|(group, pairings)| {
                let held: Vec<bool> = group.iter().map(|&player| components.held[player]).collect();
                RatingFit::new(group.len(), pairings, &held)
            })
            .collect();

        let mut players: Vec<Rating> = (0..self.players)
            .map(|player| {
                let component = components.of_player[player];
                let fit = &fits[component];
                let status = match components.held[player] {
                    _ if games[player] == 0.0 => RatingStatus::Unplayed,
                    false => RatingStatus::Rated,
                    true if points[player] == games[player] => RatingStatus::WonAll,
                    true if points[player] == 0.0 => RatingStatus::LostAll,
                    true => RatingStatus::Held,
                };
                let variance = fit.covariance.at(places[player], places[player]);
                Rating {
                    elo: SCALE * fit.strengths[places[player]],
                    error: (status != RatingStatus::Unplayed).then(|| SCALE * variance.max(0.0).sqrt()),
                    points: points[player],
                    games: games[player],
                    component,
                    status,
                }
            })
            .collect();
        let scale = match scale {
            RatingScale::Anchor { player, elo } if player < self.players && elo.is_finite() => {
                let Rating { component, elo: free, .. } = players[player];
                let (fit, anchor) = (&fits[component], places[player]);
                for (&place, rating) in places.iter().zip(&mut players) {
                    if rating.component == component {
                        rating.elo = elo + (rating.elo - free);
                        rating.error = rating.error.map(|_| SCALE * fit.difference_error(place, anchor));
                    }
                }
                scale
            }
            _ => RatingScale::MeanZero,
        };
        Ratings { players, components: components.groups.len(), scale, places, fits }
    }
}

/// The points of two players, scaled into a numerically safe range.
fn weigh((first, second): (f64, f64)) -> (f64, f64) {
    let share = (HEAVIEST / first.max(second)).min(1.0);
    let count = |points: f64| if points * share < LIGHTEST { 0.0 } else { points * share };
    (count(first), count(second))
}

impl Ratings {
    /// The difference of `one` and `other`; `None` when no chain of games connects them, or one does not exist.
    pub fn difference(&self, one: usize, other: usize) -> Option<Difference> {
        let (first, second) = (self.players.get(one)?, self.players.get(other)?);
        if first.component != second.component {
            return None;
        }
        let error = SCALE * self.fits[first.component].difference_error(self.places[one], self.places[other]);
        Some(Difference { elo: first.elo - second.elo, error })
    }
}
