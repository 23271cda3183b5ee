//! Entries of training data against the bytes of another program, and arbitrary bytes.

use proptest::collection::vec;
use proptest::prelude::any;
use tesuji_game::{Game, Notation, Outcome, Packed, Side};
use tesuji_laws::{effort, for_all, fuzz};
use tesuji_shogi::Shogi;
use tesuji_shogi::packed::{EntryError, Hcpe, Psv};

struct Vector {
    hcpe: Hcpe,
    psv: Psv,
    hcpe_bytes: [u8; Hcpe::BYTES],
    psv_bytes: [u8; Psv::BYTES],
}

fn bytes<const N: usize>(hex: &str) -> [u8; N] {
    let digits: Vec<u8> =
        (0..hex.len() / 2).map(|at| u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).unwrap()).collect();
    digits.try_into().unwrap()
}

fn vectors() -> Vec<Vector> {
    let lines = include_str!("../testdata/packed.tsv").lines().filter(|line| !line.starts_with('#'));
    let vector = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let mut position = Shogi::parse(fields[0]).unwrap();
        let mv = Some(position.parse_move(fields[1]).unwrap());
        let value = fields[2].parse().unwrap();
        let winner = match fields[3] {
            "black" => Some(Side::First),
            "white" => Some(Side::Second),
            _ => None,
        };
        let result = Outcome::of(winner, position.mover());
        Vector {
            hcpe: Hcpe { position: position.clone(), value, mv, result },
            psv: Psv { number: position.number().try_into().unwrap(), position, value, mv, result },
            hcpe_bytes: bytes(fields[4]),
            psv_bytes: bytes(fields[5]),
        }
    };
    lines.map(vector).collect()
}

#[test]
fn entries_are_the_bytes_of_cshogi() {
    let vectors = vectors();
    assert!(vectors.len() > 50);
    for Vector { hcpe, psv, hcpe_bytes, psv_bytes } in vectors {
        assert_eq!(hcpe.write(), Some(hcpe_bytes), "{hcpe:?}");
        assert_eq!(Hcpe::read(&hcpe_bytes), Ok(hcpe));
        assert_eq!(psv.write(), Some(psv_bytes), "{psv:?}");
        let read = Psv::read(&psv_bytes).unwrap();
        assert_eq!((read.position.number(), &read), (psv.number.into(), &psv));
    }
}

#[test]
fn wrong_entries_are_refused() {
    let Vector { hcpe_bytes, psv_bytes, .. } = &vectors()[0];
    let hcpe = |at: usize, byte: u8| {
        let mut bytes = *hcpe_bytes;
        bytes[at] = byte;
        Hcpe::read(&bytes)
    };
    let psv = |at: usize, byte: u8| {
        let mut bytes = *psv_bytes;
        bytes[at] = byte;
        Psv::read(&bytes)
    };
    assert_eq!(hcpe(1, 0xff), Err(EntryError::Position));
    assert!(matches!(hcpe(35, 0xff), Err(EntryError::Move(_))));
    assert_eq!(hcpe(36, 3), Err(EntryError::Result(3)));
    // How the game ended is not kept.
    assert_eq!(hcpe(36, 5).map(|entry| entry.result), Ok(Outcome::Win));
    assert_eq!(psv(1, 0xff), Err(EntryError::Position));
    assert!(matches!(psv(35, 0xff), Err(EntryError::Move(_))));
    assert_eq!(psv(38, 2), Err(EntryError::Result(2)));
    let mut no_move = *psv_bytes;
    no_move[34..36].fill(0);
    assert_eq!(Psv::read(&no_move).map(|entry| entry.mv), Ok(None));
}

/// YaneuraOu writes golds in hand after rooks, cshogi before bishops.
#[test]
fn hands_may_come_in_any_order() {
    let game = Shogi::parse("4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1").unwrap();
    let mut packed = game.packed_sfen().unwrap();
    let bit = |bytes: &[u8], at: usize| bytes[at / 8] >> (at % 8) & 1;
    let golds_on: Vec<u8> = (256 - 48..256).map(|at| bit(&packed, at)).collect();
    let reordered: Vec<u8> = golds_on[20..].iter().chain(&golds_on[..20]).copied().collect();
    for (at, value) in (256 - 48..256).zip(reordered) {
        packed[at / 8] = packed[at / 8] & !(1 << (at % 8)) | value << (at % 8);
    }
    assert_ne!(game.packed_sfen(), Some(packed));
    assert_eq!(Shogi::from_packed_sfen(&packed), Some(game));
}

#[test]
fn any_bytes_are_survived() {
    let vectors = vectors();
    for_all(effort() * 16, (any::<u16>(), vec((0..Psv::BYTES, any::<u8>()), 0..3)), |(start, edits)| {
        let Vector { mut hcpe_bytes, mut psv_bytes, .. } = vectors[usize::from(start) % vectors.len()];
        for (at, byte) in edits {
            psv_bytes[at] = byte;
            if let Some(place) = hcpe_bytes.get_mut(at) {
                *place = byte;
            }
        }
        fuzz::packed::<Shogi>(&hcpe_bytes[..Shogi::BYTES]);
        fuzz::entry(&hcpe_bytes, Hcpe::read, Hcpe::write);
        fuzz::entry(&psv_bytes, Psv::read, Psv::write);
        Ok(())
    });
}
