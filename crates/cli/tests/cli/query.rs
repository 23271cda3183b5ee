//! `query` without a table: what it says then, and what it finds in a file of findings.

use std::fs;

use serde_json::{Value, json};
use tesuji_game::{HasPerfectIndex, NO_MOVE, Notation, PerfectIndex};
use tesuji_ostle::{Index, Ostle};
use tesuji_solve::retrograde::{ClassStatistics, LongestEntry};
use tesuji_solve::tablebase::TablebaseId;
use tesuji_solve::tablebase::{ClassSummary, TablebaseSummary};

use crate::folder::Folder;
use crate::run::tesuji;

fn title() -> TablebaseId {
    TablebaseId { game: "ostle".into(), rules: Ostle::RULES_VERSION, index: Ostle::INDEX_VERSION }
}

#[test]
fn without_a_table_the_command_that_makes_one_is_named() {
    let folder = Folder::new("query-nothing");
    for (words, made) in [(&[][..], "makes one"), (&["--longest"], "makes them"), (&["--unreachable"], "makes them")] {
        let run = tesuji(&[&["query", "ostle", "--table", folder.name()], words].concat());
        assert_eq!((run.code, run.out.as_str()), (1, ""), "{}", run.err);
        let command = format!("`tesuji solve ostle --out {}` {made}", folder.name());
        assert!(run.err.contains(&command), "{}", run.err);
        assert_eq!(run.err.lines().count(), 1, "{}", run.err);
    }
}

#[test]
fn a_file_that_is_no_table_is_named() {
    let folder = Folder::new("query-damaged");
    for (file, words) in [
        ("ostle-4-4.table", &[][..]),
        ("ostle-5-5.wdl", &[]),
        ("ostle.findings", &["--longest"]),
        ("ostle.findings", &["--unreachable"]),
    ] {
        fs::write(folder.0.join(file), "not what it should be").unwrap();
        let run = tesuji(&[&["query", "ostle", "--table", folder.name()], words].concat());
        assert_eq!((run.code, run.out.as_str()), (1, ""), "{}", run.err);
        assert!(run.err.contains(file), "{}", run.err);
        fs::remove_file(folder.0.join(file)).unwrap();
    }
}

#[test]
fn the_format_of_a_table_is_known_before_the_work() {
    let folder = Folder::new("format");
    let refused = tesuji(&["export", "ostle", "4-4", "--out", &folder.path("x.foo")]);
    assert_eq!(refused.code, 2);
    assert_eq!(refused.err, "tesuji: --out: no table ends in .foo: write .csv or .parquet, or give --to\n");
    let refused = tesuji(&["export", "ostle", "4-4", "--to", "parqet"]);
    assert!(refused.code == 2 && refused.err.contains("parquet"), "{}", refused.err);
    let missing = ["export", "ostle", "4-4", "--table", folder.name(), "--out", &folder.path("x.parquet")];
    let refused = tesuji(&missing);
    assert!(refused.code != 0 && refused.err.contains("tesuji solve ostle"), "{}", refused.err);
    assert!(!std::path::Path::new(&folder.path("x.parquet")).exists());
}

#[test]
fn bad_input_is_named() {
    let board = "00001-00002-00203-02020-11100";
    for (words, part) in [
        (&["ostle", "123"][..], "character 1"),
        (&["ostle", board, "--previous", "00001-00002-0x"], "--previous, character 14"),
        (&["ostle", board, "--moves", "a1u"], "a1u"),
        (&["ostle", "--previous", board], "<POSITION>"),
        (&["ostle", board, "--longest"], "--longest"),
        (&["ostle", "--line", "--longest"], "--longest"),
        (&["ostle", "--longest", "--unreachable"], "--unreachable"),
        (&["othello"], "ostle has"),
    ] {
        let run = tesuji(&[&["query"], words].concat());
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{words:?}: {}", run.err);
        assert!(run.err.contains(part), "{words:?}: {}", run.err);
    }
}

/// Nobody needs a table to see that.
#[test]
fn a_game_that_is_over() {
    let board = "00001-00002-00203-02020-11100";
    let run = tesuji(&["query", "ostle", board, "--moves", "e1d", "--json", "--line"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let told = run.json();
    assert_eq!(told.len(), 1);
    assert_eq!(told[0]["schema"], "tesuji/query/1");
    assert_eq!((&told[0]["value"], &told[0]["plies"]), (&json!("loss"), &json!(0)));
    assert_eq!((&told[0]["outcome"], &told[0]["reason"]), (&json!("first"), &json!("pieces")));
    assert_eq!(told[0]["moves"], json!([]));
    let run = tesuji(&["query", "ostle", board, "--moves", "e1d"]);
    assert!(run.out.contains("over      black won (pieces)\n"), "{}", run.out);
}

#[test]
fn a_past_that_cannot_be_is_warned_of_and_forgotten() {
    let board = "00001-00002-00203-02020-11100";
    let run = tesuji(&["query", "ostle", board, "--previous", board, "--moves", "e1d"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.starts_with("tesuji: warning: "), "{}", run.err);
    assert!(run.err.contains("no move leads from this board to the position"), "{}", run.err);
}

#[test]
fn findings_are_listed() {
    let folder = Folder::new("query-findings");
    let index = Index::new();
    let far = |text: &str, plies: u8| {
        let position = Ostle::parse(text).unwrap();
        let place = index.rank(position);
        let forbidden = position.forbidden();
        let forbidden = if forbidden == NO_MOVE { NO_MOVE } else { index.image(forbidden, place.symmetry) };
        LongestEntry { plies, class: place.class, index: place.index, forbidden }
    };
    let ko = "01020-03021-00120-00000-02010/02010-03120-00210-00000-01020";
    let corner = far("00000-00000-00001-11112-22223", 0);
    let start = far("22222-00000-00300-00000-11111", 4);
    let found = |name: &str, far: LongestEntry| {
        let census = ClassStatistics { longest: vec![far], ..ClassStatistics::default() };
        ClassSummary { class: far.class, name: name.into(), statistics: census }
    };
    let mut summary = TablebaseSummary {
        classes: vec![found("4-4", far(ko, 5)), found("5-5", start)],
        unreached: vec![(corner.class, corner.index)],
        ..TablebaseSummary::default()
    };
    summary.save(&folder.0, &title()).unwrap();
    let list = |words: &[&str]| tesuji(&[&["query", "ostle", "--table", folder.name()], words].concat());
    let canonical = |text: &str| Ostle::parse(text).unwrap().canonical_code();

    let told = list(&["--longest", "--json"]).json();
    assert_eq!(told.len(), 2);
    assert_eq!(told.iter().map(|line| &line["plies"]).collect::<Vec<_>>(), [5, 4]);
    assert_eq!(told.iter().map(|line| &line["value"]).collect::<Vec<_>>(), ["win", "loss"]);
    let first = Ostle::parse(told[0]["position"].as_str().unwrap()).unwrap();
    assert_eq!(first.canonical_code(), canonical(ko));
    assert!(first.ko().is_some(), "{told:?}");
    let run = list(&["--longest"]);
    assert!(run.out.contains("a win in 5 plies, the longest so far"), "{}", run.out);
    assert!(run.out.contains(&format!("win    5  {}\n", first.print())), "{}", run.out);
    assert!(run.err.contains("are not solved yet"), "{}", run.err);

    let run = list(&["--unreachable"]);
    assert_eq!((run.code, run.out.as_str()), (1, ""), "{}", run.err);
    summary.complete = true;
    summary.save(&folder.0, &title()).unwrap();
    let told = list(&["--unreachable", "--json"]).json();
    assert_eq!(told.len(), 1);
    assert_eq!(told[0]["reached_in"], Value::Null);
    assert_eq!(canonical(told[0]["position"].as_str().unwrap()), canonical("00000-00000-00001-11112-22223"));
    assert!(list(&["--unreachable"]).out.contains("1 board that no move leads to, up to symmetry"));
}
