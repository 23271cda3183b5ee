//! Writing CSA records.

use std::fmt::Write as _;
use std::time::Duration;

use tesuji_game::{Game, Ply, Record, Side, tags};

use super::{moves, remark, start, words};
use crate::formats::tag;
use crate::{Move, Shogi};

/// One record and the separator behind it; or what of it CSA cannot hold.
///
/// Version 2.2, unless something in it needs 3.0: fractions of a second, an increment, or a game that ended at a limit
/// of moves.
pub(crate) fn write(record: &Record<Shogi>) -> Result<Vec<u8>, String> {
    let ending = words::ending(record);
    let mut body = String::new();
    header(record, &mut body)?;
    body.push_str(&start::write(record.start()));
    let mut now = record.start().clone();
    for ply in record.plies() {
        let _ = writeln!(body, "{}", moves::write(&now, ply.mv));
        let mover = now.mover();
        now.play(ply.mv);
        notes(ply, mover, &now, &mut body);
    }
    let summed_up = record.tag(tags::SUMMARY).is_some();
    if !record.plies().is_empty() || record.ending().is_some() || summed_up {
        if let Some(summary) = words::summary(record) {
            let _ = writeln!(body, "'{summary}");
        }
        let _ = writeln!(body, "%{ending}");
        if let Some(summary) = record.tag(tags::SUMMARY) {
            let _ = writeln!(body, "'{}{}", words::SUMMARY, tag::flat(summary));
        }
    }
    body.push_str("/\n");
    let timed = record.tag(tags::CLOCK).is_some_and(|clock| words::clock(clock).0 == words::TIME);
    let fractions = record.plies().iter().filter_map(|ply| ply.time).any(is_fraction);
    let newer = ending == "MAX_MOVES" || timed || fractions;
    // Version 2.2 knows no encodings, and passes this over as a comment.
    let encoding = if newer || !body.is_ascii() { "'CSA encoding=UTF-8\n" } else { "" };
    let version = if newer { "V3.0\n" } else { "V2.2\n" };
    Ok([encoding, version, &body].concat().into_bytes())
}

fn header(record: &Record<Shogi>, out: &mut String) -> Result<(), String> {
    for (side, tag) in [('+', tags::FIRST), ('-', tags::SECOND)] {
        if let Some(name) = record.tag(tag) {
            let _ = writeln!(out, "N{side}{}", tag::flat(name));
        }
    }
    let own = [tags::FIRST, tags::SECOND, tags::FIRST_RATING, tags::SECOND_RATING, tags::SUMMARY];
    for (name, value) in record.tags.iter().filter(|(name, _)| !own.contains(&name.as_str())) {
        if name.contains([':', '\n', '\r']) {
            return Err(format!("CSA cannot hold a tag named {name:?}: a colon ends the name"));
        }
        let (keyword, value) = match name.as_str() {
            tags::CLOCK => words::clock(value),
            name => (words::keyword(name), tag::flat(value)),
        };
        let _ = writeln!(out, "${keyword}:{value}");
    }
    for ((comment, rating), player) in words::RATINGS.into_iter().zip([tags::FIRST, tags::SECOND]) {
        if let Some(rating) = record.tag(rating) {
            let _ = writeln!(out, "'{comment}{}:{}", tag::flat(record.tag(player).unwrap_or("?")), tag::flat(rating));
        }
    }
    record
        .comment
        .split(['\n', '\r'])
        .filter(|_| !record.comment.is_empty())
        .for_each(|words| *out += &remark::write(words));
    Ok(())
}

/// What is known about a move of `mover` that led to `now`.
fn notes(ply: &Ply<Move>, mover: Side, now: &Shogi, out: &mut String) {
    if let Some(time) = ply.time {
        let _ = match is_fraction(time) {
            true => writeln!(out, "T{}.{:03}", time.as_secs(), time.subsec_millis()),
            false => writeln!(out, "T{}", time.as_secs()),
        };
    }
    if let Some(value) = ply.value.filter(|value| value.is_finite()) {
        let seen_by_first = if mover == Side::First { value } else { 0.0 - value };
        let _ = write!(out, "'** {seen_by_first}");
        let mut ahead = now.clone();
        for &mv in &ply.line {
            let _ = write!(out, " {}", moves::write(&ahead, mv));
            ahead.play(mv);
        }
        out.push('\n');
    }
    let words: Vec<&str> = ply.comment.split(['\n', '\r']).collect();
    if words.iter().any(|words| !words.is_empty()) {
        words.iter().for_each(|words| *out += &remark::write(words));
    }
}

fn is_fraction(time: Duration) -> bool {
    time.subsec_millis() > 0
}
