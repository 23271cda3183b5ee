//! `best-move`: the forms of the input, and the one line of output.

use crate::run::fed;

/// A shallow search: these tests check forms, not strength.
fn best(game: &str, input: &str) -> (i32, String, String) {
    let run = fed(&["best-move", game, "--depth", "2", "--threads", "1", "--hash", "1"], input.as_bytes());
    (run.code, run.out, run.err)
}

/// What `best-move` prints is a legal move and nothing else.
#[test]
fn trax_with_and_without_a_colour() {
    for input in ["0\n", "W\n0\n", "white\r\n0\r\n", "-W 0"] {
        let (code, out, err) = best("trax", input);
        assert!(code == 0 && ["@0/\n", "@0+\n"].contains(&out.as_str()), "{input:?}: {out:?} {err}");
    }
    for input in ["1\n@0/\n", "R\n1\n@0/\n", "B\n1\n@0/\n", "red 1 @0/"] {
        let (code, out, err) = best("trax", input);
        assert_eq!(code, 0, "{input:?}: {err}");
        let game = format!("@0/ {out}");
        let replay = fed(&["replay", "trax", "-"], game.as_bytes());
        assert!(replay.code == 0 && replay.out.contains("2 moves"), "{game:?}: {}", replay.out);
    }
}

/// Red completes its loop.
#[test]
fn a_win_in_one_is_played() {
    let (code, out, _) = best("trax", "3\n@0/\nA2\\\nA0/\n");
    let replay = fed(&["replay", "trax", "-"], format!("@0/ A2\\ A0/ {out}").as_bytes());
    assert!(code == 0 && replay.out.contains("red won (loop)"), "{out} {}", replay.out);
    let (_, out, _) = best("shogi", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1\n");
    assert_eq!(out, "G*5b\n");
    let (_, out, _) = best("ostle", "22222-00000-00300-00000-11100\n");
    assert_eq!(out, "\n", "a side with three pieces has lost");
}

#[test]
fn other_games_by_position_and_moves() {
    let start = "---------------------------OX------XO--------------------------- X";
    for input in ["startpos\n", "startpos\nf5\nd6\n", "startpos\nf5d6c3\n", start] {
        let (code, out, err) = best("othello", input);
        assert!(code == 0 && out.len() == 3, "{input:?}: {out:?} {err}");
    }
    for input in ["startpos\n7g7f\n3c3d\n", "startpos moves 7g7f 3c3d", "position startpos\n7g7f 3c3d\r\n"] {
        let (code, out, err) = best("shogi", input);
        assert!(code == 0 && out.len() >= 5 && out.ends_with('\n'), "{input:?}: {out:?} {err}");
    }
    let (code, out, err) = best("ostle", "startpos\nc5u\n");
    assert!(code == 0 && out.len() == 4, "{out:?} {err}");
}

#[test]
fn a_finished_game_has_an_empty_line() {
    let (code, out, _) = best("trax", "3\n@0/\nA2\\\nB1\\\n");
    assert_eq!((code, out.as_str()), (0, "\n"));
    let (code, out, _) = best("othello", &format!("{} X\n", "X".repeat(64)));
    assert_eq!((code, out.as_str()), (0, "\n"));
}

/// Bad input is exit 2, with a message that names it and nothing on standard output.
#[test]
fn bad_games_are_named() {
    for (game, input, part) in [
        ("trax", "", "no number of moves"),
        ("trax", "2\n@0/\n", "1 follow"),
        ("trax", "1\n@0/ B1+\n", "2 follow"),
        ("trax", "x\n1\n@0/\n", "no colour"),
        ("trax", "W\n1\n@0/\n", "it is red's turn"),
        ("trax", "1\n@0\\\n", "@0\\"),
        ("trax", "4\n@0/\nA2\\\nB1\\\nA0+\n", "over"),
        ("trax", "W\nmany\n", "many"),
        ("othello", "", "startpos"),
        ("othello", "startpos\na1\n", "a1"),
        ("othello", "XO\n", "XO"),
        ("shogi", "startpos\n7g7e\n", "7g7e"),
        ("ostle", "123\n", "25"),
    ] {
        let (code, out, err) = best(game, input);
        assert_eq!((code, out.as_str()), (2, ""), "{game} {input:?}: {err}");
        assert!(err.contains(part), "{game} {input:?}: {err}");
    }
}

#[test]
fn engines_and_limits_are_checked() {
    for (words, part) in [
        (&["--engine", "alphabta"][..], "alphabeta"),
        (&["--engine", "alphabeta:deep=3"], "deep"),
        (&["--engine", "alphabeta:eval=clasic"], "classic"),
        (&["--time", "5"], "250ms"),
        (&["--clock", "5m+x"], "300s+2s"),
        (&["--depth", "0"], "from 1 to 200"),
        (&["--time", "1s", "--clock", "5m"], "cannot be used with"),
    ] {
        let run = fed(&[&["best-move", "othello"], words].concat(), b"startpos\n");
        assert_eq!(run.code, 2, "{words:?}: {}", run.err);
        assert!(run.err.contains(part), "{words:?}: {}", run.err);
    }
    for words in [
        &["--engine", "random"][..],
        &["--engine", "alphabeta:depth=1"],
        &["--engine", "uct:playouts=50"],
        &["--nodes", "100"],
        &["--time", "5ms"],
        &["--clock", "1s/10ms"],
    ] {
        let run = fed(&[&["best-move", "othello"], words].concat(), b"startpos\n");
        assert!(run.code == 0 && run.out.len() == 3, "{words:?}: {} {}", run.out, run.err);
    }
}
