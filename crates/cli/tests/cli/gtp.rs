//! GTP over pipes: every command, errors, and matches of our own arena.

use crate::folder::Folder;
use crate::run::{Run, fed, tesuji};

/// The replies to these commands, without the empty lines between them.
fn replies_to(lines: &str) -> Vec<String> {
    let run = run_gtp(lines);
    assert!(run.out.ends_with("\n\n"), "{:?}", run.out);
    run.out.trim_end().split("\n\n").map(str::to_owned).collect()
}

fn run_gtp(lines: &str) -> Run {
    let run = fed(&["engine", "gtp", "--engine", "alphabeta:depth=2,hash=1"], lines.as_bytes());
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    run
}

#[test]
fn every_command_is_answered() {
    let replies = replies_to("protocol_version\n1 name\n2 known_command genmove\n3 known_command fly\nlist_commands\n");
    assert_eq!(replies[..4], ["= 2", "=1 tesuji", "=2 true", "=3 false"]);
    for command in replies[4].trim_start_matches("= ").lines() {
        let reply = replies_to(&format!("7 {command}\n")).remove(0);
        assert!(!reply.contains("unknown command"), "{command}: {reply}");
        assert!(reply.starts_with("=7") || reply.starts_with("?7"), "{command}: {reply}");
    }
    assert_eq!(replies_to("9 fly me\n"), ["?9 unknown command"]);
    assert!(replies_to("boardsize 10\n")[0].starts_with("? unacceptable size"));
    assert_eq!(replies_to("boardsize 8\nkomi 6.5\nset_game Othello\nlist_games\n"), ["= ", "= ", "= ", "= Othello"]);
    assert!(replies_to("set_game Go\n")[0].starts_with("? "));
    assert!(replies_to("boardsize eight\n")[0].starts_with("? boardsize"));
}

#[test]
fn moves_are_played_rejected_and_undone() {
    let replies = replies_to(
        "play b F5\nplay w f5\nplay w D6\nplay w C3\n gogui-rules_side_to_move\nundo\nundo\nundo\ngogui-rules_legal_moves\n",
    );
    assert_eq!(replies[0], "= ");
    assert_eq!(replies[1], "? illegal move: \"f5\": f5 is taken");
    assert_eq!(replies[2], "= ");
    assert_eq!(replies[3], "? illegal move: it is black's turn");
    assert_eq!(replies[4], "= black");
    assert_eq!(replies[5..8], ["= ", "= ", "? cannot undo"]);
    let mut moves: Vec<&str> = replies[8][2..].split(' ').collect();
    moves.sort_unstable();
    assert_eq!(moves, ["C4", "D3", "E6", "F5"]);
    // `reg_genmove` does not play its move, `genmove` does.
    let replies =
        replies_to("reg_genmove b\ngogui-rules_side_to_move\ngenmove b\ngogui-rules_side_to_move\ngenmove b\n");
    assert_eq!(replies[0], replies[2]);
    assert_eq!((replies[1].as_str(), replies[3].as_str()), ("= black", "= white"));
    assert!(replies[4].starts_with("? illegal move"), "{replies:?}");
}

#[test]
fn passes_and_the_end() {
    let wiped = "gogui-play_sequence b E6 w F4 b E3 w F6 b G5 w D6 b E7 w F5 b C5\n";
    let replies = replies_to(&format!(
        "final_score\ngogui-rules_final_result\n{wiped}final_score\ngogui-rules_final_result\n\
         gogui-rules_legal_moves\ngenmove w\ngenmove b\nplay w pass\nundo\nundo\nundo\nundo\nfinal_score\n"
    ));
    assert_eq!(replies[..3], ["? the game is not over", "= unknown", "= "]);
    assert_eq!(replies[3..8], ["= B+64", "= Black wins by 64", "= ", "= pass", "= pass"]);
    assert_eq!(replies[8..12], ["= ", "= ", "= ", "= "]);
    assert_eq!(replies[13], "? the game is not over");
    // White has no move after these. The controller does not send the pass: black moves again.
    let forced = "F5 F6 E6 D6 C6 E3 G6 C5 E2 B7 B6 B5 C4 G5 A7 C7 H5 D3 C2 A5 E7 H6 A8 H4 G7 E1 A6 E8 H7 G8 F7 F8 \
                  D8 D2 F1 C3 H3 B1 H8 F2 A4 G1 D1 C1 B3 C8 F3 G3 G4 A3 A2";
    let colours = ["b", "w"].into_iter().cycle();
    let pairs: Vec<String> = colours.zip(forced.split(' ')).map(|(colour, mv)| format!("{colour} {mv}")).collect();
    let replies = replies_to(&format!(
        "gogui-play_sequence {}\ngogui-rules_legal_moves\nreg_genmove w\nplay b B2\nundo\n\
         gogui-rules_side_to_move\ngenmove w\ngogui-rules_side_to_move\n",
        pairs.join(" ")
    ));
    assert_eq!(replies, ["= ", "= pass", "= pass", "= ", "= ", "= white", "= pass", "= black"]);
    // A sequence is played completely or not at all.
    let replies = replies_to("gogui-play_sequence b F5 w A1\ngogui-rules_side_to_move\n");
    assert!(replies[0].starts_with("? illegal move"));
    assert_eq!(replies[1], "= black");
}

#[test]
fn boards_and_files() {
    let replies = replies_to("gogui-rules_board\nshowboard\ngogui-rules_board_size\n");
    let rows: Vec<&str> = replies[0][2..].lines().collect();
    assert_eq!((rows.len(), rows[3], rows[4]), (8, ". . . X O . . .", ". . . O X . . ."), "row 8 comes first");
    assert!(replies[1].contains("4 . . . O X . . .\n5 . . . X O . . ."), "{}", replies[1]);
    assert_eq!(replies[2], "= 8");
    let folder = Folder::new("gtp-files");
    let file = folder.path("game.ggf");
    std::fs::write(
        &file,
        "(;GM[Othello]RE[+64:r]BO[8 ---------------------------O*------*O--------------------------- *]B[f5]W[f6];)",
    )
    .unwrap();
    let replies =
        replies_to(&format!("loadsgf {file}\nplay b E6\nloadsgf {file} 2\nplay w F6\nloadsgf /no/such\nloadsgf\n"));
    assert_eq!(replies[..4], ["= black", "= ", "= white", "= "]);
    assert!(replies[4].starts_with("? cannot load file") && replies[5].starts_with("? "), "{replies:?}");
}

/// Commands before the end of the input are answered. Malformed input changes nothing.
#[test]
fn end_of_input_and_malformed_input() {
    let run = run_gtp("time_settings 60 0 0\ntime_left b 5 0\n3 genmove b");
    assert!(run.out.contains("=3 "), "{}", run.out);
    let noise = [&b"\xff\xfe\n\n# comment\n"[..], &vec![b'x'; 3 << 20], b"\n5 name\n6 quit\n7 name\n"].concat();
    let run = fed(&["engine", "gtp"], &noise);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.ends_with("=5 tesuji\n\n=6 \n\n"), "{}", &run.out[run.out.len().saturating_sub(80)..]);
}

#[test]
fn the_arena_plays_our_own_engine_processes() {
    let binary = env!("CARGO_BIN_EXE_tesuji");
    for protocol in ["gtp", "nboard"] {
        let player =
            format!("process:cmd=\"{binary} engine {protocol} --engine alphabeta:depth=2\",protocol={protocol}");
        let run = tesuji(&["match", "othello", &player, "random", "--games", "4", "--time", "10s", "--json"]);
        assert_eq!(run.code, 0, "{}", run.err);
        let lines = run.json();
        let games: Vec<_> = lines.iter().filter(|line| line["event"] == "game").collect();
        assert_eq!(games.len(), 4);
        for game in games {
            assert_eq!(game["reason"], "discs", "{protocol}: {game}");
            assert!(game.get("oddities").is_none_or(|odd| odd.as_array().is_none_or(Vec::is_empty)), "{game}");
        }
    }
}
