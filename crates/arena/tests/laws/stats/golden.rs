//! Golden vectors: figures of a published implementation and of an independent one, which agree.

use tesuji_arena::stats::{Estimate, MatchScore, Pentanomial, ResultCounts, Sprt, SprtModel, SprtVerdict};

struct Row {
    counts: ResultCounts,
    elo: f64,
    half_width: Option<f64>,
    low: f64,
    high: f64,
    los: Option<f64>,
    nelo: Option<f64>,
    normalised: f64,
    logistic: f64,
    clamped: bool,
}

fn penta(counts: [u64; 5]) -> ResultCounts {
    Pentanomial::new(counts).into()
}

fn ldw(losses: u64, draws: u64, wins: u64) -> ResultCounts {
    MatchScore::new(wins, draws, losses).into()
}

/// Elo, half width, interval, LOS, nElo, and both log-likelihood ratios for [0, 5] at 5 %.
fn full(counts: ResultCounts, figures: [f64; 8]) -> Row {
    let [elo, half_width, low, high, los, nelo, normalised, logistic] = figures;
    Row {
        counts,
        elo,
        half_width: Some(half_width),
        low,
        high,
        los: Some(los),
        nelo: Some(nelo),
        normalised,
        logistic,
        clamped: false,
    }
}

fn degenerate(counts: ResultCounts, clamped: bool, figures: [f64; 5]) -> Row {
    let [elo, low, high, normalised, logistic] = figures;
    Row { counts, elo, half_width: None, low, high, los: None, nelo: None, normalised, logistic, clamped }
}

fn rows() -> Vec<Row> {
    vec![
        full(penta([39, 200, 520, 240, 51]), [10.5918, 9.1599, 1.4392, 19.7591, 0.988344, 17.1973, 1.274285, 1.848053]),
        full(penta([10, 50, 100, 60, 20]), [21.7431, 21.4503, 0.3757, 43.2762, 0.976950, 31.6286, 0.576758, 0.805131]),
        full(penta([0, 0, 3, 5, 2]), [168.2976, 98.7085, 82.3236, 279.7407, 0.999975, 315.3433, 0.134562, 0.142850]),
        full(ldw(300, 400, 350), [16.5571, 16.5543, 0.0404, 33.1489, 0.975279, 21.0664, 0.805859, 0.987020]),
        full(ldw(5, 0, 15), [190.8369, 217.5890, 42.0512, 477.2291, 0.995088, 200.5853, 0.141839, 0.141848]),
        degenerate(penta([0, 0, 0, 0, 10]), true, [1199.8262, 822.0312, 1199.8262, 0.201447, 0.142904]),
        degenerate(penta([10, 0, 0, 0, 0]), true, [-1199.8262, -1199.8262, -822.0312, -0.205589, -0.144976]),
        degenerate(penta([0, 0, 10, 0, 0]), false, [0.0, -3.4036, 3.4036, -0.002699, -0.139428]),
        degenerate(ldw(0, 0, 10), true, [1199.8262, 858.8147, 1199.8262, 0.142864, 0.142876]),
        degenerate(ldw(10, 0, 0), true, [-1199.8262, -1199.8262, -858.8147, -0.144935, -0.144947]),
    ]
}

#[track_caller]
fn close(found: f64, golden: f64, digits: i32, what: &str, counts: ResultCounts) {
    let unit = 10f64.powi(-digits);
    assert!((found - golden).abs() <= 0.5 * unit * 1.000_001, "{what} of {counts:?}: {found}, not {golden}");
}

#[test]
fn estimates_have_the_golden_digits() {
    for row in rows() {
        let estimate = Estimate::of(row.counts);
        close(estimate.elo, row.elo, 4, "Elo", row.counts);
        close(estimate.low, row.low, 4, "lower end", row.counts);
        close(estimate.high, row.high, 4, "upper end", row.counts);
        if let Some(half_width) = row.half_width {
            close(estimate.half_width(), half_width, 4, "half width", row.counts);
        }
        if let Some(los) = row.los {
            close(estimate.los, los, 6, "LOS", row.counts);
        }
        if let Some(nelo) = row.nelo {
            close(estimate.nelo, nelo, 4, "nElo", row.counts);
        }
        assert_eq!(estimate.clamped, row.clamped, "{:?}", row.counts);
    }
}

#[test]
fn log_likelihood_ratios_have_the_golden_digits() {
    let normalised = Sprt::new(0.0, 5.0, 0.05, 0.05, SprtModel::Normalised).unwrap();
    let logistic = Sprt::new(0.0, 5.0, 0.05, 0.05, SprtModel::Logistic).unwrap();
    for row in rows() {
        close(normalised.llr(row.counts), row.normalised, 6, "normalised LLR", row.counts);
        close(logistic.llr(row.counts), row.logistic, 6, "logistic LLR", row.counts);
        assert_eq!(normalised.verdict(row.counts), SprtVerdict::Inconclusive);
    }
}

#[test]
fn bounds_have_the_golden_digits() {
    let (lower, upper) = Sprt::default().bounds();
    assert!((lower + 2.944439).abs() < 5e-7 && (upper - 2.944439).abs() < 5e-7);
}
