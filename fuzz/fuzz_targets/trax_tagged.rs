#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_laws::fuzz::records_named;
use tesuji_trax::{Trax, Unlimited};

fuzz_target!(|bytes: &[u8]| records_named::<Trax<Unlimited>>("tagged", bytes));
