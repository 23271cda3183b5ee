//! How fast the engine `table` answers in Ostle: `table DIR [positions]`, with a table that holds at least the boards of
//! four pieces a side. Each answer is timed twice, the second time with every block at hand.

use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use tesuji_engines::{Roster, Spec, SpecError};
use tesuji_game::{Numbered, Ranked, Record};
use tesuji_ostle::Ostle;
use tesuji_search::{Limits, Proven, Rng, Stop, Value};

fn main() -> Result<(), SpecError> {
    let mut words = std::env::args().skip(1);
    let dir = words.next().unwrap_or_default();
    let positions = words.next().and_then(|word| word.parse().ok()).unwrap_or(1000);
    let begun = Instant::now();
    let mut engine = Ostle::engine(&Spec::parse(&format!("table:nodes=1000,dir=\"{dir}\""))?)?;
    println!("opened in {:.1} ms", begun.elapsed().as_secs_f64() * 1e3);
    let (index, mut rng) = (Ostle::index(), Rng::new(1));
    let mut times: [[Vec<Duration>; 2]; 3] = Default::default();
    for _ in 0..positions {
        let board = index.unrank(0, rng.below(index.size(0) as usize) as u32);
        let Some(board) = board.filter(|board| !index.wins_at_once(*board)) else { continue };
        let record = Record::new(board);
        let answers = [(); 2].map(|()| {
            let (begun, mut value) = (ThreadTime::now(), Value::DRAW);
            engine.think(&record, &Limits::default(), &Stop::new(), &mut |report| {
                value = report.lines.first().map_or(value, |line| line.value);
            });
            (value, begun.elapsed())
        });
        let kind = match answers[0].0.proven() {
            Some(Proven::Win(_)) => 0,
            Some(Proven::Loss(_)) => 1,
            None => 2,
        };
        for (times, (_, time)) in times[kind].iter_mut().zip(answers) {
            times.push(time);
        }
    }
    for (name, times) in ["won", "lost", "drawn"].into_iter().zip(&mut times) {
        for (again, times) in ["first", "again"].into_iter().zip(times) {
            times.sort();
            let at = |part: f64| times.get((times.len() as f64 * part) as usize).copied().unwrap_or_default();
            let [half, most] = [at(0.5), at(0.99)].map(|time| time.as_secs_f64() * 1e3);
            println!("{name:5} {again}: {:5} answers, CPU ms median {half:.3}, 99 % {most:.3}", times.len());
        }
    }
    Ok(())
}
