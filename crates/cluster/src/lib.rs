//! Jobs on many machines: a queue in PostgreSQL, workers, and results put together.
//!
//! 1. [`initialise`] makes or upgrades the schema and its two roles.
//! 2. [`Submitter::submit`] stores a [`DistributedJob`](tesuji_registry::DistributedJob) and queues its units.
//! 3. [`work`] claims units in batches, does them on several threads and delivers the results. A unit is held by a lease
//!    that heartbeats extend; the clock is that of the server alone.
//! 4. [`Submitter::collect`] puts the results together: the same bytes as on one machine.
//!
//! A result is inserted once, in the transaction that releases its unit. Whatever happens to a worker, to the connection
//! or to the server, a unit is either done or it is queued again.

mod connect;
mod error;
mod migrations;
mod queue;
mod referee;
mod session;
mod simulate;
mod status;
mod submit;
mod tls;
mod work;

pub use connect::Database;
pub use error::ClusterError;
pub use migrations::{Initialised, LATEST, initialise, initialise_up_to};
pub use queue::{ClaimedUnit, Queue, UnitResult};
pub use simulate::{SimulationReport, SimulationRequest, simulate};
pub use status::StatusSource;
pub use submit::{Submitted, Submitter};
pub use work::{WorkEvent, WorkRequest, WorkSummary, work};
