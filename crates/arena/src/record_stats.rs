//! Statistics of game records: lengths, results, endings, branching factor, phases, openings, and ratings of the players.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tesuji_game::{Ending, Game, OpeningKind, OpeningName, Outcome, ParsedRecord, Record, Side, tags};

use crate::game_phases::{GamePhases, PhaseCounter, PhaseFacts};
use crate::stats::{MatchScore, RatingPool, RatingScale};

/// Players that are rated, those with the most games: the work grows with the cube of their number.
const MAX_RATED: usize = 500;
/// Parts of a game of equal length: its opening, middle game and endgame.
const PHASES: usize = 3;

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
    /// The mean number of legal moves over all positions.
    pub mean_branching: f64,
    /// The mean number of legal moves in the first, second and last third of the games.
    pub phases: [f64; PHASES],
    /// Where the phases of the game begin.
    #[serde(default)]
    pub begins: GamePhases,
    /// The decimal logarithm of the number of games of this length and branching: the mean of the sum over a game.
    pub tree_size: f64,
    /// Openings and castles, the most frequent first.
    pub openings: Vec<OpeningResults>,
    /// The rated players, the strongest first.
    pub players: Vec<PlayerRating>,
    /// All players, rated or not.
    #[serde(skip)]
    pub player_count: usize,
    /// Groups of players that never met.
    #[serde(skip)]
    pub groups: usize,
}

/// The results of an opening or castle.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OpeningResults {
    /// `opening` or `castle`.
    pub kind: String,
    /// The English name.
    pub name: String,
    /// The name in the language of the game's home; empty where it is the same.
    pub native: String,
    /// Whether one side plays it, so that results are seen by that side; otherwise by the first player.
    pub by_side: bool,
    /// How often it was played.
    pub games: usize,
    /// Games won.
    pub wins: usize,
    /// Games drawn.
    pub draws: usize,
    /// Games lost.
    pub losses: usize,
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

/// What the statistics need of a record.
#[derive(Clone, Debug)]
pub struct RecordFacts {
    has_fault: bool,
    /// The number of legal moves at each ply.
    branching: Vec<u32>,
    ending: Option<Ending>,
    players: [Option<String>; 2],
    openings: Vec<OpeningName>,
    phases: PhaseFacts,
}

impl RecordFacts {
    /// The facts of a record with these named openings. This replays the record.
    pub fn of<G: Game>(parsed: &ParsedRecord<G>, openings: Vec<OpeningName>) -> RecordFacts {
        let ParsedRecord { record, fault } = parsed;
        RecordFacts {
            has_fault: fault.is_some(),
            branching: if fault.is_none() { branching(record) } else { Vec::new() },
            ending: record.ending(),
            players: [tags::FIRST, tags::SECOND].map(|tag| record.tag(tag).map(str::to_owned)),
            openings,
            phases: if fault.is_none() { PhaseFacts::of(record) } else { PhaseFacts::default() },
        }
    }
}

/// The number of legal moves at each ply.
fn branching<G: Game>(record: &Record<G>) -> Vec<u32> {
    let mut game = record.start().clone();
    let count = |mv: G::Move| {
        let moves = game.count();
        game.play(mv);
        u32::try_from(moves).unwrap_or(u32::MAX)
    };
    record.moves().map(count).collect()
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
    branching: Vec<MeanCount>,
    phases: [MeanCount; PHASES],
    begins: PhaseCounter,
    /// The sum of the logarithms of all numbers of legal moves.
    tree_sizes: f64,
    /// Games, wins, draws and losses by kind, name, and whether one side plays it.
    openings: BTreeMap<(OpeningKind, &'static str, &'static str, bool), [usize; 4]>,
    /// The numbers of the players.
    names: BTreeMap<String, usize>,
    /// By the numbers of two players, the score of the first.
    pairings: BTreeMap<(usize, usize), MatchScore>,
}

/// A sum of counts, and how many they are.
#[derive(Clone, Copy, Debug, Default)]
struct MeanCount {
    sum: u64,
    count: u64,
}

impl MeanCount {
    fn add(&mut self, value: u32) {
        self.sum += u64::from(value);
        self.count += 1;
    }

    fn mean(self) -> f64 {
        self.sum as f64 / self.count.max(1) as f64
    }
}

impl RecordCounter {
    /// Counts a record.
    pub fn add(&mut self, facts: &RecordFacts) {
        self.records += 1;
        if facts.has_fault {
            self.faults += 1;
            return;
        }
        self.lengths.push(facts.branching.len());
        self.count_moves(&facts.branching);
        self.count_openings(facts);
        self.begins.add(&facts.phases);
        let Some(ending) = facts.ending else {
            self.unfinished += 1;
            return;
        };
        *match ending.winner {
            Some(Side::First) => &mut self.results.first,
            None => &mut self.results.draw,
            Some(Side::Second) => &mut self.results.second,
        } += 1;
        *self.reasons.entry(ending.reason).or_default() += 1;
        if let [Some(first), Some(second)] = &facts.players
            && first != second
        {
            let (one, two) = (self.number(first), self.number(second));
            let outcome = Outcome::of(ending.winner, Side::First);
            self.pairings.entry((one, two)).or_default().add(outcome);
        }
    }

    fn count_moves(&mut self, branching: &[u32]) {
        let plies = branching.len();
        if self.branching.len() < plies {
            self.branching.resize(plies, MeanCount::default());
        }
        for (ply, &moves) in branching.iter().enumerate() {
            self.branching[ply].add(moves);
            self.phases[PHASES * ply / plies].add(moves);
            self.tree_sizes += f64::from(moves.max(1)).log10();
        }
    }

    fn count_openings(&mut self, facts: &RecordFacts) {
        for &OpeningName { kind, side, name, native } in &facts.openings {
            let counts = self.openings.entry((kind, name, native, side.is_some())).or_default();
            counts[0] += 1;
            if let Some(ending) = facts.ending {
                let outcome = Outcome::of(ending.winner, side.unwrap_or(Side::First));
                counts[match outcome {
                    Outcome::Win => 1,
                    Outcome::Draw => 2,
                    Outcome::Loss => 3,
                }] += 1;
            }
        }
    }

    fn number(&mut self, name: &str) -> usize {
        let next = self.names.len();
        *self.names.entry(name.to_owned()).or_insert(next)
    }

    /// The statistics of the records so far, which are those of `game`. Players with fewer than `min_games` games are
    /// not rated.
    pub fn stats(&self, game: &str, min_games: usize) -> RecordStats {
        let (players, groups) = self.ratings(min_games);
        let all = MeanCount {
            sum: self.phases.iter().map(|phase| phase.sum).sum(),
            count: self.phases.iter().map(|phase| phase.count).sum(),
        };
        RecordStats {
            game: game.to_owned(),
            records: self.records,
            faults: self.faults,
            unfinished: self.unfinished,
            plies: self.lengths(),
            results: self.results,
            reasons: self.reasons.iter().map(|(&reason, &count)| (reason.to_owned(), count)).collect(),
            branching: self.branching.iter().map(|count| Some(count.mean())).collect(),
            mean_branching: all.mean(),
            phases: self.phases.map(MeanCount::mean),
            begins: self.begins.phases(),
            tree_size: self.tree_sizes / self.lengths.len().max(1) as f64,
            openings: self.openings(),
            players,
            player_count: self.names.len(),
            groups,
        }
    }

    fn openings(&self) -> Vec<OpeningResults> {
        let mut openings = Vec::with_capacity(self.openings.len());
        for (&(kind, name, native, by_side), &[games, wins, draws, losses]) in &self.openings {
            let kind = match kind {
                OpeningKind::Opening => "opening",
                OpeningKind::Castle => "castle",
            };
            let (kind, name, native) = (kind.to_owned(), name.to_owned(), native.to_owned());
            openings.push(OpeningResults { kind, name, native, by_side, games, wins, draws, losses });
        }
        openings.sort_by_key(|opening| std::cmp::Reverse(opening.games));
        openings
    }

    fn lengths(&self) -> GameLengths {
        let mut sorted = self.lengths.clone();
        sorted.sort_unstable();
        let [.., longest] = sorted[..] else { return GameLengths::default() };
        let mean = sorted.iter().sum::<usize>() as f64 / sorted.len() as f64;
        GameLengths { shortest: sorted[0], median: sorted[sorted.len() / 2], mean, longest }
    }

    /// The rated players, the strongest first, and the number of groups.
    fn ratings(&self, min_games: usize) -> (Vec<PlayerRating>, usize) {
        let rated = self.rated(min_games);
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

    /// The numbers of the players with the most games, and their numbers in the ratings. Each of them has at least
    /// `min_games` games against others of them.
    fn rated(&self, min_games: usize) -> BTreeMap<usize, usize> {
        let mut is_rated = vec![true; self.names.len()];
        let games = loop {
            let mut games = vec![0_u64; self.names.len()];
            for (&(one, two), score) in &self.pairings {
                if is_rated[one] && is_rated[two] {
                    games[one] += score.games();
                    games[two] += score.games();
                }
            }
            // Without them others may have too few games.
            let few: Vec<usize> =
                (0..games.len()).filter(|&player| is_rated[player] && games[player] < min_games as u64).collect();
            if few.is_empty() {
                break games;
            }
            few.into_iter().for_each(|player| is_rated[player] = false);
        };
        let mut busiest: Vec<usize> = (0..games.len()).filter(|&player| is_rated[player]).collect();
        busiest.sort_by_key(|&player| (std::cmp::Reverse(games[player]), player));
        busiest.into_iter().take(MAX_RATED).enumerate().map(|(place, player)| (player, place)).collect()
    }
}
