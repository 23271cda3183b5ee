//! Players in this process and external programs: every kind of misbehaviour is detected, and no process survives.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use tesuji_arena::player::{
    EnginePlayer, ExternalProgram, MoveRequest, Player, PlayerAction, PlayerAnswer, PlayerFault, PlayerProtocol,
    ProcessPlayer, of_spec,
};
use tesuji_engines::{EngineFactory, Spec};
use tesuji_game::{Ending, Formats, Game, Record, Side};
use tesuji_othello::Othello;
use tesuji_search::{CancelToken, Choice, Engine, Limits, SearchReport, Time};
use tesuji_shogi::Shogi;
use tesuji_trax::{Trax, Unlimited};

type Contested = Trax<Unlimited>;

/// The path of the mock. `cargo test` builds it, unless it builds only some tests.
fn mock() -> &'static str {
    static MOCK: OnceLock<String> = OnceLock::new();
    MOCK.get_or_init(|| {
        let own = std::env::current_exe().expect("the tests are a file");
        let profile = own.ancestors().nth(2).expect("it lies in target/PROFILE/deps").to_owned();
        let path = profile.join("examples").join(format!("mock{}", std::env::consts::EXE_SUFFIX));
        if !path.exists() {
            let target: PathBuf = profile.parent().expect("PROFILE lies in target").to_owned();
            let built = Command::new(env!("CARGO"))
                .args(["build", "--quiet", "--profile", "test", "--example", "mock", "--target-dir"])
                .arg(target)
                .current_dir(env!("CARGO_MANIFEST_DIR"))
                .status();
            assert!(built.is_ok_and(|status| status.success()), "the mock cannot be built");
        }
        path.to_str().expect("a path in UTF-8").to_owned()
    })
}

fn spec(protocol: PlayerProtocol, mode: &str, more: &str) -> Spec {
    let name = protocol.name();
    let text = format!("process:cmd=\"'{}' {name} {mode}\",protocol={name},quit=300ms{more}", mock());
    Spec::parse(&text).expect("a spec")
}

/// The mock in this mode.
fn mocked<G: Formats>(protocol: PlayerProtocol, mode: &str) -> ProcessPlayer<G> {
    ProcessPlayer::new(ExternalProgram::of(&spec(protocol, mode, ""), &[protocol]).expect("a program"))
}

/// A random player that behaves.
fn well_behaved<G: Formats>() -> Box<dyn Player<G>> {
    let spec = Spec::parse("random:seed=7").expect("a spec");
    of_spec(&spec, &EngineFactory::generic(), &[]).expect("chance needs no more than rules")
}

/// A request with this deadline.
fn request(deadline: Duration) -> MoveRequest {
    let limits = Limits { time: Some(Time::Move(deadline)), lines: 1, ..Limits::default() };
    MoveRequest { limits, clocks: [None; 2], deadline: Some(deadline), cancel: CancelToken::new() }
}

/// Long enough for a busy machine.
const AMPLE: Duration = Duration::from_secs(60);

/// Plays on from `record` until a player fails, resigns or claims, or `plies` moves were made.
fn play<G: Formats>(
    record: &mut Record<G>,
    players: [&mut dyn Player<G>; 2],
    plies: usize,
    deadline: Duration,
) -> Result<Option<PlayerAction<G::Move>>, (Side, PlayerFault)> {
    let [first, second] = players;
    first.begin(record, &CancelToken::new()).map_err(|fault| (Side::First, fault))?;
    second.begin(record, &CancelToken::new()).map_err(|fault| (Side::Second, fault))?;
    let last = record.plies().len() + plies;
    let mut over = None;
    while over.is_none() && record.ending().is_none() && record.plies().len() < last {
        let side = record.now().mover();
        let mover = if side == Side::First { &mut *first } else { &mut *second };
        let PlayerAnswer { action: reply, used, .. } =
            mover.choose(record, &request(deadline)).map_err(|fault| (side, fault))?;
        assert!(used <= deadline, "{used:?} of {deadline:?}");
        match reply {
            PlayerAction::Move(mv) => record.push(mv).expect("players give legal moves here"),
            PlayerAction::Claim | PlayerAction::Resign => over = Some(reply),
        }
    }
    let _ = record.end(Ending { winner: Some(Side::First), reason: "resignation" });
    first.end(record);
    second.end(record);
    Ok(over)
}

/// A game of the mock on this side against a player that behaves.
fn game<G: Formats>(
    player: &mut ProcessPlayer<G>,
    side: Side,
    plies: usize,
    deadline: Duration,
) -> Result<Option<PlayerAction<G::Move>>, PlayerFault> {
    let mut other = well_behaved();
    let players: [&mut dyn Player<G>; 2] = match side {
        Side::First => [player, &mut *other],
        Side::Second => [&mut *other, player],
    };
    play(&mut Record::new(G::start()), players, plies, deadline).map_err(|(guilty, fault)| {
        assert_eq!(guilty, side, "{fault}");
        fault
    })
}

/// The kind of a fault.
fn verdict(fault: &PlayerFault) -> &'static str {
    match fault {
        PlayerFault::Start(_) => "start",
        PlayerFault::Crash(_) => "crash",
        PlayerFault::Late(_) => "late",
        PlayerFault::Illegal { .. } => "illegal",
        PlayerFault::Protocol(_) => "protocol",
    }
}

/// Whether the system has /proc; elsewhere these checks pass.
const HAS_PROC: bool = cfg!(target_os = "linux");

/// Whether the process is running; zombies do not count.
fn runs(id: u32) -> bool {
    let Ok(stat) = std::fs::read_to_string(format!("/proc/{id}/stat")) else { return !HAS_PROC };
    let state = stat.rsplit_once(") ").map(|(_, rest)| rest.chars().next());
    state != Some(Some('Z'))
}

/// Whether the process exists, running or not.
fn listed(id: u32) -> bool {
    PathBuf::from(format!("/proc/{id}")).exists()
}

const SHORT: Duration = Duration::from_millis(150);

/// Mode, deadline, kind of fault, and a part of its message.
const MISBEHAVIOURS: &[(&str, Duration, &str, &str)] = &[
    ("crash-on-go", AMPLE, "crash", "exit status: 101; it said: out of my depth"),
    ("crash-at-move 2", AMPLE, "crash", "signal: 6"),
    ("hang", SHORT, "late", "no answer within 150ms"),
    ("flood", AMPLE, "protocol", "lines and"),
    ("garbage", AMPLE, "protocol", "bytes that are not text"),
    ("illegal", AMPLE, "illegal", ""),
    ("wrong-game", AMPLE, "illegal", ""),
    ("slow 3600000", SHORT, "late", "no answer within 150ms"),
    ("huge-line", AMPLE, "protocol", "a line of more than 65536 bytes"),
    ("closes-stdout", AMPLE, "crash", "it closed its pipe"),
];

/// Plays every kind of misbehaviour twice: the second game needs a restarted program.
fn every_misbehaviour<G: Formats>(protocol: PlayerProtocol) {
    for &(mode, deadline, expected, words) in MISBEHAVIOURS {
        let mut player = mocked::<G>(protocol, mode);
        let mut seen = Vec::new();
        for side in Side::BOTH {
            player
                .begin(&Record::new(G::start()), &CancelToken::new())
                .unwrap_or_else(|fault| panic!("{mode}: {fault}"));
            let id = player.id().expect("it runs");
            assert!(runs(id), "{mode}");
            let fault = game(&mut player, side, 8, deadline).expect_err(mode);
            // In the contest protocol the first line that is not a move loses.
            let rash = protocol == PlayerProtocol::Trax && mode == "flood";
            let (expected, words) = if rash { ("illegal", "and another thing") } else { (expected, words) };
            assert_eq!(verdict(&fault), expected, "{protocol:?} {mode}: {fault}");
            assert!(fault.to_string().contains(words), "{protocol:?} {mode}: {fault}");
            assert_eq!(player.id().is_none(), expected != "illegal", "{mode}: who lost his way is stopped");
            assert!(expected == "illegal" || !listed(id), "{mode} leaves a process behind");
            seen.push(id);
        }
        drop(player);
        assert!(seen.into_iter().all(|id| !listed(id)), "{mode} leaves a process behind");
    }
}

#[test]
fn usi_programs_get_the_verdict_they_deserve() {
    every_misbehaviour::<Shogi>(PlayerProtocol::Usi);
}

#[test]
fn gtp_programs_get_the_verdict_they_deserve() {
    every_misbehaviour::<Othello>(PlayerProtocol::Gtp);
}

#[test]
fn nboard_programs_get_the_verdict_they_deserve() {
    every_misbehaviour::<Othello>(PlayerProtocol::NBoard);
}

#[test]
fn trax_programs_get_the_verdict_they_deserve() {
    every_misbehaviour::<Contested>(PlayerProtocol::Trax);
}

#[test]
fn a_failed_start_is_reported_with_its_reason() {
    let starts = |protocol, mode: &str, more: &str| {
        let program = ExternalProgram::of(&spec(protocol, mode, more), &PlayerProtocol::ALL).expect("a program");
        ProcessPlayer::<Shogi>::new(program).begin(&Record::new(Shogi::start()), &CancelToken::new())
    };
    for protocol in PlayerProtocol::ALL {
        let fault = starts(protocol, "early-exit", "").expect_err("it ends at once");
        assert_eq!(verdict(&fault), "start", "{fault}");
        assert!(fault.to_string().contains("exit status: 3; it said: no weights to be found"), "{fault}");
        let fault = starts(protocol, "no-handshake", ",start=100ms").expect_err("it never speaks");
        assert_eq!(fault.to_string(), "did not start: it was not ready within 100ms");
    }
    let spec = Spec::parse("process:cmd=/no/such/file,protocol=usi").expect("a spec");
    let mut player = of_spec::<Shogi>(&spec, &EngineFactory::generic(), &[PlayerProtocol::Usi]).expect("a player");
    let fault = player.begin(&Record::new(Shogi::start()), &CancelToken::new()).expect_err("there is no such file");
    assert!(matches!(&fault, PlayerFault::Start(why) if why.starts_with("/no/such/file: ")), "{fault}");
}

/// Whole games, from the start and from openings, as far as the protocol can express them.
fn whole_games<G: Formats>(protocol: PlayerProtocol, more: &str, openings: &[&str]) {
    whole_games_of::<G>(protocol, "ok", more, openings);
}

/// The same with a program that plays as it should in this mode.
fn whole_games_of<G: Formats>(protocol: PlayerProtocol, mode: &str, more: &str, openings: &[&str]) {
    let program = ExternalProgram::of(&spec(protocol, mode, more), &[protocol]).expect("a program");
    let mut player = ProcessPlayer::<G>::new(program);
    for opening in openings {
        for side in Side::BOTH {
            let mut record = Record::new(G::start());
            G::read_moves(&mut record, opening).expect(opening);
            let mut other = well_behaved();
            let players: [&mut dyn Player<G>; 2] = match side {
                Side::First => [&mut player, &mut *other],
                Side::Second => [&mut *other, &mut player],
            };
            let over = play(&mut record, players, 120, AMPLE);
            assert_eq!(over.map_err(|(side, fault)| format!("{side} {fault}")), Ok(None));
            let begun = opening.split_whitespace().count();
            assert!(record.plies().len() > begun + 3, "{opening}: {} plies", record.plies().len());
        }
    }
    assert_eq!(player.oddities(), Vec::<String>::new());
    assert_eq!(player.name(), Some(if protocol == PlayerProtocol::Trax { "MO" } else { "mock" }));
}

#[test]
fn whole_games_are_played_in_every_protocol() {
    whole_games::<Shogi>(PlayerProtocol::Usi, "", &["", "7g7f 3c3d 2g2f"]);
    whole_games::<Othello>(PlayerProtocol::Gtp, "", &["", "f5d6c3"]);
    whole_games::<Othello>(PlayerProtocol::NBoard, "", &["", "f5d6c3"]);
    whole_games::<Contested>(PlayerProtocol::Trax, "", &["", ""]);
    whole_games::<Contested>(PlayerProtocol::Trax, ",restart=no", &["", ""]);
    whole_games::<Contested>(PlayerProtocol::Trax, ",extended=yes", &["", "@0/", "@0/ A0/", "@0+ A0/ B1+"]);
}

/// A clean exit after the end of a game is not a crash of the next one.
#[test]
fn programs_may_play_one_game_per_process() {
    let openings = ["", "", "@0/ A0/"];
    for more in ["", ",restart=no"] {
        whole_games_of::<Contested>(PlayerProtocol::Trax, "one-game", &format!("{more},extended=yes"), &openings);
    }
    // An exit within a game is one.
    let mut player = mocked::<Contested>(PlayerProtocol::Trax, "crash-at-move 2");
    let fault = game(&mut player, Side::First, 9, AMPLE).expect_err("it leaves at its second move");
    assert_eq!(verdict(&fault), "crash", "{fault}");
}

#[test]
fn the_contest_protocol_rejects_openings() {
    let mut record = Record::new(Contested::start());
    record.push_text("@0/").expect("a first move");
    let mut player = mocked::<Contested>(PlayerProtocol::Trax, "ok");
    let fault = player.begin(&record, &CancelToken::new()).expect_err("the protocol cannot express it");
    assert!(fault.to_string().contains("extended=true"), "{fault}");
    assert_eq!(game(&mut player, Side::First, 4, AMPLE), Ok(None), "an empty board is no opening");
}

#[test]
fn the_first_of_two_answers_counts() {
    let mut player = mocked::<Shogi>(PlayerProtocol::Usi, "two-answers");
    assert_eq!(game(&mut player, Side::First, 20, AMPLE), Ok(None));
    // The last one of the game is noticed when the next game begins.
    player.begin(&Record::new(Shogi::start()), &CancelToken::new()).expect("it is ready again");
    let oddities = player.oddities();
    assert_eq!(oddities.len(), 10, "{oddities:?}");
    assert!(oddities.iter().all(|odd| odd.starts_with("an unexpected answer: bestmove")));
    assert_eq!(player.oddities(), Vec::<String>::new());

    let mut player = mocked::<Othello>(PlayerProtocol::Gtp, "two-answers");
    assert_eq!(game(&mut player, Side::Second, 20, AMPLE), Ok(None));
    player.begin(&Record::new(Othello::start()), &CancelToken::new()).expect("it is ready again");
    assert_eq!(player.oddities().len(), 10);

    let mut player = mocked::<Othello>(PlayerProtocol::NBoard, "two-answers");
    assert_eq!(game(&mut player, Side::Second, 20, AMPLE), Ok(None));
    player.begin(&Record::new(Othello::start()), &CancelToken::new()).expect("it is ready again");
    assert_eq!(player.oddities().len(), 10);
}

#[test]
fn lines_out_of_turn_are_ignored() {
    let mut player = mocked::<Shogi>(PlayerProtocol::Usi, "out-of-request");
    assert_eq!(game(&mut player, Side::First, 20, AMPLE), Ok(None));
    let mut player = mocked::<Othello>(PlayerProtocol::Gtp, "out-of-request");
    assert_eq!(game(&mut player, Side::First, 20, AMPLE), Ok(None));
    let mut player = mocked::<Othello>(PlayerProtocol::NBoard, "out-of-request");
    assert_eq!(game(&mut player, Side::First, 20, AMPLE), Ok(None));
}

#[test]
fn hanging_before_a_request_violates_the_protocol() {
    fn fault<G: Formats>(protocol: PlayerProtocol) -> String {
        let spec = spec(protocol, "hang-after-answer", ",ping=150ms");
        let mut player = ProcessPlayer::<G>::new(ExternalProgram::of(&spec, &[protocol]).expect("a program"));
        game(&mut player, Side::First, 4, Duration::from_secs(2)).expect_err("it hangs").to_string()
    }
    let unready = "broke the protocol: it was not ready for its request within 150ms";
    assert_eq!(fault::<Shogi>(PlayerProtocol::Usi), unready);
    assert_eq!(fault::<Othello>(PlayerProtocol::Gtp), unready);
    assert_eq!(fault::<Othello>(PlayerProtocol::NBoard), unready);
    // The contest protocol has no command before the request: the clock starts at once.
    assert_eq!(fault::<Contested>(PlayerProtocol::Trax), "no answer within 2s");
}

#[test]
fn a_game_may_start_anywhere_if_the_protocol_can_express_it() {
    fn from<G: Formats>(protocol: PlayerProtocol, position: &str) -> Result<(), String> {
        let mut record = Record::new(G::parse(position).expect(position));
        let mut player = mocked::<G>(protocol, "ok");
        let played = play(&mut record, [&mut player, &mut *well_behaved()], 6, AMPLE);
        played.map(|_| assert_eq!(record.plies().len(), 6)).map_err(|(_, fault)| fault.to_string())
    }
    let shogi = "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    assert_eq!(from::<Shogi>(PlayerProtocol::Usi, shogi), Ok(()));
    let othello = "------------------X--------XX------XO--------------------------- O";
    assert_eq!(from::<Othello>(PlayerProtocol::NBoard, othello), Ok(()));
    let refused = from::<Othello>(PlayerProtocol::Gtp, othello).expect_err("GTP has only moves");
    assert!(refused.contains("cannot set a start position"), "{refused}");
}

#[test]
fn claims_and_resignations_are_passed_on() {
    let mut player = mocked::<Shogi>(PlayerProtocol::Usi, "false-claim");
    assert_eq!(game(&mut player, Side::First, 4, AMPLE), Ok(Some(PlayerAction::Claim)));
    let mut player = mocked::<Shogi>(PlayerProtocol::Usi, "resigns");
    assert_eq!(game(&mut player, Side::Second, 4, AMPLE), Ok(Some(PlayerAction::Resign)));
    let mut player = mocked::<Othello>(PlayerProtocol::Gtp, "resigns");
    assert_eq!(game(&mut player, Side::Second, 4, AMPLE), Ok(Some(PlayerAction::Resign)));
}

#[test]
fn time_and_search_info_are_those_of_the_player() {
    let record = Record::new(Shogi::start());
    let mut player = mocked::<Shogi>(PlayerProtocol::Usi, "slow 80");
    player.begin(&record, &CancelToken::new()).expect("it starts");
    let answer = player.choose(&record, &request(AMPLE)).expect("it answers in the end");
    assert!(answer.used >= Duration::from_millis(80), "{:?}", answer.used);
    let info = answer.info;
    assert_eq!((info.value, info.depth, info.nodes), (Some(31.0), Some(3), Some(99)));
    assert!(info.cpu.is_none_or(|cpu| cpu < answer.used), "{:?}", info.cpu);

    let record = Record::new(Othello::start());
    let mut player = mocked::<Othello>(PlayerProtocol::NBoard, "ok");
    player.begin(&record, &CancelToken::new()).expect("it starts");
    let info = player.choose(&record, &request(AMPLE)).expect("it answers").info;
    assert_eq!((info.value, info.depth, info.nodes), (Some(1.5), Some(6), Some(77)));
}

#[test]
fn a_program_that_ignores_quit_is_killed() {
    fn ends<G: Formats>(protocol: PlayerProtocol) {
        let mut player = mocked::<G>(protocol, "ignore-quit");
        assert_eq!(game(&mut player, Side::First, 2, AMPLE), Ok(None), "{protocol:?}");
        let id = player.id().expect("it runs");
        drop(player);
        assert!(!listed(id), "{protocol:?}");
    }
    ends::<Shogi>(PlayerProtocol::Usi);
    ends::<Othello>(PlayerProtocol::Gtp);
    ends::<Contested>(PlayerProtocol::Trax);
}

#[cfg(target_os = "linux")]
#[test]
fn descendants_are_killed_too() {
    let file = std::env::temp_dir().join(format!("tesuji-grandchild-{}", std::process::id()));
    let mode = format!("spawns-child-and-hangs {}", file.display());
    let mut player = mocked::<Shogi>(PlayerProtocol::Usi, &mode);
    // Until the grandchild has written its process id.
    let (grandchild, fault) = (0..40)
        .find_map(|attempt| {
            let deadline = Duration::from_millis(200 + 50 * attempt);
            let fault = game(&mut player, Side::First, 2, deadline).expect_err("it hangs");
            let id = std::fs::read_to_string(&file).ok()?.trim().parse().ok()?;
            Some((id, fault))
        })
        .expect("the shell starts in the end");
    let _ = std::fs::remove_file(&file);
    assert_eq!(verdict(&fault), "late", "{fault}");
    // The system reaps it, which may take a moment.
    let until = Instant::now() + AMPLE;
    while runs(grandchild) {
        assert!(Instant::now() < until, "{grandchild} survived");
        std::thread::yield_now();
    }
}

/// Many short games in a separate process, where no other test opens files.
#[cfg(target_os = "linux")]
#[test]
fn a_thousand_games_leave_neither_descriptors_nor_processes() {
    const ALONE: &str = "TESUJI_ARENA_ALONE";
    if std::env::var_os(ALONE).is_none() {
        let own = std::env::current_exe().expect("the tests are a file");
        let name = "player::a_thousand_games_leave_neither_descriptors_nor_processes";
        let output = Command::new(own).args([name, "--exact"]).env(ALONE, "yes").output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("1 passed"), "{said}");
        return;
    }
    let descriptors = || std::fs::read_dir("/proc/self/fd").expect("Linux tells").count();
    let threads = || std::fs::read_dir("/proc/self/task").expect("Linux tells").count();
    let before = (descriptors(), threads());
    let quick = Duration::from_millis(20);
    let modes = [
        ("ok", AMPLE),
        ("ok", AMPLE),
        ("two-answers", AMPLE),
        ("ok", AMPLE),
        ("resigns", AMPLE),
        ("illegal", AMPLE),
        ("crash-on-go", AMPLE),
        ("hang", quick),
        ("ok", AMPLE),
        ("wrong-game", AMPLE),
    ];
    let mut players = modes.map(|(mode, deadline)| (mocked::<Shogi>(PlayerProtocol::Usi, mode), deadline));
    let (mut seen, mut faults) = (Vec::new(), 0);
    for round in 0..100 {
        for (player, deadline) in &mut players {
            let side = Side::BOTH[round % 2];
            player.begin(&Record::new(Shogi::start()), &CancelToken::new()).expect("it starts");
            seen.extend(player.id());
            faults += usize::from(game(player, side, 3, *deadline).is_err());
        }
    }
    let mut odd = mocked::<Othello>(PlayerProtocol::Gtp, "flood");
    assert_eq!(game(&mut odd, Side::First, 3, AMPLE).map_err(|fault| verdict(&fault)), Err("protocol"));
    drop((players, odd));
    assert_eq!(faults, 400, "four of ten modes misbehave");
    assert!(!seen.iter().any(|&id| listed(id)), "a process is left");
    assert_eq!((descriptors(), threads()), before, "descriptors and threads");
}

/// An engine that panics on its second move.
struct Shaky(u32);

impl<G: Game> Engine<G> for Shaky {
    fn think(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        stop: &CancelToken,
        watch: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> Choice<G::Move> {
        self.0 += 1;
        if self.0 == 2 {
            // Bypasses the panic hook, which would print it.
            std::panic::resume_unwind(Box::new("the second move is too hard".to_owned()));
        }
        Engine::<G>::think(&mut tesuji_engines::RandomMover::new(1), record, limits, stop, watch)
    }
}

#[test]
fn a_panic_costs_an_engine_one_game() {
    let engines = EngineFactory::<Othello> { make: |_| Ok(Box::new(Shaky(0))), ..EngineFactory::generic() };
    let spec = Spec::parse("shaky").expect("a spec");
    let mut player = EnginePlayer::new(&spec, &engines).expect("an engine");
    for _ in 0..3 {
        let mut record = Record::new(Othello::start());
        let fault = play(&mut record, [&mut player, &mut *well_behaved()], 9, AMPLE).expect_err("it panics");
        let words = "panicked: the second move is too hard".to_owned();
        assert_eq!(fault, (Side::First, PlayerFault::Crash(words)));
        assert_eq!(record.plies().len(), 2);
    }
}

#[test]
fn engines_report_search_info() {
    let spec = Spec::parse("alphabeta:depth=4,hash=1").expect("a spec");
    let mut player = of_spec::<Othello>(&spec, &EngineFactory::of_game(), &[]).expect("a player");
    let record = Record::new(Othello::start());
    player.begin(&record, &CancelToken::new()).expect("nothing can go wrong");
    let answer = player.choose(&record, &request(AMPLE)).expect("it plays");
    assert!(matches!(answer.action, PlayerAction::Move(_)));
    assert_eq!(answer.info.depth, Some(4));
    assert!(answer.info.value.is_some() && answer.info.nodes > Some(10));
    assert!(answer.info.cpu.is_some_and(|cpu| cpu <= answer.used + Duration::from_millis(10)));
    let error = of_spec::<Othello>(&Spec::parse("alphabet").expect("a spec"), &EngineFactory::of_game(), &[]);
    assert!(error.err().is_some_and(|error| error.to_string().contains("alphabeta")));
}
