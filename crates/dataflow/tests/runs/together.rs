//! Several processes, here as threads with connections of their own: what they write, and when they do not fit.

use std::fs;
use std::thread;

use super::*;

#[test]
fn processes_write_the_files_of_one() {
    let game = push();
    let right = alone(&game, START, Metric::Dtw);
    for (processes, workers) in [(2, 1), (3, 2), (4, 1)] {
        let (scratch, hosts) = (tempfile::tempdir().expect("a directory"), hosts(processes));
        // The last process has a directory of its own, as on another machine.
        let other = tempfile::tempdir().expect("a directory");
        thread::scope(|scope| {
            for number in 0..processes {
                let dir = if number + 1 < processes { scratch.path() } else { other.path() };
                let (job, game) = (job(dir, process(number, processes, &hosts, workers), 11), &game);
                scope.spawn(move || {
                    let built = build(game, START, &job, &mut |_| Control::Checkpoint).expect("nothing goes wrong");
                    assert!(matches!(built, DataflowResult::Done(found) if found.is_some() == (number == 0)));
                });
            }
        });
        assert!(files(scratch.path()) == right, "{processes} processes");
        assert!(files(other.path()).is_empty(), "the table is at process 0");
    }
}

/// What two processes say when they are not started alike.
fn disagree(change: impl Fn(DataflowJob) -> DataflowJob + Sync) -> [DataflowError; 2] {
    let (game, scratch, hosts) = (push(), tempfile::tempdir().expect("a directory"), hosts(2));
    thread::scope(|scope| {
        let run = |number: usize| {
            let job = job(scratch.path(), process(number, 2, &hosts, 1), 11);
            let job = if number == 1 { change(job) } else { job };
            let game = &game;
            scope.spawn(move || build(game, START, &job, &mut |_| Control::Continue).expect_err("they differ"))
        };
        [run(0), run(1)].map(|handle| handle.join().expect("no panic"))
    })
}

#[test]
fn processes_that_do_not_fit_say_so() {
    let errors = disagree(|job| DataflowJob { stages: 1, ..job });
    for (number, error) in errors.iter().enumerate() {
        assert!(matches!(error, DataflowError::Other { process, .. } if *process == 1 - number), "{error:?}");
        assert!(error.to_string().contains("start all with the same options"), "{error}");
    }
    let errors = disagree(|job| DataflowJob { id: TablebaseId { rules: 2, ..id() }, ..job });
    assert!(errors.iter().all(|error| error.to_string().contains("rules 2")), "{errors:?}");
}

#[test]
fn a_process_that_does_not_come_is_named() {
    let (game, scratch, hosts) = (push(), tempfile::tempdir().expect("a directory"), hosts(3));
    let cluster = Cluster::new(1, 3, &hosts, 1, Duration::ZERO).expect("a cluster");
    let error = build(&game, START, &job(scratch.path(), cluster, 11), &mut |_| Control::Continue);
    let error = error.expect_err("nobody is there");
    assert!(matches!(error, DataflowError::Absent { process: 0, .. }), "{error:?}");
    assert!(error.to_string().contains(hosts.lines().next().expect("a line")), "{error}");
}

#[test]
fn unfinished_work_is_gone_on_with_only_as_it_was_divided() {
    let (game, scratch) = (push(), tempfile::tempdir().expect("a directory"));
    let stop = |count: usize| {
        let mut calls = 0;
        build(&game, START, &job(scratch.path(), workers(count), 11), &mut |event| {
            calls += usize::from(matches!(event, DataflowEvent::Solving(_)));
            if calls > 3 { Control::Stop } else { Control::Checkpoint }
        })
    };
    assert!(matches!(stop(2), Ok(DataflowResult::Stopped)));
    let error = stop(3).expect_err("another division").to_string();
    assert!(error.contains("the unfinished work of 2 workers") && error.contains("go on with 2 workers"), "{error}");
    let ordinary = BuildJob {
        dir: scratch.path().to_owned(),
        id: id(),
        metric: Metric::Dtw,
        stages: usize::MAX,
        distances: false,
        threads: 1,
        memory: 1 << 32,
        cancel: CancelToken::new(),
    };
    let error = tesuji_solve::tablebase::build::build(&game, START, &ordinary, &mut |_| panic!("it began"));
    assert!(error.expect_err("shares").to_string().contains("of several processes"));
    // One damaged snapshot of one worker: all go on with the round before, or with this one if it is the older.
    let share = work_dir(scratch.path()).join("share-1-of-2");
    let path = fs::read_dir(&share).expect("a directory").map(|entry| entry.expect("an entry").path());
    let path = path.filter(|path| path.to_string_lossy().contains(".cells.")).max().expect("a snapshot");
    let mut bytes = fs::read(&path).expect("a file");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, bytes).expect("a file");
    finish(&game, START, &job(scratch.path(), workers(2), 11));
    assert!(files(scratch.path()) == alone(&game, START, Metric::Dtw));
    // Too little memory is told before anything begins.
    let small = DataflowJob { memory: 1 << 20, ..job(scratch.path(), workers(2), 11) };
    let error = build(&game, START, &small, &mut |_| panic!("it began")).expect_err("no memory");
    assert!(error.to_string().contains("may use 1 MiB"), "{error}");
}
