//! Tables that tell less, or are damaged, or are not there.

use tesuji_engines::{EngineFactory, Spec};
use tesuji_game::{Game, Outcome, PerfectIndex, Record};
use tesuji_search::{Bound, Value};
use tesuji_solve::tablebase::Metric;

use super::warren::{Rabbit, Warren};
use super::{Scratch, ask, moves, played, policy, result};

#[test]
fn a_table_of_outcomes_wins_what_is_won() {
    let scratch = Scratch::new("outcomes", Metric::Wdl, &[0, 1]);
    let mut engine = scratch.engine(",depth=2");
    let mut long = 0;
    for game in Rabbit::all() {
        let worth = scratch.worth(game);
        if worth.is_multiple_of(2) {
            continue;
        }
        let mut record = Record::new(game);
        engine.forget();
        while record.ending().is_none() {
            let (mv, report) = ask(engine.as_mut(), &record, 1);
            let value = report.map(|report| (report.lines[0].value, report.lines[0].bound)).unwrap();
            assert!(value.0 >= Value::win(Value::FARTHEST) && value.1 != Bound::Upper, "{value:?}");
            record.push(mv).unwrap();
            // The longest resistance.
            let now = *record.now();
            let last = |&mv: &u8| {
                let next = played(now, mv);
                result(next).map_or_else(|| scratch.worth(next), |_| 0)
            };
            if let Some(reply) = moves(now).into_iter().max_by_key(last) {
                record.push(reply).unwrap();
            }
            assert!(record.plies().len() < 400, "{game:?} is won in {worth}");
        }
        assert_eq!(record.ending().unwrap().winner, Some(game.mover()));
        long += usize::from(worth > 7);
    }
    assert!(long > 20, "{long}");
}

#[test]
fn a_table_of_outcomes_keeps_the_result() {
    let scratch = Scratch::new("results", Metric::Wdl, &[0, 1]);
    for (game, mv) in policy(scratch.engine(",depth=1").as_mut()) {
        let (worth, after) = (scratch.worth(game), played(game, mv));
        match result(after) {
            Some(outcome) => assert_eq!((outcome, worth), (Outcome::Win, 1), "{game:?}"),
            None => assert_eq!(
                (scratch.worth(after) == 0, scratch.worth(after).is_multiple_of(2)),
                (worth == 0, worth % 2 == 1 || worth == 0),
                "{game:?} {mv}"
            ),
        }
    }
}

#[test]
fn damage_never_becomes_an_answer() {
    let scratch = Scratch::new("damage", Metric::Dtw, &[0, 1]);
    let path = scratch.dir.join("warren-upper.table");
    let mut bytes = std::fs::read(&path).unwrap();
    // Somewhere in the blocks: the head is looked at when the table is opened.
    let mut engines = Vec::new();
    let len = bytes.len();
    for at in (len / 2..len).step_by(37) {
        bytes[at] ^= 0x55;
        std::fs::write(&path, &bytes).unwrap();
        let spec = format!("table:dir=\"{}\",hash=1,depth=1", scratch.dir.display());
        engines.extend(
            tesuji_engines::from_table(&Spec::parse(&spec).unwrap(), EngineFactory::generic().make).ok(),
        );
        bytes[at] ^= 0x55;
        let Some(engine) = engines.last_mut() else { continue };
        let mut searched = 0;
        for game in Rabbit::all() {
            let (mv, report) = ask(engine.as_mut(), &Record::new(game), 1);
            assert!(moves(game).contains(&mv));
            let report = report.unwrap();
            // A search tells how full its own table is.
            if report.hashfull.is_some() {
                searched += 1;
                continue;
            }
            assert_eq!(report.lines[0].value, scratch.value(game), "{game:?} with byte {at} damaged");
        }
        assert!(searched > 0, "byte {at} is not missed");
        engines.clear();
    }
}

#[test]
fn what_is_not_in_the_table_is_searched() {
    let scratch = Scratch::new("missing", Metric::Dtw, &[0]);
    let search = Spec::parse("alphabeta:hash=1,depth=3").unwrap();
    for game in Rabbit::all().into_iter().filter(|&game| Warren.class(game) == 1) {
        let mut alone = (EngineFactory::generic().make)(&search).unwrap();
        let (_, report) = ask(scratch.engine(",depth=3").as_mut(), &Record::new(game), 2);
        let (_, right) = ask(alone.as_mut(), &Record::new(game), 2);
        let told = |report: Option<tesuji_search::SearchReport<u8>>| {
            report.map(|report| (report.nodes, report.lines))
        };
        assert_eq!(told(report), told(right), "{game:?}");
    }
}
