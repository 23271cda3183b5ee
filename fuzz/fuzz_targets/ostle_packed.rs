#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_laws::fuzz::packed;
use tesuji_ostle::Ostle;

fuzz_target!(|bytes: &[u8]| packed::<Ostle>(bytes));
