//! How a game enters the command line: its type, and the capabilities it truly has.

use std::path::Path;

use tesuji_arena as arena;
use tesuji_engines::{EngineFactory, HasEngines, Trainable};
use tesuji_game::{BoardView, Claims, Format, Formats, HasPerfectIndex, Margin, Symmetric, perft};

use crate::args::{self, Protocol};
use crate::command::{
    analyze, bench, best_move, connect, convert, games, host, perft as count, query, replay, selfplay, show,
    solve, stats, train, verify,
};
use crate::companions::Filler;
use crate::failure::{Done, Failure};
use crate::out::Out;
use crate::play;

/// What a game needs for the command line.
pub trait Playable: Formats + BoardView {}

impl<G: Formats + BoardView> Playable for G {}

/// A game on the command line; [`Registration`] makes one with more capabilities than [`Entry::of`].
pub struct Entry(Box<dyn Tool>);

impl Entry {
    /// A game with no more than its rules, notation, formats and board.
    pub fn of<G: Playable>(about: &'static str) -> Entry {
        Registration::<G>::new(about).entry()
    }

    pub(crate) fn name(&self) -> &'static str {
        self.0.name()
    }

    pub(crate) fn tool(&self) -> &dyn Tool {
        self.0.as_ref()
    }
}

/// Speaks a protocol with one of these engines, perhaps that of a spec, until the conversation is over.
pub(crate) type Speaker<G> = fn(&EngineFactory<G>, Option<&str>, &mut Out) -> Done;

/// A game with its capabilities, as functions, since a trait object cannot ask a type what it implements.
///
/// ```
/// # use tesuji_cli::Registration;
/// # use tesuji_othello::Othello;
/// let entry = Registration::<Othello>::new("turn the other's discs").symmetric().margin().entry();
/// ```
pub struct Registration<G: Playable> {
    pub(crate) about: &'static str,
    /// One identity for all images of a position.
    pub(crate) class: Option<fn(&G) -> u128>,
    pub(crate) symmetries: usize,
    pub(crate) margin: Option<fn(&G) -> Option<i32>>,
    pub(crate) claim: Option<fn(&G, &G::Rules) -> bool>,
    /// What files beside a file of records have to add.
    pub(crate) companions: Option<fn(&Path) -> Filler<G>>,
    /// What it can be played by.
    pub(crate) engines: EngineFactory<G>,
    /// The protocols it can be played by.
    pub(crate) protocols: Vec<(Protocol, Speaker<G>)>,
    /// Whether `best-move` reads the number of moves first, as Trax programs do.
    pub(crate) counted: bool,
    /// The discs of both sides, for match servers, which count them.
    pub(crate) discs: Option<fn(&G) -> [u32; 2]>,
    /// How its games are arranged in matches.
    pub(crate) custom: Custom,
    /// What the benchmark searches: positions (empty for the start) and depths.
    pub(crate) bench: &'static [(&'static str, u32)],
    /// What can be done with the whole of it.
    pub(crate) whole: Option<Whole>,
    /// Solving single positions.
    pub(crate) endings: Option<fn(&args::Solve, &mut Out) -> Done>,
    /// Solving by the rules of a published solution.
    pub(crate) published: Option<fn(&args::Solve, &mut Out) -> Done>,
    /// How its evaluation is trained.
    pub(crate) school: Option<School>,
    /// What can be done with its opening books.
    pub(crate) book: Option<fn(&args::Book, &mut Out) -> Done>,
    /// What its own search is made with.
    pub(crate) workshop: Option<Workshop>,
}

/// What can be done with a game that has a search of its own.
pub(crate) struct Workshop {
    pub(crate) cuts: fn(&args::TrainCuts, &mut Out) -> Done,
    pub(crate) export: fn(&args::TrainExport, &mut Out) -> Done,
}

/// What can be done with a game whose evaluation can be trained.
pub(crate) struct School {
    data: fn(&args::TrainData, &mut Out) -> Done,
    label: fn(&args::TrainLabel, &mut Out) -> Done,
    train: fn(&args::Train, &mut Out) -> Done,
    selfplay: fn(&args::Selfplay, &mut Out) -> Done,
}

/// What can be done with a game that is small enough to be solved whole.
pub(crate) struct Whole {
    solve: fn(&args::Solve, &mut Out) -> Done,
    query: fn(&args::Query, &mut Out) -> Done,
    verify: fn(&Path, &args::Verify, &mut Out) -> Option<Done>,
}

impl<G: Playable> Registration<G> {
    /// A game with no more than its rules, notation, formats and board.
    pub fn new(about: &'static str) -> Registration<G> {
        Registration {
            about,
            class: None,
            symmetries: 1,
            margin: None,
            claim: None,
            companions: None,
            engines: EngineFactory::generic(),
            protocols: Vec::new(),
            counted: false,
            discs: None,
            custom: Custom::default(),
            bench: &[("", 4)],
            whole: None,
            endings: None,
            published: None,
            school: None,
            book: None,
            workshop: None,
        }
    }

    /// The board has symmetries: `perft --classes` counts up to them.
    pub fn symmetric(mut self) -> Registration<G>
    where
        G: Symmetric,
    {
        self.symmetries = G::SYMMETRIES;
        self.class = Some(|game| {
            (0..G::SYMMETRIES).map(|s| perft::identity(&game.image(s))).fold(u128::MAX, u128::min)
        });
        self
    }

    /// The game ends with a score.
    pub fn margin(mut self) -> Registration<G>
    where
        G: Margin,
    {
        self.margin = Some(G::margin);
        self
    }

    /// The mover may claim the win.
    pub fn claims(mut self) -> Registration<G>
    where
        G: Claims,
    {
        self.claim = Some(G::claim);
        self
    }

    /// Files beside a file of records have more to tell.
    pub(crate) fn companions(mut self, companions: fn(&Path) -> Filler<G>) -> Registration<G> {
        self.companions = Some(companions);
        self
    }

    /// The game has engines of its own.
    pub fn engines(mut self) -> Registration<G>
    where
        G: HasEngines,
    {
        self.engines = EngineFactory::of_game();
        self
    }

    /// Programs can play it by this protocol.
    pub(crate) fn speaks(mut self, protocol: Protocol, speaker: Speaker<G>) -> Registration<G> {
        self.protocols.push((protocol, speaker));
        self
    }

    /// `best-move` reads a colour and the number of moves before the moves.
    pub(crate) fn counted(mut self) -> Registration<G> {
        self.counted = true;
        self
    }

    /// It is played on match servers, which tell the discs of both sides.
    pub(crate) fn online(mut self, discs: fn(&G) -> [u32; 2]) -> Registration<G> {
        self.discs = Some(discs);
        self
    }

    /// The record format that keeps the most of a game.
    pub(crate) fn format(&self) -> Format {
        let named = |format: &&Format| Some(format.name) == self.custom.format;
        *G::FORMATS.iter().find(named).unwrap_or(&G::FORMATS[0])
    }

    /// How its games are arranged in matches.
    pub fn custom(mut self, custom: Custom) -> Registration<G> {
        self.custom = custom;
        self
    }

    /// What `tesuji bench` searches: positions (empty for the start) and depths.
    pub fn bench(mut self, bench: &'static [(&'static str, u32)]) -> Registration<G> {
        self.bench = bench;
        self
    }

    /// All boards of the game are numbered: it can be solved whole.
    pub fn numbered(mut self) -> Registration<G>
    where
        G: HasPerfectIndex,
    {
        self.whole =
            Some(Whole { solve: solve::run::<G>, query: query::run::<G>, verify: verify::table::<G> });
        self
    }

    /// The last moves of the game can be solved.
    pub(crate) fn endings(mut self, solve: fn(&args::Solve, &mut Out) -> Done) -> Registration<G> {
        self.endings = Some(solve);
        self
    }

    /// Somebody solved the game before by other rules, which `solve --published` follows.
    pub(crate) fn published(mut self, solve: fn(&args::Solve, &mut Out) -> Done) -> Registration<G> {
        self.published = Some(solve);
        self
    }

    /// Its evaluation can be trained.
    pub fn taught(mut self) -> Registration<G>
    where
        G: Trainable,
    {
        self.school = Some(School {
            data: train::data::run::<G>,
            label: train::label::run::<G>,
            train: train::run::<G>,
            selfplay: selfplay::run::<G>,
        });
        self
    }

    /// It has opening books.
    pub(crate) fn book(mut self, book: fn(&args::Book, &mut Out) -> Done) -> Registration<G> {
        self.book = Some(book);
        self
    }

    /// It has a search of its own, whose error model can be fitted and whose weights other programs can read.
    pub(crate) fn workshop(mut self, workshop: Workshop) -> Registration<G> {
        self.workshop = Some(workshop);
        self
    }

    /// Ready for the command line.
    pub fn entry(self) -> Entry {
        Entry(Box::new(self))
    }
}

/// How the games of a kind are arranged in matches and tournaments.
#[derive(Clone, Copy, Debug)]
pub struct Custom {
    /// A game of so many plies is a draw.
    pub longest: Option<usize>,
    /// Random plies of an opening.
    pub plies: usize,
    /// The engine that finds an opening fair; without one all are.
    pub judge: Option<&'static str>,
    /// How uneven an opening may be, in the unit of that engine's evaluation.
    pub bound: Option<i16>,
    /// The record format that keeps the most of a game; without one the first.
    pub format: Option<&'static str>,
    /// What values are counted in.
    pub unit: &'static str,
    /// The protocols that other programs may play by.
    pub protocols: &'static [arena::player::Protocol],
}

impl Default for Custom {
    fn default() -> Custom {
        Custom {
            longest: None,
            plies: 2,
            judge: None,
            bound: None,
            format: None,
            unit: "points",
            protocols: &[],
        }
    }
}

/// The commands of one game, whatever its type.
pub(crate) trait Tool {
    fn name(&self) -> &'static str;
    fn card(&self) -> games::Card;
    fn show(&self, args: &args::Show, out: &mut Out) -> Done;
    fn perft(&self, args: &args::Perft, out: &mut Out) -> Done;
    fn replay(&self, args: &args::Replay, out: &mut Out) -> Done;
    fn convert(&self, args: &args::Convert, out: &mut Out) -> Done;
    fn analyze(&self, args: &args::Analyze, out: &mut Out) -> Done;
    fn best_move(&self, args: &args::BestMove, out: &mut Out) -> Done;
    fn play(&self, args: &args::Play, out: &mut Out) -> Done;
    /// Is an engine by this protocol, if the game can be played by it.
    fn speak(&self, args: &args::Engine, out: &mut Out) -> Option<Done>;
    fn connect(&self, args: &args::Connect, out: &mut Out) -> Done;
    fn host(&self, args: &args::Host, out: &mut Out) -> Done;
    fn stats(&self, args: &args::Stats, out: &mut Out) -> Done;
    /// The record format that tournaments keep games in, and what comes before so many games of it.
    fn kept(&self, games: usize) -> (Format, Vec<u8>);
    fn bench(&self) -> Result<bench::Measure, Failure>;
    fn solve(&self, args: &args::Solve, out: &mut Out) -> Done;
    fn query(&self, args: &args::Query, out: &mut Out) -> Done;
    /// Verifies a table of this game, if that is what lies there.
    fn verify(&self, path: &Path, args: &args::Verify, out: &mut Out) -> Option<Done>;
    fn train_data(&self, args: &args::TrainData, out: &mut Out) -> Done;
    fn train_label(&self, args: &args::TrainLabel, out: &mut Out) -> Done;
    fn train_cuts(&self, args: &args::TrainCuts, out: &mut Out) -> Done;
    fn train_export(&self, args: &args::TrainExport, out: &mut Out) -> Done;
    fn train(&self, args: &args::Train, out: &mut Out) -> Done;
    fn selfplay(&self, args: &args::Selfplay, out: &mut Out) -> Done;
    fn book(&self, args: &args::Book, out: &mut Out) -> Done;
    /// The event of this number of a tournament, which is one of this game.
    fn stage(
        &self,
        config: &arena::Config,
        index: usize,
    ) -> Result<Box<dyn arena::EventRunner>, arena::EventError>;
}

impl<G: Playable> Tool for Registration<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn card(&self) -> games::Card {
        games::card(self)
    }

    fn show(&self, args: &args::Show, out: &mut Out) -> Done {
        show::run(self, args, out)
    }

    fn perft(&self, args: &args::Perft, out: &mut Out) -> Done {
        count::run(self, args, out)
    }

    fn replay(&self, args: &args::Replay, out: &mut Out) -> Done {
        replay::run::<G>(args, out)
    }

    fn convert(&self, args: &args::Convert, out: &mut Out) -> Done {
        convert::run(self, args, out)
    }

    fn analyze(&self, args: &args::Analyze, out: &mut Out) -> Done {
        analyze::run(self, args, out)
    }

    fn best_move(&self, args: &args::BestMove, out: &mut Out) -> Done {
        best_move::run(self, args, out)
    }

    fn play(&self, args: &args::Play, out: &mut Out) -> Done {
        play::run(self, args, out)
    }

    fn speak(&self, args: &args::Engine, out: &mut Out) -> Option<Done> {
        let (_, speaker) = self.protocols.iter().find(|(protocol, _)| *protocol == args.protocol)?;
        Some(speaker(&self.engines, args.engine.as_deref(), out))
    }

    fn connect(&self, args: &args::Connect, out: &mut Out) -> Done {
        connect::run(self, args, out)
    }

    fn host(&self, args: &args::Host, out: &mut Out) -> Done {
        host::run(self, args, out)
    }

    fn stats(&self, args: &args::Stats, out: &mut Out) -> Done {
        stats::run(self, args, out)
    }

    fn kept(&self, games: usize) -> (Format, Vec<u8>) {
        (self.format(), G::head(self.format(), games))
    }

    fn bench(&self) -> Result<bench::Measure, Failure> {
        bench::measure(self)
    }

    fn solve(&self, args: &args::Solve, out: &mut Out) -> Done {
        if let Some(solve) = self.endings.or(self.published.filter(|_| args.published)) {
            return solve(args, out);
        }
        let whole = self.whole.as_ref().ok_or_else(too_large::<G>)?;
        match &args.what {
            Some(what) => Err(Failure::usage(format!(
                "{what:?}: {0} is solved whole; ask `tesuji query {0}` for a position",
                G::NAME
            ))),
            None => (whole.solve)(args, out),
        }
    }

    fn query(&self, args: &args::Query, out: &mut Out) -> Done {
        (self.whole.as_ref().ok_or_else(too_large::<G>)?.query)(args, out)
    }

    fn verify(&self, path: &Path, args: &args::Verify, out: &mut Out) -> Option<Done> {
        (self.whole.as_ref()?.verify)(path, args, out)
    }

    fn train_data(&self, args: &args::TrainData, out: &mut Out) -> Done {
        (self.school.as_ref().ok_or_else(untaught::<G>)?.data)(args, out)
    }

    fn train_label(&self, args: &args::TrainLabel, out: &mut Out) -> Done {
        (self.school.as_ref().ok_or_else(untaught::<G>)?.label)(args, out)
    }

    fn train_cuts(&self, args: &args::TrainCuts, out: &mut Out) -> Done {
        (self.workshop.as_ref().ok_or_else(untaught::<G>)?.cuts)(args, out)
    }

    fn train_export(&self, args: &args::TrainExport, out: &mut Out) -> Done {
        (self.workshop.as_ref().ok_or_else(untaught::<G>)?.export)(args, out)
    }

    fn train(&self, args: &args::Train, out: &mut Out) -> Done {
        (self.school.as_ref().ok_or_else(untaught::<G>)?.train)(args, out)
    }

    fn selfplay(&self, args: &args::Selfplay, out: &mut Out) -> Done {
        (self.school.as_ref().ok_or_else(untaught::<G>)?.selfplay)(args, out)
    }

    fn book(&self, args: &args::Book, out: &mut Out) -> Done {
        let bookless = || Failure::usage(format!("{} has no opening books; othello has", G::NAME));
        (self.book.ok_or_else(bookless)?)(args, out)
    }

    fn stage(
        &self,
        config: &arena::Config,
        index: usize,
    ) -> Result<Box<dyn arena::EventRunner>, arena::EventError> {
        let Custom { longest, plies, judge, bound, unit, protocols, format: _ } = self.custom;
        let house = arena::GameSettings {
            longest,
            plies,
            judge,
            bound,
            unit,
            claim: self.claim,
            margin: self.margin,
            ..arena::GameSettings::new(self.engines.clone(), protocols)
        };
        Ok(Box::new(arena::Playing::new(config, index, house)?))
    }
}

fn too_large<G: Playable>() -> Failure {
    Failure::usage(format!("{} is too large to be solved whole; ostle is not", G::NAME))
}

fn untaught<G: Playable>() -> Failure {
    Failure::usage(format!("{} has no evaluation that can be trained; othello has", G::NAME))
}
