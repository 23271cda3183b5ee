#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_laws::fuzz::protocol_line;
use tesuji_protocol::trax::{Command, Response};

fuzz_target!(|bytes: &[u8]| {
    protocol_line(bytes, |line| Command::parse(line));
    if let Some(answer) = Response::parse(bytes) {
        assert!(!answer.to_string().contains(['\n', '\r']));
    }
});
