//! The two Huffman codes of positions, their tables, and packing and unpacking by them.

use tesuji_game::Side;

use crate::board::{Board, Code, PieceClass, WHITE};
use crate::side::{Black, StaticSide, White};
use crate::{PieceKind, Square};

/// The bytes of a packed position.
pub(crate) const PACKED_BYTES: usize = 32;
const BITS: usize = 8 * PACKED_BYTES;
/// The square of a king that is not on the board.
const NO_KING: usize = 81;
/// Pieces of a set besides the kings.
const PIECES: u32 = 38;
/// Words of the longest string of bits: 81 squares with the longest code, and one to peek at.
const WORDS: usize = 12;

/// The code of a piece: its bits, the first one lowest, and their number.
#[derive(Clone, Copy)]
struct BitCode {
    bits: u8,
    len: u8,
}

/// What some bits start with: a piece on the board, in hand or missing, and the number of bits. A length of 0: nothing.
#[derive(Clone, Copy)]
struct Symbol {
    code: Code,
    len: u8,
}

/// Marks a piece that is not part of the game.
const MISSING: Code = 32;

/// A Huffman code for positions.
pub(crate) struct Huffman {
    /// By the code of the piece on the square.
    squares: [BitCode; 32],
    /// By the code of the piece in hand, or missing.
    hands: [BitCode; 64],
    square_symbols: [Symbol; 256],
    hand_symbols: [Symbol; 128],
}

/// The code of a kind as digits, the first bit first: on the board, in hand, missing.
type KindCode = (PieceKind, &'static str, &'static str, &'static str);

impl Huffman {
    /// The code of Apery and cshogi.
    pub(crate) const HCP: &Huffman = {
        static HCP: Huffman = Huffman::new(
            false,
            [
                (PieceKind::Pawn, "10", "00", "010"),
                (PieceKind::Lance, "1100", "1000", "10010"),
                (PieceKind::Knight, "1110", "1100", "11010"),
                (PieceKind::Silver, "1101", "1010", "10110"),
                (PieceKind::Gold, "11110", "1110", "10111"),
                (PieceKind::Bishop, "111110", "111110", "1111000"),
                (PieceKind::Rook, "111111", "111111", "1111010"),
            ],
        );
        &HCP
    };

    /// The packed SFEN of YaneuraOu.
    pub(crate) const PACKED_SFEN: &Huffman = {
        static PACKED_SFEN: Huffman = Huffman::new(
            true,
            [
                (PieceKind::Pawn, "10", "00", "010"),
                (PieceKind::Lance, "1100", "1000", "10010"),
                (PieceKind::Knight, "1101", "1010", "10110"),
                (PieceKind::Silver, "1110", "1100", "11010"),
                (PieceKind::Gold, "11110", "1110", "11011"),
                (PieceKind::Bishop, "111110", "111100", "1111010"),
                (PieceKind::Rook, "111111", "111110", "1111110"),
            ],
        );
        &PACKED_SFEN
    };

    /// On the board a bit for the side and one for the promotion follow, in this order unless `promotion_first`; a gold has
    /// the first only. In hand a bit for the side follows.
    const fn new(promotion_first: bool, kinds: [KindCode; 7]) -> Huffman {
        let mut made = Huffman {
            squares: [BitCode { bits: 0, len: 1 }; 32],
            hands: [BitCode { bits: 0, len: 0 }; 64],
            square_symbols: [Symbol { code: 0, len: 0 }; 256],
            hand_symbols: [Symbol { code: 0, len: 0 }; 128],
        };
        let mut at = 0;
        while at < kinds.len() {
            let (kind, board, hand, missing) = kinds[at];
            let plain = kind as Code;
            made.hands[(plain | MISSING) as usize] = digits(missing);
            let (side_bit, promotion_bit) = if promotion_first { (1, 0) } else { (0, 1) };
            let mut side = 0;
            while side < 2 {
                let white = side * WHITE;
                made.hands[(plain | white) as usize] = digits(hand).then(side);
                made.squares[(plain | white) as usize] = match kind.promoted() {
                    None => digits(board).then(side),
                    Some(promoted) => {
                        let two = digits(board).then(0).then(0);
                        let first = two.len - 2;
                        let bits = two.bits | side << (first + side_bit);
                        made.squares[(promoted as Code | white) as usize] =
                            BitCode { bits: bits | 1 << (first + promotion_bit), len: two.len };
                        BitCode { bits, len: two.len }
                    }
                };
                side += 1;
            }
            at += 1;
        }
        let mut code = 1;
        while code < 32 {
            if made.squares[code].len > 1 {
                fill(&mut made.square_symbols, made.squares[code], code as Code);
            }
            code += 1;
        }
        let mut code = 1;
        while code < 64 {
            if made.hands[code].len > 0 {
                fill(&mut made.hand_symbols, made.hands[code], code as Code);
            }
            code += 1;
        }
        made
    }

    /// Writes a position. `false` if it does not fit, or `bytes` have another length.
    pub(crate) fn pack(&self, board: &Board, bytes: &mut [u8]) -> bool {
        let Ok(bytes) = <&mut [u8; PACKED_BYTES]>::try_from(bytes) else { return false };
        let mut out = Writer { words: [0; WORDS], at: 0 };
        out.push(u8::from(board.mover() == Side::Second), 1);
        for side in Side::BOTH {
            let square = Square::from_index(board.king(side)).map_or(NO_KING, number);
            out.push(square as u8, 7);
        }
        let mut missing = [0, 18, 4, 4, 4, 4, 2, 2];
        for &square in &SQUARES {
            let code = board.code(square);
            if code & 15 != PieceKind::King as Code {
                let BitCode { bits, len } = self.squares[usize::from(code & 31)];
                out.push(bits, len);
                missing[usize::from(code & 7)] -= i32::from(code != 0);
            }
        }
        for (side, white) in [(Side::First, 0), (Side::Second, WHITE)] {
            let held = board.hand_counts(side);
            for kind in ORDER {
                missing[kind as usize] -= i32::from(held[kind as usize]);
                for _ in 0..held[kind as usize] {
                    let BitCode { bits, len } = self.hands[usize::from(kind as Code | white)];
                    out.push(bits, len);
                }
            }
        }
        for kind in ORDER {
            for _ in 0..missing[kind as usize] {
                let BitCode { bits, len } = self.hands[usize::from(kind as Code | MISSING)];
                out.push(bits, len);
            }
        }
        for (eight, word) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(out.words) {
            *eight = word.to_le_bytes();
        }
        out.words[BITS / 64..].iter().all(|&word| word == 0)
    }

    /// Reads a position. The pieces in hand may come in any order: programs differ there. `None` if there is no such
    /// position.
    pub(crate) fn unpack(&self, bytes: &[u8]) -> Option<Board> {
        let bytes = <&[u8; PACKED_BYTES]>::try_from(bytes).ok()?;
        let mut words = [0; WORDS];
        for (word, eight) in words.iter_mut().zip(bytes.as_chunks::<8>().0) {
            *word = u64::from_le_bytes(*eight);
        }
        let head = words[0] as usize;
        let mover = if head & 1 == 0 { Side::First } else { Side::Second };
        let kings = [head >> 1 & 127, head >> 8 & 127];
        let mut board = Board::empty(mover);
        for (side, king) in Side::BOTH.into_iter().zip(kings) {
            if king < NO_KING {
                let white = if side == Side::First { 0 } else { WHITE };
                board.put_code(SQUARES[king], PieceKind::King as Code | white);
            } else if king > NO_KING {
                return None;
            }
        }
        let (low, high) = (kings[0].min(kings[1]), kings[0].max(kings[1]));
        if low == high && low < NO_KING {
            return None;
        }
        let absent = usize::from(low == NO_KING) + usize::from(high == NO_KING);
        let coded = 79 + absent;
        let mut left: [i32; 8] = [0, 18, 4, 4, 4, 4, 2, 2];
        let mut pieces = 0;
        let (mut at, mut square) = (15, 0);
        while square < coded {
            let bits = peek(&words, at)?;
            if bits & 1 == 0 {
                // A run of empty squares.
                let run = (bits | 1 << 63).trailing_zeros().min((coded - square) as u32) as usize;
                at += run;
                square += run;
                continue;
            }
            let Symbol { code, len } = self.square_symbols[bits as usize & 255];
            // The squares of the kings have no code.
            let beyond_low = square + usize::from(square >= low);
            let on = beyond_low + usize::from(beyond_low >= high);
            board.put_code(SQUARES[on], code);
            left[usize::from(code & 7)] -= 1;
            pieces += 1;
            at += usize::from(len);
            square += 1;
        }
        while pieces < PIECES {
            let bits = peek(&words, at)?;
            let Symbol { code, len } = self.hand_symbols[bits as usize & 127];
            if len == 0 {
                return None;
            }
            left[usize::from(code & 7)] -= 1;
            if code & MISSING == 0 {
                let side = if code & WHITE == 0 { Side::First } else { Side::Second };
                board.pick_up(side, code & 7);
            }
            pieces += 1;
            at += usize::from(len);
        }
        let valid = left == [0; 8] && at == BITS + absent && is_possible(&board);
        // With a king missing, another order of the hands may not fit.
        (valid && (absent == 0 || self.pack(&board, &mut [0; PACKED_BYTES]))).then_some(board)
    }
}

/// Whether no side has two pawns on a file or a piece that could never move, and nobody can take a king.
fn is_possible(board: &Board) -> bool {
    fn fits<C: StaticSide>(board: &Board) -> bool {
        let own = board.side(C::SIDE);
        let pawns = board.set(PieceClass::Pawn) & own;
        let last_rank = (pawns | board.set(PieceClass::Lance) & own) & C::far(1);
        let last_ranks = board.set(PieceClass::Knight) & own & C::far(2);
        (last_rank | last_ranks).is_empty() && pawns.files_without().count() + 9 * pawns.count() == 81
    }
    fits::<Black>(board) && fits::<White>(board) && !board.is_checked(!board.mover())
}

/// The kinds in hand, in the order in which they are written.
const ORDER: [PieceKind; 7] = [
    PieceKind::Pawn,
    PieceKind::Lance,
    PieceKind::Knight,
    PieceKind::Silver,
    PieceKind::Gold,
    PieceKind::Bishop,
    PieceKind::Rook,
];

/// The squares, file by file from the right, each from the top.
pub(crate) const SQUARES: [Square; 81] = {
    let mut squares = [Square::trust(0); 81];
    let mut at = 0;
    while at < 81 {
        squares[at] = Square::trust(at / 9 * 10 + at % 9);
        at += 1;
    }
    squares
};

/// The place of a square in [`SQUARES`].
pub(crate) const fn number(square: Square) -> usize {
    square.index() - square.index() / 10
}

impl BitCode {
    const fn then(self, bit: u8) -> BitCode {
        BitCode { bits: self.bits | bit << self.len, len: self.len + 1 }
    }
}

/// Reads digits, the first bit first.
const fn digits(text: &str) -> BitCode {
    let mut code = BitCode { bits: 0, len: 0 };
    while (code.len as usize) < text.len() {
        code = code.then(text.as_bytes()[code.len as usize] - b'0');
    }
    code
}

/// Enters a piece wherever its bits come first.
const fn fill(symbols: &mut [Symbol], BitCode { bits, len }: BitCode, code: Code) {
    let mut entry = bits as usize;
    while entry < symbols.len() {
        assert!(symbols[entry].len == 0, "no code starts with another one");
        symbols[entry] = Symbol { code, len };
        entry += 1 << len;
    }
}

/// At least 64 bits from a place on; zeros follow the last one. `None` far beyond the end.
#[inline(always)]
fn peek(words: &[u64; WORDS], at: usize) -> Option<u64> {
    let (word, shift) = (at / 64, at % 64);
    Some(words.get(word)? >> shift | words.get(word + 1)? << 1 << (63 - shift))
}

struct Writer {
    words: [u64; WORDS],
    at: usize,
}

impl Writer {
    #[inline(always)]
    fn push(&mut self, bits: u8, len: u8) {
        let (word, shift) = (self.at / 64, self.at % 64);
        self.words[word] |= u64::from(bits) << shift;
        if shift + usize::from(len) > 64 {
            self.words[word + 1] |= u64::from(bits) >> (64 - shift);
        }
        self.at += usize::from(len);
    }
}
