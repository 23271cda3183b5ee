//! Exchanges by the book: pieces on a plain grid, every capture played out.

use tesuji_game::{Game, MoveList, Side};
use tesuji_laws::hold;
use tesuji_shogi::{Move, Piece, PieceKind, Shogi, Square};

use super::super::mate::moved_and_captured;
use super::super::piece_values::{promotion, swing};
use super::super::see::{gains_at_least, is_even_trade, is_good, see};
use super::{parsed, positions};

type Grid = [[Option<Piece>; 10]; 10];

fn grid(game: &Shogi) -> Grid {
    let mut grid = [[None; 10]; 10];
    for square in Square::all() {
        grid[usize::from(square.file())][usize::from(square.rank())] = game.piece(square);
    }
    grid
}

/// The steps of a black piece, and whether it goes on.
fn steps(kind: PieceKind) -> Vec<(i32, i32, bool)> {
    let gold = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1)];
    let cross = [(0, -1), (1, 0), (0, 1), (-1, 0)];
    let saltire = [(-1, -1), (1, -1), (-1, 1), (1, 1)];
    let near = |steps: &[(i32, i32)]| steps.iter().map(|&(f, r)| (f, r, false)).collect::<Vec<_>>();
    let far = |steps: &[(i32, i32)]| steps.iter().map(|&(f, r)| (f, r, true)).collect::<Vec<_>>();
    match kind {
        PieceKind::Pawn => near(&[(0, -1)]),
        PieceKind::Lance => far(&[(0, -1)]),
        PieceKind::Knight => near(&[(-1, -2), (1, -2)]),
        PieceKind::Silver => near(&[(-1, -1), (0, -1), (1, -1), (-1, 1), (1, 1)]),
        PieceKind::Bishop => far(&saltire),
        PieceKind::Rook => far(&cross),
        PieceKind::King => [near(&cross), near(&saltire)].concat(),
        PieceKind::Horse => [far(&saltire), near(&cross)].concat(),
        PieceKind::Dragon => [far(&cross), near(&saltire)].concat(),
        _ => near(&gold),
    }
}

fn attacks(grid: &Grid, from: (i32, i32), to: (i32, i32)) -> bool {
    let Some(piece) = grid[from.0 as usize][from.1 as usize] else { return false };
    let forward = if piece.side == Side::First { 1 } else { -1 };
    steps(piece.kind).into_iter().any(|(files, ranks, goes_on)| {
        let (mut file, mut rank) = from;
        loop {
            (file, rank) = (file + files, rank + ranks * forward);
            if (file, rank) == to {
                return true;
            }
            let inside = (1..=9).contains(&file) && (1..=9).contains(&rank);
            if !inside || !goes_on || grid[file as usize][rank as usize].is_some() {
                return false;
            }
        }
    })
}

/// Who of a side can take on a square, the least valuable first.
fn takers(grid: &Grid, side: Side, to: (i32, i32)) -> Vec<((i32, i32), PieceKind)> {
    let mut takers = Vec::new();
    for file in 1..=9 {
        for rank in 1..=9 {
            if let Some(piece) = grid[file as usize][rank as usize]
                && piece.side == side
                && (file, rank) != to
                && attacks(grid, (file, rank), to)
            {
                takers.push(((file, rank), piece.kind));
            }
        }
    }
    takers.sort_by_key(|&(from, kind)| {
        (if kind == PieceKind::King { i32::MAX } else { swing(kind) }, from.0 * 10 + from.1)
    });
    takers
}

/// What `side` wins by taking on a square, or by leaving it.
fn taking(grid: &Grid, side: Side, to: (i32, i32)) -> i32 {
    let Some(&(from, kind)) = takers(grid, side, to).first() else { return 0 };
    let mut after = *grid;
    after[from.0 as usize][from.1 as usize] = None;
    if kind == PieceKind::King && !takers(&after, !side, to).is_empty() {
        return 0;
    }
    let Some(taken) = grid[to.0 as usize][to.1 as usize] else { return 0 };
    let far = |rank: i32| if side == Side::First { rank <= 3 } else { rank >= 7 };
    let promoted = kind.promoted().filter(|_| far(from.1) || far(to.1));
    after[to.0 as usize][to.1 as usize] = Some(Piece { side, kind: promoted.unwrap_or(kind) });
    let gain = swing(taken.kind) + promoted.map_or(0, |_| promotion(kind));
    (gain - taking(&after, !side, to)).max(0)
}

fn by_the_book(game: &Shogi, mv: Move) -> i32 {
    let mut board = grid(game);
    let (kind, taken) = moved_and_captured(game, mv);
    let to = (i32::from(mv.to().file()), i32::from(mv.to().rank()));
    if let Some(from) = mv.from() {
        board[usize::from(from.file())][usize::from(from.rank())] = None;
    }
    let promoted = kind.promoted().filter(|_| mv.promotes());
    let standing = Piece { side: game.mover(), kind: promoted.unwrap_or(kind) };
    board[to.0 as usize][to.1 as usize] = Some(standing);
    let gain = taken.map_or(0, swing) + promoted.map_or(0, |_| promotion(kind));
    gain - taking(&board, !game.mover(), to)
}

#[test]
fn exchanges_are_those_by_the_book() {
    positions(60, 160, 7, |game, list| {
        for mv in list.each().step_by(3) {
            let (quick, slow) = (see(game, mv), by_the_book(game, mv));
            hold!(quick == slow, "{mv} in {game:?}: {quick}, by the book {slow}");
            for least in [slow - 400, slow - 1, slow, slow + 1, 0, slow + 400] {
                hold!(gains_at_least(game, mv, least) == (slow >= least), "{mv} in {game:?}: {slow}, at least {least}");
            }
            let (kind, taken) = moved_and_captured(game, mv);
            if taken.is_some() || mv.promotes() {
                let pays_by_the_book = slow >= 0 || is_even_trade(game, mv, kind, taken);
                hold!(is_good(game, mv, kind, taken) == pays_by_the_book, "{mv} in {game:?} pays {slow}");
            }
        }
        Ok(())
    });
}

/// Two rooks behind each other, a lance behind them, against a guarded pawn.
#[test]
fn pieces_behind_others_join_in() {
    let mut game = parsed("4k4/9/9/3gpg3/9/4R4/4R4/4L4/4K4 b - 1");
    let mv = tesuji_game::Notation::parse_move(&mut game, "5f5d").unwrap();
    let lost = swing(PieceKind::Pawn) - swing(PieceKind::Rook) + swing(PieceKind::Gold);
    assert_eq!(see(&game, mv), by_the_book(&game, mv));
    assert!(see(&game, mv) <= lost.max(swing(PieceKind::Pawn) - swing(PieceKind::Rook) + 2 * swing(PieceKind::Gold)));
    assert!(see(&game, mv) < 0, "a rook for a pawn and a gold");
}
