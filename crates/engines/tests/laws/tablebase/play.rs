//! The tablebase player against every defence and every attack: the reported values come true.

use std::cmp::Reverse;
use std::collections::HashMap;

use tesuji_game::{Game, Outcome, Record};
use tesuji_search::{Bound, Rng, Value};
use tesuji_solve::tablebase::Metric;

use super::toy_game::Token;
use super::{Scratch, moves, played, policy, result, think};

const NEVER: u16 = 9999;

/// The length of the game when one side plays by `policy` and the other chooses among all replies. `pick` chooses
/// between the lengths of several replies, `end` scores an end for the side that moved last.
fn plies(
    policy: &HashMap<Token, u8>,
    pick: impl Fn(u16, u16) -> u16,
    end: impl Fn(Outcome, bool) -> u16,
) -> HashMap<Token, u16> {
    let mut known: HashMap<Token, u16> = policy.keys().map(|&game| (game, NEVER)).collect();
    loop {
        let value = |(&game, &mv): (&Token, &u8)| {
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
        let new: HashMap<Token, u16> = policy.iter().map(value).collect();
        if new == known {
            return known;
        }
        known = new;
    }
}

#[test]
fn wins_losses_and_draws_have_their_tablebase_length() {
    let scratch = Scratch::new("play", Metric::Dtw, &[0, 1]);
    for seed in [0, 1, 77] {
        let policy = policy(scratch.engine(&format!(",seed={seed}")).as_mut());
        // The longest path to an own win; the shortest to one of the opponent.
        let ours = plies(&policy, u16::max, |outcome, own| if (outcome == Outcome::Win) == own { 1 } else { NEVER });
        let theirs = plies(&policy, u16::min, |outcome, own| if (outcome == Outcome::Win) == own { NEVER } else { 1 });
        let mut kinds = [0; 3];
        for game in Token::all() {
            let worth = scratch.distance(game);
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
fn every_reported_line_has_its_value() {
    let scratch = Scratch::new("lines", Metric::Dtw, &[0, 1]);
    let mut engine = scratch.engine("");
    let mut longest = 0;
    for game in Token::all() {
        let (mv, report) = think(engine.as_mut(), &Record::new(game), 99);
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
                // The line reaches the end in the reported number of plies.
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

/// The share of losing replies, and the number of replies that hold.
fn difficulty(scratch: &Scratch, after: Token) -> (f64, i32) {
    let replies = moves(after);
    let loses = |reply: &&u8| {
        let next = played(after, **reply);
        result(next).map_or_else(|| scratch.distance(next) % 2 == 1, |outcome| outcome == Outcome::Loss)
    };
    let lost = replies.iter().filter(loses).count();
    (lost as f64 / replies.len() as f64, (replies.len() - lost) as i32)
}

#[test]
fn in_a_draw_most_replies_lose() {
    let scratch = Scratch::new("draws", Metric::Dtw, &[0, 1]);
    let policy = policy(scratch.engine("").as_mut());
    let mut choices = 0;
    for game in Token::all().into_iter().filter(|&game| scratch.distance(game) == 0) {
        let drawn = |after: &Token| after.outcome().is_none() && scratch.distance(*after) == 0;
        let traps: Vec<(f64, i32)> = moves(game)
            .into_iter()
            .map(|mv| played(game, mv))
            .filter(drawn)
            .map(|after| difficulty(&scratch, after))
            .collect();
        let set = difficulty(&scratch, played(game, policy[&game]));
        for other in &traps {
            assert!(set.0 > other.0 || set.0 == other.0 && set.1 <= other.1, "{game:?}: {set:?} {other:?}");
        }
        choices += usize::from(traps.iter().any(|other| other.0 < set.0));
    }
    assert!(choices > 30, "{choices}");
}

#[test]
fn in_a_loss_few_replies_win() {
    let scratch = Scratch::new("losses", Metric::Dtw, &[0, 1]);
    let policy = policy(scratch.engine("").as_mut());
    let ways = |after: Token| {
        let best = scratch.distance(after);
        let fastest = |&&reply: &&u8| {
            let next = played(after, reply);
            if best == 1 {
                result(next) == Some(Outcome::Win)
            } else {
                next.outcome().is_none() && scratch.distance(next) + 1 == best
            }
        };
        moves(after).iter().filter(fastest).count()
    };
    let mut choices = 0;
    for game in Token::all() {
        let worth = scratch.distance(game);
        if worth == 0 || worth % 2 == 1 {
            continue;
        }
        let slowest = |after: &Token| after.outcome().is_none() && scratch.distance(*after) + 1 == worth;
        let all = moves(game).into_iter().map(|mv| played(game, mv)).filter(slowest).map(ways);
        let all: Vec<usize> = all.collect();
        assert_eq!(Some(&ways(played(game, policy[&game]))), all.iter().min(), "{game:?}");
        choices += usize::from(all.iter().min() < all.iter().max());
    }
    assert!(choices > 2, "{choices}");
}

#[test]
fn a_drawn_game_does_not_cycle() {
    let scratch = Scratch::new("circles", Metric::Dtw, &[0, 1]);
    let mut rng = Rng::new(3);
    let drawn: Vec<Token> = Token::all().into_iter().filter(|&game| scratch.distance(game) == 0).collect();
    let mut varied = 0;
    for _ in 0..40 {
        let mut engine = scratch.engine("");
        let mut record = Record::new(drawn[rng.below(drawn.len())]);
        let mut answers: HashMap<Token, Vec<u8>> = HashMap::new();
        while record.plies().len() < 120 && record.ending().is_none() {
            let now = *record.now();
            let mv = think(engine.as_mut(), &record, 1).0;
            answers.entry(now).or_default().push(mv);
            record.push(mv).unwrap();
            // A perfect opponent.
            let now = *record.now();
            let holds = |&mv: &u8| {
                let next = played(now, mv);
                next.outcome().is_none() && scratch.distance(next) == 0
            };
            let Some(reply) = moves(now).into_iter().find(holds) else { panic!("{now:?} is no draw") };
            record.push(reply).unwrap();
        }
        assert_eq!(record.plies().len(), 120);
        varied += usize::from(answers.values().any(|answers| answers.iter().any(|&mv| mv != answers[0])));
    }
    assert!(varied > 5, "{varied}");
}
