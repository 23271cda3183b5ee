//! A position of a record.

use clap::Args;
use tesuji_registry::{GamePosition, RecordSource};

use crate::command::load;
use crate::failure::Failure;

/// Where in which record.
#[derive(Debug, Args)]
pub(crate) struct GameAt {
    /// A position of a record in this file; `-` for standard input.
    #[arg(long = "game", id = "record", value_name = "FILE", conflicts_with = "position")]
    file: Option<String>,
    /// Which record of the file, from 1.
    #[arg(long, value_name = "K", default_value_t = 1, requires = "record")]
    index: usize,
    /// The plies to play [default: all].
    #[arg(long, value_name = "N", requires = "record")]
    ply: Option<usize>,
    /// The format of the file [default: detected].
    #[arg(long, value_name = "F", requires = "record")]
    format: Option<String>,
}

impl GameAt {
    /// The position, if a record was named.
    pub(crate) fn position(&self) -> Result<Option<GamePosition>, Failure> {
        let GameAt { file, index, ply, format } = self;
        let Some(file) = file else { return Ok(None) };
        let source = RecordSource { bytes: load(file)?, format: format.clone(), file: Some(file.clone()) };
        Ok(Some(GamePosition { source, index: *index, ply: *ply }))
    }
}
