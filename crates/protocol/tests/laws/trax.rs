//! The Trax contest protocol: round trips, lines as hosts and players send them, and invalid bytes.

use proptest::collection::vec;
use proptest::prelude::*;
use tesuji_laws::fuzz::protocol_line;
use tesuji_protocol::trax::{Command, Response};

fn mv() -> impl Strategy<Value = String> {
    "(@|[A-Z]{1,3})[0-9]{1,3}[+/\\\\]"
}

fn command() -> impl Strategy<Value = Command> {
    prop_oneof![
        Just(Command::Team),
        Just(Command::White),
        Just(Command::Red),
        vec(mv(), 1..6).prop_map(Command::Load),
        Just(Command::Name),
        mv().prop_map(Command::Make),
        Just(Command::Undo),
        Just(Command::Init),
        Just(Command::Judge),
        Just(Command::Exit),
        mv().prop_map(Command::Move),
    ]
}

proptest! {
    #[test]
    fn commands_and_answers_read_as_they_print(command in command(), mv in mv()) {
        prop_assert_eq!(Command::parse(command.to_string()), Some(command));
        prop_assert_eq!(Response::parse(&mv), Some(Response::Move(mv)));
    }

    #[test]
    fn any_bytes_are_survived(line in vec(any::<u8>(), 0..40)) {
        protocol_line(&line, |line| Command::parse(line));
        if let Some(command) = Command::parse(&line) {
            prop_assert!(!command.to_string().contains(['\n', '\r']));
        }
        if let Some(answer) = Response::parse(&line) {
            prop_assert!(!answer.to_string().contains(['\n', '\r']));
        }
    }
}

#[test]
fn only_moves_are_taken_for_moves() {
    for text in ["@0/", "@0+", "A1\\", "AB12+", "B0/"] {
        assert_eq!(Command::parse(text), Some(Command::Move(text.to_owned())), "{text}");
    }
    for text in ["", " ", "@", "@/", "A/", "1/", "@@0/", "@A0/", "a1/", "A1", "A1x", "A1//", "A-1/", "-X"] {
        assert_eq!(Command::parse(text), None, "{text}");
    }
    assert_eq!(Command::parse("-R"), Some(Command::Red));
    assert_eq!(Command::parse("-R -F"), Some(Command::Red));
    assert_eq!(Command::parse("-M"), None);
    assert_eq!(Command::parse("-M hello"), None);
    assert_eq!(Response::parse("TS\r\n"), Some(Response::Text("TS".to_owned())));
    assert_eq!(Response::parse("A1/ B2+"), Some(Response::Text("A1/ B2+".to_owned())));
    assert_eq!(Response::parse(" \r\n"), None);
}
