//! `tesuji stats`: what files of records, or the journals of tournaments, say in figures.

mod records;

use std::path::Path;

use tesuji_arena::{SavedTournament, JOURNAL};

use crate::args::{self, Source};
use crate::command::compete::tell_events;
use crate::command::each_record;
use crate::entry::{CliGame, Playable};
use crate::failure::{Done, Failure};
use crate::out::Out;
use records::Records;

pub(crate) fn run<G: Playable>(shelf: &CliGame<G>, args: &args::Stats, out: &mut Out) -> Done {
    let mut records = Records::<G>::default();
    let mut seen = false;
    for file in &args.files {
        if let Some(journal) = journal(Path::new(file)) {
            tell_journal::<G>(&journal, args, out)?;
            continue;
        }
        let source = Source { game: args.game.clone(), file: file.clone(), format: args.format.clone() };
        let fill = shelf.companions.map(|companions| companions(Path::new(file)));
        each_record::<G>(&source, |_, mut reading| {
            if let Some(fill) = &fill {
                fill(&mut reading.record);
            }
            records.add(&reading);
            Ok(())
        })?;
        seen = true;
    }
    match (seen, args.json.json) {
        (false, _) => Ok(()),
        (true, true) => out.json("stats", records.json()),
        (true, false) => records.tell(out),
    }
}

/// The journal that a path means: that of a folder, or a file of this name.
fn journal(path: &Path) -> Option<std::path::PathBuf> {
    if path.is_dir() {
        return Some(path.join(JOURNAL));
    }
    (path.file_name().is_some_and(|name| name == JOURNAL)).then(|| path.to_owned())
}

/// The events of this game in a tournament.
fn tell_journal<G: Playable>(path: &Path, args: &args::Stats, out: &mut Out) -> Done {
    let archive = SavedTournament::read(path).map_err(|error| Failure::usage(error.to_string()))?;
    if archive.journal.torn() {
        eprintln!("tesuji: {}: the last line was cut short and does not count", path.display());
    }
    if !archive.config.events.iter().any(|event| event.game == G::NAME) {
        let games: Vec<&str> = archive.config.events.iter().map(|event| event.game.as_str()).collect();
        let (shown, games) = (path.display(), games.join(", "));
        return Err(Failure::usage(format!("{shown} has no event of {}; it has {games}", G::NAME)));
    }
    let only = |game: &str| game == G::NAME;
    tell_events(&archive.config, &archive.journal, args.json.json.then_some("stats"), &only, out)
}
