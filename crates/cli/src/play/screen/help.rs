//! The map of the keys.

/// Key and meaning.
pub(super) const KEYS: &[(&str, &str)] = &[
    ("a move, Enter", "plays it"),
    ("Tab ↓ ↑", "goes through the legal moves"),
    ("Enter", "the engine moves now, for you too"),
    ("u  U", "takes back, plays again"),
    ("← →  Home End", "looks at earlier positions"),
    ("v  Space", "values on, off"),
    ("h  :hint", "suggests a move"),
    ("Esc", "clears, or makes the engine wait"),
    ("Shift+arrows", "moves a large board"),
    (":resign", "gives up (:declare a win in shogi)"),
    (":save FILE", "keeps the game there"),
    (":load FILE", "goes on with a game of a file"),
    ("q  Ctrl-C", "ends; the game is kept"),
    ("", "A letter that begins a legal move is"),
    ("", "typed; :u :v :h :q work everywhere."),
];
