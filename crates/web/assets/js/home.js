// The chooser: a board of each game as a picture, and a tournament if the server watches one.

import { fill, h } from "./dom.js";
import { position as askPosition } from "./api.js";
import { Board } from "./board/board.js";
import { t } from "./i18n.js";
import { settings } from "./settings.js";

/** Positions that show what a game looks like. @type {Record<string, string>} */
const PICTURES = {
  othello: "f5 d6 c3 d3 c4 f4 c5 b3 c2 e6 c6 b4 b5 d2 e3 a6 c1 b6",
  trax: "@0/ B1\\ A2/ @1+ B3+ A0+ @2\\",
  ostle: "c5u c1d b5u",
  shogi: "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d 8e8f 8g8f 8b8f",
};

/**
 * @param {import("./types.js").Games} games
 * @param {HTMLElement} main
 */
export function showHome(games, main) {
  document.title = `tesuji — ${t("home.title")}`;
  const shown = games.games.filter((info) => PICTURES[info.game] !== undefined);
  fill(
    main,
    h("div", { class: "home" },
      h("header", { class: "intro" }, h("h1", {}, t("home.title")), h("p", {}, t("home.about"))),
      h("ul", { class: "cards" }, shown.map(card)),
      variants(games),
      games.tournament ? h("p", { class: "more" }, h("a", { href: "/?view=tournament" }, t("tournament.watch"))) : null,
      h("footer", { class: "colophon" }, t("home.footer", { version: games.version }))),
  );
}

/** @param {import("./types.js").GameInfo} info */
function card(info) {
  const board = new Board({ press: () => {}, rim: () => {} });
  const picture = h("div", { class: "picture", "aria-hidden": "true" }, board.svg);
  board.svg.removeAttribute("data-testid");
  board.svg.setAttribute("role", "presentation");
  void draw(info, board);
  return h("li", { class: `card ${info.game}` },
    h("a", { href: `/${info.game}`, "data-game": info.game },
      picture,
      h("div", { class: "card-text" }, h("h2", {}, t(`game.${info.game}`)), h("p", {}, t(`about.${info.game}`)))));
}

/**
 * @param {import("./types.js").GameInfo} info
 * @param {Board} board
 */
async function draw(info, board) {
  const moves = (PICTURES[info.game] ?? "").split(" ");
  const described = await askPosition(info.game, "", moves).catch(() => askPosition(info.game, "", []));
  board.show({
    view: { ...described.view, playable: [], moves: [] }, flipped: false, pieces: settings.pieces, title: "", label: () => "",
    selected: null, targets: [], values: new Map(), edges: [], arrows: [], ghosts: [], rims: [], highlights: false, animate: false, preview: false, dots: false, fit: true,
  });
  // A picture is one link, not a set of buttons.
  for (const cell of board.svg.querySelectorAll(".cell")) {
    for (const name of ["role", "tabindex", "aria-label", "data-cell"]) cell.removeAttribute(name);
  }
  board.svg.removeAttribute("aria-label");
}

/** @param {import("./types.js").Games} games */
function variants(games) {
  const found = games.games.filter((info) => info.variant_of);
  if (found.length === 0) return null;
  return h("p", { class: "more" }, t("home.variants"), " ",
    found.map((info, index) => [index > 0 ? ", " : "", h("a", { href: `/${info.game}` }, t(`game.${info.game}`))]));
}
