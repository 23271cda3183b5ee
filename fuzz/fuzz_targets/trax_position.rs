#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_laws::fuzz::position_text;
use tesuji_trax::{Trax, Unlimited};

fuzz_target!(|bytes: &[u8]| position_text::<Trax<Unlimited>>(bytes));
