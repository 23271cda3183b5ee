//! Progress of a build: a bar with the remaining time on a terminal, and a line per layer for a log.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use tesuji_registry::TablebaseEvent;
use tesuji_report::grouped;
use tesuji_task::Progress;

use crate::out::Out;

/// Shows the events of a build.
pub(super) struct BuildProgress {
    game: &'static str,
    begun: Instant,
    cpu: ProcessTime,
    quiet: bool,
    bar: Option<ProgressBar>,
    /// The stage in progress, when this run began with it, and the values decided before.
    stage: Option<(usize, Instant, u64)>,
    depth: Option<u8>,
    /// The class that is being counted or written, and the tenth of it that was last logged.
    class: Option<(&'static str, String, u64)>,
    /// Whether the last checkpoint is older than the end.
    unsaved: bool,
}

impl BuildProgress {
    pub(super) fn new(game: &'static str, out: &Out) -> BuildProgress {
        let quiet = out.quiet();
        let style = ProgressStyle::with_template("{bar:30} {percent:>3} %  {msg}");
        let bar = (!quiet && stderr().is_terminal()).then(|| {
            let bar = ProgressBar::with_draw_target(Some(1000), ProgressDrawTarget::hidden());
            out.log().bars().add(bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar())))
        });
        let (begun, cpu) = (Instant::now(), ProcessTime::now());
        BuildProgress { game, begun, cpu, quiet, bar, stage: None, depth: None, class: None, unsaved: false }
    }

    /// The bar, for progress from other threads.
    pub(super) fn bar(&self) -> impl Fn(Progress<'_>) + Sync + use<> {
        let bar = self.bar.clone();
        move |step| {
            if let Some(bar) = &bar {
                bar.set_position(1000 * step.done / step.total.max(1));
            }
        }
    }

    /// Writes a line of the log.
    pub(super) fn log(&self, text: &str) {
        if self.quiet {
            return;
        }
        let (wall, cpu) = (self.begun.elapsed().as_secs_f64(), self.cpu.elapsed().as_secs_f64());
        let line = format!("[{wall:8.1} s, CPU {cpu:8.1} s] {text}");
        match &self.bar {
            Some(bar) => bar.suspend(|| eprintln!("{line}")),
            None => eprintln!("{line}"),
        }
    }

    /// Removes the bar.
    pub(super) fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn show(&self, part: f64, text: String) {
        if let Some(bar) = &self.bar {
            bar.set_position((1000.0 * part.clamp(0.0, 1.0)) as u64);
            bar.set_message(text);
        }
    }

    pub(super) fn event(&mut self, event: TablebaseEvent) {
        match event {
            TablebaseEvent::Started { directory, pieces: None, threads, .. } => self.log(&format!(
                "searching the distances of all boards of {} into {directory}: {threads} threads",
                self.game
            )),
            TablebaseEvent::Started { directory, pieces: Some(pieces), memory, threads } => {
                self.log(&format!(
                    "solving {} with {pieces} pieces into {directory}: {} MiB of memory, {threads} threads",
                    self.game,
                    memory >> 20
                ));
            }
            TablebaseEvent::Connected { process, processes, workers } => {
                let each = if workers == 1 { "a worker" } else { "workers" };
                let count = if workers == 1 { String::new() } else { format!("{workers} ") };
                self.log(&format!("process {process} of {processes} is connected, {count}{each} each"));
            }
            TablebaseEvent::PublishedBoards { boards } => {
                self.log(&format!("boards where another reply may be forbidden, or next to one: {boards}"));
            }
            TablebaseEvent::Warning { message } => self.log(&message),
            TablebaseEvent::StageSolved { pieces } => self.log(&format!("solved {pieces} pieces")),
            TablebaseEvent::Counting { class, done, total } => self.class("counting", class, done, total),
            TablebaseEvent::Counted { class, boards, nodes } => {
                let (boards, nodes) = (grouped(boards), grouped(nodes));
                self.log(&format!("counted {class}: {boards} boards, {nodes} nodes"));
            }
            TablebaseEvent::Writing { class, done, total } => self.class("writing", class, done, total),
            TablebaseEvent::Written { path, bytes, longest } => {
                self.class = None;
                self.log(&format!("wrote {path}: {} bytes, longest {longest} plies", grouped(bytes)));
            }
            TablebaseEvent::Searching { depth, moves } => {
                self.class = None;
                let text = format!("{depth} plies from the start, {} moves followed", grouped(moves));
                if self.depth.replace(depth) != Some(depth) {
                    self.log(&text);
                }
                self.show(0.0, text);
            }
            TablebaseEvent::Searched { deepest } => {
                self.log(&format!("distances found: {deepest} plies at most"));
            }
            TablebaseEvent::Unsaved => self.unsaved = true,
            solving @ TablebaseEvent::Solving { .. } => self.solving(solving),
        }
    }

    /// Progress of counting or writing a class: the bar, or a line for each tenth where there is none.
    fn class(&mut self, work: &'static str, class: String, done: u64, total: u64) {
        let tenth = 10 * done / total.max(1);
        let text = format!("{work} {class}");
        self.show(done as f64 / total.max(1) as f64, text.clone());
        let known = self.class.as_ref().filter(|(known, name, _)| *known == work && *name == class);
        if known.is_none_or(|(_, _, last)| *last < tenth) {
            if self.bar.is_none() && tenth < 10 {
                self.log(&format!("{text}: {} %", 10 * tenth));
            }
            self.class = Some((work, class, tenth));
        }
    }

    /// What is saved when the build ends here.
    pub(super) fn saved(&self) -> String {
        match &self.class {
            // It would have taken longer than a request to end allows.
            _ if self.unsaved => "what was done by the last checkpoint is saved".to_owned(),
            // No part of a file is kept.
            Some(("writing", class, _)) => {
                format!("what was done is saved except the file of {class}, which begins again")
            }
            _ => "what was done is saved".to_owned(),
        }
    }

    fn solving(&mut self, event: TablebaseEvent) {
        let TablebaseEvent::Solving { stage, stages, pieces, boards, layer, part, new_layer, moves, decided } = event
        else {
            return;
        };
        if self.stage.is_none_or(|(known, ..)| known != stage) {
            self.stage = Some((stage, Instant::now(), decided));
        }
        if new_layer {
            let (moves, decided) = (grouped(moves), grouped(decided));
            self.log(&format!("{pieces} pieces, layer {layer}: {moves} moves followed, {decided} values decided"));
        }
        // Boards with two values count twice, draws not at all: the sum is close to the number of boards.
        let done = decided as f64 / boards as f64;
        let left = self.stage.and_then(|(_, begun, before)| {
            let rate = decided.saturating_sub(before) as f64 / begun.elapsed().as_secs_f64();
            let seconds = boards.saturating_sub(decided) as f64 / rate;
            (layer > 1 && seconds.is_finite() && seconds < 1e7).then(|| Duration::from_secs_f64(seconds))
        });
        let left = left.map_or(String::new(), |left| format!(", about {} left", HumanDuration(left)));
        let stage = format!("stage {} of {stages} ({pieces} pieces)", stage + 1);
        match layer {
            0 => self.show(0.0, format!("{stage}: looking at all boards, {:.0} %", 100.0 * part)),
            _ => self.show(done, format!("{stage}, layer {layer}{left}")),
        }
    }
}
