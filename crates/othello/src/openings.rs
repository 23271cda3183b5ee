//! The names of Othello's openings.
//!
//! A name belongs to a position, not to an order of moves: transpositions and the eight symmetries of the board have
//! the same name. Of the named positions that a game reaches the last one gives the name.

use std::collections::HashMap;
use std::sync::LazyLock;

use tesuji_game::{Game, NamedOpenings, Notation, OpeningKind, OpeningName, Record};

use crate::Othello;

/// Lines with their English name, and the Japanese one where it is another. All begin with c4, one of the four first
/// moves that are the same by symmetry.
const LINES: &[(&str, &str, &str)] = &[
    ("c4c3", "Diagonal", ""),
    ("c4c5", "Parallel", "鼠定石"),
    ("c4e3", "Perpendicular", ""),
    // Diagonal.
    ("c4c3e6c5", "Wing", ""),
    ("c4c3f5c5", "Semi-Wing", ""),
    ("c4c3d3c5b2", "X-Square", ""),
    ("c4c3d3c5b3", "Snake", "蛇定石"),
    ("c4c3d3c5b3f3", "Lysons", ""),
    ("c4c3d3c5b3f4b5b4c6d6f5", "Pyramid", ""),
    ("c4c3d3c5b4", "Heath", ""),
    ("c4c3d3c5b4d2c2", "Classic Heath", ""),
    ("c4c3d3c5b4d2c2f4d6c6f5e6f7", "Heath, Mimura Variation II", ""),
    ("c4c3d3c5b4d2d6", "Heath-Bat", ""),
    ("c4c3d3c5b4d2e2", "Heath, Iwasaki Variation", ""),
    ("c4c3d3c5b4e3", "Heath-Chimney", ""),
    ("c4c3d3c5b5", "Raccoon Dog", "狸定石"),
    ("c4c3d3c5b6", "Rocket", "ロケット定石"),
    ("c4c3d3c5b6c6b5", "Hamilton", ""),
    ("c4c3d3c5b6e3", "Lollipop", ""),
    ("c4c3d3c5d6", "Cow", "牛定石"),
    ("c4c3d3c5d6e3", "Chimney", ""),
    ("c4c3d3c5d6f4b4", "Cow Bat", ""),
    ("c4c3d3c5d6f4b4b6b5c6b3", "Cow Bat, Piau Continuation", ""),
    ("c4c3d3c5d6f4b4b6b5c6f5", "Cow Bat, Melnikov", ""),
    ("c4c3d3c5d6f4b4c6b5b3b6e3c2a4a5a6d2", "Cow Bat, Kling Continuation", ""),
    ("c4c3d3c5d6f4b4e3b3", "Cow Bat, Kling Alternative", ""),
    ("c4c3d3c5d6f4f5", "Rose-v-Toth", ""),
    ("c4c3d3c5d6f4f5d2", "Tanida", ""),
    ("c4c3d3c5d6f4f5d2b5", "Aircraft", ""),
    ("c4c3d3c5d6f4f5d2g4d7", "Sailboat", ""),
    ("c4c3d3c5d6f4f5e6c6d7", "Maruoka", ""),
    ("c4c3d3c5d6f4f5e6f6", "Landau", ""),
    ("c4c3d3c5f6", "Buffalo", "バッファロー"),
    ("c4c3d3c5f6e2c6", "Maruoka Buffalo", ""),
    ("c4c3d3c5f6e3c6f5f4g5", "Tanida Buffalo", ""),
    ("c4c3d3c5f6f5", "Hokuriku Buffalo", ""),
    // Perpendicular.
    ("c4e3f4c5d6f3", "Rabbit", "兎定石"),
    ("c4e3f4c5d6e6", "Mimura", ""),
    ("c4e3f4c5d6f3c6", "Shaman", ""),
    ("c4e3f4c5d6f3d3", "Inoue", ""),
    ("c4e3f4c5d6f3d3c3", "Iago", ""),
    ("c4e3f4c5d6f3e2", "Bhagat", ""),
    ("c4e3f4c5d6f3e6c6", "Ralle", ""),
    ("c4e3f4c5d6f3e6c3d3e2", "Rose", "ローズ"),
    ("c4e3f4c5d6f3e6c3d3e2b5", "Flat", ""),
    ("c4e3f4c5d6f3e6c3d3e2b5f5", "Rotating Flat", ""),
    ("c4e3f4c5d6f3e6c3d3e2b5f5b3", "Rotating Flat, Murakami Variation", ""),
    ("c4e3f4c5d6f3e6c3d3e2b5f5b4f6c2e7d2c7", "Rotating Flat, Kling Continuation", ""),
    ("c4e3f4c5d6f3e6c3d3e2b6f5", "Rose-Birth", ""),
    ("c4e3f4c5d6f3e6c3d3e2b6f5b4f6g5d7", "Brightstein", ""),
    ("c4e3f4c5d6f3e6c3d3e2b6f5g5", "Rose-Birdie", ""),
    ("c4e3f4c5d6f3e6c3d3e2b6f5g5f6", "Rose-Tamenori-Kling", ""),
    ("c4e3f4c5d6f3e6c3d3e2d2", "Greenberg", ""),
    ("c4e3f4c5e6", "Horse", "馬定石"),
    ("c4e3f5b4", "No-Cat", ""),
    ("c4e3f5b4f3", "Swallow", "燕定石"),
    ("c4e3f5b4f3f4e2e6g5f6d6c6", "Swallow, No-Cat Continuation", ""),
    ("c4e3f5e6d3", "Italian", ""),
    ("c4e3f5e6f4", "Cat", "猫定石"),
    ("c4e3f5e6f4c5d6c6f7f3", "Sakaguchi", ""),
    ("c4e3f5e6f4c5d6c6f7g5g6", "Berner", ""),
    ("c4e3f6b4", "Bent Ganglion", ""),
    ("c4e3f6e6f5", "Tiger", "虎定石"),
    ("c4e3f6e6f5g6", "Aubrey", ""),
    ("c4e3f6e6f5g6e7c5", "Aubrey, Feldborg Continuation", ""),
    ("c4e3f6e6f5c5c3", "Stephenson", ""),
    ("c4e3f6e6f5c5c3b4", "No-Kung", "ノーカン"),
    ("c4e3f6e6f5c5c3b4d6c6b5a6b6c7", "No-Kung, Continuation", ""),
    ("c4e3f6e6f5c5c3c6", "Comp'Oth", "コンポス"),
    ("c4e3f6e6f5c5c3c6d3d2e2b3c1c2b4a3a5b5a6a4a2", "F.A.T. Draw", ""),
    ("c4e3f6e6f5c5c3c6d6", "Lightning Bolt", ""),
    ("c4e3f6e6f5c5c3g5", "Kung", ""),
    ("c4e3f6e6f5c5d3", "Leader's Tiger", ""),
    ("c4e3f6e6f5c5d6", "Brightwell", "ブライトウェル"),
    ("c4e3f6e6f5c5f4g5g4f3c6d3d6", "Ishii", ""),
    ("c4e3f6e6f5c5f4g5g4f3c6d3d6b3c3b4e2b6", "Tiger, Main Line", ""),
    ("c4e3f6e6f5c5f4g6f7", "Rose-Bill", "ローズビル"),
    ("c4e3f6e6f5c5f4g6f7d3", "Tamenori", ""),
    ("c4e3f6e6f5c5f4g6f7g5", "Rose-Bill, Dead Draw", ""),
];

/// The named positions.
struct OpeningTable {
    names: HashMap<Othello, OpeningName>,
    /// The plies of the longest line.
    longest: usize,
}

static TABLE: LazyLock<OpeningTable> = LazyLock::new(|| {
    let mut table = OpeningTable { names: HashMap::new(), longest: 0 };
    for &(line, name, native) in LINES {
        let mut record = Record::new(Othello::start());
        // A test plays all lines.
        if Othello::read_moves(&mut record, line).is_ok() {
            let opening = OpeningName { kind: OpeningKind::Opening, side: None, name, native };
            table.names.insert(record.now().canonical(), opening);
            table.longest = table.longest.max(record.plies().len());
        }
    }
    table
});

impl NamedOpenings for Othello {
    fn openings(record: &Record<Othello>) -> Vec<OpeningName> {
        let mut game = *record.start();
        let mut found = None;
        for mv in record.moves().take(TABLE.longest) {
            game.play(mv);
            found = TABLE.names.get(&game.canonical()).or(found);
        }
        found.copied().into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use tesuji_game::Symmetric;

    use super::*;

    fn record(line: &str) -> Record<Othello> {
        let mut record = Record::new(Othello::start());
        Othello::read_moves(&mut record, line).unwrap_or_else(|fault| panic!("{line}: {fault}"));
        record
    }

    fn name(line: &str) -> Option<&'static str> {
        Othello::openings(&record(line)).first().map(|opening| opening.name)
    }

    #[test]
    fn every_line_is_legal_and_has_its_own_name() {
        assert!(LINES.len() >= 40);
        assert_eq!(TABLE.names.len(), LINES.len(), "two lines reach the same position");
        for (line, own, _) in LINES {
            assert_eq!(name(line), Some(*own), "{line}");
        }
    }

    #[test]
    fn all_symmetries_have_the_same_name() {
        for (line, own, _) in LINES {
            let record = record(line);
            for symmetry in 0..8 {
                let start = record.start().image(symmetry);
                // Half of the symmetries exchange the colours of the start position.
                if start != *record.start() {
                    continue;
                }
                let mut image = Record::new(start);
                for mv in record.moves() {
                    image.push(start.image_move(mv, symmetry)).unwrap();
                }
                assert_eq!(Othello::openings(&image)[0].name, *own, "{line}, symmetry {symmetry}");
            }
        }
    }

    #[test]
    fn games_are_named_by_the_last_known_position() {
        // As they are usually written, from f5 on.
        for (line, own) in [
            ("f5d6c3d3c4", "Tiger"),
            ("f5d6c3d3c4f4c5b3c2", "Rose-Bill"),
            ("f5d6c5f4e3c6d3f6e6d7", "Rose"),
            ("f5f6e6f4e3", "Cow"),
            ("f5f6e6f4c3", "Buffalo"),
            ("f5f4", "Parallel"),
            ("e6f4c3c4d3", "Tiger"),
            ("d3c5f6f5e6", "Tiger"),
            // Nothing known follows.
            ("f5f4e3f6d3", "Parallel"),
            ("f5d6c6", "Perpendicular"),
        ] {
            assert_eq!(name(line), Some(own), "{line}");
        }
        assert_eq!(name("f5"), None);
        assert_eq!(name(""), None);
        let set_up = Othello::parse("OX------XO------------------------------------------------------ X").unwrap();
        assert_eq!(Othello::openings(&Record::new(set_up)), []);
    }
}
