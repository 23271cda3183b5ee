//! Options that every command has.

use clap::{ArgAction, Args};

use crate::out::Color;

#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct GlobalOptions {
    /// Colours: on a terminal, always or never.
    #[arg(long, global = true, value_enum, default_value = "auto", value_name = "WHEN", hide_possible_values = true)]
    pub(crate) color: Color,
    /// No progress bars and no remarks.
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Logs to standard error what is being done; twice for every iteration of a search.
    #[arg(short, long, global = true, action = ArgAction::Count, conflicts_with = "quiet")]
    pub(crate) verbose: u8,
    /// Prints help.
    #[arg(short, long, global = true, action = ArgAction::Help)]
    help: Option<bool>,
    /// Prints the version.
    #[arg(short = 'V', long, action = ArgAction::Version)]
    version: Option<bool>,
}
