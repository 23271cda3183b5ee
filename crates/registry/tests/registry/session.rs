//! Interactive games through a handle.

use std::time::Duration;

use tesuji_registry::{
    EngineChoice, Error, HUMAN, PositionSpec, SearchLimits, Session, SessionAction, SessionEvent, SessionRequest,
    SideName, shipped,
};

const PATIENCE: Duration = Duration::from_secs(60);

fn session(game: &str, first: &str, second: &str, moves: &str) -> Box<dyn Session> {
    let request = SessionRequest {
        at: PositionSpec { moves: Some(moves.to_owned()), ..PositionSpec::default() },
        first: Some(first.to_owned()),
        second: Some(second.to_owned()),
        limits: SearchLimits { hash: Some(1), depth: Some(2), ..SearchLimits::default() },
        ..SessionRequest::default()
    };
    shipped().game(game).unwrap().session(&request).unwrap()
}

fn play(session: &mut dyn Session, text: &str) -> Result<(), Error> {
    session.act(SessionAction::Play { text: text.to_owned() })
}

/// Polls until something happens.
fn events(session: &mut dyn Session) -> Vec<SessionEvent> {
    std::iter::repeat_with(|| session.poll(PATIENCE)).find(|events| !events.is_empty()).unwrap()
}

#[test]
fn an_engine_replies_and_undo_takes_both_moves_back() {
    let mut session = session("othello", HUMAN, "alphabeta", "");
    assert!(session.view().awaits_human() && play(&mut *session, "a1").is_err());
    play(&mut *session, "f5").unwrap();
    let refused = play(&mut *session, "d6").unwrap_err().to_string();
    assert!(refused.contains("the engine's move"), "{refused}");
    let played = events(&mut *session);
    let [SessionEvent::Played { side: SideName::Second, choice: EngineChoice::Move { mv } }] = &played[..] else {
        panic!("{played:?}");
    };
    assert_eq!(session.view().moves, ["f5", mv.as_str()]);
    session.act(SessionAction::Undo).unwrap();
    assert!(session.view().moves.is_empty() && session.view().awaits_human());
    assert!(session.act(SessionAction::Undo).is_err());
    session.act(SessionAction::Redo).unwrap();
    assert_eq!(session.view().moves, ["f5"]);
}

#[test]
fn hints_values_and_moves_for_a_human() {
    let mut session = session("shogi", HUMAN, HUMAN, "7g7f");
    session.act(SessionAction::Hint).unwrap();
    let hint = events(&mut *session);
    assert!(matches!(&hint[..], [SessionEvent::Hint { choice: EngineChoice::Move { .. }, value: Some(_) }]));
    assert_eq!(session.view().moves.len(), 1);
    session.act(SessionAction::EngineMove).unwrap();
    assert!(matches!(&events(&mut *session)[..], [SessionEvent::Played { side: SideName::Second, .. }]));
    assert_eq!((session.view().moves.len(), session.search()), (2, None));
    session.act(SessionAction::Values { on: true }).unwrap();
    let update = std::iter::repeat_with(|| {
        session.poll(PATIENCE);
        session.search().and_then(|search| search.update)
    });
    assert_eq!(update.flatten().next().unwrap().lines.len(), 5);
    session.act(SessionAction::Values { on: false }).unwrap();
    while session.search().is_some() {
        session.poll(PATIENCE);
    }
}

#[test]
fn an_earlier_position_is_viewed_and_continued() {
    let mut session = session("othello", HUMAN, HUMAN, "f5d6c3");
    session.act(SessionAction::View { ply: 1 }).unwrap();
    let view = session.view();
    assert_eq!((view.ply, view.is_latest, view.mover, view.moves.len()), (1, false, Some(SideName::Second), 3));
    assert_eq!((session.cells("D6").len(), session.cells("a1").len()), (1, 0));
    assert!(play(&mut *session, "d6").is_err());
    session.act(SessionAction::Undo).unwrap();
    assert_eq!((session.view().moves.len(), session.view().is_latest), (1, true));
    play(&mut *session, "f4").unwrap();
    assert!(session.act(SessionAction::Redo).is_err(), "another move was played");
}

#[test]
fn endings() {
    let mut session = session("shogi", HUMAN, HUMAN, "");
    assert!(play(&mut *session, "win").is_err());
    play(&mut *session, "resign").unwrap();
    let view = session.view();
    assert_eq!(view.ending.as_ref().unwrap().text, "white won (resignation)");
    assert!(view.to_move.is_none() && view.legal.is_empty() && play(&mut *session, "7g7f").is_err());
}
