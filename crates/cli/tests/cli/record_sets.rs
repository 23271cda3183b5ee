//! `tesuji records`: what is kept, what is dropped and why, lists and files of records, and the split.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::folder::Folder;
use crate::run::{fed, tesuji};

/// Moves of a short game, the same in all records but for the first move.
const FIRST_MOVES: [&str; 10] =
    ["+7776FU", "+2726FU", "+5756FU", "+1716FU", "+9796FU", "+6766FU", "+3736FU", "+4746FU", "+8786FU", "+2858HI"];

/// A game as the floodgate server writes it.
fn csa(first: &str, ratings: [&str; 2], end: &str, summary: &str) -> String {
    format!(
        "V2\nN+Ann\nN-Bob\n$START_TIME:2016/01/03 10:00:04\nPI\n+\n'black_rate:Ann:{}\n'white_rate:Bob:{}\n{first}\n\
         T3\n'** 35\n-3334FU\nT4\n'** 20\n+5948OU\nT1\n{end}\n'summary:{summary}:Ann win:Bob lose\n",
        ratings[0], ratings[1]
    )
}

/// Games in a folder, one per file: ten good ones, and one for each reason to drop it.
fn games(name: &str) -> Folder {
    let folder = Folder::new(name);
    fs::create_dir_all(folder.file("games/deep")).unwrap();
    let put = |name: &str, text: String| fs::write(folder.file("games").join(name), text).unwrap();
    let good = ["2600", "2700"];
    for (number, first) in FIRST_MOVES.iter().enumerate() {
        put(&format!("{number}.csa"), csa(first, good, "%TORYO", "toryo"));
    }
    put("deep/again.csa", csa(FIRST_MOVES[0], good, "%TORYO", "toryo"));
    put("deep/weak.csa", csa("+6978KI", ["2600", "2400"], "%TORYO", "toryo"));
    put("deep/time.csa", csa("+6968KI", good, "%TIME_UP", "time_up"));
    put("deep/lost.csa", csa("+6958KI", good, "%TORYO", "abnormal"));
    put("deep/faulty.csa", csa("+7775FU", good, "%TORYO", "toryo"));
    folder
}

/// The paths in a list, without its comments.
fn listed(list: &str) -> Vec<String> {
    let text = fs::read_to_string(list).unwrap();
    assert!(text.starts_with("# tesuji-records 1 shogi\n"), "{text}");
    text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
}

const FILTER: [&str; 5] = ["--min-rating", "2500", "--ending", "resignation", "--no-abnormal"];

#[test]
fn every_record_is_kept_or_dropped_for_one_reason() {
    let folder = games("sets-report");
    let (games, out) = (folder.path("games"), folder.path("kept"));
    let run = tesuji(&[&["records", "shogi", &games, "--out", &out], &FILTER[..]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(
        run.out,
        format!(
            "read     15  of 15 files\n\
             dropped   1  with a fault\n\
             dropped   1  by rating\n\
             dropped   1  by ending\n\
             dropped   1  by the server's word\n\
             dropped   1  as duplicates\n\
             kept     10\n\
             all      10  {out} (a list of files; 30 moves)\n"
        )
    );
    assert!(
        run.err.starts_with(&format!("tesuji: {games}/deep/faulty.csa:9: record 1: move 1, \"+7775FU\"")),
        "{}",
        run.err
    );
    let expected: Vec<String> = (0..10).map(|number| format!("{games}/{number}.csa")).collect();
    assert_eq!(listed(&out), expected);
    // The list stands for its files, wherever records are read.
    let run = tesuji(&["replay", "shogi", &out]);
    assert_eq!((run.code, run.out.lines().count()), (0, 10), "{}", run.err);
    assert!(run.out.starts_with(&format!("{games}/0.csa: record 1: 3 moves, black won")), "{}", run.out);
    let run = tesuji(&["stats", "shogi", &format!("@{out}"), "--json"]);
    assert_eq!(run.json()[0]["records"], 10, "{}", run.err);

    let run =
        tesuji(&[&["records", "shogi", &games, "--out", &out, "--json", "--keep-duplicates"], &FILTER[..]].concat());
    let report = &run.json()[0];
    assert_eq!(report["schema"], "tesuji/records/1");
    assert_eq!(
        (&report["read"], &report["kept"], &report["kind"]),
        (&15.into(), &11.into(), &"list".into()),
        "{report}"
    );
    let dropped: u64 = report["dropped"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(dropped, 4, "{report}");
    assert_eq!(report["sets"][0]["plies"], 33);
}

#[test]
fn the_file_the_board_and_the_server_have_words_of_their_own() {
    let folder = games("sets-words");
    let kept = |words: &[&str]| {
        let run = tesuji(
            &[&["records", "shogi", &folder.path("games"), "--out", &folder.path("x"), "--json"], words].concat(),
        );
        assert_eq!(run.code, 0, "{words:?}: {}", run.err);
        run.json()[0]["kept"].as_u64().unwrap()
    };
    assert_eq!(kept(&[]), 13);
    assert_eq!(kept(&["--ending", "time"]), 1);
    assert_eq!(kept(&["--board-ending", "unfinished"]), 13);
    assert_eq!(kept(&["--summary", "abnormal"]), 1);
    assert_eq!(kept(&["--summary", "toryo,time_up"]), 12);
    assert_eq!(kept(&["--limit", "3"]), 3);
    // A mated player who resigned: the file says so, and the board knows better.
    let mate = folder.path("games/deep/mate.csa");
    fs::write(&mate, "V2\nP-51OU\nP+53FU59OU00KI\n+\n+0052KI\n%TORYO\n").unwrap();
    assert_eq!(kept(&["--ending", "resignation", "--board-ending", "checkmate"]), 1);
    assert_eq!(kept(&["--board-ending", "checkmate", "--no-abnormal"]), 1);
    let run = tesuji(&["records", "shogi", &folder.path("games"), "--out", &folder.path("y"), "--ending", "checkmate"]);
    assert_eq!((run.code, run.out.as_str()), (1, ""));
    assert!(
        run.err
            .contains("no record is left of the 16 that were read, and nothing was written; left out: 1 with a fault"),
        "{}",
        run.err
    );
    assert!(!folder.file("y").exists());
}

/// The key of a game: its first move.
fn first_moves(file: &str) -> BTreeSet<String> {
    let run = tesuji(&["convert", "shogi", file, "--to", "usi"]);
    run.out.lines().map(|line| line.split(' ').nth(2).unwrap().to_owned()).collect()
}

#[test]
fn the_split_depends_on_the_games_alone() {
    let folder = games("sets-split");
    let split = |from: &str, prefix: &str, words: &[&str]| {
        let prefix = folder.path(prefix);
        let run = tesuji(&[&["records", "shogi", from, "--split", "0.4", "--out", &prefix, "--json"], words].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        let counts: Vec<u64> =
            run.json()[0]["sets"].as_array().unwrap().iter().map(|set| set["records"].as_u64().unwrap()).collect();
        let sets = ["train", "test"].map(|part| first_moves(&format!("{prefix}.{part}")));
        assert_eq!(counts, [sets[0].len() as u64, sets[1].len() as u64]);
        assert!(sets[0].is_disjoint(&sets[1]) && !sets[0].is_empty() && !sets[1].is_empty(), "{sets:?}");
        sets
    };
    let games = folder.path("games");
    let plain = split(&games, "a", &["--seed", "1"]);
    assert_eq!(split(&games, "a", &["--seed", "1", "--threads", "1"]), plain);
    assert_ne!(split(&games, "b", &["--seed", "2"]), plain);
    let compact = split(&games, "c", &["--seed", "1", "--compact"]);
    assert_eq!(compact, plain);
    // Other names and another order.
    fs::rename(folder.file("games/0.csa"), folder.file("games/deep/zz.csa")).unwrap();
    fs::rename(folder.file("games"), folder.file("moved")).unwrap();
    assert_eq!(split(&folder.path("moved"), "d", &["--seed", "1"]), plain);
    for share in ["0", "1", "2", "nan"] {
        let run = tesuji(&["records", "shogi", &folder.path("moved"), "--split", share, "--out", &folder.path("e")]);
        assert!(run.code == 2 && run.err.contains("--split: "), "{share}: {}", run.err);
    }
}

/// A file of records keeps what training needs, and filters find the same again.
#[test]
fn a_file_of_records_keeps_everything() {
    let folder = games("sets-compact");
    let out = folder.path("all.csa");
    let run = tesuji(&["records", "shogi", &folder.path("games"), "--compact", "--out", &out]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.ends_with(&format!("all      13  {out} (records, csa; 39 moves)\n")), "{}", run.out);
    let text = fs::read_to_string(&out).unwrap();
    for part in ["'black_rate:Ann:2600", "'** 35\n", "%TIME_UP", "'summary:abnormal:Ann win:Bob lose", "T3\n"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let again = folder.path("again");
    let run = tesuji(&[&["records", "shogi", &out, "--out", &again, "--json"], &FILTER[..]].concat());
    let report: Value = run.json()[0].clone();
    assert_eq!((&report["kind"], &report["format"]), (&"records".into(), &"csa".into()), "{report}");
    assert_eq!((&report["read"], &report["kept"], &report["dropped"]["rating"]), (&13.into(), &10.into(), &1.into()));
    assert_eq!(report["dropped"]["summary"], 1);
    // Twice the same set is the same bytes.
    let first = fs::read(&again).unwrap();
    tesuji(&[&["records", "shogi", &out, "--out", &again, "--threads", "1"], &FILTER[..]].concat());
    assert_eq!(fs::read(&again).unwrap(), first);
}

#[test]
fn several_records_in_a_file_need_no_option() {
    let folder = Folder::new("sets-many");
    let out = folder.path("set");
    let run = fed(&["records", "othello", "-", "--out", &out], b"f5d6c3\nf5f6e6\nf5d6c3\nf5f5\n");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.ends_with(&format!("kept     2\nall      2  {out} (records, ggf; 6 moves)\n")), "{}", run.out);
    assert_eq!(run.err.matches("record 4").count(), 1, "{}", run.err);
    let lines = folder.path("two.txt");
    fs::write(&lines, "f5f5\nf5d6c3\nf5f6e6\n").unwrap();
    let run = tesuji(&["records", "othello", &lines, "--out", &out]);
    assert_eq!((run.code, run.err.matches("record 1").count()), (0, 1), "{}", run.err);
    assert!(tesuji(&["replay", "othello", &out]).out.starts_with("record 1: 3 moves"));
}

#[test]
fn wrong_lists_and_targets_are_refused() {
    let folder = games("sets-wrong");
    let list = folder.path("list");
    let refused = |words: &[&str], parts: &[&str]| {
        let run = tesuji(words);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{words:?}: {}", run.err);
        for part in parts {
            assert!(run.err.contains(part), "{part}: {}", run.err);
        }
    };
    fs::write(&list, "games/0.csa\ngames/missing.csa\n").unwrap();
    let marked = format!("@{list}");
    refused(&["replay", "shogi", &marked], &[&format!("{list}:2: cannot read"), "missing.csa"]);
    fs::write(&list, "# tesuji-records 1 shogi\ngames/0.csa\n").unwrap();
    refused(&["replay", "othello", &list], &["lists records of shogi, not of othello"]);
    assert_eq!(tesuji(&["replay", "shogi", &list]).code, 0);
    fs::write(&list, "# tesuji-records 1 shogi\n\n").unwrap();
    refused(&["replay", "shogi", &list], &["names no file"]);
    refused(&["replay", "shogi", "@no-such-list"], &["cannot read the list \"no-such-list\""]);
    let game = folder.path("games/0.csa");
    refused(&["records", "shogi", &game, "--out", &game], &["--out: ", "is one of the files to read"]);
    refused(&["records", "shogi", &game, "--out", folder.name()], &["--out: ", "it is a folder"]);
    refused(&["records", "shogi", &game, "--out", &folder.path("no/set")], &["--out: ", "there is no folder"]);
    assert!(fs::read_to_string(&game).unwrap().starts_with("V2"));
}

/// A variation that cannot be read spoils nothing else, and is named.
#[test]
fn faults_in_variations_are_named() {
    let folder = Folder::new("sets-variations");
    let kif = folder.path("game.kif");
    fs::write(&kif, "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 投了\n\n変化：2手\n2 ８四歩(83)\n3 ５五歩(57)\n")
        .unwrap();
    let warning = "record 1: the variation at move 2 stops: move 3, \"５五歩(57)\"";
    let run = tesuji(&["replay", "shogi", &kif]);
    assert_eq!((run.code, run.out.lines().count()), (0, 1), "{}", run.err);
    assert!(run.err.starts_with(&format!("tesuji: warning: {kif}: {warning}")), "{}", run.err);
    let faults = tesuji(&["replay", "shogi", &kif, "--json"]).json()[0]["variation_faults"].clone();
    assert_eq!(faults.as_array().map(Vec::len), Some(1), "{faults}");
    let run = tesuji(&["records", "shogi", &kif, "--out", &folder.path("list")]);
    assert!(run.code == 0 && run.err.starts_with(&format!("tesuji: warning: {kif}: {warning}")), "{}", run.err);
    let run = tesuji(&["records", "shogi", &kif, "--compact", "--out", &folder.path("all.csa")]);
    assert!(run.err.contains("record 1: 1 variation is left out: csa has none"), "{}", run.err);
}
