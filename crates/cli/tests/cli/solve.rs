//! `solve` where it has nothing to do, cannot, or is stopped: a whole solution takes minutes, and is tested in `solve`.

use std::fs;

use crate::folder::Folder;
use crate::run::tesuji;

#[test]
fn what_cannot_be_solved_is_told() {
    let folder = Folder::new("solve-told");
    for (words, code, told) in [
        (&["trax"][..], 2, "trax is too large to be solved"),
        (&["othello"], 2, "there is no option --out"),
        (&["ostle", "22222-00000-00300-00000-11111"], 2, "ask `tesuji query ostle` for a position"),
        (&["ostle", "--pieces", "7"], 2, "ostle is solved with 8, 9 or 10"),
        (&["ostle", "--checkpoint", "soon"], 2, "soon"),
        (&["ostle", "--pieces", "8", "--memory", "10"], 1, "needs"),
        (&["ostle", "--processes", "2"], 2, "--process <I>"),
        (&["ostle", "--process", "0"], 2, "--processes <N>"),
        (&["ostle", "--processes", "2", "--process", "2", "--hosts", "Cargo.toml"], 2, "from 0 to 1"),
        (&["ostle", "--processes", "2", "--process", "0"], 2, "--hosts: several processes need"),
        (&["ostle", "--processes", "2", "--process", "0", "--hosts", "no/file"], 2, "--hosts: no/file: cannot be read"),
        (&["ostle", "--processes", "2", "--process", "0", "--hosts", "Cargo.toml"], 2, "is no address: write"),
        (&["ostle", "--processes", "2", "--process", "0", "--reach"], 2, "cannot be used with"),
        (&["ostle", "--processes", "1", "--process", "0", "--memory", "10", "--pieces", "8"], 1, "more processes"),
    ] {
        let run = tesuji(&[&["solve"], words, &["--out", folder.name()][..]].concat());
        assert_eq!(run.code, code, "{words:?}: {}", run.err);
        assert!(run.err.contains(told), "{words:?}: {}", run.err);
        assert_eq!(run.out, "");
    }
    let file = folder.path("file");
    fs::write(&file, "a file").unwrap();
    let run = tesuji(&["solve", "ostle", "--out", &file]);
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(run.err.contains("cannot be made"), "{}", run.err);
    assert_eq!(fs::read_to_string(&file).unwrap(), "a file");
}

#[test]
fn time_that_is_over_leaves_work_to_go_on_with() {
    let folder = Folder::new("solve-time");
    for _ in 0..2 {
        let run = tesuji(&["solve", "ostle", "--pieces", "8", "--time-limit", "1ms", "--out", folder.name()]);
        assert_eq!((run.code, &run.out[..]), (1, ""), "{}", run.err);
        let command = format!("`tesuji solve ostle --pieces 8 --out {}` goes on", folder.name());
        assert!(run.err.contains("the time limit is over") && run.err.contains(&command), "{}", run.err);
        assert!(folder.0.join("work").is_dir());
    }
    let run = tesuji(&["query", "ostle", "--table", folder.name()]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("there is no table of ostle"), "{}", run.err);
}
