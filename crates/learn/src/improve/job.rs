//! What a run of the improvement loop is told to do.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{GateRule, GateTask, SelfPlayTask, TrainTask};
use crate::JobError;

/// A run of the improvement loop.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ImproveJob {
    /// The folder of the run. One with an earlier run of the same settings goes on.
    pub out: PathBuf,
    /// Generations in all, those of earlier runs included.
    pub generations: u32,
    /// Games of self-play in each generation.
    pub games: u32,
    /// A training learns from the games of so many generations, the newest ones.
    pub window: u32,
    /// When a new evaluation is accepted.
    pub gate: GateRule,
    /// The seed of everything random.
    pub seed: u64,
    /// Threads; all cores by default.
    pub threads: Option<usize>,
}

/// What a seed is for: no two uses share one.
#[derive(Clone, Copy)]
enum SeedUse {
    SelfPlay = 1,
    Training = 2,
    Gate = 3,
}

impl ImproveJob {
    /// Refuses settings that make no run.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn check(&self) -> Result<(), JobError> {
        for (field, number) in [("generations", self.generations), ("games", self.games), ("window", self.window)] {
            if number == 0 {
                return Err(JobError::field(field, "0: at least 1"));
            }
        }
        self.gate.check()
    }

    /// The journal.
    pub fn journal(&self) -> PathBuf {
        self.out.join("improve.journal")
    }

    /// The evaluation of a generation; 0 is the start.
    pub fn evaluation(&self, generation: u32, extension: &str) -> PathBuf {
        self.out.join("evaluations").join(format!("{generation:04}.{extension}"))
    }

    /// The copy of the last accepted evaluation.
    pub fn best(&self, extension: &str) -> PathBuf {
        self.out.join(format!("best.{extension}"))
    }

    /// The games of a generation.
    pub fn games_of(&self, generation: u32) -> PathBuf {
        self.out.join("self-play").join(format!("{generation:04}.set"))
    }

    /// The generations whose games are learned in a generation, the oldest first.
    pub fn window_of(&self, generation: u32) -> std::ops::RangeInclusive<u32> {
        generation.saturating_sub(self.window.saturating_sub(1)).max(1)..=generation
    }

    pub(super) fn self_play_task(&self, generation: u32, best: &Path) -> SelfPlayTask {
        SelfPlayTask {
            generation,
            games: self.games,
            evaluation: best.to_owned(),
            out: self.games_of(generation),
            seed: self.seed_of(generation, SeedUse::SelfPlay),
            threads: self.threads,
        }
    }

    pub(super) fn train_task(&self, generation: u32, best: &Path, extension: &str) -> TrainTask {
        TrainTask {
            generation,
            best: best.to_owned(),
            data: self.window_of(generation).map(|generation| self.games_of(generation)).collect(),
            out: self.evaluation(generation, extension),
            seed: self.seed_of(generation, SeedUse::Training),
            threads: self.threads,
        }
    }

    pub(super) fn gate_task(&self, generation: u32, best_generation: u32, engines: [String; 2]) -> GateTask {
        let [candidate, best] = engines;
        GateTask {
            generation,
            best_generation,
            candidate,
            best,
            rule: self.gate,
            folder: self.out.join("gates").join(format!("{generation:04}")),
            seed: self.seed_of(generation, SeedUse::Gate),
            threads: self.threads,
        }
    }

    /// The seed of a step: a hash of the run's seed, the generation and the use (the finalizer of SplitMix64).
    fn seed_of(&self, generation: u32, purpose: SeedUse) -> u64 {
        let step = u64::from(generation) << 8 | purpose as u64;
        let mut hash = self.seed ^ step.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        // Seeds are shown and given as numbers: 48 bits survive every reader of JSON.
        (hash ^ hash >> 31) >> 16
    }

    /// Everything that a run depends on, in one line, besides the number of generations and threads.
    pub(super) fn settings(&self, candidate: &str, referee: &str) -> String {
        let ImproveJob { games, window, seed, gate, .. } = self;
        let gate = match gate {
            GateRule::Open => "every evaluation accepted".to_owned(),
            GateRule::Score { games, least } => format!("gate of {games} games with at least {least} of the points"),
            GateRule::Sprt(sprt) => format!(
                "gate by SPRT {}:{} with errors {} and {}, at most {} games",
                sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta, sprt.games
            ),
        };
        let judged = if referee.is_empty() { String::new() } else { format!("; {referee}") };
        format!("{games} games a generation, window of {window}, {gate}, seed {seed}; {candidate}{judged}")
            .replace(['\n', '\r'], " ")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_window_holds_the_newest_generations() {
        let job = ImproveJob {
            out: "run".into(),
            generations: 9,
            games: 10,
            window: 3,
            gate: GateRule::Open,
            seed: 1,
            threads: None,
        };
        let window = |generation| job.window_of(generation).collect::<Vec<_>>();
        assert_eq!((window(1), window(2), window(3), window(4)), (vec![1], vec![1, 2], vec![1, 2, 3], vec![2, 3, 4]));
        let task = job.train_task(4, Path::new("best"), "net");
        let names: Vec<_> = task.data.iter().filter_map(|path| path.file_name()?.to_str()).collect();
        assert_eq!(names, ["0002.set", "0003.set", "0004.set"]);
        let alone = ImproveJob { window: 1, ..job.clone() };
        assert_eq!(alone.window_of(7), 7..=7);
        let uses = [SeedUse::SelfPlay, SeedUse::Training, SeedUse::Gate];
        let seeds = (1..200).flat_map(|generation| uses.map(|purpose| job.seed_of(generation, purpose)));
        assert_eq!(seeds.collect::<HashSet<_>>().len(), 199 * 3);
        assert!(ImproveJob { window: 0, ..job }.check().is_err());
    }
}
