//! Ratings over many players.

use proptest::prelude::*;
use tesuji_arena::stats::{MatchScore, PoolError, Rating, RatingPool, RatingScale, RatingStatus, expected_score};
use tesuji_laws::for_all;

fn pool(players: usize, results: &[(usize, usize, f64, f64)]) -> RatingPool {
    let mut pool = RatingPool::new(players);
    for &(one, other, points, games) in results {
        pool.add_points(one, other, points, games - points).unwrap();
    }
    pool
}

#[track_caller]
fn agree(found: &[f64], golden: &[f64]) {
    assert_eq!(found.len(), golden.len());
    for (found_one, golden_one) in found.iter().zip(golden) {
        assert!((found_one - golden_one).abs() < 5.1e-5, "{found:?}, not {golden:?}");
    }
}

fn elos(pool: &RatingPool, scale: RatingScale) -> Vec<f64> {
    pool.ratings(scale).players.iter().map(|rating| rating.elo).collect()
}

fn errors(pool: &RatingPool, scale: RatingScale) -> Vec<f64> {
    pool.ratings(scale).players.iter().map(|rating| rating.error.unwrap()).collect()
}

#[test]
fn golden_triangle() {
    let pool = pool(3, &[(0, 1, 6.0, 10.0), (1, 2, 7.0, 10.0), (0, 2, 8.0, 10.0)]);
    agree(&elos(&pool, RatingScale::MeanZero), &[102.7485, 25.9017, -128.6502]);
    agree(&errors(&pool, RatingScale::MeanZero), &[57.9753, 54.9843, 60.1810]);
    let ratings = pool.ratings(RatingScale::MeanZero);
    agree(&[ratings.difference(0, 2).unwrap().error], &[104.6064]);
    assert!(ratings.players.iter().all(|rating| rating.status == RatingStatus::Rated));
    assert_eq!(ratings.components, 1);
}

#[test]
fn golden_chain() {
    let pool = pool(4, &[(0, 1, 5.5, 10.0), (1, 2, 6.0, 10.0), (2, 3, 12.0, 20.0)]);
    agree(&elos(&pool, RatingScale::MeanZero), &[78.9724, 44.1124, -26.3241, -96.7606]);
    agree(&errors(&pool, RatingScale::MeanZero), &[101.9562, 65.5632, 65.5632, 86.2674]);
}

#[test]
fn golden_two() {
    let mut pool = RatingPool::new(2);
    pool.add(1, 0, MatchScore::new(5, 0, 15)).unwrap();
    agree(&elos(&pool, RatingScale::MeanZero), &[95.4243, -95.4243]);
    agree(&[pool.ratings(RatingScale::MeanZero).difference(0, 1).unwrap().elo], &[190.8485]);
}

#[test]
fn an_anchor_shifts_ratings_and_takes_its_own_error_away() {
    let pool = pool(3, &[(0, 1, 6.0, 10.0), (1, 2, 7.0, 10.0), (0, 2, 8.0, 10.0)]);
    let scale = RatingScale::Anchor { player: 2, elo: 1500.0 };
    agree(&elos(&pool, scale), &[1731.3986, 1654.5519, 1500.0]);
    let (free, anchored) = (pool.ratings(RatingScale::MeanZero), pool.ratings(scale));
    for player in 0..3 {
        let difference = free.difference(player, 2).unwrap();
        agree(&[anchored.players[player].error.unwrap()], &[difference.error]);
        agree(&[anchored.difference(player, 2).unwrap().elo], &[difference.elo]);
    }
    assert_eq!(anchored.scale, scale);
    let outside = pool.ratings(RatingScale::Anchor { player: 7, elo: 1500.0 });
    assert_eq!(outside.scale, RatingScale::MeanZero, "an anchor that does not play is no anchor, and says so");
}

#[test]
fn players_that_win_or_lose_every_game_are_held_and_labelled() {
    let pool =
        pool(4, &[(0, 1, 10.0, 10.0), (0, 2, 10.0, 10.0), (1, 2, 5.0, 10.0), (3, 1, 0.0, 10.0), (3, 2, 0.0, 10.0)]);
    let ratings = pool.ratings(RatingScale::MeanZero);
    let standings: Vec<RatingStatus> = ratings.players.iter().map(|rating| rating.status).collect();
    assert_eq!(standings, [RatingStatus::WonAll, RatingStatus::Rated, RatingStatus::Rated, RatingStatus::LostAll]);
    assert!(ratings.players[0].elo > 200.0 && ratings.players[3].elo < -200.0);
    assert!((ratings.players[1].elo - ratings.players[2].elo).abs() < 1e-6);
}

#[test]
fn two_players_of_which_one_wins_everything() {
    let ratings = pool(2, &[(0, 1, 10.0, 10.0)]).ratings(RatingScale::MeanZero);
    assert_eq!(ratings.players[0].status, RatingStatus::WonAll);
    assert_eq!(ratings.players[1].status, RatingStatus::LostAll);
    assert!((ratings.players[0].elo + ratings.players[1].elo).abs() < 1e-9);
    assert!(ratings.players[0].elo > 100.0 && ratings.players[0].elo < 1500.0);
}

#[test]
fn a_group_that_beats_another_group_without_exception_is_held() {
    let pool = pool(5, &[(0, 1, 5.0, 10.0), (2, 3, 5.0, 10.0), (3, 4, 6.0, 10.0), (0, 2, 4.0, 4.0)]);
    let ratings = pool.ratings(RatingScale::MeanZero);
    assert_eq!(ratings.players[0].status, RatingStatus::Held);
    assert_eq!(ratings.players[1].status, RatingStatus::Held);
    assert_eq!(ratings.players[2].status, RatingStatus::Rated);
    assert_eq!(ratings.components, 1);
    assert!(ratings.players[0].elo > ratings.players[2].elo + 100.0);
}

#[test]
fn components_are_rated_apart_and_never_compared() {
    let pool = pool(5, &[(0, 2, 6.0, 10.0), (1, 4, 3.0, 10.0)]);
    let ratings = pool.ratings(RatingScale::Anchor { player: 1, elo: 2000.0 });
    let components: Vec<usize> = ratings.players.iter().map(|rating| rating.component).collect();
    assert_eq!(components, [0, 1, 0, 2, 1]);
    assert_eq!(ratings.components, 3);
    assert_eq!(ratings.difference(0, 1), None);
    assert_eq!(ratings.difference(0, 9), None);
    assert!((ratings.players[0].elo + ratings.players[2].elo).abs() < 1e-9);
    assert_eq!(ratings.players[1].elo, 2000.0);
    assert_eq!(ratings.players[3].status, RatingStatus::Unplayed);
    assert_eq!(ratings.players[3].error, None);
}

#[test]
fn empty_pools_are_valid() {
    assert!(RatingPool::new(0).ratings(RatingScale::MeanZero).players.is_empty());
    assert_eq!(RatingPool::new(1).ratings(RatingScale::MeanZero).players[0].status, RatingStatus::Unplayed);
    let mut pool = RatingPool::new(2);
    pool.add(0, 1, MatchScore::default()).unwrap();
    let ratings = pool.ratings(RatingScale::MeanZero);
    assert_eq!((ratings.components, ratings.players[0].status), (2, RatingStatus::Unplayed));
}

#[test]
fn impossible_results_are_refused() {
    let mut pool = RatingPool::new(2);
    assert_eq!(pool.add(0, 2, MatchScore::new(1, 0, 0)), Err(PoolError::Player(2, 2)));
    assert_eq!(pool.add(1, 1, MatchScore::new(1, 0, 0)), Err(PoolError::Itself(1)));
    assert_eq!(pool.add_points(0, 1, -1.0, 1.0), Err(PoolError::Points(-1.0)));
    assert!(pool.add_points(0, 1, f64::NAN, 1.0).is_err());
    assert!(pool.add_points(0, 1, 1.0, f64::INFINITY).is_err());
}

/// Counts of all sizes, zeros among them.
fn count() -> impl Strategy<Value = u64> {
    prop_oneof![3 => Just(0u64), 6 => 0..30u64, 1 => 0..100_000u64]
}

fn results(most: usize) -> impl Strategy<Value = (usize, Vec<(usize, usize, MatchScore)>)> {
    (2..=most).prop_flat_map(|players| {
        let result = (0..players, 0..players, count(), count(), count())
            .prop_filter("two different players", |(one, other, ..)| one != other)
            .prop_map(|(one, other, wins, draws, losses)| (one, other, MatchScore::new(wins, draws, losses)));
        (Just(players), prop::collection::vec(result, 0..24))
    })
}

fn filled(players: usize, results: &[(usize, usize, MatchScore)]) -> RatingPool {
    let mut pool = RatingPool::new(players);
    for &(one, other, score) in results {
        pool.add(one, other, score).unwrap();
    }
    pool
}

#[test]
fn neither_the_order_of_games_nor_of_players_matters() {
    for_all(512, (results(7), any::<usize>(), any::<bool>()), |((players, results), shift, turn)| {
        let moved = |player: usize| if turn { (player + shift % players) % players } else { players - 1 - player };
        let mut other: Vec<_> = results
            .iter()
            .map(|&(one, two, score)| match turn {
                true => (moved(two), moved(one), score.reversed()),
                false => (moved(one), moved(two), score),
            })
            .collect();
        other.reverse();
        let here = filled(players, &results).ratings(RatingScale::MeanZero);
        let there = filled(players, &other).ratings(RatingScale::MeanZero);
        for player in 0..players {
            let (a, b) = (here.players[player], there.players[moved(player)]);
            let (error, other_error) = (a.error.unwrap_or(0.0), b.error.unwrap_or(0.0));
            let same = (a.elo - b.elo).abs() < 1e-5
                && a.status == b.status
                && (error - other_error).abs() < 1e-5 * (1.0 + error);
            if !same {
                return Err(format!("{a:?} {b:?}"));
            }
        }
        Ok(())
    });
}

#[test]
fn scores_match_the_expected_scores() {
    for_all(512, results(7), |(players, results)| {
        let ratings = filled(players, &results).ratings(RatingScale::MeanZero);
        let mut surplus = vec![0.0; players];
        for &(one, other, score) in &results {
            let expected = score.games() as f64 * expected_score(ratings.players[one].elo - ratings.players[other].elo);
            surplus[one] += score.points() - expected;
            surplus[other] -= score.points() - expected;
        }
        // The virtual draws pull at held players, and a little at everyone through the mean.
        for (player, rating) in ratings.players.iter().enumerate() {
            let group: Vec<usize> =
                (0..players).filter(|&other| ratings.players[other].component == rating.component).collect();
            for &held in &group {
                let Rating { elo, status, .. } = ratings.players[held];
                if matches!(status, RatingStatus::WonAll | RatingStatus::LostAll | RatingStatus::Held) {
                    let part = f64::from(u8::from(held == player)) - 1.0 / group.len() as f64;
                    surplus[player] += (0.5 - expected_score(elo)) * part;
                }
            }
            if surplus[player].abs() > 1e-9 * (1.0 + rating.games) {
                return Err(format!("player {player} took {} too much: {rating:?}", surplus[player]));
            }
        }
        Ok(())
    });
}

#[test]
fn all_figures_are_finite() {
    let count = || (any::<u64>(), 0..64u32).prop_map(|(count, shift)| count >> shift);
    let results = prop::collection::vec((0..6usize, 0..6usize, count(), count()), 0..12);
    for_all(1024, (2..6usize, results), |(players, results)| {
        let mut pool = RatingPool::new(players);
        for (one, other, wins, losses) in results {
            // Some are refused; what remains must be rated.
            let _ = pool.add(one, other, MatchScore::new(wins, 0, losses));
        }
        for scale in [RatingScale::MeanZero, RatingScale::Anchor { player: 0, elo: -50.0 }] {
            let ratings = pool.ratings(scale);
            for rating in &ratings.players {
                if !(rating.elo.abs() < 1e5 && rating.error.unwrap_or(0.0).is_finite()) {
                    return Err(format!("{rating:?}"));
                }
            }
            for (one, other) in (0..players).flat_map(|one| (0..players).map(move |other| (one, other))) {
                if let Some(difference) = ratings.difference(one, other)
                    && !(difference.error.is_finite() && difference.los().is_finite())
                {
                    return Err(format!("{one} and {other}: {difference:?}"));
                }
            }
        }
        Ok(())
    });
}
