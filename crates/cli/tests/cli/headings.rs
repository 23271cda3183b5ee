//! The headings of help texts, and what the log says of moves that need no search.

use crate::run::{fed, tesuji};

/// Under `Limits` stand limits and resources of a search, and nothing that happens to follow them.
#[test]
fn only_limits_stand_under_limits() {
    let limits = ["--depth", "--nodes", "--time", "--clock", "--margin", "--threads", "--hash"];
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

#[test]
fn a_book_move_is_no_search() {
    let run = fed(&["best-move", "othello", "-v", "--engine", "expert:level=2"], b"startpos\nf5\n");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("move from the opening book"), "{}", run.err);
    assert!(run.err.contains("move found without a search") && !run.err.contains("search finished"), "{}", run.err);
    let update = &tesuji(&["analyze", "trax", "--json", "--depth", "1"]).json()[0];
    assert_eq!(update["source"], "search", "{update}");
}
