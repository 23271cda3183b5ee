//! The book-building job: positions from records and self-play, then expansion, with checkpoints and a time limit.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tesuji_game::{ParsedRecord, counted};
use tesuji_learn::JobError;
use tesuji_store::save;
use tesuji_task::{CheckpointSchedule, Context, cores, for_each};

use super::{Book, BookExpander, BookGame, BookSelfPlay, ExpansionConfig, PositionCounts};
use crate::corpus::{Corpus, FileError};

/// Builds a book, or extends an existing one. The result does not depend on threads or interruptions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BookBuildJob {
    /// The file of the book. An existing book is extended.
    pub out: PathBuf,
    /// Positions are added until the book has this many; only those of games if absent.
    pub positions: Option<u32>,
    /// Files of records, or folders of such files.
    pub records: Vec<PathBuf>,
    /// The record format; detected if absent.
    pub format: Option<String>,
    /// Number of self-play games.
    pub games: Option<u32>,
    /// The seed of self-play.
    pub seed: u64,
    /// A position enters the book if it occurs in at least this many of all these games.
    pub min_games: u32,
    /// The book ends this number of moves from the start.
    pub plies: u32,
    /// The level of the searches. Leaves of a lower level are searched again.
    pub level: u32,
    /// The weights to search with; those that ship if absent.
    pub weights: Option<PathBuf>,
    /// Ends after this time. The same job continues later.
    pub time_limit: Option<Duration>,
    /// The interval of checkpoints.
    pub checkpoint: Duration,
    /// Threads; all cores by default.
    pub threads: Option<usize>,
    /// Size of each search's transposition table in MiB; 16 to search a position, 1 for self-play if absent.
    #[serde(default)]
    pub hash: Option<usize>,
}

/// A step of building a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "event")]
pub enum BookBuildEvent {
    /// Positions of games were added.
    GamesAdded {
        /// Number of new positions.
        positions: usize,
        /// Number of games.
        games: usize,
        /// Records with an illegal move.
        faulty: usize,
    },
    /// The time limit ended the job.
    TimeLimit,
}

impl BookBuildJob {
    /// Builds the book and returns it. It is saved at every checkpoint and at the end.
    ///
    /// # Errors
    /// Bad settings, failed reading or writing, and cancellation.
    pub fn run<G: BookGame>(
        &self,
        context: Context<'_>,
        events: &mut dyn FnMut(BookBuildEvent),
    ) -> Result<Book<G>, JobError> {
        let mut book = if self.out.exists() { load_book::<G>(&self.out)? } else { Book::default() };
        let eval = G::book_evaluation(self.weights.as_deref())?;
        let timed_out = AtomicBool::new(false);
        let book = within(self.time_limit, context, &timed_out, || {
            self.add_games(&mut book, &eval, context, events)?;
            // Reports an unwritable file before the work.
            self.save(&book)?;
            self.expand(book, eval, context)
        })?;
        if timed_out.into_inner() {
            events(BookBuildEvent::TimeLimit);
        } else if context.is_cancelled() {
            let searched = counted(book.len() - book.unsearched(), "position");
            let message = format!("interrupted; {searched} are saved, the same command continues");
            return Err(JobError::Cancelled(message));
        }
        Ok(book)
    }

    fn threads(&self) -> usize {
        self.threads.unwrap_or_else(cores)
    }

    fn save<G: BookGame>(&self, book: &Book<G>) -> Result<(), JobError> {
        save(&self.out, &book.bytes()).map_err(JobError::failed)
    }

    /// Adds the positions of records and self-play; none if it is cancelled.
    fn add_games<G: BookGame>(
        &self,
        book: &mut Book<G>,
        eval: &G::Evaluation,
        context: Context<'_>,
        events: &mut dyn FnMut(BookBuildEvent),
    ) -> Result<(), JobError> {
        let mut counts = PositionCounts::new(self.plies);
        let (mut games, faulty) = self.count_records(&mut counts, context)?;
        if let Some(number) = self.games {
            self.save(book)?;
            counts = self.count_self_play(number, eval, counts, context);
            games += number as usize;
        }
        if games == 0 || context.is_cancelled() {
            return Ok(());
        }
        let positions = book.add_counted(&counts, self.min_games);
        self.check_counts(&counts, games, faulty)?;
        events(BookBuildEvent::GamesAdded { positions, games, faulty });
        Ok(())
    }

    /// Whether some position occurs in enough games.
    pub(super) fn check_counts<G: BookGame>(
        &self,
        counts: &PositionCounts<G>,
        games: usize,
        faulty: usize,
    ) -> Result<(), JobError> {
        if counts.count(self.min_games) > 0 {
            return Ok(());
        }
        let message = format!(
            "{}: no position occurs in this many of {} ({faulty} do not replay); lower it",
            self.min_games,
            counted(games, "game")
        );
        Err(JobError::field("min-games", message))
    }

    /// Counts the positions of records. Returns the numbers of usable and of faulty records.
    pub(super) fn count_records<G: BookGame>(
        &self,
        counts: &mut PositionCounts<G>,
        context: Context<'_>,
    ) -> Result<(usize, usize), JobError> {
        let corpus = Corpus::open::<G>(&self.records, self.format.as_deref())?;
        let (mut used, mut faulty, mut error) = (0, 0, None);
        let keep = |parsed: Result<ParsedRecord<G>, FileError>| {
            match parsed {
                Ok(ParsedRecord { record, fault: None }) => {
                    used += 1;
                    counts.add(&record);
                }
                Ok(_) => faulty += 1,
                Err(unreadable) => error = Some(unreadable),
            }
            error.is_none()
        };
        corpus.read::<G, _, _>(self.threads(), context, |_| |_, parsed| parsed, keep);
        error.map_or(Ok((used, faulty)), |error| Err(JobError::input(error)))
    }

    /// Plays games and counts their positions.
    fn count_self_play<G: BookGame>(
        &self,
        games: u32,
        eval: &G::Evaluation,
        counts: PositionCounts<G>,
        context: Context<'_>,
    ) -> PositionCounts<G> {
        let self_play = self.self_play::<G>(eval);
        let (counter, counts) = (context.counter(u64::from(games)), Mutex::new(counts));
        for_each(self.threads(), games as usize, |number| {
            let Some(game) = self_play.game(number as u32, context.cancel) else { return false };
            counts.lock().unwrap_or_else(PoisonError::into_inner).add(&game);
            counter.add(1)
        });
        counts.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn self_play<G: BookGame>(&self, eval: &G::Evaluation) -> BookSelfPlay<G> {
        let BookBuildJob { level, plies, seed, hash, .. } = *self;
        BookSelfPlay { level, plies, eval: eval.clone(), seed, hash }
    }

    pub(super) fn config(&self) -> ExpansionConfig {
        ExpansionConfig {
            level: self.level,
            plies: self.plies,
            positions: self.positions.unwrap_or(0) as usize,
            threads: self.threads(),
            hash: self.hash,
        }
    }

    /// Expands the book until it is done or cancelled.
    fn expand<G: BookGame>(
        &self,
        book: Book<G>,
        eval: G::Evaluation,
        context: Context<'_>,
    ) -> Result<Book<G>, JobError> {
        let config = self.config();
        let mut expander = BookExpander::new(book, eval, config);
        let goal = config.positions.max(expander.book().len()) as u64;
        let mut schedule = CheckpointSchedule::new(self.checkpoint);
        while !context.is_cancelled() && expander.step(context.cancel) {
            context.report((expander.book().len() - expander.pending()) as u64, goal);
            if schedule.due() {
                self.save(expander.book())?;
            }
        }
        let book = expander.into_book();
        self.save(&book)?;
        Ok(book)
    }
}

/// The book of a file.
pub(super) fn load_book<G: BookGame>(path: &Path) -> Result<Book<G>, JobError> {
    Book::load(path).map_err(|error| JobError::Input(format!("{}: {error}", path.display())))
}

/// Does some work, and cancels it at the time limit.
fn within<T>(limit: Option<Duration>, context: Context<'_>, timed_out: &AtomicBool, work: impl FnOnce() -> T) -> T {
    let Some(limit) = limit else { return work() };
    thread::scope(|scope| {
        let (done, wait) = channel::<()>();
        scope.spawn(move || {
            if wait.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) && !context.is_cancelled() {
                timed_out.store(true, Ordering::Relaxed);
                context.cancel.cancel();
            }
        });
        let result = work();
        drop(done);
        result
    })
}
