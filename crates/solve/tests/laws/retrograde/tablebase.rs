//! Tablebases return what was solved or an error, never anything else.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tesuji_game::{NO_MOVE, Outcome, PerfectIndex, Successor};
use tesuji_solve::retrograde::{BoardValue, ClassValues, Solution, verify};
use tesuji_solve::tablebase::{
    Metric, PositionValue, ProbeResult, Tablebase, TablebaseError, TablebaseId, TablebaseWriter,
};
use tesuji_store::blocks::{BlockFile, write_on};
use tesuji_store::disk::Os;
use tesuji_task::CancelToken;

use super::checkpoints::{Scratch, checksums};
use super::noughts::Noughts;
use super::small::Small;
use super::toy::{Listed, Toy};
use super::{bytes, classes, solved};

type Tiny = Listed<Small<3, 3, 2>>;

fn id() -> TablebaseId {
    TablebaseId { game: "toy".to_owned(), rules: 1, index: 1 }
}

fn write<G: PerfectIndex>(game: &G, solution: &Solution, dir: &Path, metric: Metric, threads: usize) {
    let writer = TablebaseWriter::new(dir, id(), metric, threads).block(100);
    for class in classes(game) {
        writer.write(game, class, solution.class(class).expect("solved"), &mut |_| true).expect("written");
    }
}

fn open<T: Toy + Send>(dir: &Path, game: &Arc<Listed<T>>) -> Result<Tablebase<Listed<T>>, TablebaseError> {
    Tablebase::open(dir, Arc::clone(game), &id())
}

fn files(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found: Vec<PathBuf> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found.into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

/// The meaning of a value, spelled out.
fn worth(value: u8, exact: bool) -> PositionValue {
    let outcome = [Outcome::Loss, Outcome::Win][usize::from(value % 2)];
    match value {
        0 => PositionValue { outcome: Outcome::Draw, plies: None },
        _ => PositionValue { outcome, plies: (exact || value == 1).then_some(value) },
    }
}

/// Probes every image of every board with every forbidden move.
fn answers<T: Toy + Send>(table: &Tablebase<Listed<T>>, solution: &Solution) {
    let (game, exact) = (&**table.game(), table.metric() == Metric::Dtw);
    for class in classes(game) {
        for board in (0..game.size(class)).filter_map(|index| game.unrank(class, index)) {
            for symmetry in 0..game.toy.symmetries() {
                let board = game.toy.image(board, symmetry);
                let verdict = table.probe(board).unwrap();
                let mut moves = vec![NO_MOVE];
                game.successors(board, |mv, step| {
                    moves.extend(matches!(step, Successor::Board(..)).then_some(mv));
                });
                for mv in moves {
                    let right = worth(solution.value(game, board, mv).unwrap(), exact);
                    assert_eq!(verdict.when_forbidden(mv), right, "{board:?}, {mv} forbidden");
                    assert_eq!(table.value(board, mv).unwrap(), right, "{board:?}, {mv} forbidden");
                }
            }
        }
    }
}

fn whole<T: Toy + Send>(toy: T, name: &str) {
    let (game, scratch) = (Arc::new(Listed::new(toy)), Scratch::new(name));
    let solution = solved(&*game, 2);
    for metric in [Metric::Wdl, Metric::Dtw] {
        write(&*game, &solution, &scratch.0, metric, 2);
        let table = open(&scratch.0, &game).unwrap();
        assert_eq!(table.metric(), metric);
        answers(&table, &solution);
        for facts in table.info() {
            assert_eq!(facts.wins + facts.losses + facts.draws, facts.boards);
            assert_eq!(
                (facts.boards, facts.bytes),
                (u64::from(facts.size) - 1, fs::metadata(&facts.path).unwrap().len())
            );
        }
    }
    // The planes load unchanged and pass verification.
    let table = open(&scratch.0, &game).unwrap();
    let mut again = Solution::default();
    for class in classes(&*game) {
        let values = table.values(class, 3, &CancelToken::new()).unwrap();
        assert!(bytes(&values) == bytes(solution.class(class).unwrap()), "class {class}");
        again.insert(class, values);
    }
    let last = classes(&*game).last().unwrap();
    assert_eq!(verify(&*game, &again, last, 1, 2, &|_| true).unwrap().1, []);
}

#[test]
fn a_table_says_what_was_solved() {
    whole(Small::<3, 3, 2>, "table-small");
    whole(Small::<4, 3, 2>, "table-oblong");
    whole(Noughts, "table-noughts");
}

#[test]
fn threads_do_not_change_a_byte() {
    let game = Tiny::new(Small);
    let solution = solved(&game, 2);
    let written = |threads: usize| {
        let scratch = Scratch::new(&format!("table-threads-{threads}"));
        write(&game, &solution, &scratch.0, Metric::Dtw, threads);
        files(&scratch.0).into_iter().map(|(_, bytes)| bytes).collect::<Vec<_>>()
    };
    let one = written(1);
    assert!(one.iter().all(|bytes| bytes.len() > 100));
    for threads in [2, 3, 7] {
        assert!(written(threads) == one, "{threads} threads");
    }
}

#[test]
fn files_are_as_they_always_were() {
    let (game, scratch) = (Tiny::new(Small), Scratch::new("table-bytes"));
    let solution = solved(&game, 2);
    write(&game, &solution, &scratch.0, Metric::Dtw, 2);
    write(&game, &solution, &scratch.0, Metric::Wdl, 2);
    let sums: Vec<u32> = files(&scratch.0).iter().map(|(_, bytes)| crc32fast::hash(bytes)).collect();
    // If these change, existing files become unreadable: increase the coding version.
    assert_eq!(
        sums,
        [0x782a_7020, 0xaaf9_03b3, 0x9dbf_4019, 0x3dc2_1ea6, 0x9489_f97d, 0x6860_34f6, 0xf041_47ad, 0x8dc3_1a48]
    );
}

/// Everything a tablebase holds, or the first error.
fn everything(dir: &Path, game: &Arc<Tiny>, class: u8) -> Result<Vec<ProbeResult>, TablebaseError> {
    let table = open(dir, game)?;
    let boards = (0..game.size(class)).filter_map(|index| game.unrank(class, index));
    boards.map(|board| table.probe(board)).collect()
}

#[test]
fn a_damaged_table_is_an_error_that_names_the_file_and_never_another_answer() {
    let (game, scratch) = (Arc::new(Tiny::new(Small)), Scratch::new("table-damaged"));
    let solution = solved(&*game, 2);
    let writer = TablebaseWriter::new(&scratch.0, id(), Metric::Dtw, 1).block(20);
    let facts = writer.write(&*game, 0, solution.class(0).unwrap(), &mut |_| true).unwrap();
    let right = everything(&scratch.0, &game, 0).unwrap();
    let whole = fs::read(&facts.path).unwrap();
    let mut named = 0;
    for bit in 0..8 * whole.len() {
        let mut changed = whole.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        fs::write(&facts.path, changed).unwrap();
        match everything(&scratch.0, &game, 0) {
            // The board that needs no block.
            Ok(answers) => assert!(answers == right, "bit {bit}"),
            Err(error) => {
                assert!(error.to_string().contains("toy-0.table"), "{error}");
                named += usize::from(error.to_string().contains("block "));
            }
        }
        assert_eq!(checksums(&scratch.0, 1).damaged.len(), 1, "bit {bit}");
    }
    assert!(named > 100, "{named} bits in blocks");
    for length in 0..whole.len() {
        fs::write(&facts.path, &whole[..length]).unwrap();
        let error = everything(&scratch.0, &game, 0).expect_err("a cut file");
        assert!(error.to_string().contains("toy-0.table"), "{error}");
    }
    fs::remove_file(&facts.path).unwrap();
    assert!(matches!(everything(&scratch.0, &game, 0), Err(TablebaseError::NotFound { .. })));
}

#[test]
fn sums_that_fit_do_not_make_sense_of_nonsense() {
    let (game, scratch) = (Arc::new(Tiny::new(Small)), Scratch::new("table-nonsense"));
    let solution = solved(&*game, 2);
    let writer = TablebaseWriter::new(&scratch.0, id(), Metric::Dtw, 1).block(20);
    let facts = writer.write(&*game, 3, solution.class(3).unwrap(), &mut |_| true).unwrap();
    let blocks = BlockFile::open(&facts.path).unwrap();
    let head = blocks.head().to_vec();
    let contents: Vec<Vec<u8>> = (0..blocks.count()).map(|block| blocks.block(block).unwrap().to_vec()).collect();
    assert!(contents.len() > 5);
    let rewrite = |head: &[u8], contents: &[Vec<u8>]| {
        let mut file = write_on(&Os, &facts.path, head).unwrap();
        contents.iter().for_each(|block| file.append(block).unwrap());
        file.finish().unwrap();
        everything(&scratch.0, &game, 3).map(|_| ())
    };
    assert!(rewrite(&head, &contents).is_ok());
    let error = rewrite(&head, &contents[1..]).expect_err("one block too few");
    assert!(matches!(error, TablebaseError::InvalidHeader { .. }), "{error}");
    for swap in (1..contents.len()).filter(|&swap| contents[swap - 1] != contents[swap]) {
        let mut swapped = contents.clone();
        swapped.swap(swap - 1, swap);
        let error = rewrite(&head, &swapped).expect_err("blocks in another order");
        assert!(matches!(error, TablebaseError::InvalidBlock { .. }), "{error}");
    }
    let mut seed = 1u32;
    for length in 0..200 {
        let mut noise = contents.clone();
        noise[1] = (0..length)
            .map(|_| {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (seed >> 24) as u8
            })
            .collect();
        let error = rewrite(&head, &noise).expect_err("noise");
        assert!(error.to_string().contains("toy-3.table, block 1"), "{error}");
    }
    for at in 0..head.len() {
        assert!(rewrite(&head[..at], &contents).is_err(), "head cut at {at}");
    }
}

#[test]
fn files_are_checked_block_by_block() {
    let (game, scratch) = (Tiny::new(Small), Scratch::new("table-check"));
    write(&game, &solved(&game, 2), &scratch.0, Metric::Dtw, 2);
    let checked = checksums(&scratch.0, 2);
    let blocks: u64 = classes(&game).map(|class| u64::from(game.size(class).div_ceil(100))).sum();
    assert_eq!((checked.files, checked.blocks, checked.damaged.len()), (4, blocks, 0));
    // The end of the first file, and the last block of the second.
    let after_blocks = 20 + 8 * game.size(1).div_ceil(100) as usize;
    for ((path, mut bytes), from_end) in files(&scratch.0).into_iter().zip([3, after_blocks + 1]) {
        let at = bytes.len() - from_end;
        bytes[at] ^= 1;
        fs::write(path, bytes).unwrap();
    }
    let damaged = checksums(&scratch.0, 2).damaged;
    assert_eq!(damaged.len(), 2, "{damaged:?}");
    assert!(damaged[0].to_string().contains("toy-0.table: the list of blocks"), "{damaged:?}");
    assert!(damaged[1].to_string().contains("toy-1.table, block "), "{damaged:?}");
}

#[test]
fn another_game_other_rules_and_missing_classes_are_told() {
    let (game, scratch) = (Arc::new(Tiny::new(Small)), Scratch::new("table-other"));
    let solution = solved(&*game, 2);
    let writer = TablebaseWriter::new(&scratch.0, id(), Metric::Dtw, 1);
    writer.write(&*game, 0, solution.class(0).unwrap(), &mut |_| true).unwrap();
    for (id, what) in [
        (TablebaseId { rules: 2, ..id() }, "rules is \"1\"; \"2\" is needed"),
        (TablebaseId { index: 3, ..id() }, "index is \"1\"; \"3\" is needed"),
        (TablebaseId { game: "chess".to_owned(), ..id() }, "no table of chess"),
    ] {
        let error = Tablebase::open(&scratch.0, Arc::clone(&game), &id).unwrap_err();
        assert!(error.to_string().contains(what), "{error}");
    }
    let other = Arc::new(Listed::new(Small::<4, 3, 2>));
    let error = open(&scratch.0, &other).unwrap_err();
    assert!(error.to_string().contains("size is "), "{error}");

    let table = open(&scratch.0, &game).unwrap();
    assert!(table.has(0) && !table.has(3));
    let error = table.probe(game.unrank(3, 0).unwrap()).unwrap_err();
    assert!(error.to_string().contains("class 3"), "{error}");
}

#[test]
fn what_is_no_solution_is_not_written() {
    let (game, scratch) = (Tiny::new(Small), Scratch::new("table-misfit"));
    let writer = TablebaseWriter::new(&scratch.0, id(), Metric::Dtw, 2).block(10);
    let refused = |change: &dyn Fn(&mut BoardValue), mate: bool| {
        let solution = solved(&game, 2);
        let right = solution.class(1).unwrap();
        let mut values = ClassValues::new(right.len()).unwrap();
        values.first.copy_from_slice(&right.first);
        values.mv.copy_from_slice(&right.mv);
        values.second.copy_from_slice(&right.second);
        let metric = |index: &u32| game.unrank(1, *index).is_some_and(|board| game.wins_in_one(board) == mate);
        let at = (0..game.size(1)).filter(metric).nth(7).unwrap() as usize;
        let mut value = values.get(at);
        change(&mut value);
        (values.first[at], values.mv[at], values.second[at]) = (value.first, value.mv, value.second);
        let error = writer.write(&game, 1, &values, &mut |_| true).unwrap_err();
        assert!(matches!(error, TablebaseError::InvalidValue { index, .. } if index as usize == at), "{error}");
        error.to_string()
    };
    assert!(refused(&|value| value.first = 0, true).contains("wins at once"));
    assert!(refused(&|value| value.first = 1, false).contains("does not win at once"));
    assert!(refused(&|value| (value.mv, value.second) = (126, 4), false).contains("taken back"));
    assert!(!scratch.0.exists(), "nothing is written");

    let solution = solved(&game, 2);
    let stopped = writer.write(&game, 0, solution.class(0).unwrap(), &mut |progress| progress.done < progress.total);
    assert!(matches!(stopped, Err(TablebaseError::Stopped)));
    assert_eq!(files(&scratch.0), []);
    let wrong = writer.write(&game, 0, solution.class(1).unwrap(), &mut |_| true);
    assert!(matches!(wrong, Err(TablebaseError::WrongSize { .. })));
}
