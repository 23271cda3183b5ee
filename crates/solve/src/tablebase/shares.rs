//! The file of a class whose values are divided among shares.
//!
//! Every share counts its symbols; the sum of the counts gives every share the same model, with which it codes its own
//! blocks. Put together in the order of their bands, these are the file that one owner of all values would write.

use std::path::{Path, PathBuf};

use tesuji_game::PerfectIndex;
use tesuji_store::blocks::{BlockWriter, write_on};
use tesuji_store::disk::Os;

use super::block::{CodingError, SymbolCounts, code, count};
use super::coding::EntryCounts;
use super::error::TablebaseError;
use super::file::ClassFile;
use super::header::{self, ClassInfo, Metric, TablebaseId};
use super::model::SymbolModel;
use super::value_coding::{CodedValues, ValueContext, ValueCounts};
use super::write::BLOCK;
use crate::retrograde::{CheckpointDir, ClassStatistics, Partition, RetrogradeError, ShareValues, span_statistics};
use crate::tablebase::{ClassSummary, TablebaseSummary};

/// Counts and codes one share of a class.
pub struct ShareCoder<'g, G: PerfectIndex> {
    game: &'g G,
    class: u8,
    partition: Partition,
    share: usize,
    source: CodedValues<ShareValues>,
    block: u32,
}

/// The symbols of some boards of a class.
#[derive(Default)]
pub struct ShareCounts(SymbolCounts<CodedValues<ShareValues>>);

/// What all shares need to code their blocks of a class.
pub struct ClassModel {
    model: SymbolModel,
    head: Vec<u8>,
}

impl<'g, G: PerfectIndex> ShareCoder<'g, G> {
    /// Boards per block of the file, when a band has 2^`band_bits` boards: a band is a number of whole blocks.
    pub fn block(band_bits: u32) -> u32 {
        BLOCK.min(1 << band_bits)
    }

    /// A coder of the values of a share of a class.
    pub fn new(
        game: &'g G,
        class: u8,
        partition: Partition,
        share: usize,
        values: ShareValues,
        metric: Metric,
    ) -> ShareCoder<'g, G> {
        let block = ShareCoder::<G>::block(partition.band_bits());
        ShareCoder { game, class, partition, share, source: CodedValues { values, metric }, block }
    }

    /// The values.
    pub fn values(&self) -> &ShareValues {
        &self.source.values
    }

    /// The bands of this share.
    pub fn bands(&self) -> impl Iterator<Item = u32> + use<G> {
        let bands = self.partition.bands(self.game.size(self.class));
        (self.share as u32..bands).step_by(self.partition.shares())
    }

    /// Adds the statistics of a band, as [`class_statistics`](crate::retrograde::class_statistics) counts them.
    pub fn statistics(&self, band: u32, complete: bool, sum: &mut ClassStatistics) {
        let span = self.partition.span(band, self.game.size(self.class));
        let values = &self.source.values;
        let found = span_statistics(self.game, self.class, span, values, complete, 1, &|_| true);
        sum.add(&found.unwrap_or_default());
    }

    /// Counts the symbols of a band.
    ///
    /// # Errors
    /// A board cannot be coded.
    pub fn count(&self, band: u32, counts: &mut ShareCounts) -> Result<(), TablebaseError> {
        for span in self.blocks(band) {
            count(self.game, self.class, span, &self.source, &mut counts.0).map_err(|error| self.invalid(error))?;
        }
        Ok(())
    }

    /// Codes the blocks of a band: each with its length before it.
    ///
    /// # Errors
    /// A board cannot be coded.
    pub fn code(&self, band: u32, model: &ClassModel) -> Result<Vec<u8>, TablebaseError> {
        let mut bytes = Vec::new();
        for span in self.blocks(band) {
            let coded = code(self.game, self.class, span, &self.source, &model.model);
            let coded = coded.map_err(|error| self.invalid(error))?;
            bytes.extend_from_slice(&(coded.len() as u32).to_le_bytes());
            bytes.extend_from_slice(&coded);
        }
        Ok(bytes)
    }

    fn blocks(&self, band: u32) -> impl Iterator<Item = std::ops::Range<u32>> + use<G> {
        let span = self.partition.span(band, self.game.size(self.class));
        let (block, end) = (self.block, span.end);
        span.step_by(block as usize).map(move |start| start..start.saturating_add(block).min(end))
    }

    fn invalid(&self, CodingError { index, what }: CodingError) -> TablebaseError {
        TablebaseError::InvalidValue { class: self.game.class_name(self.class), index, what }
    }
}

impl ShareCounts {
    /// The counts as bytes: totals, and each symbol that occurs with its count.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.0.totals.numbers().iter().flat_map(|number| number.to_le_bytes()).collect();
        for (number, &count) in (0u32..).zip(self.0.symbols()).filter(|(_, count)| **count > 0) {
            bytes.extend_from_slice(&number.to_le_bytes());
            bytes.extend_from_slice(&count.to_le_bytes());
        }
        bytes
    }

    /// Adds the counts that [`bytes`](ShareCounts::bytes) gave; `false` when they are none.
    #[must_use]
    pub fn add(&mut self, bytes: &[u8]) -> bool {
        let Some((totals, symbols)) = bytes.split_first_chunk::<56>() else { return false };
        let (numbers, _) = totals.as_chunks::<8>();
        let mut totals = [0; 7];
        totals.iter_mut().zip(numbers).for_each(|(number, &bytes)| *number = u64::from_le_bytes(bytes));
        self.0.totals.add(&ValueCounts::of(totals));
        let (symbols, rest) = symbols.as_chunks::<8>();
        let known = symbols.iter().all(|&[a, b, c, d, e, f, g, h]| {
            self.0.add_symbols(u32::from_le_bytes([a, b, c, d]) as usize, u32::from_le_bytes([e, f, g, h]))
        });
        known && rest.is_empty()
    }

    /// The model of a class with these counts, the same for all shares.
    pub fn model<G: PerfectIndex>(
        &self,
        game: &G,
        class: u8,
        id: &TablebaseId,
        metric: Metric,
        band_bits: u32,
    ) -> ClassModel {
        let header = metric.header(game, class, id);
        let model = SymbolModel::of(self.0.symbols());
        let mut head = header.write(ShareCoder::<G>::block(band_bits), &header::lines(metric, &self.0.totals));
        model.write(&mut head);
        ClassModel { model, head }
    }
}

/// Puts the coded bands of a class together.
pub struct ClassJoiner {
    file: BlockWriter<'static>,
    dir: PathBuf,
    class: u8,
    metric: Metric,
    id: TablebaseId,
}

impl ClassJoiner {
    /// Begins the file of a class in this directory. Until it is finished the directory is unchanged.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn new<G: PerfectIndex>(
        dir: &Path,
        game: &G,
        class: u8,
        id: &TablebaseId,
        metric: Metric,
        model: &ClassModel,
    ) -> Result<ClassJoiner, TablebaseError> {
        let file = write_on(&Os, &metric.header(game, class, id).path(dir), &model.head)?;
        Ok(ClassJoiner { file, dir: dir.to_owned(), class, metric, id: id.clone() })
    }

    /// Appends the blocks of the next band.
    ///
    /// # Errors
    /// The file cannot be written, or the bytes are no blocks.
    pub fn append(&mut self, mut band: &[u8]) -> Result<(), TablebaseError> {
        while let Some((length, rest)) = band.split_first_chunk::<4>() {
            let length = u32::from_le_bytes(*length) as usize;
            let Some((block, rest)) = rest.split_at_checked(length) else { break };
            self.file.append(block)?;
            band = rest;
        }
        if band.is_empty() { Ok(()) } else { Err(TablebaseError::InvalidHeader { path: self.dir.clone() }) }
    }

    /// Ends the file.
    ///
    /// # Errors
    /// It cannot be written, or bands are missing.
    pub fn finish<G: PerfectIndex>(self, game: &G) -> Result<ClassInfo, TablebaseError> {
        self.file.finish()?;
        let header = self.metric.header(game, self.class, &self.id);
        let path = header.path(&self.dir);
        match ClassFile::open::<ValueContext>(&self.dir, header)? {
            Some((file, lines)) => ClassInfo::read(self.metric, &file, &lines),
            None => Err(TablebaseError::InvalidHeader { path }),
        }
    }
}

/// The name of the snapshots of statistics.
const COUNT: &str = "count";

impl CheckpointDir {
    /// Saves the statistics of the first bands of a share, up to `next`.
    ///
    /// # Errors
    /// A file could not be written.
    pub fn save_share_count(
        &mut self,
        id: &TablebaseId,
        found: &ClassSummary,
        complete: bool,
        next: u32,
    ) -> Result<(), RetrogradeError> {
        let facts =
            [("class", found.class.to_string()), ("complete", complete.to_string()), ("next", next.to_string())];
        let text = TablebaseSummary::class_text(found, id);
        self.save_state(COUNT, &facts, &[("statistics", text.as_bytes())])
    }

    /// How many bands of this share of a class are counted, and their statistics.
    ///
    /// # Errors
    /// They are damaged.
    pub fn share_count(
        &mut self,
        id: &TablebaseId,
        class: u8,
        complete: bool,
    ) -> Result<Option<(u32, ClassStatistics)>, RetrogradeError> {
        let (class, complete) = (class.to_string(), complete.to_string());
        let mut found = None;
        self.restore_state(COUNT, &mut |state| {
            if state.fact("class") != class || state.fact("complete") != complete {
                return Ok(false);
            }
            let mut text = vec![0; state.length("statistics")];
            state.load("statistics", &mut text)?;
            let part = TablebaseSummary::class_from_text(&text, id);
            let next = state.numbers("next").first().and_then(|&next| u32::try_from(next).ok());
            let (Some(next), Some(part)) = (next, part) else { return Err(state.unreadable()) };
            found = Some((next, part.statistics));
            Ok(true)
        })?;
        Ok(found)
    }

    /// Removes the statistics of bands.
    ///
    /// # Errors
    /// A file cannot be removed.
    pub fn forget_share_count(&mut self) -> Result<(), RetrogradeError> {
        self.clear_states(COUNT)
    }
}

impl TablebaseSummary {
    /// The statistics of a class as text, to be read again by [`class_from_text`](TablebaseSummary::class_from_text).
    pub fn class_text(found: &ClassSummary, id: &TablebaseId) -> String {
        TablebaseSummary { classes: vec![found.clone()], ..TablebaseSummary::default() }.print(id)
    }

    /// The statistics of a class in a text; `None` when there are none.
    pub fn class_from_text(text: &[u8], id: &TablebaseId) -> Option<ClassSummary> {
        let text = std::str::from_utf8(text).ok()?;
        TablebaseSummary::parse(text, id, Path::new("statistics")).ok()?.classes.pop()
    }

    /// Adds the statistics of a class, and the value of the start when it belongs to it.
    pub fn add_class(&mut self, found: ClassSummary, start: Option<u8>) {
        self.classes.push(found);
        self.classes.sort_by_key(|found| found.class);
        self.start = start.or(self.start);
        self.collect();
    }

    /// The statistics in a directory as far as they hold for a build of all stages, or of fewer.
    ///
    /// # Errors
    /// The file is damaged or belongs to another game.
    pub fn resume(dir: &Path, id: &TablebaseId, complete: bool) -> Result<TablebaseSummary, TablebaseError> {
        Ok(match TablebaseSummary::load(dir, id)? {
            Some(summary) if summary.complete == complete => summary,
            // Statistics of fewer classes are obsolete; distances remain valid.
            Some(TablebaseSummary { distances, unreached, farthest, .. }) => {
                TablebaseSummary { complete, distances, unreached, farthest, ..TablebaseSummary::default() }
            }
            None => TablebaseSummary { complete, ..TablebaseSummary::default() },
        })
    }
}
