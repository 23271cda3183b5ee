//! The `tesuji` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    tesuji_cli::run(&tesuji_registry::shipped())
}
