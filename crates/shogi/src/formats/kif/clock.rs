//! The time beside a KIF move: `( 0:16/00:00:16)`, for the move and in all.

use std::time::Duration;

/// The time of the move, if there is one in `text`. Hours may stand before the minutes, and seconds may have
/// a fraction.
pub(super) fn read(text: &str) -> Option<Duration> {
    let inside = text[text.find(['(', '（'])?..].trim_start_matches(['(', '（']);
    let time = inside.split(['/', ')', '／', '）']).next()?;
    let mut total = 0.0;
    let mut parts = 0;
    for part in time.split(':') {
        let part = part.trim();
        let plain =
            part.starts_with(|c: char| c.is_ascii_digit()) && part.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        total = total * 60.0 + part.parse::<f64>().ok().filter(|_| plain)?;
        parts += 1;
    }
    if parts > 1 { Duration::try_from_secs_f64(total).ok() } else { None }
}

/// The time of a move and of all moves of that player so far, in whole seconds as KIF has them.
pub(super) fn write(time: Duration, total: Duration) -> String {
    let (time, total) = (time.as_secs(), total.as_secs());
    let (minutes, seconds) = (time / 60, time % 60);
    format!("({minutes:>2}:{seconds:02}/{:02}:{:02}:{:02})", total / 3600, total / 60 % 60, total % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read_and_written() {
        let seconds = |text| read(text).map(|time| time.as_secs_f64());
        assert_eq!(seconds("   ( 0:16/00:00:16)"), Some(16.0));
        assert_eq!(seconds("(1:02:03/)+"), Some(3723.0));
        assert_eq!(seconds("(12:00.5/…"), Some(720.5));
        assert_eq!(seconds("(77)"), None);
        assert_eq!(seconds("( a:b/"), None);
        assert_eq!(seconds("(９:00/"), None);
        assert_eq!(seconds(""), None);
        assert_eq!(write(Duration::from_secs(76), Duration::from_secs(3761)), "( 1:16/01:02:41)");
    }
}
