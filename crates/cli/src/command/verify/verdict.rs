//! What all that was looked at comes to: the totals, and the last line.

use std::path::Path;

use tesuji_game::{HasPerfectIndex, NO_MOVE, Outcome, PerfectIndex};
use tesuji_solve::retrograde::ClassStatistics;
use tesuji_solve::tablebase::Tablebase;
use tesuji_solve::tablebase::TablebaseSummary;

use super::entries::{Class, Proof};
use super::reach::Reach;
use super::sums::Sums;
use super::tell;
use super::totals::Totals;
use crate::args;
use crate::command::solve::summary::grouped;
use crate::entry::Playable;
use crate::failure::{Done, Failure};
use crate::out::Out;

/// What was looked at.
#[derive(Default)]
pub(super) struct Seen {
    pub(super) classes: Vec<Class>,
    pub(super) reach: Option<Reach>,
    /// Classes that could not be looked at.
    pub(super) left: Vec<String>,
    totals: Totals,
}

impl Seen {
    /// Compares what was counted with what stands elsewhere.
    pub(super) fn count<G: Playable + HasPerfectIndex, R: PerfectIndex<Board = G> + Send>(
        &mut self,
        game: &R,
        table: Option<&Tablebase<R>>,
        summary: Option<&TablebaseSummary>,
    ) {
        let Seen { classes, reach, totals, .. } = self;
        for class in classes.iter() {
            let twin =
                classes.iter().find(|twin| twin.facts.class == class.facts.class && twin.counted.is_some());
            if let Some((counted, exceptions)) = twin.and_then(|twin| twin.counted.as_ref()) {
                totals.head(&class.facts, counted, class.counted.is_some().then_some(*exceptions));
            }
        }
        let all = game.stages().iter().flat_map(|classes| classes.iter());
        let whole = all.clone().all(|&class| table.is_some_and(|table| table.has(class)));
        if let Some(summary) = summary {
            classes.iter().for_each(|class| totals.findings(summary, whole, class));
        }
        if let Some(reach) = reach.as_ref() {
            totals.reach(reach, summary);
        }
        let Some(known) = G::published_results() else { return };
        let first = all.clone().next();
        for class in classes.iter() {
            totals.known_class(known, class, first == Some(&class.facts.class));
        }
        if let Some(start) = table.and_then(|table| start::<G, R>(table)) {
            totals.known_start(known, start);
        }
        let counted: Vec<&ClassStatistics> =
            classes.iter().filter_map(|class| class.census.as_ref()).collect();
        if whole && counted.len() == all.count() {
            let mut sum = ClassStatistics::default();
            counted.into_iter().for_each(|census| sum.add(census));
            totals.known_census(known, &sum);
        }
    }

    /// Tells it, and whether all is right.
    pub(super) fn tell<G: Playable + HasPerfectIndex>(
        &self,
        sums: &Sums,
        path: &Path,
        unfinished: bool,
        args: &args::Verify,
        out: &mut Out,
    ) -> Done {
        let Seen { classes, reach, left, totals } = self;
        let wrong = classes.iter().map(|class| class.looked.wrong).sum::<u64>()
            + reach.as_ref().map_or(0, |reach| reach.wrong);
        let right = sums.right() && wrong == 0 && totals.right() && left.is_empty();
        // A board that several files tell of is one board.
        let (mut boards, mut entries) = (0, 0);
        for (at, class) in classes.iter().enumerate() {
            if classes[..at].iter().all(|before| before.facts.class != class.facts.class) {
                boards += class.facts.boards;
                entries += class.looked.boards;
            }
        }
        if let Some(reach) = reach.as_ref().filter(|reach| reach.boards > boards) {
            (boards, entries) = (reach.boards, reach.boards);
        }
        if args.json.json {
            let mut fields = sums.json();
            fields["event"] = "final".into();
            fields["game"] = G::NAME.into();
            fields["path"] = path.display().to_string().into();
            fields["boards"] = boards.into();
            fields["entries"] = entries.into();
            fields["wrong"] = wrong.into();
            fields["totals"] = totals.json();
            fields["missing"] = left.as_slice().into();
            fields["unfinished"] = unfinished.into();
            fields["right"] = right.into();
            out.json("verify", fields)?;
        } else {
            totals.tell(out)?;
            let consistent = classes.iter().any(|class| class.proof == Proof::Consistent);
            if consistent && wrong == 0 && args.step == 1 {
                out.line(tell::UNPROVEN)?;
            }
            for class in left {
                out.line(format_args!(
                    "class {class}: not looked at, as a class its moves lead to is missing"
                ))?;
            }
            if unfinished {
                let game = G::NAME;
                out.line(format_args!("a run is not done here: `tesuji solve {game}` goes on with it"))?;
            }
            if boards > 0 {
                let part = if args.step > 1 { format!("{} of ", grouped(entries)) } else { String::new() };
                out.line(format_args!("{} wrong among {part}{} boards", grouped(wrong), grouped(boards)))?;
            }
        }
        if right { Ok(()) } else { Err(Failure::No) }
    }
}

/// The worth of the start in plies, if the table holds it; of a table of outcomes, only a draw is.
fn start<G: Playable + HasPerfectIndex, R: PerfectIndex<Board = G> + Send>(
    table: &Tablebase<R>,
) -> Option<u8> {
    let start = G::start().forbidding(NO_MOVE);
    if !table.has(table.game().class(start)) {
        return None;
    }
    let worth = table.value(start, NO_MOVE).ok()?;
    if worth.outcome == Outcome::Draw { Some(0) } else { worth.plies }
}
