//! Kernels, accumulators and files.

use std::sync::Arc;

use tesuji_game::{Game, Notation};
use tesuji_laws::hold;
use tesuji_learn::nnue::{HIDDEN, NnueWeights, OutputLayers};
use tesuji_nn::InstructionSet;
use tesuji_search::{Eval, Rng, Value, check_incremental};
use tesuji_shogi::Shogi;

use super::super::tests::{parsed, positions, turned};
use super::eval::Nnue;
use super::features::{self, KingBuckets};
use super::halfkp::{self, HalfKp};
use super::input_set::{InputSet, parts};
use super::kernel::{Activation, Kernels, Layers, Row, Units};
use super::load::{LoadedNnue, parse};
use super::network::{Network, WIDTH};

/// A number within ±`most`.
fn within(rng: &mut Rng, most: i32) -> i32 {
    rng.below(2 * most as usize + 1) as i32 - most
}

/// A network with random weights that reach into every range.
fn random_weights(seed: u64) -> NnueWeights {
    let mut rng = Rng::new(seed);
    let layers = (0..features::OUTPUTS).map(|_| OutputLayers {
        bias1: (0..HIDDEN).map(|_| within(&mut rng, 9000)).collect(),
        weights1: (0..HIDDEN * 2 * WIDTH).map(|_| within(&mut rng, 127) as i8).collect(),
        bias2: (0..HIDDEN).map(|_| within(&mut rng, 9000)).collect(),
        weights2: (0..HIDDEN * HIDDEN).map(|_| within(&mut rng, 127) as i8).collect(),
        bias3: within(&mut rng, 50_000),
        weights3: (0..HIDDEN).map(|_| within(&mut rng, 2000) as i16).collect(),
    });
    let outputs = layers.collect();
    NnueWeights {
        features: features::NAME.to_owned(),
        width: WIDTH,
        unit: 600,
        provenance: String::new(),
        bias: (0..WIDTH).map(|_| within(&mut rng, 300) as i16).collect(),
        rows: (0..features::INPUTS * WIDTH).map(|_| within(&mut rng, 60) as i16).collect(),
        direct: (0..features::INPUTS).map(|_| within(&mut rng, 9000) as i16).collect(),
        outputs,
    }
}

/// All instruction sets of this machine.
fn all_kernels() -> Vec<Kernels> {
    InstructionSet::ALL.into_iter().filter_map(Kernels::of).collect()
}

#[test]
fn all_instruction_sets_compute_what_the_reference_does() {
    let weights = random_weights(1);
    let network = Arc::new(Network::new(&weights).unwrap());
    let evals: Vec<Nnue<KingBuckets, WIDTH>> =
        all_kernels().into_iter().map(|kernels| Nnue::with_kernels(Arc::clone(&network), kernels)).collect();
    positions(20, 200, 7, |game, _| {
        let mut active = Default::default();
        features::active(game, &mut active);
        let value = weights.evaluate([&active[0], &active[1]], KingBuckets::output(game));
        for eval in &evals {
            let found = eval.value(game, &eval.begin(game));
            hold!(found == Value::estimate(value), "{eval:?} in {game:?}: {found}, reference {value}");
        }
        Ok(())
    });
}

/// Extreme inputs and weights, where sums of 16 bits would overflow.
#[test]
fn kernels_agree_at_the_limits() {
    let layers = |activation, weight: i8| Layers {
        activation,
        bias1: Units([i32::from(weight) * 1000; HIDDEN]),
        weights1: Layers::quads(&vec![weight; HIDDEN * 512], 512),
        bias2: Units([-7; HIDDEN]),
        weights2: Layers::quads(&[weight; HIDDEN * HIDDEN], HIDDEN),
        bias3: 12345,
        weights3: Units(std::array::from_fn(|unit| if unit % 2 == 0 { 32767 } else { -32768 })),
    };
    let mut rng = Rng::new(3);
    for activation in [Activation::Squared, Activation::Clipped] {
        for weight in [127, -128, 1, 0] {
            let layers = layers(activation, weight);
            for round in 0..50 {
                let mut row = || match round {
                    0 => Row([i16::MAX; 256]),
                    1 => Row([i16::MIN; 256]),
                    _ => Row(std::array::from_fn(|_| within(&mut rng, 300) as i16)),
                };
                let (own, other) = (row(), row());
                let outputs: Vec<i32> =
                    all_kernels().iter().map(|kernels| kernels.output(&own, &other, &layers)).collect();
                assert!(outputs.windows(2).all(|pair| pair[0] == pair[1]), "{outputs:?}");
                let rows = [row(), row(), row()];
                for (added, removed) in [(0, 0), (1, 0), (0, 1), (1, 1), (2, 1), (2, 2), (3, 1), (3, 3)] {
                    let rows: Vec<&Row<256>> = rows.iter().collect();
                    let sums = all_kernels().into_iter().map(|kernels| {
                        let mut to = Row([0; 256]);
                        kernels.update(&own, &rows[..added], &rows[3 - removed..], &mut to);
                        to
                    });
                    let sums: Vec<Row<256>> = sums.collect();
                    assert!(sums.windows(2).all(|pair| pair[0] == pair[1]), "{added} {removed}");
                }
            }
        }
    }
}

#[test]
fn accumulators_in_step_are_refreshed_ones() {
    let own = Nnue::<KingBuckets, WIDTH>::new(Arc::new(Network::new(&random_weights(2)).unwrap()));
    // TESUJI_LAWS_CASES=800 compares 100,000 positions and more.
    check_incremental(&own, u64::from(tesuji_laws::effort() / 2), 250).unwrap();
    let foreign = Nnue::<HalfKp, { halfkp::WIDTH }>::new(Arc::new(halfkp::read(&halfkp_file(5)).unwrap()));
    check_incremental(&foreign, 10, 200).unwrap();
    // Open kings, which walk through many views.
    positions(10, 150, 1, |game, list| {
        let (before, mut next) = (own.begin(game), own.begin(&Shogi::start()));
        for &mv in list.as_slice().iter().step_by(5) {
            let undo = game.play(mv);
            own.advance(&before, mv, &undo, game, &mut next);
            let scratch = own.begin(game);
            game.undo(undo);
            hold!(next == scratch, "{mv} in {game:?}");
        }
        Ok(())
    });
}

#[test]
fn both_sides_and_both_halves_are_judged_alike() {
    let eval = Nnue::<KingBuckets, WIDTH>::new(Arc::new(Network::new(&random_weights(4)).unwrap()));
    let value = |game: &Shogi| eval.value(game, &eval.begin(game));
    positions(20, 200, 5, |game, _| {
        let image = turned(game);
        hold!(value(game) == value(&image), "{} in {game:?}, {} turned", value(game), value(&image));
        Ok(())
    });
    // Kings off the middle file, and the same position mirrored.
    let game = parsed("ln5nl/1r3kgb1/pppp1pppp/9/9/2P6/PP1PPPPPP/1BG4R1/LN1K3NL b Ps 1");
    let mirrored = parsed("ln5nl/1bgk3r1/pppp1pppp/9/9/6P2/PPPPPP1PP/1R4GB1/LN3K1NL b Ps 1");
    assert_eq!(value(&game), value(&mirrored));
}

/// Every part of a position has an input of its own, whatever the view.
#[test]
fn inputs_are_in_range_and_distinct() {
    positions(20, 200, 9, |game, _| {
        for side in tesuji_game::Side::BOTH {
            let (own, other) = (KingBuckets::view(game, side), HalfKp::view(game, side));
            let (mut first, mut second) = (Vec::new(), Vec::new());
            parts(game, |part| {
                first.extend(KingBuckets::input(own, part));
                second.extend(HalfKp::input(other, part));
            });
            hold!((first.len(), second.len()) == (40, 38), "{} {} in {game:?}", first.len(), second.len());
            for (inputs, most) in [(&mut first, features::INPUTS), (&mut second, 125_388)] {
                inputs.sort_unstable();
                inputs.dedup();
                hold!(inputs.iter().all(|&input| (input as usize) < most), "{inputs:?} in {game:?}");
            }
            hold!((first.len(), second.len()) == (40, 38), "two parts share an input in {game:?}");
            hold!(KingBuckets::number(own) < KingBuckets::VIEWS, "{own:?}");
        }
        Ok(())
    });
}

/// A file of YaneuraOu with random weights.
fn halfkp_file(seed: u64) -> Vec<u8> {
    let mut rng = Rng::new(seed);
    let description = "Features=HalfKP(Friend)[125388->256x2],Network=AffineTransform[1<-32](...)";
    let mut bytes = Vec::new();
    bytes.extend(0x7AF3_2F16_u32.to_le_bytes());
    bytes.extend(0x3c10_3e72_u32.to_le_bytes());
    bytes.extend((description.len() as u32).to_le_bytes());
    bytes.extend(description.as_bytes());
    bytes.extend(1_u32.to_le_bytes());
    for _ in 0..256 {
        bytes.extend((within(&mut rng, 100) as i16).to_le_bytes());
    }
    for _ in 0..125_388 * 256 {
        bytes.extend((within(&mut rng, 30) as i16).to_le_bytes());
    }
    bytes.extend(2_u32.to_le_bytes());
    for inputs in [512, 32] {
        for _ in 0..32 {
            bytes.extend(within(&mut rng, 5000).to_le_bytes());
        }
        bytes.extend((0..32 * inputs).map(|_| within(&mut rng, 60) as u8));
    }
    bytes.extend(within(&mut rng, 5000).to_le_bytes());
    bytes.extend((0..32).map(|_| within(&mut rng, 127) as u8));
    bytes
}

#[test]
fn files_are_told_apart_and_damage_is_named() {
    let own = random_weights(6).write();
    assert!(matches!(parse(&own), Ok(LoadedNnue::Own(_))));
    let foreign = halfkp_file(7);
    assert!(matches!(parse(&foreign), Ok(LoadedNnue::HalfKp(_))));
    let error = |bytes: &[u8]| parse(bytes).err().unwrap_or_default();
    assert!(error(b"").contains("neither") && error(b"GIF89a..").contains("neither"));
    assert_eq!(error(&foreign[..1000]), "the NNUE file is cut short");
    assert_eq!(error(&[&foreign[..], b"x"].concat()), "the NNUE file has 1 bytes behind its end");
    let mut other = foreign.clone();
    other[25] = b'?';
    assert!(error(&other).contains("of another kind"), "{}", error(&other));
    assert_eq!(error(&own[..own.len() - 1]), "the checksum does not match");
    let narrow = NnueWeights { features: "chess/1".to_owned(), ..random_weights(6) };
    assert!(error(&narrow.write()).contains("its inputs are \"chess/1\""));
}

#[test]
fn problems_without_kings_have_values_too() {
    let eval = Nnue::<KingBuckets, WIDTH>::new(Arc::new(Network::new(&random_weights(8)).unwrap()));
    for text in ["9/9/9/9/4R4/9/9/9/9 b - 1", "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"] {
        let game = Shogi::parse(text).unwrap();
        assert_eq!(eval.value(&game, &eval.begin(&game)), eval.value(&turned(&game), &eval.begin(&turned(&game))));
    }
}

#[test]
fn the_shipped_network_updates_its_accumulators_and_knows_material() {
    assert!(super::SHIPPED.is_some_and(|bytes| bytes.len() <= 8 << 20));
    let eval = Nnue::<KingBuckets, WIDTH>::new(super::shipped().unwrap());
    check_incremental(&eval, 40, 150).unwrap();
    let value = |sfen: &str| {
        let game = parsed(sfen);
        i32::from(eval.value(&game, &eval.begin(&game)).get())
    };
    let start = value("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    assert!(start.abs() < 150, "{start}");
    let ahead = value("lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b R 1");
    let behind = value("lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w R 1");
    assert!(ahead > 700 && behind < -700, "{ahead} {behind}");
}
