//! Real processes, of which one is killed: the others end at once and say which, and the same command goes on.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use super::*;

/// The job of a child process: its number, the number of processes, and the directory; the addresses follow.
const RUN: &str = "TESUJI_DATAFLOW_RUN";

/// In a child process one process of a run, which saves a checkpoint in every round and says so; otherwise a run alone.
#[test]
fn a_process_of_a_run() {
    let Ok(run) = std::env::var(RUN) else {
        let scratch = tempfile::tempdir().expect("a directory");
        finish(&push(), START, &job(scratch.path(), workers(1), 11));
        return is_right(&push(), scratch.path());
    };
    let mut lines = run.splitn(4, '\n');
    let mut next = || lines.next().expect("four lines");
    let (number, processes) = (next().parse().expect("a number"), next().parse().expect("a number"));
    let (dir, hosts) = (next(), next());
    let built = build(&push(), START, &job(Path::new(dir), process(number, processes, hosts, 1), 11), &mut |event| {
        if !matches!(event, DataflowEvent::Waiting) {
            println!("event");
        }
        Control::Checkpoint
    });
    if let Err(error) = built {
        println!("failed: {error}");
        std::process::exit(1);
    }
}

const PROCESSES: usize = 3;

fn start(number: usize, dir: &Path, hosts: &str) -> Child {
    let mut command = Command::new(std::env::current_exe().expect("this test"));
    command.args(["--exact", "killed::a_process_of_a_run", "--nocapture"]);
    command.env(RUN, format!("{number}\n{PROCESSES}\n{}\n{hosts}", dir.display()));
    command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("a process")
}

#[test]
fn whichever_process_is_killed_the_others_say_so_and_the_files_are_the_same() {
    let (scratch, hosts) = (tempfile::tempdir().expect("a directory"), hosts(PROCESSES));
    let (mut kills, mut named) = (0, 0);
    // Later each time, in every process in turn.
    for run in 0.. {
        assert!(run < 60, "it does not go on");
        let (victim, events) = (run % PROCESSES, 2 + 5 * (run / 2));
        let mut children: Vec<Child> = (0..PROCESSES).map(|number| start(number, scratch.path(), &hosts)).collect();
        let output = children[victim].stdout.take().expect("a pipe");
        let seen = BufReader::new(output).lines().map_while(Result::ok).filter(|line| line.contains("event"));
        // The pipe stays open until the process is killed: it must not fail by itself.
        let is_alive = seen.take(events).count() == events;
        if is_alive {
            children[victim].kill().expect("a process");
        }
        let outcomes: Vec<_> = children.into_iter().map(|child| child.wait_with_output().expect("a process")).collect();
        if outcomes[victim].status.success() {
            break;
        }
        assert!(is_alive, "process {victim} failed by itself");
        kills += 1;
        for (number, outcome) in outcomes.iter().enumerate().filter(|(number, _)| *number != victim) {
            let text = String::from_utf8_lossy(&outcome.stdout);
            // Killed at the very end, it may not be missed any more.
            let told = text.contains("failed: process ") && text.contains(" is lost");
            assert!(told || outcome.status.success(), "process {number} of a run without {victim}: {text}");
            named += usize::from(text.contains(&format!("process {victim} at")));
        }
    }
    // A slow machine may notice the end of the second process first.
    assert!(kills > 8 && named > kills, "{kills} kills, {named} messages with the killed process");
    assert!(files(scratch.path()) == alone(&push(), START, Metric::Dtw));
}
