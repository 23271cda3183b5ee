//! `tesuji` alone: the games and what most people want, on one screen of 80 columns and 24 lines.

use tesuji_registry::Registry;

use crate::failure::Done;
use crate::out::Out;

/// What to type, and what it does. `GAME` stands for a game that can do it.
const WANTED: &[(&str, &str, &str)] = &[
    ("othello", "serve --open", "play, analyse and explore in the browser"),
    ("othello", "play GAME", "play against the engine in the terminal"),
    ("shogi", "analyze GAME", "the best moves of a position"),
    ("othello", "analyze GAME --game FILE", "every move of a game, with mistakes"),
    ("trax", "match GAME alphabeta uct", "let two engines play each other"),
];

pub(crate) fn run(registry: &Registry, out: &mut Out) -> Done {
    let games = registry.games();
    out.line(format_args!("tesuji {}, a workbench for board games", env!("CARGO_PKG_VERSION")))?;
    out.line("\nGames")?;
    for game in games.iter().filter(|game| !game.name().contains('-')) {
        let name = game.name();
        out.line(format_args!("  {name:<9}  {}", game.info().about))?;
        let is_variant = |other: &&str| other.strip_prefix(name).is_some_and(|rest| rest.starts_with('-'));
        let variants: Vec<&str> = games.iter().map(|game| game.name()).filter(is_variant).collect();
        if !variants.is_empty() {
            out.line(format_args!("  {:<9}  also {}", "", variants.join(", ")))?;
        }
    }
    out.line("\nWhat most people want")?;
    for (game, words, about) in WANTED {
        let game = games.iter().find(|known| known.name() == *game).or(games.first());
        let words = words.replace("GAME", game.map_or("GAME", |game| game.name()));
        out.line(format_args!("  tesuji {words:<28}  {about}"))?;
    }
    out.line("\nMore")?;
    out.line("  tesuji games           formats, engines and evaluations of each game")?;
    out.line("  tesuji --help          all commands: solving, training, tournaments, …")?;
    out.line("  tesuji COMMAND --help  one command, with its options and examples")
}
