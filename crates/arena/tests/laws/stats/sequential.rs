//! Sequential tests simulated on players of known strength: their error rates match the settings.

use tesuji_arena::stats::{MatchScore, Pentanomial, ResultCounts, Sprt, SprtModel, SprtVerdict, expected_score};
use tesuji_search::Rng;

/// Tests per hypothesis.
const RUNS: u64 = 1000;

/// Draws of an error of 5 % over [`RUNS`] tests stay below this with a probability of 99.9 %: 50 expected, with a
/// standard deviation of 6.9.
const MOST_ERRORS: u64 = 72;

/// Probabilities of a loss, a draw and a win for a player `elo` ahead, when draws take `drawish` Elo on either side.
fn chances(elo: f64, drawish: f64) -> [f64; 3] {
    let (win, loss) = (expected_score(elo - drawish), expected_score(-elo - drawish));
    [loss, 1.0 - win - loss, win]
}

/// Chances of the five results of a pair, over openings that favour one side by up to `bias` Elo.
fn pair_chances(elo: f64, drawish: f64, bias: f64) -> [f64; 5] {
    let mut five = [0.0; 5];
    let openings = [-1.0, -0.5, 0.0, 0.5, 1.0];
    for opening in openings {
        let (one, other) = (chances(elo + opening * bias, drawish), chances(elo - opening * bias, drawish));
        for (first, share) in one.iter().enumerate() {
            for (second, partner) in other.iter().enumerate() {
                five[first + second] += share * partner / openings.len() as f64;
            }
        }
    }
    five
}

/// What the two kinds of observation have in common.
#[derive(Clone, Copy)]
enum Kind {
    Games,
    Pentanomial,
}

impl Kind {
    fn chances(self, elo: f64) -> Vec<f64> {
        match self {
            Kind::Games => chances(elo, 60.0).to_vec(),
            Kind::Pentanomial => pair_chances(elo, 60.0, 150.0).to_vec(),
        }
    }

    /// The strength in units of `model`, from the chances, by their definition.
    fn measure(self, chances: &[f64], model: SprtModel) -> f64 {
        let value = |at: usize| at as f64 / (chances.len() - 1) as f64;
        let mean: f64 = chances.iter().enumerate().map(|(at, chance)| chance * value(at)).sum();
        let variance: f64 = chances.iter().enumerate().map(|(at, chance)| chance * (value(at) - mean).powi(2)).sum();
        let games = match self {
            Kind::Games => 1.0,
            Kind::Pentanomial => 2.0,
        };
        match model {
            SprtModel::Logistic => -400.0 * (1.0 / mean - 1.0).log10(),
            SprtModel::Normalised => (mean - 0.5) / (games * variance).sqrt() * 800.0 / std::f64::consts::LN_10,
        }
    }

    /// Chances of players that are exactly `target` apart in units of `model`.
    fn players(self, target: f64, model: SprtModel) -> Vec<f64> {
        let (mut low, mut high) = (-500.0, 500.0);
        for _ in 0..100 {
            let middle = (low + high) / 2.0;
            if self.measure(&self.chances(middle), model) < target { low = middle } else { high = middle }
        }
        self.chances(low)
    }

    fn counts(self, counts: &[u64]) -> ResultCounts {
        match (self, counts) {
            (Kind::Games, &[losses, draws, wins]) => MatchScore::new(wins, draws, losses).into(),
            (_, counts) => Pentanomial::new(counts.try_into().unwrap()).into(),
        }
    }
}

/// Plays one test to its end: the verdict and the observations it took.
fn play(sprt: &Sprt, kind: Kind, chances: &[f64], rng: &mut Rng, batch: u64) -> (SprtVerdict, u64) {
    let mut counts = vec![0u64; chances.len()];
    for played in 1.. {
        let mut left = rng.unit();
        let at = chances.iter().position(|chance| {
            left -= chance;
            left < 0.0
        });
        counts[at.unwrap_or(chances.len() - 1)] += 1;
        if played % batch == 0 {
            let verdict = sprt.verdict(kind.counts(&counts));
            if verdict != SprtVerdict::Inconclusive {
                return (verdict, played);
            }
        }
    }
    unreachable!("a test ends with probability 1")
}

/// Wrong verdicts when `elo0` and when `elo1` is true, and the mean length.
fn errors(sprt: &Sprt, kind: Kind, batch: u64, seed: u64) -> ([u64; 2], u64) {
    let mut rng = Rng::new(seed);
    let (elo0, elo1) = sprt.hypotheses();
    let mut total = 0;
    let wrong = [(elo0, SprtVerdict::H1), (elo1, SprtVerdict::H0)].map(|(truth, wrong)| {
        let chances = kind.players(truth, sprt.model());
        let mut errors = 0;
        for _ in 0..RUNS {
            let (verdict, length) = play(sprt, kind, &chances, &mut rng, batch);
            errors += u64::from(verdict == wrong);
            total += length;
        }
        errors
    });
    (wrong, total / (2 * RUNS))
}

#[track_caller]
fn keeps_its_error_rates(kind: Kind, model: SprtModel, seed: u64) {
    let sprt = Sprt::new(0.0, 50.0, 0.05, 0.05, model).unwrap();
    let (wrong, length) = errors(&sprt, kind, 4, seed);
    println!("{sprt}: {wrong:?} wrong of {RUNS} each, mean length {length}");
    assert!(wrong.iter().all(|&errors| errors <= MOST_ERRORS), "{sprt}: {wrong:?} wrong of {RUNS}");
    // A test that is hardly ever wrong wastes games.
    assert!(wrong.iter().all(|&errors| errors >= 10), "{sprt}: {wrong:?} wrong of {RUNS}");
}

#[test]
fn games_by_logistic_elo() {
    keeps_its_error_rates(Kind::Games, SprtModel::Logistic, 1);
}

#[test]
fn games_by_normalised_elo() {
    keeps_its_error_rates(Kind::Games, SprtModel::Normalised, 2);
}

#[test]
fn pairs_by_logistic_elo() {
    keeps_its_error_rates(Kind::Pentanomial, SprtModel::Logistic, 3);
}

#[test]
fn pairs_by_normalised_elo() {
    keeps_its_error_rates(Kind::Pentanomial, SprtModel::Normalised, 4);
}
