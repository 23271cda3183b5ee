#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_laws::fuzz::random_play;
use tesuji_ostle::Ostle;

fuzz_target!(|bytes: &[u8]| random_play::<Ostle>(bytes));
