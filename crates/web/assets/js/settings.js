// What the reader chose, kept in the browser. A browser that stores nothing still works.

/**
 * @typedef {object} Settings
 * @property {"auto" | "light" | "dark"} theme
 * @property {"en" | "ja" | null} language chosen by hand; null follows the browser
 * @property {"kanji" | "western"} pieces
 * @property {boolean} graph
 * @property {boolean} values values on the legal moves
 * @property {boolean} highlights stable discs, attacks
 * @property {Record<string, number>} levels per game
 * @property {Record<string, string>} engines per game: an engine spec
 * @property {Record<string, string[]>} solved per game: the puzzles that were solved
 * @property {number} lines
 * @property {number} seconds how long a position is analysed
 * @property {Record<string, string[]>} keys rebound keys by action
 */

const STORE = "tesuji";

/** @type {Settings} */
const DEFAULTS = {
  theme: "auto",
  language: null,
  pieces: "kanji",
  graph: true,
  values: true,
  highlights: false,
  levels: {},
  engines: {},
  solved: {},
  lines: 3,
  seconds: 10,
  keys: {},
};

/** @returns {Settings} */
function load() {
  try {
    const stored = JSON.parse(localStorage.getItem(STORE) ?? "{}");
    return typeof stored === "object" && stored !== null ? { ...DEFAULTS, ...stored } : { ...DEFAULTS };
  } catch {
    return { ...DEFAULTS };
  }
}

/** @type {Settings} */
export const settings = load();

/** @param {Partial<Settings>} change */
export function change(change) {
  Object.assign(settings, change);
  try {
    localStorage.setItem(STORE, JSON.stringify(settings));
  } catch {
    // Private windows may refuse; the choice then lasts as long as the page.
  }
}

/** Shows the chosen theme; `auto` leaves it to the style sheet's media query. */
export function applyTheme() {
  const root = document.documentElement;
  if (settings.theme === "auto") root.removeAttribute("data-theme");
  else root.setAttribute("data-theme", settings.theme);
}
