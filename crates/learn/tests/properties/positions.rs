//! A data set of positions is read exactly as it was written, or refused.

use std::fs;
use std::path::Path;

use tempfile::TempDir;
use tesuji_game::{Encoding, Game, Outcome, Packed, PlaneInput, Planes, Side};
use tesuji_learn::DataSetError;
use tesuji_learn::positions::{PositionBlock, PositionEntry, PositionSet, PositionSetWriter, PositionSets};
use tesuji_store::blocks::write_on;
use tesuji_store::disk::Os;

/// A heap of at most 63 coins; a move takes one to three; who takes the last wins. The packing cannot express 13.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Heap(u8);

impl Game for Heap {
    type Move = u8;
    type Moves = Vec<u8>;
    type Undo = u8;
    type Rules = ();
    const NAME: &'static str = "heap";

    fn start() -> Self {
        Heap(21)
    }

    fn mover(&self) -> Side {
        Side::First
    }

    fn moves(&mut self, out: &mut Vec<u8>) {
        *out = (1..=self.0.min(3)).collect();
    }

    fn play(&mut self, coins: u8) -> u8 {
        self.0 -= coins;
        coins
    }

    fn undo(&mut self, coins: u8) {
        self.0 += coins;
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.0 == 0).then_some(Outcome::Loss)
    }
}

impl Packed for Heap {
    const PACKING: &'static str = "heap/1";
    const BYTES: usize = 2;

    fn pack(&self, bytes: &mut [u8]) -> bool {
        bytes.copy_from_slice(&[self.0, !self.0]);
        self.0 != 13
    }

    fn unpack(bytes: &[u8]) -> Option<Self> {
        matches!(*bytes, [coins, check] if coins == !check && coins < 64 && coins != 13).then(|| Heap(bytes[0]))
    }
}

impl Planes for Heap {
    const ENCODING: Encoding = Encoding { name: "heap/unary/1", height: 1, width: 3, planes: 1, policy_planes: 1 };

    fn planes(&self, input: &mut impl PlaneInput) {
        input.square(0, usize::from(self.0 % 3));
    }

    fn label(&self, coins: u8) -> Option<usize> {
        Some(usize::from(coins) - 1)
    }
}

/// Entry number `index` of a set in which everything that can differ does.
fn entry(index: usize) -> PositionEntry<Heap> {
    let coins = (index * 7 % 64) as u8;
    PositionEntry {
        position: Heap(if coins == 13 { 14 } else { coins }),
        label: (!index.is_multiple_of(5)).then_some((index % 3) as u16),
        value: (index % 7 != 1).then_some((index as i16).wrapping_mul(31).max(-32767)),
        result: [Some(Outcome::Loss), Some(Outcome::Draw), Some(Outcome::Win), None][index % 4],
        second: index % 2 == 1,
        ply: (index % 300) as u16,
        game: (index / 10) as u32,
        visits: (0..index % 4).map(|at| ((at % 3) as u16, (index + at) as u16)).collect(),
    }
}

fn write(path: &Path, count: usize) {
    let mut writer = PositionSetWriter::create(path, "heaps\nof coins").unwrap();
    for index in 0..count {
        assert!(writer.push(&entry(index)).unwrap());
    }
    let saved = writer.finish().unwrap();
    assert_eq!((saved.positions, saved.games), (count as u64, count.div_ceil(10) as u64));
    assert_eq!(saved.bytes, fs::metadata(path).unwrap().len());
}

fn all(path: &Path) -> Result<Vec<PositionEntry<Heap>>, DataSetError> {
    let mut found = Vec::new();
    PositionSet::open(path)?.for_each(|index, entry: &PositionEntry<Heap>| {
        assert_eq!(index, found.len());
        found.push(entry.clone());
    })?;
    Ok(found)
}

#[test]
fn a_set_of_positions_survives_a_round_trip() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.set");
    // Several blocks, exactly one, none.
    for count in [20_000, 8192, 7, 0] {
        write(&path, count);
        assert!(all(&path).unwrap().into_iter().eq((0..count).map(entry)));
        let set = PositionSet::<Heap>::open(&path).unwrap();
        assert_eq!((set.len(), set.is_empty(), set.provenance()), (count, count == 0, "heaps\nof coins"));
        assert_eq!((set.header().packing.as_str(), set.header().entry), ("heap/1", 22));
        let mut found = PositionEntry::of(Heap(1));
        for index in (0..count).rev().step_by(97) {
            set.entry(index, &mut found).unwrap();
            assert_eq!(found, entry(index));
        }
    }
}

#[test]
fn blocks_of_entries_make_the_same_file() {
    let folder = TempDir::new().unwrap();
    let (one, other) = (folder.path().join("one"), folder.path().join("other"));
    write(&one, 9000);
    let mut writer = PositionSetWriter::<Heap>::create(&other, "heaps\nof coins").unwrap();
    for game in 0..900 {
        let mut block = PositionBlock::default();
        for index in 10 * game..10 * game + 10 {
            assert!(block.push(&PositionEntry { game: 77, ..entry(index) }));
        }
        let block = PositionBlock::from_bytes(&block.bytes()).unwrap();
        writer.append_game(&block).unwrap();
    }
    writer.finish().unwrap();
    assert!(fs::read(&one).unwrap() == fs::read(&other).unwrap());
}

#[test]
fn a_position_that_cannot_be_packed_is_left_out() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.set");
    let mut writer = PositionSetWriter::create(&path, "").unwrap();
    assert!(!writer.push(&PositionEntry::of(Heap(13))).unwrap());
    assert!(writer.push(&entry(1)).unwrap());
    writer.finish().unwrap();
    assert_eq!(all(&path).unwrap(), [entry(1)]);
}

#[test]
fn several_sets_are_read_as_one() {
    let folder = TempDir::new().unwrap();
    let paths = ["a", "b", "c"].map(|name| folder.path().join(name));
    for (path, count) in paths.iter().zip([25, 0, 30]) {
        write(path, count);
    }
    let sets = PositionSets::<Heap>::open(&paths).unwrap();
    assert_eq!((sets.len(), sets.games()), (55, 6));
    let mut found = PositionEntry::of(Heap(1));
    for index in 0..55 {
        sets.entry(index, &mut found).unwrap();
        let expected = if index < 25 { entry(index) } else { entry(index - 25) };
        let game = if index < 25 { expected.game } else { expected.game + 3 };
        assert_eq!(found, PositionEntry { game, ..expected });
    }
}

#[test]
fn no_flipped_bit_and_no_cut_of_a_set_is_accepted() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.set");
    write(&path, 6);
    let whole = fs::read(&path).unwrap();
    for bit in 0..8 * whole.len() {
        let mut hit = whole.clone();
        hit[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, hit).unwrap();
        let error = all(&path).unwrap_err().to_string();
        assert!(error.contains("a.set"), "bit {bit}: {error}");
    }
    for cut in 0..whole.len() {
        fs::write(&path, &whole[..cut]).unwrap();
        assert!(all(&path).is_err(), "cut to {cut} bytes");
    }
}

#[test]
fn foreign_sets_of_positions_are_refused_with_a_reason() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.set");
    let message = |head: &str, blocks: &[&[u8]]| {
        let mut writer = write_on(&Os, &path, head.as_bytes()).unwrap();
        blocks.iter().for_each(|block| writer.append(block).unwrap());
        writer.finish().unwrap();
        let error = all(&path).unwrap_err().to_string();
        assert!(error.contains("a.set"), "{error}");
        error
    };
    let head = "tesuji-positions 1\ngame heap\npacking heap/1\nencoding heap/unary/1\nentry 22\nblock 8\n";
    let head = |positions: u64| format!("{head}positions {positions}\ngames 1\nby hand");
    let one = |fields: &[u8]| [&[1, 0, 0, 0, 0, 0, 0, 0, 5, !5][..], fields].concat();
    let fine: [u8; 20] = [0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let with = |at: usize, byte: u8| {
        let mut fields = fine;
        fields[at] = byte;
        one(&fields)
    };
    assert!(message("a table", &[]).contains("is not a data set of positions"));
    assert!(message("tesuji-samples 1\ncoins/2\n0\n", &[]).contains("a data set for weights"));
    assert!(message("tesuji-positions 7\n", &[]).contains("format 7; this program reads format 1"));
    assert!(message(&head(1).replace("game heap", "game chess"), &[]).contains("positions of chess; heap is needed"));
    assert!(message(&head(1).replace("heap/1", "heap/2"), &[]).contains("packed as heap/2; heap/1 is needed"));
    assert!(message(&head(1).replace("unary/1", "unary/2"), &[]).contains("labels of heap/unary/2"));
    assert!(message(&head(1).replace("entry 22", "entry 21"), &[]).contains("entries of 21 bytes"));
    assert!(message(&head(1).replace("block 8", "block 0"), &[]).contains("is not a data set of positions"));
    assert!(message(&head(9), &[&one(&fine)]).contains("promises 9 positions in 2 blocks and has 1"));
    assert!(message(&head(2), &[&one(&fine)]).contains("block 0"));
    assert!(message(&head(1), &[&one(&fine)[..20]]).contains("block 0"));
    assert!(message(&head(1), &[&with(0, 3)]).contains("position 1: it has a label"));
    assert!(message(&head(1), &[&with(4, 9)]).contains("position 1: it has a result"));
    assert!(message(&head(1), &[&with(16, 1)]).contains("position 1: it has visit counts outside"));
    let mut bad = one(&fine);
    bad[8] = 6;
    assert!(message(&head(1), &[&bad]).contains("position 1: it is none"));
    fs::write(&path, "some text").unwrap();
    assert!(all(&path).unwrap_err().to_string().contains("is not a data set of positions"));
    let error = all(&folder.path().join("none")).unwrap_err().to_string();
    assert!(error.contains("none"), "{error}");
}
