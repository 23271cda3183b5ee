//! Interactive games through a handle.

use std::time::Duration;

use tesuji_registry::{
    CellContent, EngineChoice, Error, HUMAN, PositionSpec, SearchLimits, SearchPurpose, Session, SessionAction,
    SessionEvent, SessionRequest, SideName, shipped,
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

/// When a search for values ends, what it found stays, and no other search begins.
#[test]
fn values_end_by_themselves() {
    let board = format!("-OX{} X", "X".repeat(61));
    let request = SessionRequest {
        at: PositionSpec { position: Some(board), ..PositionSpec::default() },
        first: Some(HUMAN.to_owned()),
        second: Some(HUMAN.to_owned()),
        ..SessionRequest::default()
    };
    let mut session = shipped().game("othello").unwrap().session(&request).unwrap();
    session.act(SessionAction::Values { on: true }).unwrap();
    let last = std::iter::repeat_with(|| {
        session.poll(PATIENCE);
        session.search()
    });
    let last = last.flatten().find(|search| !search.is_running).unwrap();
    assert_eq!(last.purpose, SearchPurpose::Values);
    session.poll(Duration::ZERO);
    assert!(session.search().is_some_and(|search| !search.is_running));
}

#[test]
fn moves_as_a_board_shows_them() {
    let shogi = session("shogi", HUMAN, HUMAN, "7g7f 3c3d 8h2b+ 3a2b");
    let view = shogi.view();
    assert_eq!(view.on_board.len(), view.legal.len());
    let drop = view.on_board.iter().find(|mv| mv.text == "B*5e").unwrap();
    assert_eq!((drop.dropped.as_deref(), &drop.cells[..]), (Some("B"), &[40][..]));
    let step = view.on_board.iter().find(|mv| mv.text == "2g2f").unwrap();
    assert_eq!((step.dropped.as_deref(), &step.cells[..]), (None, &[61, 52][..]));
    let trax = session("trax", HUMAN, HUMAN, "@0/");
    let preview = trax.preview("b1/");
    assert!(matches!(&preview[..], [(5, CellContent::Tile(_)), ..]), "{preview:?}");
    assert!(trax.preview("b1x").is_empty());
}

#[test]
fn japanese_names_of_moves() {
    let mut session = session("shogi", HUMAN, HUMAN, "7g7f 3c3d 8h2b+");
    let native = session.view().native.clone().unwrap();
    assert_eq!(native.moves, ["▲７六歩", "△３四歩", "▲２二角成"]);
    assert_eq!(native.players, ["sente", "gote"]);
    let at = session.view().legal.iter().position(|text| text == "3a2b").unwrap();
    assert_eq!(native.legal[at], "△同銀");
    let line = ["3a2b", "B*5e", "9z9z"].map(str::to_owned);
    assert_eq!(session.native_line(&line), ["△同銀", "▲５五角", "9z9z"]);
    play(&mut *session, "△同銀").unwrap();
    assert_eq!(session.view().moves.last().unwrap(), "3a2b");
    play(&mut *session, "５五角").unwrap();
    assert_eq!(session.view().moves.last().unwrap(), "B*5e");
    assert!(self::session("othello", HUMAN, HUMAN, "").view().native.is_none());
}

/// Taking back a resignation takes back nothing else.
#[test]
fn a_resignation_is_taken_back() {
    let mut session = session("othello", HUMAN, HUMAN, "f5");
    session.act(SessionAction::Resign).unwrap();
    session.act(SessionAction::Undo).unwrap();
    assert_eq!((session.view().moves.len(), session.view().ending.is_none()), (1, true));
}

#[test]
fn files_with_unknown_endings_are_refused() {
    let mut session = session("shogi", HUMAN, HUMAN, "7g7f");
    let folder = std::env::temp_dir().join(format!("tesuji-endings-{}", std::process::id()));
    let file = |name: &str| Some(folder.join(name).display().to_string());
    let missing = session.act(SessionAction::Save { file: file("out.csa") }).unwrap_err().to_string();
    assert!(missing.contains("there is no folder") && !folder.exists(), "{missing}");
    std::fs::create_dir(&folder).unwrap();
    let refused = session.act(SessionAction::Save { file: file("out.foo") }).unwrap_err().to_string();
    assert!(refused.contains("\".foo\"") && refused.contains(".csa"), "{refused}");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
    for name in ["out.csa", "out.KIF", "out"] {
        session.act(SessionAction::Save { file: file(name) }).unwrap();
        assert!(folder.join(name).exists(), "{name}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}
