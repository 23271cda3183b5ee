//! Opening books from the command line: built, shown, merged, exported, imported, verified, refused.

use std::fs;

use crate::folder::Folder;
use crate::run::{Run, fed, tesuji};
use crate::train::{killed, records};

fn book(words: &[&str]) -> Run {
    tesuji(&[&["book", "othello"], words].concat())
}

/// A small book of a low level.
fn built(folder: &Folder, name: &str, positions: &str, more: &[&str]) -> String {
    let out = folder.path(name);
    let words = ["build", "--out", &out, "--positions", positions, "--level", "1"];
    let run = book(&[&words[..], more].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains(&format!("{positions} positions in")), "{}", run.out);
    out
}

#[test]
fn books_do_not_depend_on_threads_or_kills() {
    let folder = Folder::new("book-build");
    let whole = fs::read(built(&folder, "one", "120", &["--threads", "1"])).unwrap();
    assert_eq!(fs::read(built(&folder, "two", "120", &["--threads", "2"])).unwrap(), whole);
    for (round, most) in [(0, 6), (1, 12)] {
        let out = folder.path(&format!("killed-{round}"));
        let words = ["book", "build", "othello", "--out", &out, "--positions", "120", "--level", "1"];
        killed(&[&words[..], &["--threads", "2", "--checkpoint", "1ms"]].concat(), most);
        assert_eq!(fs::read(&out).unwrap(), whole);
    }
    // Continued after every time limit.
    let slow = folder.path("slow");
    for round in 0.. {
        let words = ["build", "--out", &slow, "--positions", "120", "--level", "1", "--time-limit", "150ms"];
        let run = book(&words);
        assert_eq!(run.code, 0, "{}", run.err);
        if !run.err.contains("the time limit is reached") {
            break;
        }
        assert!(round < 1000, "it does not end");
    }
    assert_eq!(fs::read(&slow).unwrap(), whole);
}

#[test]
fn records_are_added_and_searched() {
    let folder = Folder::new("book-records");
    let games = records(&folder, 40);
    let out = folder.path("book");
    let words = ["build", "--out", &out, "--records", &games, "--min-games", "3", "--level", "1", "--json"];
    let run = book(&words);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("from 40 games; 0 do not replay"), "{}", run.err);
    let response = run.json().remove(0);
    assert_eq!((&response["schema"], &response["event"]), (&"tesuji/book/1".into(), &"final".into()));
    assert!(response["positions"].as_u64().unwrap() > 4 && response["unsearched"] == 0, "{response}");
    let few = book(&["build", "--out", &folder.path("few"), "--records", &games, "--min-games", "41"]);
    assert_eq!(few.code, 2, "{}", few.err);
    assert!(few.err.contains("--min-games") && !folder.file("few").exists(), "{}", few.err);
}

#[test]
fn self_play_is_added_and_searched() {
    let folder = Folder::new("book-games");
    let build = |name: &str, more: &[&str]| {
        let out = folder.path(name);
        let run = book(&[&["build", "--out", &out, "--games", "30", "--plies", "8", "--level", "1"], more].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(run.err.contains("from 30 games"), "{}", run.err);
        fs::read(out).unwrap()
    };
    let one = build("one", &["--threads", "1"]);
    assert!(one.len() > 200 && one == build("two", &["--threads", "3"]));
    assert_ne!(one, build("other", &["--seed", "1"]));
}

#[test]
fn a_book_is_shown() {
    let folder = Folder::new("book-show");
    let path = built(&folder, "book", "60", &[]);
    let start = book(&["show", "--book", &path, "--json"]).json().remove(0);
    assert_eq!(
        (&start["schema"], &start["in_book"], &start["whole"]),
        (&"tesuji/book-show/1".into(), &true.into(), &true.into())
    );
    assert_eq!((&start["positions"], start["moves"].as_array().unwrap().len()), (&60.into(), 4));
    let line: Vec<&str> = start["line"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
    assert_eq!(start["moves"][0]["move"], line[0]);
    // The score after the best move is the negated score before it.
    let next = book(&["show", &line[..1].concat(), "--book", &path, "--json"]).json().remove(0);
    assert_eq!(next["value"].as_i64().unwrap(), -start["value"].as_i64().unwrap());
    let position = next["position"].as_str().unwrap();
    assert_eq!(book(&["show", position, "--book", &path, "--json"]).json().remove(0), next);
    let page = book(&["show", &line[..1].concat(), "--book", &path]);
    assert_eq!(page.code, 0, "{}", page.err);
    for word in ["position  ", "value     ", "moves     ", "line      ", "from here on"] {
        assert!(page.out.contains(word), "{}", page.out);
    }
    let late = "--------X--XOO-OXXXXXOXOXXOXOOXOXXXXXOXOXXXXXOOOX-XXXO-O-XXXXO-- X";
    let off = book(&["show", late, "--book", &path]);
    assert!(off.code == 0 && off.out.contains("not among its 60 positions"), "{}", off.out);
    // The shipped book is the default.
    let shipped = book(&["show", "--json"]).json().remove(0);
    assert_eq!(shipped["whole"], true);
}

#[test]
fn books_are_exported_imported_and_merged() {
    let folder = Folder::new("book-text");
    let (small, large) = (built(&folder, "small", "20", &[]), built(&folder, "large", "50", &["--plies", "5"]));
    let text = book(&["export", &large]);
    assert_eq!((text.code, text.out.lines().count()), (0, 51));
    fs::write(folder.file("text"), &text.out).unwrap();
    let again = folder.path("again");
    let run = book(&["import", &folder.path("text"), "--out", &again]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(fs::read(&again).unwrap(), fs::read(&large).unwrap());
    let piped = folder.path("piped");
    let words = ["book", "import", "othello", "-", "--out", &piped];
    assert_eq!(fed(&words, text.out.as_bytes()).code, 0);
    assert_eq!(fs::read(&piped).unwrap(), fs::read(&large).unwrap());
    let [one, two] = [("one", [&small, &large]), ("two", [&large, &small])].map(|(name, [a, b])| {
        let out = folder.path(name);
        let run = book(&["merge", a, b, "--out", &out]);
        assert_eq!(run.code, 0, "{}", run.err);
        fs::read(out).unwrap()
    });
    assert_eq!(one, two);
    // An existing file is not overwritten, unless it has the same bytes.
    assert_eq!(book(&["merge", &small, &large, "--out", &folder.path("one")]).code, 0);
    let refused = book(&["merge", &small, &large, "--out", &small]);
    assert_eq!(refused.code, 2, "{}", refused.err);
    assert!(refused.err.contains("already exists"), "{}", refused.err);
}

#[test]
fn books_are_verified() {
    let folder = Folder::new("book-verify");
    let path = built(&folder, "book", "20", &[]);
    let run = tesuji(&["verify", &path]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("intact") && run.out.contains("20 positions"), "{}", run.out);
    let bytes = fs::read(&path).unwrap();
    fs::write(folder.file("cut"), &bytes[..bytes.len() - 7]).unwrap();
    let run = tesuji(&["verify", &folder.path("cut")]);
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(run.err.contains("damaged"), "{}", run.err);
}

#[test]
fn bad_input_is_refused_and_nothing_is_overwritten() {
    let folder = Folder::new("book-bad");
    let (junk, out) = (folder.path("junk"), folder.path("out"));
    fs::write(&junk, "junk").unwrap();
    let path = built(&folder, "book", "3", &[]);
    fs::write(
        folder.file("wrong"),
        "% words\n---------------------------OX------XO--------------------------- X; a1:+1@2\n",
    )
    .unwrap();
    let (wrong, odd) = (folder.path("wrong"), format!("expert:book={junk}"));
    for (words, message) in [
        (&["book", "build", "othello", "--out", &junk, "--positions", "3"][..], "not an opening book"),
        (&["book", "build", "othello", "--out", &out], "--positions"),
        (&["book", "build", "othello", "--out", &out, "--positions", "0"], "0"),
        (&["book", "build", "othello", "--out", &out, "--positions", "3", "--level", "61"], "61"),
        (&["book", "build", "othello", "--out", &out, "--positions", "3", "--weights", &junk], "not a weights file"),
        (&["book", "build", "othello", "--out", &out, "--records", &folder.path("none")], "cannot read"),
        (&["book", "build", "othello", "--out", &out, "--positions", "3", "--min-games", "2"], "--records"),
        (&["book", "show", "othello", "--book", &junk], "not an opening book"),
        (&["book", "show", "othello", "f5f5"], "f5 is taken"),
        (&["book", "show", "othello", "--X-"], "neither a position nor moves"),
        (&["book", "merge", "othello", &path, "--out", &out], "2"),
        (&["book", "merge", "othello", &path, &junk, "--out", &out], "not an opening book"),
        (&["book", "export", "othello", &junk], "not an opening book"),
        (&["book", "import", "othello", &wrong, "--out", &out], "wrong: line 2: \"a1\": black turns no disc"),
        (&["book", "import", "othello", &folder.path("book"), "--out", &out], "not text"),
        (&["book", "ostle", "show"], "othello, trax, trax-8x8, trax-loop, shogi have"),
        (&["best-move", "othello", "--engine", &odd], "not an opening book"),
    ] {
        let run = tesuji(words);
        assert_eq!(run.code, 2, "{words:?}: {} {}", run.out, run.err);
        assert!(run.err.contains(message), "{words:?}: {}", run.err);
        assert_eq!(run.out, "", "{words:?}");
        assert!(!folder.file("out").exists(), "{words:?}");
    }
    assert_eq!(fs::read_to_string(&junk).unwrap(), "junk");
}

/// With a book of bad moves it can be seen who uses it.
#[test]
fn the_book_is_used_for_play_and_not_for_analysis() {
    let folder = Folder::new("book-play");
    let text = "--------------------------XXX------XO--------------------------- O; c3:-60@1\n\
                --------------------------XXX-----OOO--------------------------- X; c6:-50@1\n";
    let path = folder.path("odd");
    let run = fed(&["book", "import", "othello", "-", "--out", &path], text.as_bytes());
    assert_eq!(run.code, 0, "{}", run.err);
    let engine = format!("expert:level=4,book={path}");
    let played = |engine: &str| fed(&["best-move", "othello", "--engine", engine], b"startpos\nc4\n").out;
    assert_eq!(played(&engine), "c5\n");
    assert_ne!(played("expert:level=4,book=none"), "c5\n");
    let words = ["analyze", "othello", "--moves", "c4", "--json", "--engine", &engine];
    let analysis = tesuji(&words).json().pop().unwrap();
    assert!(analysis["nodes"].as_u64().unwrap() > 0 && analysis["lines"][0]["move"] != "c5", "{analysis}");
}

/// The same commands, the same safety.
#[test]
fn trax_has_books_too() {
    let folder = Folder::new("book-trax");
    let build = |name: &str, more: &[&str]| {
        let out = folder.path(name);
        let words = ["book", "build", "trax", "--out", &out, "--positions", "40", "--level", "1", "--hash", "1"];
        let run = tesuji(&[&words[..], more].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        out
    };
    let path = build("one", &["--threads", "1"]);
    let whole = fs::read(&path).unwrap();
    assert_eq!(fs::read(build("two", &["--threads", "2"])).unwrap(), whole);
    let out = folder.path("killed");
    let words = ["book", "build", "trax", "--out", &out, "--positions", "40", "--level", "1", "--hash", "1"];
    killed(&[&words[..], &["--threads", "2", "--checkpoint", "1ms"]].concat(), 6);
    assert_eq!(fs::read(&out).unwrap(), whole);
    // Shown at the start and after moves.
    let show = |at: &[&str]| {
        let run = tesuji(&[&["book", "show", "trax"], at, &["--book", &path, "--json"]].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        run.json().remove(0)
    };
    let start = show(&[]);
    assert_eq!((&start["whole"], &start["positions"]), (&true.into(), &40.into()));
    let first = start["line"][0].as_str().unwrap();
    let next = show(&[first]);
    assert_eq!(next["value"].as_i64().unwrap(), -start["value"].as_i64().unwrap());
    // The last move of the line is the leaf.
    let line: Vec<&str> = start["line"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
    let page = tesuji(&["book", "show", "trax", &line[..line.len() - 1].join(" "), "--book", &path]);
    assert!(page.code == 0 && page.out.contains("out of the book, searched to depth 1"), "{}", page.out);
    // As text and back.
    fs::write(folder.file("text"), tesuji(&["book", "export", "trax", &path]).out).unwrap();
    let again = folder.path("again");
    assert_eq!(tesuji(&["book", "import", "trax", &folder.path("text"), "--out", &again]).code, 0);
    assert_eq!(fs::read(&again).unwrap(), whole);
    // Verified; a damaged one is refused by name.
    let run = tesuji(&["verify", &path]);
    assert!(run.code == 0 && run.out.contains("an intact opening book of trax, 40 positions"), "{}", run.out);
    fs::write(folder.file("cut"), &whole[..whole.len() - 3]).unwrap();
    let cut = folder.path("cut");
    let engine = format!("alphabeta:nodes=100,book={cut}");
    for words in [
        &["book", "show", "trax", "--book", &cut][..],
        &["book", "build", "trax", "--out", &cut, "--positions", "41"],
        &["best-move", "trax", "--engine", &engine],
    ] {
        let run = tesuji(words);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{words:?}: {}", run.err);
        assert!(run.err.contains("the book is damaged"), "{words:?}: {}", run.err);
    }
    let run = tesuji(&["book", "show", "trax-8x8", "--book", &path]);
    assert!(run.code == 2 && run.err.contains("not an opening book of this game"), "{}", run.err);
    let run = tesuji(&["book", "show", "trax-8x8"]);
    assert!(run.code == 2 && run.err.contains("no book of trax-8x8 ships"), "{}", run.err);
    // An engine plays from it.
    let engine = format!("alphabeta:nodes=100,book={path}");
    let played = fed(&["best-move", "trax", "--engine", &engine], b"0\n");
    assert_eq!((played.code, played.out.trim_end()), (0, first), "{}", played.err);
}

/// Shogi counts the moves, so that a book has no circles, and reads the books of YaneuraOu as well.
#[test]
fn shogi_has_books_too() {
    let folder = Folder::new("book-shogi");
    let games = "startpos moves 7g7f 3c3d 2g2f\nstartpos moves 2g2f 3c3d 7g7f\nstartpos moves 7g7f 8c8d\n";
    fs::write(folder.file("games.usi"), games).unwrap();
    let (path, games) = (folder.path("one"), folder.path("games.usi"));
    let words = ["book", "build", "shogi", "--out", &path, "--records", &games, "--level", "1", "--hash", "1"];
    let run = tesuji(&[&words[..], &["--positions", "8"]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    // The start, 7g7f and the position that two orders of moves reach, and what is nearest to best play.
    let shown = |at: &str| tesuji(&["book", "show", "shogi", at, "--book", &path, "--json"]).json().remove(0);
    let start = shown("7g7f 3c3d 2g2f");
    assert_eq!((&start["in_book"], &shown("2g2f 3c3d 7g7f")["in_book"]), (&true.into(), &true.into()));
    assert_eq!(shown("7g7f")["in_book"], true);
    assert_eq!(shown("")["positions"], 8);
    fs::write(folder.file("text"), tesuji(&["book", "export", "shogi", &path]).out).unwrap();
    let again = folder.path("again");
    assert_eq!(tesuji(&["book", "import", "shogi", &folder.path("text"), "--out", &again]).code, 0);
    assert_eq!(fs::read(&again).unwrap(), fs::read(&path).unwrap());
    let run = tesuji(&["verify", &path]);
    assert!(run.code == 0 && run.out.contains("an intact opening book of shogi, 8 positions"), "{}", run.out);
    let best = shown("")["line"][0].as_str().unwrap().to_owned();
    // The best move leaves the book, whose search is deep enough for this limit only.
    let best_move = |book: &str| {
        let engine = format!("alphabeta:book={book}");
        fed(&["best-move", "shogi", "--depth", "1", "--engine", &engine], b"startpos\n").out
    };
    assert_eq!(best_move(&path), format!("{best}\n"));
    assert_ne!(best_move("none"), best_move(&path));
    let sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let text = format!("#YANEURAOU-DB2016 1.00\nsfen {sfen}\n9i9h none 7 3 1\n");
    fs::write(folder.file("my.db"), &text).unwrap();
    let engine = format!("alphabeta:nodes=100,book={}", folder.path("my.db"));
    assert_eq!(fed(&["best-move", "shogi", "--engine", &engine], b"startpos\n").out, "9i9h\n");
    fs::write(folder.file("bad.db"), text + "7g7f 3c3d high\n").unwrap();
    let engine = format!("alphabeta:nodes=100,book={}", folder.path("bad.db"));
    let run = fed(&["best-move", "shogi", "--engine", &engine], b"startpos\n");
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(run.err.contains("line 4: \"7g7f 3c3d high\": the value is a whole number"), "{}", run.err);
}
