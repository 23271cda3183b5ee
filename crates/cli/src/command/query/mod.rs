//! `tesuji query`: what the table of a solved game says.

use std::sync::Arc;

use tesuji_game::{Notation, Numbered};
use tesuji_solve::table::Table;

use super::{tables, title};
use crate::args;
use crate::entry::Playable;
use crate::failure::{Done, Failure};
use crate::out::Out;

pub(crate) fn run<G: Playable + Numbered>(args: &args::Query, out: &mut Out) -> Done {
    let table = Table::open(tables(args.table.as_deref()), Arc::new(G::index()), &title::<G>())
        .map_err(|error| Failure::Failed(error.to_string()))?;
    let position = match &args.position {
        Some(text) => G::parse(text).map_err(|error| Failure::usage(error.to_string()))?,
        None => G::start(),
    };
    let worth =
        table.worth(position, position.forbidden()).map_err(|error| Failure::Failed(error.to_string()))?;
    out.line(format_args!("{worth:?}"))
}
