//! `tesuji solve ostle --published`: by the wider ko of the published solution, into a table of its own.

use std::sync::Arc;
use std::sync::Mutex;

use tesuji_game::Ranked;
use tesuji_ostle::{Index, Ostle, Published};
use tesuji_solve::table::Title;

use super::{solve, threads, title};
use crate::args;
use crate::failure::Done;
use crate::out::Out;

/// Numbers to a task.
const TASK: usize = 1 << 20;

pub(crate) fn run(args: &args::Solve, out: &mut Out) -> Done {
    let index = Index::new();
    let tasks: Vec<(u8, u32)> = (0..4)
        .flat_map(|class| (0..index.size(class)).step_by(TASK).map(move |start| (class, start)))
        .collect();
    let progress = out.progress(tasks.len() as u64);
    let (queue, odd) = (Mutex::new(tasks.into_iter()), Mutex::new(Vec::new()));
    let next = || queue.lock().ok().and_then(|mut queue| queue.next());
    std::thread::scope(|scope| {
        for _ in 0..threads(args) {
            scope.spawn(|| {
                while let Some((class, start)) = next() {
                    let end = start.saturating_add(TASK as u32).min(index.size(class));
                    let found = Published::odd(&index, class, start..end);
                    if let Ok(mut odd) = odd.lock() {
                        odd.extend(found);
                    }
                    progress.step();
                }
            });
        }
    });
    progress.done();
    let game = Published::new(index, odd.into_inner().unwrap_or_else(|broken| broken.into_inner()));
    if !out.quiet() {
        eprintln!("boards where another reply may be forbidden, or next to one: {}", game.differing());
    }
    let Title { game: name, rules, index } = title::<Ostle>();
    let title = Title { game: format!("{name}-published"), rules, index };
    solve::<Ostle, Published>(Arc::new(game), title, args, out)
}
