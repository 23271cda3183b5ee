//! Where the settings of a TOML file are, so that an error can name its line.

use toml::de::{DeTable, DeValue};

/// The lines of the settings of a file.
pub(crate) struct ConfigLines<'t> {
    text: &'t str,
    top: Option<DeTable<'t>>,
}

impl<'t> ConfigLines<'t> {
    /// Those of a valid TOML text; of any other none is known.
    pub(crate) fn of(text: &'t str) -> ConfigLines<'t> {
        ConfigLines { text, top: DeTable::parse(text).ok().map(|top| top.into_inner()) }
    }

    /// The line of a setting, by its keys from the top: of `event.2.pairs` that of `pairs` in the second `[[event]]`, or
    /// where that has none, at the top, whose settings all events share.
    pub(crate) fn line(&self, path: &[&str]) -> Option<usize> {
        let found = self.offset(path).or_else(|| match path {
            ["event", _, rest @ ..] => self.offset(rest),
            _ => None,
        });
        found.map(|offset| position(self.text, offset).0)
    }

    fn offset(&self, path: &[&str]) -> Option<usize> {
        let (first, rest) = path.split_first()?;
        let (key, mut value) = self.top.as_ref()?.iter().find(|(key, _)| key.get_ref() == first)?;
        let mut start = key.span().start;
        for key in rest {
            value = match value.get_ref() {
                DeValue::Table(table) => {
                    let (key, value) = table.iter().find(|(known, _)| known.get_ref() == key)?;
                    start = key.span().start;
                    value
                }
                DeValue::Array(list) => {
                    let value = list.get(key.parse::<usize>().ok()?.checked_sub(1)?)?;
                    start = value.span().start;
                    value
                }
                _ => return None,
            };
        }
        Some(start)
    }
}

/// The line and the column of a byte, both from 1.
pub(crate) fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_found_in_their_event_and_at_the_top() {
        let text = "seed = 1\npairs = 2\n\n[[event]]\ngame = \"othello\"\n[event.openings]\nplies = 4\n\n[[event]]\npairs = 3\n";
        let lines = ConfigLines::of(text);
        for (path, line) in [
            (&["seed"][..], Some(1)),
            (&["event", "1", "game"], Some(5)),
            (&["event", "1", "openings", "plies"], Some(7)),
            (&["event", "1", "pairs"], Some(2)),
            (&["event", "2", "pairs"], Some(10)),
            (&["event", "3", "rounds"], None),
        ] {
            assert_eq!(lines.line(path), line, "{path:?}");
        }
        assert_eq!(position("ab\ncd", 4), (2, 2));
    }
}
