//! The match protocol of Othello servers: round trips of both directions, the ways through a conversation,
//! lines as real servers send them, and bytes nobody should send.

use proptest::collection::vec;
use proptest::prelude::*;
use tesuji_laws::fuzz::protocol_line;
use tesuji_protocol::reversi::{
    Colour, Command, End, Heard, Message, Play, Seat, Standing, Start, State, Verdict, check_name,
};

fn name() -> impl Strategy<Value = String> {
    "[A-Za-z0-9_.-]{1,20}"
}

fn play() -> impl Strategy<Value = Play> {
    prop_oneof![8 => (0..8_u8, 0..8_u8).prop_map(|(column, row)| Play::Disc(column, row)), 1 => Just(Play::Pass)]
}

fn command() -> impl Strategy<Value = Command> {
    let all = prop_oneof![play(), Just(Play::GiveUp)];
    prop_oneof![name().prop_map(Command::Open), all.prop_map(Command::Move)]
}

fn start() -> impl Strategy<Value = Start> {
    let colour = prop_oneof![Just(Colour::Black), Just(Colour::White)];
    (colour, name(), any::<i64>()).prop_map(|(colour, opponent, time)| Start { colour, opponent, time })
}

fn end() -> impl Strategy<Value = End> {
    let verdict = prop_oneof![Just(Verdict::Win), Just(Verdict::Lose), Just(Verdict::Tie)];
    (verdict, 0..=64_u32, 0..=64_u32, "|[A-Z_]{1,20}").prop_map(|(verdict, own, other, reason)| End {
        verdict,
        own,
        other,
        reason,
    })
}

fn standing() -> impl Strategy<Value = Standing> {
    (name(), any::<i64>(), any::<u32>(), any::<u32>()).prop_map(|(name, score, won, lost)| Standing {
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

    /// However a server behaves, the seat has a sensible state, and after a farewell nothing moves it.
    #[test]
    fn a_seat_survives_any_server(messages in vec((message(), any::<bool>()), 0..40)) {
        let mut seat = Seat::default();
        for (message, moves) in messages {
            let before = seat.state();
            let heard = seat.hear(message);
            match (&heard, seat.state()) {
                (Heard::Begin(start), State::OwnTurn) => prop_assert_eq!(start.colour, Colour::Black),
                (Heard::Begin(start), State::OtherTurn) => prop_assert_eq!(start.colour, Colour::White),
                (Heard::Moved(_), State::OwnTurn)
                | (Heard::Taken(_), State::OtherTurn)
                | (Heard::Over(_), State::Wait)
                | (Heard::Farewell(_), State::Done) => {}
                (Heard::Astray, after) => prop_assert_eq!(after, before),
                other => prop_assert!(false, "{:?}", other),
            }
            if moves {
                seat.moved();
                prop_assert_ne!(seat.state(), State::OwnTurn);
            }
        }
    }
}

#[test]
fn lines_as_servers_send_them() {
    let start = |colour, opponent: &str, time| {
        Some(Message::Start(Start { colour, opponent: opponent.to_owned(), time }))
    };
    assert_eq!(Message::parse("START BLACK rand_1.0 600000\n"), start(Colour::Black, "rand_1.0", 600_000));
    assert_eq!(Message::parse("START  WHITE x -1 \r\n"), start(Colour::White, "x", -1));
    assert_eq!(Message::parse("START GREEN x 1"), None);
    assert_eq!(Message::parse("ACK 599123"), Some(Message::Ack(599_123)));
    assert_eq!(Message::parse("ACK -70123"), Some(Message::Ack(-70_123)));
    assert_eq!(Message::parse("ACK"), None);
    assert_eq!(Message::parse("MOVE A8"), Some(Message::Move(Play::Disc(0, 7))));
    assert_eq!(Message::parse("MOVE PASS"), Some(Message::Move(Play::Pass)));
    let end = |reason: &str| {
        Some(Message::End(End { verdict: Verdict::Lose, own: 2, other: 0, reason: reason.to_owned() }))
    };
    assert_eq!(Message::parse("END LOSE 2 0 SUDDEN_DEATH"), end("SUDDEN_DEATH"));
    assert_eq!(Message::parse("END LOSE 2 0"), end(""));
    let row = |name: &str, score, won, lost| Standing { name: name.to_owned(), score, won, lost };
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
    let end = || End { verdict: Verdict::Win, own: 33, other: 31, reason: "DOUBLE_PASS".to_owned() };
    let start = |colour| Message::Start(Start { colour, opponent: "x".to_owned(), time: 1000 });
    let mut seat = Seat::default();
    seat.hear(start(Colour::Black));
    assert_eq!(seat.state(), State::OwnTurn);
    seat.moved();
    assert_eq!(seat.state(), State::AckWait);
    assert_eq!(seat.hear(Message::End(end())), Heard::Over(end()));
    assert_eq!(seat.state(), State::Wait);
    assert_eq!(seat.hear(Message::End(end())), Heard::Astray);
    // The next game of the same connection.
    seat.hear(start(Colour::White));
    assert_eq!((seat.state(), seat.is_playing()), (State::OtherTurn, true));
    assert_eq!(seat.hear(Message::Move(Play::Pass)), Heard::Moved(Play::Pass));
    seat.moved();
    assert_eq!(seat.hear(Message::Ack(-3)), Heard::Taken(-3));
    assert_eq!(seat.hear(Message::Bye(Vec::new())), Heard::Farewell(Vec::new()));
    assert_eq!(seat.hear(start(Colour::Black)), Heard::Astray);
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
