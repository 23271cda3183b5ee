//! The table of a game: its sums, its versions, its entries and its totals.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::json;
use tesuji_game::{HasPerfectIndex, NO_MOVE, PerfectIndex};
use tesuji_solve::reachability::{DistanceMap, DistanceTable};
use tesuji_solve::tablebase::TablebaseSummary;
use tesuji_solve::tablebase::build::work_dir;
use tesuji_solve::tablebase::{ClassInfo, DEFAULT_CACHE, Metric, Tablebase, TablebaseError, TablebaseId};
use tesuji_store::journal;

use super::crew::Gauge;
use super::entries::Walk;
use super::reach::Reach;
use super::sums::{self, Sums};
use super::verdict::Seen;
use super::{tell, threads, wrong};
use crate::args;
use crate::command::solve::machine::free_memory;
use crate::command::title;
use crate::entry::Playable;
use crate::failure::{Done, Failure};
use crate::out::Out;

/// Verifies the table of a game, if it lies there.
pub(crate) fn table<G: Playable + HasPerfectIndex>(
    path: &Path,
    args: &args::Verify,
    out: &mut Out,
) -> Option<Done> {
    let named = |file: &PathBuf| {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Some(stem.strip_prefix(G::NAME)?.strip_prefix('-')?.to_owned())
    };
    let title = title::<G>();
    let dir = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
    let dir = if dir.as_os_str().is_empty() { Path::new(".") } else { dir };
    if path.file_name() == TablebaseSummary::path(dir, &title).file_name() {
        return Some(findings_alone(dir, &title, args, out));
    }
    let mut files = sums::files(path);
    let unfinished = path.is_dir() && (is_work::<G>(&work_dir(path)) || is_work::<G>(path));
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
fn is_work<G: HasPerfectIndex>(folder: &Path) -> bool {
    let game = |line: &String| line.split(' ').take(2).eq(["game", G::NAME]);
    journal::read(folder.join("log"), "retrograde").is_ok_and(|log| log.lines.iter().any(game))
}

/// The file of findings on its own: whole, and of this game.
fn findings_alone(dir: &Path, title: &TablebaseId, args: &args::Verify, out: &mut Out) -> Done {
    let path = TablebaseSummary::path(dir, title);
    match TablebaseSummary::load(dir, title) {
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
    title: TablebaseId,
    /// What was asked about.
    path: &'c Path,
    dir: &'c Path,
    files: Vec<PathBuf>,
    unfinished: bool,
    args: &'c args::Verify,
}

impl<G: Playable + HasPerfectIndex, R: PerfectIndex<Board = G> + Send> Check<'_, R> {
    fn run(&self, out: &mut Out) -> Done {
        let (args, json) = (self.args, self.args.json.json);
        let sums = Sums::of(&self.files, threads(args), out)?;
        if !json {
            sums.tell(out)?;
        }
        let mut seen = Seen::default();
        if sums.right() {
            let failed =
                |error: TablebaseError, out: &mut Out| wrong(self.path, &error.to_string(), args, out);
            let exact = self.open(Metric::Dtw).map_err(|error| failed(error, out))?;
            let outcomes = self.open(Metric::Wdl).map_err(|error| failed(error, out))?;
            let distances = DistanceTable::open(self.dir, Arc::clone(&self.game), &self.title);
            let distances = distances.map_err(|error| failed(error, out))?;
            let summary =
                TablebaseSummary::load(self.dir, &self.title).map_err(|error| failed(error, out))?;
            if !args.sums {
                self.entries(exact.as_ref(), outcomes.as_ref(), &mut seen, out)?;
                self.distances(distances.as_ref(), &mut seen, out)?;
                let table = exact.as_ref().or(outcomes.as_ref());
                seen.count::<G, R>(&self.game, table, summary.as_ref());
            }
        }
        seen.tell::<G>(&sums, self.path, self.unfinished, args, out)
    }

    fn open(&self, kind: Metric) -> Result<Option<Tablebase<R>>, TablebaseError> {
        match Tablebase::open_metric(self.dir, Arc::clone(&self.game), &self.title, kind, DEFAULT_CACHE) {
            Err(TablebaseError::NotFound { .. }) => Ok(None),
            other => other.map(Some),
        }
    }

    /// Looks at all entries there are.
    fn entries(
        &self,
        exact: Option<&Tablebase<R>>,
        outcomes: Option<&Tablebase<R>>,
        seen: &mut Seen,
        out: &mut Out,
    ) -> Done {
        let args = self.args;
        let asked =
            |facts: &ClassInfo| self.files.iter().any(|file| file.file_name() == facts.path.file_name());
        let alone = |facts: &ClassInfo| asked(facts) && !exact.is_some_and(|exact| exact.has(facts.class));
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
            exact.map(|exact| walk(exact, outcomes, &asked as &dyn Fn(&ClassInfo) -> bool)),
            outcomes.map(|outcomes| walk(outcomes, None, &alone)),
        ];
        let walks: Vec<Walk<'_, R>> = walks.into_iter().flatten().collect();
        if walks.iter().all(|walk| walk.stages() == 0) {
            seen.left = walks.iter().flat_map(Walk::left).collect();
            return Ok(());
        }
        self.afford(walks.iter().map(Walk::memory).max().unwrap_or(0))?;
        if !args.json.json {
            tell::heads(out)?;
        }
        let gauge = Gauge::new(out, walks.iter().map(Walk::length).sum());
        for walk in &walks {
            seen.left.extend(walk.left());
            walk.run(&gauge, &mut |class| {
                tell::class::<G, R>(&self.game, &class, args.json.json, out)?;
                seen.classes.push(class);
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Looks at all distances, if they are asked about.
    fn distances(&self, distances: Option<&DistanceTable<R>>, seen: &mut Seen, out: &mut Out) -> Done {
        let asked = |file: &PathBuf| file.extension().is_some_and(|ending| ending == "reach");
        let Some(distances) = distances.filter(|_| self.files.iter().any(asked)) else { return Ok(()) };
        let json = self.args.json.json;
        if self.args.step > 1 {
            return if json {
                Ok(())
            } else {
                out.line("distances: not looked at, as --step is not for them")
            };
        }
        self.afford(DistanceMap::memory(&*self.game))?;
        if seen.classes.is_empty() && !json {
            tell::heads(out)?;
        }
        let start = G::start().forbidding(NO_MOVE);
        let reach = Reach::of(distances, start, threads(self.args), self.args.census, out)?;
        reach.tell::<G, R>(&self.game, json, out)?;
        seen.reach = Some(reach);
        Ok(())
    }

    /// Whether there is memory for so many bytes.
    fn afford(&self, needed: u64) -> Done {
        let allowed = self.args.memory.map(|mib| mib << 20).or_else(free_memory).unwrap_or(u64::MAX);
        if needed <= allowed {
            return Ok(());
        }
        let (needed, allowed) = (needed.div_ceil(1 << 20), allowed >> 20);
        Err(Failure::Failed(format!(
            "deriving the entries needs {needed} MiB of memory and may use {allowed} MiB: end other programs, allow \
             more with --memory, or look at the sums alone with --sums"
        )))
    }
}
