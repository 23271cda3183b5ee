//! KI2: which piece is meant.

use tesuji_game::{Formats, Side};
use tesuji_shogi::Shogi;

use super::{BOOK, fault, format, moves, one, won};

#[test]
fn ki2_tells_pieces_apart() {
    let record = one("ki2", BOOK);
    assert_eq!(Shogi::detect(BOOK.as_bytes()).name, "ki2");
    assert_eq!(moves(&record), "7g7f 3c3d 8h2b+ 3a2b B*4e 2b3c 4e6c+");
    assert_eq!(record.ending(), won(Side::First, "resignation"));
    assert_eq!(record.plies()[4].comment, "馬を作りに行く");
    for (board, usi, ki2) in [
        // Golds beside, below and above one another.
        ("4k4/9/9/9/9/9/3GGG3/9/4K4 b - 1", "5g5f", "▲５六金直"),
        ("4k4/9/9/9/9/9/3GGG3/9/4K4 b - 1", "6g5f", "▲５六金左"),
        ("4k4/9/9/9/9/9/3GGG3/9/4K4 b - 1", "4g5f", "▲５六金右"),
        ("4k4/9/9/4G4/9/3G5/9/9/4K4 b - 1", "5d5e", "▲５五金引"),
        ("4k4/9/9/4G4/9/3G5/9/9/4K4 b - 1", "6f5e", "▲５五金上"),
        ("4k4/9/9/9/9/3S5/9/3S5/4K4 b - 1", "6h5g", "▲５七銀上"),
        ("4k4/9/9/9/3S1S3/9/3S1S3/9/4K4 b - 1", "6e5f", "▲５六銀左引"),
        ("4k4/9/9/9/3S1S3/9/3S1S3/9/4K4 b - 1", "4g5f", "▲５六銀右上"),
        // Seen from the other side.
        ("4k4/9/3ggg3/9/9/9/9/9/4K4 w - 1", "6c5d", "△５四金右"),
        ("4k4/9/3ggg3/9/9/9/9/9/4K4 w - 1", "5c5d", "△５四金直"),
        // Two dragons are left and right of one another.
        ("4k4/9/9/9/9/9/9/9/+R3K3+R b - 1", "9i8h", "▲８八龍"),
        ("8k/9/9/9/9/9/2+R1+R4/9/4K4 b - 1", "5g6f", "▲６六龍右"),
        ("8k/9/9/9/9/9/2+R1+R4/9/4K4 b - 1", "7g6f", "▲６六龍左"),
        // Dropped where a piece of the board could go, and where none could.
        ("4k4/9/9/9/9/9/4G4/9/4K4 b G 1", "G*5f", "▲５六金打"),
        ("4k4/9/9/9/9/9/4G4/9/4K4 b G 1", "G*1f", "▲１六金"),
        ("4k4/9/9/4S4/9/9/9/9/4K4 b - 1", "5d5c+", "▲５三銀成"),
        ("4k4/9/9/4S4/9/9/9/9/4K4 b - 1", "5d5c", "▲５三銀不成"),
        ("4k4/9/4+S4/9/9/9/9/9/4K4 b - 1", "5c6c", "▲６三成銀"),
    ] {
        let record = one("usi", format!("sfen {board} moves {usi}"));
        let written = String::from_utf8(Shogi::write(format("ki2"), &record).expect("a legal move")).expect("UTF-8");
        assert!(
            written.contains(&format!("\n{ki2}　\n")) || written.contains(&format!("\n{ki2}\n")),
            "{ki2}: {written}"
        );
        assert_eq!(moves(&one("ki2", &written)), usi, "{written}");
    }
    assert!(fault("ki2", "▲７六歩 ▲２六歩\n").2.contains('△'));
}
