//! Files of blocks: what was written, or an error that names the place.

use std::fs;
use std::path::Path;

use tesuji_store::blocks::{BlockError, BlockFile, write_on};
use tesuji_store::disk::Os;
use tesuji_store::{Map, StoreError};

use crate::model::{DiskFault, SimulatedDisk};
use crate::scratch::Scratch;

const BLOCKS: [&[u8]; 4] = [b"one", b"", b"three, longer than the others", b"\0\0"];

fn write(disk: &dyn tesuji_store::Disk, path: &Path, head: &[u8]) -> Result<u64, StoreError> {
    let mut writer = write_on(disk, path, head)?;
    for block in BLOCKS {
        writer.append(block)?;
    }
    writer.replace_head(head)?;
    writer.finish()
}

/// Everything a file says, or the first error.
fn read(path: &Path) -> Result<(Vec<u8>, Vec<Vec<u8>>), BlockError> {
    let blocks = BlockFile::open(path)?;
    let all = (0..blocks.count()).map(|block| blocks.block(block).map(<[u8]>::to_vec));
    Ok((blocks.head().to_vec(), all.collect::<Result<_, _>>()?))
}

#[test]
fn blocks_are_read_as_they_were_written() {
    let scratch = Scratch::new();
    let path = scratch.path("a.blocks");
    for head in [&b""[..], b"a head"] {
        let bytes = write(&Os, &path, head).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().len(), bytes);
        assert_eq!(read(&path).unwrap(), (head.to_vec(), BLOCKS.map(<[u8]>::to_vec).to_vec()));
        assert_eq!(scratch.names(), ["a.blocks"]);
    }
    let blocks = BlockFile::open(&path).unwrap();
    assert!(matches!(blocks.block(4), Err(BlockError::Absent { block: 4, count: 4, .. })));
}

#[test]
fn every_changed_bit_and_every_cut_is_found() {
    let scratch = Scratch::new();
    let (path, changed) = (scratch.path("a.blocks"), scratch.path("b.blocks"));
    write(&Os, &path, b"head").unwrap();
    let whole = fs::read(&path).unwrap();
    let mut named = 0;
    for bit in 0..8 * whole.len() {
        let mut bytes = whole.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        fs::write(&changed, bytes).unwrap();
        let error = read(&changed).expect_err("a changed bit");
        assert!(error.to_string().contains("b.blocks"), "{error}");
        named += usize::from(matches!(error, BlockError::Block { .. }));
    }
    assert_eq!(named, 8 * BLOCKS.concat().len(), "a bit of a block is a matter of that block alone");
    for length in 0..whole.len() {
        fs::write(&changed, &whole[..length]).unwrap();
        read(&changed).expect_err("a cut file");
        fs::write(&changed, [&whole[..], &whole[..=length]].concat()).unwrap();
        read(&changed).expect_err("a file that is too long");
    }
}

#[test]
fn the_end_of_another_file_does_not_fit() {
    let scratch = Scratch::new();
    let (one, other) = (scratch.path("one"), scratch.path("other"));
    write(&Os, &one, b"4-4").unwrap();
    write(&Os, &other, b"5-4").unwrap();
    let (first, second) = (fs::read(&one).unwrap(), fs::read(&other).unwrap());
    let after_head = 16 + 3 + 4;
    fs::write(&one, [&first[..after_head], &second[after_head..]].concat()).unwrap();
    assert!(matches!(read(&one), Err(BlockError::Damaged { part: "list of blocks", .. })));
}

#[test]
fn another_format_is_told_from_damage() {
    let scratch = Scratch::new();
    let path = scratch.path("a");
    write(&Os, &path, b"").unwrap();
    let mut bytes = fs::read(&path).unwrap();
    bytes[8] = 9;
    fs::write(&path, bytes).unwrap();
    assert!(matches!(read(&path), Err(BlockError::Format { found: 9, .. })));
    fs::write(&path, b"some text").unwrap();
    assert!(matches!(read(&path), Err(BlockError::Magic { .. })));
    assert!(matches!(read(&scratch.path("none")), Err(BlockError::Store(StoreError::Io { .. }))));
}

#[test]
fn a_head_may_be_replaced_by_one_of_the_same_length() {
    let scratch = Scratch::new();
    let path = scratch.path("a.blocks");
    // One block that waits in the buffer, one that is on the disk already.
    for size in [3, 3 << 20] {
        let mut writer = write_on(&Os, &path, b"count ?").unwrap();
        writer.append(&vec![7; size]).unwrap();
        writer.replace_head(b"count").expect_err("another length");
        writer.replace_head(b"count 2").unwrap();
        writer.append(b"last").unwrap();
        writer.finish().unwrap();
        assert_eq!(read(&path).unwrap(), (b"count 2".to_vec(), vec![vec![7; size], b"last".to_vec()]));
    }
}

#[test]
fn a_checked_block_is_checked_once() {
    let scratch = Scratch::new();
    let path = scratch.path("a.blocks");
    write(&Os, &path, b"").unwrap();
    let blocks = BlockFile::open(&path).unwrap();
    for block in [2, 0, 2, 1, 3] {
        assert_eq!(blocks.checked(block).unwrap(), BLOCKS[block]);
    }
    assert!(matches!(blocks.checked(4), Err(BlockError::Absent { block: 4, count: 4, .. })));
    let mut bytes = fs::read(&path).unwrap();
    bytes[20] ^= 1;
    fs::write(scratch.path("b.blocks"), bytes).unwrap();
    let blocks = BlockFile::open(scratch.path("b.blocks")).unwrap();
    for _ in 0..2 {
        assert!(matches!(blocks.checked(0), Err(BlockError::Block { block: 0, .. })));
    }
}

#[test]
fn a_file_that_is_not_finished_is_not_there() {
    let scratch = Scratch::new();
    let path = scratch.path("a.blocks");
    fs::write(&path, "what was there").unwrap();
    let mut writer = write_on(&Os, &path, b"").unwrap();
    writer.append(&[7; 3 << 20]).unwrap();
    assert_eq!(scratch.names().len(), 2);
    drop(writer);
    assert_eq!(scratch.names(), ["a.blocks"]);
    assert_eq!(fs::read(&path).unwrap(), b"what was there");
}

#[test]
fn a_file_of_blocks_is_whole_or_absent_after_every_power_cut_and_error() {
    let path = "dir/a.blocks";
    let whole = {
        let disk = SimulatedDisk::with(&[]);
        write(&disk, Path::new(path), b"head").unwrap();
        disk.content(path).unwrap()
    };
    for fault in [DiskFault::Cut, DiskFault::Refuse, DiskFault::Full] {
        for step in 0.. {
            let disk = SimulatedDisk::with(&[(path, b"old")]);
            disk.break_at(step, fault);
            let said = write(&disk, Path::new(path), b"head").is_ok();
            for world in disk.after_power_cut() {
                let found = world.content(path).unwrap();
                assert!(found == whole || !said && found == b"old", "{fault:?} at {step}, said {said}");
                assert!(write(&world, Path::new(path), b"head").is_ok());
                assert_eq!((world.content(path), world.paths()), (Some(whole.clone()), vec![path.to_owned()]));
            }
            if !disk.reached() {
                break;
            }
        }
    }
}

#[test]
fn an_empty_file_is_mapped_as_nothing() {
    let scratch = Scratch::new();
    fs::write(scratch.path("empty"), b"").unwrap();
    fs::write(scratch.path("full"), b"bytes").unwrap();
    assert_eq!(*Map::open(scratch.path("empty")).unwrap(), []);
    assert_eq!(*Map::open(scratch.path("full")).unwrap(), *b"bytes");
}
