//! How far the solver is: a bar with the time left for whoever watches, a line for each layer for a log.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use tesuji_solve::retrograde::{Control, SolveProgress};
use tesuji_solve::tablebase::build::BuildEvent;

use super::summary::grouped;
use crate::args;

/// Tells what happens and says when to save and when to stop.
pub(crate) struct Teller {
    stages: &'static [&'static str],
    begun: Instant,
    cpu: ProcessTime,
    saved: Instant,
    every: Duration,
    limit: Option<Duration>,
    /// Nobody wants to know.
    quiet: bool,
    bar: Option<ProgressBar>,
    /// Where the work of this run on a stage began: moves followed and boards decided before.
    from: Option<(usize, Instant, u64)>,
    /// Wall and CPU seconds at the end of each stage.
    pub(super) stage_ends: Vec<(usize, f64, f64)>,
    depth: Option<u8>,
}

impl Teller {
    pub(super) fn new(args: &args::Solve, quiet: bool, stages: &'static [&'static str]) -> Teller {
        let style = ProgressStyle::with_template("{bar:30} {percent:>3} %  {msg}");
        let bar = (!quiet && stderr().is_terminal()).then(|| {
            ProgressBar::with_draw_target(Some(1000), ProgressDrawTarget::stderr())
                .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        Teller {
            stages,
            begun: Instant::now(),
            cpu: ProcessTime::now(),
            saved: Instant::now(),
            every: args.checkpoint,
            limit: args.time_limit,
            quiet,
            bar,
            from: None,
            stage_ends: Vec::new(),
            depth: None,
        }
    }

    /// Wall and CPU seconds since the run began.
    pub(super) fn seconds(&self) -> (f64, f64) {
        (self.begun.elapsed().as_secs_f64(), self.cpu.elapsed().as_secs_f64())
    }

    /// Says something for the log.
    pub(super) fn say(&self, text: &str) {
        if self.quiet {
            return;
        }
        let (wall, cpu) = self.seconds();
        let line = format!("[{wall:8.1} s, CPU {cpu:8.1} s] {text}");
        match &self.bar {
            Some(bar) => bar.suspend(|| eprintln!("{line}")),
            None => eprintln!("{line}"),
        }
    }

    /// The bar goes.
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

    /// Takes the news, and says what to do.
    pub(super) fn tell(&mut self, news: BuildEvent<'_>, stop: bool) -> Control {
        let mut can_save = false;
        match news {
            BuildEvent::Note(note) => self.say(&note),
            BuildEvent::Solving(report) => {
                can_save = true;
                self.solving(report);
            }
            BuildEvent::Solved { stage } => {
                let (wall, cpu) = self.seconds();
                self.stage_ends.push((stage, wall, cpu));
                self.say(&format!("solved {} pieces", self.stages[stage]));
            }
            BuildEvent::Counting { class, done, total } => {
                self.show(done as f64 / total as f64, format!("counting {class}"));
            }
            BuildEvent::Counted(found) => {
                let (boards, nodes) = (found.statistics.boards, found.statistics.nodes.iter().sum());
                let (boards, nodes) = (grouped(boards), grouped(nodes));
                self.say(&format!("counted {}: {boards} boards, {nodes} nodes", found.name));
            }
            BuildEvent::Writing { class, progress } => {
                self.show(progress.done as f64 / progress.total as f64, format!("writing {class}"));
            }
            BuildEvent::Wrote(facts) => {
                let (bytes, longest) = (grouped(facts.bytes), facts.longest);
                self.say(&format!("wrote {}: {bytes} bytes, longest {longest} plies", facts.path.display()));
            }
            BuildEvent::Reaching { depth, moves } => {
                can_save = true;
                if self.depth.replace(depth) != Some(depth) {
                    self.say(&format!("{depth} plies from the start, {} moves followed", grouped(moves)));
                }
                self.show(0.0, format!("{depth} plies from the start, {} moves followed", grouped(moves)));
            }
            BuildEvent::Reached(census) => {
                self.say(&format!("reached: {} plies at most", census.boards.len().saturating_sub(1)));
            }
        }
        if stop || self.limit.is_some_and(|limit| self.begun.elapsed() >= limit) {
            return Control::Stop;
        }
        if !can_save || self.saved.elapsed() < self.every {
            return Control::Continue;
        }
        self.saved = Instant::now();
        Control::Checkpoint
    }

    fn solving(&mut self, report: &SolveProgress) {
        let SolveProgress { stage, boards, layer, part, new_layer, edges, decided } = *report;
        if self.from.is_none_or(|(known, ..)| known != stage) {
            self.from = Some((stage, Instant::now(), decided));
        }
        let (pieces, count) = (self.stages[stage], self.stages.len());
        if new_layer {
            let (edges, decided) = (grouped(edges), grouped(decided));
            self.say(&format!(
                "{pieces} pieces, layer {layer}: {edges} moves followed, {decided} values decided"
            ));
        }
        // Boards with two values count twice, draws not at all: the sum is not far from the number of boards.
        let done = decided as f64 / boards as f64;
        let left = self.from.and_then(|(_, begun, before)| {
            let rate = decided.saturating_sub(before) as f64 / begun.elapsed().as_secs_f64();
            let seconds = boards.saturating_sub(decided) as f64 / rate;
            (layer > 1 && seconds.is_finite() && seconds < 1e7).then(|| Duration::from_secs_f64(seconds))
        });
        let left = left.map_or(String::new(), |left| format!(", about {} left", HumanDuration(left)));
        let stage = stage + 1;
        let text = if layer == 0 {
            format!(
                "stage {stage} of {count} ({pieces} pieces): looking at all boards, {:.0} %",
                100.0 * part
            )
        } else {
            format!("stage {stage} of {count} ({pieces} pieces), layer {layer}{left}")
        };
        self.show(if layer == 0 { 0.0 } else { done }, text);
    }
}
