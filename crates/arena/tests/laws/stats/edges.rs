//! Edge cases: no games, one game, one-sided results, huge counts.

use proptest::prelude::*;
use serde_json::Value;
use tesuji_arena::stats::{
    Estimate, EstimateWarning, Margins, MatchScore, PairingGame, PairingSummary, Pentanomial, ResultCounts, Sprt,
    SprtModel, SprtVerdict,
};
use tesuji_game::Outcome::{self, Draw, Loss, Win};
use tesuji_laws::for_all;

fn json(report: &impl serde::Serialize) -> Value {
    serde_json::to_value(report).expect("every report is JSON")
}

fn text(counts: impl Into<ResultCounts>) -> String {
    Estimate::of(counts).to_string()
}

fn game(outcome: Outcome, pair: u64) -> PairingGame {
    PairingGame { outcome, pair: Some(pair), margin: None }
}

#[test]
fn no_games() {
    let summary = PairingSummary::of("A", "B", &[], Some(Sprt::default()));
    assert_eq!(summary.estimate().warning(), Some(EstimateWarning::NoGames));
    assert_eq!(summary.estimate().to_string(), "no games");
    assert_eq!(summary.estimate().elo, 0.0);
    assert_eq!(summary.sprt.unwrap().1, 0.0);
    let json = json(&summary.report());
    assert_eq!(json["estimate"]["elo"], Value::Null);
    assert_eq!(json["sprt"]["verdict"], "inconclusive");
}

#[test]
fn few_games_give_a_warning() {
    for score in [
        MatchScore::new(1, 0, 0),
        MatchScore::new(0, 0, 1),
        MatchScore::new(2, 0, 0),
        MatchScore::new(1, 0, 1),
        MatchScore::new(0, 1, 0),
    ] {
        assert_eq!(text(score), "too few decisive games");
        assert_eq!(Sprt::default().verdict(score), SprtVerdict::Inconclusive);
    }
}

#[test]
fn all_wins_and_all_losses_are_bounds() {
    assert_eq!(text(MatchScore::new(10, 0, 0)), "above +858.8");
    assert_eq!(text(MatchScore::new(0, 0, 10)), "below -858.8");
    assert_eq!(text(Pentanomial::new([0, 0, 0, 0, 10])), "above +822.0");
    assert_eq!(text(Pentanomial::new([10, 0, 0, 0, 0])), "below -822.0");
    for score in [MatchScore::new(1_000_000, 0, 0), MatchScore::new(0, 0, 1_000_000)] {
        let estimate = Estimate::of(score);
        assert!(estimate.clamped && estimate.warning().is_none());
        let verdict = if score.wins > 0 { SprtVerdict::H1 } else { SprtVerdict::H0 };
        assert_eq!(Sprt::default().verdict(score), verdict, "a solver elsewhere hung here");
    }
}

#[test]
fn all_draws_give_a_warning() {
    assert_eq!(text(MatchScore::new(0, 100_000, 0)), "too few decisive games");
    assert_eq!(text(Pentanomial::new([0, 0, 100_000, 0, 0])), "too few decisive games");
    assert_eq!(text(Pentanomial::new([1, 0, 100_000, 1, 1])), "too few decisive games");
    assert_eq!(text(Pentanomial::new([1, 0, 100_000, 2, 1])), "0.0 [0.0, 0.0]");
}

#[test]
fn plus_minus_is_shown_only_where_it_is_true() {
    assert_eq!(text(Pentanomial::new([39, 200, 520, 240, 51])), "+10.6 ± 9.2");
    assert_eq!(text(MatchScore::new(15, 0, 5)), "+190.8 [+42.1, +477.2]");
    assert_eq!(text(MatchScore::new(50, 0, 50)), "0.0 [-69.0, +69.0]", "the error exceeds the estimate");
    assert_eq!(text(Pentanomial::new([0, 0, 3, 5, 2])), "+168.3 [+82.3, +279.7]", "one arm is clearly longer");
}

#[test]
fn unfinished_pairs_are_left_out_and_counted() {
    let games = [game(Win, 7), game(Draw, 9), game(Loss, 7), game(Win, 8), game(Win, 9), game(Draw, 3)];
    let summary = PairingSummary::of("A", "B", &games, None);
    assert_eq!(summary.score, MatchScore::new(3, 2, 1));
    assert_eq!(summary.pairs, Pentanomial { counts: [0, 0, 1, 1, 0], left_out: 2 });
    assert_eq!(summary.counts(), ResultCounts::Pairs(summary.pairs));
    let lines = summary.lines();
    assert!(lines.contains(&("pairs", "[0, 0, 1, 1, 0], 2 games left out".into())), "{lines:?}");
    assert_eq!(summary.report().left_out, 2);
}

#[test]
fn games_without_partners_are_counted_one_by_one() {
    let mut games = vec![PairingGame { outcome: Win, pair: None, margin: None }; 6];
    games.extend([game(Win, 0), game(Loss, 0)]);
    let summary = PairingSummary::of("A", "B", &games, None);
    assert_eq!(summary.pairs, Pentanomial { counts: [0, 0, 1, 0, 0], left_out: 6 });
    assert_eq!(summary.counts(), ResultCounts::Games(MatchScore::new(7, 0, 1)));
    assert_eq!(summary.report().by, "games");
}

#[test]
fn games_without_draws_use_three_bins() {
    let mut pairs = Pentanomial::default();
    for (one, other) in [(Win, Win), (Win, Loss), (Loss, Win), (Loss, Loss), (Win, Win)] {
        pairs.add(one, other);
    }
    assert_eq!(pairs.counts, [1, 0, 2, 0, 2]);
}

#[test]
fn margins_have_the_error_of_their_pairs() {
    // The opening decides by 20 discs, the players by 2: single games hide what pairs show.
    let games = [(0, 22), (0, -18), (1, -17), (1, 21), (2, 24), (2, -18)];
    let margins = Margins::gather(games);
    assert_eq!((margins.games, margins.pairs, margins.left_out), (6, 3, 0));
    assert!((margins.mean - 7.0 / 3.0).abs() < 1e-12 && (margins.pair_mean - 7.0 / 3.0).abs() < 1e-12);
    // Pair means are 2, 2 and 3: variance 1/3, over 3 pairs.
    assert!((margins.pair_error.unwrap() - 1.0 / 3.0).abs() < 1e-12);
    assert!(margins.error.unwrap() > 8.0);
    let lone = Margins::gather([(0, 5), (1, 7)]);
    assert_eq!((lone.pairs, lone.pair_error, lone.left_out), (0, None, 2));
    assert_eq!(Margins::gather([(0, 4)]).error, None);
    assert_eq!(Margins::gather::<u8>([]), Margins::default());
}

#[test]
fn impossible_tests_are_refused_with_the_reason() {
    let refused =
        |elo0, elo1, alpha, beta| Sprt::new(elo0, elo1, alpha, beta, SprtModel::Logistic).unwrap_err().to_string();
    assert_eq!(refused(5.0, 0.0, 0.05, 0.05), "SPRT bounds [5, 0]: the first must be below the second");
    assert_eq!(refused(0.0, 900.0, 0.05, 0.05), "SPRT bound 900: bounds lie between -200 and 200 Elo");
    assert!(refused(0.0, 5.0, 0.5, 0.5).contains("sum below 1"));
    for (elo0, elo1, alpha, beta) in [
        (f64::NAN, 5.0, 0.05, 0.05),
        (0.0, f64::INFINITY, 0.05, 0.05),
        (1.0, 1.0, 0.05, 0.05),
        (0.0, 5.0, 0.0, 0.05),
        (0.0, 5.0, 0.05, f64::NAN),
        (0.0, 5.0, -0.1, 0.05),
    ] {
        assert!(Sprt::new(elo0, elo1, alpha, beta, SprtModel::Normalised).is_err());
    }
}

/// Counts of every size up to the largest number there is.
fn count() -> impl Strategy<Value = u64> {
    prop_oneof![2 => Just(0), 3 => 0..20u64, 3 => 0..100_000u64, 1 => any::<u64>(), 1 => Just(u64::MAX)]
}

fn counts() -> impl Strategy<Value = ResultCounts> {
    prop_oneof![
        [count(), count(), count()].prop_map(|[wins, draws, losses]| MatchScore::new(wins, draws, losses).into()),
        [count(), count(), count(), count(), count()].prop_map(|counts| Pentanomial::new(counts).into()),
    ]
}

fn turned(counts: ResultCounts) -> ResultCounts {
    match counts {
        ResultCounts::Games(score) => score.reversed().into(),
        ResultCounts::Pairs(pairs) => pairs.reversed().into(),
    }
}

#[test]
fn every_figure_is_finite_and_in_order() {
    for_all(3000, counts(), |counts| {
        let estimate = Estimate::of(counts);
        let Estimate { mean, variance, error, elo, low, high, los, nelo, nelo_error, .. } = estimate;
        let figures = [mean, variance, error, elo, low, high, los, nelo, nelo_error, estimate.half_width()];
        if !figures.iter().all(|figure| figure.is_finite()) {
            return Err(format!("{estimate:?}"));
        }
        if !(low <= elo && elo <= high && (0.0..=1.0).contains(&los) && variance > 0.0) {
            return Err(format!("out of order: {estimate:?}"));
        }
        let shown = format!("{estimate} {}", json(&estimate.report()));
        if ["NaN", "inf"].iter().any(|bad| shown.contains(bad)) { Err(shown) } else { Ok(()) }
    });
}

#[test]
fn figures_are_antisymmetric() {
    for_all(2000, counts(), |counts| {
        let (here, there) = (Estimate::of(counts), Estimate::of(turned(counts)));
        let same = |one: f64, other: f64| (one - other).abs() <= 1e-7 * (1.0 + one.abs());
        let agree = same(here.elo, -there.elo)
            && same(here.low, -there.high)
            && same(here.los, 1.0 - there.los)
            && same(here.variance, there.variance);
        if agree { Ok(()) } else { Err(format!("{here:?} {there:?}")) }
    });
}

#[test]
fn every_test_is_finite_and_antisymmetric() {
    let bounds = (-200.0..199.0f64, 0.01..1.0f64).prop_map(|(elo0, share)| (elo0, elo0 + share * (200.0 - elo0)));
    for_all(3000, (counts(), bounds, any::<bool>()), |(counts, (elo0, elo1), logistic)| {
        let model = if logistic { SprtModel::Logistic } else { SprtModel::Normalised };
        let sprt = Sprt::new(elo0, elo1, 0.05, 0.05, model).map_err(|error| error.to_string())?;
        let mirrored = Sprt::new(-elo1, -elo0, 0.05, 0.05, model).map_err(|error| error.to_string())?;
        let (here, there) = (sprt.llr(counts), mirrored.llr(turned(counts)));
        if !here.is_finite() {
            return Err(format!("LLR {here}"));
        }
        let weight = counts.observations() as f64;
        if (here + there).abs() > 1e-6 * (1.0 + here.abs()) + 1e-8 * weight {
            return Err(format!("{here} on one side, {there} on the other"));
        }
        Ok(())
    });
}
