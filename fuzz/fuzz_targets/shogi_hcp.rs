#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_laws::fuzz::packed;
use tesuji_shogi::Shogi;

fuzz_target!(|bytes: &[u8]| packed::<Shogi>(bytes));
