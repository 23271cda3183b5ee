//! What engines of two machines must have in common, so that their games are the same.

use tesuji_arena::TournamentConfig;
use tesuji_task::CancelToken;

use super::DistributedJob;
use crate::{Error, Registry};

impl Registry {
    /// The signature of the engines that a job needs: the version, the checksum of the weights that ship, and the nodes
    /// that the benchmark of each game visits. Files named in engine specs are part of the identity of the job.
    ///
    /// # Errors
    /// There is no such game, or the operation was cancelled.
    pub fn signature(&self, job: &DistributedJob, cancel: &CancelToken) -> Result<String, Error> {
        let mut games = match job {
            DistributedJob::Tournament { config, .. } => {
                let config = TournamentConfig::parse(config).map_err(Error::invalid)?;
                config.events.into_iter().map(|event| event.game).collect()
            }
            DistributedJob::DataSet { game, .. }
            | DistributedJob::Book { game, .. }
            | DistributedJob::Verification { game, .. } => vec![game.clone()],
        };
        games.sort();
        games.dedup();
        let weights = tesuji_engines::shipped_checksum();
        let mut signature = format!("tesuji {}, weights {weights:08x}", env!("CARGO_PKG_VERSION"));
        for name in games {
            let nodes = self.game(&name)?.bench_nodes(cancel)?;
            signature.push_str(&format!(", {name} {nodes} nodes"));
        }
        Ok(signature)
    }
}
