#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_laws::fuzz::records_named;
use tesuji_shogi::Shogi;

fuzz_target!(|bytes: &[u8]| records_named::<Shogi>("ki2", bytes));
