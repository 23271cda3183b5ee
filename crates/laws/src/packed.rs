//! Properties of positions as bytes.

use proptest::collection::vec;
use proptest::prelude::any;
use tesuji_game::Packed;

use crate::fuzz;
use crate::hold;
use crate::play::{choices, effort, for_all, playout};

/// A packed position is unpacked as an equal one with the same mover and packs to the same bytes. Bytes of another length
/// are refused. Any other bytes, random or nearly valid, are refused or a position that survives pack and unpack.
///
/// `every` says that the packing can express every position of a game.
pub fn packed<G: Packed>(every: bool) {
    for_all(effort(), (choices(), vec(any::<u16>(), 1..4)), |(choices, flips)| {
        playout(G::start(), &choices, |game, _, _| {
            let mut bytes = vec![0xa5; G::BYTES];
            if !game.pack(&mut bytes) {
                hold!(!every, "{game:?} does not pack");
                return Ok(());
            }
            let Some(read) = G::unpack(&bytes) else { return Err(format!("{game:?} does not unpack from {bytes:?}")) };
            hold!(read == *game && read.mover() == game.mover(), "{game:?} packs as {bytes:?}, which is {read:?}");
            hold!(read.key() == game.key(), "the key of {game:?} changed");
            let mut again = vec![0x5a; G::BYTES];
            hold!(read.pack(&mut again) && again == bytes, "{game:?} packs as {bytes:?}, then as {again:?}");
            hold!(!game.pack(&mut vec![0; G::BYTES + 1]), "{game:?} packs into too many bytes");
            hold!(!game.pack(&mut again[1..]), "{game:?} packs into too few bytes");
            hold!(G::unpack(&bytes[1..]).is_none(), "{:?} is too short and unpacks", &bytes[1..]);
            for &flip in &flips {
                let bit = usize::from(flip) % (8 * G::BYTES);
                bytes[bit / 8] ^= 1 << (bit % 8);
                fuzz::packed::<G>(&bytes);
            }
            bytes.push(0);
            hold!(G::unpack(&bytes).is_none(), "{bytes:?} is too long and unpacks");
            Ok(())
        })
    });
    for_all(effort() * 64, vec(any::<u8>(), G::BYTES), |bytes| {
        fuzz::packed::<G>(&bytes);
        Ok(())
    });
}
