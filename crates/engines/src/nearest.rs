//! What somebody meant who wrote a word that is not known.

/// `did you mean "depth"?`, or all known words when none is near.
pub(crate) fn hint(text: &str, known: &[&str]) -> String {
    let near = |name: &&str| (distance(name, text), !name.starts_with(text));
    let nearest = known.iter().copied().min_by_key(near);
    // A slip or two in a word, or its beginning; anything farther would be a guess.
    let is_near = |name: &&str| {
        let begun = !text.is_empty() && name.starts_with(text);
        begun || distance(name, text) <= if name.len() > 4 { 2 } else { 1 }
    };
    match nearest.filter(is_near).or_else(|| known.iter().copied().find(is_near)) {
        Some(name) => format!("did you mean {name:?}?"),
        None if known.is_empty() => "there are none".to_owned(),
        None => format!("there are: {}", known.join(", ")),
    }
}

/// Letters to insert, remove or change to get from one word to the other; capitals do not count.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, to) in b.chars().enumerate() {
            let changed = diagonal + usize::from(!from.eq_ignore_ascii_case(&to));
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.chars().count()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_and_beginnings_are_understood() {
        let known = ["depth", "nodes", "time", "threads"];
        for (text, meant) in [("detph", "depth"), ("NODES", "nodes"), ("thr", "threads"), ("tim", "time")] {
            assert_eq!(hint(text, &known), format!("did you mean {meant:?}?"), "{text}");
        }
        for text in ["", "speed", "x"] {
            assert_eq!(hint(text, &known), "there are: depth, nodes, time, threads", "{text}");
        }
    }

    #[test]
    fn distances_are_symmetric_and_count_slips() {
        let words = ["", "a", "uct", "puct", "alphabeta", "alfabet"];
        for a in words {
            assert_eq!(distance(a, a), 0);
            for b in words {
                assert_eq!(distance(a, b), distance(b, a), "{a} {b}");
            }
        }
        assert_eq!((distance("uct", "puct"), distance("alphabeta", "alfabet")), (1, 3));
    }
}
