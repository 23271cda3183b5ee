//! The table of a game: its sums, its versions, its entries and its totals.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::json;
use tesuji_game::{NO_MOVE, Numbered, Outcome, Ranked};
use tesuji_solve::findings::Findings;
use tesuji_solve::retrograde::Census;
use tesuji_solve::table::{DEFAULT_CACHE, Facts, Kind, Table, TableError, Title};
use tesuji_solve::whole::work;
use tesuji_store::journal;

use super::crew::Gauge;
use super::entries::{Class, Proof, Walk};
use super::sums::{self, Sums};
use super::totals::Totals;
use super::{tell, threads, wrong};
use crate::args;
use crate::command::solve::machine::free_memory;
use crate::command::solve::summary::grouped;
use crate::command::title;
use crate::entry::Playable;
use crate::failure::{Done, Failure};
use crate::out::Out;

/// Verifies the table of a game, if it lies there.
pub(crate) fn table<G: Playable + Numbered>(path: &Path, args: &args::Verify, out: &mut Out) -> Option<Done> {
    let named = |file: &PathBuf| {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Some(stem.strip_prefix(G::NAME)?.strip_prefix('-')?.to_owned())
    };
    let title = title::<G>();
    let dir = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
    let dir = if dir.as_os_str().is_empty() { Path::new(".") } else { dir };
    if path.file_name() == Findings::path(dir, &title).file_name() {
        return Some(findings_alone(dir, &title, args, out));
    }
    let mut files = sums::files(path);
    let unfinished = path.is_dir() && (is_work::<G>(&work(path)) || is_work::<G>(path));
    if !unfinished && !files.iter().any(|file| named(file).is_some()) {
        return None;
    }
    let game = Arc::new(G::index());
    let stages = game.stages().iter().flat_map(|classes| classes.iter());
    let names: Vec<String> = stages.map(|&class| game.class_name(class)).collect();
    files.retain(|file| named(file).is_some_and(|class| names.contains(&class)));
    if files.is_empty() {
        let message = format!(
            "{}: a run that is not done, and no class is whole yet; `tesuji solve {}` goes on with it",
            path.display(),
            G::NAME
        );
        return unfinished.then(|| Err(wrong(path, &message, args, out)));
    }
    let check = Check { game, title, path, dir, files, unfinished, args };
    Some(check.run(out))
}

/// Whether a folder holds unfinished work on this game.
fn is_work<G: Numbered>(folder: &Path) -> bool {
    let game = |line: &String| line.split(' ').take(2).eq(["game", G::NAME]);
    journal::read(folder.join("log"), "retrograde").is_ok_and(|log| log.lines.iter().any(game))
}

/// The file of findings on its own: whole, and of this game.
fn findings_alone(dir: &Path, title: &Title, args: &args::Verify, out: &mut Out) -> Done {
    let path = Findings::path(dir, title);
    match Findings::load(dir, title) {
        Err(error) => Err(wrong(&path, &error.to_string(), args, out)),
        Ok(_) if args.json.json => {
            out.json("verify", json!({ "event": "final", "path": path.display().to_string(), "right": true }))
        }
        Ok(_) => out.line(format_args!("{}: a whole file of findings", path.display())),
    }
}

/// A table that lies somewhere.
struct Check<'c, R> {
    game: Arc<R>,
    title: Title,
    /// What was asked about.
    path: &'c Path,
    dir: &'c Path,
    files: Vec<PathBuf>,
    unfinished: bool,
    args: &'c args::Verify,
}

impl<G: Playable + Numbered, R: Ranked<Board = G> + Send> Check<'_, R> {
    fn run(&self, out: &mut Out) -> Done {
        let (args, json) = (self.args, self.args.json.json);
        let sums = Sums::of(&self.files, threads(args), out)?;
        if !json {
            sums.tell(out)?;
        }
        let (mut classes, mut totals, mut left) = (Vec::new(), Totals::default(), Vec::new());
        if sums.right() {
            let failed = |error: TableError, out: &mut Out| wrong(self.path, &error.to_string(), args, out);
            let exact = self.open(Kind::Exact).map_err(|error| failed(error, out))?;
            let outcomes = self.open(Kind::Outcomes).map_err(|error| failed(error, out))?;
            let findings = Findings::load(self.dir, &self.title).map_err(|error| failed(error, out))?;
            if !args.sums {
                self.entries(exact.as_ref(), outcomes.as_ref(), &mut classes, &mut left, out)?;
                self.totals(exact.as_ref().or(outcomes.as_ref()), findings.as_ref(), &classes, &mut totals);
            }
        }
        self.verdict(&sums, &classes, &totals, &left, out)
    }

    fn open(&self, kind: Kind) -> Result<Option<Table<R>>, TableError> {
        match Table::open_kind(self.dir, Arc::clone(&self.game), &self.title, kind, DEFAULT_CACHE) {
            Err(TableError::Nothing { .. }) => Ok(None),
            other => other.map(Some),
        }
    }

    /// Looks at all entries there are.
    fn entries(
        &self,
        exact: Option<&Table<R>>,
        outcomes: Option<&Table<R>>,
        classes: &mut Vec<Class>,
        left: &mut Vec<String>,
        out: &mut Out,
    ) -> Done {
        let args = self.args;
        let asked = |facts: &Facts| self.files.iter().any(|file| file.file_name() == facts.path.file_name());
        let alone = |facts: &Facts| asked(facts) && !exact.is_some_and(|exact| exact.has(facts.class));
        let walk = |table, beside, wanted| Walk {
            game: &self.game,
            table,
            beside,
            wanted,
            step: args.step,
            threads: threads(args),
            census: args.census,
        };
        let walks = [
            exact.map(|exact| walk(exact, outcomes, &asked as &dyn Fn(&Facts) -> bool)),
            outcomes.map(|outcomes| walk(outcomes, None, &alone)),
        ];
        let walks: Vec<Walk<'_, R>> = walks.into_iter().flatten().collect();
        let needed = walks.iter().map(Walk::memory).max().unwrap_or(0);
        let allowed = args.memory.map(|mib| mib << 20).or_else(free_memory).unwrap_or(u64::MAX);
        if needed > allowed {
            let (needed, allowed) = (needed.div_ceil(1 << 20), allowed >> 20);
            return Err(Failure::Failed(format!(
                "deriving the entries needs {needed} MiB of memory and may use {allowed} MiB: end other programs, \
                 allow more with --memory, or look at the sums alone with --sums"
            )));
        }
        if !args.json.json {
            tell::heads(out)?;
        }
        let gauge = Gauge::new(out, walks.iter().map(Walk::length).sum());
        for walk in &walks {
            left.extend(walk.left());
            walk.run(&gauge, &mut |class| {
                tell::class::<G, R>(&self.game, &class, args.json.json, out)?;
                classes.push(class);
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Compares what was counted with what stands elsewhere.
    fn totals(
        &self,
        table: Option<&Table<R>>,
        findings: Option<&Findings>,
        classes: &[Class],
        totals: &mut Totals,
    ) {
        for class in classes {
            let twin =
                classes.iter().find(|twin| twin.facts.class == class.facts.class && twin.counted.is_some());
            if let Some((counted, exceptions)) = twin.and_then(|twin| twin.counted.as_ref()) {
                totals.head(&class.facts, counted, class.counted.is_some().then_some(*exceptions));
            }
        }
        let stages = self.game.stages();
        let all = stages.iter().flat_map(|classes| classes.iter());
        let whole = all.clone().all(|&class| table.is_some_and(|table| table.has(class)));
        if let Some(findings) = findings {
            classes.iter().for_each(|class| totals.findings(findings, whole, class));
        }
        let Some(known) = G::known() else { return };
        let first = stages.first().and_then(|classes| classes.first());
        for class in classes {
            totals.known_class(known, class, first == Some(&class.facts.class));
        }
        if let Some(start) = table.and_then(|table| start::<G, R>(table)) {
            totals.known_start(known, start);
        }
        if let Some(findings) = findings {
            totals.known_depths(known, findings);
        }
        let counted: Vec<&Census> = classes.iter().filter_map(|class| class.census.as_ref()).collect();
        if whole && counted.len() == all.count() {
            let mut sum = Census::default();
            counted.into_iter().for_each(|census| sum.add(census));
            totals.known_nodes(known, &sum);
        }
    }

    fn verdict(
        &self,
        sums: &Sums,
        classes: &[Class],
        totals: &Totals,
        left: &[String],
        out: &mut Out,
    ) -> Done {
        let wrong: u64 = classes.iter().map(|class| class.looked.wrong).sum();
        let right = sums.right() && wrong == 0 && totals.right() && left.is_empty();
        // A board that two files tell of is one board.
        let (mut boards, mut entries) = (0, 0);
        for (at, class) in classes.iter().enumerate() {
            if classes[..at].iter().all(|before| before.facts.class != class.facts.class) {
                boards += class.facts.boards;
                entries += class.looked.boards;
            }
        }
        if self.args.json.json {
            let mut fields = sums.json();
            fields["event"] = "final".into();
            fields["game"] = G::NAME.into();
            fields["path"] = self.path.display().to_string().into();
            fields["boards"] = boards.into();
            fields["entries"] = entries.into();
            fields["wrong"] = wrong.into();
            fields["totals"] = totals.json();
            fields["missing"] = left.into();
            fields["unfinished"] = self.unfinished.into();
            fields["right"] = right.into();
            out.json("verify", fields)?;
        } else {
            totals.tell(out)?;
            if classes.iter().any(|class| class.proof == Proof::Consistent) {
                out.line(tell::UNPROVEN)?;
            }
            for class in left {
                out.line(format_args!(
                    "class {class}: not looked at, as a class its moves lead to is missing"
                ))?;
            }
            if self.unfinished {
                let game = G::NAME;
                out.line(format_args!("a run is not done here: `tesuji solve {game}` goes on with it"))?;
            }
            if !classes.is_empty() {
                let (wrong, boards) = (grouped(wrong), grouped(boards));
                let part =
                    if self.args.step > 1 { format!("{} of ", grouped(entries)) } else { String::new() };
                out.line(format_args!("{wrong} wrong among {part}{boards} boards"))?;
            }
        }
        if right { Ok(()) } else { Err(Failure::No) }
    }
}

/// The worth of the start in plies, if the table holds it; of a table of outcomes, only a draw is.
fn start<G: Playable + Numbered, R: Ranked<Board = G> + Send>(table: &Table<R>) -> Option<u8> {
    let start = G::start().forbidding(NO_MOVE);
    if !table.has(table.game().class(start)) {
        return None;
    }
    let worth = table.worth(start, NO_MOVE).ok()?;
    if worth.outcome == Outcome::Draw { Some(0) } else { worth.plies }
}
