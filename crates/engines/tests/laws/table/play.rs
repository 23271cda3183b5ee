//! Against every defence and every attack: what the table promises happens.

use std::cmp::Reverse;
use std::collections::HashMap;

use tesuji_game::{Game, Outcome, Record};
use tesuji_search::{Bound, Rng, Value};
use tesuji_solve::tablebase::Metric;

use super::warren::Rabbit;
use super::{Scratch, ask, moves, played, policy, result};

const NEVER: u16 = 9999;

/// The plies until somebody who plays by `policy` has met an end, when the opponent chooses among all replies: `pick`
/// says which of several is chosen, `end` what an end after so many plies counts for whoever moved last.
fn plies(
    policy: &HashMap<Rabbit, u8>,
    pick: impl Fn(u16, u16) -> u16,
    end: impl Fn(Outcome, bool) -> u16,
) -> HashMap<Rabbit, u16> {
    let mut known: HashMap<Rabbit, u16> = policy.keys().map(|&game| (game, NEVER)).collect();
    loop {
        let value = |(&game, &mv): (&Rabbit, &u8)| {
            let after = played(game, mv);
            if let Some(outcome) = result(after) {
                return (game, end(outcome, true));
            }
            let replies = moves(after).into_iter().map(|reply| {
                let next = played(after, reply);
                result(next).map_or_else(|| known[&next] + 1, |outcome| end(outcome, false))
            });
            (game, (replies.reduce(&pick).unwrap() + 1).min(NEVER))
        };
        let new: HashMap<Rabbit, u16> = policy.iter().map(value).collect();
        if new == known {
            return known;
        }
        known = new;
    }
}

#[test]
fn wins_take_as_long_as_promised_losses_last_as_long_and_draws_hold() {
    let scratch = Scratch::new("play", Metric::Dtw, &[0, 1]);
    for seed in [0, 1, 77] {
        let policy = policy(scratch.engine(&format!(",seed={seed}")).as_mut());
        // The longest way to a win of ours; the shortest to one of theirs.
        let ours =
            plies(&policy, u16::max, |outcome, own| if (outcome == Outcome::Win) == own { 1 } else { NEVER });
        let theirs =
            plies(&policy, u16::min, |outcome, own| if (outcome == Outcome::Win) == own { NEVER } else { 1 });
        let mut kinds = [0; 3];
        for game in Rabbit::all() {
            let worth = scratch.worth(game);
            match worth {
                0 => assert_eq!(theirs[&game], NEVER, "{game:?} is a draw"),
                _ if worth % 2 == 1 => assert_eq!(ours[&game], worth, "{game:?}"),
                _ => assert_eq!(theirs[&game], worth, "{game:?}"),
            }
            kinds[if worth == 0 { 0 } else { 1 + usize::from(worth % 2) }] += 1;
        }
        assert!(kinds.iter().all(|&count| count > 60), "{kinds:?} draws, losses, wins");
    }
}

#[test]
fn every_line_is_told_with_its_worth() {
    let scratch = Scratch::new("lines", Metric::Dtw, &[0, 1]);
    let mut engine = scratch.engine("");
    let mut longest = 0;
    for game in Rabbit::all() {
        let (mv, report) = ask(engine.as_mut(), &Record::new(game), 99);
        let lines = report.unwrap().lines;
        assert_eq!(lines.len(), moves(game).len());
        assert_eq!(lines[0].moves[0], mv);
        assert!(lines.is_sorted_by_key(|line| Reverse(line.value)));
        assert_eq!(lines[0].value, scratch.value(game), "{game:?}");
        for line in lines {
            let mut record = Record::new(game);
            line.moves.iter().for_each(|&mv| record.push(mv).unwrap());
            let after = played(game, line.moves[0]);
            let behind = match after.outcome() {
                Some(outcome) => Value::over(outcome),
                None => scratch.value(after),
            };
            assert_eq!((line.value, line.bound), (behind.to_parent(), Bound::Exact), "{game:?}");
            if line.value != Value::DRAW {
                // To the very end, in as many plies as told.
                let told = line.value.proven().map(|proven| format!("{proven:?}"));
                let won = record.ending().unwrap().winner == Some(game.mover());
                let plies = line.moves.len();
                let seen = if won { format!("Win({plies})") } else { format!("Loss({plies})") };
                assert_eq!(told, Some(seen), "{game:?}");
                longest = longest.max(plies);
            }
        }
    }
    assert!(longest >= 12, "{longest} plies are no test");
}

/// Losing replies as a share of all; those that hold.
fn trap(scratch: &Scratch, after: Rabbit) -> (f64, i32) {
    let replies = moves(after);
    let loses = |reply: &&u8| {
        let next = played(after, **reply);
        result(next).map_or_else(|| scratch.worth(next) % 2 == 1, |outcome| outcome == Outcome::Loss)
    };
    let lost = replies.iter().filter(loses).count();
    (lost as f64 / replies.len() as f64, (replies.len() - lost) as i32)
}

#[test]
fn a_draw_is_held_where_most_replies_lose() {
    let scratch = Scratch::new("draws", Metric::Dtw, &[0, 1]);
    let policy = policy(scratch.engine("").as_mut());
    let mut choices = 0;
    for game in Rabbit::all().into_iter().filter(|&game| scratch.worth(game) == 0) {
        let drawn = |after: &Rabbit| after.outcome().is_none() && scratch.worth(*after) == 0;
        let traps: Vec<(f64, i32)> = moves(game)
            .into_iter()
            .map(|mv| played(game, mv))
            .filter(drawn)
            .map(|after| trap(&scratch, after))
            .collect();
        let set = trap(&scratch, played(game, policy[&game]));
        for other in &traps {
            assert!(set.0 > other.0 || set.0 == other.0 && set.1 <= other.1, "{game:?}: {set:?} {other:?}");
        }
        choices += usize::from(traps.iter().any(|other| other.0 < set.0));
    }
    assert!(choices > 30, "{choices}");
}

#[test]
fn a_loss_leaves_the_winner_the_fewest_ways() {
    let scratch = Scratch::new("losses", Metric::Dtw, &[0, 1]);
    let policy = policy(scratch.engine("").as_mut());
    let ways = |after: Rabbit| {
        let best = scratch.worth(after);
        let fastest = |&&reply: &&u8| {
            let next = played(after, reply);
            if best == 1 {
                result(next) == Some(Outcome::Win)
            } else {
                next.outcome().is_none() && scratch.worth(next) + 1 == best
            }
        };
        moves(after).iter().filter(fastest).count()
    };
    let mut choices = 0;
    for game in Rabbit::all() {
        let worth = scratch.worth(game);
        if worth == 0 || worth % 2 == 1 {
            continue;
        }
        let slowest = |after: &Rabbit| after.outcome().is_none() && scratch.worth(*after) + 1 == worth;
        let all = moves(game).into_iter().map(|mv| played(game, mv)).filter(slowest).map(ways);
        let all: Vec<usize> = all.collect();
        assert_eq!(Some(&ways(played(game, policy[&game]))), all.iter().min(), "{game:?}");
        choices += usize::from(all.iter().min() < all.iter().max());
    }
    assert!(choices > 2, "{choices}");
}

#[test]
fn a_drawn_game_is_not_played_in_circles() {
    let scratch = Scratch::new("circles", Metric::Dtw, &[0, 1]);
    let mut rng = Rng::new(3);
    let drawn: Vec<Rabbit> = Rabbit::all().into_iter().filter(|&game| scratch.worth(game) == 0).collect();
    let mut varied = 0;
    for _ in 0..40 {
        let mut engine = scratch.engine("");
        let mut record = Record::new(drawn[rng.below(drawn.len())]);
        let mut answers: HashMap<Rabbit, Vec<u8>> = HashMap::new();
        while record.plies().len() < 120 && record.ending().is_none() {
            let now = *record.now();
            let mv = ask(engine.as_mut(), &record, 1).0;
            answers.entry(now).or_default().push(mv);
            record.push(mv).unwrap();
            // An opponent who never errs.
            let now = *record.now();
            let holds = |&mv: &u8| {
                let next = played(now, mv);
                next.outcome().is_none() && scratch.worth(next) == 0
            };
            let Some(reply) = moves(now).into_iter().find(holds) else { panic!("{now:?} is no draw") };
            record.push(reply).unwrap();
        }
        assert_eq!(record.plies().len(), 120);
        varied += usize::from(answers.values().any(|answers| answers.iter().any(|&mv| mv != answers[0])));
    }
    assert!(varied > 5, "{varied}");
}
