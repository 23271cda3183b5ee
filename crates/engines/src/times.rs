//! Parses times: `1s`, `250ms`, `300s+2s`, `300s/10s`.

use std::time::Duration;

use tesuji_search::Time;

/// The longest duration: a week.
const MAX_SECONDS: f64 = 7.0 * 24.0 * 3600.0;

/// Parses a duration: `250ms`, `1s`, `1.5s`, `2m`.
///
/// # Errors
/// Says how a duration is written.
pub fn duration(text: &str) -> Result<Duration, String> {
    let split = text.find(|letter: char| letter.is_ascii_alphabetic()).unwrap_or(text.len());
    let (digits, unit) = text.split_at(split);
    let scale = match unit {
        "ms" => 0.001,
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err("a duration is written 250ms, 1s or 2m".to_owned()),
    };
    match digits.parse::<f64>() {
        Ok(number) if (0.0..=MAX_SECONDS).contains(&(number * scale)) => Ok(Duration::from_secs_f64(number * scale)),
        _ => Err("a duration is written 250ms, 1s or 2m, and is no longer than a week".to_owned()),
    }
}

/// Parses a clock: `300s`, `300s+2s` with an increment, `300s/10s` with byoyomi.
///
/// # Errors
/// Says how a clock is written.
pub fn clock(text: &str) -> Result<Time, String> {
    let wrong = |message| format!("{message}; a clock is written 300s, 300s+2s or 300s/10s");
    let read = |text| duration(text).map_err(wrong);
    let none = Duration::ZERO;
    let (left, increment, byoyomi) = if let Some((left, increment)) = text.split_once('+') {
        (read(left)?, read(increment)?, none)
    } else if let Some((left, byoyomi)) = text.split_once('/') {
        (read(left)?, none, read(byoyomi)?)
    } else {
        (read(text)?, none, none)
    };
    Ok(Time::Clock { left, increment, byoyomi })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        for (text, millis) in [("250ms", 250), ("1s", 1000), ("1.5s", 1500), ("2m", 120_000), ("0s", 0)] {
            assert_eq!(duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for text in ["", "1", "s", "-1s", "1d", "infs", "nans", "1e99s", "1s "] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn clocks() {
        let second = Duration::from_secs;
        let expect = |left, increment, byoyomi| {
            Ok(Time::Clock { left: second(left), increment: second(increment), byoyomi: second(byoyomi) })
        };
        assert_eq!(clock("300s+2s"), expect(300, 2, 0));
        assert_eq!(clock("5m/10s"), expect(300, 0, 10));
        assert_eq!(clock("60s"), expect(60, 0, 0));
        assert!(clock("60").is_err() && clock("60s+").is_err() && clock("/1s").is_err());
    }
}
