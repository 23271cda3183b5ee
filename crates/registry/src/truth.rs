//! Networks measured by a tablebase: the share of optimal moves and the error of the win rate.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tesuji_engines::network::{KnownPositions, NetworkPolicyValue, load_network};
pub use tesuji_engines::network::{TruthFigures, TruthJob};
use tesuji_engines::{EngineConstructor, Spec};
use tesuji_game::HasPerfectIndex;
use tesuji_learn::job::JobError;
use tesuji_learn::positions::PositionGame;
use tesuji_task::Context;

use crate::{Error, Playable, Registration, Registry};

/// A network to be measured by a tablebase.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TruthRequest {
    /// The network.
    pub net: PathBuf,
    /// The boards.
    pub truth: TruthJob,
    /// An engine whose moves are compared too, with the network; the policy alone by default.
    pub engine: Option<String>,
}

/// A network measured by a tablebase.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TruthResponse {
    /// The network.
    pub net: String,
    /// The game.
    pub game: String,
    /// Its policy and value.
    #[serde(flatten)]
    pub figures: TruthFigures,
    /// The engine, if its moves were compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// The moves of the engine; it has no value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine_moves: Option<TruthFigures>,
    /// What was assumed about a file of another program.
    #[serde(skip)]
    pub warnings: Vec<String>,
}

/// Boards whose truth is known.
pub trait KnownTruth {
    /// Compares the policy and the value of the network of a file.
    ///
    /// # Errors
    /// The file is no network of the game with both heads, or the work was cancelled.
    fn measure(&self, net: &Path, context: Context<'_>) -> Result<TruthFigures, JobError>;

    /// Compares the moves of an engine.
    ///
    /// # Errors
    /// There is no such engine, or the work was cancelled.
    fn measure_engine(&self, spec: &Spec, context: Context<'_>) -> Result<TruthFigures, JobError>;
}

/// Draws boards whose truth is known.
pub type TruthMaker<G> = fn(&TruthJob, EngineConstructor<G>, Context<'_>) -> Result<Box<dyn KnownTruth>, JobError>;

/// Games whose truth a tablebase knows.
pub trait TruthApi {
    /// Whether a tablebase can tell the truth about networks of this game.
    fn has_truth(&self) -> bool;

    /// Draws boards and looks up all their moves.
    ///
    /// # Errors
    /// The game has no tablebases, there is none in the folder, or the work was cancelled.
    fn known_truth(&self, job: &TruthJob, context: Context<'_>) -> Result<Box<dyn KnownTruth>, Error>;
}

impl<G: Playable> Registration<G> {
    /// The tablebases of the game tell the truth about its networks.
    pub fn truth(mut self) -> Registration<G>
    where
        G: HasPerfectIndex + PositionGame,
    {
        self.truth = Some(|job, make, context| {
            Ok(Box::new(TablebaseTruth { positions: KnownPositions::<G>::draw(job, context)?, make }))
        });
        self
    }
}

impl<G: Playable> TruthApi for Registration<G> {
    fn has_truth(&self) -> bool {
        self.truth.is_some()
    }

    fn known_truth(&self, job: &TruthJob, context: Context<'_>) -> Result<Box<dyn KnownTruth>, Error> {
        let missing = || Error::field("tablebase", format!("{} has no tablebase and networks for it", G::NAME));
        Ok(self.truth.ok_or_else(missing)?(job, self.engines.make, context)?)
    }
}

struct TablebaseTruth<G: Playable> {
    positions: KnownPositions<G>,
    make: EngineConstructor<G>,
}

impl<G: Playable + HasPerfectIndex + PositionGame> KnownTruth for TablebaseTruth<G> {
    fn measure(&self, net: &Path, context: Context<'_>) -> Result<TruthFigures, JobError> {
        let wrong = |error: &dyn std::fmt::Display| JobError::Input(format!("{}: {error}", net.display()));
        let network = NetworkPolicyValue::new(load_network::<G>(net).map_err(|error| wrong(&error))?);
        if network.heads() != (true, true) {
            return Err(wrong(&"the network needs a policy and a value head to be compared"));
        }
        self.positions.measure(&network, context)
    }

    fn measure_engine(&self, spec: &Spec, context: Context<'_>) -> Result<TruthFigures, JobError> {
        self.positions.measure_engine(spec, self.make, context)
    }
}

impl Registry {
    /// Measures a network by a tablebase. Its file tells the game.
    ///
    /// # Errors
    /// A file is damaged or belongs to a game without tablebases, or the work was cancelled.
    pub fn measure_network(&self, request: &TruthRequest, context: Context<'_>) -> Result<TruthResponse, Error> {
        let info = self.show_network(&request.net)?;
        let named = info.games.iter().find(|name| self.game(name).is_ok_and(|game| game.has_truth()));
        let Some(name) = named else {
            let message = format!(
                "{}: it is a network for {}, of which there are no tablebases",
                request.net.display(),
                info.games.join(", ")
            );
            return Err(Error::invalid(message));
        };
        let truth = self.game(name)?.known_truth(&request.truth, context)?;
        let figures = truth.measure(&request.net, context)?;
        let engine_moves = match &request.engine {
            None => None,
            Some(text) => {
                let mut spec = Spec::parse(text).map_err(|error| Error::field("engine", error))?;
                if spec.get("net").is_none() && ["puct", "policy", "value1"].contains(&spec.name.as_str()) {
                    spec.settings.push(("net".to_owned(), request.net.display().to_string()));
                }
                Some(truth.measure_engine(&spec, context)?)
            }
        };
        Ok(TruthResponse {
            net: request.net.display().to_string(),
            game: name.clone(),
            figures,
            engine: request.engine.clone(),
            engine_moves,
            warnings: info.warning.into_iter().collect(),
        })
    }
}
