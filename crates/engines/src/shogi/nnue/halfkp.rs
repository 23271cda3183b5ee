//! Networks of YaneuraOu, `halfkp_256x2-32-32`: its inputs and its file.
//!
//! ```text
//! version, 4 bytes | hash, 4 | length of the description, 4 | description
//! hash, 4 | 256 biases, i16 | 125,388 rows of 256 weights, i16
//! hash, 4 | layer 1: 32 biases, i32; 32 × 512 weights, i8 | layer 2: 32, i32; 32 × 32, i8 | output: 1, i32; 32, i8
//! ```
//!
//! Each square of a side's own king has inputs for all other pieces on the board and in hand, seen by that side.

use tesuji_game::Side;
use tesuji_learn::nnue::HIDDEN;
use tesuji_shogi::{PieceKind, Shogi, Square};
use tesuji_store::frame::{Fields, FrameError};

use super::input_set::{InputSet, Part};
use super::kernel::{Activation, Layers, Row, Units};
use super::network::Network;

/// Columns of an accumulator.
pub(crate) const WIDTH: usize = 256;
/// Inputs for each square of the king.
const PIECES: usize = 1548;
/// Inputs of all squares.
const INPUTS: usize = 81 * PIECES;
/// The first number of every file.
const VERSION: u32 = 0x7AF3_2F16;
/// What the description of such a network contains.
const DESCRIPTION: &str = "HalfKP(Friend)[125388->256x2]";
/// Steps of the output for each centipawn, unless the author of a network says otherwise.
const STEPS: i32 = 16;

/// The first number of a kind in hand, of the own side and of the other, by the number of the kind.
static HANDS: [[u16; 2]; 8] = [[0, 0], [1, 20], [39, 44], [49, 54], [59, 64], [69, 74], [79, 82], [85, 88]];

/// The first number of a kind on the board, of the own side; that of the other is 81 higher. Promoted pieces that move
/// like golds are golds; kings have none.
static BOARD: [u16; 16] = [0, 90, 252, 414, 576, 738, 900, 1224, 0, 738, 738, 738, 738, 0, 1062, 1386];

/// The inputs of these networks.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HalfKp;

/// A side and the square of its king, as it sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct KingSquare {
    turned: bool,
    king: u8,
}

/// A square as a side sees it, file by file from its right, each from the far end.
#[inline]
fn seen(square: Square, turned: bool) -> u32 {
    let index = 9 * u32::from(square.file() - 1) + u32::from(square.rank() - 1);
    if turned { 80 - index } else { index }
}

impl InputSet for HalfKp {
    type View = KingSquare;
    const VIEWS: usize = 81;

    #[inline]
    fn view(game: &Shogi, side: Side) -> KingSquare {
        let turned = side == Side::Second;
        // Without a king, as in problems, it is thought where it starts.
        KingSquare { turned, king: game.king(side).map_or(44, |king| seen(king, turned) as u8) }
    }

    #[inline]
    fn number(view: KingSquare) -> usize {
        usize::from(view.king)
    }

    #[inline]
    fn input(view: KingSquare, part: Part) -> Option<u32> {
        let theirs = |side: Side| usize::from((side == Side::Second) != view.turned);
        let piece = match part {
            Part::Board(_, PieceKind::King, _) => return None,
            Part::Board(side, kind, square) => {
                u32::from(BOARD[kind as usize]) + 81 * theirs(side) as u32 + seen(square, view.turned)
            }
            Part::Hand(side, kind, count) => u32::from(HANDS[kind as usize & 7][theirs(side)]) + count - 1,
        };
        Some(u32::from(view.king) * PIECES as u32 + piece)
    }

    #[inline]
    fn output(_: &Shogi) -> usize {
        0
    }
}

/// Reads the bytes of a file.
///
/// # Errors
/// They are no such network.
pub(super) fn read(bytes: &[u8]) -> Result<Network<WIDTH>, String> {
    let mut fields = Fields::new(bytes);
    if fields.u32() != Ok(VERSION) {
        return Err("it is neither a network of `tesuji train` nor an NNUE file of YaneuraOu".to_owned());
    }
    let short = |_: FrameError| "the NNUE file is cut short".to_owned();
    fields.u32().map_err(short)?;
    let length = fields.u32().map_err(short)? as usize;
    let description = String::from_utf8_lossy(fields.bytes(length).map_err(short)?).into_owned();
    if !description.contains(DESCRIPTION) {
        return Err(format!("an NNUE file of another kind ({description}): {DESCRIPTION} is expected"));
    }
    let network = layers(&mut fields).map_err(short)?;
    match fields.rest().len() {
        0 => Ok(network),
        more => Err(format!("the NNUE file has {more} bytes behind its end")),
    }
}

fn layers(fields: &mut Fields<'_>) -> Result<Network<WIDTH>, FrameError> {
    let row = |fields: &mut Fields<'_>| -> Result<Row<WIDTH>, FrameError> {
        let words = fields.bytes(2 * WIDTH)?.as_chunks::<2>().0;
        Ok(Row(std::array::from_fn(|at| i16::from_le_bytes(words[at]))))
    };
    let hidden = |fields: &mut Fields<'_>, inputs: usize| -> Result<(Units, Vec<i8>), FrameError> {
        let longs = fields.bytes(4 * HIDDEN)?.as_chunks::<4>().0;
        let biases = Units(std::array::from_fn(|at| i32::from_le_bytes(longs[at])));
        Ok((biases, fields.bytes(HIDDEN * inputs)?.iter().map(|byte| byte.cast_signed()).collect()))
    };
    fields.u32()?;
    let bias = row(fields)?;
    let rows = (0..INPUTS).map(|_| row(fields)).collect::<Result<Vec<_>, _>>()?;
    fields.u32()?;
    let (bias1, weights1) = hidden(fields, 2 * WIDTH)?;
    let (bias2, weights2) = hidden(fields, HIDDEN)?;
    let bias3 = fields.u32()?.cast_signed();
    let weights3 = fields.bytes(HIDDEN)?;
    let layers = Layers {
        activation: Activation::Clipped,
        bias1,
        weights1: Layers::quads(&weights1, 2 * WIDTH),
        bias2,
        weights2: Layers::quads(&weights2, HIDDEN),
        bias3,
        weights3: Units(std::array::from_fn(|at| i32::from(weights3[at].cast_signed()))),
    };
    Ok(Network { bias, rows, direct: Vec::new(), direct_factor: 0, layers: vec![layers], steps: STEPS })
}
