//! A small game of one's own, solved through the registry: batches, exports, far and unreachable boards.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::json;
use tesuji_game::{
    BoardRank, BoardView, Formats, Game, Ground, HasPerfectIndex, NO_MOVE, Notation, Outcome, PerfectIndex,
    Predecessor, Side, Successor, TextError, View, ViewCell,
};
use tesuji_registry::{
    ClassExportRequest, CollectedJob, DistributedJob, GameHandle, LookupAnswer, LookupRequest, Registration, Registry,
    TableFormat, TablebaseRequest, Unit, UnitFeed, VerifyRequest,
};
use tesuji_solve::tablebase::TablebaseId;
use tesuji_solve::tablebase::verify::{VerifyEvent, VerifyJob, VerifyParts, VerifyReport, verify};
use tesuji_task::{CancelToken, Context};

/// A pile of stones. A move takes one to three; the last stone wins.
#[derive(Clone, Copy, Debug)]
struct Pile {
    stones: u8,
    mover: Side,
}

const START: u8 = 40;
/// Larger piles than at the start are boards that no game reaches.
const MOST: u8 = 45;

impl PartialEq for Pile {
    fn eq(&self, other: &Pile) -> bool {
        self.stones == other.stones
    }
}

impl Eq for Pile {}

impl std::hash::Hash for Pile {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.stones.hash(state);
    }
}

impl Game for Pile {
    type Move = u8;
    type Moves = Vec<u8>;
    type Undo = Pile;
    type Rules = ();

    const NAME: &'static str = "pile";

    fn start() -> Pile {
        Pile { stones: START, mover: Side::First }
    }

    fn mover(&self) -> Side {
        self.mover
    }

    fn moves(&mut self, out: &mut Vec<u8>) {
        *out = (1..=self.stones.min(3)).collect();
    }

    fn play(&mut self, taken: u8) -> Pile {
        let before = *self;
        *self = Pile { stones: self.stones - taken, mover: !self.mover };
        before
    }

    fn undo(&mut self, before: Pile) {
        *self = before;
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.stones == 0).then_some(Outcome::Loss)
    }
}

impl Notation for Pile {
    fn parse(text: &str) -> Result<Pile, TextError> {
        let wrong = || TextError::new(text, 0, "a pile is a number from 0 to 45, then X or O");
        let (stones, side) = text.split_once(' ').unwrap_or((text, "X"));
        let stones = stones.parse().ok().filter(|&stones| stones <= MOST).ok_or_else(wrong)?;
        let mover = if side == "O" { Side::Second } else { Side::First };
        Ok(Pile { stones, mover })
    }

    fn print(&self) -> String {
        format!("{} {}", self.stones, ["X", "O"][self.mover.index()])
    }

    fn print_move(&self, taken: u8) -> String {
        taken.to_string()
    }
}

impl Formats for Pile {}

impl BoardView for Pile {
    fn view(&self) -> View {
        View::grid(1, Ground::Felt, vec![ViewCell::Empty])
    }

    fn cells(&self, _: u8) -> Vec<usize> {
        vec![0]
    }
}

impl HasPerfectIndex for Pile {
    type Index = PileIndex;

    const RULES_VERSION: u32 = 1;
    const INDEX_VERSION: u32 = 1;
    const STAGES: &'static [&'static str] = &["all"];

    fn index() -> PileIndex {
        PileIndex
    }

    fn forbidden(&self) -> u8 {
        NO_MOVE
    }

    fn forbidding(self, _: u8) -> Pile {
        self
    }

    fn move_number(taken: u8) -> u8 {
        taken
    }

    fn move_from_number(number: u8) -> u8 {
        number
    }
}

/// The index is the number of stones; 0 is no board in play.
struct PileIndex;

impl PerfectIndex for PileIndex {
    type Board = Pile;

    fn stages(&self) -> &[&[u8]] {
        &[&[0]]
    }

    fn size(&self, _: u8) -> u32 {
        u32::from(MOST) + 1
    }

    fn class_name(&self, _: u8) -> String {
        "stones".to_owned()
    }

    fn class(&self, _: Pile) -> u8 {
        0
    }

    fn rank(&self, board: Pile) -> BoardRank {
        BoardRank { class: 0, index: board.stones.into(), symmetry: 0, symmetric: false }
    }

    fn unrank(&self, _: u8, index: u32) -> Option<Pile> {
        (1..=u32::from(MOST)).contains(&index).then_some(Pile { stones: index as u8, mover: Side::First })
    }

    fn image(&self, mv: u8, _: u8) -> u8 {
        mv
    }

    fn is_symmetric(&self, _: Pile) -> bool {
        false
    }

    fn equivalent_moves(&self, _: Pile, mv: u8, mut visit: impl FnMut(u8)) {
        visit(mv);
    }

    fn wins_in_one(&self, board: Pile) -> bool {
        board.stones <= 3
    }

    fn successors(&self, board: Pile, mut visit: impl FnMut(u8, Successor<Pile>)) {
        for taken in 1..=board.stones.min(3) {
            let next = Pile { stones: board.stones - taken, mover: Side::First };
            let end = next.stones == 0;
            visit(taken, if end { Successor::End(Outcome::Win) } else { Successor::Board(next, NO_MOVE) });
        }
    }

    fn after(&self, board: Pile, taken: u8) -> Option<(Pile, u8)> {
        let stones = board.stones.checked_sub(taken).filter(|&stones| stones > 0)?;
        Some((Pile { stones, mover: Side::First }, NO_MOVE))
    }

    fn predecessors(&self, class: u8, index: u32, mut visit: impl FnMut(Predecessor)) {
        for mv in (1..=3).filter(|&taken| index + u32::from(taken) <= u32::from(MOST)) {
            visit(Predecessor { class, index: index + u32::from(mv), mv, reply: NO_MOVE, symmetric: false });
        }
    }

    fn conversions(&self, _: u8, _: u32, _: impl FnMut(Predecessor)) {}
}

struct Solved {
    dir: PathBuf,
    game: GameHandle,
}

impl Solved {
    fn new(name: &str, reach: bool) -> Solved {
        let dir = std::env::temp_dir().join(format!("tesuji-registry-{name}-{}", std::process::id()));
        let game = Registration::<Pile>::new("take stones").solvable().handle();
        let solved = Solved { dir, game };
        let request = TablebaseRequest {
            directory: solved.directory(),
            reach,
            checkpoint: Duration::from_secs(300),
            threads: Some(2),
            ..TablebaseRequest::default()
        };
        let built = solved.game.build_tablebase(&request, Context::silent(&CancelToken::new()), &mut |_| {});
        assert!(built.is_ok_and(|built| !built.stopped));
        solved
    }

    fn directory(&self) -> Option<String> {
        Some(self.dir.display().to_string())
    }

    fn look_up(&self, lines: &[(u64, &str)], threads: usize) -> Vec<LookupAnswer> {
        let request = LookupRequest { directory: self.directory(), reach: true, threads: Some(threads) };
        self.game.open_tablebase(&request).map(|table| table.look_up(lines)).expect("a tablebase")
    }

    fn export(&self, change: impl FnOnce(&mut ClassExportRequest)) -> (u64, String) {
        let mut request =
            ClassExportRequest { directory: self.directory(), class: "stones".into(), ..Default::default() };
        change(&mut request);
        let (mut text, cancel) = (Vec::new(), CancelToken::new());
        let exported = self.game.export_class(&request, &mut text, Context::silent(&cancel)).expect("an export");
        (exported.rows, String::from_utf8(text).expect("text"))
    }
}

impl Drop for Solved {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}

/// The value of a pile: a multiple of four is lost.
fn value(stones: u64) -> (&'static str, u64) {
    match stones % 4 {
        0 => ("loss", stones / 2),
        _ => ("win", stones / 4 * 2 + 1),
    }
}

#[test]
fn a_batch_is_answered_in_order_whatever_the_threads() {
    let solved = Solved::new("batch", true);
    let texts: Vec<String> =
        (0..2000u64).map(|n| format!("{} {}", n * 7 % 46, if n % 3 == 0 { "O" } else { "X" })).collect();
    let lines: Vec<(u64, &str)> = (1..).zip(texts.iter().map(String::as_str)).collect();
    let answers = solved.look_up(&lines, 2);
    assert_eq!(answers, solved.look_up(&lines, 1));
    assert_eq!(answers.len(), lines.len());
    for ((number, text), answer) in lines.iter().zip(&answers) {
        let stones = (number - 1) * 7 % 46;
        let told = serde_json::to_value(answer).expect("JSON");
        let side = if text.ends_with('O') { "second" } else { "first" };
        let (value, plies) = if stones == 0 { ("loss", 0) } else { value(stones) };
        let expected = json!({ "line": number, "position": text, "mover": side, "value": value, "plies": plies });
        for (key, expected) in expected.as_object().expect("an object") {
            assert_eq!(&told[key], expected, "{text}: {key}");
        }
        let reached = (stones <= 40).then(|| (40 - stones).div_ceil(3));
        if stones > 0 {
            assert_eq!(told["reached_in"], json!(reached), "{text}");
        }
    }
}

#[test]
fn a_wrong_line_is_named_among_the_answers() {
    let solved = Solved::new("wrong", false);
    let answers = solved.look_up(&[(3, "8"), (4, "99 X"), (9, "7 O")], 2);
    let told = serde_json::to_value(&answers).expect("JSON");
    assert_eq!(told[0], json!({ "line": 3, "position": "8 X", "mover": "first", "value": "loss", "plies": 4 }));
    let message = "a pile is a number from 0 to 45, then X or O";
    let error = json!({ "character": 1, "text": "99 X", "message": message });
    assert_eq!(told[1], json!({ "line": 4, "position": "99 X", "error": error }));
    assert_eq!((&told[2]["line"], &told[2]["value"]), (&json!(9), &json!("win")));
}

#[test]
fn a_class_is_exported_row_by_row() {
    let solved = Solved::new("export", true);
    let (rows, text) = solved.export(|_| {});
    assert_eq!(rows, u64::from(MOST));
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("index,position,value,plies,ko_move,ko_value,ko_plies,reached_in"));
    for (stones, line) in (1..).zip(lines) {
        let (value, plies) = value(stones);
        let reached = if stones <= 40 { (40 - stones).div_ceil(3).to_string() } else { String::new() };
        assert_eq!(line, format!("{stones},{stones} X,{value},{plies},,,,{reached}"));
    }
    let indices = |text: &str| -> Vec<u64> {
        text.lines().skip(1).filter_map(|line| line.split(',').next()?.parse().ok()).collect()
    };
    let (rows, text) = solved.export(|request| (request.first, request.step, request.rows) = (5, 10, Some(3)));
    assert_eq!((rows, indices(&text)), (3, vec![5, 15, 25]));
    let (rows, text) = solved.export(|request| request.rows = Some(0));
    assert_eq!((rows, indices(&text)), (0, vec![]));
}

#[test]
fn a_class_is_exported_as_parquet() {
    let solved = Solved::new("parquet", true);
    let request = ClassExportRequest {
        directory: solved.directory(),
        class: "stones".into(),
        format: TableFormat::Parquet,
        rows: Some(20),
        ..Default::default()
    };
    let (mut bytes, cancel) = (Vec::new(), CancelToken::new());
    let exported = solved.game.export_class(&request, &mut bytes, Context::silent(&cancel)).expect("an export");
    assert_eq!((exported.rows, exported.columns.len()), (20, 8));
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
    let names = String::from_utf8_lossy(&bytes).into_owned();
    assert!(exported.columns.iter().all(|column| names.contains(column)), "{names}");
}

#[test]
fn far_and_unreachable_boards_are_listed() {
    let solved = Solved::new("far", true);
    let (directory, cancel) = (solved.directory(), CancelToken::new());
    let far = solved.game.farthest_positions(directory.as_deref(), Context::silent(&cancel)).expect("distances");
    let positions: Vec<&str> = far.positions.iter().map(|far| far.position.as_str()).collect();
    assert_eq!((far.plies, far.unreached, positions), (13, 5, vec!["1 X", "2 X", "3 X"]));
    let never = solved.game.unreachable_boards(directory.as_deref()).expect("statistics");
    let boards: Vec<&str> = never.boards.iter().map(|board| board.position.as_str()).collect();
    assert_eq!((never.count, boards), (5, vec!["41 X", "42 X", "43 X", "44 X", "45 X"]));

    let solved = Solved::new("near", false);
    let near = solved.game.farthest_positions(solved.directory().as_deref(), Context::silent(&cancel));
    let refused = near.expect_err("no distances").to_string();
    assert!(refused.contains("`tesuji solve pile --out ") && refused.contains("--reach-only` finds them"), "{refused}");
}

/// What is told of a verification, without times.
fn told(event: &VerifyEvent<'_, PileIndex>) -> String {
    match event {
        VerifyEvent::Checksums(report) => format!("{report:?}"),
        VerifyEvent::Class { report, .. } => {
            format!("{:?} {:?} {:?} {:?}", report.info, report.checked, report.proof, report.counted)
        }
        VerifyEvent::Distances { report, .. } => format!("{:?} {} {:?}", report.info, report.boards, report.shown),
        VerifyEvent::DistancesSkipped => "skipped".to_owned(),
    }
}

/// Also without the headings.
fn totals(report: &VerifyReport) -> String {
    match report {
        VerifyReport::Tablebase(report) => format!("{:?} {:?} {}", report.totals, report.missing, report.is_correct()),
        other => format!("{other:?}"),
    }
}

#[test]
fn a_verification_in_parts_finds_what_one_process_finds() {
    let solved = Solved::new("parts", true);
    let cancel = CancelToken::new();
    let job = |step| VerifyJob {
        path: solved.dir.clone(),
        id: TablebaseId { game: "pile".to_owned(), rules: 1, index: 1 },
        checksums_only: false,
        step,
        statistics: false,
        memory: u64::MAX,
        threads: 2,
    };
    for step in [1, 3] {
        let mut here = Vec::new();
        let whole = verify::<Pile>(&job(step), Context::silent(&cancel), &mut |event| here.push(told(&event)));
        let whole = whole.unwrap().unwrap();
        let parts = VerifyParts::<Pile>::open(&job(step), 7).unwrap().unwrap();
        // Seven ranges of boards, and as many of distances; the blocks of both files.
        assert_eq!(parts.parts().len(), if step == 1 { 16 } else { 9 }, "{:?}", parts.parts());
        // In any order.
        let mut reports: Vec<_> = parts.parts().iter().rev().map(|part| parts.run(part, &cancel)).collect();
        reports.reverse();
        let reports: Vec<_> = reports.into_iter().map(|report| report.unwrap().unwrap()).collect();
        let mut there = Vec::new();
        let joined = parts.assemble(&reports, &mut |event| there.push(told(&event))).unwrap();
        assert_eq!((there, totals(&joined)), (here, totals(&whole)));
    }
}

/// Hands out all units, and keeps the results.
#[derive(Default)]
struct Each {
    next: u32,
    end: u32,
    results: Vec<(u32, Vec<u8>)>,
}

impl UnitFeed for Each {
    fn next(&mut self) -> Option<Unit> {
        let number = self.next;
        self.next += 1;
        (number < self.end).then(|| Unit { number, payload: None, cancel: CancelToken::new() })
    }

    fn done(&mut self, result: Vec<u8>) {
        self.results.push((self.next - 1, result));
    }
}

/// JSON without times.
fn timeless(value: &impl serde::Serialize) -> serde_json::Value {
    let mut value = serde_json::to_value(value).expect("JSON");
    if let Some(object) = value.as_object_mut() {
        object.remove("seconds");
    }
    value
}

#[test]
fn a_verification_in_units_tells_what_verify_tells() {
    let solved = Solved::new("units", true);
    let registry = Registry::new(vec![Registration::<Pile>::new("take stones").solvable().handle()]);
    let request = VerifyRequest {
        path: solved.dir.display().to_string(),
        sums: false,
        step: 1,
        statistics: false,
        memory: None,
        threads: Some(1),
    };
    let compare = |right: bool| {
        let cancel = CancelToken::new();
        let mut here = Vec::new();
        let response =
            registry.verify(&request, Context::silent(&cancel), &mut |event| here.push(timeless(&event))).unwrap();
        assert_eq!(registry.tablebase_game(&request).unwrap(), "pile");
        let job = DistributedJob::Verification { game: "pile".to_owned(), request: request.clone(), group: 1 };
        let units = registry.unit_job(&job).unwrap();
        let mut feed = Each { end: units.units(), ..Each::default() };
        units.work(&mut feed).unwrap();
        let mut results = feed.results.into_iter().map(Ok);
        let collected = units.collect(std::path::Path::new(""), &mut results).unwrap();
        let CollectedJob::Verification { events, response: there } = collected else { panic!("{collected:?}") };
        assert_eq!(events.iter().map(timeless).collect::<Vec<_>>(), here);
        assert_eq!(timeless(&there), timeless(&response));
        assert_eq!(response.is_correct(), right);
        // A unit that is missing is told.
        assert!(units.collect(std::path::Path::new(""), &mut std::iter::empty()).is_err());
        units.identity()
    };
    let intact = compare(true);
    let file = solved.dir.join("pile-stones.table");
    let mut bytes = std::fs::read(&file).unwrap();
    // Behind the checksum of the head: in the only block.
    let block = bytes.len() - 40;
    bytes[block] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    compare(false);
    std::fs::write(&file, b"nothing").unwrap();
    assert_ne!(compare(false), intact);
    let statistics = VerifyRequest { statistics: true, ..request.clone() };
    assert!(registry.tablebase_game(&statistics).unwrap_err().to_string().contains("on one machine"));
    let nowhere = VerifyRequest { path: "/nowhere".to_owned(), ..request.clone() };
    assert!(registry.tablebase_game(&nowhere).unwrap_err().to_string().contains("no tablebase"));
}
