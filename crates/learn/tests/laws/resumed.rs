//! A training that is stopped, however often, ends with the weights of one that is not.

use std::fs;
use std::sync::atomic::{AtomicU32, Ordering};

use tesuji_learn::{Control, News, Plan, TrainError, Weights, train};

use crate::scratch::Scratch;
use crate::toy::{Coins, Toy, games};
use crate::training::{plan, trained};

fn short() -> Plan {
    Plan { iterations: 6, smooth: 0.3, ridge: 1.0, ..plan() }
}

/// Goes on with what lies in the folder, and stops after so many steps.
fn part(
    samples: &tesuji_learn::Samples<Coins>,
    plan: &Plan,
    folder: &std::path::Path,
    steps: u32,
) -> Result<Option<Vec<tesuji_learn::Stage>>, TrainError> {
    let made = AtomicU32::new(0);
    let watch = |_: News| match made.fetch_add(1, Ordering::Relaxed) + 1 {
        step if step >= steps => Control::Stop,
        step if step % 2 == 0 => Control::Checkpoint,
        _ => Control::Continue,
    };
    train(&Toy, samples, &Weights::zero(&Toy), plan, 2, Some(folder), &watch)
}

#[test]
fn stopping_changes_nothing() {
    let samples = games(200, 100, 21);
    let whole = trained(&samples, &short(), 1);
    for steps in [1, 2, 3, 5, 9] {
        let folder = Scratch::new();
        let mut runs = 0;
        let resumed = loop {
            runs += 1;
            assert!(runs < 100, "it should be done by now");
            if let Some(done) = part(&samples, &short(), &folder.path("work"), steps).unwrap() {
                break done;
            }
        };
        assert_eq!(resumed, whole, "stopped every {steps} steps");
        assert!(runs > 24 / (steps + 1), "it was stopped {runs} times");
    }
}

#[test]
fn another_training_in_the_same_place_is_refused() {
    let folder = Scratch::new();
    let work = folder.path("work");
    let samples = games(50, 100, 22);
    assert!(part(&samples, &short(), &work, 1).unwrap().is_none());
    let other = Plan { ridge: 2.0, ..short() };
    let message = part(&samples, &other, &work, 1).unwrap_err().to_string();
    assert!(message.contains("unfinished training with other data or settings"), "{message}");
    let message = part(&games(50, 100, 23), &short(), &work, 1).unwrap_err().to_string();
    assert!(message.contains("unfinished training"), "{message}");
}

#[test]
fn a_damaged_state_is_not_gone_on_with() {
    let folder = Scratch::new();
    let work = folder.path("work");
    let samples = games(50, 100, 24);
    assert!(part(&samples, &short(), &work, 1).unwrap().is_none());
    let state = fs::read_dir(&work).unwrap().next().unwrap().unwrap().path();
    let mut bytes = fs::read(&state).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&state, bytes).unwrap();
    let message = part(&samples, &short(), &work, 100).unwrap_err().to_string();
    assert!(message.contains(&*state.to_string_lossy()) && message.contains("remove it"), "{message}");
    fs::remove_file(&state).unwrap();
    assert_eq!(part(&samples, &short(), &work, 1000).unwrap(), Some(trained(&samples, &short(), 1)));
}
