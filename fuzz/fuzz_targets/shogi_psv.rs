#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_laws::fuzz::entry;
use tesuji_shogi::packed::Psv;

fuzz_target!(|bytes: &[u8]| entry(bytes, Psv::read, Psv::write));
