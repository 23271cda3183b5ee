// The games of a tournament directory: standings, games as they end, and a replay with both engines' values.

import { fill, h } from "./dom.js";
import { get, position as askPosition, stream } from "./api.js";
import { known, t } from "./i18n.js";
import { Tree } from "./tree.js";
import { asRate, reversed } from "./values.js";

/** @typedef {import("./types.js").TournamentGame} TournamentGame */
/** @typedef {import("./types.js").Tournament} Tournament */

/**
 * A game with what both engines thought, ply by ply.
 * @typedef {TournamentGame & { start?: string | null, moves: string[], unit: string, values: (number | null)[],
 *   rates: (number | null)[], proven: (number | null)[], depths: (number | null)[] }} Replay
 */

/** @param {HTMLElement} main */
export async function showTournament(main) {
  const page = h("div", { class: "home tournament", "data-testid": "tournament" });
  fill(main, page);
  try {
    draw(page, await get("/tournament"));
  } catch (error) {
    fill(main, h("p", { class: "toast", role: "alert" }, error instanceof Error ? error.message : String(error)));
    return;
  }
  // The overview comes again whenever a game has ended.
  stream("/tournament/live", {}, { tournament: (/** @type {Tournament} */ overview) => draw(page, overview) });
}

/**
 * @param {HTMLElement} page
 * @param {Tournament} overview
 */
function draw(page, overview) {
  document.title = `${overview.name} — tesuji`;
  fill(
    page,
    h("h1", {}, overview.name),
    h("p", { class: "about", role: "status" }, t("tournament.played", { played: overview.played, scheduled: overview.scheduled })),
    overview.events.map((event) => table(
      `${t("tournament.standings")}: ${t(`game.${event.game}`)}`,
      ["player", "games", "points", "elo"],
      event.players.map((player) => [
        player.name, player.games, player.points, `${Math.round(player.elo)}${player.elo_error ? ` ± ${Math.round(player.elo_error)}` : ""}`,
      ]),
    )),
    table(
      t("tournament.list"),
      ["game", "first", "second", "result", "moves", "replay"],
      overview.games.map((game) => [
        t(`game.${game.game}`), game.first, game.second, outcome(game), game.plies,
        h("a", { href: `/${game.game}?tournament=${game.event}.${game.number}` }, t("tournament.replay")),
      ]),
    ),
  );
}

/** @param {TournamentGame} game */
function outcome(game) {
  const score = game.score ? ` ${game.score[0]}–${game.score[1]}` : ` (${known(`reason.${game.reason}`) ?? game.reason})`;
  const result = { first: "1–0", second: "0–1", draw: "½–½" }[game.outcome] ?? game.outcome;
  return `${result}${score}`;
}

/**
 * @param {string} title
 * @param {string[]} columns
 * @param {import("./dom.js").Child[][]} rows
 */
function table(title, columns, rows) {
  return h("div", { class: "table-scroll", tabindex: 0, role: "region", "aria-label": title },
    h("h2", {}, title),
    h("table", {},
      h("thead", {}, h("tr", {}, columns.map((name) => h("th", { scope: "col" }, t(`tournament.${name}`))))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell) => h("td", {}, cell)))))));
}

/**
 * A game of the tournament as a tree, with the values that the engines reported.
 * @param {string} place event and number, with a dot between
 */
export async function tournamentGame(place) {
  const [event = "0", number = "0"] = place.split(".");
  /** @type {Replay} */
  const game = await get(`/tournament/games/${encodeURIComponent(event)}/${encodeURIComponent(number)}`);
  const tree = new Tree(game.start ?? "");
  // The rules tell who moved, and add the passes that a record leaves out.
  const { history } = await askPosition(game.game, tree.start, game.moves);
  let ply = 0;
  for (const { move, mover } of history) {
    const node = tree.play(move);
    if (move !== game.moves[ply]) continue;
    const seen = valueAt(game, ply);
    if (seen) node.value = mover === "first" ? seen : reversed(seen);
    ply += 1;
  }
  tree.cursor = tree.root;
  return { tree, title: `${game.first} – ${game.second} ${outcome(game)}` };
}

/**
 * What the engine thought of the move it played: a proven result, an estimate, or a win rate.
 * @param {Replay} game
 * @param {number} ply
 * @returns {import("./types.js").NodeValue | null}
 */
function valueAt(game, ply) {
  const [value, rate, proven] = [game.values[ply], game.rates[ply], game.proven[ply]];
  const depth = game.depths[ply] ?? 0;
  if (typeof proven === "number") {
    const result = proven > 0 ? "win" : proven < 0 ? "loss" : "draw";
    return { value: null, unit: game.unit, depth, exact: true, proven: { result, plies: Math.abs(proven) } };
  }
  if (typeof value === "number") return asRate({ value, unit: game.unit, depth });
  return typeof rate === "number" ? { value: 100 * rate, unit: "win %", depth } : null;
}
