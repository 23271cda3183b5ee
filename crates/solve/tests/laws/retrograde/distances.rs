//! Distances on disk equal those of the search or give an error, and verification finds every corruption.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tesuji_game::{NO_MOVE, PerfectIndex, Successor};
use tesuji_solve::reachability::{
    Distance, DistanceInfo, DistanceMap, DistanceTable, UNREACHED, search, statistics, verify, write, write_in_blocks,
};
use tesuji_solve::retrograde::Control;
use tesuji_solve::tablebase::{TablebaseError, TablebaseId};
use tesuji_store::blocks::{BlockFile, write_on};
use tesuji_store::disk::Os;
use tesuji_task::CancelToken;

use super::checkpoints::{Scratch, checksums};
use super::classes;
use super::noughts::Noughts;
use super::small::{Cells, Small};
use super::toy::{Listed, Toy};

type Tiny = Listed<Small<3, 3, 2>>;
const START: Cells = [2, 2, 0, 0, 3, 0, 0, 1, 1, 0, 0, 0];

fn id() -> TablebaseId {
    TablebaseId { game: "toy".to_owned(), rules: 1, index: 1 }
}

fn found<G: PerfectIndex>(game: &G, start: G::Board) -> DistanceMap {
    search(game, start, 2, None, &CancelToken::new(), &mut |_, _| Control::Continue).unwrap().unwrap()
}

fn written<G: PerfectIndex>(game: &G, reached: &DistanceMap, dir: &Path, threads: usize) -> Vec<DistanceInfo> {
    write_in_blocks(game, reached, dir, &id(), (threads, 100), &mut |_| true).unwrap()
}

fn open<T: Toy + Send>(dir: &Path, game: &Arc<Listed<T>>) -> Result<Option<DistanceTable<Listed<T>>>, TablebaseError> {
    DistanceTable::open(dir, Arc::clone(game), &id())
}

fn files(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found: Vec<PathBuf> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found.into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

/// All indices of a game.
fn numbers<G: PerfectIndex>(game: &G) -> impl Iterator<Item = (u8, u32)> + '_ {
    classes(game).flat_map(|class| (0..game.size(class)).map(move |index| (class, index)))
}

fn whole<T: Toy + Send>(toy: T, start: T::Board, name: &str) {
    let (game, scratch) = (Arc::new(Listed::new(toy)), Scratch::new(name));
    assert!(open(&scratch.0, &game).unwrap().is_none());
    let reached = found(&*game, start);
    let mut facts = written(&*game, &reached, &scratch.0, 2);
    facts.sort_by_key(|facts| facts.class);
    let distances = open(&scratch.0, &game).unwrap().unwrap();
    assert_eq!(distances.farthest(2, &|_| true).unwrap(), reached.farthest(&*game, 1, &CancelToken::new()));
    assert_eq!(distances.farthest(2, &|_| false).unwrap(), None);
    assert_eq!(distances.info().cloned().collect::<Vec<_>>(), facts);
    assert_eq!(distances.start(), reached.start());

    // Every image of every board, with every possible forbidden move.
    for (class, index) in numbers(&*game) {
        let said = reached.get(class, index);
        assert_eq!(distances.get(class, index).unwrap(), said);
        let Some(board) = game.unrank(class, index) else { continue };
        for symmetry in 0..game.toy.symmetries() {
            let board = game.toy.image(board, symmetry);
            let plies = (said.first != UNREACHED).then_some(said.first);
            assert_eq!(distances.plies(board).unwrap(), plies, "{board:?}");
            let mut moves = vec![NO_MOVE];
            game.successors(board, |mv, step| {
                moves.extend(matches!(step, Successor::Board(..)).then_some(mv));
            });
            let with = |mv: u8| distances.plies_with(board, mv).unwrap();
            for &mv in &moves {
                assert_eq!(with(mv), reached.depth(&*game, board, mv), "{board:?}, {mv} forbidden");
            }
            assert_eq!(moves.into_iter().filter_map(with).min(), plies, "{board:?}");
        }
    }

    let count = statistics(&*game, &reached, 2, &CancelToken::new()).unwrap();
    assert_eq!(facts.iter().map(|facts| facts.unreached).sum::<u64>(), count.unreached);
    assert_eq!(facts.iter().map(|facts| usize::from(facts.deepest)).max(), Some(count.boards.len() - 1));
    for facts in facts {
        let size = fs::metadata(&facts.path).unwrap().len();
        assert_eq!((facts.boards, facts.bytes), (u64::from(facts.size) - 1, size));
        assert!(facts.never <= facts.exceptions);
        let said = (0..facts.size).map(|index| reached.get(facts.class, index));
        assert_eq!(said.filter(|said| said.mv != NO_MOVE).count() as u64, facts.exceptions);
    }

    // Everything loads unchanged and passes verification.
    for threads in [1, 3] {
        let loaded = distances.load(threads, &CancelToken::new()).unwrap();
        assert!(numbers(&*game).all(|(class, index)| loaded.get(class, index) == reached.get(class, index)));
        let (boards, wrong) = verify(&*game, start, &loaded, threads, &|_| true).unwrap();
        assert_eq!((boards, &wrong[..]), (count.unreached + count.boards.iter().sum::<u64>(), &[][..]));
    }
}

#[test]
fn distances_on_disk_are_those_of_the_search() {
    whole(Small::<3, 3, 2>, START, "reach-small");
    whole(Small::<3, 3, 3>, [2, 2, 2, 0, 3, 0, 1, 1, 1, 0, 0, 0], "reach-symmetric");
    whole(Small::<4, 3, 2>, [2, 2, 0, 0, 0, 3, 0, 0, 0, 0, 1, 1], "reach-oblong");
    whole(Noughts, [0; 9], "reach-noughts");
}

#[test]
fn threads_do_not_change_a_byte() {
    let game = Tiny::new(Small);
    let reached = found(&game, START);
    let bytes = |threads: usize| {
        let scratch = Scratch::new(&format!("reach-threads-{threads}"));
        written(&game, &reached, &scratch.0, threads);
        files(&scratch.0).into_iter().map(|(_, bytes)| bytes).collect::<Vec<_>>()
    };
    let one = bytes(1);
    assert!(one.len() == 4 && one.iter().all(|bytes| bytes.len() > 100));
    for threads in [2, 3, 7] {
        assert!(bytes(threads) == one, "{threads} threads");
    }
}

/// All distances of a class, or the first error.
fn everything(dir: &Path, game: &Arc<Tiny>, class: u8) -> Result<Vec<Distance>, TablebaseError> {
    let Some(distances) = open(dir, game)? else { return Ok(Vec::new()) };
    (0..game.size(class)).map(|index| distances.get(class, index)).collect()
}

#[test]
fn damage_is_an_error_that_names_the_file_and_never_another_answer() {
    let (game, scratch) = (Arc::new(Tiny::new(Small)), Scratch::new("reach-damaged"));
    let reached = found(&*game, START);
    let facts = write_in_blocks(&*game, &reached, &scratch.0, &id(), (2, 20), &mut |_| true).unwrap();
    let whole = fs::read(&facts[0].path).unwrap();
    let mut named = 0;
    for bit in 0..8 * whole.len() {
        let mut changed = whole.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        fs::write(&facts[0].path, changed).unwrap();
        let error = everything(&scratch.0, &game, 0).expect_err("a damaged file").to_string();
        assert!(error.contains("toy-0.reach"), "{error}");
        named += usize::from(error.contains("block "));
        if bit % 61 == 0 {
            let damaged = checksums(&scratch.0, 1).damaged;
            assert!(damaged.len() == 1 && damaged[0].to_string().contains("toy-0.reach"), "bit {bit}");
        }
    }
    assert!(named > 100, "{named} bits in blocks");
    for length in 0..whole.len() {
        fs::write(&facts[0].path, &whole[..length]).unwrap();
        let error = everything(&scratch.0, &game, 0).expect_err("a cut file");
        assert!(error.to_string().contains("toy-0.reach"), "{error}");
    }
    fs::remove_file(&facts[0].path).unwrap();
    let error = everything(&scratch.0, &game, 1).expect_err("a missing file");
    assert!(matches!(error, TablebaseError::MissingFile { .. }), "{error}");
}

#[test]
fn sums_that_fit_do_not_make_sense_of_nonsense() {
    let (game, scratch) = (Arc::new(Tiny::new(Small)), Scratch::new("reach-nonsense"));
    let facts = written(&*game, &found(&*game, START), &scratch.0, 2);
    let path = &facts[3].path;
    let blocks = BlockFile::open(path).unwrap();
    let head = blocks.head().to_vec();
    let contents: Vec<Vec<u8>> = (0..blocks.count()).map(|block| blocks.block(block).unwrap().to_vec()).collect();
    assert!(contents.len() > 3);
    let rewrite = |head: &[u8], contents: &[Vec<u8>]| {
        let mut file = write_on(&Os, path, head).unwrap();
        contents.iter().for_each(|block| file.append(block).unwrap());
        file.finish().unwrap();
        everything(&scratch.0, &game, 3).map(|_| ())
    };
    assert!(rewrite(&head, &contents).is_ok());
    assert!(matches!(rewrite(&head, &contents[1..]), Err(TablebaseError::InvalidHeader { .. })));
    for swap in 1..contents.len() {
        let mut swapped = contents.clone();
        swapped.swap(swap - 1, swap);
        assert!(matches!(rewrite(&head, &swapped), Err(TablebaseError::InvalidBlock { .. })), "blocks {swap}");
    }
    let text = String::from_utf8_lossy(&head).into_owned();
    let lines = &text[..text.find("\n\n").unwrap()];
    for line in lines.lines() {
        let (name, value) = line.split_once(' ').unwrap();
        // An invalid number, class or name.
        let spoilt = [name, " ?\n"].concat();
        let at = lines.find(line).unwrap();
        let changed = [&head[..at], spoilt.as_bytes(), &head[at + line.len() + 1..]].concat();
        let error = rewrite(&changed, &contents).expect_err(line).to_string();
        assert!(error.contains("toy-3.reach") && value != "?", "{line}: {error}");
    }
}

#[test]
fn other_games_other_starts_and_what_is_no_distance_are_told() {
    let (game, scratch) = (Arc::new(Tiny::new(Small)), Scratch::new("reach-other"));
    let mut reached = found(&*game, START);
    let facts = written(&*game, &reached, &scratch.0, 2);
    for (id, what) in [
        (TablebaseId { rules: 2, ..id() }, "rules is \"1\"; \"2\" is needed"),
        (TablebaseId { index: 3, ..id() }, "index is \"1\"; \"3\" is needed"),
    ] {
        let error = DistanceTable::open(&scratch.0, Arc::clone(&game), &id).unwrap_err();
        assert!(error.to_string().contains(what), "{error}");
    }
    let chess = TablebaseId { game: "chess".to_owned(), ..id() };
    assert!(DistanceTable::open(&scratch.0, Arc::clone(&game), &chess).unwrap().is_none());
    let oblong = Arc::new(Listed::new(Small::<4, 3, 2>));
    assert!(open(&scratch.0, &oblong).unwrap_err().to_string().contains("size is "));
    let mismatch = |error| matches!(error, TablebaseError::WrongSize { .. });
    assert!(mismatch(write(&*oblong, &reached, &scratch.0, &id(), 1, &mut |_| true).unwrap_err()));
    assert!(mismatch(verify(&*oblong, START, &reached, 1, &|_| true).unwrap_err()));

    // Files of two searches do not mix.
    let first = fs::read(&facts[0].path).unwrap();
    written(&*game, &found(&*game, [2, 0, 2, 0, 3, 0, 1, 0, 1, 0, 0, 0]), &scratch.0, 2);
    let others = files(&scratch.0);
    fs::write(&facts[0].path, first).unwrap();
    let error = open(&scratch.0, &game).unwrap_err().to_string();
    assert!(error.contains("toy-1.reach: start is "), "{error}");
    fs::write(&others[0].0, &others[0].1).unwrap();
    assert!(open(&scratch.0, &game).unwrap().is_some());

    // After a stop or an invalid value, existing files stay.
    let stopped = write(&*game, &reached, &scratch.0, &id(), 2, &mut |_| false);
    assert!(matches!(stopped, Err(TablebaseError::Stopped)));
    let (class, index) = numbers(&*game).find(|&(class, index)| reached.get(class, index).mv != NO_MOVE).unwrap();
    let right = reached.get(class, index);
    for (distance, what) in [
        (Distance { mv: 126, ..right }, "taken back"),
        (Distance { second: right.first, ..right }, "not after the first"),
        (Distance { mv: NO_MOVE, second: 9, ..right }, "a second time"),
        (Distance { first: UNREACHED, ..right }, "not reached"),
    ] {
        reached.set(class, index, distance);
        let error = write(&*game, &reached, &scratch.0, &id(), 2, &mut |_| true).unwrap_err();
        assert!(matches!(error, TablebaseError::InvalidValue { index: at, .. } if at == index), "{error}");
        assert!(error.to_string().contains(what), "{error}");
    }
    assert!(files(&scratch.0) == others);
}

#[test]
fn whatever_is_spoilt_is_found() {
    let game = Listed::new(Small::<3, 3, 3>);
    let start = [2, 2, 2, 0, 3, 0, 1, 1, 1, 0, 0, 0];
    let mut reached = found(&game, start);
    let everywhere = u64::from(classes(&game).map(|class| game.size(class) - 1).sum::<u32>());
    let all: Vec<(u8, u32)> = numbers(&game).collect();
    let mut seen = [0; 8];
    for (number, &(class, index)) in all.iter().enumerate() {
        let right = reached.get(class, index);
        let Distance { first, mv, second } = right;
        let mut other = NO_MOVE;
        if let Some(board) = game.unrank(class, index) {
            game.successors(board, |found, step| {
                if matches!(step, Successor::Board(_, reply) if reply != NO_MOVE) && found != mv {
                    other = found;
                }
            });
        }
        let kinds = [
            // Too early, too late, never; or reached and should not be.
            (first != UNREACHED && first > 0).then(|| Distance { first: first - 1, ..right }),
            (first != UNREACHED).then(|| Distance { first: first + 1, ..right }),
            (first != UNREACHED).then_some(Distance::NONE),
            (first == UNREACHED).then_some(Distance { first: 7, ..right }),
            // Another forbidden move, none, or one where there is none.
            (other != NO_MOVE).then_some(Distance { mv: other, ..right }),
            (mv != NO_MOVE).then_some(Distance { first, ..Distance::NONE }),
            // The second arrival too early, or never.
            (mv != NO_MOVE && second != UNREACHED).then(|| Distance { second: second - 1, ..right }),
            (mv != NO_MOVE)
                .then(|| Distance { second: if second == UNREACHED { first + 1 } else { UNREACHED }, ..right }),
        ];
        for (metric, spoilt) in kinds.into_iter().enumerate() {
            // A few of each kind: verifying all boards for each one is too slow.
            let Some(spoilt) = spoilt.filter(|_| seen[metric] < 6 || number % 997 == metric) else {
                continue;
            };
            reached.set(class, index, spoilt);
            let (boards, wrong) = verify(&game, start, &reached, 1 + metric % 2, &|_| true).unwrap();
            reached.set(class, index, right);
            assert_eq!(boards, everywhere);
            let found = wrong.iter().find(|wrong| (wrong.class, wrong.index) == (class, index));
            let found = found.unwrap_or_else(|| panic!("{spoilt:?} instead of {right:?}: {wrong:?}"));
            assert_eq!(found.stored, spoilt);
            seen[metric] += 1;
        }
    }
    assert!(seen.iter().all(|&times| times >= 6), "{seen:?}");
    // From another start everything is wrong; a stopped verification reports how far it came.
    let (_, wrong) = verify(&game, game.unrank(0, 0).unwrap(), &reached, 2, &|_| true).unwrap();
    assert!(wrong.len() >= 2, "{wrong:?}");
    let (boards, wrong) = verify(&game, start, &reached, 1, &|_| false).unwrap();
    assert!(boards < everywhere && boards > 0 && wrong.is_empty());
}
