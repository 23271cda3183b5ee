//! The rounds in which a position is searched: ever deeper, then to the end, ever more surely. Each fills the table
//! with the moves that the next one tries first.

use super::Aim;
use super::level::Level;
use super::table::Reach;

/// With fewer empty squares a position is solved at once.
const AT_ONCE: u32 = 13;
/// Looking ahead ends so many plies before the end of the game; from there on it goes to the end.
const NEAR: u32 = 8;

impl Reach {
    /// To the end of a game with so many empty squares, and nothing left out.
    pub(super) fn whole(empties: u32) -> Reach {
        Reach { depth: empties as u8, level: Level::EXACT }
    }
}

/// The rounds that lead to what is wanted of a position with so many empty squares, which is the last; each looks
/// `step` plies, one or two, further ahead than the one before.
pub(super) fn rounds(empties: u32, wanted: Reach, step: usize) -> Vec<Reach> {
    let depth = u32::from(wanted.depth);
    let first = |last: u32| if step == 1 { 1 } else { 2 - last % 2 };
    if depth < empties {
        let looks = (first(depth)..=depth).step_by(step);
        return looks.map(|depth| Reach { depth: depth as u8, level: wanted.level }).collect();
    }
    if empties < AT_ONCE {
        return vec![Reach { depth: empties as u8, level: wanted.level }];
    }
    let looks = (first(empties)..=empties - NEAR).step_by(step);
    let looks = looks.map(|depth| Reach { depth: depth as u8, level: Level::FASTEST });
    let levels = levels(empties).iter().filter(|&&level| level < wanted.level).chain([&wanted.level]);
    looks.chain(levels.map(|&level| Reach { depth: empties as u8, level })).collect()
}

/// One search of a player: how far it looks, and what it asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Round {
    pub(super) reach: Reach,
    pub(super) aim: Aim,
}

/// Who is to be told who wins before he knows by how much.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    /// Nobody: only scores count.
    Unasked,
    /// A player who may run out of time on the way to the score.
    OnTheWay,
    /// A player who does not look for the score.
    AtLast,
}

/// The rounds of a player: those that lead to what he wants, and those that make certain who wins.
pub(super) fn played(empties: u32, wanted: Reach, outcome: Outcome) -> Vec<Round> {
    let mut all: Vec<Round> =
        rounds(empties, wanted, 1).into_iter().map(|reach| Round { reach, aim: Aim::Score }).collect();
    let whole = Round { reach: Reach::whole(empties), aim: Aim::Outcome };
    let exact = wanted == whole.reach;
    match outcome {
        Outcome::OnTheWay if exact && empties >= AT_ONCE => all.insert(all.len() - 1, whole),
        Outcome::AtLast if !exact => {
            let surer = levels(empties).iter().filter(|&&level| {
                level < Level::EXACT && (u32::from(wanted.depth) < empties || level > wanted.level)
            });
            all.extend(surer.map(|&level| Round { reach: Reach { level, ..whole.reach }, ..whole }));
            all.push(whole);
        }
        _ => {}
    }
    all
}

/// The levels that a position is solved by on the way to a surer one.
fn levels(empties: u32) -> &'static [Level] {
    const ALL: [Level; 6] = Level::ALL;
    const ONE: [Level; 1] = [ALL[0]];
    const TWO: [Level; 2] = [ALL[0], ALL[2]];
    match empties {
        0..=17 => &ONE,
        18..=21 => &TWO,
        _ => &ALL,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_wins_is_certain_last_or_just_before_the_score() {
        for empties in 1..=60 {
            let whole = Reach::whole(empties);
            let certain = Round { reach: whole, aim: Aim::Outcome };
            let asked =
                |wanted, outcome| played(empties, wanted, outcome).iter().position(|&round| round == certain);
            for depth in 1..empties {
                let wanted = Reach { depth: depth as u8, level: Level::EXACT };
                let all = played(empties, wanted, Outcome::AtLast);
                assert_eq!(all.last(), Some(&certain));
                assert!(all.contains(&Round { reach: wanted, aim: Aim::Score }), "{empties} {depth} {all:?}");
                assert_eq!(asked(wanted, Outcome::Unasked), None);
                assert_eq!(asked(wanted, Outcome::OnTheWay), None);
            }
            let all = played(empties, whole, Outcome::OnTheWay);
            assert_eq!(all.last(), Some(&Round { reach: whole, aim: Aim::Score }));
            let before = (empties >= AT_ONCE).then(|| all.len() - 2);
            assert_eq!(asked(whole, Outcome::OnTheWay), before);
            assert_eq!(asked(whole, Outcome::AtLast), None);
        }
    }

    #[test]
    fn the_last_round_is_what_is_wanted() {
        for empties in 0..=60 {
            for depth in 1..=empties {
                for level in Level::ALL {
                    let wanted = Reach { depth: depth as u8, level };
                    for step in [1, 2] {
                        let rounds = rounds(empties, wanted, step);
                        assert_eq!(rounds.last(), Some(&wanted), "{empties}");
                        assert!(rounds.windows(2).all(|pair| pair[0] < pair[1]), "{empties} {rounds:?}");
                    }
                }
            }
        }
    }
}
