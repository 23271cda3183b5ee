#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_laws::fuzz::protocol_line;
use tesuji_protocol::csa::{ClientState, Command, Message};

// Lines of both directions, and whatever a server may say in a row.
fuzz_target!(|bytes: &[u8]| {
    protocol_line(bytes, |line| Command::parse(line));
    protocol_line(bytes, |line| Message::parse(line));
    let mut client = ClientState::default();
    for line in bytes.split(|&byte| byte == b'\n') {
        client.receive(line);
        client.agreed();
    }
});
