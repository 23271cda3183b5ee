#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_laws::fuzz::packed;
use tesuji_trax::{EightByEight, Loops, Trax, Unlimited};

fuzz_target!(|bytes: &[u8]| {
    packed::<Trax<Unlimited>>(bytes);
    packed::<Trax<EightByEight>>(bytes);
    packed::<Trax<Loops>>(bytes);
});
