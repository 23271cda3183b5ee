//! GTP: round trips of both directions, replies over several lines, and invalid bytes.

use std::time::Duration;

use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use tesuji_protocol::gtp::{Colour, Command, CommandKind, Reply, ReplyLine, ReplyReader};

fn colour() -> impl Strategy<Value = Colour> {
    prop_oneof![Just(Colour::Black), Just(Colour::White)]
}

fn time() -> impl Strategy<Value = Duration> {
    (0..10_000_000_u64).prop_map(Duration::from_millis)
}

fn kind() -> impl Strategy<Value = CommandKind> {
    prop_oneof![
        Just(CommandKind::ProtocolVersion),
        Just(CommandKind::Name),
        Just(CommandKind::Version),
        "[a-z_]{1,9}".prop_map(CommandKind::KnownCommand),
        Just(CommandKind::ListCommands),
        Just(CommandKind::Quit),
        any::<u32>().prop_map(CommandKind::BoardSize),
        Just(CommandKind::ClearBoard),
        "[0-9]{1,2}\\.5".prop_map(CommandKind::Komi),
        (colour(), "[a-h][1-8]|pass").prop_map(|(colour, mv)| CommandKind::Play(colour, mv)),
        colour().prop_map(CommandKind::GenMove),
        colour().prop_map(CommandKind::RegGenMove),
        Just(CommandKind::Undo),
        (time(), time(), 0..9_u32).prop_map(|(main, byoyomi, stones)| CommandKind::TimeSettings {
            main,
            byoyomi,
            stones
        }),
        (colour(), time(), 0..9_u32).prop_map(|(colour, time, stones)| CommandKind::TimeLeft { colour, time, stones }),
        Just(CommandKind::FinalScore),
        Just(CommandKind::ShowBoard),
        ("gogui-[a-z_]{1,9}", vec("[a-z0-9]{1,5}", 0..3))
            .prop_map(|(name, arguments)| CommandKind::Other { name, arguments }),
    ]
}

/// The replies that these lines hold.
fn replies(text: &str) -> Vec<Reply> {
    let mut reader = ReplyReader::default();
    let replies = text.split('\n').map(|line| reader.read_line(line));
    replies.filter_map(|line| if let ReplyLine::Reply(reply) = line { Some(reply) } else { None }).collect()
}

proptest! {
    #[test]
    fn commands_read_as_they_print(id in of(any::<u32>()), kind in kind()) {
        let command = Command { id, kind };
        prop_assert_eq!(Command::parse(command.to_string()), Some(command));
    }

    #[test]
    fn replies_read_as_they_print(
        id in of(any::<u32>()), good in any::<bool>(), lines in vec("[A-Za-z][A-Za-z0-9 ]{0,9}[a-z]", 0..4),
    ) {
        let text = lines.join("\n");
        let reply = Reply { id, text: if good { Ok(text) } else { Err(text) } };
        prop_assert_eq!(replies(&reply.to_string()), [reply]);
    }

    #[test]
    fn any_bytes_are_survived(lines in vec(vec(any::<u8>(), 0..40), 0..8)) {
        let mut reader = ReplyReader::default();
        for line in lines {
            if let Some(command) = Command::parse(&line) {
                prop_assert!(!command.to_string().contains(['\n', '\r']));
            }
            if let ReplyLine::Reply(reply) = reader.read_line(&line) {
                let printed = reply.to_string();
                prop_assert_eq!(printed.find("\n\n"), Some(printed.len() - 2));
            }
        }
    }

    #[test]
    fn any_words_are_survived(line in "(genmove|play|=|\\?|=1|time_left|time_settings|[0-9]{1,12}) ?[ -~]{0,20}") {
        if let Some(command) = Command::parse(&line) {
            let again = Command::parse(command.to_string());
            prop_assert_eq!(again.map(|command| command.kind), Some(command.kind));
        }
        replies(&line);
    }
}

#[test]
fn lines_as_programs_send_them() {
    let heard = replies("= \r\n\r\nbook loaded\n=12 F5\n\n? cannot do that\n\n=3\n  A B C\n1 . . .\n\n= 4\n\n=5x\n\n");
    let reply = |id, text: &str| Reply { id, text: Ok(text.to_owned()) };
    let refused = Reply { id: None, text: Err("cannot do that".to_owned()) };
    assert_eq!(
        heard,
        [
            reply(None, ""),
            reply(Some(12), "F5"),
            refused,
            reply(Some(3), "  A B C\n1 . . ."),
            reply(None, "4"),
            reply(None, "5x"),
        ]
    );
    let command = |text| Command::parse(text).map(|command| command.kind);
    assert_eq!(command("play White F5"), Some(CommandKind::Play(Colour::White, "F5".to_owned())));
    assert_eq!(command("\tgen\u{7}move b"), Some(CommandKind::GenMove(Colour::Black)));
    let (time, stones) = (Duration::ZERO, 0);
    assert_eq!(command("time_left b -3 0"), Some(CommandKind::TimeLeft { colour: Colour::Black, time, stones }));
    let other = CommandKind::Other { name: "genmove".to_owned(), arguments: vec!["green".to_owned()] };
    assert_eq!(command("genmove green"), Some(other));
}
