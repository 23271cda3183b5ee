//! An engine that sometimes plays an inferior move on purpose.

use tesuji_game::{Game, MoveList, Record};
use tesuji_search::{CancelToken, Choice, Engine, Limits, PvLine, Rng, SearchReport};

/// The chance that a mistake is the next best move; otherwise the one after that, and so on.
const NEXT: f64 = 0.35;

/// An engine that plays a given share of inferior moves. Which moves they are depends on the seed and on the game so far
/// alone, so a game can be continued by another process.
pub(crate) struct LevelPlayer<G: Game> {
    engine: Box<dyn Engine<G>>,
    /// Ranks the moves for a mistake.
    shallow: Box<dyn Engine<G>>,
    /// Per cent of the moves.
    mistakes: u32,
    seed: u64,
}

impl<G: Game> LevelPlayer<G> {
    pub(crate) fn new(
        engine: Box<dyn Engine<G>>,
        shallow: Box<dyn Engine<G>>,
        mistakes: u32,
        seed: u64,
    ) -> LevelPlayer<G> {
        LevelPlayer { engine, shallow, mistakes, seed }
    }

    /// An inferior move, more likely a plausible one; `None` without a choice.
    fn mistake(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        stop: &CancelToken,
        rng: &mut Rng,
        watch: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> Option<G::Move> {
        let mut list = G::Moves::default();
        record.now().clone().moves(&mut list);
        if list.len() < 2 {
            return None;
        }
        let ranking = Limits { lines: list.len(), ignore_book: true, ..limits.clone() };
        let mut last: Option<SearchReport<G::Move>> = None;
        self.shallow.forget();
        self.shallow.think(record, &ranking, stop, &mut |report| last = Some(report.clone()));
        let lines = last.as_ref().map_or(&[][..], |report| &report.lines);
        let mut ranked: Vec<G::Move> = lines.iter().filter_map(|line| line.moves.first().copied()).collect();
        let ranked_moves = ranked.len();
        // A search that was stopped has not ranked all.
        ranked.extend(list.each().filter(|mv| !lines.iter().any(|line| line.moves.first() == Some(mv))));
        let mut index = 1;
        while rng.unit() >= NEXT {
            index += 1;
        }
        let index = 1 + (index - 1) % (ranked.len() - 1);
        let chosen = *ranked.get(index)?;
        if let Some(mut report) = last.filter(|_| index < ranked_moves) {
            let line: PvLine<G::Move> = report.lines.remove(index);
            report.lines.insert(0, line);
            report.lines.truncate(limits.lines.max(1));
            watch(&report);
        }
        Some(chosen)
    }
}

impl<G: Game> Engine<G> for LevelPlayer<G> {
    fn think(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        stop: &CancelToken,
        watch: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> Choice<G::Move> {
        if record.ending().is_none() {
            let mut rng = Rng::new(Rng::new(self.seed).draw() ^ record.now().key() ^ record.plies().len() as u64);
            if rng.below(100) < self.mistakes as usize
                && let Some(mv) = self.mistake(record, limits, stop, &mut rng, watch)
            {
                return Choice::Move { mv, reply: None };
            }
        }
        self.engine.think(record, limits, stop, watch)
    }

    fn forget(&mut self) {
        self.engine.forget();
    }
}

#[cfg(test)]
mod tests {
    use tesuji_ostle::Ostle;

    use crate::{EngineFactory, Spec};

    use super::*;

    fn game(spec: &str, plies: usize) -> Vec<<Ostle as Game>::Move> {
        let factory = EngineFactory::<Ostle>::of_game();
        let mut engine = (factory.make)(&Spec::parse(spec).expect(spec)).expect(spec);
        let mut record = Record::new(Ostle::start());
        let limits = Limits { lines: 1, depth: Some(2), ..Limits::default() };
        while record.ending().is_none() && record.plies().len() < plies {
            let mut reports = 0;
            let choice = engine.think(&record, &limits, &CancelToken::new(), &mut |report| {
                reports += 1;
                assert_eq!(report.lines.len(), 1);
            });
            let Choice::Move { mv, .. } = choice else { panic!("{choice:?}") };
            assert!(reports > 0);
            record.push(mv).expect("a legal move");
        }
        record.moves().collect()
    }

    #[test]
    fn the_seed_chooses_the_mistakes() {
        let one = game("level:n=1,seed=1", 20);
        assert_eq!(one, game("level:n=1,seed=1", 20));
        assert_ne!(one, game("level:n=1,seed=2", 20));
        assert_ne!(one, game("level:n=6", 20));
        assert_eq!(game("level:n=8", 10), game("level:n=8,seed=5,threads=2", 10), "it makes no mistakes");
    }

    #[test]
    fn a_continued_game_goes_on_alike() {
        let factory = EngineFactory::<Ostle>::of_game();
        let whole = game("level:n=2,seed=9", 12);
        let mut record = Record::new(Ostle::start());
        for &mv in &whole {
            let mut engine = (factory.make)(&Spec::parse("level:n=2,seed=9").expect("a spec")).expect("an engine");
            let limits = Limits { lines: 1, depth: Some(2), ..Limits::default() };
            let choice = engine.think(&record, &limits, &CancelToken::new(), &mut |_| {});
            assert!(matches!(choice, Choice::Move { mv: own, .. } if own == mv));
            record.push(mv).expect("a legal move");
        }
    }

    #[test]
    fn wrong_levels_are_refused() {
        let factory = EngineFactory::<Ostle>::of_game();
        let error =
            |spec: &str| (factory.make)(&Spec::parse(spec).expect(spec)).map(|_| ()).expect_err(spec).to_string();
        assert_eq!(error("level:n=11"), "n=11: a whole number from 1 to 10");
        assert_eq!(error("level:n=0"), "n=0: a whole number from 1 to 10");
        assert_eq!(error("level:level=3"), "there is no setting \"level\"; there are: n, seed, time, hash, threads");
        assert_eq!(error("levle:n=3"), "there is no engine \"levle\"; did you mean \"level\"?");
    }
}
