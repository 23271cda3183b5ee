//! Figures of a pile of records: how long, how they ended, who won, and how strong the players are.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tesuji_arena::stats::{Gauge, RatingPool, Ratings, MatchScore, RatingStatus};
use tesuji_game::{Outcome, Reading, Record, Side, tags};

use crate::command::{counted, player};
use crate::entry::Playable;
use crate::failure::Done;
use crate::out::Out;

/// Plies between two rows of the table of branching.
const STEP: usize = 10;
/// Players shown; JSON has all that are rated.
const SHOWN: usize = 30;
/// Players rated, those with the most games: the work grows with the cube of their number.
const RATED: usize = 500;

/// What was found so far.
pub(super) struct Records<G: Playable> {
    records: usize,
    faults: usize,
    unfinished: usize,
    lengths: Vec<usize>,
    /// First player's wins, draws, second player's wins.
    results: [usize; 3],
    reasons: BTreeMap<&'static str, usize>,
    /// Legal moves in all at each ply, and positions.
    branching: Vec<(u64, u64)>,
    names: BTreeMap<String, usize>,
    /// By the numbers of two players, the score of the first of them.
    meetings: BTreeMap<(usize, usize), MatchScore>,
    game: std::marker::PhantomData<G>,
}

impl<G: Playable> Default for Records<G> {
    fn default() -> Records<G> {
        Records {
            records: 0,
            faults: 0,
            unfinished: 0,
            lengths: Vec::new(),
            results: [0; 3],
            reasons: BTreeMap::new(),
            branching: Vec::new(),
            names: BTreeMap::new(),
            meetings: BTreeMap::new(),
            game: std::marker::PhantomData,
        }
    }
}

impl<G: Playable> Records<G> {
    /// ResultCounts a record; of one with a fault nothing but that it has one.
    pub(super) fn add(&mut self, reading: &Reading<G>) {
        self.records += 1;
        if reading.fault.is_some() {
            self.faults += 1;
            return;
        }
        let record = &reading.record;
        self.lengths.push(record.plies().len());
        self.count_moves(record);
        let Some(ending) = record.ending() else {
            self.unfinished += 1;
            return;
        };
        let place = match ending.winner {
            Some(Side::First) => 0,
            None => 1,
            Some(Side::Second) => 2,
        };
        self.results[place] += 1;
        *self.reasons.entry(ending.reason).or_default() += 1;
        let [first, second] = [tags::FIRST, tags::SECOND].map(|tag| record.tag(tag));
        if let (Some(first), Some(second)) = (first, second)
            && first != second
        {
            let (one, two) = (self.number(first), self.number(second));
            let outcome = Outcome::of(ending.winner, Side::First);
            self.meetings.entry((one, two)).or_default().add(outcome);
        }
    }

    fn count_moves(&mut self, record: &Record<G>) {
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

    /// Everybody who is rated, the strongest first, by name and number in the ratings.
    fn table(&self) -> (Vec<(&str, usize)>, Ratings) {
        let rated = self.rated();
        let mut pool = RatingPool::new(rated.len());
        for (&(one, two), &score) in &self.meetings {
            if let (Some(&one), Some(&two)) = (rated.get(&one), rated.get(&two)) {
                // Both are players of the pool and not the same one.
                let _ = pool.add(one, two, score);
            }
        }
        let ratings = pool.ratings(Gauge::MeanZero);
        let named = self.names.iter().filter_map(|(name, number)| Some((name.as_str(), *rated.get(number)?)));
        let mut order: Vec<(&str, usize)> = named.collect();
        order.sort_by(|(_, one), (_, two)| ratings.players[*two].elo.total_cmp(&ratings.players[*one].elo));
        (order, ratings)
    }

    /// The numbers of the players with the most games, and their numbers in the ratings.
    fn rated(&self) -> BTreeMap<usize, usize> {
        let mut games = vec![0; self.names.len()];
        for (&(one, two), score) in &self.meetings {
            games[one] += score.games();
            games[two] += score.games();
        }
        let mut busiest: Vec<usize> = (0..games.len()).collect();
        busiest.sort_by_key(|&player| (std::cmp::Reverse(games[player]), player));
        busiest.into_iter().take(RATED).enumerate().map(|(place, player)| (player, place)).collect()
    }

    fn mean(&self) -> f64 {
        self.lengths.iter().sum::<usize>() as f64 / self.lengths.len().max(1) as f64
    }

    /// Shortest, median, longest.
    fn spread(&self) -> [usize; 3] {
        let mut sorted = self.lengths.clone();
        sorted.sort_unstable();
        match sorted[..] {
            [] => [0; 3],
            ref all => [all[0], all[all.len() / 2], all[all.len() - 1]],
        }
    }

    fn moves_at(&self, ply: usize) -> Option<f64> {
        let &(moves, positions) = self.branching.get(ply)?;
        Some(moves as f64 / positions.max(1) as f64)
    }

    pub(super) fn json(&self) -> Value {
        let [shortest, median, longest] = self.spread();
        let [first, draw, second] = self.results;
        let (order, ratings) = self.table();
        let players: Vec<Value> = order
            .iter()
            .map(|&(name, number)| {
                let rating = &ratings.players[number];
                json!({
                    "name": name, "games": rating.games, "points": rating.points,
                    "elo": rating.elo, "error": rating.half_width(), "component": rating.component,
                    "status": words(rating.status),
                })
            })
            .collect();
        let branching: Vec<Option<f64>> = (0..self.branching.len()).map(|ply| self.moves_at(ply)).collect();
        json!({
            "game": G::NAME, "records": self.records, "faults": self.faults, "unfinished": self.unfinished,
            "plies": { "shortest": shortest, "median": median, "mean": self.mean(), "longest": longest },
            "results": { "first": first, "draw": draw, "second": second },
            "reasons": self.reasons, "branching": branching, "players": players,
        })
    }

    pub(super) fn tell(&self, out: &mut Out) -> Done {
        let [shortest, median, longest] = self.spread();
        let share = |part: usize, all: usize| 100.0 * part as f64 / all.max(1) as f64;
        out.line(format_args!(
            "records   {}, {} with faults, {} unfinished",
            self.records, self.faults, self.unfinished
        ))?;
        let mean = self.mean();
        out.line(format_args!("plies     {shortest} to {longest}, median {median}, mean {mean:.1}"))?;
        let ended: usize = self.results.iter().sum();
        let words = [player::<G>(Side::First), "draw", player::<G>(Side::Second)];
        let results = words.iter().zip(self.results);
        let results: Vec<String> =
            results.map(|(word, count)| format!("{word} {count} ({:.1} %)", share(count, ended))).collect();
        out.line(format_args!("results   {}", results.join(", ")))?;
        let reasons: Vec<String> =
            self.reasons.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        out.line(format_args!(
            "endings   {}",
            if reasons.is_empty() { "none".to_owned() } else { reasons.join(", ") }
        ))?;
        let moves: Vec<String> = (0..self.branching.len())
            .step_by(STEP)
            .filter_map(|ply| Some(format!("{:.1} at {}", self.moves_at(ply)?, ply + 1)))
            .collect();
        out.line(format_args!(
            "moves     {}",
            if moves.is_empty() { "none".to_owned() } else { moves.join(", ") }
        ))?;
        self.tell_players(out)
    }

    fn tell_players(&self, out: &mut Out) -> Done {
        let (order, ratings) = self.table();
        if order.is_empty() {
            return Ok(());
        }
        out.line("")?;
        out.line(format_args!("{:>4}  {:<32}{:>7} {:>9}   rating", "", "player", "games", "points"))?;
        for (place, &(name, number)) in order.iter().take(SHOWN).enumerate() {
            let rating = &ratings.players[number];
            let error = rating.half_width().map_or(String::new(), |error| format!(" ± {error:.0}"));
            let note = match words(rating.status) {
                "rated" => String::new(),
                word => format!("  ({word})"),
            };
            out.line(format_args!(
                "{:>4}  {name:<32}{:>7} {:>9.1}   {:+.0}{error}{note}",
                place + 1,
                rating.games,
                rating.points,
                rating.elo
            ))?;
        }
        if order.len() > SHOWN {
            out.line(format_args!("      and {}", counted(order.len() - SHOWN, "other player")))?;
        }
        if self.names.len() > RATED {
            let all = self.names.len();
            out.line(format_args!(
                "      of {all} players the {RATED} with the most games are rated, by games among them"
            ))?;
        }
        if ratings.components > 1 {
            let groups = ratings.components;
            out.line(format_args!(
                "      {groups} groups that never met: ratings compare within a group only"
            ))?;
        }
        Ok(())
    }
}

fn words(status: RatingStatus) -> &'static str {
    match status {
        RatingStatus::Rated => "rated",
        RatingStatus::WonAll => "won every game",
        RatingStatus::LostAll => "lost every game",
        RatingStatus::Held => "won or lost every game against the others",
        RatingStatus::Unplayed => "no games",
    }
}
