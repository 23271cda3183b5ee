//! Verification of any file of ours: tablebases, journals, weights, opening books, error models and data sets.

use std::fmt::Display;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tesuji_arena::{JOURNAL, SavedTournament, TournamentJournal};
use tesuji_engines::book::{Book, BookGame};
use tesuji_engines::othello::{ProbCutFileError, ProbCutParameters};
use tesuji_learn::Weights;
use tesuji_othello::Othello;
use tesuji_shogi::Shogi;
use tesuji_solve::tablebase::verify::{block_files, verify_checksums};
use tesuji_store::journal;
use tesuji_task::Context;
use tesuji_trax::{EightByEight, Loops, Trax, Unlimited};

use crate::positions::position_set_game;
use crate::puzzles::puzzle_file_game;
use crate::tablebase::verify_failure;
use crate::{
    ChecksumTotals, Error, PositionSetFile, PuzzleFile, Registry, TablebaseVerification, VerificationEvent,
    VerifyRequest,
};

/// The result of a verification.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum VerifyResponse {
    /// A tablebase.
    Tablebase(TablebaseVerification),
    /// Block files of an unknown game.
    Checksums(ChecksumVerification),
    /// A journal.
    Journal(JournalFile),
    /// Weights of an evaluation.
    Weights(WeightsFile),
    /// An opening book.
    Book(BookFile),
    /// An error model of a search.
    ProbCut(ProbCutFile),
    /// A network.
    Network(NetworkFileReport),
    /// A data set of positions.
    Positions(PositionSetFile),
    /// Puzzles.
    Puzzles(PuzzleFile),
    /// A file that is not valid.
    Invalid(InvalidFile),
    /// The statistics of a tablebase.
    Statistics(StatisticsFile),
}

impl VerifyResponse {
    /// Whether everything is correct.
    pub fn is_correct(&self) -> bool {
        match self {
            VerifyResponse::Tablebase(report) => report.right,
            VerifyResponse::Checksums(report) => report.right,
            VerifyResponse::Invalid(_) => false,
            VerifyResponse::Puzzles(report) => report.right,
            _ => true,
        }
    }
}

/// The checksums of block files of an unknown game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ChecksumVerification {
    /// The checksums.
    #[serde(flatten)]
    pub checksums: ChecksumTotals,
    /// `final`.
    pub event: String,
    /// Whether nothing is damaged.
    pub right: bool,
}

/// A valid journal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct JournalFile {
    /// `final`.
    pub event: String,
    /// The file.
    pub path: String,
    /// The kind of journal.
    pub kind: String,
    /// Lines after the header.
    pub lines: usize,
    /// The games of a tournament.
    pub games: Option<usize>,
    /// Whether the last line was cut short.
    pub torn: bool,
    /// `true`.
    pub right: bool,
}

/// Valid weights.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WeightsFile {
    /// `final`.
    pub event: String,
    /// The file.
    pub path: String,
    /// `true`.
    pub right: bool,
    /// The model.
    pub model: String,
    /// Its stages.
    pub stages: usize,
    /// Weights per stage.
    pub weights: usize,
    /// Where they come from.
    pub story: String,
}

/// A valid opening book.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BookFile {
    /// `final`.
    pub event: String,
    /// The file.
    pub path: String,
    /// `true`.
    pub right: bool,
    /// The game.
    pub game: String,
    /// Positions.
    pub positions: usize,
    /// Positions that are not searched yet.
    pub unsearched: usize,
}

/// A valid error model.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProbCutFile {
    /// `final`.
    pub event: String,
    /// The file.
    pub path: String,
    /// `true`.
    pub right: bool,
    /// The model.
    pub model: String,
    /// Where it comes from.
    pub story: String,
}

/// A valid network.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NetworkFileReport {
    /// `final`.
    pub event: String,
    /// The file.
    pub path: String,
    /// `true`.
    pub right: bool,
    /// The architecture.
    pub architecture: String,
    /// The name of the encoding of the game, if the file has it.
    pub encoder: Option<String>,
    /// Learned parameters.
    pub parameters: usize,
    /// The SHA-256 of the weights; `null` if the file has none to compare with.
    pub sha256: Option<String>,
    /// The command that made it.
    pub story: String,
}

/// A file that is not valid.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct InvalidFile {
    /// `final`.
    pub event: String,
    /// The file.
    pub path: String,
    /// `false`.
    pub right: bool,
    /// What is wrong.
    pub error: String,
}

impl InvalidFile {
    pub(crate) fn new(path: &Path, error: &impl Display) -> InvalidFile {
        let (event, path) = final_event(path);
        InvalidFile { event, path, right: false, error: error.to_string() }
    }
}

/// A valid file of tablebase statistics.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StatisticsFile {
    /// `final`.
    pub event: String,
    /// The file.
    pub path: String,
    /// `true`.
    pub right: bool,
}

impl StatisticsFile {
    pub(crate) fn new(path: &Path) -> StatisticsFile {
        let (event, path) = final_event(path);
        StatisticsFile { event, path, right: true }
    }
}

fn final_event(path: &Path) -> (String, String) {
    ("final".to_owned(), path.display().to_string())
}

impl Registry {
    /// Verifies a file or directory of any kind. Classes of a tablebase are reported as they are verified.
    ///
    /// # Errors
    /// The path cannot be read or is nothing of ours, memory is short, or the token ended it. What is wrong with a file
    /// is part of the response.
    pub fn verify(
        &self,
        request: &VerifyRequest,
        context: Context<'_>,
        events: &mut dyn FnMut(VerificationEvent),
    ) -> Result<VerifyResponse, Error> {
        let path = Path::new(&request.path);
        fs::metadata(path).map_err(|error| Error::invalid(format!("cannot read {}: {error}", path.display())))?;
        for game in self.games() {
            if let Some(response) = game.verify_tablebase(request, context, events)? {
                return Ok(response);
            }
        }
        if let Some(response) = verify_journal(path)
            .or_else(|| weights(path))
            .or_else(|| book(path))
            .or_else(|| error_model(path))
            .or_else(|| self.verify_network(path))
        {
            return Ok(response);
        }
        if let Some(name) = position_set_game(path)
            && let Ok(game) = self.game(&name)
            && game.has_position_sets()
        {
            return game.verify_positions(path, request.threads(), context);
        }
        if let Some(name) = puzzle_file_game(path)
            && let Ok(game) = self.game(&name)
            && game.has_puzzles()
        {
            return game.verify_puzzles(path, request.threads(), context).map(VerifyResponse::Puzzles);
        }
        let files = block_files(path);
        if files.is_empty() {
            return Err(Error::invalid(format!(
                "{}: nothing of ours: name a directory that `tesuji solve` or `tesuji tournament` wrote, or a file of one",
                path.display()
            )));
        }
        let report = verify_checksums(&files, request.threads(), context).map_err(verify_failure)?;
        let checksums = ChecksumTotals::from(&report);
        events(VerificationEvent::Checksums(checksums.clone()));
        let right = checksums.damaged == 0;
        Ok(VerifyResponse::Checksums(ChecksumVerification { checksums, event: "final".to_owned(), right }))
    }
}

impl Registry {
    /// A network, by the ending of its file.
    fn verify_network(&self, path: &Path) -> Option<VerifyResponse> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        if !path.is_file() || !["safetensors", "onnx"].contains(&ending.as_str()) {
            return None;
        }
        let info = match self.show_network(path) {
            Err(error) => return Some(VerifyResponse::Invalid(InvalidFile::new(path, &error))),
            Ok(info) => info,
        };
        let (event, path) = final_event(path);
        Some(VerifyResponse::Network(NetworkFileReport {
            event,
            path,
            right: true,
            architecture: info.architecture,
            encoder: info.encoder,
            parameters: info.parameters,
            sha256: info.sha256,
            story: info.metadata.get("command").cloned().unwrap_or_default(),
        }))
    }
}

/// The bytes of a file; `None` for a directory or an unreadable file.
fn bytes(path: &Path) -> Option<Vec<u8>> {
    fs::read(path).ok().filter(|_| path.is_file())
}

fn invalid(path: &Path, error: &impl Display) -> VerifyResponse {
    VerifyResponse::Invalid(InvalidFile::new(path, &format!("{}: {error}", path.display())))
}

fn weights(path: &Path) -> Option<VerifyResponse> {
    let bytes = bytes(path).filter(|bytes| Weights::has_magic(bytes))?;
    let (event, name) = final_event(path);
    Some(match Weights::parse(&bytes) {
        Err(error) => invalid(path, &error),
        Ok(weights) => VerifyResponse::Weights(WeightsFile {
            event,
            path: name,
            right: true,
            model: weights.model().to_owned(),
            stages: weights.stages(),
            weights: weights.weights(),
            story: weights.provenance().to_owned(),
        }),
    })
}

fn book(path: &Path) -> Option<VerifyResponse> {
    book_of::<Othello>(path)
        .or_else(|| book_of::<Trax<Unlimited>>(path))
        .or_else(|| book_of::<Trax<EightByEight>>(path))
        .or_else(|| book_of::<Trax<Loops>>(path))
        .or_else(|| book_of::<Shogi>(path))
}

fn book_of<G: BookGame>(path: &Path) -> Option<VerifyResponse> {
    let bytes = bytes(path).filter(|bytes| Book::<G>::has_magic(bytes))?;
    let (event, name) = final_event(path);
    Some(match Book::<G>::parse(&bytes) {
        Err(error) => invalid(path, &error),
        Ok(book) => VerifyResponse::Book(BookFile {
            event,
            path: name,
            right: true,
            game: G::NAME.to_owned(),
            positions: book.len(),
            unsearched: book.unsearched(),
        }),
    })
}

fn error_model(path: &Path) -> Option<VerifyResponse> {
    let text = String::from_utf8(bytes(path)?).ok()?;
    let (event, name) = final_event(path);
    match ProbCutParameters::parse(&text) {
        Err(ProbCutFileError::Foreign) => None,
        Err(error) => Some(invalid(path, &error)),
        Ok(_) => {
            let story: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("# ")).collect();
            Some(VerifyResponse::ProbCut(ProbCutFile {
                event,
                path: name,
                right: true,
                model: "othello/cuts/1".to_owned(),
                story: story.join("\n"),
            }))
        }
    }
}

/// What journals begin with.
const JOURNAL_MAGIC: &str = "tesuji-journal";
/// The kind of journal of a tournament.
const TOURNAMENT: &str = "tournament";
/// Longer than any first line of a journal.
const MAX_FIRST_LINE: u64 = 200;

/// Reads a journal from one end to the other: the chain of checksums, and every line of a tournament. The file is not
/// changed.
fn verify_journal(path: &Path) -> Option<VerifyResponse> {
    let journal = find_journal(path)?;
    Some(match read_journal(&journal, path.is_dir()) {
        Ok(response) => VerifyResponse::Journal(response),
        Err(message) => VerifyResponse::Invalid(InvalidFile::new(&journal, &message)),
    })
}

/// The journal at a path: the file itself, or that of a tournament in the directory.
fn find_journal(path: &Path) -> Option<PathBuf> {
    if path.is_dir() {
        return Some(path.join(JOURNAL)).filter(|journal| journal.exists());
    }
    let named = path.file_name().is_some_and(|name| name == JOURNAL);
    (named || first_line(path)?.starts_with(JOURNAL_MAGIC)).then(|| path.to_owned())
}

/// The first line of a file, if it is text.
fn first_line(path: &Path) -> Option<String> {
    let mut line = String::new();
    BufReader::new(fs::File::open(path).ok()?.take(MAX_FIRST_LINE)).read_line(&mut line).ok()?;
    Some(line)
}

fn read_journal(path: &Path, in_directory: bool) -> Result<JournalFile, String> {
    let first = first_line(path).unwrap_or_default();
    let kind = first.split(' ').nth(2).unwrap_or(TOURNAMENT).to_owned();
    let reading = journal::read(path, &kind).map_err(|error| error.to_string())?;
    let mut games = None;
    if kind == TOURNAMENT && !reading.lines.is_empty() {
        let archive = SavedTournament::read(path).map_err(|error| error.to_string())?;
        games = Some(archive.journal.all().count());
        if let Some(dir) = path.parent().filter(|_| in_directory) {
            let settings = TournamentJournal::config(dir).map_err(|error| error.to_string())?;
            if settings.print() != archive.header.config {
                return Err(format!(
                    "{}: the settings there are not those the tournament began with: undo the change",
                    dir.display()
                ));
            }
        }
    }
    let ((event, path), lines, torn) = (final_event(path), reading.lines.len(), reading.torn);
    Ok(JournalFile { event, path, kind, lines, games, torn, right: true })
}
