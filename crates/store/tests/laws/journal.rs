//! Journals that lose nothing and believe nothing false.

use std::fs;
use std::path::Path;

use tesuji_store::{Journal, JournalContent, StoreError, journal};

use crate::scratch::Scratch;

const EVENTS: [&str; 5] = ["game 1 win", "", "J*game 2\tdraw é", "game 3 loss", "game 3 loss"];

fn write(path: &Path) -> Vec<u8> {
    let mut journal = Journal::create(path, "test").unwrap();
    for event in EVENTS {
        journal.append(event).unwrap();
    }
    fs::read(path).unwrap()
}

#[test]
fn the_text_is_what_the_manual_shows() {
    let scratch = Scratch::new();
    let path = scratch.path("j");
    let mut journal = Journal::create(&path, "tournament").unwrap();
    journal.append("the first event").unwrap();
    journal.append("the second event").unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text, "tesuji-journal 1 tournament c016f372\n2a466a48 the first event\naf142be7 the second event\n");
}

#[test]
fn events_come_back_in_order_and_go_on_after_opening() {
    let scratch = Scratch::new();
    let path = scratch.path("j");
    write(&path);
    let (mut journal, lines) = Journal::open(&path, "test").unwrap();
    assert_eq!(lines, EVENTS);
    assert!(!journal.mended());
    journal.append("more").unwrap();
    let JournalContent { lines, torn } = journal::read(&path, "test").unwrap();
    assert_eq!(lines[..5], EVENTS);
    assert_eq!(lines[5..], ["more"]);
    assert!(!torn);
}

#[test]
fn a_cut_at_any_byte_drops_whole_events_and_says_when_it_was_inside_one() {
    let scratch = Scratch::new();
    let whole = write(&scratch.path("whole"));
    let path = scratch.path("cut");
    for length in 0..=whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        let breaks = whole[..length].iter().filter(|&&byte| byte == b'\n').count();
        let at_break = length > 0 && whole[length - 1] == b'\n';
        let expected: Vec<&str> = EVENTS.iter().copied().take(breaks.saturating_sub(1)).collect();

        let reading = journal::read(&path, "test").unwrap();
        assert_eq!(reading.lines, expected, "cut at {length}");
        assert_eq!(reading.torn, !at_break, "cut at {length}");

        let (mut journal, lines) = Journal::open(&path, "test").unwrap();
        assert_eq!(lines, expected, "cut at {length}");
        assert_eq!(journal.mended(), !at_break);
        journal.append("after the cut").unwrap();
        let reading = journal::read(&path, "test").unwrap();
        assert_eq!(reading.lines.len(), expected.len() + 1, "cut at {length}");
        assert_eq!(reading.lines.last().unwrap(), "after the cut");
        assert!(!reading.torn);
    }
}

#[test]
fn every_flipped_bit_is_an_error_that_names_its_line() {
    let scratch = Scratch::new();
    let whole = write(&scratch.path("whole"));
    let path = scratch.path("flipped");
    for at in 0..whole.len() {
        let line = 1 + whole[..at].iter().filter(|&&byte| byte == b'\n').count();
        for bit in 0..8 {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << bit;
            fs::write(&path, &bytes).unwrap();
            let error = journal::read(&path, "test").expect_err(&format!("byte {at}, bit {bit}"));
            assert_eq!(error.line(), Some(line), "byte {at}, bit {bit}: {error}");
            assert!(error.to_string().contains(&format!("line {line}: ")), "{error}");
            assert!(Journal::open(&path, "test").is_err());
            assert_eq!(fs::read(&path).unwrap(), bytes, "a damaged journal is left as it is");
        }
    }
}

#[test]
fn lines_that_are_missing_repeated_or_swapped_are_noticed() {
    let scratch = Scratch::new();
    let whole = String::from_utf8(write(&scratch.path("whole"))).unwrap();
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    let path = scratch.path("shuffled");
    let refused_at = |lines: &[&str]| {
        fs::write(&path, lines.concat()).unwrap();
        journal::read(&path, "test").unwrap_err().line().unwrap()
    };
    for at in 1..lines.len() {
        let mut repeated = lines.clone();
        repeated.insert(at, lines[at]);
        assert_eq!(refused_at(&repeated), at + 2, "line {} repeated", at + 1);
    }
    for at in 1..lines.len() - 1 {
        let mut missing = lines.clone();
        missing.remove(at);
        assert_eq!(refused_at(&missing), at + 1, "line {} missing", at + 1);
        let mut swapped = lines.clone();
        swapped.swap(at, at + 1);
        assert_eq!(refused_at(&swapped), at + 1, "line {} swapped", at + 1);
    }
}

#[test]
fn one_run_at_a_time() {
    let scratch = Scratch::new();
    let path = scratch.path("j");
    let mut first = Journal::create(&path, "test").unwrap();
    let error = Journal::open(&path, "test").err().unwrap();
    assert!(matches!(error, StoreError::Locked { .. }));
    assert!(error.to_string().contains("another run"), "{error}");
    first.append("still mine").unwrap();
    drop(first);
    assert_eq!(Journal::open(&path, "test").unwrap().1, ["still mine"]);
}

#[test]
fn what_does_not_fit_is_refused_and_changes_nothing() {
    let scratch = Scratch::new();
    let path = scratch.path("j");
    assert!(matches!(Journal::create(&path, "two words"), Err(StoreError::Text { .. })));
    assert!(matches!(Journal::create(&path, ""), Err(StoreError::Text { .. })));
    assert!(!path.exists());
    let mut journal = Journal::create(&path, "test").unwrap();
    for bad in ["a\nb", "\n", "a\r", "\0"] {
        assert!(matches!(journal.append(bad), Err(StoreError::Text { .. })));
    }
    journal.append("good").unwrap();
    assert!(matches!(Journal::create(&path, "test"), Err(StoreError::Exists { .. })));
    assert_eq!(journal::read(&path, "test").unwrap().lines, ["good"]);
}

#[test]
fn another_kind_another_format_and_another_file_are_told_apart() {
    let scratch = Scratch::new();
    let path = scratch.path("j");
    write(&path);
    let error = journal::read(&path, "other").unwrap_err();
    assert!(matches!(&error, StoreError::Kind { found, expected, .. } if found == "test" && expected == "other"));

    let title = "tesuji-journal 2 test";
    fs::write(&path, format!("{title} {:08x}\n", crc32fast::hash(title.as_bytes()))).unwrap();
    assert!(matches!(journal::read(&path, "test"), Err(StoreError::Version { found, .. }) if found == "2"));

    fs::write(&path, "{\"a\": 1}\n").unwrap();
    let error = journal::read(&path, "test").unwrap_err();
    assert_eq!(error.line(), Some(1));
    assert!(error.to_string().contains("tesuji-journal 1 test"), "{error}");
}
