//! The referee of a job: the one worker that ends its sequential tests and pairs its Swiss rounds.

use std::collections::HashMap;

use tesuji_registry::{Ruling, UnitJob, UnitReferee};

use crate::{ClusterError, Queue};

/// Results read at a time.
const PAGE: usize = 500;

/// The jobs that this worker is the referee of.
#[derive(Default)]
pub(crate) struct Referees(HashMap<i64, Box<dyn UnitReferee>>);

/// What a referee has changed.
#[derive(Clone, Copy, Default)]
pub(crate) struct Ruled {
    pub(crate) cancelled: usize,
    pub(crate) released: usize,
}

impl Referees {
    /// Follows the results of a job, if this worker is its referee.
    ///
    /// After an error the referee begins anew: rulings follow from the results alone, and one that was carried out
    /// already changes nothing.
    pub(crate) fn follow(
        &mut self,
        queue: &mut Queue,
        me: i64,
        id: i64,
        job: &dyn UnitJob,
    ) -> Result<Ruled, ClusterError> {
        let mut ruled = Ruled::default();
        let Some(mut referee) = self.0.remove(&id).or_else(|| job.referee()) else { return Ok(ruled) };
        if !queue.become_referee(me, id)? {
            return Ok(ruled);
        }
        loop {
            let results = queue.results_of(me, id, &referee.missing(PAGE))?;
            for (unit, bytes) in &results {
                referee.take(*unit, bytes)?;
            }
            for ruling in referee.rule() {
                match ruling {
                    Ruling::Cancel(units) => ruled.cancelled += queue.cancel_units(me, id, &units)?,
                    Ruling::Release(units) => ruled.released += queue.release_units(me, id, &units)?,
                }
            }
            if results.is_empty() {
                break;
            }
        }
        self.0.insert(id, referee);
        Ok(ruled)
    }

    /// Forgets everything: another worker may have taken over.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}
