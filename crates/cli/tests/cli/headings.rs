//! The headings of help texts, and what the log says of moves that need no search.

use crate::run::{fed, tesuji};

/// Under `Limits` stand limits and resources of a search, and nothing that happens to follow them.
#[test]
fn only_limits_stand_under_limits() {
    let limits = ["--depth", "--nodes", "--time", "--clock", "--margin", "--threads", "--hash", "--level"];
    for command in ["analyze", "best-move", "play", "match"] {
        let help = tesuji(&[command, "--help"]).out;
        let (_, section) = help.split_once("\nLimits:\n").unwrap_or_else(|| panic!("{command}: no limits\n{help}"));
        let section = section.split("\nGlobal options:").next().unwrap();
        let words = section.lines().filter_map(|line| line.split_whitespace().next());
        let options: Vec<&str> = words.filter(|word| word.starts_with("--")).collect();
        assert!(options.len() >= 4, "{command}: {section}");
        assert!(options.iter().all(|option| limits.contains(option)), "{command}: {section}");
    }
}

/// Under `Filter` stands which records are wanted, not how they are read or written.
#[test]
fn only_filters_stand_under_filter() {
    for (command, others) in [
        ("replay", &["--format", "--threads", "--json"][..]),
        ("convert", &["--format", "--threads", "--to", "--index", "--ply", "--empties"]),
        ("records", &["--threads", "--split", "--seed", "--compact", "--out", "--json"]),
        ("stats", &["--threads", "--min-games", "--json"]),
    ] {
        let help = tesuji(&[command, "-h"]).out;
        let (options, filter) = help.split_once("\nFilter:\n").unwrap_or_else(|| panic!("{command}: {help}"));
        let filter = filter.split("\n\n").next().unwrap();
        let listed = |section: &str, option: &str| section.lines().any(|line| line.trim().starts_with(option));
        for option in others {
            assert!(listed(options, option) && !listed(filter, option), "{command} {option}: {help}");
        }
        for option in ["--player", "--since", "--ending", "--opening", "--limit"] {
            assert!(listed(filter, option), "{command} {option}: {help}");
        }
    }
}

#[test]
fn a_book_move_is_no_search() {
    let run = fed(&["best-move", "othello", "-v", "--engine", "expert:level=2"], b"startpos\nf5\n");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("move from the opening book"), "{}", run.err);
    assert!(run.err.contains("move found without a search") && !run.err.contains("search finished"), "{}", run.err);
    let update = &tesuji(&["analyze", "trax", "--json", "--depth", "1"]).json()[0];
    assert_eq!(update["source"], "search", "{update}");
}
