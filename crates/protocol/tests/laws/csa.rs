//! The CSA server protocol: round trips of both directions and of game summaries, a conversation as the floodgate
//! server has it, and invalid bytes.

use std::time::Duration;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use tesuji_game::Side;
use tesuji_laws::fuzz::protocol_line;
use tesuji_protocol::csa::{
    ClientPhase, ClientState, Command, EndReason, GameEnd, GameResult, GameSummary, GameTime, Message, MoveComment,
    ServerEvent, SummaryError, SummaryReader, check_login,
};

fn word() -> impl Strategy<Value = String> {
    "[A-Za-z0-9_.+@-]{1,20}"
}

fn mv() -> impl Strategy<Value = String> {
    "[+-][0-9]{4}(FU|KY|KE|GI|KI|KA|HI|OU|TO|NY|NK|NG|UM|RY)"
}

fn command() -> impl Strategy<Value = Command> {
    let comment = (any::<i32>(), vec(mv(), 0..4)).prop_map(|(score, line)| MoveComment { score, line });
    prop_oneof![
        (word(), word()).prop_map(|(name, password)| Command::Login { name, password }),
        option::of(word()).prop_map(Command::Agree),
        option::of(word()).prop_map(Command::Reject),
        (mv(), option::of(comment)).prop_map(|(mv, comment)| Command::Move { mv, comment }),
        Just(Command::Resign),
        Just(Command::Declare),
        Just(Command::Interrupt),
        Just(Command::KeepAlive),
        Just(Command::Logout),
    ]
}

fn message() -> impl Strategy<Value = Message> {
    prop_oneof![
        word().prop_map(Message::LoggedIn),
        Just(Message::LoginRefused),
        Just(Message::LoggedOut),
        Just(Message::BeginSummary),
        word().prop_map(Message::Start),
        (word(), "[A-Za-z]{1,8}( [a-z()]{1,8})?").prop_map(|(id, by)| Message::Rejected { id, by }),
        (mv(), option::of(any::<u64>())).prop_map(|(mv, time)| Message::Move { mv, time }),
        "[A-Z_]{1,12}".prop_map(Message::Special),
        (0..EndReason::ALL.len()).prop_map(|index| Message::Reason(EndReason::ALL[index].0)),
        (0..GameResult::ALL.len()).prop_map(|index| Message::Result(GameResult::ALL[index].0)),
        Just(Message::KeepAlive),
        "[A-Z\\[\\]]{1,8}( [a-z]{1,8})?".prop_map(Message::Notice),
    ]
}

fn time() -> impl Strategy<Value = GameTime> {
    let numbers = (1..10_000_u64, 0..60_u64, 0..60_u64, 0..2_u64);
    (prop_oneof![Just(1_u64), Just(100), Just(1000), Just(10_000)], numbers).prop_map(
        |(unit, (total, byoyomi, increment, least))| {
            let unit = Duration::from_millis(unit);
            let times = |number: u64| unit * u32::try_from(number).unwrap();
            GameTime {
                unit,
                total: Some(times(total)),
                byoyomi: times(byoyomi),
                increment: times(increment),
                least: times(least),
            }
        },
    )
}

fn side() -> impl Strategy<Value = Side> {
    prop_oneof![Just(Side::First), Just(Side::Second)]
}

fn summary() -> impl Strategy<Value = GameSummary> {
    let times = prop_oneof![time().prop_map(|time| [time; 2]), (time(), time()).prop_map(|(a, b)| [a, b])];
    let about = (option::of(side()), option::of("Jishogi 1\\.1"), option::of(1..1000_u32));
    let position = ("P[1-9][ *A-Z+-]{0,27}\\*", "[+-]", vec("[+-][0-9]{4}FU,T[0-9]{1,3}", 0..4));
    (word(), word(), word(), side(), about, times, position).prop_map(
        |(id, first, second, side, (to_move, declaration, max_moves), times, (board, turn, moves))| GameSummary {
            id,
            names: [first, second],
            side,
            to_move,
            declaration,
            max_moves,
            times,
            position: [vec![board, turn], moves].concat(),
        },
    )
}

/// The summary of the lines after the first.
fn read(text: &str) -> Option<Result<GameSummary, SummaryError>> {
    let mut reader = SummaryReader::default();
    text.lines().skip(1).find_map(|line| reader.push(line))
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
    fn summaries_read_as_they_print(summary in summary()) {
        let text = summary.to_string();
        prop_assert_eq!(read(&text), Some(Ok(summary)), "{}", text);
    }

    #[test]
    fn any_bytes_are_survived(
        head in "|LOGIN |LOGIN:|AGREE |START:|REJECT:|REJECT:a by |%|#|##|[+]7776FU,|[+]7776FU,'\\* ",
        tail in vec(any::<u8>(), 0..40),
    ) {
        let line = [head.as_bytes(), &tail].concat();
        protocol_line(&line, |line| Command::parse(line));
        protocol_line(&line, |line| Message::parse(line));
    }

    /// However a server behaves: a game is played only after it was offered, accepted and started.
    #[test]
    fn a_player_survives_any_server(
        lines in vec((prop_oneof![
            4 => message().prop_map(|message| message.to_string()),
            1 => summary().prop_map(|summary| summary.to_string()),
            1 => "(Total_Time|Byoyomi|Time_Unit|Your_Turn|Max_Moves|Format):.{0,8}",
            1 => ".{0,20}",
        ], any::<bool>()), 0..40),
    ) {
        let mut state = ClientState::default();
        for (line, agrees) in lines.iter().flat_map(|(text, agrees)| text.lines().map(move |line| (line, *agrees))) {
            let before = state.phase();
            let event = state.receive(line.as_bytes());
            match (&event, before, state.phase()) {
                (ServerEvent::Offer(_) | ServerEvent::BadOffer(_), ClientPhase::Summary, ClientPhase::Offered)
                | (ServerEvent::Started, ClientPhase::Agreed, ClientPhase::Playing)
                | (ServerEvent::Ended(_), ClientPhase::Playing, ClientPhase::Waiting)
                | (ServerEvent::Move { .. }, ClientPhase::Playing, ClientPhase::Playing)
                | (ServerEvent::LoggedIn, ClientPhase::Login, ClientPhase::Waiting) => {}
                (ServerEvent::Rejected { .. }, ClientPhase::Offered | ClientPhase::Agreed, ClientPhase::Waiting) => {}
                (ServerEvent::Nothing, _, _) => {}
                (event, before, after) => prop_assert!(
                    before == after && !matches!(event, ServerEvent::Started | ServerEvent::Ended(_)),
                    "{:?}: {:?} to {:?}", event, before, after
                ),
            }
            if agrees {
                state.agreed();
            }
        }
    }
}

/// A summary as the floodgate server prints it.
const SUMMARY: &str = "\
BEGIN Game_Summary
Protocol_Version:1.2
Protocol_Mode:Server
Format:Shogi 1.0
Declaration:Jishogi 1.1
Game_ID:test+game-10-1F+alpha+beta+20261118203000
Name+:alpha
Name-:beta
Your_Turn:-
Rematch_On_Draw:NO
To_Move:+
Max_Moves:256
BEGIN Time
Time_Unit:1sec
Total_Time:10
Byoyomi:0
Increment:1
Least_Time_Per_Move:0
END Time
BEGIN Position
P1-KY-KE-GI-KI-OU-KI-GI-KE-KY
P2 * -HI *  *  *  *  * -KA * 
P3-FU-FU-FU-FU-FU-FU-FU-FU-FU
P4 *  *  *  *  *  *  *  *  * 
P5 *  *  *  *  *  *  *  *  * 
P6 *  *  *  *  *  *  *  *  * 
P7+FU+FU+FU+FU+FU+FU+FU+FU+FU
P8 * +KA *  *  *  *  * +HI * 
P9+KY+KE+GI+KI+OU+KI+GI+KE+KY
P+
P-
+
+7776FU,T3
END Position
END Game_Summary";

#[test]
fn a_conversation_with_the_floodgate_server() {
    let mut state = ClientState::default();
    let say = |state: &mut ClientState, line: &str| state.receive(format!("{line}\n").as_bytes());
    assert_eq!(say(&mut state, "LOGIN:beta OK"), ServerEvent::LoggedIn);
    let offer = SUMMARY.lines().map(|line| say(&mut state, line)).last();
    let Some(ServerEvent::Offer(summary)) = offer else { panic!("{offer:?}") };
    assert_eq!((summary.side, summary.max_moves), (Side::Second, Some(256)));
    assert_eq!(summary.names, ["alpha", "beta"]);
    let time = summary.times[0];
    assert_eq!((time.total, time.increment), (Some(Duration::from_secs(10)), Duration::from_secs(1)));
    assert_eq!(summary.position.last().map(String::as_str), Some("+7776FU,T3"));
    assert_eq!(say(&mut state, "START:early"), ServerEvent::Unexpected);
    state.agreed();
    assert_eq!(say(&mut state, "START:test+game-10-1F+alpha+beta+20261118203000"), ServerEvent::Started);
    assert_eq!(say(&mut state, "-3334FU,T0"), ServerEvent::Move { mv: "-3334FU".to_owned(), time: Some(0) });
    assert_eq!(say(&mut state, ""), ServerEvent::Nothing);
    assert_eq!(say(&mut state, "%TORYO"), ServerEvent::Nothing);
    assert_eq!(say(&mut state, "#RESIGN"), ServerEvent::Nothing);
    let end = GameEnd { reason: Some(EndReason::Resign), result: GameResult::Win };
    assert_eq!(say(&mut state, "#WIN"), ServerEvent::Ended(end));
    // The next game on the same connection, which the opponent refuses.
    SUMMARY.lines().for_each(|line| drop(say(&mut state, line)));
    let rejected = say(&mut state, "REJECT:test+game-10-1F+alpha+beta+20261118203000 by the Server (timed out)");
    assert_eq!(rejected, ServerEvent::Rejected { by: "the Server (timed out)".to_owned() });
    assert_eq!(
        say(&mut state, "##[ERROR] unknown command: x"),
        ServerEvent::Notice("[ERROR] unknown command: x".into())
    );
    assert_eq!(state.phase(), ClientPhase::Waiting);
}

#[test]
fn every_ending_of_the_server_is_known() {
    let ends = ["#RESIGN", "#TIME_UP", "#ILLEGAL_MOVE", "#SENNICHITE", "#OUTE_SENNICHITE", "#JISHOGI", "#MAX_MOVES"];
    for line in ends {
        assert!(matches!(Message::parse(line), Some(Message::Reason(_))), "{line}");
    }
    for line in ["#WIN", "#LOSE", "#DRAW", "#CENSORED", "#CHUDAN"] {
        assert!(matches!(Message::parse(line), Some(Message::Result(_))), "{line}");
    }
}

#[test]
fn wrong_summaries_say_what_would_be_right() {
    let wrong = |from: &str, to: &str| read(&SUMMARY.replace(from, to)).unwrap().unwrap_err().to_string();
    assert_eq!(
        wrong("Your_Turn:-", "Your_Turn:black"),
        "line \"Your_Turn:black\" of the game summary: a side is + or -"
    );
    assert!(wrong("Total_Time:10", "Total_Time:ten").contains("whole numbers"));
    assert!(wrong("Time_Unit:1sec", "Time_Unit:1day").contains("1sec, 1min or 1msec"));
    assert!(wrong("Shogi 1.0", "Chess 1.0").contains("must be shogi"));
    assert_eq!(wrong("Game_ID:", "Game_Name:"), "the game summary has no Game_ID");
    let endless = format!("{}\n{}", SUMMARY.replace("END Game_Summary", ""), "x\n".repeat(5000));
    assert_eq!(read(&endless), Some(Err(SummaryError::TooLong)));
}

#[test]
fn clocks_in_all_their_forms() {
    let clock = |lines: &str| {
        let (head, rest) = SUMMARY.split_once("BEGIN Time").unwrap();
        let (_, tail) = rest.split_once("END Time").unwrap();
        read(&format!("{head}BEGIN Time\n{lines}\nEND Time{tail}")).unwrap().unwrap().times[1]
    };
    let seconds = Duration::from_secs;
    let byoyomi = clock("Total_Time:600\nByoyomi:10\nLeast_Time_Per_Move:1");
    assert_eq!((byoyomi.total, byoyomi.byoyomi, byoyomi.least), (Some(seconds(600)), seconds(10), seconds(1)));
    let millis = clock("Time_Unit:1msec\nTotal_Time:1500");
    assert_eq!((millis.total, millis.unit), (Some(Duration::from_millis(1500)), Duration::from_millis(1)));
    assert_eq!(clock("Time_Unit:1min\nTotal_Time:25").total, Some(seconds(1500)));
    // The stop-watch clock announces minutes and counts seconds, in whole periods.
    let watch = clock("Time_Unit:1min\nTotal_Time:1500\nByoyomi:60");
    assert_eq!((watch.total, watch.byoyomi, watch.unit), (Some(seconds(1500)), seconds(0), seconds(1)));
    assert_eq!(clock("Total_Time:0\nByoyomi:0").total, None);
    assert_eq!(clock("Total_Time:99999999999999").total, Some(seconds(10_000_000)));
}

#[test]
fn names_and_passwords_that_servers_take() {
    let longest = "x".repeat(32);
    for (name, password) in [("tesuji", "test-10-1F,x"), (longest.as_str(), "secret"), ("a@b-c.d_e", "test-600-10")] {
        assert!(check_login(name, password).is_ok(), "{name} {password}");
    }
    for (name, password) in [("", "x"), ("a b", "x"), ("é", "x"), ("a", ""), ("a", "x y"), (&"x".repeat(33), "x")] {
        assert!(check_login(name, password).is_err(), "{name} {password}");
    }
    assert!(check_login("a", "x y").unwrap_err().is_password);
}
