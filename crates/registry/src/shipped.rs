//! The games that ship with tesuji.

use std::path::Path;

use tesuji_arena::player::PlayerProtocol;
use tesuji_drivers::{gtp, nboard, usi};
use tesuji_engines::shogi::entries;
use tesuji_engines::shogi::nnue::candidate::NnueCandidate;
use tesuji_game::{Game, Margin};
use tesuji_ostle::Ostle;
use tesuji_othello::{Names, Othello, position_at_empties};
use tesuji_shogi::Shogi;
use tesuji_shogi::packed::{Hcpe, Psv};
use tesuji_trax::{EightByEight, Loops, Trax, Unlimited, Variant};

use crate::compose::{compose_ostle, compose_othello, compose_shogi};
use crate::endgame::solve_othello;
use crate::mate::solve_shogi;
use crate::protocols::run_trax;
use crate::tablebase::build_published_ostle;
use crate::training::export_othello;
use crate::{
    EngineProtocol, ForeignPositions, MatchDefaults, NnueCapability, NnueJob, PatternCapability, ProbCutJob,
    RecordFiller, Registration, Registry,
};

/// All of them, in the order they are listed.
pub fn shipped() -> Registry {
    Registry::new(vec![
        othello().handle(),
        contest_trax().handle(),
        trax::<EightByEight>().handle(),
        trax::<Loops>().handle(),
        ostle().handle(),
        shogi().handle(),
    ])
}

/// Othello.
pub fn othello() -> Registration<Othello> {
    Registration::with_engines("turn the other's discs")
        .symmetric()
        .margin()
        .companions(wthor_names)
        .at_empties(position_at_empties)
        .named()
        .trainable()
        .networks()
        .position_sets(120.0, Vec::new())
        .books()
        .pattern_search(PatternCapability { fit_probcut: ProbCutJob::run, export: export_othello })
        .driver(EngineProtocol::Gtp, |engines, options, input, output| {
            gtp::run(engines, options.engine.as_deref(), input, output)
        })
        .driver(EngineProtocol::NBoard, |engines, options, input, output| {
            nboard::run(engines, options.engine.as_deref(), input, output)
        })
        .online(Othello::counts)
        .matches(MatchDefaults {
            plies: 8,
            // Good enough to recognise a balanced opening, and there is nothing to load.
            judge: Some("alphabeta:depth=4,hash=4,eval=classic"),
            bound: Some(3.0),
            format: Some("ggf"),
            protocols: &[PlayerProtocol::Gtp, PlayerProtocol::NBoard],
            ..MatchDefaults::default()
        })
        .bench(OTHELLO)
        .endgame(solve_othello)
        .editable(compose_othello)
        .puzzles(include_str!("../puzzles/othello.jsonl"))
}

/// Trax as it is played in contests.
pub fn contest_trax() -> Registration<Trax<Unlimited>> {
    trax::<Unlimited>().driver(EngineProtocol::Trax, run_trax).contest().puzzles(include_str!("../puzzles/trax.jsonl"))
}

/// A variant of Trax.
pub fn trax<V: Variant>() -> Registration<Trax<V>> {
    let (about, bench) = match <Trax<V> as Game>::NAME {
        "trax-8x8" => ("Trax on a board of at most 8x8", TRAX_8X8),
        "trax-loop" => ("Trax where only loops win", TRAX_LOOP),
        _ => ("lay tiles until your colour closes a loop or crosses the board", TRAX_POSITIONS),
    };
    Registration::with_engines(about)
        .symmetric()
        .counted()
        .networks()
        .position_sets(2400.0, Vec::new())
        .sparse_evaluation()
        .books()
        .matches(TRAX_MATCHES)
        .bench(bench)
}

/// Ostle.
pub fn ostle() -> Registration<Ostle> {
    Registration::with_engines("push the other's pieces off the board or into the hole")
        .symmetric()
        .networks()
        .matches(MatchDefaults {
            longest: Some(400),
            plies: 6,
            judge: Some(JUDGE),
            format: Some("tagged"),
            ..MatchDefaults::default()
        })
        .bench(OSTLE)
        .position_sets(1500.0, Vec::new())
        .solvable()
        .truth()
        .published(build_published_ostle)
        .editable(compose_ostle)
        .puzzles(include_str!("../puzzles/ostle.jsonl"))
}

/// Shogi.
pub fn shogi() -> Registration<Shogi> {
    Registration::with_engines("Japanese chess: what is taken may be dropped")
        .claims()
        .csa()
        .books()
        .named()
        .networks()
        .nnue(NnueCapability {
            train: NnueJob::run,
            candidate: |settings, make, step| Ok(Box::new(NnueCandidate::new(settings, make, step)?)),
        })
        .position_sets(
            1.0,
            vec![
                ForeignPositions {
                    name: "hcpe",
                    bytes: Hcpe::BYTES,
                    needs_result: true,
                    read: entries::from_hcpe,
                    write: entries::to_hcpe,
                },
                ForeignPositions {
                    name: "psv",
                    bytes: Psv::BYTES,
                    needs_result: true,
                    read: entries::from_psv,
                    write: entries::to_psv,
                },
            ],
        )
        .driver(EngineProtocol::Usi, |engines, options, input, output| {
            usi::run(engines, options.engine.as_deref(), input, output)
        })
        .matches(MatchDefaults {
            longest: Some(512),
            plies: 8,
            judge: Some(JUDGE),
            bound: Some(400.0),
            format: Some("csa"),
            protocols: &[PlayerProtocol::Usi],
        })
        .bench(SHOGI)
        .mates(solve_shogi)
        .editable(compose_shogi)
        .puzzles(include_str!("../puzzles/shogi.jsonl"))
}

/// WTHOR stores players and tournaments as numbers. The names are in the `.JOU` and `.TRN` files of the same folder; a
/// file that is missing or cannot be read is ignored.
fn wthor_names(file: &Path) -> RecordFiller<Othello> {
    let has_ending = |path: &Path, ending: &str| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending));
    if !has_ending(file, "wtb") {
        return Box::new(|_| {});
    }
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let names: Vec<Names> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| has_ending(path, "jou") || has_ending(path, "trn"))
        .filter_map(|path| Names::parse(&std::fs::read(path).ok()?).ok())
        .collect();
    Box::new(move |record| names.iter().for_each(|names| names.fill(record)))
}

/// An opening is balanced when neither side has won and the value is near zero.
const JUDGE: &str = "alphabeta:depth=4,hash=4";

const TRAX_MATCHES: MatchDefaults = MatchDefaults {
    longest: Some(255),
    plies: 4,
    // Eight plies, or as deep as this many nodes lead: three plies let openings pass that were lost already.
    judge: Some("alphabeta:depth=8,nodes=400000,hash=16"),
    bound: None,
    format: Some("tagged"),
    protocols: &[PlayerProtocol::Trax],
};

// What `tesuji bench` searches: the start and positions of all stages, from games of weak engines.
const OTHELLO: &[(&str, u32)] = &[
    ("", 11),
    ("------------X-------XX-----OXOO----XXOO---XXOO----X------------- X", 10),
    ("-----O-----XOO----OOOXXX-OOOOOX---OXXXX--O--XO------------------ X", 10),
    ("------------XX--OOOXXXX--OXXXX----OOOO---XXOO-----OXOO---OOOOOO- X", 10),
    ("---XXX-----XXX-O--XXXXOO--XOXOOO-XOXXOOO-OXOOOOO--OOXX----OXX--- X", 10),
    ("--------X--XOO-OXXXXXOXOXXOXOOXOXXXXXOXOXXXXXOOOX-XXXO-O-XXXXO-- X", 14),
];

const TRAX_POSITIONS: &[(&str, u32)] = &[
    ("", 6),
    (r"@0+ A0\ A3\ @1/ A3\ @3\", 5),
    (r"@0+ A0/ B2+ A3/ B0+ B4\ A5+ B5+ B6\ A1\", 5),
    (r"@0+ A2/ B1\ C1\ C0+ D2+ A1+ D3\ B4/ D4+ B5/ D6+ A6+ A5\", 4),
    (r"@0+ B1\ A0+ C2+ C1\ C0+ B1+ A1+ B4/ C4+ A4/ D3\ D2+ E1+ E2+ F3/ F4/ F5+", 4),
];

const TRAX_8X8: &[(&str, u32)] = &[
    ("", 7),
    (r"@0/ A2/ @1+ A3\ B4/ A5\ C5/ C6/", 5),
    (r"@0/ A2/ B2\ A3/ A4+ B4\ A0\ @2+ A5+ A1\ B0\ C1\ C0+ A1\", 4),
];

const TRAX_LOOP: &[(&str, u32)] =
    &[("", 6), ("@0+ A0/ B1+ C2+ C1+ C0/ A1+ B4+", 5), (r"@0/ A0\ B2/ @2+ A1+ @2+ A1+ @2+ A1+ @1+ A2+ @1+", 5)];

const OSTLE: &[(&str, u32)] = &[
    ("", 10),
    ("02020-20002-00300-01000-10111", 9),
    ("02002-20220-00100-01130-00001", 9),
    ("20020-03020-00120-00100-01010", 9),
    ("02000-00202-01320-00101-00010", 9),
];

/// The second is the middle game known as "matsuri", where drops abound.
const SHOGI: &[(&str, u32)] = &[
    ("", 12),
    ("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1", 10),
    ("l5knl/1r1sgsgb1/1pnppp1pp/p1p3p2/9/2P3P1P/PPNPPPNP1/1BS2GSR1/L1KG4L b - 21", 11),
    ("l5k1l/2r1gsgb1/2nsppn1p/ppp3pp1/3p1P2P/PPP1PSPP1/2NP2N2/1BSGG2R1/L1K5L b - 41", 11),
    ("5gknl/6s2/+R4p2p/2p2+b3/P5pp1/8P/3PPP1P1/3SGGRS1/3+b1K1NL b GN2L4Psn3p 61", 10),
    ("l1k3+Ppl/1r5bs/ppng1pn2/2p2g2+R/PP6P/1BP1ps3/2N3N2/3GGS2L/L5K2 b S6Pp 81", 10),
    ("+B4k2l/9/p3grnNp/1+Sp2p1L1/2n1P1ppP/1P3P3/P2G2PP1/5G1S1/L2+prBKNL b 4Pg2s 101", 10),
];
