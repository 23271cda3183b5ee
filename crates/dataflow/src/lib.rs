//! Tablebases on several machines: retrograde analysis on [timely dataflow](https://docs.rs/timely).
//!
//! The boards of a game are divided among workers, the threads of one or more processes
//! ([`tesuji_solve::retrograde::Partition`]). Each worker keeps its share of the values in memory and nothing else, and
//! what it finds out about boards of other workers it sends to them. A dataflow with one exchange carries the messages,
//! and its progress tracking tells when all messages of a step have arrived. The files are the same, byte by byte, as
//! those of one process.
//!
//! [`build`] runs one process. Timely itself ends a process by a panic when another one is lost, and waits for others
//! without end; the connections here belong to this crate, so that the loss of a process ends all others in an orderly
//! way, with the name of the lost one.

mod cluster;
mod error;
mod exchange;
mod finish;
mod link;
mod run;
mod stage;
mod worker;

pub use cluster::{Cluster, ClusterError};
pub use error::DataflowError;
pub use run::{DataflowEvent, DataflowJob, DataflowResult, build};
