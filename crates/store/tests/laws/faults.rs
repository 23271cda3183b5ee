//! Power cuts, errors and full disks between any two steps.

use std::io::{self, ErrorKind};
use std::path::Path;

use tesuji_store::disk::Disk;
use tesuji_store::{Journal, StoreError, journal, save_on};

use crate::model::{DiskFault, SimulatedDisk};

const FILE: &str = "dir/a.bin";
const OLD: &[u8] = b"what was there";
const NEW: &[u8] = b"what shall be there, and longer";

/// A way to replace the content of a file.
type Saver = fn(&SimulatedDisk, &Path, &[u8]) -> bool;

/// The first broken promise of a saver, over all power cuts and all that they may leave.
fn broken_promise(saver: Saver, before: Option<&[u8]>) -> Option<String> {
    for step in 0.. {
        let disk = SimulatedDisk::with(&before.map(|bytes| (FILE, bytes)).into_iter().collect::<Vec<_>>());
        disk.break_at(step, DiskFault::Cut);
        let saved = saver(&disk, Path::new(FILE), NEW);
        for world in disk.after_power_cut() {
            let found = world.content(FILE);
            let whole = found.as_deref() == Some(NEW) || !saved && found.as_deref() == before;
            if !whole {
                return Some(format!("cut at step {step}, said {saved}: {found:?}"));
            }
            // The next run saves as if nothing had been, and leaves nothing behind.
            if !saver(&world, Path::new(FILE), b"next") || world.content(FILE).unwrap() != b"next" {
                return Some(format!("cut at step {step}: the next save fails"));
            }
            if world.paths() != [FILE] {
                return Some(format!("cut at step {step}: {:?} is left", world.paths()));
            }
        }
        if !disk.reached() {
            return None;
        }
    }
    None
}

#[test]
fn a_saved_file_is_whole_or_absent_after_every_power_cut() {
    let saver: Saver = |disk, path, bytes| save_on(disk, path, bytes).is_ok();
    assert_eq!(broken_promise(saver, Some(OLD)), None);
    assert_eq!(broken_promise(saver, None), None);
    assert_eq!(broken_promise(saver, Some(b"")), None);
}

/// The simulation can fail: it detects every save that skips a step.
#[test]
fn savers_that_leave_out_a_step_are_found_out() {
    fn steps(disk: &SimulatedDisk, path: &Path, bytes: &[u8], sync: bool, sync_names: bool) -> io::Result<()> {
        let temporary = path.with_extension("tmp");
        let _ = disk.remove(&temporary);
        let mut file = disk.create(&temporary)?;
        file.append(bytes)?;
        if sync {
            file.sync()?;
        }
        disk.rename(&temporary, path)?;
        if sync_names { disk.sync_names(Path::new("dir")) } else { Ok(()) }
    }
    let whole: Saver = |disk, path, bytes| steps(disk, path, bytes, true, true).is_ok();
    let no_sync: Saver = |disk, path, bytes| steps(disk, path, bytes, false, true).is_ok();
    let no_names: Saver = |disk, path, bytes| steps(disk, path, bytes, true, false).is_ok();
    let in_place: Saver = |disk, path, bytes| {
        let write = || {
            let mut file = disk.open(path).or_else(|_| disk.create(path))?;
            file.truncate(0)?;
            file.append(bytes)?;
            file.sync()?;
            disk.sync_names(Path::new("dir"))
        };
        write().is_ok()
    };
    assert_eq!(broken_promise(whole, Some(OLD)), None);
    assert!(broken_promise(no_sync, Some(OLD)).is_some());
    assert!(broken_promise(no_names, Some(OLD)).is_some());
    assert!(broken_promise(in_place, Some(OLD)).is_some());
}

#[test]
fn a_save_that_fails_leaves_the_old_file_and_nothing_else() {
    for fault in [DiskFault::Refuse, DiskFault::Full] {
        for step in 0.. {
            let disk = SimulatedDisk::with(&[(FILE, OLD)]);
            disk.break_at(step, fault);
            let saved = save_on(&disk, Path::new(FILE), NEW);
            let found = disk.content(FILE).unwrap();
            match &saved {
                Ok(()) => assert_eq!(found, NEW),
                Err(error) => {
                    assert_eq!(error.path(), Path::new(FILE));
                    assert!(error.to_string().contains(FILE), "{error}");
                    assert!(found == OLD || found == NEW && error.to_string().contains("directory"), "{error}");
                }
            }
            assert_eq!(disk.paths(), [FILE], "{fault:?} at step {step}");
            disk.mend();
            save_on(&disk, Path::new(FILE), NEW).unwrap();
            if saved.is_ok() {
                break;
            }
        }
    }
}

#[test]
fn a_full_disk_says_so() {
    let disk = SimulatedDisk::with(&[(FILE, OLD)]);
    disk.break_at(0, DiskFault::Full);
    let Err(StoreError::Io { source, .. }) = save_on(&disk, Path::new(FILE), NEW) else { panic!("no room") };
    assert_eq!(source.kind(), ErrorKind::StorageFull);
}

const JOURNAL: &str = "dir/journal";

fn events() -> Vec<String> {
    let long: String = (0..300).map(|number| format!("{number},")).collect();
    vec!["one".into(), "two, a bit longer".into(), long, "four".into()]
}

/// Creates the journal, or opens it where a run before has left it, and appends what is missing; returns how many
/// events it holds for sure, or `None` when there may be no journal yet.
fn run(disk: &SimulatedDisk, events: &[String]) -> Option<usize> {
    let path = Path::new(JOURNAL);
    let (mut journal, found) = match disk.content(JOURNAL) {
        None => (Journal::create_on(disk, path, "test").ok()?, Vec::new()),
        Some(_) => Journal::open_on(disk, path, "test").ok()?,
    };
    assert!(found.len() <= events.len() && found == events[..found.len()], "{found:?}");
    let mut sure = found.len();
    for event in &events[sure..] {
        if journal.append(event).is_err() {
            break;
        }
        sure += 1;
    }
    Some(sure)
}

#[test]
fn acknowledged_events_survive_every_power_cut_also_one_during_recovery() {
    let events = events();
    for step in 0.. {
        let disk = SimulatedDisk::default();
        disk.break_at(step, DiskFault::Cut);
        let sure = run(&disk, &events);
        for world in disk.after_power_cut() {
            for second in 0..4 {
                let world = world.again();
                world.break_at(second, DiskFault::Cut);
                let surer = run(&world, &events);
                // A journal that was there for sure can be opened, unless the power goes again.
                assert!(surer.is_some() || world.reached(), "cut at step {step}");
                assert!(surer.is_none() || surer >= sure, "cut at step {step}: {sure:?} became {surer:?}");
                for last in world.after_power_cut() {
                    let mended = run(&last, &events);
                    assert_eq!(mended, Some(events.len()), "cuts at steps {step} and {second}");
                    let reading = journal::read_on(&last, Path::new(JOURNAL), "test").unwrap();
                    assert_eq!((reading.lines, reading.torn), (events.clone(), false));
                }
            }
            if let Some(sure) = sure {
                let reading = journal::read_on(&world, Path::new(JOURNAL), "test").unwrap();
                assert!(reading.lines.len() >= sure && reading.lines.len() <= sure + 1);
                assert_eq!(reading.lines, events[..reading.lines.len()], "cut at step {step}");
            }
        }
        if !disk.reached() {
            assert_eq!(sure, Some(events.len()));
            break;
        }
    }
}

#[test]
fn what_a_run_takes_over_from_a_killed_one_survives_a_power_cut() {
    let events = events();
    for step in 0.. {
        let disk = SimulatedDisk::default();
        disk.break_at(step, DiskFault::Cut);
        run(&disk, &events);
        let next = disk.after_kill();
        assert_eq!(run(&next, &events), Some(events.len()), "killed at step {step}");
        for world in next.after_power_cut() {
            let reading = journal::read_on(&world, Path::new(JOURNAL), "test").unwrap();
            assert_eq!((reading.lines, reading.torn), (events.clone(), false), "killed at step {step}");
        }
        if !disk.reached() {
            break;
        }
    }
}

#[test]
fn after_a_failed_sync_only_opening_again_helps() {
    let disk = SimulatedDisk::default();
    let mut journal = Journal::create_on(&disk, Path::new(JOURNAL), "test").unwrap();
    disk.break_at(1, DiskFault::Refuse);
    assert!(matches!(journal.append("lost"), Err(StoreError::Io { doing: "sync", .. })));
    assert!(matches!(journal.append("refused"), Err(StoreError::Broken { .. })));
    drop(journal);
    let (mut journal, lines) = Journal::open_on(&disk, Path::new(JOURNAL), "test").unwrap();
    assert!(lines.is_empty());
    journal.append("kept").unwrap();
}

#[test]
fn a_failed_append_does_not_count_and_the_journal_goes_on_or_says_why_not() {
    let events = events();
    for fault in [DiskFault::Refuse, DiskFault::Full] {
        for step in 0..6 {
            let disk = SimulatedDisk::default();
            let mut journal = Journal::create_on(&disk, Path::new(JOURNAL), "test").unwrap();
            journal.append(&events[0]).unwrap();
            disk.break_at(step, fault);
            let mut kept = vec![events[0].clone()];
            for event in &events[1..] {
                if journal.append(event).is_ok() {
                    kept.push(event.clone());
                }
            }
            disk.mend();
            match journal.append("after") {
                Ok(()) => kept.push("after".into()),
                Err(error) => assert!(matches!(error, StoreError::Broken { .. }), "{error}"),
            }
            drop(journal);
            let (_, lines) = Journal::open_on(&disk, Path::new(JOURNAL), "test").unwrap();
            assert_eq!(lines, kept, "{fault:?} at step {step}");
        }
    }
}

#[test]
fn a_full_disk_is_survived_by_the_same_journal() {
    let disk = SimulatedDisk::default();
    let mut journal = Journal::create_on(&disk, Path::new(JOURNAL), "test").unwrap();
    journal.append("before").unwrap();
    disk.break_at(0, DiskFault::Full);
    for _ in 0..3 {
        assert!(matches!(journal.append("too much"), Err(StoreError::Io { .. })));
    }
    disk.mend();
    journal.append("after").unwrap();
    let reading = journal::read_on(&disk, Path::new(JOURNAL), "test").unwrap();
    assert_eq!(reading.lines, ["before", "after"]);
}

#[test]
fn a_journal_that_cannot_be_begun_is_not_in_the_way() {
    for step in 0..4 {
        let disk = SimulatedDisk::default();
        disk.break_at(step, DiskFault::Refuse);
        let begun = Journal::create_on(&disk, Path::new(JOURNAL), "test").is_ok();
        disk.mend();
        assert_eq!(disk.paths().is_empty(), !begun, "step {step}");
    }
}
