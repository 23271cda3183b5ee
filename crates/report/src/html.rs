//! HTML: escaped text, embedded JSON, tables.

/// Escapes text for use between tags and in quoted attributes.
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            // HTML has no control characters.
            letter if letter.is_control() && letter != '\n' && letter != '\t' => safe.push('\u{fffd}'),
            letter => safe.push(letter),
        }
    }
    safe
}

/// Escapes JSON for a `script` element, so that it cannot end the element or start a comment.
pub(crate) fn embed(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

/// A table; the cells of `rows` are markup.
pub(crate) fn table(class: &str, heads: &[&str], rows: &[Vec<String>]) -> String {
    let mut text = format!("<div class=\"scroll\"><table class=\"{class}\"><thead><tr>");
    for head in heads {
        text.push_str(&format!("<th>{head}</th>"));
    }
    text.push_str("</tr></thead><tbody>");
    for row in rows {
        text.push_str("<tr>");
        for cell in row {
            // A cell may bring its own tag, for colours.
            if cell.starts_with("<td") {
                text.push_str(cell);
            } else {
                text.push_str(&format!("<td>{cell}</td>"));
            }
        }
        text.push_str("</tr>");
    }
    text + "</tbody></table></div>"
}

/// A link to a game of the page.
pub(crate) fn game_link(event: usize, number: usize) -> String {
    format!("<a href=\"#g{event}-{number}\">#{}</a>", number + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_becomes_markup() {
        let hostile = "<script>alert('x')</script>&\"\u{0}\u{1b}[31m";
        let safe = escape(hostile);
        assert!(!safe.contains(['<', '>', '"', '\'', '\u{0}', '\u{1b}']), "{safe}");
        assert_eq!(escape("a & b"), "a &amp; b");
        let json = embed(&serde_json::json!({ "name": "</script><!--" }).to_string());
        assert!(!json.contains(['<', '>']), "{json}");
        let read: serde_json::Value = serde_json::from_str(&json).expect("still JSON");
        assert_eq!(read["name"], "</script><!--");
    }
}
