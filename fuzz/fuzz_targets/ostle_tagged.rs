#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_laws::fuzz::records_named;
use tesuji_ostle::Ostle;

fuzz_target!(|bytes: &[u8]| records_named::<Ostle>("tagged", bytes));
