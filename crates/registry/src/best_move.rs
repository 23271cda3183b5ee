//! The move to play in a game that is given as text.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tesuji_game::{Notation, Record, Side};
use tesuji_task::Context;

use crate::{AnalysisEvent, AnalysisUpdate, EngineChoice, EngineRequest, Error, Playable, PositionSpec, Registration};

/// A search without any limit takes this long.
const MOVE_TIME: Duration = Duration::from_secs(1);

/// Asks for a move to play.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct BestMoveRequest {
    /// The game: the position or `startpos` on the first line, then moves. For Trax an optional colour, the number of
    /// moves, the moves.
    pub text: String,
    /// The engine and its limits.
    #[serde(flatten)]
    pub engine: EngineRequest,
}

/// Asks for a move to play at a position.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PlayRequest {
    /// The position.
    #[serde(flatten)]
    pub at: PositionSpec,
    /// The engine and its limits.
    #[serde(flatten)]
    pub engine: EngineRequest,
}

/// The move to play.
pub trait BestMoveApi {
    /// The move to play at a position, by book or search, with what the engine tells meanwhile. Cancelling ends the
    /// search.
    ///
    /// # Errors
    /// The position or the engine does not exist.
    fn choose_move(
        &self,
        request: &PlayRequest,
        context: Context<'_>,
        events: &mut dyn FnMut(AnalysisEvent),
    ) -> Result<EngineChoice, Error>;

    /// The move to play. Cancelling ends the search.
    ///
    /// # Errors
    /// The game or the engine does not exist.
    fn best_move(&self, request: &BestMoveRequest, context: Context<'_>) -> Result<EngineChoice, Error>;
}

impl<G: Playable> BestMoveApi for Registration<G> {
    fn choose_move(
        &self,
        request: &PlayRequest,
        context: Context<'_>,
        events: &mut dyn FnMut(AnalysisEvent),
    ) -> Result<EngineChoice, Error> {
        let record = request.at.record::<G>()?;
        let now = record.now();
        let mut prepared = request.engine.prepare(&self.engines, "engine", MOVE_TIME)?;
        let unit = self.engines.unit_of(&prepared.spec);
        let reported = self.engines.reported_unit(&prepared.spec).name.to_owned();
        events(AnalysisEvent::Started { mover: now.mover().into(), engine: prepared.spec.to_string(), unit: reported });
        let choice = prepared.engine.think(&record, &prepared.limits, context.cancel, &mut |report| {
            events(AnalysisEvent::Update(AnalysisUpdate::of(now, report, unit)));
        });
        Ok(EngineChoice::of(now, &choice))
    }

    fn best_move(&self, request: &BestMoveRequest, context: Context<'_>) -> Result<EngineChoice, Error> {
        let mut prepared = request.engine.prepare(&self.engines, "engine", MOVE_TIME)?;
        let read = if self.counted { counted_game::<G>(&request.text) } else { plain_game(&request.text) };
        let record = read.map_err(|message| Error::field("text", message))?;
        let choice = prepared.engine.think(&record, &prepared.limits, context.cancel, &mut |_| {});
        Ok(EngineChoice::of(record.now(), &choice))
    }
}

/// The position or `startpos` on the first line, moves on the others, or after the word `moves`.
fn plain_game<G: Notation>(text: &str) -> Result<Record<G>, String> {
    let text = text.trim_start();
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let first = first.strip_prefix("position ").unwrap_or(first);
    let (position, more) = first.split_once(" moves").unwrap_or((first, ""));
    let start = match position.trim() {
        "" => return Err("empty; write a position or startpos on the first line, then moves".to_owned()),
        "startpos" => G::start(),
        position => G::parse(position).map_err(|error| format!("line 1: {error}"))?,
    };
    let mut record = Record::new(start);
    G::read_moves(&mut record, &format!("{more} {rest}")).map_err(|fault| fault.to_string())?;
    Ok(record)
}

/// An optional colour, the number of moves, the moves.
fn counted_game<G: Playable>(text: &str) -> Result<Record<G>, String> {
    const FORM: &str = "write the number of moves, then the moves, one per line";
    let mut words = text.split_whitespace().peekable();
    let colour = words.next_if(|word| !word.starts_with(|letter: char| letter.is_ascii_digit()));
    let number = words.next().ok_or_else(|| format!("no number of moves; {FORM}"))?;
    let count: usize = number.parse().map_err(|_| format!("\"{number}\" is not a number of moves; {FORM}"))?;
    let moves: Vec<&str> = words.collect();
    if moves.len() != count {
        return Err(format!("{count} moves are announced, but {} follow; {FORM}", moves.len()));
    }
    let mut record = Record::new(G::start());
    G::read_moves(&mut record, &moves.join(" ")).map_err(|fault| fault.to_string())?;
    if let Some(word) = colour {
        let mover = record.now().mover();
        let [first, second] = G::players();
        let side = side_named::<G>(word).ok_or_else(|| {
            format!("\"{word}\" is no colour; the first line is W ({first}), R or B ({second}), or the number")
        })?;
        if side != mover {
            let (asked, mover) = (G::players()[side.index()], G::players()[mover.index()]);
            return Err(format!("the first line names {asked}, but after {count} moves it is {mover}'s turn"));
        }
    }
    Ok(record)
}

/// The side of a colour, by its name or its letter; B stands for the second player too.
fn side_named<G: Playable>(word: &str) -> Option<Side> {
    let word = word.trim_start_matches('-').to_ascii_lowercase();
    if word == "b" || word == "black" {
        return Some(Side::Second);
    }
    let fits = |name: &str| !word.is_empty() && (name == word || name.get(..1) == Some(&word));
    Side::BOTH.into_iter().find(|side| fits(G::players()[side.index()]))
}
