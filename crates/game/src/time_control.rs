//! The time control of a record. The tag [`CLOCK`](crate::tags::CLOCK) holds it as text; formats have spellings of
//! their own.

use std::fmt;
use std::time::Duration;

/// A time control in the spelling of the command line: `300s+2s`, `300s/10s`, `20ms`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockTag {
    /// For the game; for each move when there is neither increment nor byoyomi and `per_move` is set.
    pub main: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// For each move once the main time is used.
    pub byoyomi: Duration,
    /// Whether `main` is for each move.
    pub per_move: bool,
}

impl ClockTag {
    /// Reads `300s+2s`, `300s/10s` or `20ms`; `None` for any other text, such as a spelling of a file.
    pub fn parse(text: &str) -> Option<ClockTag> {
        let zero = Duration::ZERO;
        if let Some((main, increment)) = text.split_once('+') {
            let (main, increment) = (duration(main)?, duration(increment)?);
            return Some(ClockTag { main, increment, byoyomi: zero, per_move: false });
        }
        if let Some((main, byoyomi)) = text.split_once('/') {
            let (main, byoyomi) = (duration(main)?, duration(byoyomi)?);
            return Some(ClockTag { main, increment: zero, byoyomi, per_move: false });
        }
        Some(ClockTag { main: duration(text)?, increment: zero, byoyomi: zero, per_move: true })
    }
}

impl fmt::Display for ClockTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ClockTag { main, increment, byoyomi, per_move } = *self;
        match (increment.is_zero(), byoyomi.is_zero()) {
            (true, true) if per_move => f.write_str(&print(main)),
            (_, true) => write!(f, "{}+{}", print(main), print(increment)),
            (_, false) => write!(f, "{}/{}", print(main), print(byoyomi)),
        }
    }
}

/// `0`, `250ms`, `1.5s`, `2m`, `1h`.
fn duration(text: &str) -> Option<Duration> {
    let text = text.trim();
    if text == "0" {
        return Some(Duration::ZERO);
    }
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.'))?;
    let (number, unit) = text.split_at(end);
    let seconds = match unit {
        "ms" => 1e-3,
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return None,
    };
    Duration::try_from_secs_f64(number.parse::<f64>().ok()? * seconds).ok()
}

fn print(time: Duration) -> String {
    if time.subsec_nanos() == 0 { format!("{}s", time.as_secs()) } else { format!("{}ms", time.as_secs_f64() * 1e3) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read_and_printed() {
        for text in ["300s+2s", "300s/10s", "20ms", "1s", "0s/30s", "300s+0s"] {
            assert_eq!(ClockTag::parse(text).map(|clock| clock.to_string()).as_deref(), Some(text));
        }
        assert_eq!(ClockTag::parse("5m+0").map(|clock| clock.main), Some(Duration::from_secs(300)));
        for other in ["none", "", "15:00//02:00", "00:25+10", "300+0+2", "5分", "x s", "9e999s", "-1s"] {
            assert_eq!(ClockTag::parse(other), None, "{other}");
        }
    }
}
