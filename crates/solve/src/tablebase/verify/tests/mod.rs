//! Verification finds wrong entries, on a tiny game.

#![allow(clippy::unwrap_used)]

mod rope;

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use tesuji_task::{CancelToken, Context};

use super::entries::EntryVerifier;
use super::{ClassReport, Proof, TotalsDifference, TotalsReport};
use crate::retrograde::{BoardValue, ClassValues, Control, Solution, SolveResult, SolveSettings, solve};
use crate::tablebase::{ClassInfo, Metric, Tablebase, TablebaseId, TablebaseWriter};
use rope::{KNOTS, Rope};

/// A temporary directory, removed after the test.
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

fn id() -> TablebaseId {
    TablebaseId { game: "rope".to_owned(), rules: 1, index: 1 }
}

fn solved() -> Solution {
    let plan = SolveSettings { threads: 1, stages: 2, memory: u64::MAX, cancel: CancelToken::new() };
    match solve(&Rope, &plan, None, &mut |_| Control::Continue).unwrap() {
        SolveResult::Solved(solution) => solution,
        SolveResult::Stopped => panic!("stopped without a request"),
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
fn write(scratch: &Scratch, kind: Metric, classes: &[u8], spoil: Option<(usize, BoardValue)>) -> Tablebase<Rope> {
    let (solution, writer) = (solved(), TablebaseWriter::new(&scratch.0, id(), kind, 1).block(3));
    for &class in classes {
        let values = spoilt(solution.class(class).unwrap(), spoil.filter(|_| Some(&class) == classes.last()));
        writer.write(&Rope, class, &values, &mut |_| true).unwrap();
    }
    Tablebase::open_metric(&scratch.0, Arc::new(Rope), &id(), kind, 0).unwrap()
}

/// Verifies all entries of a tablebase, and of a WDL one beside it.
fn verified(table: &Tablebase<Rope>, wdl: Option<&Tablebase<Rope>>, step: u32) -> Vec<ClassReport> {
    let (game, wanted) = (Arc::new(Rope), |_: &ClassInfo| true);
    let verifier = EntryVerifier { game: &game, table, wdl, wanted: &wanted, step, threads: 2, statistics: true };
    let cancel = CancelToken::new();
    let context = Context::silent(&cancel);
    let mut classes = Vec::new();
    verifier.run(context, &context.counter(verifier.steps()), &mut |class| classes.push(class)).unwrap();
    classes
}

fn wrong(classes: &[ClassReport]) -> Vec<(u8, Proof, u64)> {
    classes.iter().map(|class| (class.info.class, class.proof, class.checked.wrong)).collect()
}

/// A value of the upper rope that can be written and is wrong.
fn wrong_value() -> (usize, BoardValue) {
    let said = solved().class(1).unwrap().get(4);
    (4, BoardValue { first: if said.first == 0 { 2 } else { 0 }, ..said })
}

#[test]
fn a_right_table_is_found_right() {
    let scratch = Scratch::new("right");
    let exact = write(&scratch, Metric::Dtw, &[0, 1], None);
    let outcomes = write(&scratch, Metric::Wdl, &[0, 1], None);
    let classes = verified(&exact, Some(&outcomes), 1);
    let (derived, compared) = (Proof::Derived, Proof::Compared);
    assert_eq!(wrong(&classes), [(0, derived, 0), (0, compared, 0), (1, derived, 0), (1, compared, 0)]);
    assert!(classes.iter().all(|class| class.checked.boards == u64::from(KNOTS)));
    let mut totals = TotalsReport::default();
    for class in classes.iter().filter(|class| class.proof == derived) {
        let (counted, exceptions) = class.counted.as_ref().unwrap();
        totals.header(&class.info, counted, Some(*exceptions));
        let statistics = class.statistics.as_ref().unwrap();
        assert_eq!((statistics.boards, &statistics.first), (u64::from(KNOTS), counted));
    }
    assert!(totals.is_correct());
    assert_eq!(wrong(&verified(&outcomes, None, 1)), [(0, Proof::Consistent, 0), (1, Proof::Consistent, 0)]);
    assert!(verified(&exact, Some(&outcomes), 3).iter().all(|class| class.checked.boards == 3));
}

#[test]
fn a_wrong_entry_is_found_and_named() {
    let scratch = Scratch::new("wrong");
    let right = write(&scratch, Metric::Wdl, &[0, 1], None);
    let exact = write(&scratch, Metric::Dtw, &[0, 1], Some(wrong_value()));
    let classes = verified(&exact, Some(&right), 1);
    let upper: Vec<&ClassReport> = classes.iter().filter(|class| class.info.class == 1).collect();
    let named = |class: &ClassReport| class.checked.shown.iter().any(|wrong| wrong.index == 4);
    assert!(upper.len() == 2 && upper.iter().all(|class| named(class)), "{:?}", wrong(&classes));
    assert!(classes.iter().all(|class| class.info.class == 1 || class.checked.wrong == 0));
    let found = upper[0].checked.shown.iter().find(|wrong| wrong.index == 4).unwrap();
    assert_eq!((found.stored, found.derived), (wrong_value().1, solved().class(1).unwrap().get(4)));
}

#[test]
fn a_wrong_outcome_is_found() {
    let scratch = Scratch::new("outcome");
    let outcomes = write(&scratch, Metric::Wdl, &[0, 1], Some(wrong_value()));
    assert!(wrong(&verified(&outcomes, None, 1))[1].2 > 0);
    let exact = write(&scratch, Metric::Dtw, &[0, 1], None);
    let compared = wrong(&verified(&exact, Some(&outcomes), 1));
    assert_eq!(compared[3], (1, Proof::Compared, 1), "only that one differs from the other table");
}

#[test]
fn what_a_head_says_is_compared() {
    let scratch = Scratch::new("head");
    let exact = write(&scratch, Metric::Dtw, &[0], None);
    let classes = verified(&exact, None, 1);
    let (counted, exceptions) = classes[0].counted.as_ref().unwrap();
    let mut totals = TotalsReport::default();
    totals.header(&ClassInfo { draws: 17, ..classes[0].info.clone() }, counted, Some(*exceptions));
    assert!(!totals.is_correct());
    let group = &totals.0[0];
    assert_eq!((group.lines, group.different.len()), (7, 1), "{group:?}");
    assert!(matches!(group.different[0], TotalsDifference { expected: 17, .. }), "{group:?}");
}

#[test]
fn a_class_is_not_derived_without_those_its_moves_lead_to() {
    let scratch = Scratch::new("missing");
    let exact = write(&scratch, Metric::Dtw, &[1], None);
    let (game, wanted) = (Arc::new(Rope), |_: &ClassInfo| true);
    let verifier = EntryVerifier {
        game: &game,
        table: &exact,
        wdl: None,
        wanted: &wanted,
        step: 1,
        threads: 1,
        statistics: false,
    };
    assert_eq!((verifier.stages(), verifier.unverifiable(), verifier.memory()), (0, vec!["upper".to_owned()], 0));
    let exact = write(&scratch, Metric::Dtw, &[0, 1], None);
    let verifier = EntryVerifier { table: &exact, ..verifier };
    // Three bytes per index of the upper rope and one of the lower, or four of the lower.
    assert_eq!(
        (verifier.stages(), verifier.unverifiable(), verifier.memory()),
        (2, Vec::new(), 4 * (u64::from(KNOTS) + 1))
    );
}
