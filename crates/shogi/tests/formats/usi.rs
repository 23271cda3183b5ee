//! USI lines.

use tesuji_game::{Formats, ParsedRecord, Side};
use tesuji_shogi::Shogi;

use super::{format, read, won};

#[test]
fn usi_lines() {
    let file = "startpos moves 7g7f 3c3d resign\n\n# none\nposition startpos\r\n\
                sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 5 moves G*5b\n4k4/9/4P4/9/9/9/9/9/4K4 w G 1\n\
                startpos moves 7g7f 7f7e\nstartpos moves 7g7f resign 3c3d\nwhatever\nstartpos moves 7g7f";
    let readings = read("usi", file);
    let told: Vec<_> = readings
        .iter()
        .map(|ParsedRecord { record, fault }| {
            (record.plies().len(), record.ending(), fault.as_ref().map(|fault| fault.mv))
        })
        .collect();
    assert_eq!(
        told,
        [
            (2, won(Side::Second, "resignation"), None),
            (0, None, None),
            (1, won(Side::First, "checkmate"), None),
            (0, None, None),
            (1, None, Some(Some(2))),
            (1, won(Side::First, "resignation"), Some(Some(3))),
            (0, None, Some(None)),
            (1, None, None),
        ]
    );
    let written = Shogi::write(format("usi"), &readings[0].record).expect("an ending USI knows");
    assert_eq!(String::from_utf8_lossy(&written), "startpos moves 7g7f 3c3d resign\n");
    let written = Shogi::write(format("usi"), &readings[2].record).expect("a mate");
    assert_eq!(String::from_utf8_lossy(&written), "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 5 moves G*5b\n");
}
