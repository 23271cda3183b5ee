//! The clocks of a GTP game: what the controller says, and what we know when it says nothing.

use std::time::Duration;

use tesuji_game::Side;
use tesuji_search::Time;

/// Both clocks, once somebody has set them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Clocks {
    settings: Option<Settings>,
    left: [Left; 2],
}

/// A clock of the game: main time, then so much for so many moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Settings {
    byoyomi: Duration,
    stones: u32,
}

/// What is left: for so many moves, or of the main time when that is for none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Left {
    time: Duration,
    stones: u32,
}

impl Clocks {
    /// The clock of a new game. Time for no moves at all means that there is no clock.
    pub(super) fn set(&mut self, main: Duration, byoyomi: Duration, stones: u32) {
        let endless = stones == 0 && (!byoyomi.is_zero() || main.is_zero());
        self.settings = (!endless).then_some(Settings { byoyomi, stones });
        self.left = [Left { time: main, stones: 0 }; 2];
    }

    /// What is left to a side, as the controller sees it.
    pub(super) fn tell(&mut self, side: Side, time: Duration, stones: u32) {
        self.settings.get_or_insert(Settings { byoyomi: Duration::ZERO, stones: 0 });
        self.left[side.index()] = Left { time, stones };
    }

    /// What a side has for its next move; nothing where there is no clock.
    pub(super) fn time(&self, side: Side) -> Option<Time> {
        let Settings { byoyomi, stones } = self.settings?;
        let left = self.left[side.index()];
        let (main, each) = match left.stones {
            0 => (left.time, byoyomi.checked_div(stones).unwrap_or_default()),
            stones => (Duration::ZERO, left.time / stones),
        };
        Some(Time::Clock { left: main, increment: Duration::ZERO, byoyomi: each })
    }

    /// A move took so long. The controller may correct this.
    pub(super) fn spend(&mut self, side: Side, used: Duration) {
        let Some(Settings { byoyomi, stones }) = self.settings else { return };
        let left = &mut self.left[side.index()];
        let rest = left.time.saturating_sub(used);
        *left = match left.stones {
            0 if rest.is_zero() => Left { time: byoyomi, stones },
            0 => Left { time: rest, stones: 0 },
            1 => Left { time: byoyomi, stones },
            more => Left { time: rest, stones: more - 1 },
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn of(left: u64, byoyomi: u64) -> Option<Time> {
        Some(Time::Clock { left: s(left), increment: s(0), byoyomi: s(byoyomi) })
    }

    #[test]
    fn main_time_then_stones() {
        let mut clocks = Clocks::default();
        assert_eq!(clocks.time(Side::First), None);
        clocks.set(s(60), s(10), 2);
        assert_eq!(clocks.time(Side::First), of(60, 5));
        clocks.spend(Side::First, s(59));
        assert_eq!((clocks.time(Side::First), clocks.time(Side::Second)), (of(1, 5), of(60, 5)));
        clocks.spend(Side::First, s(3));
        assert_eq!(clocks.time(Side::First), of(0, 5));
        clocks.spend(Side::First, s(4));
        assert_eq!(clocks.time(Side::First), of(0, 6));
        clocks.spend(Side::First, s(1));
        assert_eq!(clocks.time(Side::First), of(0, 5), "a new period");
        clocks.tell(Side::Second, s(7), 0);
        assert_eq!(clocks.time(Side::Second), of(7, 5));
        clocks.set(s(0), s(1), 0);
        assert_eq!(clocks.time(Side::First), None, "time for no moves is no clock");
        clocks.tell(Side::First, s(9), 3);
        assert_eq!(clocks.time(Side::First), of(0, 3), "told without being set");
    }
}
