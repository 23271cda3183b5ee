//! Standard output, checked and flushed line by line, and the progress bar on standard error.

use std::cell::OnceCell;
use std::fmt::{self, Display};
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use indicatif::{HumanDuration, MultiProgress, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use serde::Serialize;
use tesuji_registry::Error;
use tesuji_task::{CancelToken, Context};

use crate::args::GlobalOptions;
use crate::failure::{Done, Failure};
use crate::interrupt::Interrupt;
use crate::log::Log;

/// When to colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Even into a pipe.
    Always,
    /// Never.
    Never,
}

/// Where results go.
pub(crate) struct Out {
    to: BufWriter<Stdout>,
    /// Whether to use colours.
    pub(crate) colored: bool,
    quiet: bool,
    log: Log,
    /// Installed by the first operation that can be cancelled.
    interrupt: OnceCell<Interrupt>,
}

impl Out {
    pub(crate) fn new(options: &GlobalOptions) -> Out {
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let colored = match options.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => io::stdout().is_terminal() && !no_color && !dumb,
        };
        Out {
            to: BufWriter::new(io::stdout()),
            colored,
            quiet: options.quiet,
            log: Log::start(options.verbose),
            interrupt: OnceCell::new(),
        }
    }

    /// Whether no progress is to be shown.
    pub(crate) fn quiet(&self) -> bool {
        self.quiet
    }

    /// Writes a line and flushes it.
    pub(crate) fn line(&mut self, text: impl Display) -> Done {
        writeln!(self.to, "{text}")?;
        self.flush()
    }

    /// Writes bytes as they are.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Done {
        Ok(self.to.write_all(bytes)?)
    }

    /// Writes one JSON object of the schema `tesuji/<command>/<version>`.
    pub(crate) fn json(&mut self, command: &str, response: impl Serialize) -> Done {
        let schema = format!("tesuji/{command}/{}", version(command));
        let text = serde_json::to_string(&WithSchema { schema, response: &response });
        self.line(text.map_err(|error| Failure::Failed(error.to_string()))?)
    }

    /// Writes many JSON objects of the schema `tesuji/<command>/1`, and flushes once.
    pub(crate) fn json_lines<T: Serialize>(&mut self, command: &str, responses: &[T]) -> Done {
        let schema = format!("tesuji/{command}/1");
        for response in responses {
            let line = WithSchema { schema: schema.clone(), response };
            serde_json::to_writer(&mut self.to, &line).map_err(io::Error::from)?;
            self.to.write_all(b"\n")?;
        }
        self.flush()
    }

    /// The log, and the progress bars of the terminal.
    pub(crate) fn log(&self) -> &Log {
        &self.log
    }

    /// A token that Ctrl-C cancels.
    pub(crate) fn cancel_on_interrupt(&self) -> CancelToken {
        self.interrupt().token()
    }

    /// This command has nothing to save: it need not look for a request to end.
    pub(crate) fn end_at_once(&self) {
        self.interrupt.get_or_init(Interrupt::end_at_once);
    }

    /// The handler of Ctrl-C.
    pub(crate) fn interrupt(&self) -> &Interrupt {
        self.interrupt.get_or_init(Interrupt::install)
    }

    /// Runs an operation that Ctrl-C cancels, with a progress bar when it takes more than two seconds.
    pub(crate) fn operation<T>(
        &mut self,
        work: impl FnOnce(&mut Out, Context<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let cancel = self.cancel_on_interrupt();
        let progress = self.progress(0);
        let context = Context { cancel: &cancel, progress: &|step| progress.show(step) };
        let done = work(self, context);
        progress.done();
        done
    }

    /// Runs an operation that Ctrl-C cancels and writes its events. An event that cannot be written cancels it too.
    pub(crate) fn events<E, T>(
        &mut self,
        operation: impl FnOnce(Context<'_>, &mut dyn FnMut(E)) -> Result<T, Error>,
        mut write: impl FnMut(&mut Out, E) -> Done,
    ) -> Result<T, Failure> {
        let cancel = self.cancel_on_interrupt();
        let progress = self.progress(0);
        let context = Context { cancel: &cancel, progress: &|step| progress.show(step) };
        let mut written = Ok(());
        let result = operation(context, &mut |event| {
            if written.is_ok() {
                written = progress.aside(|| write(self, event));
            }
            if written.is_err() {
                context.cancel.cancel();
            }
        });
        progress.done();
        written?;
        Ok(result?)
    }

    pub(crate) fn flush(&mut self) -> Done {
        self.to.flush().map_err(Failure::from)
    }

    /// A progress bar on standard error, if that is a terminal and the work takes more than two seconds.
    pub(crate) fn progress(&self, steps: u64) -> Progress {
        let watched = io::stderr().is_terminal() && !self.quiet;
        let style = ProgressStyle::with_template("{bar:40} {percent:>3} %  {elapsed}{left}  {msg}")
            .unwrap_or_else(|_| ProgressStyle::default_bar())
            .with_key("left", |state: &ProgressState, to: &mut dyn fmt::Write| {
                // Before the first step there is no estimate.
                if state.pos() > 0 {
                    let _ = write!(to, ", about {:#} left", HumanDuration(state.eta()));
                }
            });
        let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::hidden()).with_style(style);
        Progress { bar, bars: watched.then(|| self.log.bars().clone()), begun: Instant::now() }
    }
}

/// Commands whose JSON has changed its shape since version 1.
const SECOND_VERSION: [&str; 4] = ["analyze", "connect", "show", "solve"];

/// The version of the JSON of a command.
fn version(command: &str) -> u32 {
    if SECOND_VERSION.contains(&command) { 2 } else { 1 }
}

/// A response with the name of its schema in front.
#[derive(Serialize)]
struct WithSchema<'a, T> {
    schema: String,
    #[serde(flatten)]
    response: &'a T,
}

/// How far the work has come.
pub(crate) struct Progress {
    bar: ProgressBar,
    /// Where the bar is shown, if somebody watches.
    bars: Option<MultiProgress>,
    begun: Instant,
}

impl Progress {
    /// Shows what an operation reports.
    fn show(&self, step: tesuji_task::Progress<'_>) {
        self.bar.set_length(step.total);
        self.at(step.done);
        if !step.note.is_empty() {
            self.note(step.note);
        }
    }

    /// The number of steps done.
    pub(crate) fn at(&self, steps: u64) {
        self.show_when_it_is_time();
        self.bar.set_position(steps);
    }

    /// A note beside the bar.
    pub(crate) fn note(&self, text: impl Display) {
        self.bar.set_message(text.to_string());
    }

    /// Hides the bar while something else is printed.
    pub(crate) fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        self.bar.suspend(work)
    }

    fn show_when_it_is_time(&self) {
        if let Some(bars) = &self.bars
            && self.bar.is_hidden()
            && self.begun.elapsed() > Duration::from_secs(2)
        {
            bars.add(self.bar.clone());
        }
    }

    /// Removes the bar.
    pub(crate) fn done(&self) {
        self.bar.finish_and_clear();
    }
}
