//! The record format of the Computer Shogi Association, version 2.2, as far as version 3.0 where that is
//! written already. Several games in a file are separated by a line `/`.

mod moves;
mod read;
mod remark;
mod start;
mod words;
mod write;

pub(super) use moves::{read as read_move, write as write_move};
pub(super) use read::CsaReader;
pub(super) use words::{ENDINGS, stated};
pub(super) use write::write;
