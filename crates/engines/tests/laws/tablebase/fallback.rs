//! Tablebases without distances, damaged ones and missing ones.

use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use tesuji_engines::{EngineFactory, Spec};
use tesuji_game::{Game, Outcome, PerfectIndex, Record};
use tesuji_search::{Bound, ReportSource, Value};
use tesuji_solve::tablebase::Metric;
use tracing::field::Field;
use tracing::span::{Attributes, Id};
use tracing::{Level, Metadata};

use super::toy_game::{Token, TokenIndex};
use super::{Scratch, moves, played, policy, result, think};

#[test]
fn a_wdl_tablebase_wins_won_positions() {
    let scratch = Scratch::new("outcomes", Metric::Wdl, &[0, 1]);
    let mut engine = scratch.engine(",depth=2");
    let mut long = 0;
    for game in Token::all() {
        let worth = scratch.distance(game);
        if worth.is_multiple_of(2) {
            continue;
        }
        let mut record = Record::new(game);
        engine.forget();
        while record.ending().is_none() {
            let (mv, report) = think(engine.as_mut(), &record, 1);
            let value = report.map(|report| (report.lines[0].value, report.lines[0].bound)).unwrap();
            assert!(value.0 >= Value::win(Value::FARTHEST) && value.1 != Bound::Upper, "{value:?}");
            record.push(mv).unwrap();
            // The longest defence.
            let now = *record.now();
            let last = |&mv: &u8| {
                let next = played(now, mv);
                result(next).map_or_else(|| scratch.distance(next), |_| 0)
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
fn a_wdl_tablebase_keeps_the_result() {
    let scratch = Scratch::new("results", Metric::Wdl, &[0, 1]);
    for (game, mv) in policy(scratch.engine(",depth=1").as_mut()) {
        let (worth, after) = (scratch.distance(game), played(game, mv));
        match result(after) {
            Some(outcome) => assert_eq!((outcome, worth), (Outcome::Win, 1), "{game:?}"),
            None => assert_eq!(
                (scratch.distance(after) == 0, scratch.distance(after).is_multiple_of(2)),
                (worth == 0, worth % 2 == 1 || worth == 0),
                "{game:?} {mv}"
            ),
        }
    }
}

/// The warnings of what runs under it.
#[derive(Clone, Default)]
struct Warnings(Arc<Mutex<Vec<String>>>);

impl tracing::Subscriber for Warnings {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() == Level::WARN
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &tracing::span::Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &tracing::Event<'_>) {
        event.record(&mut |field: &Field, value: &dyn Debug| {
            if field.name() == "message" {
                self.0.lock().unwrap().push(format!("{value:?}"));
            }
        });
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// A search takes its place, says so in its reports, and one warning names the block.
#[test]
fn a_damaged_block_is_never_used() {
    let scratch = Scratch::new("damage", Metric::Dtw, &[0, 1]);
    let path = scratch.dir.join("toy-game-upper.table");
    let mut bytes = std::fs::read(&path).unwrap();
    // Damage in the blocks; the header is checked when the tablebase is opened.
    let mut engines = Vec::new();
    let len = bytes.len();
    for at in (len / 2..len).step_by(37) {
        bytes[at] ^= 0x55;
        std::fs::write(&path, &bytes).unwrap();
        let spec = format!("table:dir=\"{}\",hash=1,depth=1", scratch.dir.display());
        engines.extend(tesuji_engines::from_table(&Spec::parse(&spec).unwrap(), EngineFactory::generic().make).ok());
        bytes[at] ^= 0x55;
        let Some(engine) = engines.last_mut() else { continue };
        let (warnings, mut searched) = (Warnings::default(), 0);
        tracing::subscriber::with_default(warnings.clone(), || {
            for game in Token::all() {
                let (mv, report) = think(engine.as_mut(), &Record::new(game), 1);
                assert!(moves(game).contains(&mv));
                let report = report.unwrap();
                // Only a search reports how full its transposition table is.
                if report.hashfull.is_some() {
                    assert_eq!(report.source, ReportSource::Search);
                    searched += 1;
                    continue;
                }
                assert_eq!(report.source, ReportSource::Tablebase);
                assert_eq!(report.lines[0].value, scratch.value(game), "{game:?} with byte {at} damaged");
            }
        });
        assert!(searched > 0, "byte {at} is not missed");
        let warnings = warnings.0.lock().unwrap();
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        let named = [&path.display().to_string(), "block", "alpha-beta search", "tesuji verify"];
        assert!(named.iter().all(|part| warnings[0].contains(part)), "{warnings:?}");
        engines.clear();
    }
}

/// A search is never played under the name of the tablebase.
#[test]
fn a_missing_or_incomplete_tablebase_is_refused_with_the_command_that_makes_it() {
    let scratch = Scratch::new("refused", Metric::Wdl, &[0]);
    let refusal = |dir: &std::path::Path| {
        let spec = Spec::parse(&format!("table:dir=\"{}\",hash=1", dir.display())).unwrap();
        let made = tesuji_engines::from_table(&spec, EngineFactory::<Token>::generic().make);
        (made.map(|_| ()).unwrap_err().to_string(), format!("`tesuji solve toy-game --out {}", dir.display()))
    };
    let (refused, command) = refusal(&scratch.dir);
    assert!(refused.contains("lacks the boards of upper") && refused.contains("table:fallback=alphabeta"), "{refused}");
    assert!(refused.contains(&format!("{command} --wdl`")), "{refused}");
    let (refused, command) = refusal(&scratch.dir.join("nothing"));
    assert!(refused.contains("there is no tablebase") && refused.contains(&format!("{command}`")), "{refused}");
    let spec = Spec::parse(&format!("table:dir=\"{}\",fallback=uct", scratch.dir.display())).unwrap();
    let made = tesuji_engines::from_table(&spec, EngineFactory::<Token>::generic().make);
    assert!(made.map(|_| ()).unwrap_err().to_string().contains("alphabeta"));
}

#[test]
fn missing_positions_are_searched_by_the_fallback() {
    let scratch = Scratch::new("missing", Metric::Dtw, &[0]);
    let search = Spec::parse("alphabeta:hash=1,depth=3").unwrap();
    for game in Token::all().into_iter().filter(|&game| TokenIndex.class(game) == 1) {
        let mut alone = (EngineFactory::generic().make)(&search).unwrap();
        let (_, report) = think(scratch.engine(",depth=3,fallback=alphabeta").as_mut(), &Record::new(game), 2);
        let (_, right) = think(alone.as_mut(), &Record::new(game), 2);
        let told = |report: Option<tesuji_search::SearchReport<u8>>| report.map(|report| (report.nodes, report.lines));
        assert_eq!(told(report), told(right), "{game:?}");
    }
}
