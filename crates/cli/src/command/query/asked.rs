//! Which position is asked about, and how much of its past is known.

use tesuji_game::{Notation, Record, TextError};

use crate::args;
use crate::failure::Failure;

/// A position with what led to it.
pub(super) struct Asked<G: Notation> {
    /// The position is where this stands.
    pub(super) record: Record<G>,
    /// Whether the move before is known, so that what is forbidden is known too.
    pub(super) past: bool,
    /// What was said of the past that cannot be.
    pub(super) warning: Option<String>,
}

impl<G: Notation> Asked<G> {
    /// Reads the position, `--previous` and `--moves`.
    pub(super) fn read(args: &args::Query) -> Result<Asked<G>, Failure> {
        let mut asked = match (&args.position, &args.previous) {
            (None, _) => Asked { record: Record::new(G::start()), past: false, warning: None },
            (Some(text), None) => match text.split_once('/') {
                None => Asked::board(read(text, "the position")?),
                Some((board, previous)) => {
                    let whole = G::parse(text);
                    match (G::parse(board), G::parse(previous)) {
                        (Ok(alone), Ok(_)) => Asked::after(whole, alone, board, previous),
                        _ => Asked::board(whole.map_err(|error| misread(text, "the position", &error))?),
                    }
                }
            },
            (Some(text), Some(_)) if text.contains('/') => {
                return Err(Failure::usage(format!(
                    "the position {text:?} already tells the board before: leave out --previous or what follows the slash"
                )));
            }
            (Some(board), Some(previous)) => {
                let alone = read(board, "the position")?;
                read::<G>(previous, "--previous")?;
                Asked::after(G::parse(&format!("{board}/{previous}")), alone, board, previous)
            }
        };
        if let Some(moves) = &args.moves {
            G::read_moves(&mut asked.record, moves)
                .map_err(|fault| Failure::usage(format!("--moves: {fault}")))?;
            asked.past |= !asked.record.plies().is_empty();
        }
        Ok(asked)
    }

    fn board(position: G) -> Asked<G> {
        Asked { record: Record::new(position), past: false, warning: None }
    }

    /// A board after another; both can be read, but one may not lead to the other.
    fn after(position: Result<G, TextError>, board: G, text: &str, previous: &str) -> Asked<G> {
        match position {
            Ok(position) => Asked { past: true, ..Asked::board(position) },
            Err(_) => {
                let warning = format!(
                    "no move leads from {previous:?} to {text:?}, so nothing is forbidden here; the board before the \
                     last move is needed, as its own mover saw it"
                );
                Asked { warning: Some(warning), ..Asked::board(board) }
            }
        }
    }
}

fn read<G: Notation>(text: &str, what: &str) -> Result<G, Failure> {
    G::parse(text).map_err(|error| misread(text, what, &error))
}

/// What is wrong, and where.
fn misread(text: &str, what: &str, error: &TextError) -> Failure {
    let place = text.get(..error.at).map_or(0, |before| before.chars().count()) + 1;
    Failure::usage(format!("{what}, character {place}: {error}"))
}
