//! Rules of the architecture that no compiler checks.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

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

fn all_sources() -> Vec<PathBuf> {
    let mut files = Vec::new();
    for folder in ["crates", "examples", "fuzz"] {
        sources(&root().join(folder), &mut files);
    }
    assert!(files.len() > 200, "the search for sources is broken");
    files
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
    for file in all_sources() {
        let stem = file.file_stem().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(&file).unwrap();
        let allowed = text.lines().any(|line| line.contains("allow(unsafe_code"));
        let named = ["amx", "avx2", "avx512", "avx512bf16", "bmi2", "neon"].contains(&stem.as_str());
        let listed = memory.iter().any(|path| file.ends_with(path));
        assert!(!allowed || named || listed || stem == "architecture", "{} allows unsafe code", file.display());
    }
}

/// The crates of the workspace in dependency order, and what each may depend on at most.
const CRATES: &[(&str, &[&str])] = &[
    ("game", &[]),
    ("othello", &["game"]),
    ("trax", &["game"]),
    ("ostle", &["game"]),
    ("shogi", &["game"]),
    ("laws", &["game"]),
    ("task", &[]),
    ("store", &[]),
    ("search", &["game", "task"]),
    ("solve", &["game", "task", "store"]),
    ("dataflow", &["game", "task", "store", "solve"]),
    ("learn", &["game", "task", "store"]),
    ("nn", &["game", "task", "store"]),
    ("engines", &["game", "othello", "trax", "ostle", "shogi", "task", "store", "search", "solve", "learn", "nn"]),
    ("protocol", &["game"]),
    ("drivers", &["game", "othello", "trax", "ostle", "shogi", "task", "search", "engines", "protocol"]),
    ("arena", &["game", "task", "store", "search", "engines", "protocol"]),
    ("report", &["game", "search", "arena"]),
    (
        "registry",
        &[
            "game", "othello", "trax", "ostle", "shogi", "task", "store", "search", "solve", "dataflow", "learn", "nn",
            "engines", "protocol", "drivers", "arena", "report",
        ],
    ),
    ("web", &["task", "registry"]),
    ("cluster", &["task", "registry"]),
    ("cli", &["task", "store", "registry", "report", "web", "cluster"]),
];

/// The dependency graph on this platform: what others need may never have been downloaded.
fn metadata() -> Value {
    let compiler = Command::new("rustc").arg("-vV").output().unwrap();
    let version = String::from_utf8(compiler.stdout).unwrap();
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("rustc -vV names the host");
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--locked", "--offline", "--filter-platform", host])
        .current_dir(root())
        // It asks a compiler that would read our input.
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The arrows between crates never turn back. Dev-dependencies are free, but no crate at all depends on `cli`.
#[test]
fn crates_depend_only_on_crates_before_them() {
    let metadata = metadata();
    let mut seen = 0;
    for package in metadata["packages"].as_array().unwrap() {
        let Some(name) = package["name"].as_str().unwrap().strip_prefix("tesuji-") else { continue };
        let (_, allowed) =
            CRATES.iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("{name} is not in CRATES"));
        seen += 1;
        for dependency in package["dependencies"].as_array().unwrap() {
            let Some(other) = dependency["name"].as_str().unwrap().strip_prefix("tesuji-") else { continue };
            assert_ne!(other, "cli", "{name} depends on the command line");
            let is_dev = dependency["kind"] == "dev";
            assert!(is_dev || allowed.contains(&other), "{name} depends on {other}");
        }
    }
    assert_eq!(seen, CRATES.len(), "CRATES lists crates that are not there");
}

/// The application layer pulls in nothing that belongs to a terminal, not even through another crate.
#[test]
fn the_registry_knows_no_terminal() {
    let metadata = metadata();
    let nodes = metadata["resolve"]["nodes"].as_array().unwrap();
    let edges: HashMap<&str, Vec<&str>> = nodes
        .iter()
        .map(|node| {
            let normal = |dep: &&Value| dep["dep_kinds"].as_array().unwrap().iter().any(|kind| kind["kind"].is_null());
            let deps = node["deps"].as_array().unwrap().iter().filter(normal);
            (node["id"].as_str().unwrap(), deps.map(|dep| dep["pkg"].as_str().unwrap()).collect())
        })
        .collect();
    let packages = metadata["packages"].as_array().unwrap();
    let names: HashMap<&str, &str> =
        packages.iter().map(|package| (package["id"].as_str().unwrap(), package["name"].as_str().unwrap())).collect();
    let start = names.iter().find(|(_, name)| **name == "tesuji-registry").unwrap().0;
    let (mut open, mut reached) = (vec![*start], HashSet::new());
    while let Some(id) = open.pop() {
        if reached.insert(id) {
            open.extend(&edges[id]);
        }
    }
    let reached: HashSet<&str> = reached.into_iter().map(|id| names[id]).collect();
    assert!(reached.contains("tesuji-game"), "the walk over the graph is broken");
    for terminal in ["clap", "clap_builder", "crossterm", "ratatui", "indicatif"] {
        assert!(!reached.contains(terminal), "the registry depends on {terminal}");
    }
}

/// Names that meant something to nobody but us.
const PRIVATE_WORDS: &[&str] = &[
    "craft",
    "crew",
    "shelf",
    "roster",
    "lesson",
    "exercise",
    "marker",
    "teach",
    "school",
    "workshop",
    "tidings",
    "bout",
    "sitting",
    "desk",
    "teller",
    "endow",
    "grove",
    "nook",
    "glance",
    "trail",
    "situation",
];

/// No identifier is, or contains as one of its words, a private word: neither `Craft` nor `in_crew` nor `OthelloCraft`.
#[test]
fn names_are_those_of_the_field() {
    let mut wrong = Vec::new();
    for file in all_sources().into_iter().filter(|file| !file.ends_with("architecture.rs")) {
        let text = fs::read_to_string(&file).unwrap().replace("std::marker::", "");
        let named = file.file_stem().unwrap().to_string_lossy().into_owned();
        let identifiers = text.split(|c: char| !c.is_alphanumeric() && c != '_').chain([named.as_str()]);
        for identifier in identifiers {
            if words(identifier).iter().any(|word| PRIVATE_WORDS.contains(&word.as_str())) {
                wrong.push(format!("{}: {identifier}", file.strip_prefix(root()).unwrap().display()));
            }
        }
    }
    wrong.dedup();
    assert!(wrong.is_empty(), "{} names:\n{}", wrong.len(), wrong.join("\n"));
}

/// The words of an identifier in lower case: `OthelloCraft` and `othello_craft` have two.
fn words(identifier: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for letter in identifier.chars() {
        if letter == '_' || letter.is_uppercase() && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if letter != '_'
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
    }
    words
}

#[test]
fn identifiers_are_split_into_words() {
    assert_eq!(words("OthelloCraft"), ["othello", "craft"]);
    assert_eq!(words("in_crew"), ["in", "crew"]);
    assert_eq!(words("craftsman"), ["craftsman"]);
}
