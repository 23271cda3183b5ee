//! The match protocol of Othello servers: round trips of both directions, the ways through a conversation,
//! lines as real servers send them, and invalid bytes.

use proptest::collection::vec;
use proptest::prelude::*;
use tesuji_laws::fuzz::protocol_line;
use tesuji_protocol::reversi::{
    ClientPhase, ClientState, Colour, Command, GameEnd, GameResult, GameStart, Message, ServerEvent, ServerMove,
    ServerStanding, check_name,
};

fn name() -> impl Strategy<Value = String> {
    "[A-Za-z0-9_.-]{1,20}"
}

fn play() -> impl Strategy<Value = ServerMove> {
    prop_oneof![8 => (0..8_u8, 0..8_u8).prop_map(|(column, row)| ServerMove::Disc(column, row)), 1 => Just(ServerMove::Pass)]
}

fn command() -> impl Strategy<Value = Command> {
    let all = prop_oneof![play(), Just(ServerMove::GiveUp)];
    prop_oneof![name().prop_map(Command::Open), all.prop_map(Command::Move)]
}

fn start() -> impl Strategy<Value = GameStart> {
    let colour = prop_oneof![Just(Colour::Black), Just(Colour::White)];
    (colour, name(), any::<i64>()).prop_map(|(colour, opponent, time)| GameStart { colour, opponent, time })
}

fn end() -> impl Strategy<Value = GameEnd> {
    let verdict = prop_oneof![Just(GameResult::Win), Just(GameResult::Lose), Just(GameResult::Tie)];
    (verdict, 0..=64_u32, 0..=64_u32, "|[A-Z_]{1,20}").prop_map(|(verdict, own, other, reason)| GameEnd {
        verdict,
        own,
        other,
        reason,
    })
}

fn standing() -> impl Strategy<Value = ServerStanding> {
    (name(), any::<i64>(), any::<u32>(), any::<u32>()).prop_map(|(name, score, won, lost)| ServerStanding {
        name,
        score,
        won,
        lost,
    })
}

fn message() -> impl Strategy<Value = Message> {
    prop_oneof![
        start().prop_map(Message::Start),
        any::<i64>().prop_map(Message::Ack),
        play().prop_map(Message::Move),
        end().prop_map(Message::End),
        vec(standing(), 0..4).prop_map(Message::Bye),
    ]
}

proptest! {
    #[test]
    fn commands_read_as_they_print(command in command(), end in "|\r|\r\n|\n") {
        let line = command.to_string();
        prop_assert!(!line.contains(['\r', '\n']));
        prop_assert_eq!(Command::parse(line + &end), Some(command));
    }

    #[test]
    fn messages_read_as_they_print(message in message(), end in "|\r|\r\n|\n") {
        let line = message.to_string();
        prop_assert!(!line.contains(['\r', '\n']));
        prop_assert_eq!(Message::parse(line + &end), Some(message));
    }

    #[test]
    fn any_bytes_are_survived(
        head in "|OPEN |MOVE |START |START BLACK x |ACK |END |END WIN |END TIE 3 |BYE |BYE a 1 2 ",
        tail in vec(any::<u8>(), 0..40),
    ) {
        let line = [head.as_bytes(), &tail].concat();
        protocol_line(&line, |line| Command::parse(line));
        protocol_line(&line, |line| Message::parse(line));
    }

    #[test]
    fn any_name_can_be_printed(name in ".{0,20}") {
        let line = Command::Open(name).to_string();
        prop_assert!(matches!(Command::parse(line), Some(Command::Open(_))));
    }

    /// However a server behaves, the state has a sensible state, and after a farewell nothing moves it.
    #[test]
    fn a_seat_survives_any_server(messages in vec((message(), any::<bool>()), 0..40)) {
        let mut state = ClientState::default();
        for (message, moves) in messages {
            let before = state.phase();
            let event = state.receive(message);
            match (&event, state.phase()) {
                (ServerEvent::Start(start), ClientPhase::OwnTurn) => prop_assert_eq!(start.colour, Colour::Black),
                (ServerEvent::Start(start), ClientPhase::OtherTurn) => prop_assert_eq!(start.colour, Colour::White),
                (ServerEvent::Move(_), ClientPhase::OwnTurn)
                | (ServerEvent::Ack(_), ClientPhase::OtherTurn)
                | (ServerEvent::End(_), ClientPhase::Wait)
                | (ServerEvent::Bye(_), ClientPhase::Done) => {}
                (ServerEvent::Unexpected, after) => prop_assert_eq!(after, before),
                other => prop_assert!(false, "{:?}", other),
            }
            if moves {
                state.moved();
                prop_assert_ne!(state.phase(), ClientPhase::OwnTurn);
            }
        }
    }
}

#[test]
fn lines_as_servers_send_them() {
    let start =
        |colour, opponent: &str, time| Some(Message::Start(GameStart { colour, opponent: opponent.to_owned(), time }));
    assert_eq!(Message::parse("START BLACK rand_1.0 600000\n"), start(Colour::Black, "rand_1.0", 600_000));
    assert_eq!(Message::parse("START  WHITE x -1 \r\n"), start(Colour::White, "x", -1));
    assert_eq!(Message::parse("START GREEN x 1"), None);
    assert_eq!(Message::parse("ACK 599123"), Some(Message::Ack(599_123)));
    assert_eq!(Message::parse("ACK -70123"), Some(Message::Ack(-70_123)));
    assert_eq!(Message::parse("ACK"), None);
    assert_eq!(Message::parse("MOVE A8"), Some(Message::Move(ServerMove::Disc(0, 7))));
    assert_eq!(Message::parse("MOVE PASS"), Some(Message::Move(ServerMove::Pass)));
    let end = |reason: &str| {
        Some(Message::End(GameEnd { verdict: GameResult::Lose, own: 2, other: 0, reason: reason.to_owned() }))
    };
    assert_eq!(Message::parse("END LOSE 2 0 SUDDEN_DEATH"), end("SUDDEN_DEATH"));
    assert_eq!(Message::parse("END LOSE 2 0"), end(""));
    let row = |name: &str, score, won, lost| ServerStanding { name: name.to_owned(), score, won, lost };
    assert_eq!(
        Message::parse("BYE a-1 2 2 0 b.2 -2 0 2"),
        Some(Message::Bye(vec![row("a-1", 2, 2, 0), row("b.2", -2, 0, 2)]))
    );
    assert_eq!(Message::parse("BYE a 2 2 0 b x"), Some(Message::Bye(vec![row("a", 2, 2, 0)])));
    assert_eq!(Message::parse("HELLO"), None);
    assert_eq!(Message::parse(""), None);
    assert_eq!(Command::parse("MOVE F5 F6"), None);
    assert_eq!(Command::parse("MOVE"), None);
    assert_eq!(Command::parse("OPEN a b"), None);
    assert_eq!(Command::parse(vec![b'X'; 1 << 20]), None);
}

#[test]
fn the_end_may_stand_where_the_receipt_should() {
    let end = || GameEnd { verdict: GameResult::Win, own: 33, other: 31, reason: "DOUBLE_PASS".to_owned() };
    let start = |colour| Message::Start(GameStart { colour, opponent: "x".to_owned(), time: 1000 });
    let mut state = ClientState::default();
    state.receive(start(Colour::Black));
    assert_eq!(state.phase(), ClientPhase::OwnTurn);
    state.moved();
    assert_eq!(state.phase(), ClientPhase::AckWait);
    assert_eq!(state.receive(Message::End(end())), ServerEvent::End(end()));
    assert_eq!(state.phase(), ClientPhase::Wait);
    assert_eq!(state.receive(Message::End(end())), ServerEvent::Unexpected);
    // The next game of the same connection.
    state.receive(start(Colour::White));
    assert_eq!((state.phase(), state.is_playing()), (ClientPhase::OtherTurn, true));
    assert_eq!(state.receive(Message::Move(ServerMove::Pass)), ServerEvent::Move(ServerMove::Pass));
    state.moved();
    assert_eq!(state.receive(Message::Ack(-3)), ServerEvent::Ack(-3));
    assert_eq!(state.receive(Message::Bye(Vec::new())), ServerEvent::Bye(Vec::new()));
    assert_eq!(state.receive(start(Colour::Black)), ServerEvent::Unexpected);
}

#[test]
fn names() {
    for good in ["tesuji", "a12", "x_y-z.0", "-1a", "0x", "Aa"] {
        assert!(check_name(good).is_ok(), "{good}");
    }
    for bad in ["", " ", "a b", "ä", "007", "-7", "WIN", "bye", "Pass", "a\n", "F5", "a1", &"x".repeat(65)] {
        assert!(check_name(bad).is_err(), "{bad}");
    }
}
