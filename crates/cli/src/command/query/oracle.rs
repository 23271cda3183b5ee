//! Whoever knows what positions are worth: the table, or in tests a search.

use tesuji_game::{HasPerfectIndex, NO_MOVE, PerfectIndex};
use tesuji_solve::tablebase::{PositionValue, Tablebase, TablebaseError};

use crate::failure::Failure;

/// Knows what every position in play is worth.
pub(super) trait Oracle<G> {
    /// What a position in play is worth to the mover.
    fn worth(&self, position: G) -> Result<PositionValue, Failure>;
}

impl<G: HasPerfectIndex> Oracle<G> for Tablebase<G::Index> {
    fn worth(&self, position: G) -> Result<PositionValue, Failure> {
        Tablebase::value(self, position.forbidding(NO_MOVE), position.forbidden())
            .map_err(|error| failure::<G>(&**self.game(), error))
    }
}

/// What a table says when it has no answer, with the command that helps.
pub(super) fn failure<G: HasPerfectIndex>(index: &G::Index, error: TablebaseError) -> Failure {
    let solve = format!("tesuji solve {}", G::NAME);
    Failure::Failed(match error {
        TablebaseError::NotFound { dir, game } => {
            let dir = dir.display();
            format!(
                "there is no table of {game} in {dir}: `{solve} --out {dir}` makes one, --table names another"
            )
        }
        TablebaseError::MissingClass { dir, class } => {
            let stage = index.stages().iter().position(|classes| {
                let mut names = classes.iter().map(|&number| index.class_name(number));
                names.any(|name| name == class)
            });
            let pieces = stage.and_then(|stage| G::STAGES.get(stage));
            let pieces = pieces.map_or(String::new(), |pieces| format!(" --pieces {pieces}"));
            let dir = dir.display();
            format!(
                "the table in {dir} holds no boards of class {class}: `{solve}{pieces} --out {dir}` adds them"
            )
        }
        other => other.to_string(),
    })
}
