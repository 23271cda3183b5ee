//! Statistics of records.

use std::path::Path;

use tesuji_arena::RecordCounter;
pub use tesuji_arena::{PlayerRating, RecordStats};

use crate::{Error, Playable, RecordSource, Registration};

/// Statistics of records.
pub trait StatsApi {
    /// The statistics of all records of these sources.
    ///
    /// # Errors
    /// A source cannot be read, or there is no such format.
    fn record_stats(
        &self,
        sources: &mut dyn Iterator<Item = Result<RecordSource, Error>>,
    ) -> Result<RecordStats, Error>;
}

impl<G: Playable> StatsApi for Registration<G> {
    fn record_stats(
        &self,
        sources: &mut dyn Iterator<Item = Result<RecordSource, Error>>,
    ) -> Result<RecordStats, Error> {
        let mut counter = RecordCounter::default();
        for source in sources {
            let source = source?;
            let file = source.file.as_ref();
            let fill = self.companions.zip(file).map(|(companions, file)| companions(Path::new(file)));
            source.each::<G>(|_, mut parsed| {
                if let Some(fill) = &fill {
                    fill(&mut parsed.record);
                }
                counter.add(&parsed);
            })?;
        }
        Ok(counter.stats(G::NAME))
    }
}
