//! Moves as Japanese books write them: `７六歩(77)` in KIF, `▲７六歩` in KI2.

use tesuji_game::{Game, Record};

use super::relative;
use super::words::{self, is_blank};
use crate::{Move, Piece, PieceKind, Shogi, Square};

/// A move as it is written, before the board was looked at.
#[derive(PartialEq, Debug)]
pub(super) struct Written {
    /// Where to; `None` for `同`, the square of the move before.
    target: Option<Square>,
    /// The piece as it was before the move.
    kind: PieceKind,
    /// Which of several such pieces: `右`, `左`, `直`, `上`, `寄`, `引`.
    hints: Vec<char>,
    /// `成` or `不成`.
    promotes: Option<bool>,
    /// `打`.
    drop: bool,
    /// `(77)`.
    origin: Option<Square>,
}

impl Written {
    /// Reads a move and gives back what follows it.
    pub(super) fn parse(text: &str) -> Result<(Written, &str), String> {
        let text = text.trim_start_matches(is_blank);
        let (target, rest) = match text.strip_prefix('同') {
            Some(rest) => (None, rest),
            None => {
                let mut rest = text.chars();
                let square = rest.next().zip(rest.next()).and_then(|(file, rank)| words::read_square(file, rank));
                let square = square.ok_or("a move begins with its square, as in ７六歩(77), or with 同")?;
                (Some(square), rest.as_str())
            }
        };
        let rest = rest.trim_start_matches(is_blank);
        let (kind, mut rest) =
            words::read_kind(rest).ok_or("a piece follows the square: 歩香桂銀金角飛玉, と 成香 成桂 成銀 馬 龍")?;
        let mut written = Written { target, kind, hints: Vec::new(), promotes: None, drop: false, origin: None };
        loop {
            let mut chars = rest.chars();
            match chars.next() {
                Some(hint) if relative::is_hint(hint) => written.hints.push(hint),
                Some('成') => written.promotes = Some(true),
                Some('不') if chars.next() == Some('成') => written.promotes = Some(false),
                Some('生') => written.promotes = Some(false),
                Some('打') => written.drop = true,
                Some('(' | '（') => {
                    let (file, rank, end) = (chars.next(), chars.next(), chars.next());
                    let closed = matches!(end, Some(')' | '）'));
                    let square =
                        file.zip(rank).filter(|_| closed).and_then(|(file, rank)| words::read_square(file, rank));
                    // Whatever else stands in brackets is the clock.
                    let Some(square) = square else { break };
                    written.origin = Some(square);
                }
                _ => break,
            }
            rest = chars.as_str();
        }
        Ok((written, rest))
    }

    /// The move on the board; the record checks whether it is legal.
    pub(super) fn resolve(&self, game: &Record<Shogi>) -> Result<Move, String> {
        self.resolve_behind(game, None)
    }

    /// The same for a record that begins behind a move to `before`, which `同` may mean.
    pub(super) fn resolve_behind(&self, game: &Record<Shogi>, before: Option<Square>) -> Result<Move, String> {
        let now = game.now();
        let before = game.plies().last().map(|ply| ply.mv.to()).or(before);
        let to = self.target.or(before).ok_or("同 needs a move before it")?;
        if self.drop {
            return self.dropped(now, to);
        }
        let Some(from) = self.origin else { return self.found(now, to) };
        match now.piece(from) {
            Some(Piece { side, kind }) if side == now.mover() && kind == self.kind => {
                Ok(Move::board(from, to, self.promotes == Some(true)))
            }
            found => {
                let stands = found.map_or("nothing".to_owned(), |piece| {
                    let whose = if piece.side == now.mover() { "" } else { "the other player's " };
                    format!("{whose}{}", words::kind(piece.kind))
                });
                let (square, kind) = (words::square(from), words::kind(self.kind));
                Err(format!("on {square} stands {stands}, not {kind}"))
            }
        }
    }

    fn dropped(&self, now: &Shogi, to: Square) -> Result<Move, String> {
        if self.kind.is_promoted() || now.hand(now.mover(), self.kind) == 0 {
            return Err(format!("there is no {} in hand", words::kind(self.kind)));
        }
        Ok(Move::drop(self.kind, to))
    }

    /// The move without an origin: the one piece that can go there and fits the hints, or else a drop.
    fn found(&self, now: &Shogi, to: Square) -> Result<Move, String> {
        let origins = relative::origins(now, self.kind, to);
        if origins.is_empty() && self.hints.is_empty() && self.promotes.is_none() {
            return self.dropped(now, to).map_err(|_| self.unreachable(to));
        }
        let fitting = relative::fitting(&self.hints, now.mover(), self.kind, &origins, to);
        match *fitting {
            [from] => Ok(Move::board(from, to, self.promotes == Some(true))),
            [] => Err(self.unreachable(to)),
            _ => {
                let choice: Vec<String> = fitting.iter().map(|&from| words::square(from)).collect();
                let kind = words::kind(self.kind);
                Err(format!("it could be the {kind} of {}: 右, 左, 直, 上, 寄 or 引 tells which", choice.join(" or ")))
            }
        }
    }

    fn unreachable(&self, to: Square) -> String {
        format!("no such {} can go to {}", words::kind(self.kind), words::square(to))
    }
}

/// A legal move in KIF, `同　歩(77)`, when `before` was the square of the move before.
pub(super) fn kif(now: &Shogi, mv: Move, before: Option<Square>) -> String {
    let how = match (mv.from(), mv.promotes()) {
        (None, _) => "打".to_owned(),
        (Some(from), promotes) => {
            format!("{}({}{})", if promotes { "成" } else { "" }, from.file(), from.rank())
        }
    };
    format!("{}{}{how}", target(mv, before), words::kind(kind(now, mv)))
}

/// A legal move in KI2, `▲同　銀右不成`.
pub(crate) fn ki2(now: &Shogi, mv: Move, before: Option<Square>) -> String {
    let kind = kind(now, mv);
    let which = relative::tell(now, kind, mv);
    format!("{}{}{}{which}", words::mark(now.mover()), target(mv, before), words::kind(kind))
}

fn target(mv: Move, before: Option<Square>) -> String {
    if before == Some(mv.to()) { "同　".to_owned() } else { words::square(mv.to()) }
}

/// The piece that moves, as it is before.
fn kind(now: &Shogi, mv: Move) -> PieceKind {
    let moved = mv.from().and_then(|from| now.piece(from)).map(|piece| piece.kind);
    mv.dropped().or(moved).unwrap_or(PieceKind::Pawn)
}
