//! The clock of a game in GGF: its settings, minus the times of its moves.

use std::time::Duration;

use tesuji_game::{Game, Record, Side, tags};
use tesuji_othello::Othello;
use tesuji_search::Time;

/// The time for a move with nothing left on the clock.
const MINIMUM: Duration = Duration::from_millis(20);

/// The clocks of both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct NBoardClock {
    /// Main time, increment and byoyomi; `None` without a clock.
    settings: Option<[Duration; 3]>,
    used: [Duration; 2],
    moves: [u32; 2],
}

impl NBoardClock {
    /// The clock of a record, minus the times of its moves.
    pub(super) fn of(record: &Record<Othello>) -> NBoardClock {
        let mut clock = NBoardClock { settings: record.tag(tags::CLOCK).and_then(parse), ..NBoardClock::default() };
        let mut side = record.start().mover();
        for ply in record.plies() {
            clock.spend(side, ply.time.unwrap_or_default());
            side = !side;
        }
        clock
    }

    /// Subtracts the time of a move.
    pub(super) fn spend(&mut self, side: Side, used: Duration) {
        let index = side.index();
        self.used[index] = self.used[index].saturating_add(used);
        self.moves[index] += 1;
    }

    /// The time of `side` for its next move.
    pub(super) fn time(&self, side: Side) -> Option<Time> {
        let [main, increment, byoyomi] = self.settings?;
        let added = increment.saturating_mul(self.moves[side.index()]);
        let left = main.saturating_add(added).saturating_sub(self.used[side.index()]);
        Some(match left.saturating_add(increment).saturating_add(byoyomi).is_zero() {
            true => Time::Move(MINIMUM),
            false => Time::Clock { left, increment, byoyomi },
        })
    }
}

/// `15:00` or `5:00/0:02/2:00`: main time, increment and byoyomi in hours, minutes and seconds.
fn parse(text: &str) -> Option<[Duration; 3]> {
    let mut parts = text.split('/').map(|part| parse_duration(part.split(',').next().unwrap_or_default()));
    let main = parts.next()??;
    let mut next = || parts.next().flatten().unwrap_or_default();
    Some([main, next(), next()])
}

fn parse_duration(text: &str) -> Option<Duration> {
    let mut seconds = 0.0;
    for part in text.trim().split(':') {
        let number: f64 = part.parse().ok().filter(|number: &f64| *number >= 0.0)?;
        seconds = seconds * 60.0 + number;
    }
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod tests {
    use tesuji_game::Formats;
    use tesuji_othello::GGF;

    use super::*;

    fn clock(game: &str) -> NBoardClock {
        NBoardClock::of(&Othello::read(GGF, game.as_bytes()).next().unwrap().record)
    }

    #[test]
    fn a_clock_is_parsed_and_used_time_subtracted() {
        let start = "BO[8 ---------------------------O*------*O--------------------------- *]";
        let of = |left, increment, byoyomi| {
            let [left, increment, byoyomi] = [left, increment, byoyomi].map(Duration::from_secs);
            Some(Time::Clock { left, increment, byoyomi })
        };
        let plain = clock(&format!("(;GM[Othello]TI[15:00]{start}B[F5//10]W[F6]B[E6//0:20];)"));
        assert_eq!((plain.time(Side::First), plain.time(Side::Second)), (of(870, 0, 0), of(900, 0, 0)));
        let full = clock(&format!("(;GM[Othello]TI[1:00/0:02/0:30]{start}B[F5//10];)"));
        assert_eq!(full.time(Side::First), of(52, 2, 30));
        let none = clock(&format!("(;GM[Othello]{start};)"));
        assert_eq!(none.time(Side::First), None);
        assert_eq!(clock(&format!("(;GM[Othello]TI[soon]{start};)")).time(Side::First), None);
        let gone = clock(&format!("(;GM[Othello]TI[0:05]{start}B[F5//99];)"));
        assert_eq!(gone.time(Side::First), Some(Time::Move(MINIMUM)));
    }
}
