//! The options of the USI engine.

use std::time::Duration;

use tesuji_engines::{EngineKind, Spec};
use tesuji_protocol::usi::{EngineOption, OptionKind};
use tesuji_search::clock::Pace;
use tesuji_shogi::{Declaration, Rules, Shogi};

use super::engine_options::{self, EngineOptionSetting};

/// Names that other programs use for our options.
const ALIASES: &[(&str, &str)] = &[
    ("USI_MultiPV", "MultiPV"),
    ("Hash", "USI_Hash"),
    ("MaxMoves", "MaxMovesToDraw"),
    ("DNN_Model", "Net"),
    ("DNN_Batch_Size", "Batch_Size"),
    ("UCT_Threads", "Threads"),
];

/// The values of `EnteringKingRule`, as board programs know them.
const DECLARATIONS: &[(&str, Declaration)] = &[
    ("NoEnteringKing", Declaration::None),
    ("CSARule24", Declaration::Points24),
    ("CSARule27", Declaration::Points27),
    ("TryRule", Declaration::Try),
];

/// The key of the opening book in an engine spec.
const BOOK: &str = "book";
/// Its value for none.
const NO_BOOK: &str = "none";
/// Names of book files that mean none, as board programs write them.
const NO_BOOKS: [&str; 2] = ["no_book", NO_BOOK];

/// The values of draws, and their keys in an engine spec.
const DRAWS: [(&str, &str); 2] = [("DrawValueBlack", "draw-black"), ("DrawValueWhite", "draw-white")];
/// The largest value of a draw, in centipawns.
const MOST_DRAW_VALUE: i64 = 30_000;

/// The options with their values.
#[derive(Debug)]
pub(super) struct UsiOptions {
    all: Vec<(EngineOption, String)>,
    /// Those that are settings of the engine.
    engine: Vec<EngineOptionSetting>,
}

impl UsiOptions {
    /// All options with their defaults. Threads, the size of the transposition table and the settings of tree searches
    /// are those of the spec, and not part of the engine any more: the board program may change them.
    pub(super) fn new(spec: &str, kinds: &[&'static EngineKind]) -> UsiOptions {
        let spin = |default: i64, min, max| OptionKind::Spin { default: default.clamp(min, max), min, max };
        let check = |default| OptionKind::Check { default };
        let mut parsed = Spec::parse(spec).ok();
        let mut take = |key: &str| -> Option<i64> {
            let settings = &mut parsed.as_mut()?.settings;
            let index = settings.iter().position(|(known, _)| known == key)?;
            let number = settings[index].1.parse().ok()?;
            settings.remove(index);
            Some(number)
        };
        let (hash, threads) = (take("hash").unwrap_or(64), take("threads").unwrap_or(1));
        let draws = DRAWS.map(|(_, key)| take(key).unwrap_or(0));
        let book = parsed.as_mut().and_then(|spec| {
            let book = spec.get(BOOK).map(str::to_owned);
            spec.settings.retain(|(key, _)| key != BOOK);
            book
        });
        let own = parsed.as_mut().map_or_else(Vec::new, |spec| engine_options::take(spec, kinds));
        let spec = parsed.map_or(spec.to_owned(), |spec| spec.to_string());
        let (engine, own): (Vec<_>, Vec<_>) = own.into_iter().unzip();
        let names: Vec<&str> = engine.iter().map(|option| option.name).collect();
        let rules: Vec<String> = DECLARATIONS.iter().map(|(name, _)| (*name).to_owned()).collect();
        let all = [
            ("USI_Hash", spin(hash, 1, 65_536)),
            ("USI_Ponder", check(false)),
            ("Stochastic_Ponder", check(false)),
            ("MultiPV", spin(1, 1, 593)),
            ("Threads", spin(threads, 1, 1024)),
            ("DepthLimit", spin(0, 0, 200)),
            ("NodesLimit", spin(0, 0, i64::MAX)),
            ("ResignValue", spin(99_999, 1, 99_999)),
            ("MaxMovesToDraw", spin(0, 0, 100_000)),
            ("DrawValueBlack", spin(draws[0], -MOST_DRAW_VALUE, MOST_DRAW_VALUE)),
            ("DrawValueWhite", spin(draws[1], -MOST_DRAW_VALUE, MOST_DRAW_VALUE)),
            ("EnteringKingRule", OptionKind::Combo { default: "CSARule27".to_owned(), choices: rules }),
            ("NetworkDelay", spin(10, 0, 10_000)),
            ("NetworkDelay2", spin(10, 0, 10_000)),
            ("MinimumThinkingTime", spin(0, 0, 100_000)),
            ("SlowMover", spin(100, 1, 1000)),
            ("RoundUpToFullSecond", check(false)),
            ("USI_OwnBook", check(book.as_deref() != Some(NO_BOOK))),
            ("BookFile", OptionKind::Text { default: book.filter(|book| book != NO_BOOK).unwrap_or_default() }),
            ("PvInterval", spin(0, 0, 100_000)),
            // The search has all legal moves in any case and tries pointless ones last.
            ("GenerateAllLegalMoves", check(true)),
            ("Engine", OptionKind::Text { default: spec }),
        ];
        let option = |(name, kind): (&str, OptionKind)| {
            let default = kind.default();
            (EngineOption { name: name.to_owned(), kind }, default)
        };
        UsiOptions { all: all.into_iter().chain(names.into_iter().zip(own)).map(option).collect(), engine }
    }

    /// The options to list for `usi`.
    pub(super) fn all(&self) -> impl Iterator<Item = &EngineOption> {
        self.all.iter().map(|(option, _)| option)
    }

    /// Sets an option. Unknown names and values that cannot be parsed are ignored.
    pub(super) fn set(&mut self, name: &str, value: &str) {
        let alias = ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name));
        let name = alias.map_or(name, |(_, own)| own);
        let known = self.all.iter_mut().find(|(option, _)| option.name.eq_ignore_ascii_case(name));
        if let Some((option, kept)) = known
            && let Some(value) = option.kind.normalize(value)
        {
            *kept = value;
        }
    }

    fn text(&self, name: &str) -> &str {
        self.all.iter().find(|(option, _)| option.name == name).map_or("", |(_, value)| value)
    }

    fn number(&self, name: &str) -> u64 {
        self.text(name).parse().unwrap_or(0)
    }

    /// A number for which 0 means none.
    fn limit(&self, name: &str) -> Option<u64> {
        Some(self.number(name)).filter(|&number| number > 0)
    }

    /// The engine spec.
    pub(super) fn spec(&self) -> &str {
        self.text("Engine")
    }

    /// The settings of the engine beside its spec, threads and hash.
    pub(super) fn engine_settings(&self) -> impl Iterator<Item = (&'static str, String)> {
        let own = self.engine.iter().filter_map(|option| option.setting(self.text(option.name)));
        let draws = DRAWS.iter().map(|&(name, key)| (key, self.text(name).to_owned()));
        let book = match (self.is_set("USI_OwnBook"), self.text("BookFile")) {
            (false, _) => Some(NO_BOOK),
            // The engine's default.
            (true, "") => None,
            (true, name) if NO_BOOKS.contains(&name) => Some(NO_BOOK),
            (true, file) => Some(file),
        };
        own.chain(draws.filter(|(_, value)| value != "0")).chain(book.map(|book| (BOOK, book.to_owned())))
    }

    fn is_set(&self, name: &str) -> bool {
        self.text(name) == "true"
    }

    /// Whether to ponder on the position before the expected move.
    pub(super) fn stochastic_ponder(&self) -> bool {
        self.is_set("Stochastic_Ponder")
    }

    /// How to use the time of a clock; none where nobody changed the usual way.
    pub(super) fn pace(&self) -> Option<Pace> {
        let milliseconds = |name| Duration::from_millis(self.number(name));
        let pace = Pace {
            percent: u32::try_from(self.number("SlowMover")).unwrap_or(u32::MAX),
            least: milliseconds("MinimumThinkingTime"),
            whole_seconds: self.is_set("RoundUpToFullSecond"),
            delay: milliseconds("NetworkDelay"),
        };
        (pace != Pace { delay: pace.delay, ..Pace::default() }).then_some(pace)
    }

    /// The size of the transposition table in MiB.
    pub(super) fn hash(&self) -> u64 {
        self.number("USI_Hash")
    }

    pub(super) fn threads(&self) -> u64 {
        self.number("Threads")
    }

    /// The number of best moves to report.
    pub(super) fn lines(&self) -> usize {
        self.number("MultiPV").max(1) as usize
    }

    /// Whether to send a move to ponder on.
    pub(super) fn ponder(&self) -> bool {
        self.is_set("USI_Ponder")
    }

    pub(super) fn depth(&self) -> Option<u32> {
        self.limit("DepthLimit").and_then(|depth| u32::try_from(depth).ok())
    }

    pub(super) fn nodes(&self) -> Option<u64> {
        self.limit("NodesLimit")
    }

    /// Resign at this many centipawns below zero.
    pub(super) fn resign(&self) -> i32 {
        i32::try_from(self.number("ResignValue")).unwrap_or(i32::MAX)
    }

    /// The longest time that an answer needs to reach the clock.
    pub(super) fn delay(&self) -> Duration {
        Duration::from_millis(self.number("NetworkDelay").max(self.number("NetworkDelay2")))
    }

    /// The shortest time between two `info` lines.
    pub(super) fn info_interval(&self) -> Duration {
        Duration::from_millis(self.number("PvInterval"))
    }

    /// The rules for a game that starts here. The option counts moves from the start of the game, the record from its
    /// own start.
    pub(super) fn rules(&self, start: &Shogi) -> Rules {
        let declaration = DECLARATIONS.iter().find(|(name, _)| *name == self.text("EnteringKingRule"));
        let played = start.number().saturating_sub(1) as usize;
        Rules {
            declaration: declaration.map_or(Declaration::Points27, |(_, rule)| *rule),
            move_limit: self
                .limit("MaxMovesToDraw")
                .map(|limit| (limit as usize).saturating_sub(played))
                .filter(|&left| left > 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use tesuji_game::Game;

    use super::*;

    #[test]
    fn threads_and_hash_of_the_spec_are_defaults() {
        let mut options = UsiOptions::new("alphabeta:hash=8,depth=3,threads=2", &[]);
        assert_eq!((options.hash(), options.threads(), options.spec()), (8, 2, "alphabeta:depth=3"));
        options.set("Threads", "1");
        assert_eq!(options.threads(), 1);
        assert_eq!(UsiOptions::new("alphabeta:depth=3,hash=x", &[]).spec(), "alphabeta:depth=3,hash=x");
    }

    #[test]
    fn books_and_draws_become_settings_of_the_engine() {
        let settings = |options: &UsiOptions| -> Vec<String> {
            options.engine_settings().map(|(key, value)| format!("{key}={value}")).collect()
        };
        let mut options = UsiOptions::new("alphabeta:book=my.db,draw-white=-50", &[]);
        assert_eq!(options.spec(), "alphabeta");
        assert_eq!(settings(&options), ["draw-white=-50", "book=my.db"]);
        options.set("DrawValueBlack", "-99999");
        options.set("BookFile", "no_book");
        assert_eq!(settings(&options), ["draw-black=-30000", "draw-white=-50", "book=none"]);
        options.set("DrawValueBlack", "0");
        options.set("DrawValueWhite", "0");
        options.set("BookFile", "");
        assert_eq!(settings(&options), [""; 0]);
        options.set("USI_OwnBook", "false");
        assert_eq!(settings(&options), ["book=none"]);
        assert_eq!(settings(&UsiOptions::new("alphabeta:book=none", &[])), ["book=none"]);
    }

    #[test]
    fn a_pace_is_set_only_where_somebody_asks_for_it() {
        let mut options = UsiOptions::new("alphabeta", &[]);
        options.set("NetworkDelay2", "500");
        assert_eq!((options.pace(), options.delay()), (None, Duration::from_millis(500)));
        options.set("SlowMover", "80");
        options.set("MinimumThinkingTime", "2000");
        options.set("RoundUpToFullSecond", "true");
        let (least, delay) = (Duration::from_secs(2), Duration::from_millis(10));
        assert_eq!(options.pace(), Some(Pace { percent: 80, least, whole_seconds: true, delay }));
    }

    #[test]
    fn values_are_clamped_and_unknown_names_ignored() {
        let mut options = UsiOptions::new("alphabeta", &[]);
        options.set("USI_Hash", "99999999");
        options.set("threads", "0");
        options.set("USI_MultiPV", "4");
        options.set("EnteringKingRule", "tryrule");
        options.set("MaxMovesToDraw", "256");
        options.set("Style", "attack");
        options.set("ResignValue", "soon");
        assert_eq!((options.hash(), options.threads(), options.lines()), (65_536, 1, 4));
        assert_eq!(options.resign(), 99_999);
        let rules = options.rules(&Shogi::start());
        assert_eq!(rules, Rules { declaration: Declaration::Try, move_limit: Some(256) });
    }
}
