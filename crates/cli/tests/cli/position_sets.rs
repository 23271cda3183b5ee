//! Data sets of positions for networks: from records to a file and back, and what is left out on the way.

use std::fs;

use tesuji_game::{Game, Outcome};
use tesuji_learn::positions::{PositionEntry, PositionSet};
use tesuji_shogi::Shogi;

use crate::folder::Folder;
use crate::run::tesuji;
use crate::train::records;

/// Three moves, two of them with values as Black sees them; White resigns.
const CSA: &str = "V2.2\nN+one\nN-two\nPI\n+\n+7776FU\nT1\n'** 30 -3334FU\n-3334FU\nT1\n'** -50\n+2726FU\nT1\n%TORYO\n";

fn entries(path: &str) -> Vec<PositionEntry<Shogi>> {
    let mut found = Vec::new();
    let set = PositionSet::<Shogi>::open(path).unwrap();
    set.for_each(|_, entry| found.push(entry.clone())).unwrap();
    found
}

fn floodgate(folder: &Folder) {
    fs::create_dir(folder.file("games")).unwrap();
    fs::write(folder.file("games/a.csa"), CSA).unwrap();
    fs::write(folder.file("games/b.csa"), format!("{CSA}'summary:abnormal:one win:two lose\n")).unwrap();
    fs::write(folder.file("games/c.csa"), CSA.replace("%TORYO\n", "%CHUDAN\n")).unwrap();
    fs::write(folder.file("games/d.csa"), CSA.replace("3334FU\nT1", "3333FU\nT1")).unwrap();
    fs::write(folder.file("games/e.csa"), "V2.2\nPI\n+\n%TORYO\n").unwrap();
}

#[test]
fn records_become_positions_with_moves_values_and_results() {
    let folder = Folder::new("position-sets");
    floodgate(&folder);
    let (games, set) = (folder.path("games"), folder.path("a.set"));
    let run = tesuji(&["train", "data", "shogi", &games, "--out", &set, "--json", "--threads", "1"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let response = &run.json()[0];
    assert_eq!(response["schema"], "tesuji/train-data/1");
    let figures = ["positions", "games", "with_value", "with_result", "abnormal_games", "open_games"];
    assert_eq!(figures.map(|name| response[name].as_u64().unwrap()), [9, 3, 6, 3, 1, 1], "{response}");
    let left_out = ["faulty_records", "empty_records", "unlabeled", "without_result", "inexpressible"];
    assert_eq!(left_out.map(|name| response[name].as_u64().unwrap()), [1, 1, 0, 0, 0], "{response}");

    let found = entries(&set);
    assert_eq!(found[0].position, Shogi::start());
    let column = |part: fn(&PositionEntry<Shogi>) -> Option<i16>| found.iter().map(part).collect::<Vec<_>>();
    assert_eq!(column(|entry| entry.value)[..3], [Some(30), Some(50), None]);
    assert_eq!(found.iter().map(|entry| entry.game).collect::<Vec<_>>(), [0, 0, 0, 1, 1, 1, 2, 2, 2]);
    assert_eq!(found.iter().map(|entry| entry.ply).collect::<Vec<_>>(), [0, 1, 2, 0, 1, 2, 0, 1, 2]);
    let results: Vec<Option<Outcome>> = found.iter().map(|entry| entry.result).collect();
    assert_eq!(results[..3], [Some(Outcome::Win), Some(Outcome::Loss), Some(Outcome::Win)]);
    // The server calls the second game abnormal; the third has no end.
    assert_eq!(results[3..], [None; 6]);
    assert_eq!(found.iter().map(|entry| entry.second).collect::<Vec<_>>()[..3], [false, true, false]);
    // Labels are those of the moves: playing the move of each leads to the next position.
    for pair in found[..3].windows(2) {
        let mv = tesuji_engines::training::labeled_move(&pair[0].position, pair[0].label.unwrap()).unwrap();
        let mut next = pair[0].position.clone();
        next.play(mv);
        assert_eq!(next, pair[1].position);
    }

    let other = folder.path("b.set");
    let run = tesuji(&["train", "data", "shogi", &games, "--out", &other, "--threads", "2"]);
    assert_eq!(run.code, 0, "{}", run.err);
    for words in ["9 positions of 3 games", "1 game that the server calls abnormal", "left out: 1 record with a fault"]
    {
        assert!(run.out.contains(words), "{}", run.out);
    }
    assert!(fs::read(&set).unwrap() == fs::read(&other).unwrap(), "the number of threads shows in the file");
}

#[test]
fn sets_are_joined_and_verified() {
    let folder = Folder::new("joined-sets");
    floodgate(&folder);
    let (one, two) = (folder.path("one.set"), folder.path("two.set"));
    let run = tesuji(&["train", "data", "shogi", &folder.path("games/a.csa"), "--out", &one]);
    assert_eq!(run.code, 0, "{}", run.err);
    let run = tesuji(&["train", "data", "shogi", &one, &folder.path("games/c.csa"), &one, "--out", &two]);
    assert_eq!(run.code, 0, "{}", run.err);
    let games: Vec<u32> = entries(&two).iter().map(|entry| entry.game).collect();
    assert_eq!(games, [0, 0, 0, 1, 1, 1, 2, 2, 2]);

    let run = tesuji(&["verify", &two]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(
        run.out.contains("an intact data set of shogi") && run.out.contains("9 positions of 3 games"),
        "{}",
        run.out
    );
    let run = tesuji(&["verify", &two, "--json"]);
    assert_eq!(run.json()[0]["with_result"], 6);
    let mut bytes = fs::read(&two).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&two, bytes).unwrap();
    let run = tesuji(&["verify", &two]);
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    assert!(run.err.contains("two.set") && run.err.contains("checksum"), "{}", run.err);
}

#[test]
fn bad_requests_for_positions_are_refused_in_one_line() {
    let folder = Folder::new("bad-sets");
    let (games, set) = (records(&folder, 1), folder.path("a.set"));
    let refused = |words: &[&str]| {
        let run = tesuji(words);
        assert_eq!(run.code, 2, "{words:?}: {}{}", run.out, run.err);
        run.err
    };
    let err = refused(&["train", "data", "othello", &games, "--out", &set, "--for", "net", "--solve", "3"]);
    assert!(err.contains("--solve: not with --for net"), "{err}");
    let err = refused(&["train", "data", "othello", &games, "--out", &set, "--for", "weights", "--to", "set"]);
    assert!(err.contains("--to: not with --for weights"), "{err}");
    let err = refused(&["train", "data", "othello", &games, "--out", &set, "--to", "hcpe"]);
    assert!(err.contains("\"hcpe\": othello has set"), "{err}");
    let run = tesuji(&["train", "data", "othello", &games, "--out", &set, "--for", "net"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let err = refused(&["train", "data", "shogi", &set, "--out", &folder.path("b.set")]);
    assert!(err.contains("a.set holds positions of othello; shogi is needed"), "{err}");
    let weights = folder.path("w.set");
    assert_eq!(tesuji(&["train", "data", "othello", &games, "--out", &weights]).code, 0);
    let err = refused(&["train", "data", "othello", &weights, "--for", "net", "--out", &folder.path("b.set")]);
    assert!(err.contains("is a data set for weights"), "{err}");
    assert!(!folder.file("b.set").exists());
}

#[test]
fn hcpe_and_psv_are_written_and_read() {
    let folder = Folder::new("foreign-sets");
    floodgate(&folder);
    let (games, set) = (folder.path("games"), folder.path("a.set"));
    assert_eq!(tesuji(&["train", "data", "shogi", &games, "--out", &set]).code, 0);
    let known: Vec<PositionEntry<Shogi>> = entries(&set).into_iter().filter(|entry| entry.result.is_some()).collect();
    for (format, bytes) in [("hcpe", 38), ("psv", 40)] {
        let (file, back) = (folder.path(&format!("a.{format}")), folder.path("back.set"));
        let run = tesuji(&["train", "data", "shogi", &set, "--to", format, "--out", &file]);
        assert_eq!(run.code, 0, "{}", run.err);
        // Both formats need a result.
        assert!(
            run.out.contains("left out: 6 positions of games without a result, which the file needs"),
            "{}",
            run.out
        );
        assert_eq!(fs::metadata(&file).unwrap().len(), 3 * bytes);
        let run = tesuji(&["train", "data", "shogi", &file, "--out", &back]);
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(run.out.contains("3 positions of 1 game "), "{}", run.out);
        for (found, known) in entries(&back).into_iter().zip(&known) {
            // Neither can say that there is no value.
            assert_eq!(found, PositionEntry { value: known.value.or(Some(0)), ..known.clone() });
        }
        fs::write(&file, vec![0xff; bytes as usize]).unwrap();
        let run = tesuji(&["train", "data", "shogi", &file, "--out", &back]);
        assert_eq!(run.code, 2, "{}", run.err);
        assert!(
            run.err.contains(&format!("a.{format}, position 1: the first 32 bytes are not a packed")),
            "{}",
            run.err
        );
        fs::write(&file, "short").unwrap();
        let run = tesuji(&["train", "data", "shogi", &file, "--out", &back]);
        assert!(run.code == 2 && run.err.contains("its 5 bytes are not a multiple"), "{}", run.err);
    }
}
