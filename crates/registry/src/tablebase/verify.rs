//! Verification of a tablebase.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tesuji_game::{HasPerfectIndex, MoveList, NO_MOVE, PerfectIndex};
use tesuji_solve::reachability::{Distance, DistanceMismatch, UNREACHED};
use tesuji_solve::retrograde::{BoardValue, ValueMismatch};
use tesuji_solve::tablebase::Metric;
use tesuji_solve::tablebase::verify::{
    ChecksumReport, ClassReport, DistanceReport, Proof, TablebaseReport, TotalsGroup, TotalsSource, VerifyError,
    VerifyEvent, VerifyJob, VerifyReport, verify,
};
use tesuji_task::{Context, cores};

use super::{TablebaseRequest, id};
use crate::machine::free_memory;
use crate::{Error, InvalidFile, Playable, StatisticsFile, VerifyResponse};

/// What to verify.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct VerifyRequest {
    /// A file, or a directory with a tablebase or a tournament.
    pub path: String,
    /// Only checksums and headers, not the entries.
    pub sums: bool,
    /// Only every `step`th entry of a tablebase.
    pub step: u32,
    /// Also recompute the statistics of a tablebase.
    pub statistics: bool,
    /// Memory limit in bytes; the free memory when absent.
    pub memory: Option<u64>,
    /// Threads; all cores when absent.
    pub threads: Option<usize>,
}

impl VerifyRequest {
    pub(crate) fn threads(&self) -> usize {
        self.threads.unwrap_or_else(cores)
    }
}

/// A result of the verification, as soon as it is known.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum VerificationEvent {
    /// The checksums.
    Checksums(ChecksumTotals),
    /// A class of a tablebase.
    Class(ClassVerification),
    /// The distances from the start.
    Distances(DistanceVerification),
    /// The distances are skipped, because only some entries are verified.
    DistancesSkipped,
}

/// The checksums of block files.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ChecksumTotals {
    /// Files.
    pub files: usize,
    /// Blocks.
    pub blocks: u64,
    /// Bytes.
    pub bytes: u64,
    /// Damaged blocks and files.
    pub damaged: usize,
    /// The first of them.
    pub damage: Vec<String>,
}

/// Damaged parts that are named.
const MAX_NAMED: usize = 5;

impl From<&ChecksumReport> for ChecksumTotals {
    fn from(report: &ChecksumReport) -> ChecksumTotals {
        let &ChecksumReport { files, blocks, bytes, ref damaged } = report;
        let damage = damaged.iter().take(MAX_NAMED).map(ToString::to_string).collect();
        ChecksumTotals { files, blocks, bytes, damaged: damaged.len(), damage }
    }
}

/// The verification of a class.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ClassVerification {
    /// `class`.
    pub event: String,
    /// The game.
    pub game: String,
    /// The class.
    pub class: String,
    /// Its file.
    pub file: String,
    /// Its boards.
    pub boards: u64,
    /// Entries verified.
    pub entries: u64,
    /// Wrong entries.
    pub wrong: u64,
    /// The first of them.
    pub first_wrong: Vec<WrongEntry>,
    /// `derived`, `consistent` or `compared`.
    pub proof: String,
    /// Wall time.
    pub seconds: f64,
}

/// A wrong entry.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WrongEntry {
    /// The index.
    pub index: u32,
    /// The board; `null` when the index has none.
    pub position: Option<String>,
    /// The stored value.
    pub said: Option<String>,
    /// The correct value.
    pub right: Option<String>,
}

/// The verification of the distances from the start.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DistanceVerification {
    /// `reach`.
    pub event: String,
    /// The game.
    pub game: String,
    /// Boards.
    pub boards: u64,
    /// Distances verified.
    pub entries: u64,
    /// Wrong distances.
    pub wrong: u64,
    /// The first of them.
    pub first_wrong: Vec<WrongDistance>,
    /// `derived`.
    pub proof: String,
    /// Wall time.
    pub seconds: f64,
}

/// A wrong distance.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WrongDistance {
    /// The index.
    pub index: u32,
    /// The board; `null` when the index has none.
    pub position: Option<String>,
    /// The stored distance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said: Option<String>,
    /// The correct distance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub right: Option<String>,
}

/// The verification of a tablebase.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TablebaseVerification {
    /// The checksums.
    #[serde(flatten)]
    pub checksums: ChecksumTotals,
    /// `final`.
    pub event: String,
    /// The game.
    pub game: String,
    /// The path.
    pub path: String,
    /// Boards.
    pub boards: u64,
    /// Entries verified.
    pub entries: u64,
    /// Wrong entries.
    pub wrong: u64,
    /// The compared totals.
    pub totals: Vec<TotalsComparison>,
    /// Classes that cannot be verified because a class that their moves lead to is missing.
    pub missing: Vec<String>,
    /// Whether a build is unfinished here.
    pub unfinished: bool,
    /// The command that goes on with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resume: Option<String>,
    /// Whether everything is correct.
    pub right: bool,
    /// Whether wins and losses are only consistent, as in a WDL tablebase without a DTW one.
    #[serde(skip)]
    pub only_consistent: bool,
}

/// Totals of one source, compared with those found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TotalsComparison {
    /// The source.
    pub source: String,
    /// Totals compared.
    pub lines: u64,
    /// Those that are equal.
    pub equal: u64,
    /// Those that are not.
    pub different: Vec<DifferentTotal>,
}

/// A total that differs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DifferentTotal {
    /// What is counted.
    pub what: String,
    /// The count of the source.
    pub said: u64,
    /// The count found.
    pub found: u64,
}

pub(super) fn verify_tablebase<G: Playable + HasPerfectIndex>(
    request: &VerifyRequest,
    context: Context<'_>,
    events: &mut dyn FnMut(VerificationEvent),
) -> Result<Option<VerifyResponse>, Error> {
    let mut tell = |told: VerifyEvent<'_, G::Index>| events(event::<G>(told));
    let verified = verify::<G>(&job::<G>(request), context, &mut tell).map_err(failure)?;
    Ok(verified.map(|report| response::<G>(request, report)))
}

/// A request as the verification understands it.
pub(crate) fn job<G: Playable + HasPerfectIndex>(request: &VerifyRequest) -> VerifyJob {
    VerifyJob {
        path: PathBuf::from(&request.path),
        id: id::<G>(),
        checksums_only: request.sums,
        step: request.step,
        statistics: request.statistics,
        memory: request.memory.or_else(free_memory).unwrap_or(u64::MAX),
        threads: request.threads(),
    }
}

pub(crate) fn event<G: Playable + HasPerfectIndex>(event: VerifyEvent<'_, G::Index>) -> VerificationEvent {
    match event {
        VerifyEvent::Checksums(report) => VerificationEvent::Checksums(report.into()),
        VerifyEvent::Class { report, index } => VerificationEvent::Class(class::<G>(report, index)),
        VerifyEvent::Distances { report, index } => VerificationEvent::Distances(distances::<G>(report, index)),
        VerifyEvent::DistancesSkipped => VerificationEvent::DistancesSkipped,
    }
}

pub(crate) fn response<G: Playable>(request: &VerifyRequest, report: VerifyReport) -> VerifyResponse {
    match report {
        VerifyReport::Summary(path) => VerifyResponse::Statistics(StatisticsFile::new(&path)),
        VerifyReport::Invalid(path, error) => VerifyResponse::Invalid(InvalidFile::new(&path, &error)),
        VerifyReport::Unfinished => {
            let message = format!(
                "{}: an unfinished build without a complete class; `{}` goes on with it",
                request.path,
                TablebaseRequest::load(&request.path).command(G::NAME)
            );
            VerifyResponse::Invalid(InvalidFile::new(Path::new(&request.path), &message))
        }
        VerifyReport::Tablebase(report) => VerifyResponse::Tablebase(tablebase::<G>(request, &report)),
    }
}

pub(crate) fn failure(error: VerifyError) -> Error {
    match error {
        VerifyError::Cancelled => Error::Cancelled,
        VerifyError::Memory { .. } => Error::failed(format!(
            "{error}: end other programs, allow more with --memory, or check only the sums with --sums"
        )),
        error => Error::failed(error),
    }
}

fn tablebase<G: Playable>(request: &VerifyRequest, report: &TablebaseReport) -> TablebaseVerification {
    let ((boards, entries), wrong) = (report.boards_and_entries(), report.wrong());
    let consistent = report.classes.iter().any(|class| class.proof == Proof::Consistent);
    TablebaseVerification {
        checksums: (&report.checksums).into(),
        event: "final".to_owned(),
        game: G::NAME.to_owned(),
        path: request.path.clone(),
        boards,
        entries,
        wrong,
        totals: report.totals.0.iter().map(totals).collect(),
        missing: report.missing.clone(),
        unfinished: report.unfinished,
        resume: report.unfinished.then(|| TablebaseRequest::load(&request.path).command(G::NAME)),
        right: report.is_correct(),
        only_consistent: consistent && wrong == 0 && request.step == 1,
    }
}

fn totals(group: &TotalsGroup) -> TotalsComparison {
    let source = match group.source {
        TotalsSource::Headers => "the heads of the files",
        TotalsSource::Statistics => "the file of findings",
        TotalsSource::Published => "what others found",
    };
    let different = group.different.iter().map(|difference| DifferentTotal {
        what: difference.what.clone(),
        said: difference.expected,
        found: difference.found,
    });
    TotalsComparison {
        source: source.to_owned(),
        lines: group.lines,
        equal: group.lines - group.different.len() as u64,
        different: different.collect(),
    }
}

fn class<G: Playable + HasPerfectIndex>(report: &ClassReport, index: &G::Index) -> ClassVerification {
    let ClassReport { info, checked, proof, seconds, .. } = report;
    let exact = info.metric == Metric::Dtw;
    let wrong = |wrong: &ValueMismatch| {
        let board = index.unrank(wrong.class, wrong.index).map(|board| board.forbidding(NO_MOVE));
        let value = |value| board.map(|board: G| value_words(board, value, exact));
        WrongEntry {
            index: wrong.index,
            position: board.map(|board| board.print()),
            said: value(wrong.stored),
            right: value(wrong.derived),
        }
    };
    let proof = match proof {
        Proof::Derived => "derived",
        Proof::Consistent => "consistent",
        Proof::Compared => "compared",
    };
    ClassVerification {
        event: "class".to_owned(),
        game: G::NAME.to_owned(),
        class: info.name.clone(),
        file: info.path.display().to_string(),
        boards: info.boards,
        entries: checked.boards,
        wrong: checked.wrong,
        first_wrong: checked.shown.iter().map(wrong).collect(),
        proof: proof.to_owned(),
        seconds: *seconds,
    }
}

/// `loss in 4, without c5u draw`.
fn value_words<G: Playable + HasPerfectIndex>(board: G, value: BoardValue, exact: bool) -> String {
    let words = |value: u8| match (value, exact) {
        (0, _) => "draw".to_owned(),
        (1, _) => "win in 1".to_owned(),
        (won, true) if won % 2 == 1 => format!("win in {won}"),
        (lost, true) => format!("loss in {lost}"),
        (won, false) if won % 2 == 1 => "win".to_owned(),
        _ => "loss".to_owned(),
    };
    let first = words(value.first);
    if value.mv >= NO_MOVE {
        return first;
    }
    format!("{first}, without {} {}", move_name(board, value.mv), words(value.second))
}

/// The name of a move. A wrong entry need not name a move of the board; then its number.
fn move_name<G: Playable + HasPerfectIndex>(mut board: G, number: u8) -> String {
    let mut moves = G::Moves::default();
    board.moves(&mut moves);
    let found = moves.each().find(|&mv| G::move_number(mv) == number);
    found.map_or_else(|| format!("move {number}"), |mv| board.print_move(mv))
}

fn distances<G: Playable + HasPerfectIndex>(report: &DistanceReport, index: &G::Index) -> DistanceVerification {
    let wrong = |wrong: &DistanceMismatch| {
        let board = index.unrank(wrong.class, wrong.index).map(|board| board.forbidding(NO_MOVE));
        WrongDistance {
            index: wrong.index,
            position: board.map(|board| board.print()),
            said: board.map(|board| distance_words(board, wrong.stored)),
            right: board.map(|board| distance_words(board, wrong.derived)),
        }
    };
    DistanceVerification {
        event: "reach".to_owned(),
        game: G::NAME.to_owned(),
        boards: report.info.iter().map(|info| info.boards).sum(),
        entries: report.boards,
        wrong: report.wrong,
        first_wrong: report.shown.iter().map(wrong).collect(),
        proof: "derived".to_owned(),
        seconds: report.seconds,
    }
}

/// `12 plies from the start, c5u after 14`.
fn distance_words<G: Playable + HasPerfectIndex>(board: G, distance: Distance) -> String {
    let Distance { first, mv, second } = distance;
    if first == UNREACHED {
        return "never reached".to_owned();
    }
    let except = match (mv, second) {
        (NO_MOVE.., _) => String::new(),
        (mv, UNREACHED) => format!(", {} never", move_name(board, mv)),
        (mv, second) => format!(", {} after {second}", move_name(board, mv)),
    };
    format!("{first} plies from the start{except}")
}
