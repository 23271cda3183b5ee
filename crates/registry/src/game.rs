//! How a game is registered, and the interface every registered game has.

use std::path::Path;
use std::sync::Arc;

use tesuji_arena::online::CsaNotation;
use tesuji_arena::player::PlayerProtocol;
use tesuji_engines::{EngineFactory, HasEngines};
use tesuji_game::{BoardView, Claims, Format, Formats, OpeningName, Record, Symmetric, perft};

use crate::endgame::EndgameSolver;
use crate::mate::MateSolver;
use crate::{
    AnalysisApi, AnnotateApi, BenchApi, BestMoveApi, BoardApi, BoardComposer, BookApi, BookCapability, BoundsApi,
    CompetitionApi, ComposeApi, Counting, DataSetUnitsApi, Driver, EndgameApi, EngineProtocol, Error, ExchangeApi,
    ImproveApi, InfoApi, LevelApi, MateApi, NetworkApi, NetworkBenchApi, NetworkBenches, NetworkCandidateMaker,
    NetworkCapability, NnueApi, NnueCapability, OnlineApi, PageApi, PatternCapability, PerftApi, PictureApi,
    PositionCapability, PositionsApi, ProtocolApi, PuzzleApi, PuzzleCapability, RecordSetApi, RecordsApi, SessionApi,
    SparseApi, SparseCapability, StatsApi, TablebaseApi, TablebaseSupport, TrainingApi, TrainingCapability, TruthApi,
    TruthMaker,
};

/// What a game needs to be registered.
pub trait Playable: Formats + BoardView {}

impl<G: Formats + BoardView> Playable for G {}

/// Everything a front end can ask of a game.
pub trait GameApi:
    InfoApi
    + LevelApi
    + BoardApi
    + PictureApi
    + ComposeApi
    + PageApi
    + BoundsApi
    + PerftApi
    + RecordsApi
    + ExchangeApi
    + RecordSetApi
    + BenchApi
    + AnalysisApi
    + AnnotateApi
    + BestMoveApi
    + SessionApi
    + EndgameApi
    + MateApi
    + TablebaseApi
    + TrainingApi
    + NetworkApi
    + NetworkBenchApi
    + ImproveApi
    + TruthApi
    + NnueApi
    + SparseApi
    + PositionsApi
    + BookApi
    + CompetitionApi
    + DataSetUnitsApi
    + OnlineApi
    + StatsApi
    + ProtocolApi
    + PuzzleApi
    + Send
    + Sync
{
}

impl<G: Playable> GameApi for Registration<G> {}

/// A registered game; cheap to clone.
pub type GameHandle = Arc<dyn GameApi>;

/// The games a program offers.
#[derive(Clone)]
pub struct Registry(Vec<GameHandle>);

impl Registry {
    /// These games, in the order they are listed.
    pub fn new(games: Vec<GameHandle>) -> Registry {
        Registry(games)
    }

    /// A single game with no more than its rules, notation, formats and board.
    pub fn of<G: Playable>(about: &'static str) -> Registry {
        Registry(vec![Registration::<G>::new(about).handle()])
    }

    /// All games, in order.
    pub fn games(&self) -> &[GameHandle] {
        &self.0
    }

    /// The game of a name.
    pub fn game(&self, name: &str) -> Result<&GameHandle, Error> {
        let known = || self.0.iter().map(|game| game.name()).collect::<Vec<_>>().join(", ");
        self.0
            .iter()
            .find(|game| game.name() == name)
            .ok_or_else(|| Error::invalid(format!("there is no game {name:?}; there are: {}", known())))
    }
}

/// Adds to a record what other files know about it.
pub type RecordFiller<G> = Box<dyn Fn(&mut Record<G>)>;

/// Makes the filler for the records of a file from the files beside it.
pub type Companions<G> = fn(&Path) -> RecordFiller<G>;

/// Names the openings that a record shows.
pub type OpeningNamer<G> = fn(&Record<G>) -> Vec<OpeningName>;

/// The game up to the position with so many empty squares, or why there is none.
pub type AtEmpties<G> = fn(&Record<G>, u32) -> Result<Record<G>, String>;

/// A game with its capabilities. They are functions, since a trait object cannot ask a type what it implements.
#[must_use]
pub struct Registration<G: Playable> {
    /// The game in a few words.
    pub about: &'static str,
    /// One identity for all images of a position.
    pub class: Option<fn(&G) -> u128>,
    /// How many symmetries the board has.
    pub symmetries: usize,
    /// How it counts, if it ends with a score.
    pub counting: Option<Counting<G>>,
    /// Whether the mover may claim the win.
    pub claim: Option<fn(&G, &G::Rules) -> bool>,
    /// What files beside a file of records add.
    pub companions: Option<Companions<G>>,
    /// The names of openings.
    pub openings: Option<OpeningNamer<G>>,
    /// The position of a game with so many empty squares.
    pub at_empties: Option<AtEmpties<G>>,
    /// How a position is set up on a board.
    pub compose: Option<BoardComposer>,
    /// Its engines.
    pub engines: EngineFactory<G>,
    /// The protocols that its engines speak.
    pub drivers: Vec<(EngineProtocol, Driver<G>)>,
    /// Whether a game on standard input begins with the number of moves, as Trax programs expect.
    pub counted: bool,
    /// The discs of both sides, which match servers report.
    pub discs: Option<fn(&G) -> [u32; 2]>,
    /// Whether its programs play contests by the Trax protocol.
    pub has_contests: bool,
    /// How its games are written on CSA servers.
    pub csa: Option<CsaNotation<G>>,
    /// How its games are arranged in matches.
    pub matches: MatchDefaults,
    /// What the benchmark searches: positions (empty for the start) and depths.
    pub bench: &'static [(&'static str, u32)],
    /// How its evaluation is trained.
    pub training: Option<TrainingCapability>,
    /// How its networks are trained.
    pub networks: Option<NetworkCapability>,
    /// What can be measured of its networks.
    pub network_benches: Option<NetworkBenches<G>>,
    /// How its networks improve by playing against themselves.
    pub network_candidate: Option<NetworkCandidateMaker<G>>,
    /// What a tablebase knows about its networks.
    pub truth: Option<TruthMaker<G>>,
    /// How networks for its evaluation `nnue` are trained and improved.
    pub nnue: Option<NnueCapability<G>>,
    /// Its evaluation that learns from data sets of positions.
    pub sparse: Option<SparseCapability<G>>,
    /// Its data sets of positions for networks.
    pub positions: Option<PositionCapability<G>>,
    /// What its own pattern search offers.
    pub pattern_search: Option<PatternCapability>,
    /// Its opening books.
    pub books: Option<BookCapability>,
    /// How the whole game is solved.
    pub tablebase: Option<TablebaseSupport>,
    /// How single positions are solved.
    pub(crate) endgame: Option<EndgameSolver>,
    /// How puzzles are found and solved.
    pub puzzles: Option<PuzzleCapability<G>>,
    /// How mates are found.
    pub(crate) mates: Option<MateSolver>,
}

impl<G: Playable> Registration<G> {
    /// A game with no more than its rules, notation, formats and board.
    pub fn new(about: &'static str) -> Registration<G> {
        Registration::with(about, EngineFactory::generic())
    }

    /// The same for a game with engines of its own.
    pub fn with_engines(about: &'static str) -> Registration<G>
    where
        G: HasEngines,
    {
        Registration::with(about, EngineFactory::of_game())
    }

    fn with(about: &'static str, engines: EngineFactory<G>) -> Registration<G> {
        Registration {
            about,
            class: None,
            symmetries: 1,
            counting: None,
            claim: None,
            companions: None,
            at_empties: None,
            openings: None,
            compose: None,
            engines,
            drivers: Vec::new(),
            counted: false,
            discs: None,
            has_contests: false,
            csa: None,
            matches: MatchDefaults::default(),
            bench: &[("", 4)],
            training: None,
            networks: None,
            network_benches: None,
            network_candidate: None,
            truth: None,
            nnue: None,
            sparse: None,
            positions: None,
            pattern_search: None,
            books: None,
            tablebase: None,
            endgame: None,
            puzzles: None,
            mates: None,
        }
    }

    /// The board has symmetries: positions can be counted up to them.
    pub fn symmetric(mut self) -> Registration<G>
    where
        G: Symmetric,
    {
        self.symmetries = G::SYMMETRIES;
        self.class =
            Some(|game| (0..G::SYMMETRIES).map(|s| perft::identity(&game.image(s))).fold(u128::MAX, u128::min));
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
    pub fn companions(mut self, companions: Companions<G>) -> Registration<G> {
        self.companions = Some(companions);
        self
    }

    /// Its squares fill up, so that a position is found by the number of empty ones.
    pub fn at_empties(mut self, at_empties: AtEmpties<G>) -> Registration<G> {
        self.at_empties = Some(at_empties);
        self
    }

    /// A game on standard input begins with the number of moves.
    pub fn counted(mut self) -> Registration<G> {
        self.counted = true;
        self
    }

    /// It is played on match servers, which report the discs of both sides.
    pub fn online(mut self, discs: fn(&G) -> [u32; 2]) -> Registration<G> {
        self.discs = Some(discs);
        self
    }

    /// How its games are arranged in matches.
    pub fn matches(mut self, matches: MatchDefaults) -> Registration<G> {
        self.matches = matches;
        self
    }

    /// What the benchmark searches: positions (empty for the start) and depths.
    pub fn bench(mut self, bench: &'static [(&'static str, u32)]) -> Registration<G> {
        self.bench = bench;
        self
    }

    /// The record format that keeps the most of a game.
    pub fn format(&self) -> Format {
        let named = |format: &&Format| Some(format.name) == self.matches.format;
        *G::FORMATS.iter().find(named).unwrap_or(&G::FORMATS[0])
    }

    /// Ready for a [`Registry`].
    pub fn handle(self) -> GameHandle {
        Arc::new(self)
    }
}

/// How the games of a kind are arranged in matches and tournaments.
#[derive(Clone, Copy, Debug)]
pub struct MatchDefaults {
    /// A game of so many plies is a draw.
    pub longest: Option<usize>,
    /// Random plies of an opening.
    pub plies: usize,
    /// The engine that decides whether an opening is balanced; without one all are.
    pub judge: Option<&'static str>,
    /// How uneven an opening may be, in the unit of the game.
    pub bound: Option<f64>,
    /// The record format that keeps the most of a game; without one the first.
    pub format: Option<&'static str>,
    /// The protocols that other programs may play by.
    pub protocols: &'static [PlayerProtocol],
}

impl Default for MatchDefaults {
    fn default() -> MatchDefaults {
        MatchDefaults { longest: None, plies: 2, judge: None, bound: None, format: None, protocols: &[] }
    }
}
