//! The referee of a job: the one worker that ends its sequential tests and pairs its Swiss rounds.

use std::collections::HashMap;

use tesuji_registry::{Ruling, UnitJob, UnitReferee};

use crate::{ClusterError, Queue};

/// Results read at a time.
const PAGE: usize = 500;

/// The jobs that this worker is the referee of.
#[derive(Default)]
pub(crate) struct Referees(HashMap<i64, Box<dyn UnitReferee>>);

impl Referees {
    /// Follows the results of a job, if this worker is its referee. Returns how many units were cancelled.
    ///
    /// After an error the referee begins anew: rulings follow from the results alone, and one that was carried out
    /// already changes nothing.
    pub(crate) fn follow(
        &mut self,
        queue: &mut Queue,
        me: i64,
        id: i64,
        job: &dyn UnitJob,
    ) -> Result<usize, ClusterError> {
        let Some(mut referee) = self.0.remove(&id).or_else(|| job.referee()) else { return Ok(0) };
        if !queue.become_referee(me, id)? {
            return Ok(0);
        }
        let mut cancelled = 0;
        loop {
            let results = queue.results_of(me, id, &referee.missing(PAGE))?;
            for (unit, bytes) in &results {
                referee.take(*unit, bytes)?;
            }
            for ruling in referee.rule() {
                match ruling {
                    Ruling::Cancel(units) => cancelled += queue.cancel_units(me, id, &units)?,
                    Ruling::Release(units) => drop(queue.release_units(me, id, &units)?),
                }
            }
            if results.is_empty() {
                break;
            }
        }
        self.0.insert(id, referee);
        Ok(cancelled)
    }

    /// Forgets everything: another worker may have taken over.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}
