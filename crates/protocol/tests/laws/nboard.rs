//! NBoard: round trips of both directions, lines as real programs send them, and invalid bytes.

use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use tesuji_protocol::nboard::{Command, MoveReport, Response, SearchLine};

fn discs() -> impl Strategy<Value = f64> {
    (-6400..=6400_i32).prop_map(|discs| f64::from(discs) / 100.0)
}

fn played() -> impl Strategy<Value = MoveReport> {
    ("[A-H][1-8]|PA", of(discs()), of(discs())).prop_map(|(mv, eval, time)| MoveReport { mv, eval, time })
}

fn line() -> impl Strategy<Value = SearchLine> {
    ("([A-H][1-8]){1,5}", discs(), "[1-9][0-9]?|100%W?", "|[a-z]{1,9}")
        .prop_map(|(moves, eval, depth, text)| SearchLine { moves, eval, depth, text })
}

fn command() -> impl Strategy<Value = Command> {
    prop_oneof![
        any::<u32>().prop_map(Command::NBoard),
        any::<u32>().prop_map(Command::SetDepth),
        "\\(;GM\\[Othello\\]PB\\[[a-z ]{0,9}\\];\\)".prop_map(Command::SetGame),
        any::<i32>().prop_map(Command::SetContempt),
        played().prop_map(Command::Move),
        any::<u32>().prop_map(Command::Hint),
        Just(Command::Go),
        any::<u32>().prop_map(Command::Ping),
        Just(Command::Learn),
        Just(Command::Analyze),
        Just(Command::Quit),
    ]
}

fn answer() -> impl Strategy<Value = Response> {
    prop_oneof![
        "[A-Z][a-z]{1,9}( [0-9])?".prop_map(Response::MyName),
        any::<u32>().prop_map(Response::Pong),
        "|[A-Z][a-z]{1,9}".prop_map(Response::Status),
        (any::<u64>(), discs()).prop_map(|(nodes, seconds)| Response::NodeStats(nodes, seconds)),
        line().prop_map(Response::Search),
        (line(), any::<u64>()).prop_map(|(line, games)| Response::Book(line, games)),
        played().prop_map(Response::Move),
        Just(Response::Learned),
        (any::<u32>(), discs()).prop_map(|(moves, eval)| Response::Analysis(moves, eval)),
    ]
}

proptest! {
    #[test]
    fn commands_read_as_they_print(command in command()) {
        prop_assert_eq!(Command::parse(command.to_string()), Some(command));
    }

    #[test]
    fn answers_read_as_they_print(answer in answer()) {
        prop_assert_eq!(Response::parse(answer.to_string()), Some(answer));
    }

    #[test]
    fn any_bytes_are_survived(
        head in "|=== ?|search |book |set |move |nodestats |pong ", tail in vec(any::<u8>(), 0..40),
    ) {
        let line = [head.as_bytes(), &tail].concat();
        if let Some(command) = Command::parse(&line) {
            prop_assert!(!command.to_string().contains(['\n', '\r']));
        }
        if let Some(answer) = Response::parse(&line) {
            prop_assert!(!answer.to_string().contains(['\n', '\r']));
        }
    }
}

#[test]
fn lines_as_programs_send_them() {
    let played = |mv: &str, eval, time| Some(Response::Move(MoveReport { mv: mv.to_owned(), eval, time }));
    assert_eq!(Response::parse("=== F5/0.18/1.5"), played("F5", Some(0.18), Some(1.5)));
    assert_eq!(Response::parse("===F5\r"), played("F5", None, None));
    assert_eq!(Response::parse("=== F5//inf"), played("F5", None, None));
    assert_eq!(Response::parse("=== d6 -1.00 0.0"), played("d6", Some(-1.0), Some(0.0)));
    assert_eq!(Response::parse("=== F5/2/"), played("F5", Some(2.0), None));
    assert_eq!(Response::parse("==="), None);
    assert_eq!(Response::parse("search F5d6C3 +1.00 0 100%W wins"), {
        let (moves, depth, text) = ("F5d6C3".to_owned(), "100%W".to_owned(), "wins".to_owned());
        Some(Response::Search(SearchLine { moves, eval: 1.0, depth, text }))
    });
    assert_eq!(Response::parse("search F5 +1 0 deep"), None);
}
