#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_laws::fuzz::packed;
use tesuji_othello::Othello;

fuzz_target!(|bytes: &[u8]| packed::<Othello>(bytes));
