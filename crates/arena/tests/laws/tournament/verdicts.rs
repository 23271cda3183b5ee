//! Whatever players do, the game ends with the right result.

use std::collections::VecDeque;
use std::time::Duration;

use tesuji_arena::player::{MoveRequest, Player, PlayerAction, PlayerAnswer, PlayerFault, SearchInfo};
use tesuji_arena::{
    Adjudication, Agreement, GameClocks, MARGIN, PATIENCE, PlayConditions, PlayResult, PlayedGame, TimeControl, play,
    reason,
};
use tesuji_game::{Claims, Ending, Game, Margin, MoveList, Notation, Record, Side};
use tesuji_othello::Othello;
use tesuji_search::CancelToken;
use tesuji_shogi::Shogi;

/// Plays the first legal move unless its script says otherwise.
struct ScriptedPlayer<G: Game> {
    starts: VecDeque<Result<(), PlayerFault>>,
    lines: VecDeque<Option<Result<PlayerAnswer<G::Move>, PlayerFault>>>,
    info: SearchInfo,
    ended: usize,
}

impl<G: Game> ScriptedPlayer<G> {
    fn new() -> ScriptedPlayer<G> {
        ScriptedPlayer { starts: VecDeque::new(), lines: VecDeque::new(), info: SearchInfo::default(), ended: 0 }
    }

    /// Plays `moves` moves, then this line.
    fn after(mut self, moves: usize, line: Result<PlayerAnswer<G::Move>, PlayerFault>) -> ScriptedPlayer<G> {
        self.lines.extend(std::iter::repeat_n(None, moves));
        self.lines.push_back(Some(line));
        self
    }

    fn thinks(mut self, value: f64) -> ScriptedPlayer<G> {
        self.info.value = Some(value);
        self
    }
}

impl<G: Game> Player<G> for ScriptedPlayer<G> {
    fn begin(&mut self, _: &Record<G>, _: &CancelToken) -> Result<(), PlayerFault> {
        self.starts.pop_front().unwrap_or(Ok(()))
    }

    fn choose(&mut self, record: &Record<G>, _: &MoveRequest) -> Result<PlayerAnswer<G::Move>, PlayerFault> {
        if let Some(Some(line)) = self.lines.pop_front() {
            return line;
        }
        let mut list = G::Moves::default();
        record.now().clone().moves(&mut list);
        let mv = list.each().next().expect("a legal move");
        Ok(PlayerAnswer {
            action: PlayerAction::Move(mv),
            info: self.info,
            line: Vec::new(),
            used: Duration::from_millis(1),
        })
    }

    fn end(&mut self, _: &Record<G>) {
        self.ended += 1;
    }
}

fn conditions<G: Game>() -> PlayConditions<G> {
    let control = TimeControl::parse("100ms").expect("a clock");
    let clocks = GameClocks::new(control, MARGIN, PATIENCE);
    PlayConditions { clocks, longest: None, adjudication: Adjudication::default(), claim: None, oracle: None }
}

fn reply<M>(reply: PlayerAction<M>, millis: u64) -> Result<PlayerAnswer<M>, PlayerFault> {
    Ok(PlayerAnswer {
        action: reply,
        info: SearchInfo::default(),
        line: Vec::new(),
        used: Duration::from_millis(millis),
    })
}

fn meet<G: Game>(
    first: ScriptedPlayer<G>,
    second: ScriptedPlayer<G>,
    conditions: &PlayConditions<G>,
) -> Box<PlayedGame<G>> {
    meet_from(Record::new(G::start()), first, second, conditions)
}

fn meet_from<G: Game>(
    opening: Record<G>,
    mut first: ScriptedPlayer<G>,
    mut second: ScriptedPlayer<G>,
    conditions: &PlayConditions<G>,
) -> Box<PlayedGame<G>> {
    let result = play(opening, [&mut first, &mut second], conditions, &CancelToken::new());
    assert_eq!((first.ended, second.ended), (1, 1), "both are informed of the end");
    let PlayResult::Played(played) = result else { panic!("{result:?}") };
    assert_eq!(played.record.ending(), Some(played.ending), "the record says how it ended");
    assert_eq!(played.record.plies().len(), played.booked + played.notes.len());
    played
}

/// The first player does this after two moves: the ending, the plies and the fault.
fn verdict(line: Result<PlayerAnswer<<Othello as Game>::Move>, PlayerFault>) -> (Ending, usize, Option<String>) {
    let played = meet(ScriptedPlayer::new().after(2, line.clone()), ScriptedPlayer::new(), &conditions::<Othello>());
    // The same for the other side.
    let mirrored = meet(ScriptedPlayer::new(), ScriptedPlayer::new().after(2, line), &conditions::<Othello>());
    assert_eq!(mirrored.ending.reason, played.ending.reason);
    assert_eq!(mirrored.ending.winner, played.ending.winner.map(|side| !side));
    (played.ending, played.notes.len(), played.fault.clone())
}

fn lost(reason: &'static str) -> Ending {
    Ending { winner: Some(Side::Second), reason }
}

#[test]
fn faults_lose() {
    let cases = [
        (PlayerFault::Crash("signal 11".to_owned()), reason::CRASH, "signal 11"),
        (PlayerFault::Start("gone".to_owned()), reason::CRASH, "gone"),
        (PlayerFault::Late(Duration::from_millis(120)), reason::TIME, "120ms"),
        (PlayerFault::Illegal { text: "z9".to_owned(), message: "no square".to_owned() }, reason::ILLEGAL, "z9"),
        (PlayerFault::Protocol("a line of 100 MiB".to_owned()), reason::PROTOCOL, "100 MiB"),
    ];
    for (fault, reason, words) in cases {
        let (ending, plies, said) = verdict(Err(fault));
        assert_eq!((ending, plies), (lost(reason), 4));
        assert!(said.is_some_and(|said| said.contains(words)), "{words}");
    }
}

#[test]
fn an_illegal_move_loses() {
    let corner = Othello::start().parse_move("f5").expect("a move");
    // Legal at the start, and taken two moves later.
    let mut record = Record::new(Othello::start());
    let mut list = <Othello as Game>::Moves::default();
    for _ in 0..4 {
        record.now().clone().moves(&mut list);
        let mv = list.each().next().expect("a move");
        record.push(mv).expect("legal");
    }
    let taken = record.moves().next().expect("a move");
    assert!(record.clone().push(taken).is_err());
    let (ending, plies, said) = verdict(reply(PlayerAction::Move(taken), 1));
    assert_eq!((ending, plies), (lost(reason::ILLEGAL), 4));
    assert!(said.is_some_and(|said| said.contains("not a legal move here")), "{corner:?}");
}

#[test]
fn time_is_up_to_the_margin() {
    let mut list = <Othello as Game>::Moves::default();
    Othello::start().moves(&mut list);
    let mv = list.each().next().expect("a move");
    let start = |millis| {
        meet(
            ScriptedPlayer::new().after(0, reply(PlayerAction::Move(mv), millis)),
            ScriptedPlayer::new(),
            &conditions::<Othello>(),
        )
    };
    let late = start(121);
    assert_eq!((late.ending, late.notes.len()), (lost(reason::TIME), 0), "a late move is not played");
    assert!(late.fault.as_deref().is_some_and(|said| said.contains("121ms used of 100ms")));
    let accepted = start(120);
    assert_eq!(accepted.notes[0].lag, Duration::from_millis(20));
    assert_ne!(accepted.ending.reason, reason::TIME);
    // A late resignation or claim loses on time.
    assert_eq!(verdict(reply(PlayerAction::Claim, 121)).0, lost(reason::TIME));
}

#[test]
fn resigning_and_false_claims_lose() {
    assert_eq!(verdict(reply(PlayerAction::Resign, 1)), (lost(reason::RESIGNATION), 4, None));
    let (ending, _, said) = verdict(reply(PlayerAction::Claim, 1));
    assert_eq!(ending, lost(reason::FALSE_CLAIM));
    assert!(said.is_some());
}

#[test]
fn a_claim_is_judged_by_the_rules() {
    let conditions = PlayConditions { claim: Some(<Shogi as Claims>::claim), ..conditions::<Shogi>() };
    let claim = || ScriptedPlayer::<Shogi>::new().after(0, reply(PlayerAction::Claim, 1));
    assert_eq!(meet(claim(), ScriptedPlayer::new(), &conditions).ending, lost(reason::FALSE_CLAIM));
    let entered = "+R+R1K5/GGGG5/SSSS5/9/9/9/9/9/4k4 b 2B4N4L18P 1";
    let opening = Record::new(Shogi::parse(entered).expect(entered));
    assert!(opening.now().claim(&opening.path().rules));
    let granted = meet_from(opening, claim(), ScriptedPlayer::new(), &conditions);
    assert_eq!(granted.ending, Ending { winner: Some(Side::First), reason: reason::DECLARATION });
}

#[test]
fn a_failed_start_is_not_a_loss() {
    let broken = |times: usize| {
        let mut script = ScriptedPlayer::<Othello>::new();
        script.starts = std::iter::repeat_n(Err(PlayerFault::Start("no such file".to_owned())), times).collect();
        script
    };
    let meet = |times| {
        let (mut first, mut second) = (ScriptedPlayer::new(), broken(times));
        play(Record::new(Othello::start()), [&mut first, &mut second], &conditions(), &CancelToken::new())
    };
    assert!(matches!(meet(1), PlayResult::Played(_)), "there is a second chance");
    match meet(2) {
        PlayResult::Unplayed { side: Side::Second, message } => assert!(message.contains("no such file")),
        other => panic!("{other:?}"),
    }
}

#[test]
fn cancellation_leaves_no_result() {
    let stop = CancelToken::new();
    stop.cancel();
    let (mut first, mut second) = (ScriptedPlayer::<Othello>::new(), ScriptedPlayer::new());
    let result = play(Record::new(Othello::start()), [&mut first, &mut second], &conditions(), &stop);
    assert!(matches!(result, PlayResult::Abandoned));
    assert_eq!((first.ended, second.ended), (1, 1));
}

#[test]
fn games_end_by_the_rules_or_the_limit() {
    let played = meet(ScriptedPlayer::new(), ScriptedPlayer::new(), &conditions::<Othello>());
    let margin = played.record.now().margin().expect("a finished game");
    let mover = played.record.now().mover();
    let winner = (margin != 0).then_some(if margin > 0 { mover } else { !mover });
    assert_eq!((played.ending.winner, played.fault.as_deref()), (winner, None));
    let short = PlayConditions { longest: Some(6), ..conditions::<Othello>() };
    let played = meet(ScriptedPlayer::new(), ScriptedPlayer::new(), &short);
    assert_eq!(played.ending, Ending { winner: None, reason: reason::MOVE_LIMIT });
    assert_eq!(played.record.plies().len(), 6);
    // The plies of the opening count.
    let mut opening = Record::new(Othello::start());
    opening.push_text("f5").expect("legal");
    let played = meet_from(opening, ScriptedPlayer::new(), ScriptedPlayer::new(), &short);
    assert_eq!((played.booked, played.notes.len()), (1, 5));
}

#[test]
fn both_have_to_agree_for_long_enough() {
    let win = Some(Agreement { value: 10.0, moves: 3, after: 0 });
    let draw = Some(Agreement { value: 1.0, moves: 2, after: 8 });
    let adjudication = Adjudication { win, draw, solver: false };
    let under = |first: ScriptedPlayer<Othello>, second: ScriptedPlayer<Othello>| {
        let played = meet(first, second, &PlayConditions { adjudication, ..conditions() });
        (played.ending, played.record.plies().len())
    };
    let thinks = |value| ScriptedPlayer::new().thinks(value);
    let won = |side| Ending { winner: Some(side), reason: reason::AGREED_WIN };
    assert_eq!(under(thinks(10.0), thinks(-10.0)), (won(Side::First), 6));
    assert_eq!(under(thinks(-30.0), thinks(10.0)), (won(Side::Second), 6));
    let drawn = Ending { winner: None, reason: reason::AGREED_DRAW };
    // Values count from the eighth ply on: the 8th and 10th ply are the second player's, the 9th and 11th the first's.
    assert_eq!(under(thinks(1.0), thinks(-1.0)), (drawn, 11));
    for (first, second) in [(10.0, -9.9), (10.0, 10.0), (2.0, 0.0)] {
        let (ending, _) = under(thinks(first), thinks(second));
        assert!(![reason::AGREED_WIN, reason::AGREED_DRAW].contains(&ending.reason), "{first} {second}");
    }
    // A player without a value does not agree; proven results count as any value.
    assert!(!under(thinks(50.0), ScriptedPlayer::new()).0.reason.starts_with("adjudicated"));
    let mut sure = ScriptedPlayer::new();
    sure.info.proven = Some(-12);
    assert_eq!(under(thinks(10.0), sure).0, won(Side::First));
    // One dissenting value restarts the count.
    let moves = |record: &Record<Othello>| record.moves().collect::<Vec<_>>();
    let plain = meet(ScriptedPlayer::new(), ScriptedPlayer::new(), &conditions::<Othello>());
    let third = moves(&plain.record)[2];
    let warning = ScriptedPlayer::new().thinks(10.0).after(1, reply(PlayerAction::Move(third), 1));
    assert_eq!(under(warning, thinks(-10.0)), (won(Side::First), 9));
}

#[test]
fn the_solver_decides_only_when_enabled() {
    fn solver(record: &Record<Othello>) -> Option<Ending> {
        (record.plies().len() == 5).then_some(Ending { winner: Some(Side::Second), reason: "proof" })
    }
    let with = |solver_wanted| {
        let adjudication = Adjudication { solver: solver_wanted, ..Adjudication::default() };
        meet(
            ScriptedPlayer::new(),
            ScriptedPlayer::new(),
            &PlayConditions { adjudication, oracle: Some(solver), ..conditions::<Othello>() },
        )
    };
    assert_eq!(with(true).ending, lost(reason::SOLVED));
    assert_ne!(with(false).ending.reason, reason::SOLVED);
}
