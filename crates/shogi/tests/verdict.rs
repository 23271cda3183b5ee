//! Endings: mate, repetition, perpetual check, limits and declarations.

use tesuji_game::{Claims, Ending, Notation, PushError, Record, Side};
use tesuji_shogi::{Declaration, Rules, Shogi};

fn record(position: &str, rules: Rules, moves: &str) -> Record<Shogi> {
    let mut record = Record::with_rules(Shogi::parse(position).unwrap(), rules);
    for word in moves.split_whitespace() {
        assert_eq!(record.ending(), None, "over before {word}");
        record.push_text(word).unwrap();
    }
    record
}

fn ended(record: &Record<Shogi>) -> Option<(Option<Side>, &'static str)> {
    record.ending().map(|Ending { winner, reason }| (winner, reason))
}

#[test]
fn mate_and_no_moves_lose() {
    let mate = record("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", Rules::default(), "G*5b");
    assert_eq!(ended(&mate), Some((Some(Side::First), "checkmate")));
    let stuck = record("k8/9/1S7/9/9/9/9/9/4K4 b G 1", Rules::default(), "G*7b");
    assert_eq!(ended(&stuck), Some((Some(Side::First), "no-moves")));
}

const DANCE: &str = "2h3h 8b7b 3h2h 7b8b ";

#[test]
fn the_fourth_occurrence_is_a_draw() {
    let twelve = DANCE.repeat(3);
    let drawn = record("startpos", Rules::default(), &twelve);
    assert_eq!(ended(&drawn), Some((None, "repetition")));
    let eleven = twelve.trim_end().rsplit_once(' ').unwrap().0;
    assert_eq!(ended(&record("startpos", Rules::default(), eleven)), None);
    let mut over = drawn;
    let refusal = over.push_text("7g7f").unwrap_err();
    assert!(matches!(refusal, PushError::Over(Ending { reason: "repetition", .. })), "{refusal}");
}

#[test]
fn perpetual_check_loses_for_either_side() {
    // Black's rook chases the king between two ranks.
    let chase = "6k2/9/9/9/9/9/9/9/K6R1 b - 1";
    let cycle = "2i3i 3a2a 3i2i 2a3a ";
    let lost = record(chase, Rules::default(), &cycle.repeat(3));
    assert_eq!(ended(&lost), Some((Some(Side::Second), "perpetual-check")));
    let chase = "k6r1/9/9/9/9/9/9/9/6K2 w - 1";
    let cycle = "2a3a 3i2i 3a2a 2i3i ";
    let lost = record(chase, Rules::default(), &cycle.repeat(3));
    assert_eq!(ended(&lost), Some((Some(Side::First), "perpetual-check")));
    // One quiet move among the checks, and nobody loses.
    let mixed = "2i3i 3a2a 3i2i 2a3a 2i1i 3a2a 1i2i 2a3a ";
    let drawn = record("6k2/9/9/9/9/9/9/9/K6R1 b - 1", Rules::default(), &mixed.repeat(2)[..12 * 5]);
    assert_eq!(ended(&drawn), Some((None, "repetition")));
}

#[test]
fn a_limit_of_moves_is_a_draw_unless_it_is_mate() {
    let rules = Rules { move_limit: Some(4), ..Rules::default() };
    assert_eq!(ended(&record("startpos", rules, DANCE)), Some((None, "move-limit")));
    let rules = Rules { move_limit: Some(1), ..Rules::default() };
    let mate = record("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", rules, "G*5b");
    assert_eq!(ended(&mate), Some((Some(Side::First), "checkmate")));
}

fn claims(position: &str, declaration: Declaration) -> bool {
    Shogi::parse(position).unwrap().claim(&Rules { declaration, move_limit: None })
}

#[test]
fn twenty_seven_points_are_counted_in_camp_and_hand() {
    use Declaration::Points27;
    // Ten pieces in the camp with two dragons and two horses (6 + 20) and two pawns in hand: 28 points.
    let full = "K+R+R+B+BGGSS/L+N7/9/9/9/9/9/9/4k4 b 2P 1";
    assert!(claims(full, Points27));
    assert!(!claims(&full.replace("2P", "P"), Points27), "27 points are not enough for black");
    assert!(!claims(&full.replace("L+N7", "L8").replace("2P", "9P"), Points27), "9 pieces, 34 points");
    let outside = full.replace("L+N7/9/9/", "L8/9/8N/").replace("2P", "9P");
    assert!(!claims(&outside, Points27), "one outside the camp");
    assert!(!claims(&full.replace("K+R", "1+R"), Points27), "no king");
    let entered = "+L+N7/K+R+R+B1GGSS/G2P5/9/9/3b5/9/9/4k4 b 9P 1";
    assert!(claims(entered, Points27));
    assert!(!claims(&entered.replace("3b5", "4b4"), Points27), "in check");
    let below = "9/9/9/K+R+R+B1GGSS/GP7/9/9/9/4k4 b 9P 1";
    assert!(!claims(below, Points27), "the king outside");
    // White needs one less, at the bottom.
    let white = "4K4/9/9/9/9/9/9/l+n7/k+r+r+b+bggss w p 1";
    assert!(claims(white, Points27));
    assert!(!claims(&white.replace("w p", "w -"), Points27));
    assert!(!claims(white, Declaration::Points24) && !claims(full, Declaration::Points24));
    assert!(claims(&full.replace("2P", "5P"), Declaration::Points24), "31 points");
    assert!(!claims(&full.replace("2P", "4P"), Declaration::Points24), "30 points");
    assert!(!claims(full, Declaration::None));
    assert!(!claims("startpos", Points27));
}

#[test]
fn the_try_rule_is_about_the_throne() {
    use Declaration::Try;
    assert!(claims("9/4K4/9/9/9/9/9/9/4k4 b - 1", Try));
    assert!(claims("4K4/9/9/9/9/9/9/9/k8 b - 1", Try));
    assert!(!claims("9/9/4K4/9/9/9/9/9/4k4 b - 1", Try));
    assert!(!claims("4G4/4K4/9/9/9/9/9/9/4k4 b - 1", Try), "an own piece stands there");
    assert!(!claims("r8/4K4/9/9/9/9/9/9/4k4 b - 1", Try), "it is attacked");
    assert!(claims("8K/9/9/9/9/9/9/4k4/9 w - 1", Try));
    assert!(!claims("8K/9/9/9/9/9/9/4k4/9 b - 1", Try));
}
