//! Plays two engine specs of a game against each other from random openings, both colours:
//! `ladder <game> <spec> <spec> [pairs] [seed]`. The score is the first one's.

use std::process::ExitCode;

use cpu_time::ProcessTime;
use tesuji_engines::{Duel, Roster, Spec};
use tesuji_game::Record;
use tesuji_ostle::Ostle;
use tesuji_othello::Othello;
use tesuji_search::{Limits, Stop};
use tesuji_shogi::Shogi;
use tesuji_trax::{EightByEight, Loops, Trax, Unlimited};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [game, one, two, rest @ ..] = words.as_slice() else {
        eprintln!("usage: ladder <game> <spec> <spec> [pairs] [seed]");
        return ExitCode::from(2);
    };
    let number = |at: usize, usual: usize| rest.get(at).and_then(|text| text.parse().ok()).unwrap_or(usual);
    let duel = |opening, longest| Duel { pairs: number(0, 100), opening, longest, seed: number(1, 0) as u64 };
    let played = match game.as_str() {
        "othello" => play::<Othello>(one, two, &duel(8, 200)),
        "ostle" => play::<Ostle>(one, two, &duel(8, 400)),
        "trax" => play::<Trax<Unlimited>>(one, two, &duel(5, 255)),
        "trax-8x8" => play::<Trax<EightByEight>>(one, two, &duel(5, 255)),
        "trax-loop" => play::<Trax<Loops>>(one, two, &duel(5, 255)),
        "shogi" => play::<Shogi>(one, two, &duel(12, 320)),
        other => Err(format!("there is no game {other:?}")),
    };
    match played {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

fn play<G: Roster>(one: &str, two: &str, duel: &Duel) -> Result<(), String> {
    let engine = |text: &str| {
        Spec::parse(text).and_then(|spec| G::engine(&spec)).map_err(|error| format!("{text}: {error}"))
    };
    let (mut first, mut second) = (engine(one)?, engine(two)?);
    let mut judge = engine("alphabeta:depth=3,eval=none")?;
    // An opening that is won already says nothing about the players.
    let fair = |opening: &Record<G>| {
        let mut decided = false;
        let limits = Limits::default();
        judge.forget();
        judge.think(opening, &limits, &Stop::new(), &mut |report| {
            decided = report.lines.iter().any(|line| line.value.is_proven());
        });
        !decided
    };
    let begun = ProcessTime::now();
    let score = duel.play([first.as_mut(), second.as_mut()], fair, |score| {
        if score.games() % 20 == 0 {
            eprintln!("{score:?} {:.1} %", 100.0 * score.rate());
        }
    });
    println!(
        "{} {one} - {two}: +{} ={} -{}  {:.1} % ± {:.1}  ({} games, {:.0} s of CPU)",
        G::NAME,
        score.wins,
        score.draws,
        score.losses,
        100.0 * score.rate(),
        100.0 * score.error(),
        score.games(),
        begun.elapsed().as_secs_f64()
    );
    Ok(())
}
