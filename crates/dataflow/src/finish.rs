//! The end of a class: every worker counts and codes its share, and the first joins the blocks to the file.

use std::sync::atomic::Ordering;

use tesuji_game::PerfectIndex;
use tesuji_solve::retrograde::{BoardSource, ClassStatistics};
use tesuji_solve::tablebase::{ClassJoiner, ClassSummary, ShareCoder, ShareCounts, TablebaseSummary, WriteProgress};

use crate::error::DataflowError;
use crate::exchange::{Exchange, Kind, Parcel};
use crate::run::DataflowEvent;
use crate::worker::{Ended, ShareWorker, ignore};

/// Bands that a worker counts or codes in a round.
const BANDS: usize = 8;

/// Before the statistics of a share: the value of the start when the share has it.
const NO_START: u8 = u8::MAX;

/// What all workers know at the end of a round.
struct RoundEnd {
    /// No worker has bands left.
    is_through: bool,
    /// A process was asked to stop.
    stop: bool,
    /// The blocks that were sent to this worker.
    arrived: Vec<Parcel>,
}

impl<'w, G: PerfectIndex + Send + 'static> ShareWorker<'w, G> {
    /// Counts and writes a class, as far as that is not done. The first worker has the statistics.
    pub(crate) fn finish_class(
        &mut self,
        class: u8,
        summary: Option<&mut TablebaseSummary>,
    ) -> Result<Ended, DataflowError> {
        let mut word = Vec::new();
        if let Some(summary) = &summary {
            let is_counted = summary.classes.iter().any(|found| found.class == class);
            let is_written = self.table()?.is_some_and(|table| table.has(class));
            word = vec![u8::from(is_counted), u8::from(is_written)];
        }
        let words = self.exchange.gather(&word, &mut ignore)?;
        let &[is_counted, is_written] = &words[0][..] else { return Err(DataflowError::Message { process: 0 }) };
        let (game, job) = (self.game, self.job);
        let values = self.checkpoints.share_values(&**game, class, self.partition)?;
        let coder = ShareCoder::new(&**game, class, self.partition, self.exchange.index(), values, job.metric);
        if is_counted == 0 && self.count(class, &coder, summary)? == Ended::Stopped {
            return Ok(Ended::Stopped);
        }
        if is_written == 0 { self.write(class, &coder) } else { Ok(Ended::Done) }
    }

    /// A round: some of the own bands, from `next` on. All workers take part until all are through.
    fn round(
        &mut self,
        bands: &[u32],
        next: &mut usize,
        mut one: impl FnMut(&mut Exchange<'w>, u32) -> Result<(), DataflowError>,
    ) -> Result<RoundEnd, DataflowError> {
        let mut arrived = Vec::new();
        for &band in bands.iter().skip(*next).take(BANDS) {
            one(&mut self.exchange, band)?;
            self.exchange.turn(&mut |parcel| arrived.push(parcel))?;
            *next += 1;
        }
        let word = [u8::from(*next < bands.len()), u8::from(self.orders.stop.load(Ordering::Relaxed))];
        let words = self.exchange.gather(&word, &mut |parcel| arrived.push(parcel))?;
        let any = |at: usize| words.iter().any(|word| word.get(at) == Some(&1));
        Ok(RoundEnd { is_through: !any(0), stop: any(1), arrived })
    }

    /// Counts the statistics of a class.
    fn count(
        &mut self,
        class: u8,
        coder: &ShareCoder<'_, G>,
        summary: Option<&mut TablebaseSummary>,
    ) -> Result<Ended, DataflowError> {
        let job = self.job;
        let (name, complete) = (self.game.class_name(class), job.is_complete(&**self.game));
        let bands: Vec<u32> = coder.bands().collect();
        let (next, statistics) = self.checkpoints.share_count(&job.id, class, complete)?.unwrap_or_default();
        let (mut next, mut found) = (next as usize, ClassSummary { class, name: name.clone(), statistics });
        loop {
            let end = self.round(&bands, &mut next, |_, band| {
                coder.statistics(band, complete, &mut found.statistics);
                Ok(())
            })?;
            let (done, total) = (next as u64, bands.len() as u64);
            self.report(DataflowEvent::Counting { class: name.clone(), done, total });
            if end.is_through {
                break;
            }
            // Every worker for itself: the statistics of its share depend on no other.
            if self.is_due() || end.stop {
                self.checkpoints.save_share_count(&job.id, &found, complete, next as u32)?;
                self.is_saved();
            }
            if end.stop {
                self.exchange.gather(&[], &mut ignore)?;
                return Ok(Ended::Stopped);
            }
        }
        let (start_class, start) = self.start;
        let is_here = start_class == class && self.partition.place(start).0 == self.exchange.index();
        let mut word = vec![if is_here { coder.values().board(start).first } else { NO_START }];
        word.extend_from_slice(TablebaseSummary::class_text(&found, &job.id).as_bytes());
        let words = self.exchange.gather_first(word, &mut ignore)?;
        if let Some(summary) = summary {
            let (mut sum, mut start) = (ClassStatistics::default(), None);
            for (worker, word) in words.iter().enumerate() {
                let part = word.split_first().and_then(|(&value, text)| {
                    start = start.or((value != NO_START).then_some(value));
                    TablebaseSummary::class_from_text(text, &job.id)
                });
                sum.add(&part.ok_or(DataflowError::Message { process: worker })?.statistics);
            }
            let found = ClassSummary { class, name, statistics: sum };
            self.report(DataflowEvent::Counted(found.clone()));
            summary.add_class(found, start);
            summary.save(&job.dir, &job.id)?;
        }
        // Not before the sum is on disk at the first worker.
        self.exchange.gather(&[], &mut ignore)?;
        self.checkpoints.forget_share_count()?;
        Ok(Ended::Done)
    }

    /// Writes the file of a class.
    fn write(&mut self, class: u8, coder: &ShareCoder<'_, G>) -> Result<Ended, DataflowError> {
        let (game, job, partition) = (&**self.game, self.job, self.partition);
        let name = game.class_name(class);
        let bands: Vec<u32> = coder.bands().collect();
        let mut progress = WriteProgress { done: 0, total: 2 * u64::from(partition.bands(game.size(class))) };
        let mut counts = ShareCounts::default();
        let mut next = 0;
        loop {
            let end = self.round(&bands, &mut next, |_, band| Ok(coder.count(band, &mut counts)?))?;
            progress.done = (next * partition.shares()) as u64;
            self.report(DataflowEvent::Writing { class: name.clone(), progress });
            match end {
                RoundEnd { is_through: true, .. } => break,
                RoundEnd { stop: true, .. } => return Ok(Ended::Stopped),
                RoundEnd { .. } => {}
            }
        }
        let words = self.exchange.gather(&counts.bytes(), &mut ignore)?;
        let mut counts = ShareCounts::default();
        for (worker, word) in words.iter().enumerate() {
            if !counts.add(word) {
                return Err(DataflowError::Message { process: worker });
            }
        }
        drop(words);
        let model = counts.model(game, class, &job.id, job.metric, partition.band_bits());
        drop(counts);
        let mut joiner = match self.exchange.index() {
            0 => Some(ClassJoiner::new(&job.dir, game, class, &job.id, job.metric, &model)?),
            _ => None,
        };
        let mut next = 0;
        loop {
            let mut end = self.round(&bands, &mut next, |exchange, band| {
                exchange.send(0, Kind::Blocks, band, coder.code(band, &model)?);
                Ok(())
            })?;
            if let Some(joiner) = &mut joiner {
                // All bands of a round are before those of the next.
                end.arrived.sort_by_key(|parcel| parcel.page);
                end.arrived.iter().try_for_each(|parcel| joiner.append(&parcel.bytes))?;
            }
            progress.done = (progress.total / 2 + (next * partition.shares()) as u64).min(progress.total);
            self.report(DataflowEvent::Writing { class: name.clone(), progress });
            match end {
                RoundEnd { is_through: true, .. } => break,
                RoundEnd { stop: true, .. } => return Ok(Ended::Stopped),
                RoundEnd { .. } => {}
            }
        }
        if let Some(joiner) = joiner {
            self.report(DataflowEvent::Written(joiner.finish(game)?));
        }
        // The shares stay until the file is whole.
        self.exchange.gather(&[], &mut ignore)?;
        Ok(Ended::Done)
    }
}
