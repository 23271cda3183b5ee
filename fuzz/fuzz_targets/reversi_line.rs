#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_laws::fuzz::protocol_line;
use tesuji_protocol::reversi::{Command, Message};

fuzz_target!(|bytes: &[u8]| {
    protocol_line(bytes, |line| Command::parse(line));
    protocol_line(bytes, |line| Message::parse(line));
});
