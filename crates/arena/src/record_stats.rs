//! Statistics of game records: lengths, results, endings, branching factor, and ratings of the players.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tesuji_game::{Formats, Game, Outcome, ParsedRecord, Record, Side, tags};

use crate::stats::{MatchScore, RatingPool, RatingScale};

/// Players that are rated, those with the most games: the work grows with the cube of their number.
const MAX_RATED: usize = 500;

/// The statistics of records.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RecordStats {
    /// The game.
    pub game: String,
    /// Records.
    pub records: usize,
    /// Records with a fault; they are not counted any further.
    pub faults: usize,
    /// Records without an ending.
    pub unfinished: usize,
    /// The lengths of the games.
    pub plies: GameLengths,
    /// The results.
    pub results: ResultCountsBySide,
    /// The number of games by ending.
    pub reasons: BTreeMap<String, usize>,
    /// The mean number of legal moves at each ply.
    pub branching: Vec<Option<f64>>,
    /// The rated players, the strongest first.
    pub players: Vec<PlayerRating>,
    /// All players, rated or not.
    #[serde(skip)]
    pub player_count: usize,
    /// Groups of players that never met.
    #[serde(skip)]
    pub groups: usize,
}

/// The lengths of games in plies.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct GameLengths {
    /// The shortest.
    pub shortest: usize,
    /// The median.
    pub median: usize,
    /// The mean.
    pub mean: f64,
    /// The longest.
    pub longest: usize,
}

/// Results by winner.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ResultCountsBySide {
    /// Wins of the first player.
    pub first: usize,
    /// Draws.
    pub draw: usize,
    /// Wins of the second player.
    pub second: usize,
}

/// A rated player.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlayerRating {
    /// The name.
    pub name: String,
    /// Games against rated players.
    pub games: f64,
    /// Points.
    pub points: f64,
    /// The rating.
    pub elo: f64,
    /// Half the width of its 95 % interval.
    pub error: Option<f64>,
    /// The group; ratings compare within a group only.
    pub component: usize,
    /// How reliable the rating is.
    pub standing: String,
}

/// Collects the statistics of records.
#[derive(Default)]
pub struct RecordCounter {
    records: usize,
    faults: usize,
    unfinished: usize,
    lengths: Vec<usize>,
    results: ResultCountsBySide,
    reasons: BTreeMap<&'static str, usize>,
    /// The sum of legal moves at each ply, and the number of positions.
    branching: Vec<(u64, u64)>,
    /// The numbers of the players.
    names: BTreeMap<String, usize>,
    /// By the numbers of two players, the score of the first.
    pairings: BTreeMap<(usize, usize), MatchScore>,
}

impl RecordCounter {
    /// Counts a record.
    pub fn add<G: Formats>(&mut self, parsed: &ParsedRecord<G>) {
        self.records += 1;
        if parsed.fault.is_some() {
            self.faults += 1;
            return;
        }
        let record = &parsed.record;
        self.lengths.push(record.plies().len());
        self.count_moves(record);
        let Some(ending) = record.ending() else {
            self.unfinished += 1;
            return;
        };
        *match ending.winner {
            Some(Side::First) => &mut self.results.first,
            None => &mut self.results.draw,
            Some(Side::Second) => &mut self.results.second,
        } += 1;
        *self.reasons.entry(ending.reason).or_default() += 1;
        let [first, second] = [tags::FIRST, tags::SECOND].map(|tag| record.tag(tag));
        if let (Some(first), Some(second)) = (first, second)
            && first != second
        {
            let (one, two) = (self.number(first), self.number(second));
            let outcome = Outcome::of(ending.winner, Side::First);
            self.pairings.entry((one, two)).or_default().add(outcome);
        }
    }

    fn count_moves<G: Game>(&mut self, record: &Record<G>) {
        let mut game = record.start().clone();
        for (ply, mv) in record.moves().enumerate() {
            if self.branching.len() <= ply {
                self.branching.resize(ply + 1, (0, 0));
            }
            self.branching[ply].0 += game.count();
            self.branching[ply].1 += 1;
            game.play(mv);
        }
    }

    fn number(&mut self, name: &str) -> usize {
        let next = self.names.len();
        *self.names.entry(name.to_owned()).or_insert(next)
    }

    /// The statistics of the records so far, which are those of `game`.
    pub fn stats(&self, game: &str) -> RecordStats {
        let (players, groups) = self.ratings();
        let branching = |&(moves, positions): &(u64, u64)| Some(moves as f64 / positions.max(1) as f64);
        RecordStats {
            game: game.to_owned(),
            records: self.records,
            faults: self.faults,
            unfinished: self.unfinished,
            plies: self.lengths(),
            results: self.results,
            reasons: self.reasons.iter().map(|(&reason, &count)| (reason.to_owned(), count)).collect(),
            branching: self.branching.iter().map(branching).collect(),
            players,
            player_count: self.names.len(),
            groups,
        }
    }

    fn lengths(&self) -> GameLengths {
        let mut sorted = self.lengths.clone();
        sorted.sort_unstable();
        let [.., longest] = sorted[..] else { return GameLengths::default() };
        let mean = sorted.iter().sum::<usize>() as f64 / sorted.len() as f64;
        GameLengths { shortest: sorted[0], median: sorted[sorted.len() / 2], mean, longest }
    }

    /// The rated players, the strongest first, and the number of groups.
    fn ratings(&self) -> (Vec<PlayerRating>, usize) {
        let rated = self.rated();
        let mut pool = RatingPool::new(rated.len());
        for (&(one, two), &score) in &self.pairings {
            if let (Some(&one), Some(&two)) = (rated.get(&one), rated.get(&two)) {
                // Both are players of the pool, and they differ.
                let _ = pool.add(one, two, score);
            }
        }
        let ratings = pool.ratings(RatingScale::MeanZero);
        let named = self.names.iter().filter_map(|(name, number)| Some((name, *rated.get(number)?)));
        let mut players: Vec<PlayerRating> = named
            .map(|(name, number)| {
                let rating = &ratings.players[number];
                PlayerRating {
                    name: name.clone(),
                    games: rating.games,
                    points: rating.points,
                    elo: rating.elo,
                    error: rating.half_width(),
                    component: rating.component,
                    standing: rating.status.to_string(),
                }
            })
            .collect();
        players.sort_by(|one, two| two.elo.total_cmp(&one.elo));
        (players, ratings.components)
    }

    /// The numbers of the players with the most games, and their numbers in the ratings.
    fn rated(&self) -> BTreeMap<usize, usize> {
        let mut games = vec![0; self.names.len()];
        for (&(one, two), score) in &self.pairings {
            games[one] += score.games();
            games[two] += score.games();
        }
        let mut busiest: Vec<usize> = (0..games.len()).collect();
        busiest.sort_by_key(|&player| (std::cmp::Reverse(games[player]), player));
        busiest.into_iter().take(MAX_RATED).enumerate().map(|(place, player)| (player, place)).collect()
    }
}
