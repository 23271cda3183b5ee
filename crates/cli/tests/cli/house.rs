//! Rules of the house that no compiler checks.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn a_whole_game_fits_in_seventy_lines() {
    let lines = fs::read_to_string(root().join("examples/tictactoe.rs")).unwrap().lines().count();
    assert!(lines <= 70, "examples/tictactoe.rs has {lines} lines");
}

#[test]
fn unsafe_lives_only_in_files_named_after_an_instruction_set_or_listed_here() {
    // Memory that no safe type gives: zeroed lazily, in huge pages; or a file on the disk.
    let memory = ["search/src/pages.rs", "store/src/map.rs"];
    let mut files = Vec::new();
    sources(&root().join("crates"), &mut files);
    assert!(files.len() > 50, "the search for sources is broken");
    for file in files {
        let stem = file.file_stem().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(&file).unwrap();
        let allowed = text.lines().any(|line| line.contains("allow(unsafe_code"));
        let named = ["avx2", "avx512", "bmi2", "neon"].contains(&stem.as_str());
        let listed = memory.iter().any(|path| file.ends_with(path));
        assert!(!allowed || named || listed || stem == "house", "{} allows unsafe code", file.display());
    }
}

/// The arrows between the rooms never turn back: rules know the vocabulary alone.
#[test]
fn rules_depend_on_the_vocabulary_alone() {
    for (room, allowed) in [
        ("game", &[][..]),
        ("othello", &["tesuji-game"]),
        ("trax", &["tesuji-game"]),
        ("ostle", &["tesuji-game"]),
        ("shogi", &["tesuji-game", "encoding_rs"]),
        ("laws", &["tesuji-game", "proptest"]),
    ] {
        let manifest = fs::read_to_string(root().join("crates").join(room).join("Cargo.toml")).unwrap();
        let mut section = "";
        for line in manifest.lines().map(str::trim) {
            if line.starts_with('[') {
                section = line;
            } else if section == "[dependencies]" && !line.is_empty() && !line.starts_with('#') {
                let name = line.split(['.', ' ', '=']).next().unwrap();
                assert!(allowed.contains(&name), "{room} depends on {name}");
            }
        }
    }
}
