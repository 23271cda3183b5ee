#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_protocol::usi::{Response, Command};

// What is read can be printed on one line; and a command printed once reads as a command again.
fuzz_target!(|bytes: &[u8]| {
    if let Some(command) = Command::parse(bytes) {
        let printed = command.to_string();
        assert!(!printed.contains('\n'), "{printed:?}");
        assert!(Command::parse(&printed).is_some(), "{printed:?}");
    }
    if let Some(answer) = Response::parse(bytes) {
        assert!(!answer.to_string().contains('\n'), "{answer:?}");
    }
});
