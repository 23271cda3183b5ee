//! Files and folders of records: `replay`, `convert`, `stats` and `train data` over many files, with filters and
//! openings.

use std::fs;

use crate::folder::Folder;
use crate::run::{fed, tesuji};

const TIGER: &str = "f5d6c3d3c4";
const COW: &str = "f5f6e6f4e3";

/// A game of GGF with names, a date and ratings.
fn ggf(names: [&str; 2], date: &str, ratings: [&str; 2], moves: &str) -> String {
    let board = "---------------------------O*------*O---------------------------";
    let moves: String = (0..moves.len() / 2)
        .map(|ply| format!("{}[{}]", if ply % 2 == 0 { "B" } else { "W" }, &moves[2 * ply..2 * ply + 2]))
        .collect();
    format!(
        "(;GM[Othello]DT[{date}]PB[{}]PW[{}]RB[{}]RW[{}]RE[+2.000:r]TY[8]BO[8 {board} *]{moves};)\n",
        names[0], names[1], ratings[0], ratings[1]
    )
}

/// A folder with good records, in two folders below it and of two formats, and one file of another kind.
fn games(name: &str) -> Folder {
    let folder = Folder::new(name);
    fs::create_dir_all(folder.file("b/c")).unwrap();
    let one = ggf(["Ann", "Bob"], "1999.05.01_10:00:00.MST", ["2000", "2100"], TIGER);
    let two = ggf(["Cid", "Ann"], "2003.01.31_10:00:00.MST", ["1500", "2000"], COW);
    fs::write(folder.file("a.ggf"), one + &two).unwrap();
    fs::write(folder.file("b/c/deep.txt"), format!("{TIGER}f4\n{COW}\n")).unwrap();
    fs::write(folder.file("picture.png"), b"\x89PNG\0\0").unwrap();
    folder
}

#[test]
fn a_folder_is_replayed_in_order_with_names_of_files_and_openings() {
    let folder = games("corpus-replay");
    for threads in ["1", "2", "7"] {
        let run = tesuji(&["replay", "othello", folder.name(), "--threads", threads]);
        assert_eq!(run.code, 0, "{}", run.err);
        let (a, deep) = (folder.path("a.ggf"), folder.path("b/c/deep.txt"));
        let lines: Vec<&str> = run.out.lines().collect();
        assert_eq!(
            lines,
            [
                format!("{a}: record 1: 5 moves, black won (resignation), Tiger (虎定石)"),
                format!("{a}: record 2: 5 moves, black won (resignation), Cow (牛定石)"),
                format!("{deep}: record 1: 6 moves, unfinished, Tiger (虎定石)"),
                format!("{deep}: record 2: 5 moves, unfinished, Cow (牛定石)"),
            ]
        );
        assert!(run.err.starts_with("4 records of 2 files, 0 with an error"), "{}", run.err);
    }
    let run = tesuji(&["replay", "othello", folder.name(), &folder.path("a.ggf"), "--json"]);
    let records = run.json();
    assert_eq!(records.len(), 6);
    let indices: Vec<u64> = records.iter().map(|record| record["index"].as_u64().unwrap()).collect();
    assert_eq!(indices, [1, 2, 1, 2, 1, 2]);
    assert_eq!(records[2]["file"], folder.path("b/c/deep.txt"));
    assert_eq!(records[0]["openings"][0]["name"], "Tiger");
}

#[test]
fn a_bad_file_is_one_line_and_the_others_are_read() {
    let folder = games("corpus-bad");
    let prose = folder.path("prose.txt");
    fs::write(&prose, "Dear reader,\nthis is a letter.\n".repeat(500)).unwrap();
    let picture = folder.path("picture.png");
    let bad = folder.path("z.txt");
    fs::write(&bad, format!("# comment\n{TIGER}\n\nf5f5\n")).unwrap();
    let run = tesuji(&["replay", "othello", folder.name(), &picture]);
    assert_eq!(run.code, 1);
    let errors: Vec<&str> = run.err.lines().collect();
    assert!(errors[0].starts_with(&format!("tesuji: {prose}:1: no records of othello")), "{}", run.err);
    assert!(errors[1].starts_with(&format!("tesuji: {picture}: a binary file")), "{}", run.err);
    assert_eq!(errors[2..], ["6 records of 5 files, 1 with an error", "2 of 5 files could not be used"]);
    let fault = run.out.lines().last().unwrap();
    assert!(fault.starts_with(&format!("{bad}:4: record 2: 1 move legal, then move 2, \"f5\"")), "{fault}");
    // Alone, the line stands behind the error.
    let run = tesuji(&["replay", "othello", &bad]);
    assert!(run.code == 1 && run.out.lines().last().unwrap().ends_with("(line 4)"), "{}", run.out);
    let run = tesuji(&["replay", "othello", &bad, "--json"]);
    assert_eq!(run.json()[1]["error"]["line"], 4);

    let run = tesuji(&["stats", "othello", folder.name()]);
    assert_eq!(run.code, 1);
    assert!(run.out.starts_with("records   6, 1 with faults, 3 unfinished"), "{}", run.out);
    assert!(run.err.contains(&format!("tesuji: {bad}:4: record 2: move 2")), "{}", run.err);

    let run = tesuji(&["convert", "othello", folder.name(), "--to", "transcript"]);
    assert_eq!((run.code, run.out), (1, format!("{TIGER}\n{COW}\n{TIGER}f4\n{COW}\n{TIGER}\n")));
    assert!(run.err.contains(&format!("tesuji: {bad}:4: record 2 left out: move 2")), "{}", run.err);
}

#[test]
fn foreign_files_of_every_game_are_one_line() {
    let folder = Folder::new("corpus-foreign");
    let elf: Vec<u8> = [b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0".to_vec(), vec![0; 10_000]].concat();
    let prose = "It was the best of times,\nit was the worst of times.\n".repeat(100);
    for (name, bytes) in [("elf", elf), ("prose", prose.into_bytes())] {
        let file = folder.path(name);
        fs::write(&file, bytes).unwrap();
        for game in ["othello", "trax", "ostle", "shogi"] {
            let run = tesuji(&["replay", game, &file]);
            assert_eq!((run.code, run.out.as_str()), (1, ""), "{game} {name}");
            let told: Vec<&str> = run.err.lines().filter(|line| line.starts_with("tesuji: ")).collect();
            assert_eq!(told.len(), 1, "{game} {name}: {}", run.err);
            assert!(told[0].contains(&format!("no records of {game}")), "{}", run.err);
        }
    }
}

#[test]
fn one_filter_serves_replay_convert_and_stats() {
    let folder = games("corpus-filter");
    let kept = |words: &[&str]| {
        let run = tesuji(&[&["convert", "othello", folder.name(), "--to", "transcript"], words].concat());
        assert_eq!(run.code, 0, "{words:?}: {}", run.err);
        (run.out.replace('\n', " ").trim().to_owned(), run.err)
    };
    for (words, games, dropped) in [
        (&["--player", "ANN"][..], format!("{TIGER} {COW}"), "2 by player"),
        (&["--player", "bob"], TIGER.to_owned(), "3 by player"),
        (&["--since", "2000"], COW.to_owned(), "1 by date, 2 without a date"),
        (&["--until", "1999-05"], TIGER.to_owned(), "1 by date, 2 without a date"),
        (&["--min-rating", "2000"], TIGER.to_owned(), "1 by rating, 2 without a rating"),
        (&["--min-plies", "6"], format!("{TIGER}f4"), "3 by length"),
        (&["--max-plies", "5"], format!("{TIGER} {COW} {COW}"), "1 by length"),
        (&["--ending", "time,unfinished"], format!("{TIGER}f4 {COW}"), "2 by ending"),
        (&["--opening", "tiger"], format!("{TIGER} {TIGER}f4"), "2 by opening"),
        (&["--opening", "牛", "--player", "Ann"], COW.to_owned(), "2 by player, 1 by opening"),
    ] {
        let (out, err) = kept(words);
        assert_eq!(out, games, "{words:?}");
        let count = games.split(' ').count();
        assert_eq!(err, format!("{count} of 4 records match; left out: {dropped}\n"), "{words:?}");
    }
    let (out, err) = kept(&["--limit", "1", "--opening", "cow"]);
    assert_eq!((out.as_str(), err.lines().count()), (COW, 1), "{err}");
    let run = tesuji(&["stats", "othello", folder.name(), "--opening", "tiger", "--json"]);
    let stats = &run.json()[0];
    assert_eq!((&stats["records"], &stats["read"]["dropped"]["opening"]), (&2.into(), &2.into()), "{stats}");
    assert_eq!(stats["openings"][0]["games"], 2);
    for (option, word, meant) in [("--ending", "resignaton", "resignation"), ("--board-ending", "dics", "discs")] {
        let run = tesuji(&["replay", "othello", folder.name(), option, word]);
        let expected = format!("tesuji: {option}: there is no ending {word:?}; did you mean {meant:?}?\n");
        assert_eq!((run.code, run.out.as_str(), run.err), (2, "", expected));
    }
    let run = tesuji(&["replay", "othello", folder.name(), "--ending", "resignation", "--json"]);
    assert_eq!(run.json().len(), 2);
    for (words, part) in [
        (&["--since", "yesterday"][..], "--since: \"yesterday\" is no date; write 2016, 2016-04 or 2016-04-03"),
        (&["--since", "2001", "--until", "2000"], "--until"),
        (&["--min-plies", "3", "--max-plies", "2"], "--max-plies"),
    ] {
        let run = tesuji(&[&["replay", "othello", folder.name()], words].concat());
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{words:?}");
        assert!(run.err.contains(part), "{}", run.err);
    }
}

#[test]
fn ratings_need_a_least_number_of_games() {
    let games: String = [["Ann", "Bob"], ["Bob", "Ann"], ["Ann", "Bob"], ["Cid", "Ann"]]
        .iter()
        .map(|names| ggf(*names, "1999", ["1", "1"], TIGER))
        .collect();
    let rated = |least: &str| {
        let run = fed(&["stats", "othello", "-", "--json", "--min-games", least], games.as_bytes());
        let players = run.json()[0]["players"].as_array().unwrap().clone();
        let mut names: Vec<String> = players.iter().map(|player| player["name"].as_str().unwrap().to_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(rated("1"), ["Ann", "Bob", "Cid"]);
    assert_eq!(rated("2"), ["Ann", "Bob"]);
    // Ann has four games, but only three against Bob, who has no more.
    assert_eq!(rated("4"), [""; 0]);
    let run = fed(&["stats", "othello", "-", "--min-games", "2"], games.as_bytes());
    assert!(run.out.contains("of 3 players the 2 with the most games (at least 2) are rated"), "{}", run.out);
}

#[test]
fn stats_and_show_name_openings() {
    let games = format!("{TIGER}\n{TIGER}f4\n{COW}\n");
    let run = fed(&["stats", "othello", "-"], games.as_bytes());
    assert!(run.out.contains("opening") && run.out.contains("Tiger"), "{}", run.out);
    let tiger = run.out.lines().find(|line| line.contains("Tiger")).unwrap();
    assert_eq!(tiger.split_whitespace().nth(1), Some("2"), "{tiger}");
    let run = tesuji(&["show", "othello", "--moves", TIGER]);
    assert!(run.out.contains("opening   Tiger"), "{}", run.out);
    let run = tesuji(&["show", "shogi", "--moves", "7g7f 3c3d 2g2f 5c5d 2f2e 8b5b"]);
    assert!(run.out.contains("opening   white Cheerful Central Rook (ゴキゲン中飛車)"), "{}", run.out);
}

#[test]
fn train_data_goes_on_after_a_bad_file() {
    let folder = Folder::new("corpus-train");
    let games = crate::train::records(&folder, 3);
    let foreign = folder.path("elf");
    fs::write(&foreign, b"\x7fELF\x02\x01\x01\0\0\0\0\0").unwrap();
    let whole = folder.path("whole.set");
    assert_eq!(tesuji(&["train", "data", "othello", &games, "--out", &whole]).code, 0);
    let set = folder.path("a.set");
    let run = tesuji(&["train", "data", "othello", &foreign, &games, "--out", &set, "--json"]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.err.starts_with(&format!("tesuji: {foreign}")), "{}", run.err);
    assert_eq!(run.json()[0]["games"], 3);
    assert_eq!(fs::read(set).unwrap(), fs::read(whole).unwrap());
    let run = tesuji(&["train", "data", "othello", &foreign, "--out", &folder.path("b.set")]);
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(run.err.contains("give no positions"), "{}", run.err);
}

#[test]
fn games_are_compared_side_by_side() {
    let folder = games("corpus-compare");
    let from = format!("othello={}", folder.name());
    let words = ["stats", "--compare", "--from", &from, "--games", "2", "--engine", "random"];
    let run = tesuji(&words);
    assert_eq!(run.code, 0, "{}", run.err);
    for game in ["othello", "trax", "ostle", "shogi"] {
        let line = run.out.lines().find(|line| line.starts_with(game)).unwrap();
        let count = if game == "othello" { "4" } else { "2" };
        assert_eq!(line.split_whitespace().nth(1), Some(count), "{line}");
    }
    assert_eq!(tesuji(&words).out, run.out);
    let run = tesuji(&[&words[..], &["--json", "--threads", "3"]].concat());
    let games = run.json();
    assert_eq!((&games[0]["game"], &games[0]["records"]), (&"othello".into(), &4.into()));
    assert!(games[1]["mean_branching"].as_f64().unwrap() > 1.0);
    let run = tesuji(&["stats", "--compare", "--from", "chess=x"]);
    assert!(run.code == 2 && run.err.contains("othello"), "{}", run.err);
}
