//! Records: what formats keep, how matches write them, and positions out of games.

use std::fs;

use crate::folder::Folder;
use crate::run::{fed, tesuji};

/// A tournament whose games end by adjudication after few moves.
const ADJUDICATED: &str = "name = \"short\"\npairs = 1\nseed = 3\nopenings = { plies = 4 }\n\
    adjudicate = { win = { value = 0, moves = 1 } }\ncontrol = \"1s\"\n\
    [[player]]\nname = \"one\"\nengine = \"alphabeta:depth=1,hash=1\"\n\
    [[player]]\nname = \"two\"\nengine = \"alphabeta:depth=1,hash=1\"\n";

#[test]
fn adjudicated_games_are_written_in_every_game() {
    let folder = Folder::new("adjudicated");
    for (game, file, ending) in [
        ("shogi", "shogi.csa", "'summary:adjudicated-win:"),
        ("othello", "othello.ggf", "CO[ending: "),
        ("ostle", "ostle.pgn", "[Termination \"adjudicated-win\"]"),
        ("trax", "trax.pgn", "[Termination \"adjudicated-win\"]"),
    ] {
        let (config, out) = (folder.path(&format!("{game}.toml")), folder.path(game));
        fs::write(&config, format!("game = \"{game}\"\n{ADJUDICATED}")).unwrap();
        let run = tesuji(&["tournament", "run", &config, "--out", &out, "--quiet"]);
        assert_eq!(run.code, 0, "{game}: {}", run.err);
        let path = format!("{out}/{file}");
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.matches(ending).count(), 2, "{game}: {text}");
        assert!(text.contains("one") && text.contains("two"), "{game}: {text}");
        let replayed = tesuji(&["replay", game, &path, "--json"]);
        assert_eq!(replayed.code, 0, "{game}: {}", replayed.err);
        let reasons: Vec<String> = replayed.json().iter().map(|record| record["reason"].to_string()).collect();
        assert_eq!(reasons, ["\"adjudicated-win\""; 2], "{game}");
    }
    // The clock of GGF is in minutes and seconds, its times in seconds.
    let ggf = fs::read_to_string(folder.path("othello/othello.ggf")).unwrap();
    assert!(ggf.contains("TI[0:01]"), "{ggf}");
}

const TAGGED: &str = "[Game \"trax\"]\n[First \"Anna\"]\n[Second \"Bo \\\"B\\\"\"]\n[Result \"0-1\"]\n\
    [Termination \"resignation\"]\n\n{why\nnot} 1. @0/ {[%emt 1.5] fine} A2+ 0-1\n\n";

#[test]
fn the_tagged_format_keeps_names_results_and_comments() {
    let run = fed(&["convert", "trax", "-", "--to", "tagged"], TAGGED.as_bytes());
    assert_eq!((run.code, run.out.as_str()), (0, TAGGED), "{}", run.err);
    let replayed = &fed(&["replay", "trax", "-", "--json"], TAGGED.as_bytes()).json()[0];
    assert_eq!((replayed["outcome"].as_str(), replayed["reason"].as_str()), (Some("second"), Some("resignation")));
    let lines = fed(&["convert", "trax", "-", "--to", "lines"], TAGGED.as_bytes());
    assert_eq!(lines.out, "@0/ A2+\n");
    for (text, part) in [
        (TAGGED.replace("trax", "othello"), "not a game of trax"),
        (TAGGED.replace("A2+", "A9+"), "move 2, \"A9+\""),
        (TAGGED.replace("0-1\"", "2-0\""), "1/2-1/2"),
        (TAGGED.replace('}', ""), "not closed by }"),
        (TAGGED.replace("[First \"Anna\"]", "[First Anna]"), "a tag reads [First"),
    ] {
        let run = fed(&["replay", "trax", "-"], text.as_bytes());
        assert_eq!(run.code, 1, "{text}");
        assert!(run.out.contains(part), "{part}: {}", run.out);
    }
}

#[test]
fn a_position_of_a_record_is_shown() {
    let folder = Folder::new("show-record");
    let file = folder.path("games.txt");
    fs::write(&file, "f5d6\nf5f6e6d6\n").unwrap();
    let show = |words: &[&str]| tesuji(&[&["show", "othello", "--game", file.as_str(), "--json"], words].concat());
    let at = |moves: &str| tesuji(&["show", "othello", "--moves", moves, "--json"]).json()[0]["position"].clone();
    assert_eq!(show(&["--index", "2", "--ply", "3"]).json()[0]["position"], at("f5 f6 e6"));
    assert_eq!(show(&["--index", "2"]).json()[0]["position"], at("f5 f6 e6 d6"));
    assert_eq!(show(&["--ply", "0", "--moves", "f5"]).json()[0]["position"], at("f5"));
    for (words, part) in [
        (&["--ply", "3"][..], "record 1 has 2 plies"),
        (&["--index", "3"], "holds 2 records"),
        (&["--position", "x"], "cannot be used with"),
    ] {
        let run = show(words);
        assert_eq!(run.code, 2, "{words:?}: {}", run.out);
        assert!(run.err.contains(part), "{words:?}: {}", run.err);
    }
}

#[test]
fn an_analysis_is_written_into_every_game_of_a_file() {
    let folder = Folder::new("annotate");
    let (file, out) = (folder.path("games.ggf"), folder.path("out.ggf"));
    let board = "BO[8 ---------------------------O*------*O--------------------------- *]";
    fs::write(
        &file,
        format!(
            "(;GM[Othello]PB[Anna]PW[Bo]TY[8]{board}B[F5/9.00]W[F6]B[E6]CO[kept]W[D6];)\n(;GM[Othello]PB[Cy]TY[8]{board}B[F5];)\n"
        ),
    )
    .unwrap();
    let words = ["analyze", "othello", "--game", &file, "--annotate", &out, "--depth", "3", "--threads", "1"];
    let run = tesuji(&words);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("Anna (black) against Bo (white), 4 plies"), "{}", run.out);
    assert!(run.out.contains("Cy (black) against white, 1 ply;"), "{}", run.out);
    let text = fs::read_to_string(&out).unwrap();
    assert!(text.contains("CO[kept]") && !text.contains("/9.00"), "{text}");
    // Every move has a value in discs.
    assert_eq!(text.matches("]B[").count() + text.matches("]W[").count(), 5, "{text}");
    assert_eq!(text.matches('/').count(), 5, "{text}");
    let one = tesuji(&[&words[..], &["--index", "2", "--json"]].concat());
    assert_eq!((one.code, one.json().len()), (0, 1), "{}", one.err);
    let wrong = tesuji(&["analyze", "othello", "--game", &file, "--annotate", &folder.path("out.txt")]);
    assert_eq!(wrong.code, 2, "{}", wrong.out);
    assert!(wrong.err.contains(".ggf"), "{}", wrong.err);
    assert!(!folder.file("out.txt").exists());
}

#[test]
fn parts_of_records_are_converted() {
    let games = "f5d6c3\nf5f6e6d6\n";
    let convert = |game: &str, words: &[&str], text: &str| {
        fed(&[&["convert", game, "-", "--to"], words].concat(), text.as_bytes())
    };
    assert_eq!(convert("othello", &["transcript", "--ply", "2"], games).out, "f5d6\nf5f6\n");
    assert_eq!(convert("othello", &["transcript", "--index", "2", "--ply", "1"], games).out, "f5\n");
    let short = convert("othello", &["transcript", "--ply", "4"], games);
    assert_eq!((short.code, short.out.as_str()), (1, "f5f6e6d6\n"));
    assert!(short.err.contains("record 1 left out: it has 3 plies, not 4"), "{}", short.err);
    let open = convert("othello", &["obf", "--empties", "58"], games);
    assert!(open.code == 1 && open.err.contains("not finished"), "{}", open.err);
    // Black takes all of white's discs with the ninth move, so it gets all 64 squares.
    let game = "f5d6c5f4e3f6g5e6e7\n";
    let obf = convert("othello", &["obf", "--empties", "52"], game);
    assert_eq!(obf.code, 0, "{}", obf.err);
    assert_eq!(obf.out.split(' ').next().unwrap().matches('-').count(), 52, "{}", obf.out);
    assert!(obf.out.contains(" X; E7:+64; % moves f5d6c5f4e3f6g5e6"), "{}", obf.out);
    let refused = convert("shogi", &["usi", "--empties", "20"], "startpos moves 7g7f\n");
    assert!(refused.code == 2 && refused.err.contains("empty squares"), "{}", refused.err);
    // Variations stay in KIF, and their loss elsewhere is told.
    let kif = "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n\n変化：2手\n2 ８四歩(83)\n";
    assert!(convert("shogi", &["kif"], kif).out.contains("変化：2手\n   2 ８四歩(83)\n"));
    let csa = convert("shogi", &["csa"], kif);
    assert_eq!(csa.code, 0);
    assert!(csa.err.contains("record 1: 1 variation is left out: csa has none"), "{}", csa.err);
}
