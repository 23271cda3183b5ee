//! The signature of the benchmark: the same in every run and on every machine.

use std::process::Command;

use serde_json::Value;

/// Game and nodes of a run with this choice of kernels.
fn signature(kernels: Option<&str>) -> Vec<(String, u64)> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.args(["bench", "--json"]);
    match kernels {
        Some(isa) => command.env("TESUJI_ISA", isa),
        None => command.env_remove("TESUJI_ISA"),
    };
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let read = |line: &str| {
        let row: Value = serde_json::from_str(line).unwrap();
        assert_eq!(row["schema"], "tesuji/bench/1");
        assert!(row["seconds"].as_f64().unwrap() > 0.0);
        (row["game"].as_str().unwrap().to_owned(), row["nodes"].as_u64().unwrap())
    };
    text.lines().map(read).collect()
}

/// The signature of the search as it is. A commit that changes it says so in its `Bench:` line, and here.
const SIGNATURE: [(&str, u64); 6] = [
    ("othello", 656_507),
    ("trax", 175_816),
    ("trax-8x8", 233_624),
    ("trax-loop", 114_343),
    ("ostle", 2_177_806),
    ("shogi", 264_674),
];

#[test]
fn two_runs_and_both_kinds_of_kernels_visit_the_same_nodes() {
    let first = signature(None);
    assert_eq!(first, SIGNATURE.map(|(game, nodes)| (game.to_owned(), nodes)));
    assert_eq!(first, signature(Some("portable")));
}
