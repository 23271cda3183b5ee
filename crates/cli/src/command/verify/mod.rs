//! `tesuji verify`: whether files of ours are intact, of the right version, and correct.

use tesuji_registry::{
    ChecksumTotals, ClassVerification, DistanceVerification, Error, Registry, TablebaseVerification, VerificationEvent,
    VerifyRequest, VerifyResponse,
};
use tesuji_report::grouped;

use super::counted;
use crate::args;
use crate::failure::{Done, Failure};
use crate::out::Out;

/// The request of a command.
pub(super) fn request(args: &args::Verify) -> VerifyRequest {
    VerifyRequest {
        path: args.path.clone(),
        sums: args.sums,
        step: args.step,
        statistics: args.statistics,
        memory: args.memory.map(|mib| mib << 20),
        threads: args.threads.get(),
    }
}

pub(crate) fn run(registry: &Registry, args: &args::Verify, out: &mut Out) -> Done {
    let request = request(args);
    let interrupted = |error| match error {
        Error::Cancelled => Error::failed("interrupted: not everything was verified"),
        error => error,
    };
    let mut table = VerifyTable { json: args.json.json, headed: false };
    let response = out.events(
        |context, events| registry.verify(&request, context, events).map_err(interrupted),
        |out, event| table.event(event, out),
    )?;
    finish(&response, args.json.json, out)
}

/// Tells a verification that took place elsewhere as if it had been here.
pub(super) fn tell(events: Vec<VerificationEvent>, response: &VerifyResponse, json: bool, out: &mut Out) -> Done {
    let mut table = VerifyTable { json, headed: false };
    events.into_iter().try_for_each(|event| table.event(event, out))?;
    finish(response, json, out)
}

/// Tells the result; whether everything is correct.
fn finish(response: &VerifyResponse, json: bool, out: &mut Out) -> Done {
    match json {
        true => out.json("verify", response)?,
        false => print(response, out)?,
    }
    if response.is_correct() { Ok(()) } else { Err(Failure::No) }
}

/// Prints the results of classes as they come: a table, or JSON.
struct VerifyTable {
    json: bool,
    headed: bool,
}

impl VerifyTable {
    fn event(&mut self, event: VerificationEvent, out: &mut Out) -> Done {
        match event {
            VerificationEvent::Checksums(_) | VerificationEvent::DistancesSkipped if self.json => Ok(()),
            VerificationEvent::Checksums(checksums) => print_checksums(&checksums, out),
            VerificationEvent::DistancesSkipped => out.line("distances: not verified, because --step is not for them"),
            event if self.json => out.json("verify", event),
            VerificationEvent::Class(class) => self.class(&class, out),
            VerificationEvent::Distances(distances) => self.distances(&distances, out),
        }
    }

    fn class(&mut self, report: &ClassVerification, out: &mut Out) -> Done {
        let extension = report.file.rsplit_once('.').map_or("", |(_, extension)| extension);
        let counts = [report.boards, report.entries, report.wrong];
        self.row([&report.class, extension], counts, report.seconds, out)?;
        for wrong in &report.first_wrong {
            match (&wrong.position, &wrong.said, &wrong.right) {
                (Some(position), Some(said), Some(right)) => {
                    out.line(format_args!("  {position}: {said}; right would be: {right}"))?;
                }
                _ => {
                    out.line(format_args!("  number {} has no board and must have no value", wrong.index))?;
                }
            }
        }
        Ok(())
    }

    fn distances(&mut self, report: &DistanceVerification, out: &mut Out) -> Done {
        self.row(["all", "reach"], [report.boards, report.entries, report.wrong], report.seconds, out)?;
        for wrong in &report.first_wrong {
            match (&wrong.position, &wrong.said, &wrong.right) {
                (Some(position), Some(said), Some(right)) => {
                    out.line(format_args!("  {position}: {said}; right would be: {right}"))?;
                }
                _ => out.line(format_args!("  number {} has no board and no distance", wrong.index))?,
            }
        }
        Ok(())
    }

    /// Class and file; boards, entries verified and wrong ones.
    fn row(&mut self, names: [&str; 2], counts: [u64; 3], seconds: f64, out: &mut Out) -> Done {
        if !self.headed {
            self.headed = true;
            out.line(format_args!(
                "{:<8}{:<6}{:>15}{:>15}{:>9}{:>9}",
                "class", "file", "boards", "entries", "wrong", "seconds"
            ))?;
        }
        let ([class, file], [boards, entries, wrong]) = (names, counts.map(grouped));
        out.line(format_args!("{class:<8}{file:<6}{boards:>15}{entries:>15}{wrong:>9}{seconds:>9.1}"))
    }
}

fn print_checksums(checksums: &ChecksumTotals, out: &mut Out) -> Done {
    let ChecksumTotals { files, blocks, bytes, damaged, damage } = checksums;
    let (blocks, bytes) = (grouped(*blocks), grouped(*bytes));
    let verdict = match damaged {
        0 => "all checksums correct".to_owned(),
        _ => format!("{} damaged", counted(*damaged, "part")),
    };
    out.line(format_args!("{}, {blocks} blocks, {bytes} bytes: {verdict}", counted(*files, "file")))?;
    damage.iter().try_for_each(|damage| out.line(format_args!("  {damage}")))?;
    if *damaged > damage.len() {
        out.line(format_args!("  and {} more", damaged - damage.len()))?;
    }
    Ok(())
}

fn print(response: &VerifyResponse, out: &mut Out) -> Done {
    match response {
        VerifyResponse::Tablebase(report) => print_tablebase(report, out),
        VerifyResponse::Checksums(_) => {
            out.line("the contents were not verified: no game here has a table with files of these names")
        }
        VerifyResponse::Statistics(file) => out.line(format_args!("{}: intact statistics", file.path)),
        VerifyResponse::Invalid(file) => Err(Failure::Failed(file.error.clone())),
        VerifyResponse::Puzzles(file) => {
            for wrong in &file.wrong {
                out.line(format_args!("{}, line {}: {}", file.path, wrong.line, wrong.error))?;
            }
            let right = counted(file.puzzles - file.wrong.len(), "puzzle");
            out.line(format_args!("{}: {right} of {} right, {} wrong", file.path, file.game, file.wrong.len()))
        }
        VerifyResponse::Journal(file) => {
            let games = file.games.map_or(String::new(), |games| format!(", {}", counted(games, "game")));
            let (kind, lines) = (&file.kind, counted(file.lines, "line"));
            out.line(format_args!("{}: an intact journal of kind {kind}, {lines}{games}", file.path))?;
            if file.torn {
                out.line("its last line was cut short and does not count; resuming drops it")?;
            }
            Ok(())
        }
        VerifyResponse::Weights(file) => {
            let (model, stages, weights) = (&file.model, file.stages, grouped(file.weights as u64));
            out.line(format_args!("{}: intact weights of {model}, {stages} stages of {weights}", file.path))?;
            indented(&file.story, out)
        }
        VerifyResponse::Network(file) => {
            let checked = match &file.sha256 {
                Some(_) => "an intact network",
                None => "a network without a checksum",
            };
            let parameters = grouped(file.parameters as u64);
            out.line(format_args!("{}: {checked}, {}, {parameters} parameters", file.path, file.architecture))?;
            indented(&file.story, out)
        }
        VerifyResponse::Book(file) => {
            let (positions, unsearched) = (counted(file.positions, "position"), file.unsearched);
            out.line(format_args!(
                "{}: an intact opening book of {}, {positions}, {unsearched} not searched yet",
                file.path, file.game
            ))
        }
        VerifyResponse::Positions(file) => {
            let (positions, games) = (grouped(file.positions), grouped(file.games));
            out.line(format_args!("{}: an intact data set of {}", file.path, file.game))?;
            out.line(format_args!("  {positions} positions of {games} games, labels of {}", file.encoding))?;
            let [results, values, visits] = [file.with_result, file.with_value, file.with_visits].map(grouped);
            out.line(format_args!("  {results} with a result, {values} with a value, {visits} with visit counts"))?;
            indented(&file.provenance, out)
        }
        VerifyResponse::ProbCut(file) => {
            out.line(format_args!("{}: an intact error model of othello's search", file.path))?;
            indented(&file.story, out)
        }
    }
}

fn indented(text: &str, out: &mut Out) -> Done {
    text.lines().try_for_each(|line| out.line(format_args!("  {line}")))
}

fn print_tablebase(report: &TablebaseVerification, out: &mut Out) -> Done {
    for totals in &report.totals {
        let (equal, lines, source) = (totals.equal, totals.lines, &totals.source);
        out.line(format_args!("{equal} of {lines} lines equal to {source}"))?;
        for difference in &totals.different {
            let (said, found) = (grouped(difference.said), grouped(difference.found));
            out.line(format_args!("  {}: {said} there, {found} found", difference.what))?;
        }
    }
    if report.only_consistent {
        out.line(
            "every draw is proven; wins and losses agree with each other, as a cycle of them would: only a table with \
             plies proves them",
        )?;
    }
    for class in &report.missing {
        out.line(format_args!("class {class}: not verified, because a class that its moves lead to is missing"))?;
    }
    if let Some(command) = &report.resume {
        out.line(format_args!("an unfinished build is here: `{command}` goes on with it"))?;
    }
    if report.boards > 0 {
        let part =
            if report.entries < report.boards { format!("{} of ", grouped(report.entries)) } else { String::new() };
        out.line(format_args!("{} wrong among {part}{} boards", grouped(report.wrong), grouped(report.boards)))?;
    }
    Ok(())
}
