#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_laws::fuzz::random_play;
use tesuji_trax::{EightByEight, Loops, Trax, Unlimited};

fuzz_target!(|bytes: &[u8]| {
    random_play::<Trax<Unlimited>>(bytes);
    random_play::<Trax<EightByEight>>(bytes);
    random_play::<Trax<Loops>>(bytes);
});
