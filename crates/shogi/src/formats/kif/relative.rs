//! Disambiguation of moves in KI2, from the player's point of view: from the right, straight up, sideways.
//!
//! Reading filters the pieces that can move to the square. Writing uses the shortest text that leaves one piece, in the
//! customary order: nothing, the movement, the origin, both. Programs disagree whether a pinned piece counts. It
//! counts when writing and not when reading, so that both conventions can be read.

use tesuji_game::{Game, MoveList, Side};

use crate::{Move, Moves, PieceKind, Shogi, Square};

/// Whether the character disambiguates a move.
pub(super) fn is_hint(c: char) -> bool {
    matches!(c, '右' | '左' | '直' | '上' | '行' | '入' | '寄' | '引' | '下')
}

fn legal(now: &Shogi) -> Moves {
    let mut list = Moves::default();
    now.clone().moves(&mut list);
    list
}

/// Where pieces of this kind stand that reach `to`, whether the king allows it or not.
fn reaching(now: &Shogi, kind: PieceKind, to: Square) -> Vec<Square> {
    let attackers = now.board.attackers(to.index(), now.mover(), now.board.occupied());
    let is_kind = |&from: &Square| now.piece(from).is_some_and(|piece| piece.kind == kind);
    Square::all().filter(|from| attackers.contains(*from)).filter(is_kind).collect()
}

/// Where pieces of this kind stand that can legally go to `to`.
pub(super) fn origins(now: &Shogi, kind: PieceKind, to: Square) -> Vec<Square> {
    let is_kind = |&from: &Square| now.piece(from).is_some_and(|piece| piece.kind == kind);
    let mut origins: Vec<Square> =
        legal(now).each().filter(|mv| mv.to() == to).filter_map(Move::from).filter(is_kind).collect();
    // With and without promotion it is one piece.
    origins.sort_unstable();
    origins.dedup();
    origins
}

/// How far right of `to`, and how far behind it, `from` lies for the player of `side`.
fn seen(side: Side, from: Square, to: Square) -> (i32, i32) {
    let right = i32::from(to.file()) - i32::from(from.file());
    let behind = i32::from(from.rank()) - i32::from(to.rank());
    match side {
        Side::First => (right, behind),
        Side::Second => (-right, -behind),
    }
}

/// The origins that fit all hints.
pub(super) fn fitting(hints: &[char], side: Side, kind: PieceKind, origins: &[Square], to: Square) -> Vec<Square> {
    let far = matches!(kind, PieceKind::Bishop | PieceKind::Rook | PieceKind::Horse | PieceKind::Dragon);
    let fits = |hint: char, from: Square| {
        let (right, behind) = seen(side, from, to);
        let others = || origins.iter().filter(|&&other| other != from).map(|&other| seen(side, other, to).0);
        match hint {
            '上' | '行' | '入' => behind > 0,
            '寄' => behind == 0,
            '引' | '下' => behind < 0,
            '直' => right == 0 && behind > 0,
            // There are only two of the far-reaching pieces: they are left and right of one another.
            '右' if far => others().all(|other| right > other),
            '左' if far => others().all(|other| right < other),
            '右' => right > 0,
            '左' => right < 0,
            _ => false,
        }
    };
    origins.iter().copied().filter(|&from| hints.iter().all(|&hint| fits(hint, from))).collect()
}

/// The words behind the piece of a legal move: `右上成`, `打`.
pub(super) fn tell(now: &Shogi, kind: PieceKind, mv: Move) -> String {
    let (side, to) = (now.mover(), mv.to());
    let origins = reaching(now, kind, to);
    let Some(from) = mv.from() else {
        return if origins.is_empty() { String::new() } else { "打".to_owned() };
    };
    let (right, behind) = seen(side, from, to);
    let way = match behind {
        1.. => '上',
        0 => '寄',
        _ => '引',
    };
    let far = matches!(kind, PieceKind::Bishop | PieceKind::Rook | PieceKind::Horse | PieceKind::Dragon);
    let is_alone = |hints: &[char]| *fitting(hints, side, kind, &origins, to) == [from];
    let place = if far {
        if is_alone(&['右']) { '右' } else { '左' }
    } else {
        match right {
            1.. => '右',
            0 => '直',
            _ => '左',
        }
    };
    let choices: [&[char]; 4] = [&[], &[way], &[place], &[place, way]];
    let hints = choices.into_iter().find(|hints| is_alone(hints)).unwrap_or_default();
    let could_promote = legal(now).each().any(|other| other == Move::board(from, to, true));
    let promotion = match (mv.promotes(), could_promote) {
        (true, _) => "成",
        (false, true) => "不成",
        (false, false) => "",
    };
    hints.iter().collect::<String>() + promotion
}
