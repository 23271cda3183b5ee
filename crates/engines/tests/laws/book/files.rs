//! Books as files and as text: read exactly as written, or refused.

use tesuji_engines::book::BookError;
use tesuji_engines::othello::Book;
use tesuji_game::{Game, Notation};
use tesuji_othello::Othello;
use tesuji_search::Rng;

use super::{config, expanded, random_position};

const START: &str = "---------------------------OX------XO--------------------------- X";

#[test]
fn books_survive_a_round_trip() {
    for positions in [0, 1, 40] {
        let book = expanded(Book::default(), config(positions));
        assert_eq!(book.len(), positions);
        assert_eq!(Book::parse(&book.bytes()).unwrap(), book);
        let read = Book::parse_text(&book.text()).unwrap();
        assert_eq!((read.bytes(), read.text()), (book.bytes(), book.text()));
        assert_eq!(read, book);
    }
}

#[test]
fn no_flipped_bit_and_no_cut_is_accepted() {
    let whole = expanded(Book::default(), config(20)).bytes();
    for bit in 0..8 * whole.len() {
        let mut hit = whole.clone();
        hit[bit / 8] ^= 1 << (bit % 8);
        assert!(Book::parse(&hit).is_err(), "bit {bit}");
    }
    for cut in 0..whole.len() {
        assert!(Book::parse(&whole[..cut]).is_err(), "cut to {cut} bytes");
    }
    assert!(Book::parse(&[&whole[..], &[0]].concat()).is_err());
}

/// Impossible contents with a correct checksum.
#[test]
fn impossible_books_are_refused() {
    let book = expanded(Book::default(), config(3));
    let whole = book.bytes();
    let sealed = |mut bytes: Vec<u8>| {
        let sum = bytes.len() - 4;
        let crc = crc32fast::hash(&bytes[..sum]).to_le_bytes();
        bytes[sum..].copy_from_slice(&crc);
        Book::parse(&bytes)
    };
    assert_eq!(sealed(whole.clone()).as_ref(), Ok(&book));
    let spoilt = |at: usize, byte: u8| {
        let mut bytes = whole.clone();
        bytes[at] = byte;
        sealed(bytes)
    };
    let leaf = (0..3).map(|entry| 16 + 20 * entry + 16).find(|&at| whole[at] != 255).unwrap();
    for (what, parsed) in [
        ("another count", spoilt(12, 2)),
        ("a leaf that is illegal", spoilt(leaf, 0)),
        ("a value beyond all boards", spoilt(leaf + 1, 65)),
        ("a search of no depth", spoilt(leaf + 2, 0)),
        ("a search deeper than the board", spoilt(leaf + 2, 61)),
        ("a selectivity that does not exist", spoilt(leaf + 3, 6)),
        ("half a leaf", spoilt(leaf, 255)),
        ("a square with two discs", spoilt(27, whole[19] | whole[27])),
        ("positions out of order", {
            let order = [&whole[..16], &whole[36..56], &whole[16..36], &whole[56..]].concat();
            sealed(order)
        }),
        ("a position twice", {
            let twice = [&whole[..16], &whole[16..36], &whole[16..36], &whole[56..]].concat();
            sealed(twice)
        }),
    ] {
        assert!(matches!(parsed, Err(BookError::Damaged { .. })), "{what}: {parsed:?}");
    }
}

#[test]
fn foreign_files_are_refused() {
    assert_eq!(Book::parse(b""), Err(BookError::Foreign));
    assert_eq!(Book::parse(b"tesujiW\n and more"), Err(BookError::Foreign));
    let mut newer = Book::default().bytes();
    newer[8] = 7;
    assert_eq!(Book::parse(&newer), Err(BookError::Format { found: 7 }));
}

#[test]
fn the_first_wrong_line_is_named() {
    let mut rng = Rng::new(31);
    let rotated = "---------------------------XO------OX--------------------------- X";
    let passing = format!("{:-<64} O", "XXO");
    let over = format!("{:-<64} X", "");
    let next = {
        let mut game = Othello::parse(START).unwrap();
        let f5 = game.parse_move("f5").unwrap();
        game.play(f5);
        game.print()
    };
    for (text, line, words) in [
        (format!("{START};\n\n{rotated};"), 3, "as on line 1"),
        (format!("% words\n{START}; f5"), 2, "f5:+2@12"),
        (format!("{START}; f5:2"), 1, "f5:+2@12"),
        (format!("{START}; f5:x@3"), 1, "f5:+2@12"),
        (format!("{START}; f5:+2@3/74"), 1, "73, 87"),
        (format!("{START}; a1:+2@3"), 1, "turns no disc"),
        (format!("{START}; f5:+65@3"), 1, "-64 to +64"),
        (format!("{START}; f5:+6@61"), 1, "from 1 to 60"),
        (format!("{START}; f5:+6@0"), 1, "from 1 to 60"),
        (format!("{passing};"), 1, "after the pass"),
        (format!("{over};"), 1, "over"),
        (format!("{START}; c3:+1@3\n"), 1, "turns no disc"),
        (format!("{START}; f5:+1@3\n{next};"), 1, "leads to line 2"),
        ("% tesuji othello book, format 2\n".to_owned(), 1, "another format"),
        ("--X-\n".to_owned(), 1, "64 squares"),
    ] {
        let fault = Book::parse_text(&text).unwrap_err();
        assert_eq!(fault.line, line, "{text}: {fault}");
        assert!(fault.to_string().contains(words), "{text}: {fault}");
    }
    // Any orientation and either side to move are accepted.
    let game = random_position(&mut rng, 9);
    let book = Book::parse_text(&format!("{}; % words\n", game.print())).unwrap();
    assert!(book.contains(&game) && book.unsearched() == 1);
}

#[test]
fn random_changes_of_a_text_do_not_panic() {
    let mut rng = Rng::new(32);
    let text = expanded(Book::default(), config(6)).text();
    let letters: Vec<char> = text.chars().collect();
    let (mut read, mut refused) = (0, 0);
    for _ in 0..3000 {
        let mut letters = letters.clone();
        for _ in 0..1 + rng.below(3) {
            let at = rng.below(letters.len());
            match rng.below(3) {
                0 => letters[at] = ['X', 'O', '-', ';', ':', '@', '9', '%', '\n', 'é', ' '][rng.below(11)],
                1 => letters.truncate(at.max(64)),
                _ => letters.insert(at, letters[rng.below(letters.len())]),
            }
        }
        let text: String = letters.into_iter().collect();
        match Book::parse_text(&text) {
            Ok(book) => {
                read += 1;
                assert_eq!(Book::parse_text(&book.text()), Ok(book), "{text}");
            }
            Err(fault) => {
                refused += 1;
                assert!((1..=text.lines().count()).contains(&fault.line), "{fault}");
            }
        }
    }
    assert!(read > 100 && refused > 1000, "{read} read, {refused} refused");
}
