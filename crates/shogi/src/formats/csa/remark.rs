//! CSA comments: plain text, `'** 30 +7776FU …` with an evaluation and a line, and the ratings that servers write.

use tesuji_game::Side;

use super::{moves, words};

/// What stands behind the `'` of a comment line.
#[derive(PartialEq, Debug)]
pub(super) enum Remark<'a> {
    /// About the file, not the game.
    Frame,
    /// An evaluation for the first player, and its line.
    Score(f64, &'a str),
    /// The rating of a player: `'black_rate:name:2793.0`.
    Rating(Side, &'a str),
    /// Plain text.
    Words(&'a str),
}

/// Reads a comment.
///
/// `'**` and a number is a judgement; `'*`, as servers send it, only if a line of moves follows, because
/// `'*` also marks words that programs should keep.
pub(super) fn read(text: &str) -> Remark<'_> {
    if text.get(..4).is_some_and(|begin| begin.eq_ignore_ascii_case("CSA ")) && text.contains("encoding=") {
        return Remark::Frame;
    }
    for side in Side::BOTH {
        let rating = text.strip_prefix(words::RATINGS[side.index()].0).and_then(|rest| rest.rsplit(':').next());
        if let Some(rating) = rating.filter(|rating| rating.parse().is_ok_and(f64::is_finite)) {
            return Remark::Rating(side, rating);
        }
    }
    let marked = text.strip_prefix('*');
    let score = match marked.map(|marked| (marked.strip_prefix('*'), marked)) {
        Some((Some(twice), _)) => number(twice),
        Some((None, once)) => number(once).filter(|(_, line)| is_line(line)),
        None => None,
    };
    match score {
        Some((value, line)) => Remark::Score(value, line),
        None => {
            let words = marked.unwrap_or(text);
            Remark::Words(words.strip_prefix(' ').unwrap_or(words))
        }
    }
}

/// A number and what follows it.
fn number(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let (number, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let plain = number.bytes().all(|byte| byte.is_ascii_digit() || b"+-.".contains(&byte));
    let value = number.parse().ok().filter(|_| plain)?;
    Some((value, rest.trim_start()))
}

/// Whether `text` is a line of moves.
fn is_line(text: &str) -> bool {
    !text.is_empty() && text.split_whitespace().all(moves::is_move)
}

/// A comment line of these words.
pub(super) fn write(words: &str) -> String {
    let marked = format!("* {words}");
    match read(&marked) {
        // It would be taken for a judgement: plain comments never are.
        Remark::Score(..) => format!("' {words}\n"),
        _ => format!("'{marked}\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_as_they_were_written() {
        for words in ["", "a", " a", "*", "* 30", "** 30", "30", "30 -3334FU", "CSA encoding=UTF-8", "'", "+7776FU"] {
            let line = write(words);
            let text = line.strip_prefix('\'').and_then(|line| line.strip_suffix('\n'));
            assert_eq!(text.map(read), Some(Remark::Words(words)), "{line:?}");
        }
    }

    #[test]
    fn ratings_of_servers_are_read() {
        assert_eq!(read("black_rate:gps+091f:2793.0"), Remark::Rating(Side::First, "2793.0"));
        assert_eq!(read("white_rate:a:b:3050"), Remark::Rating(Side::Second, "3050"));
        assert_eq!(read("black_rate:nobody:new"), Remark::Words("black_rate:nobody:new"));
    }

    #[test]
    fn scores_are_told_from_words() {
        assert_eq!(read("** 30 +7776FU -3334FU"), Remark::Score(30.0, "+7776FU -3334FU"));
        assert_eq!(read("** -1.5"), Remark::Score(-1.5, ""));
        assert_eq!(read("* 30 -3334FU"), Remark::Score(30.0, "-3334FU"));
        assert_eq!(read("*30 years"), Remark::Words("30 years"));
        assert_eq!(read("** inf"), Remark::Words("* inf"));
        assert_eq!(read("CSA encoding=UTF-8"), Remark::Frame);
    }
}
