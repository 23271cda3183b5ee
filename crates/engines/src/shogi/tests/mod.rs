//! Laws of the shogi engine, each against a slow twin that shares none of its code.

mod heuristics;
mod mate;
mod material;
mod rules;
mod see;
mod solved;
mod tsume;

use proptest::collection::vec;
use proptest::prelude::any;
use tesuji_game::{Game, Notation, Side};
use tesuji_laws::{PropertyResult, for_all, playout};
use tesuji_shogi::{Moves, Setup, Shogi, Square};

/// Where random games begin: the usual start, and middle games with full hands and open kings.
const BEGINNINGS: [&str; 5] = [
    "startpos",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1",
    "6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1",
    "ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 62",
];

/// Shows `visit` the positions of random games, every `stride`-th of them.
pub(super) fn positions(games: u32, plies: usize, stride: usize, visit: impl Fn(&mut Shogi, &Moves) -> PropertyResult) {
    for_all(games, (0..BEGINNINGS.len(), vec(any::<u16>(), 0..plies)), |(beginning, choices)| {
        let mut ply = 0;
        playout(parsed(BEGINNINGS[beginning]), &choices, |game, list, _| {
            ply += 1;
            if ply % stride == 0 { visit(game, list) } else { Ok(()) }
        })
    });
}

pub(super) fn parsed(text: &str) -> Shogi {
    Shogi::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The same position with the colours exchanged and the board turned round.
pub(super) fn turned(game: &Shogi) -> Shogi {
    let mut setup = Setup::new();
    setup.side(!game.mover());
    for square in Square::all() {
        if let Some(mut piece) = game.piece(square) {
            piece.side = !piece.side;
            setup.put(Square::new(10 - square.file(), 10 - square.rank()).unwrap_or(square), piece);
        }
    }
    for side in Side::BOTH {
        for kind in tesuji_shogi::PieceKind::HAND {
            setup.hand(!side, kind, game.hand(side, kind));
        }
    }
    setup.build().unwrap_or_else(|error| panic!("{game:?} turned round: {error}"))
}
