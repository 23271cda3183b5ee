//! USI: round trips of both directions, lines as real programs send them, and invalid bytes.

use std::time::Duration;

use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use tesuji_protocol::usi::{
    BestMove, Bound, Checkmate, ClockTimes, Command, EngineOption, GameResult, Go, Info, MateLimit, OptionKind,
    Response, Score, ScoreValue, UsiPosition,
};

fn word() -> impl Strategy<Value = String> {
    // No word of the protocol begins with a digit.
    "[1-9][a-i][1-9][a-i]\\+?"
}

fn phrase() -> impl Strategy<Value = String> {
    vec("[A-Z][A-Za-z0-9_/.]{0,8}", 1..4).prop_map(|words| words.join(" "))
}

fn time() -> impl Strategy<Value = Duration> {
    (0..10_000_000_000_u64).prop_map(Duration::from_millis)
}

fn clock() -> impl Strategy<Value = ClockTimes> {
    let pair = || [of(time()), of(time())];
    (pair(), pair(), of(time())).prop_map(|(left, increment, byoyomi)| ClockTimes { left, increment, byoyomi })
}

fn mate() -> impl Strategy<Value = MateLimit> {
    prop_oneof![time().prop_map(MateLimit::Within), Just(MateLimit::Infinite)]
}

fn go() -> impl Strategy<Value = Go> {
    let limits = (of(any::<u32>()), of(any::<u64>()), of(time()), of(mate()));
    (any::<bool>(), any::<bool>(), clock(), limits, vec(word(), 0..4)).prop_map(
        |(ponder, infinite, clock, (depth, nodes, movetime, mate), searchmoves)| Go {
            ponder,
            infinite,
            clock,
            depth,
            nodes,
            movetime,
            mate,
            searchmoves,
        },
    )
}

fn command() -> impl Strategy<Value = Command> {
    prop_oneof![
        Just(Command::Usi),
        Just(Command::IsReady),
        (phrase(), of(phrase())).prop_map(|(name, value)| Command::SetOption { name, value }),
        Just(Command::NewGame),
        (of(phrase()), vec(word(), 0..6)).prop_map(|(sfen, moves)| Command::Position(UsiPosition { sfen, moves })),
        go().prop_map(Command::Go),
        Just(Command::Stop),
        clock().prop_map(Command::PonderHit),
        of(prop_oneof![Just(GameResult::Win), Just(GameResult::Lose), Just(GameResult::Draw)])
            .prop_map(Command::GameOver),
        Just(Command::Quit),
    ]
}

fn kind() -> impl Strategy<Value = OptionKind> {
    let text = || prop_oneof![Just(String::new()), phrase()];
    prop_oneof![
        any::<bool>().prop_map(|default| OptionKind::Check { default }),
        any::<[i64; 3]>().prop_map(|[default, min, max]| OptionKind::Spin { default, min, max }),
        (phrase(), vec(phrase(), 0..4)).prop_map(|(default, choices)| OptionKind::Combo { default, choices }),
        Just(OptionKind::Button),
        text().prop_map(|default| OptionKind::Text { default }),
        text().prop_map(|default| OptionKind::File { default }),
    ]
}

fn score() -> impl Strategy<Value = Score> {
    let value = prop_oneof![
        any::<i32>().prop_map(ScoreValue::Centipawns),
        of(any::<u32>()).prop_map(ScoreValue::MateIn),
        of(any::<u32>()).prop_map(ScoreValue::MatedIn),
    ];
    let bound = prop_oneof![Just(Bound::Exact), Just(Bound::Lower), Just(Bound::Upper)];
    (value, bound).prop_map(|(value, bound)| Score { value, bound })
}

fn news() -> impl Strategy<Value = Info> {
    let numbers = (of(any::<u32>()), of(any::<u32>()), of(any::<u32>()), of(any::<u32>()));
    let counts = (of(any::<u64>()), of(any::<u64>()), of(time()));
    (numbers, counts, of(score()), of(word()), vec(word(), 0..6), of(phrase())).prop_map(
        |((depth, seldepth, multipv, hashfull), (nodes, nps, time), score, currmove, pv, string)| Info {
            depth,
            seldepth,
            multipv,
            score,
            time,
            nodes,
            nps,
            hashfull,
            currmove,
            pv,
            string,
        },
    )
}

fn answer() -> impl Strategy<Value = Response> {
    let best = prop_oneof![
        (word(), of(word())).prop_map(|(mv, ponder)| BestMove::Move { mv, ponder }),
        Just(BestMove::Resign),
        Just(BestMove::Win),
    ];
    let mate = prop_oneof![
        vec(word(), 1..8).prop_map(Checkmate::Found),
        Just(Checkmate::None),
        Just(Checkmate::Timeout),
        Just(Checkmate::NotImplemented),
    ];
    prop_oneof![
        phrase().prop_map(Response::Name),
        phrase().prop_map(Response::Author),
        (phrase(), kind()).prop_map(|(name, kind)| Response::Option(EngineOption { name, kind })),
        Just(Response::UsiOk),
        Just(Response::ReadyOk),
        news().prop_map(Response::Info),
        best.prop_map(Response::BestMove),
        mate.prop_map(Response::Checkmate),
    ]
}

proptest! {
    #[test]
    fn commands_read_as_printed(command in command(), ending in "[ \t]{0,2}(\r\n|\n|)") {
        let line = command.to_string();
        prop_assert!(!line.contains(char::is_control));
        prop_assert_eq!(Command::parse(line + &ending), Some(command));
    }

    #[test]
    fn answers_read_as_printed(answer in answer(), ending in "[ \t]{0,2}(\r\n|\n|)") {
        let line = answer.to_string();
        prop_assert!(!line.contains(char::is_control));
        prop_assert_eq!(Response::parse(line + &ending), Some(answer));
    }

    /// Whatever is read from noise can be printed and read again.
    #[test]
    fn noise_is_read_or_ignored(
        words in vec(
            prop_oneof!["[ -~]{0,12}", "\\PC{0,6}", "(go|position|sfen|moves|setoption|name|value|info|score|mate|pv|option|type|spin|-?[0-9]{1,40}|\\+|-)"],
            0..12,
        ),
        head in "(go|position|setoption|info|option|bestmove|ponderhit|)",
    ) {
        let line = format!("{head} {}", words.join(" "));
        if let Some(command) = Command::parse(&line) {
            let printed = command.to_string();
            prop_assert!(!printed.contains('\n'));
            prop_assert!(Command::parse(&printed).is_some(), "{}", printed);
        }
        if let Some(answer) = Response::parse(&line) {
            prop_assert!(!answer.to_string().contains('\n'));
        }
    }

    #[test]
    fn bytes_never_panic(bytes in vec(any::<u8>(), 0..200)) {
        let _ = Command::parse(&bytes);
        let _ = Response::parse(&bytes);
    }

    #[test]
    fn settled_values_are_in_range(kind in kind(), value in "\\PC{0,8}|-?[0-9]{1,30}") {
        if let Some(normal) = kind.normalize(&value) {
            prop_assert_eq!(kind.normalize(&normal), Some(normal.clone()), "normalisation is idempotent");
            if let (OptionKind::Spin { min, max, .. }, Ok(number)) = (&kind, normal.parse::<i64>()) {
                prop_assert!(min > max || (*min..=*max).contains(&number));
            }
        }
    }
}

const MILLI: fn(u64) -> Duration = Duration::from_millis;

#[test]
fn go_as_programs_send_it() {
    let Some(Command::Go(go)) = Command::parse("go btime 300000 wtime 299000 byoyomi 10000") else { panic!() };
    assert_eq!(go.clock.left, [Some(MILLI(300_000)), Some(MILLI(299_000))]);
    assert_eq!(go.clock.byoyomi, Some(MILLI(10_000)));
    let Some(Command::Go(go)) = Command::parse("go ponder btime 0 wtime 5 binc 7 winc 8 depth 4") else { panic!() };
    assert!(go.ponder && go.clock.increment == [Some(MILLI(7)), Some(MILLI(8))] && go.depth == Some(4));
    for (line, mate) in [
        ("go mate infinite", MateLimit::Infinite),
        ("go mate 5000", MateLimit::Within(MILLI(5000))),
        ("go mate", MateLimit::Infinite),
    ] {
        assert_eq!(Command::parse(line), Some(Command::Go(Go { mate: Some(mate), ..Go::default() })), "{line}");
    }
}

/// Numbers out of range are brought into it; words that are no numbers leave the limit unset.
#[test]
fn odd_numbers() {
    let go = |line: &str| match Command::parse(line) {
        Some(Command::Go(go)) => go,
        other => panic!("{other:?}"),
    };
    assert_eq!(go("go btime -3000").clock.left[0], Some(MILLI(0)));
    assert!(go("go byoyomi 99999999999999999999999999999999999999999999").clock.byoyomi < Some(MILLI(1 << 36)));
    assert_eq!(go("go depth 99999999999").depth, Some(u32::MAX));
    assert_eq!(go("go depth ten nodes 5"), Go { nodes: Some(5), ..Go::default() });
    assert_eq!(go("go depth infinite"), Go { infinite: true, ..Go::default() });
    assert_eq!(go("go nodes 1e6 movetime 7"), Go { movetime: Some(MILLI(7)), ..Go::default() });
}

#[test]
fn positions_as_programs_send_them() {
    let sfen = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
    for (line, expected, moves) in [
        ("position startpos", None, 0),
        ("position startpos moves 7g7f 3c3d", None, 2),
        (&format!("position sfen {sfen}"), Some(sfen), 0),
        (&format!("position  sfen  {sfen}  moves 1a1b\r"), Some(sfen), 1),
        (&format!("position {sfen} moves"), Some(sfen), 0),
        ("position", Some(""), 0),
    ] {
        let Some(Command::Position(placement)) = Command::parse(line) else { panic!("{line}") };
        assert_eq!((placement.sfen.as_deref(), placement.moves.len()), (expected, moves), "{line}");
    }
}

#[test]
fn options_keep_their_blanks() {
    let set = |name: &str, value: Option<&str>| {
        Some(Command::SetOption { name: name.to_owned(), value: value.map(str::to_owned) })
    };
    assert_eq!(Command::parse("setoption name USI_Hash value 256"), set("USI_Hash", Some("256")));
    assert_eq!(Command::parse("setoption name Clear Hash"), set("Clear Hash", None));
    assert_eq!(
        Command::parse("setoption name BookFile value C:\\my  books\\a.db \r\n"),
        set("BookFile", Some("C:\\my  books\\a.db"))
    );
    assert_eq!(Command::parse("setoption name X value"), set("X", Some("")));
    assert_eq!(Command::parse("setoption"), None);
}

#[test]
fn info_as_programs_send_it() {
    let line =
        "info depth 12 seldepth 18 score mate -0 lowerbound time 31 nodes 5 nps 6 currmove 7g7f foo 3 pv 7g7f 3c3d";
    let Some(Response::Info(news)) = Response::parse(line) else { panic!() };
    assert_eq!((news.depth, news.nps, news.pv.len()), (Some(12), Some(6), 2));
    assert_eq!(news.score, Some(Score { value: ScoreValue::MatedIn(Some(0)), bound: Bound::Lower }));
    assert_eq!(Response::parse("info score mate +").map(|a| a.to_string()), Some("info score mate +".to_owned()));
    let Some(Response::Info(news)) = Response::parse("info string pv 7g7f  depth 3") else { panic!() };
    assert_eq!((news.string.as_deref(), news.depth), (Some("pv 7g7f  depth 3"), None));
    assert_eq!(Info::text("two\nlines").to_string(), "info string two lines");
}

/// A line of a megabyte, with and without sense in it.
#[test]
fn very_long_lines() {
    let garbage = vec![b'x'; 1 << 20];
    assert_eq!(Command::parse(&garbage), None);
    let zeros = vec![0_u8; 1 << 20];
    assert_eq!(Command::parse(&zeros), None);
    let blanks = " ".repeat(1 << 20) + "stop";
    assert_eq!(Command::parse(blanks), Some(Command::Stop));
    let many = "position startpos moves".to_owned() + &" 7g7f".repeat(200_000);
    let Some(Command::Position(placement)) = Command::parse(many) else { panic!() };
    assert_eq!(placement.moves.len(), 200_000);
    assert_eq!(Command::parse("9".repeat(1 << 20)), None);
}
