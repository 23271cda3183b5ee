//! The start position of a CSA record: `PI`, `P1` to `P9`, `P+`, `P-` and the side to move.

use std::fmt::Write as _;

use tesuji_game::{Game, RecordError, Side};

use super::words;
use crate::formats::diagram::Diagram;
use crate::{Piece, PieceKind, Shogi, Square};

/// The statements about the start position so far.
#[derive(Default)]
pub(super) struct CsaStart {
    diagram: Option<Diagram>,
    mover: Option<Side>,
}

impl CsaStart {
    /// The side to move, if stated.
    pub(super) fn mover(&self) -> Option<Side> {
        self.mover
    }

    /// Sets the side to move.
    pub(super) fn set_mover(&mut self, side: Side) {
        self.mover = Some(side);
    }

    /// The position; the usual one when no piece was put anywhere.
    pub(super) fn position(&self) -> Result<Shogi, RecordError> {
        let mover = self.mover.unwrap_or(Side::First);
        match &self.diagram {
            None if mover == Side::First => Ok(Shogi::start()),
            None => Diagram::of(&Shogi::start()).moved_by(mover).position(),
            Some(diagram) => diagram.clone().moved_by(mover).position(),
        }
    }

    /// Reads a statement that begins with `P`; or says what is wrong with it.
    pub(super) fn read(&mut self, statement: &str) -> Result<(), String> {
        let mut rest = statement.chars();
        rest.next();
        match rest.next() {
            Some('I') => self.handicap(rest.as_str()),
            Some(sign @ ('+' | '-')) => self.pieces(words::read_sign(sign), rest.as_str()),
            Some(rank @ '1'..='9') => self.rank(rank as u8 - b'0', rest.as_str()),
            _ => Err("a position is written as PI, P1 to P9, P+ or P-".to_owned()),
        }
    }

    fn board(&mut self) -> &mut Diagram {
        self.diagram.get_or_insert_with(Diagram::empty)
    }

    /// `PI82HI22KA`: the usual start without these pieces.
    fn handicap(&mut self, removed: &str) -> Result<(), String> {
        let mut diagram = Diagram::of(&Shogi::start());
        for item in items(removed.trim())? {
            let square = words::read_square(&item[..2]);
            let place = square.map(|square| diagram.at_mut(square));
            match place {
                Some(place) if place.is_some_and(|piece| words::kind(piece.kind) == &item[2..]) => {
                    *place = None;
                }
                _ => return Err(format!("no {item} stands in the usual start position")),
            }
        }
        self.diagram = Some(diagram);
        Ok(())
    }

    /// `P1-KY-KE * …`: a rank from file 9 to file 1. Blanks may have been lost at the end or run together.
    fn rank(&mut self, rank: u8, row: &str) -> Result<(), String> {
        let diagram = self.board();
        let (mut rest, mut file) = (row.trim(), 9);
        while let Some(first) = rest.chars().next() {
            let square = Square::new(file, rank).ok_or("a rank has nine squares")?;
            let (piece, length) = match (first, words::read_sign(first)) {
                ('*', _) => (None, 1),
                (_, Some(side)) => {
                    let kind = rest.get(1..3).and_then(words::read_kind);
                    (Some(Piece { side, kind: kind.ok_or_else(|| no_piece(rest))? }), 3)
                }
                _ => return Err(no_piece(rest)),
            };
            *diagram.at_mut(square) = piece;
            rest = rest[length..].trim_start();
            file -= 1;
        }
        if file == 0 { Ok(()) } else { Err(format!("a rank has nine squares, this one {}", 9 - file)) }
    }

    /// `P+99KY00FU00AL`: single pieces on squares, in hand, or all the rest in hand.
    fn pieces(&mut self, side: Option<Side>, list: &str) -> Result<(), String> {
        let side = side.unwrap_or(Side::First);
        let diagram = self.board();
        for item in items(list.trim())? {
            let (place, name) = item.split_at(2);
            match (place, name, words::read_square(place), words::read_kind(name)) {
                ("00", "AL", ..) => diagram.give_rest(side),
                ("00", _, _, Some(kind)) if diagram.give(side, kind, 1) => {}
                (_, _, Some(square), Some(kind)) => *diagram.at_mut(square) = Some(Piece { side, kind }),
                _ => {
                    return Err(format!("{item} cannot be put anywhere; 55FU and 00FU are a pawn on 55 and in hand"));
                }
            }
        }
        Ok(())
    }
}

fn no_piece(text: &str) -> String {
    let shown: String = text.chars().take(3).collect();
    format!("{shown:?} is no piece; +FU, -FU and * are a pawn of either side and an empty square")
}

/// A list of four letters each.
fn items(list: &str) -> Result<impl Iterator<Item = &str>, String> {
    if list.is_ascii() && list.len().is_multiple_of(4) {
        Ok((0..list.len()).step_by(4).map(|at| &list[at..at + 4]))
    } else {
        Err("pieces are written as square and kind, 55FU".to_owned())
    }
}

/// The statements that set `position` up, one per line, the side to move included.
pub(super) fn write(position: &Shogi) -> String {
    let mut out = String::new();
    let even = Diagram::of(&Shogi::start()).moved_by(position.mover());
    if even.position().is_ok_and(|even| even == *position) {
        out.push_str("PI\n");
    } else {
        let diagram = Diagram::of(position);
        for rank in 1..=9 {
            let _ = write!(out, "P{rank}");
            for file in (1..=9).rev() {
                match Square::new(file, rank).and_then(|square| diagram.at(square)) {
                    Some(Piece { side, kind }) => {
                        let _ = write!(out, "{}{}", words::sign(side), words::kind(kind));
                    }
                    None => out.push_str(" * "),
                }
            }
            out.push('\n');
        }
        for side in Side::BOTH {
            let held: String = diagram
                .hand(side)
                .map(|(kind, count): (PieceKind, u32)| format!("00{}", words::kind(kind)).repeat(count as usize))
                .collect();
            if !held.is_empty() {
                let _ = writeln!(out, "P{}{held}", words::sign(side));
            }
        }
    }
    out.push(words::sign(position.mover()));
    out.push('\n');
    out
}
