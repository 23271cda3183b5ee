#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_othello::Names;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(names) = Names::parse(bytes) {
        assert!((0..names.len()).all(|number| names.get(number).is_some()));
    }
});
