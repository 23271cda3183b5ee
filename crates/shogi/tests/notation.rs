//! Texts that are not positions or moves, and what is said about them.

use tesuji_game::{BoardView, Game, Notation, Side, ViewCell};
use tesuji_shogi::{Move, PieceKind, Shogi, Square};

#[test]
fn positions_are_read_leniently_and_printed_strictly() {
    let start = Shogi::start().print();
    assert_eq!(start, "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    for same in [
        "startpos",
        " startpos ",
        "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL   b -",
        "lnsgkgsnl/1r5b1/ppppppppp/9/54/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 77",
    ] {
        assert_eq!(Shogi::parse(same), Ok(Shogi::start()), "{same}");
    }
    let odd = Shogi::parse("4k4/9/9/9/9/9/9/9/9 w p2PG2bR1r 62").unwrap();
    assert_eq!(odd.print(), "4k4/9/9/9/9/9/9/9/9 w RG2Pr2bp 62");
    let mut later = odd.clone();
    let undo = later.play(later.clone().parse_move("5a4b").unwrap());
    assert_eq!(later.number(), 63);
    later.undo(undo);
    assert_eq!(later.number(), 62);
}

#[test]
fn wrong_positions_say_what_is_wrong() {
    for (text, at, message) in [
        ("", 0, "no position here"),
        ("sfen", 0, "no position here"),
        ("9/9/9", 0, "9 ranks"),
        ("9/9/9/9/9/9/9/9/9", 17, "side to move"),
        ("9/9/9/9/9/9/9/9/9 x -", 18, "b or w"),
        ("9/9/9/9/9/9/9/9/9 b", 19, "in hand"),
        ("9/9/9/9/9/9/9/9/9 b K", 0, "king cannot be held"),
        ("9/9/9/9/9/9/9/9/9 b 2", 20, "follows its number"),
        ("9/9/9/9/9/9/9/9/9 b 0P", 21, "left out"),
        ("9/9/9/9/9/9/9/9/9 b x", 20, "no piece in hand"),
        ("9/9/9/9/9/9/9/9/9 b - x", 22, "whole number"),
        ("9/9/9/9/9/9/9/9/9 b - 1 y", 24, "nothing follows"),
        ("9/9/9/9/8/9/9/9/9 b - 1", 8, "rank 5: 8 files"),
        ("9/9/9/9/9p/9/9/9/9 b - 1", 8, "more than 9"),
        ("9/9/9/9/91/9/9/9/9 b - 1", 8, "10 files"),
        ("9/9/9/9/8q/9/9/9/9 b - 1", 8, "'q' is no piece"),
        ("9/9/9/9/8+/9/9/9/9 b - 1", 8, "follows +"),
        ("9/9/9/9/+8/9/9/9/9 b - 1", 8, "follows +"),
        ("9/9/9/9/8+g/9/9/9/9 b - 1", 8, "does not promote"),
        ("9/9/9/9/8飛/9/9/9/9 b - 1", 8, "no piece"),
        ("K8/9/9/9/8K/9/9/9/9 b - 1", 0, "black has two kings"),
        ("9/8p/9/9/8p/9/9/9/9 b - 1", 0, "white has two unpromoted pawns on file 1 (nifu)"),
        ("8P/9/9/9/9/9/9/9/9 b - 1", 0, "the pawn on 1a could never move"),
        ("9/9/9/9/9/9/9/n8/9 b - 1", 0, "the knight on 9h could never move"),
        ("9/9/9/9/9/9/9/9/9 b 19P 1", 0, "only 18 pawns"),
        ("rrr6/9/9/9/9/9/9/9/9 b - 1", 0, "only 2 rooks"),
        ("4k4/9/9/9/9/9/9/9/4R4 b - 1", 0, "white is in check"),
    ] {
        let error = Shogi::parse(text).unwrap_err();
        assert!(error.message.contains(message), "{text}: {error}");
        assert_eq!(error.at, at, "{text}: {error}");
    }
}

#[test]
fn wrong_moves_name_the_rule_they_break() {
    let start = "startpos";
    let pinned = "7nk/7g1/8S/9/4B4/9/9/9/K8 b P 1";
    let drops = "4k4/9/9/4P4/9/9/9/9/4K3r b PLNG 1";
    let promotions = "4k4/P1L3L1P/1N5N1/9/9/9/9/9/4K4 b - 1";
    for (position, text, at, message) in [
        (start, "", 0, "written 7g7f"),
        (start, "7g7", 0, "written 7g7f"),
        (start, "歩", 0, "written 7g7f"),
        (start, "PP*5e", 0, "written 7g7f"),
        (start, "7g7x", 2, "there is no square 7x"),
        (start, "0g7f", 0, "there is no square 0g"),
        (start, "P*5z", 2, "there is no square 5z"),
        (start, "K*5e", 0, "no such piece"),
        (start, "5e5d", 0, "no piece on 5e"),
        (start, "3c3d", 0, "other side's"),
        (start, "2h2f", 0, "rook on 2h cannot go to 2f"),
        (start, "2h8h", 0, "own piece"),
        (start, "7g7e", 0, "pawn on 7g cannot go to 7e"),
        (start, "7g7f+", 0, "three far ranks"),
        (start, "P*5e", 0, "no pawn in hand"),
        (pinned, "P*1b", 0, "uchifuzume"),
        (drops, "P*5f", 0, "nifu"),
        (drops, "G*3e", 0, "would stay"),
        (drops, "L*1i", 0, "occupied"),
        (drops, "5i4i", 0, "would stay"),
        ("4k4/9/9/9/9/9/9/9/4K4 b PLN 1", "P*3a", 0, "pawn on 3a could never move"),
        ("4k4/9/9/9/9/9/9/9/4K4 b PLN 1", "N*3b", 0, "knight on 3b could never move"),
        ("4r4/9/9/9/9/9/4G4/9/4K4 b - 1", "5g4f", 0, "would be left in check"),
        ("4k4/9/9/9/9/9/3+p5/9/4K4 b - 1", "5i6h", 0, "would be left in check"),
        (promotions, "9b9a", 0, "must promote"),
        (promotions, "8c7a", 0, "must promote"),
        (promotions, "5i5h+", 0, "king does not promote"),
    ] {
        let mut position = Shogi::parse(position).unwrap();
        let error = position.parse_move(text).unwrap_err();
        assert!(error.message.contains(message), "{text}: {error}");
        assert_eq!(error.at, at, "{text}: {error}");
    }
    let mut relaxed = Shogi::parse(drops).unwrap();
    assert_eq!(relaxed.parse_move("g*4I").ok(), Square::parse("4i").map(|to| Move::drop(PieceKind::Gold, to)));
}

#[test]
fn the_picture_is_blacks_view() {
    let view = Shogi::start().view();
    assert_eq!((view.columns[0].as_str(), view.rows[8].as_str()), ("9", "i"));
    assert_eq!(view.cells[10], ViewCell::Piece { side: Side::Second, sign: "飛", letters: "R" });
    assert_eq!(view.cells[76], ViewCell::Piece { side: Side::First, sign: "玉", letters: "K" });
    let seven = Shogi::start().parse_move("7g7f").unwrap();
    assert_eq!(Shogi::start().cells(seven), [56, 47]);
    let held = Shogi::parse("4k4/9/9/9/9/9/9/9/4K4 b 3Pr 1").unwrap().view().hands;
    assert_eq!((held[0][0].letters, held[0][0].count, held[1][0].sign), ("P", 3, "飛"));
}
