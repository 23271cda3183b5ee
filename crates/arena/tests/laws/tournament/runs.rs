//! Interrupted runs and damaged journals: every game exactly once, or an error.

use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

use tesuji_arena::player::{MoveRequest, Player, PlayerAnswer, PlayerFault};
use tesuji_arena::{
    CONFIG, EventRunner, Finish, GameRunner, GameSettings, JOURNAL, PlayerFactory, SavedTournament, Tournament,
    TournamentEvent,
};
use tesuji_game::Record;
use tesuji_othello::Othello;
use tesuji_search::CancelToken;

use super::setup::{Folder, config, create, essence, in_memory, open, othello, played, table};

/// Three games, a random player, a Swiss: everything that could depend on order.
const SMALL: &str = r#"
name = "small"
seed = 5
concurrency = 2
[[player]]
name = "one"
engine = "alphabeta:depth=1,hash=1"
[[player]]
name = "tree"
engine = "uct:playouts=8,hash=1"
[[player]]
name = "dice"
engine = "random"
[[event]]
game = "othello"
openings = { plies = 3, judge = "alphabeta:depth=2,hash=1", bound = 16 }
[[event]]
game = "ostle"
openings = { plies = 3, judge = "alphabeta:depth=2,hash=1", bound = 1.25 }
longest = 20
schedule = "swiss"
rounds = 2
[[event]]
game = "trax"
longest = 10
schedule = "gauntlet"
"#;

const GAMES: usize = 6 + 4 + 4;

fn run(tournament: &mut Tournament) -> Finish {
    tournament.run(2, &CancelToken::new(), &mut |_| {}).expect("it can be played")
}

fn resume(folder: &Path) -> Finish {
    run(&mut open(folder).unwrap_or_else(|error| panic!("{error}")))
}

fn whole(text: &str) -> Vec<String> {
    played(text).journal().all().map(essence).collect()
}

#[test]
fn a_truncated_journal_resumes_to_the_same_games() {
    let expected = whole(SMALL);
    assert_eq!(expected.len(), GAMES);
    let folder = Folder::new();
    let home = folder.join("home");
    assert_eq!(run(&mut create(&home, config(SMALL)).expect("a folder")), Finish::Complete);
    assert_eq!(table(&SavedTournament::read(&home).expect("a journal")), expected);
    let journal = fs::read(home.join(JOURNAL)).expect("a journal");
    let ends: Vec<usize> =
        journal.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1).collect();
    assert_eq!(ends.len(), GAMES + 2);
    let mut begin = 0;
    for end in ends {
        for cut in [begin + (end - begin) / 2, end - 1, end] {
            fs::write(home.join(JOURNAL), &journal[..cut]).expect("written");
            assert_eq!(resume(&home), Finish::Complete, "cut at byte {cut}");
            let archive = SavedTournament::read(&home).expect("a journal");
            assert_eq!(table(&archive), expected, "cut at byte {cut}");
            assert!(!archive.journal.torn());
        }
        begin = end;
    }
    // Interrupted between the configuration and the journal.
    fs::remove_file(home.join(JOURNAL)).expect("removed");
    assert_eq!(resume(&home), Finish::Complete);
    assert_eq!(table(&SavedTournament::read(&home).expect("a journal")), expected);
    // Nothing is left to do.
    let before = fs::read(home.join(JOURNAL)).expect("a journal");
    assert_eq!(resume(&home), Finish::Complete);
    assert_eq!(fs::read(home.join(JOURNAL)).expect("a journal"), before);
}

#[test]
fn cancellation_loses_no_finished_game() {
    let expected = whole(SMALL);
    let folder = Folder::new();
    let home = folder.join("home");
    drop(create(&home, config(SMALL)).expect("a folder"));
    for round in 0.. {
        assert!(round <= GAMES, "every run plays at least one game");
        let stop = CancelToken::new();
        let mut tournament = open(&home).expect("it goes on");
        let before = tournament.journal().all().count();
        let finish = tournament
            .run(2, &stop, &mut |event| {
                if matches!(event, TournamentEvent::Game { .. }) {
                    stop.cancel();
                }
            })
            .expect("it can be played");
        let after = tournament.journal().all().count();
        match finish {
            Finish::Complete => break,
            Finish::Interrupted(missing) => assert_eq!((missing, after > before), (GAMES - after, true)),
            Finish::Incomplete(missing) => panic!("{missing} games could not be played"),
        }
    }
    assert_eq!(table(&SavedTournament::read(&home).expect("a journal")), expected);
}

#[test]
fn the_number_of_workers_changes_nothing() {
    let one = SMALL.replace("concurrency = 2", "concurrency = 1");
    assert_eq!(whole(&one), whole(SMALL));
    let other = SMALL.replace("seed = 5", "seed = 6");
    assert_ne!(whole(&other), whole(SMALL));
}

#[test]
fn another_tournament_is_refused_by_name() {
    let folder = Folder::new();
    let home = folder.join("home");
    let text = SMALL.replace("engine = \"random\"", "engine = \"random:seed=3\"");
    run(&mut create(&home, config(&text)).expect("a folder"));
    let again = create(&home, config(&text)).err().map(|error| error.to_string());
    assert!(again.is_some_and(|message| message.contains("exists already: resume it")));
    let written = fs::read_to_string(home.join(CONFIG)).expect("settings");
    for (from, to, message) in [
        ("seed = 5", "seed = 6", "seed was \"5\" when it began and is \"6\" now"),
        ("random:seed=3", "random:seed=4", "player.3.engine was \"random:seed=3\""),
        ("longest = 20", "longest = 21", "event.2.longest was \"20\" when it began and is \"21\" now"),
        ("longest = 20\n", "", "event.2.longest was \"20\" when it began and is not set now"),
    ] {
        let changed = written.replace(from, to);
        assert_ne!(changed, written, "{from}");
        fs::write(home.join(CONFIG), changed).expect("written");
        let refused = open(&home).err().expect("refused").to_string();
        assert!(refused.contains(message), "{refused}");
    }
    // The number of workers may change.
    fs::write(home.join(CONFIG), written.replace("concurrency = 2", "concurrency = 3")).expect("written");
    assert_eq!(resume(&home), Finish::Complete);
    let nowhere = open(folder.path()).err().expect("refused").to_string();
    assert!(nowhere.contains("no tournament began here"), "{nowhere}");
}

#[test]
fn a_file_of_openings_belongs_to_the_tournament() {
    let folder = Folder::new();
    let (home, file) = (folder.join("home"), folder.join("openings.txt"));
    fs::write(&file, "f5d6\nf5f6\n").expect("written");
    let text = format!(
        "game = \"othello\"\npairs = 2\nlongest = 8\nopenings = {{ file = {:?} }}\n\
         [[player]]\nname = \"x\"\nengine = \"random\"\n[[player]]\nname = \"y\"\nengine = \"random\"",
        file.display().to_string()
    );
    run(&mut create(&home, config(&text)).expect("a folder"));
    let archive = SavedTournament::read(&home).expect("a journal");
    let begins: Vec<String> = archive.journal.all().map(|game| game.moves[..5].to_owned()).collect();
    assert_eq!(begins, ["f5 d6", "f5 d6", "f5 f6", "f5 f6"]);
    fs::write(&file, "f5d6\nf5f4\n").expect("written");
    let refused = open(&home).err().expect("refused").to_string();
    assert!(refused.contains("openings, sum was"), "{refused}");
    for (content, message) in [("", "holds no opening"), ("f5f5", "opening 1"), ("f5d6\nzzz", "opening 2")] {
        fs::write(&file, content).expect("written");
        let refused = in_memory(config(&text)).err().expect("refused").to_string();
        assert!(refused.contains(message), "{refused}");
    }
}

/// A journal small enough to flip every bit.
const TINY: &str = "name = \"t\"\ngame = \"othello\"\nlongest = 3\nopenings = { plies = 2 }\n\
    [[player]]\nengine = \"random\"\n[[player]]\nengine = \"random:seed=1\"";

#[test]
fn every_flipped_bit_and_every_truncation_is_detected() {
    let folder = Folder::new();
    let home = folder.join("home");
    run(&mut create(&home, config(TINY)).expect("a folder"));
    let expected = table(&SavedTournament::read(&home).expect("a journal"));
    let journal = fs::read(home.join(JOURNAL)).expect("a journal");
    let file = folder.join("damaged.txt");
    let part_of = |found: &[String]| found.iter().all(|game| expected.contains(game));
    for cut in 0..journal.len() {
        fs::write(&file, &journal[..cut]).expect("written");
        match SavedTournament::read(&file) {
            Ok(archive) => {
                let found = table(&archive);
                assert!(found.len() < expected.len() && part_of(&found), "cut at byte {cut}");
                let at_line = journal[..cut].ends_with(b"\n");
                assert_eq!(archive.journal.torn(), !at_line, "cut at byte {cut}");
            }
            Err(error) => assert!(error.to_string().contains("damaged.txt"), "{error}"),
        }
    }
    fs::write(&file, &journal).expect("written");
    let mut open = fs::File::options().write(true).open(&file).expect("opened");
    let mut put = |at: usize, byte: u8| {
        open.seek(SeekFrom::Start(at as u64)).expect("there");
        open.write_all(&[byte]).expect("written");
    };
    for (at, &byte) in journal.iter().enumerate() {
        for bit in 0..8 {
            put(at, byte ^ (1 << bit));
            match SavedTournament::read(&file) {
                // The last line may look incomplete, and is then reported.
                Ok(archive) => {
                    let found = table(&archive);
                    assert!(archive.journal.torn() && found.len() < expected.len(), "bit {bit} of byte {at}");
                    assert!(part_of(&found), "bit {bit} of byte {at}");
                }
                Err(error) => assert!(error.to_string().contains("line"), "{error}"),
            }
        }
        put(at, byte);
    }
    assert_eq!(table(&SavedTournament::read(&file).expect("mended")), expected);
}

#[test]
fn an_impossible_line_is_reported() {
    let folder = Folder::new();
    let home = folder.join("home");
    run(&mut create(&home, config(TINY)).expect("a folder"));
    let reading = tesuji_store::journal::read(home.join(JOURNAL), "tournament").expect("a journal");
    let forge = |change: &dyn Fn(&str) -> Vec<String>| {
        let file = folder.join("forged.txt");
        let _ = fs::remove_file(&file);
        let mut journal = tesuji_store::Journal::create(&file, "tournament").expect("a journal");
        reading.lines.iter().flat_map(|line| change(line)).for_each(|line| journal.append(&line).expect("written"));
        drop(journal);
        SavedTournament::read(&file).err().map(|error| error.to_string())
    };
    assert_eq!(forge(&|line| vec![line.to_owned()]), None);
    // Results have not changed since the last version, so its tables can still be read.
    assert_eq!(forge(&|line| vec![line.replace("tesuji/journal/2", "tesuji/journal/1")]), None);
    for (change, message) in [
        (
            (&|line: &str| vec![line.to_owned(), line.to_owned()]) as &dyn Fn(&str) -> Vec<String>,
            "line 3: a second header",
        ),
        (
            &|line: &str| {
                if line.contains("\"game\"") { vec![line.into(), line.into()] } else { vec![line.into()] }
            },
            "there a second time",
        ),
        (&|line: &str| vec![line.replace("\"number\":1", "\"number\":7")], "not in the schedule"),
        (
            &|line: &str| {
                vec![line.replace(
                    "\"number\":1,\"round\":0,\"first\":\"random:seed=1\"",
                    "\"number\":1,\"round\":0,\"first\":\"nobody\"",
                )]
            },
            "not in the schedule",
        ),
        (&|line: &str| vec![line.replace("\"event\":0", "\"event\":1")], "line 3: there is no event 2"),
        (&|line: &str| vec![line.replace("tesuji/journal/2", "tesuji/journal/9")], "tesuji/journal/9"),
        (&|line: &str| vec![line.replace("{\"kind\"", "{\"knd\"")], "line 2: missing field `kind`"),
    ] {
        let refused = forge(change).expect(message);
        assert!(refused.contains(message), "{refused}");
    }
}

/// Never starts.
struct Dead;

impl Player<Othello> for Dead {
    fn begin(&mut self, _: &Record<Othello>, _: &CancelToken) -> Result<(), PlayerFault> {
        Err(PlayerFault::Start("no such program".to_owned()))
    }

    fn choose(
        &mut self,
        _: &Record<Othello>,
        _: &MoveRequest,
    ) -> Result<PlayerAnswer<<Othello as tesuji_game::Game>::Move>, PlayerFault> {
        Err(PlayerFault::Crash("it never started".to_owned()))
    }

    fn end(&mut self, _: &Record<Othello>) {}
}

#[test]
fn a_player_that_never_starts_is_barred() {
    let text = "game = \"othello\"\nlongest = 8\npairs = 10\nconcurrency = 1\n\
        [[player]]\nname = \"x\"\nengine = \"random\"\n[[player]]\nname = \"y\"\nengine = \"random\"\n\
        [[player]]\nname = \"dead\"\nengine = \"random:seed=99\"";
    let dead = {
        let settings = othello();
        let usual = Arc::clone(&settings.make_player);
        let make_player: PlayerFactory<Othello> =
            Arc::new(move |spec| if spec.get("seed") == Some("99") { Ok(Box::new(Dead)) } else { usual(spec) });
        let settings = GameSettings { make_player, ..settings };
        let runner = GameRunner::new(&config(text), 0, settings).expect("a valid event");
        Box::new(runner) as Box<dyn EventRunner>
    };
    let folder = Folder::new();
    let home = folder.join("home");
    let mut tournament = Tournament::create(&home, config(text), vec![dead]).expect("a folder");
    let (mut barred, mut failures) = (Vec::new(), 0);
    let finish = tournament.run(1, &CancelToken::new(), &mut |event| match event {
        TournamentEvent::Barred { player, message, .. } => barred.push(format!("{player}: {message}")),
        TournamentEvent::Failure(_) => failures += 1,
        _ => {}
    });
    assert!(matches!(finish, Ok(Finish::Incomplete(40))), "{finish:?}");
    assert_eq!(barred, ["dead: did not start: no such program"]);
    assert_eq!(failures, 3);
    let archive = SavedTournament::read(&home).expect("a journal");
    assert_eq!(archive.journal.games(0).len(), 20, "the others play on");
    assert_eq!(archive.journal.failures().len(), 3);
    drop(tournament);
    // Once it starts, the missing games are played.
    let mut mended = open(&home).expect("it goes on");
    assert_eq!(run(&mut mended), Finish::Complete);
    assert_eq!(mended.journal().games(0).len(), 60);
}

#[test]
fn a_test_ends_an_event() {
    let text = "game = \"othello\"\npairs = 500\nseed = 2\nopenings = { plies = 6 }\n\
        sprt = { elo0 = 0, elo1 = 100 }\n\
        [[player]]\nengine = \"alphabeta:depth=1,hash=1\"\n[[player]]\nengine = \"random\"";
    let folder = Folder::new();
    let home = folder.join("home");
    let mut tournament = create(&home, config(text)).expect("a folder");
    let mut decided = 0;
    let finish = tournament.run(2, &CancelToken::new(), &mut |event| {
        decided += usize::from(matches!(event, TournamentEvent::Decided { .. }));
    });
    assert!(matches!(finish, Ok(Finish::Complete)), "{finish:?}");
    assert_eq!(decided, 1);
    let games = tournament.journal().games(0).len();
    assert!(games < 1000, "{games} games");
    drop(tournament);
    let counted = |home: &Path| {
        let archive = SavedTournament::read(home).expect("a journal");
        tesuji_arena::count(&archive.config.events[0], archive.journal.games(0))
    };
    let first = counted(&home);
    assert_eq!(resume(&home), Finish::Complete);
    assert_eq!(counted(&home), first);
    // Truncated in the middle, it gives the same result.
    let journal = fs::read(home.join(JOURNAL)).expect("a journal");
    fs::write(home.join(JOURNAL), &journal[..journal.len() / 2]).expect("written");
    assert_eq!(resume(&home), Finish::Complete);
    let again = counted(&home);
    assert_eq!((again.games, again.test), (first.games, first.test));
}

#[test]
fn games_come_out_in_the_formats_of_their_game() {
    let text = "openings = { plies = 2 }\nlongest = 6\n[[player]]\nengine = \"alphabeta:depth=1,hash=1\"\n\
        [[player]]\nengine = \"random\"\n[[event]]\ngame = \"othello\"\n[[event]]\ngame = \"shogi\"\n\
        [[event]]\ngame = \"trax\"\n[[event]]\ngame = \"ostle\"";
    let tournament = played(text);
    for (event, format) in ["ggf", "csa", "tagged", "tagged"].into_iter().enumerate() {
        let runner = &tournament.runners()[event];
        for game in tournament.journal().games(event).values() {
            let record = runner.record(game, Some(format)).expect(format);
            assert!(!record.is_empty());
            let replay = runner.replay(game).expect("a replay");
            assert_eq!(replay.frames.len(), game.plies() + 1);
        }
        let wrong = tournament.journal().games(event).values().next().map(|game| runner.record(game, Some("pgn")));
        assert!(wrong.is_some_and(|wrong| wrong.is_err_and(|message| message.contains("no format \"pgn\""))));
    }
}

#[test]
fn exhausted_openings_are_reported() {
    let text = "game = \"othello\"\npairs = 5\nlongest = 4\nopenings = { plies = 1 }\n\
        [[player]]\nengine = \"alphabeta:depth=1,hash=1\"\n[[player]]\nengine = \"random\"";
    let mut tournament = in_memory(config(text)).expect("it can be set up");
    let mut warnings = Vec::new();
    let finish = tournament.run(1, &CancelToken::new(), &mut |event| {
        if let TournamentEvent::Warning(warning) = event {
            warnings.push(warning.clone());
        }
    });
    assert!(matches!(finish, Ok(Finish::Incomplete(2))), "{finish:?}");
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].contains("no more than 4 fair openings of 1 plies"), "{warnings:?}");
}
