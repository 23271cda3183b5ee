//! Whether wrong entries are found, on a game that takes no time.

#![allow(clippy::unwrap_used)]

mod rope;

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use tesuji_solve::retrograde::{
    BoardValue, ClassValues, Control, Solution, SolveResult, SolveSettings, solve,
};
use tesuji_solve::tablebase::{ClassInfo, Metric, Tablebase, TablebaseId, TablebaseWriter};

use super::crew::Gauge;
use super::entries::{Class, Proof, Walk};
use super::totals::Totals;
use crate::out::{Color, Out};
use rope::{KNOTS, Rope};

/// A directory that goes with the test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("tesuji-verify-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn title() -> TablebaseId {
    TablebaseId { game: "rope".to_owned(), rules: 1, index: 1 }
}

fn solved() -> Solution {
    let plan = SolveSettings { threads: 1, stages: 2, memory: u64::MAX };
    match solve(&Rope, &plan, None, &mut |_| Control::Continue).unwrap() {
        SolveResult::Solved(solution) => solution,
        SolveResult::Stopped => panic!("nobody said so"),
    }
}

/// The values of a class, one of them changed.
fn spoilt(values: &ClassValues, spoil: Option<(usize, BoardValue)>) -> ClassValues {
    let mut copy = ClassValues::new(values.len()).unwrap();
    copy.first.copy_from_slice(&values.first);
    copy.mv.copy_from_slice(&values.mv);
    copy.second.copy_from_slice(&values.second);
    if let Some((at, value)) = spoil {
        (copy.first[at], copy.mv[at], copy.second[at]) = (value.first, value.mv, value.second);
    }
    copy
}

/// Writes classes, and a wrong value into the last.
fn write(
    scratch: &Scratch,
    kind: Metric,
    classes: &[u8],
    spoil: Option<(usize, BoardValue)>,
) -> Tablebase<Rope> {
    let (solution, writer) = (solved(), TablebaseWriter::new(&scratch.0, title(), kind, 1).block(3));
    for &class in classes {
        let values = spoilt(solution.class(class).unwrap(), spoil.filter(|_| Some(&class) == classes.last()));
        writer.write(&Rope, class, &values, &mut |_| true).unwrap();
    }
    Tablebase::open_metric(&scratch.0, Arc::new(Rope), &title(), kind, 0).unwrap()
}

/// Looks at all entries of a table, and at those of one beside it.
fn walked(table: &Tablebase<Rope>, beside: Option<&Tablebase<Rope>>, step: u32) -> Vec<Class> {
    let (game, wanted) = (Arc::new(Rope), |_: &ClassInfo| true);
    let walk = Walk { game: &game, table, beside, wanted: &wanted, step, threads: 2, census: true };
    let gauge = Gauge::new(&Out::new(Color::Never, true), walk.length());
    let mut classes = Vec::new();
    let done = walk.run(&gauge, &mut |class| {
        classes.push(class);
        Ok(())
    });
    assert!(done.is_ok());
    classes
}

fn wrong(classes: &[Class]) -> Vec<(u8, Proof, u64)> {
    classes.iter().map(|class| (class.facts.class, class.proof, class.looked.wrong)).collect()
}

/// A value of the upper rope that can be written and is not the right one.
fn lie() -> (usize, BoardValue) {
    let said = solved().class(1).unwrap().get(4);
    (4, BoardValue { first: if said.first == 0 { 2 } else { 0 }, ..said })
}

#[test]
fn a_right_table_is_found_right() {
    let scratch = Scratch::new("right");
    let exact = write(&scratch, Metric::Dtw, &[0, 1], None);
    let outcomes = write(&scratch, Metric::Wdl, &[0, 1], None);
    let classes = walked(&exact, Some(&outcomes), 1);
    let (derived, compared) = (Proof::Derived, Proof::Compared);
    assert_eq!(wrong(&classes), [(0, derived, 0), (0, compared, 0), (1, derived, 0), (1, compared, 0)]);
    assert!(classes.iter().all(|class| class.looked.boards == u64::from(KNOTS)));
    let mut totals = Totals::default();
    for class in classes.iter().filter(|class| class.proof == derived) {
        let (counted, exceptions) = class.counted.as_ref().unwrap();
        totals.head(&class.facts, counted, Some(*exceptions));
        let census = class.census.as_ref().unwrap();
        assert_eq!((census.boards, &census.first), (u64::from(KNOTS), counted));
    }
    assert!(totals.right());
    assert_eq!(wrong(&walked(&outcomes, None, 1)), [(0, Proof::Consistent, 0), (1, Proof::Consistent, 0)]);
    assert!(walked(&exact, Some(&outcomes), 3).iter().all(|class| class.looked.boards == 3));
}

#[test]
fn a_wrong_entry_is_found_and_named() {
    let scratch = Scratch::new("wrong");
    let right = write(&scratch, Metric::Wdl, &[0, 1], None);
    let exact = write(&scratch, Metric::Dtw, &[0, 1], Some(lie()));
    let classes = walked(&exact, Some(&right), 1);
    let upper: Vec<&Class> = classes.iter().filter(|class| class.facts.class == 1).collect();
    let named = |class: &Class| class.looked.shown.iter().any(|wrong| wrong.index == 4);
    assert!(upper.len() == 2 && upper.iter().all(|class| named(class)), "{:?}", wrong(&classes));
    assert!(classes.iter().all(|class| class.facts.class == 1 || class.looked.wrong == 0));
    let found = upper[0].looked.shown.iter().find(|wrong| wrong.index == 4).unwrap();
    assert_eq!((found.stored, found.derived), (lie().1, solved().class(1).unwrap().get(4)));
}

#[test]
fn a_wrong_outcome_is_found() {
    let scratch = Scratch::new("outcome");
    let outcomes = write(&scratch, Metric::Wdl, &[0, 1], Some(lie()));
    assert!(wrong(&walked(&outcomes, None, 1))[1].2 > 0);
    let exact = write(&scratch, Metric::Dtw, &[0, 1], None);
    let compared = wrong(&walked(&exact, Some(&outcomes), 1));
    assert_eq!(compared[3], (1, Proof::Compared, 1), "only that one differs from the other table");
}

#[test]
fn what_a_head_says_is_compared() {
    let scratch = Scratch::new("head");
    let exact = write(&scratch, Metric::Dtw, &[0], None);
    let classes = walked(&exact, None, 1);
    let (counted, exceptions) = classes[0].counted.as_ref().unwrap();
    let mut totals = Totals::default();
    totals.head(&ClassInfo { draws: 17, ..classes[0].facts.clone() }, counted, Some(*exceptions));
    assert!(!totals.right());
    let json = totals.json();
    assert_eq!((json[0]["lines"].as_u64(), json[0]["equal"].as_u64()), (Some(7), Some(6)), "{json}");
    assert_eq!(json[0]["different"][0]["said"], 17);
}

#[test]
fn a_class_is_not_derived_without_those_its_moves_lead_to() {
    let scratch = Scratch::new("missing");
    let exact = write(&scratch, Metric::Dtw, &[1], None);
    let (game, wanted) = (Arc::new(Rope), |_: &ClassInfo| true);
    let walk = Walk {
        game: &game,
        table: &exact,
        beside: None,
        wanted: &wanted,
        step: 1,
        threads: 1,
        census: false,
    };
    assert_eq!((walk.stages(), walk.left(), walk.memory()), (0, vec!["upper".to_owned()], 0));
    let exact = write(&scratch, Metric::Dtw, &[0, 1], None);
    let walk = Walk { table: &exact, ..walk };
    // Three bytes a number of the upper rope and one of the lower, or four of the lower.
    assert_eq!((walk.stages(), walk.left(), walk.memory()), (2, Vec::new(), 4 * (u64::from(KNOTS) + 1)));
}
