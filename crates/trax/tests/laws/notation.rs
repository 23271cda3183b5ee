//! What is refused, and what is said about it.

use tesuji_game::{Game, Notation};
use tesuji_trax::{EightByEight, Trax, Unlimited, Variant};

fn refused<V: Variant>(position: &str, mv: &str, why: &str) {
    let mut game = Trax::<V>::parse(position).unwrap();
    let error = game.parse_move(mv).expect_err(mv);
    assert!(error.message.contains(why), "{position:?}, {mv:?}: {error}");
    assert_eq!(error.text, mv);
    assert!(error.at <= mv.len());
    let joined = format!("{position} {mv}");
    let at = joined.len() - mv.len();
    let error = Trax::<V>::parse(&joined).expect_err(mv);
    assert!((at..=joined.len()).contains(&error.at), "{joined:?}: {error:?}");
}

#[test]
fn a_wrong_move_is_told_why() {
    refused::<Unlimited>("", r"@0\", "the first move must be @0/ or @0+");
    refused::<Unlimited>("", "A1/", "the first move must be @0/ or @0+");
    refused::<Unlimited>("", "@1+", "the first move must be @0/ or @0+");
    refused::<Unlimited>("@0/", "D1+", "there is no such cell: columns run from @ to B, rows from 0 to 2");
    refused::<Unlimited>("@0/", "ZZZZZZZ9999999999+", "there is no such cell");
    refused::<Unlimited>("@0/", "A4294967297+", "there is no such cell");
    refused::<Unlimited>("@0/", "AVLH1+", "there is no such cell");
    refused::<Unlimited>("@0/", "A1+", "a tile lies there already");
    refused::<Unlimited>("@0/", "@0+", "not adjacent to a tile");
    refused::<Unlimited>("@0/ B1+ C1/ C2\\ @1+ A2/ A3/ D3\\", "B3\\", "gives B2 three edges of one colour");
    refused::<Unlimited>(r"@0/ A2\ B1\", "A1+", "the game is over");
    refused::<EightByEight>("@0+ B1+ C1/ D1+ E1/ F1+ G1/ H1+", "I1+", "the box would exceed 8x8");
    refused::<EightByEight>("@0+ B1+ C1/ D1+ E1/ F1+ G1/ H1+", "@1+", "the box would exceed 8x8");
}

#[test]
fn a_cell_between_two_tiles_refuses_a_glyph() {
    refused::<Unlimited>(r"@0/ A0+ @2\", "A1/", r"the edges do not match; here + or \ would");
}

#[test]
fn a_turned_board_names_its_own_first_moves() {
    let error = Trax::<Unlimited>::parse("~1").unwrap().parse_move("@0/").unwrap_err();
    assert!(error.message.contains(r"the first move must be @0\ or @0+"), "{error}");
}

#[test]
fn words_that_are_no_moves_are_told_what_is_missing() {
    for (word, why) in [
        ("1+", "begins with its column"),
        ("@A1+", "begins with its column"),
        ("é1+", "begins with its column"),
        ("B+", "followed by the number of the row"),
        ("B", "followed by the number of the row"),
        ("B01+", "no leading zero"),
        ("B1", r"ends with one of + / \"),
        ("B1+x", r"ends with one of + / \"),
        ("B1é", r"ends with one of + / \"),
        ("B-1+", "followed by the number of the row"),
    ] {
        refused::<Unlimited>("@0/", word, why);
    }
    for text in ["~16 @0/", "~", "~-1", "~x"] {
        let error = Trax::<Unlimited>::parse(text).expect_err(text);
        assert!(error.message.contains("from 0 to 15"), "{error}");
    }
}

#[test]
fn letters_may_be_small_and_blanks_many() {
    let game = Trax::<Unlimited>::parse(" @0/\n a2\\\t b1\\ ").unwrap();
    assert_eq!(game.print(), r"@0/ A2\ B1\");
    assert_eq!(Trax::<Unlimited>::parse(" \n").unwrap(), Trax::start());
    assert_eq!(Trax::<Unlimited>::start().print(), "");
}
