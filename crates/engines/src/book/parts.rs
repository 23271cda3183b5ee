//! Building a book in parts that any number of machines do: games of self-play and searches of leaves. Positions are added
//! in one place, the course of the job, from the results of all parts; the book is that of one machine.

use std::collections::HashMap;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use tesuji_game::{Move, Record};
use tesuji_learn::JobError;
use tesuji_learn::job::{read_input, write_new};
use tesuji_store::frame::Fields;
use tesuji_store::save;
use tesuji_task::{CancelToken, Context};

use super::expand::LeafSearch;
use super::job::load_book;
use super::{Book, BookBuildJob, BookExpander, BookGame, BookLeaf, Canonical, PositionCounts};

/// Building a book in parts.
pub trait BookParts: Send + Sync {
    /// Everything that the book depends on, one fact per line.
    fn task(&self) -> String;

    /// Positions to search at first, as far as that is known without games of self-play.
    fn first_searches(&self) -> usize;

    /// Positions that are added after that, at most.
    fn additions(&self) -> usize;

    /// Plays a game of self-play; `None` when it was cancelled.
    fn play(&self, number: u32, cancel: &CancelToken) -> Option<Vec<u8>>;

    /// Searches the leaves of a request; `None` when it was cancelled.
    ///
    /// # Errors
    /// It is no request.
    fn search(&self, request: &str, cancel: &CancelToken) -> Result<Option<Vec<u8>>, JobError>;

    /// The course of the job from its beginning.
    fn course(&self) -> Box<dyn BookCourse>;
}

/// What becomes of the results of parts: a book, round by round. Every round begins when all results of the round before
/// were taken.
pub trait BookCourse: Send {
    /// Takes a game of self-play.
    ///
    /// # Errors
    /// It is damaged.
    fn take_game(&mut self, game: &[u8]) -> Result<(), JobError>;

    /// Begins the next round: how many positions it searches. None when the book is complete.
    ///
    /// # Errors
    /// No position of the games occurs often enough.
    fn begin(&mut self) -> Result<usize, JobError>;

    /// The searches of the round in so many requests.
    fn requests(&self, parts: usize) -> Vec<String>;

    /// Rounds that may follow, at most.
    fn rounds_left(&self) -> usize;

    /// Takes the leaves of a request.
    ///
    /// # Errors
    /// They are damaged.
    fn take_leaves(&mut self, leaves: &[u8]) -> Result<(), JobError>;

    /// Writes the book. Returns the number of its positions, and of those without a search.
    ///
    /// # Errors
    /// The file cannot be written, or another one is there.
    fn finish(self: Box<Self>, out: &Path) -> Result<(usize, usize), JobError>;
}

impl BookBuildJob {
    /// Cuts the job into parts.
    ///
    /// # Errors
    /// Bad settings, or a file cannot be read here.
    pub fn parts<G: BookGame>(&self, context: Context<'_>) -> Result<Box<dyn BookParts>, JobError> {
        if self.time_limit.is_some() {
            return Err(JobError::field("time-limit", "a job in a queue has none; cancel it when it is enough"));
        }
        let extends = self.out.exists();
        let book = if extends { load_book::<G>(&self.out)? } else { Book::default() };
        let eval = G::book_evaluation(self.weights.as_deref())?;
        let mut counts = PositionCounts::<G>::new(self.plies);
        let (used, faulty) = self.count_records(&mut counts, context)?;
        let mut task = format!(
            "book of {}: level {}, {} plies, positions {:?}, hash {:?}, min-games {}\n",
            G::NAME,
            self.level,
            self.plies,
            self.positions,
            self.hash,
            self.min_games
        );
        if let Some(games) = self.games {
            let _ = writeln!(task, "{games} games of self-play, seed {}", self.seed);
        } else if used > 0 {
            self.check_counts(&counts, used, faulty)?;
        }
        if !self.records.is_empty() {
            let _ = writeln!(task, "{used} records, {faulty} do not replay, sum {:08x}", counts.checksum());
        }
        if extends {
            let _ = writeln!(task, "extends a book of {} positions, sum {:08x}", book.len(), crc(&book.bytes()));
        }
        if let Some(path) = &self.weights {
            let _ = writeln!(task, "weights, sum {:08x}", crc(&read_input(path)?));
        }
        let first = First { job: self.clone(), eval, book, counts, records: (used, faulty), extends };
        Ok(Box::new(Parts { first: Arc::new(first), task }))
    }
}

fn crc(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

/// The job before its first part.
struct First<G: BookGame> {
    job: BookBuildJob,
    eval: G::Evaluation,
    book: Book<G>,
    /// The positions of the records.
    counts: PositionCounts<G>,
    /// Usable records, and faulty ones.
    records: (usize, usize),
    extends: bool,
}

impl<G: BookGame> First<G> {
    /// The course after the games.
    fn expander(&self, counts: &PositionCounts<G>) -> BookExpander<G> {
        let mut book = self.book.clone();
        if self.records.0 > 0 || self.job.games.is_some() {
            book.add_counted(counts, self.job.min_games);
        }
        BookExpander::new(book, self.eval.clone(), self.job.config())
    }
}

struct Parts<G: BookGame> {
    first: Arc<First<G>>,
    task: String,
}

impl<G: BookGame> BookParts for Parts<G> {
    fn task(&self) -> String {
        self.task.clone()
    }

    fn first_searches(&self) -> usize {
        self.first.expander(&self.first.counts).pending()
    }

    fn additions(&self) -> usize {
        (self.first.job.positions.unwrap_or(0) as usize).saturating_sub(self.first.book.len())
    }

    fn play(&self, number: u32, cancel: &CancelToken) -> Option<Vec<u8>> {
        let game = self.first.job.self_play::<G>(&self.first.eval).game(number, cancel)?;
        Some(game.moves().flat_map(|mv| mv.to_bits().to_le_bytes()).collect())
    }

    fn search(&self, request: &str, cancel: &CancelToken) -> Result<Option<Vec<u8>>, JobError> {
        let searches = read_searches::<G>(request).ok_or_else(|| JobError::failed("a damaged request"))?;
        let config = self.first.job.config();
        let mut bytes = Vec::new();
        for search in searches {
            let leaf = search.run(&self.first.eval, &config, cancel);
            if cancel.is_cancelled() {
                return Ok(None);
            }
            G::write_entry(&search.position, leaf.as_ref(), &mut bytes);
        }
        Ok(Some(bytes))
    }

    fn course(&self) -> Box<dyn BookCourse> {
        let stage = Stage::Games(self.first.counts.clone());
        Box::new(Course { first: Arc::clone(&self.first), stage, found: HashMap::new(), is_stuck: false })
    }
}

/// A request: the positions and the moves that are not searched, in hexadecimal.
fn write_searches<G: BookGame>(searches: &[LeafSearch<G>]) -> String {
    let mut bytes = Vec::new();
    for search in searches {
        G::write_entry(&search.position, None, &mut bytes);
        bytes.extend((search.excluded.len() as u32).to_le_bytes());
        search.excluded.iter().for_each(|mv| bytes.extend(mv.to_bits().to_le_bytes()));
    }
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Into a string: this cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn read_searches<G: BookGame>(text: &str) -> Option<Vec<LeafSearch<G>>> {
    let digits = text.as_bytes().chunks(2).map(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
    let bytes: Vec<u8> = digits.collect::<Option<_>>()?;
    let mut fields = Fields::new(&bytes);
    let mut searches = Vec::new();
    while !fields.is_empty() {
        let (position, _) = G::read_entry(&mut fields)?;
        let excluded = fields.u32().ok()?;
        let moves = (0..excluded).map(|_| fields.u32().ok().map(G::Move::from_bits));
        searches.push(LeafSearch { position, excluded: moves.collect::<Option<_>>()? });
    }
    Some(searches)
}

struct Course<G: BookGame> {
    first: Arc<First<G>>,
    stage: Stage<G>,
    /// The leaves of the round so far.
    found: HashMap<G::Key, BookLeaf<G::Move>>,
    /// Whether a position of the round has no leaf: then nothing is added any more, as on one machine.
    is_stuck: bool,
}

enum Stage<G: BookGame> {
    /// Games are counted.
    Games(PositionCounts<G>),
    Expansion(Box<BookExpander<G>>),
}

impl<G: BookGame> BookCourse for Course<G> {
    fn take_game(&mut self, bytes: &[u8]) -> Result<(), JobError> {
        let damaged = || JobError::failed("a damaged game");
        let Stage::Games(counts) = &mut self.stage else { return Err(damaged()) };
        let mut record = Record::new(G::start());
        for bits in bytes.chunks(4) {
            let bits = bits.try_into().map_err(|_| damaged())?;
            record.push(G::Move::from_bits(u32::from_le_bytes(bits))).map_err(|_| damaged())?;
        }
        counts.add(&record);
        Ok(())
    }

    fn begin(&mut self) -> Result<usize, JobError> {
        if let Stage::Games(counts) = &self.stage {
            let (used, faulty) = self.first.records;
            let games = used + self.first.job.games.unwrap_or(0) as usize;
            if games > 0 {
                self.first.job.check_counts(counts, games, faulty)?;
            }
            self.stage = Stage::Expansion(Box::new(self.first.expander(counts)));
        }
        let Stage::Expansion(expander) = &mut self.stage else { return Ok(0) };
        let found = std::mem::take(&mut self.found);
        if !found.is_empty() {
            expander.settle(found);
        }
        while !self.is_stuck && expander.pending() == 0 && expander.add_positions() {}
        Ok(if self.is_stuck { 0 } else { expander.pending() })
    }

    fn requests(&self, parts: usize) -> Vec<String> {
        let Stage::Expansion(expander) = &self.stage else { return Vec::new() };
        let searches = expander.searches();
        let size = searches.len().div_ceil(parts.max(1)).max(1);
        searches.chunks(size).map(write_searches).collect()
    }

    fn rounds_left(&self) -> usize {
        match &self.stage {
            Stage::Games(_) => usize::MAX,
            Stage::Expansion(expander) => expander.left(),
        }
    }

    fn take_leaves(&mut self, leaves: &[u8]) -> Result<(), JobError> {
        let damaged = || JobError::failed("a damaged leaf");
        let mut fields = Fields::new(leaves);
        while !fields.is_empty() {
            let (position, leaf) = G::read_entry(&mut fields).ok_or_else(damaged)?;
            let key = Canonical::of(&G::restore(&position)).ok_or_else(damaged)?.key;
            self.is_stuck |= leaf.is_none();
            self.found.extend(leaf.map(|leaf| (key, leaf)));
        }
        Ok(())
    }

    fn finish(self: Box<Self>, out: &Path) -> Result<(usize, usize), JobError> {
        let Course { first, stage, .. } = *self;
        let Stage::Expansion(expander) = stage else { return Err(JobError::failed("games are missing")) };
        let book = expander.into_book();
        match first.extends && out == first.job.out {
            true => save(out, &book.bytes()).map_err(JobError::failed)?,
            false => write_new(out, &book.bytes())?,
        }
        Ok((book.len(), book.unsearched()))
    }
}
