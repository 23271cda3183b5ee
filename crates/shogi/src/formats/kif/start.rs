//! The start position of a KIF record: a handicap by its name, or a drawn board.

use std::fmt::Write as _;

use tesuji_game::{Game, Notation, RecordError, Side};

use super::words::{self, is_blank};
use crate::formats::diagram::Diagram;
use crate::{Piece, Shogi, Square};

/// Handicaps and the upper two ranks they leave; the upper player moves first.
const HANDICAPS: [(&str, &str); 15] = [
    ("香落ち", "lnsgkgsn1/1r5b1"),
    ("右香落ち", "1nsgkgsnl/1r5b1"),
    ("角落ち", "lnsgkgsnl/1r7"),
    ("飛車落ち", "lnsgkgsnl/7b1"),
    ("飛香落ち", "lnsgkgsn1/7b1"),
    ("二枚落ち", "lnsgkgsnl/9"),
    ("三枚落ち", "lnsgkgsn1/9"),
    ("四枚落ち", "1nsgkgsn1/9"),
    ("六枚落ち", "2sgkgs2/9"),
    ("八枚落ち", "3gkg3/9"),
    ("十枚落ち", "4k4/9"),
    // Programs disagree about which of two pieces stays: these are read, but drawn when written.
    ("五枚落ち", "2sgkgsn1/9"),
    ("左五枚落ち", "1nsgkgs2/9"),
    ("左七枚落ち", "2sgkg3/9"),
    ("右七枚落ち", "3gkgs2/9"),
];
const AGREED: usize = 11;
const EVEN: &str = "平手";
const OTHER: &str = "その他";

fn handicap(upper: &str) -> Option<Shogi> {
    Shogi::parse(&format!("{upper}/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1")).ok()
}

/// The header lines about the start position so far.
#[derive(Default)]
pub(super) struct KifStart {
    named: Option<Shogi>,
    drawn: Option<Diagram>,
    ranks: u8,
    mover: Option<Side>,
    number: Option<u32>,
}

impl KifStart {
    /// Reads the name of a handicap.
    pub(super) fn name(&mut self, name: &str) -> Result<(), String> {
        let name: String = name.chars().filter(|&c| !is_blank(c)).collect();
        self.named = match HANDICAPS.iter().find(|(known, _)| *known == name) {
            Some((_, upper)) => handicap(upper),
            None if [EVEN, OTHER, ""].contains(&name.as_str()) => None,
            None => {
                return Err(format!("no handicap; {EVEN} is none, 二枚落ち one of the known, {OTHER} any other"));
            }
        };
        Ok(())
    }

    /// Sets the side to move.
    pub(super) fn set_mover(&mut self, side: Side) {
        self.mover = Some(side);
    }

    /// Sets the number of moves played before.
    pub(super) fn set_played(&mut self, played: u32) {
        self.number = Some(played.saturating_add(1));
    }

    /// Reads what a side has in hand: `飛 歩十八`, `なし`.
    pub(super) fn hand(&mut self, side: Side, text: &str) -> Result<(), String> {
        let text = text.trim_matches(is_blank);
        if ["なし", "無し", ""].contains(&text) {
            return Ok(());
        }
        let wrong = || "a hand is written 飛 金二 歩十八, an empty one なし".to_owned();
        let mut rest = text;
        while let Some(figure) = rest.chars().next() {
            let kind = words::read_figure(figure).ok_or_else(wrong)?;
            let behind = &rest[figure.len_utf8()..];
            let end = behind.find(|c| is_blank(c) || words::read_figure(c).is_some()).unwrap_or(behind.len());
            let count = words::read_number(&behind[..end]).ok_or_else(wrong)?;
            if !self.drawn.get_or_insert_with(Diagram::empty).give(side, kind, count) {
                return Err(format!("there are not {count} {} left to hold", words::kind(kind)));
            }
            rest = behind[end..].trim_start_matches(is_blank);
        }
        Ok(())
    }

    /// Reads a rank of a drawn board: `|v香v桂 ・ … 香|一`.
    pub(super) fn rank(&mut self, line: &str) -> Result<(), String> {
        let mut parts = line.trim_start_matches(['|', '｜']).split(['|', '｜']);
        let cells = parts.next().unwrap_or_default();
        let named = parts.next().and_then(|behind| words::read_rank(behind.trim_matches(is_blank).chars().next()?));
        self.ranks = self.ranks.saturating_add(1);
        let rank = named.unwrap_or(self.ranks);
        let diagram = self.drawn.get_or_insert_with(Diagram::empty);
        let (mut side, mut file) = (Side::First, 9);
        for c in cells.chars() {
            let kind = match c {
                'v' | 'V' | 'ｖ' | '△' | '▽' => {
                    side = Side::Second;
                    continue;
                }
                _ if is_blank(c) || ['^', '▲', '▼'].contains(&c) => continue,
                '・' | '･' | '.' | '·' => None,
                _ => Some(words::read_figure(c).ok_or_else(|| format!("{c} is no piece; an empty square is ・"))?),
            };
            let square = Square::new(file, rank).ok_or("a board has nine ranks of nine squares")?;
            *diagram.at_mut(square) = kind.map(|kind| Piece { side, kind });
            (side, file) = (Side::First, file - 1);
        }
        if file > 0 { Err(format!("a rank has nine squares, this one {}", 9 - file)) } else { Ok(()) }
    }

    /// The position.
    pub(super) fn position(&self) -> Result<Shogi, RecordError> {
        let usual = || self.named.clone().unwrap_or_else(Shogi::start);
        let mut diagram = match (&self.drawn, self.ranks) {
            (Some(drawn), 9) => drawn.clone().moved_by(usual().mover()),
            // Hands without a board belong to a position that has a name.
            (_, 0) => Diagram::of(&usual()),
            (_, ranks) => {
                return Err(RecordError::outside("start position", format!("the board has nine ranks, not {ranks}")));
            }
        };
        diagram.mover = self.mover.unwrap_or(diagram.mover);
        diagram.number = self.number.unwrap_or(diagram.number);
        diagram.position()
    }
}

/// Whether the upper player gives a handicap that has a name.
pub(super) fn is_handicap(position: &Shogi) -> bool {
    name(position).is_some_and(|name| name != EVEN)
}

fn name(position: &Shogi) -> Option<&'static str> {
    if *position == Shogi::start() {
        return Some(EVEN);
    }
    let mut agreed = HANDICAPS.iter().take(AGREED);
    agreed.find(|(_, upper)| handicap(upper).is_some_and(|named| named == *position)).map(|&(name, _)| name)
}

/// The header lines of `position`. The move number is left out, because some programs fail on it.
pub(super) fn write(position: &Shogi) -> String {
    if let Some(name) = name(position) {
        return format!("手合割：{name}\n");
    }
    let diagram = Diagram::of(position);
    let mut out = format!("手合割：{OTHER}\n後手の持駒：{}\n", hand(&diagram, Side::Second));
    out.push_str("  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n");
    for rank in 1..=9 {
        out.push('|');
        for file in (1..=9).rev() {
            match Square::new(file, rank).and_then(|square| diagram.at(square)) {
                Some(Piece { side, kind }) => {
                    out.push(if side == Side::First { ' ' } else { 'v' });
                    out.push_str(words::figure(kind));
                }
                None => out.push_str(" ・"),
            }
        }
        let _ = writeln!(out, "|{}", words::rank(rank));
    }
    let _ = writeln!(out, "+---------------------------+\n先手の持駒：{}", hand(&diagram, Side::First));
    out.push_str(if diagram.mover == Side::First { "先手番\n" } else { "後手番\n" });
    out
}

fn hand(diagram: &Diagram, side: Side) -> String {
    let held: Vec<String> = diagram
        .hand(side)
        .map(|(kind, count)| match count {
            1 => words::kind(kind).to_owned(),
            _ => format!("{}{}", words::kind(kind), words::number(count)),
        })
        .collect();
    if held.is_empty() { "なし".to_owned() } else { held.join("　") }
}
