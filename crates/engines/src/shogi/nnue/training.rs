//! Trains a network from data sets of positions.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tesuji_game::{Game, Outcome, Planes, Side};
use tesuji_learn::nnue::{Example, Examples, FeatureSet, NnueOutcome, NnuePoint, NnueSettings, NnueTraining};
use tesuji_learn::positions::{PositionEntry, PositionSets};
use tesuji_learn::{DataSetError, JobError};
use tesuji_shogi::{Shogi, Square};
use tesuji_task::Context;

use super::features::{self, KingBuckets};
use super::input_set::InputSet;

/// A training of a network for the evaluation of shogi.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NnueJob {
    /// The data sets to learn.
    pub data: Vec<PathBuf>,
    /// The data sets to test on, whose games must not be among the others.
    pub test: Vec<PathBuf>,
    /// The file for the network.
    pub out: PathBuf,
    /// The share of the result in the win rate to learn; the rest is that of the search value.
    pub lambda: f32,
    /// The search value in the data sets that means a win rate of 73 %.
    pub value_scale: f32,
    /// How it is trained.
    pub settings: NnueSettings,
}

/// Values beyond this are left out: such games are decided by a mate that no static evaluation sees.
const MOST_VALUE: u16 = 3_000;

/// The positions of data sets that are quiet: not in check, and the move played is no capture and no promotion.
struct QuietPositions {
    sets: PositionSets<Shogi>,
    chosen: Vec<u32>,
    lambda: f32,
    scale: f32,
}

impl QuietPositions {
    fn open(paths: &[PathBuf], job: &NnueJob) -> Result<QuietPositions, JobError> {
        let sets = PositionSets::<Shogi>::open(paths).map_err(JobError::input)?;
        let mut entry = PositionEntry::of(Shogi::start());
        let mut chosen = Vec::new();
        for index in 0..sets.len() {
            sets.entry(index, &mut entry).map_err(JobError::input)?;
            if is_quiet(&entry) && target(&entry, job.lambda, job.value_scale).is_some() {
                chosen.push(index as u32);
            }
        }
        Ok(QuietPositions { sets, chosen, lambda: job.lambda, scale: job.value_scale })
    }
}

/// Whether the evaluation of a position can be learned, since no search has to resolve it first.
fn is_quiet(entry: &PositionEntry<Shogi>) -> bool {
    let game = &entry.position;
    let Some(label) = entry.label.filter(|_| !game.in_check()) else { return false };
    if entry.value.is_some_and(|value| value.unsigned_abs() > MOST_VALUE) {
        return false;
    }
    let (how, to) = (usize::from(label) / 81, usize::from(label) % 81);
    // Labels count squares row by row from the far left, seen by the mover.
    let seen = if game.mover() == Side::First { to } else { 80 - to };
    let square = Square::new(9 - (seen % 9) as u8, 1 + (seen / 9) as u8);
    let promotes = (10..20).contains(&how);
    !promotes && square.is_some_and(|square| game.piece(square).is_none())
}

/// The win rate to learn, if anything is known.
fn target(entry: &PositionEntry<Shogi>, lambda: f32, scale: f32) -> Option<f32> {
    let result = entry.result.map(points);
    let value = entry.value.filter(|_| lambda < 1.0);
    let value = value.map(|value| 1.0 / (1.0 + (-f32::from(value) / scale).exp()));
    match (result.filter(|_| lambda > 0.0), value) {
        (Some(result), Some(value)) => Some(lambda * result + (1.0 - lambda) * value),
        (one, other) => one.or(other),
    }
}

fn points(result: Outcome) -> f32 {
    match result {
        Outcome::Loss => 0.0,
        Outcome::Draw => 0.5,
        Outcome::Win => 1.0,
    }
}

impl Examples for QuietPositions {
    fn len(&self) -> usize {
        self.chosen.len()
    }

    fn read(&self, index: usize, example: &mut Example) -> Result<(), DataSetError> {
        let mut entry = PositionEntry::of(Shogi::start());
        self.sets.entry(self.chosen[index] as usize, &mut entry)?;
        features::active(&entry.position, &mut example.active);
        example.output = KingBuckets::output(&entry.position);
        example.target = target(&entry, self.lambda, self.scale).unwrap_or(0.5);
        example.result = entry.result.map(points);
        Ok(())
    }
}

impl NnueJob {
    /// The share of the result that has proven itself.
    pub const LAMBDA: f32 = 0.25;
    /// The search value of our own engines that means a win rate of 73 %, and that of most programs.
    pub const VALUE_SCALE: f32 = 600.0;

    /// Trains and writes the network, or continues an interrupted run of the same job.
    ///
    /// # Errors
    /// A bad setting, a file that cannot be used, or cancellation: then the state is saved.
    pub fn run(&self, context: Context<'_>, events: &mut dyn FnMut(&NnuePoint)) -> Result<NnueOutcome, JobError> {
        let train = QuietPositions::open(&self.data, self)?;
        let test = QuietPositions::open(&self.test, self)?;
        let unit = self.settings.unit as f32;
        let features = FeatureSet {
            name: features::NAME.to_owned(),
            inputs: features::INPUTS,
            factors: features::FACTORS,
            outputs: features::OUTPUTS,
            direct: features::material(unit),
        };
        let task = self.task(&train, &test);
        let (settings, out) = (&self.settings, &self.out);
        NnueTraining { features: &features, train: &train, test: &test, settings, task: &task, out }
            .run(context, events)
    }

    /// The command that trains the same network, and the data.
    fn task(&self, train: &QuietPositions, test: &QuietPositions) -> String {
        let names = |files: &[PathBuf]| {
            files.iter().map(|file| tesuji_learn::job::file_name(file)).collect::<Vec<_>>().join(" ")
        };
        let NnueSettings { width, unit, batch, rate, decay, epochs, seed, test_positions, .. } = self.settings;
        let mut text = format!(
            "tesuji train {} --eval nnue --data {} --test {} --test-positions {test_positions} --epochs {epochs} \
             --batch {batch} --lr {rate} --weight-decay {decay} --lambda {} --value-scale {} --seed {seed}",
            Shogi::NAME,
            names(&self.data),
            names(&self.test),
            self.lambda,
            self.value_scale,
        );
        text += &format!("\nwidth {width}, unit {unit}, encoding {}", Shogi::ENCODING.name);
        for (what, positions) in [("data", train), ("test", test)] {
            for set in positions.sets.sets() {
                let (name, sum) = (tesuji_learn::job::file_name(set.path()), set.checksum());
                text +=
                    &format!("\n{what} {name}: {} positions of {} games, checksum {sum:08x}", set.len(), set.games());
            }
            text += &format!("\n{what}: {} quiet positions", positions.chosen.len());
        }
        text
    }
}
