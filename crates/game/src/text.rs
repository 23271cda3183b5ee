//! How numbers are told to people: every count of four digits or more has its thousands apart. Files, protocols and JSON
//! have plain digits.

/// A number with a comma before every three digits.
///
/// ```
/// use tesuji_game::grouped;
/// assert_eq!([7, 999, 1000, 29_758, 2_735_147_685].map(grouped), ["7", "999", "1,000", "29,758", "2,735,147,685"]);
/// ```
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of things: `1 game`, `2,000 games`.
pub fn counted(number: usize, word: &str) -> String {
    if number == 1 { format!("1 {word}") } else { format!("{} {word}s", grouped(number as u64)) }
}
