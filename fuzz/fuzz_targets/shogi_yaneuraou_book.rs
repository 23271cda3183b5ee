#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_engines::book::ForeignBook;
use tesuji_engines::shogi::YaneuraOuBook;
use tesuji_game::Game;
use tesuji_shogi::Shogi;

// Whatever is read, a move from it is legal.
fuzz_target!(|bytes: &[u8]| {
    let Ok(book) = YaneuraOuBook::parse(bytes) else { return };
    for line in book.lines(&Shogi::start()) {
        let mut game = Shogi::start();
        for mv in line.moves {
            assert!(game.is_legal(mv), "{mv}");
            game.play(mv);
        }
    }
});
