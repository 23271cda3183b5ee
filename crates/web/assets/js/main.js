// Chooses what the address asks for: the chooser, a game, or a tournament.

import { fill, h, icon } from "./dom.js";
import { games as askGames } from "./api.js";
import { language, t } from "./i18n.js";
import { applyTheme, change, settings } from "./settings.js";
import { showHome } from "./home.js";
import { GamePage } from "./page.js";
import { showTournament } from "./tournament.js";

/** The games in the header; variants are reached from the chooser. */
const MAIN_GAMES = ["othello", "trax", "ostle", "shogi"];

const THEMES = /** @type {const} */ (["auto", "light", "dark"]);

function header() {
  const game = location.pathname.slice(1);
  const theme = h("button", {
    type: "button", class: "tool", "data-testid": "theme",
    onclick: () => {
      const next = THEMES[(THEMES.indexOf(settings.theme) + 1) % THEMES.length] ?? "auto";
      change({ theme: next });
      applyTheme();
      showTheme();
    },
  });
  const showTheme = () => {
    fill(theme, icon({ auto: "auto", light: "sun", dark: "moon" }[settings.theme]));
    const name = t("theme", { theme: t(`theme.${settings.theme}`) });
    theme.setAttribute("aria-label", name);
    theme.title = name;
  };
  showTheme();
  const other = language() === "ja" ? "en" : "ja";
  const languages = h("button", {
    type: "button", class: "tool text", "data-testid": "language", lang: other,
    onclick: () => {
      change({ language: other });
      location.reload();
    },
  }, other === "ja" ? "日本語" : "English");
  const pieces = h("button", {
    type: "button", class: "tool text sign", "data-testid": "pieces", hidden: game !== "shogi", "aria-label": t("pieces"), title: t("pieces"),
    onclick: () => {
      change({ pieces: settings.pieces === "kanji" ? "western" : "kanji" });
      location.reload();
    },
  }, settings.pieces === "kanji" ? "♔" : "玉");
  const links = MAIN_GAMES.map((name) => h("a", { href: `/${name}`, "aria-current": game === name ? "page" : null }, t(`game.${name}`)));
  return h("header", { class: "site" },
    h("a", { href: "/", class: "brand", "aria-label": t("home") }, h("span", { class: "brand-sign", lang: "ja", "aria-hidden": "true" }, "手筋"), h("span", { class: "brand-name" }, "tesuji")),
    h("nav", { "aria-label": t("games") }, links),
    h("div", { class: "site-tools" }, pieces, languages, theme));
}

async function begin() {
  applyTheme();
  document.documentElement.lang = language();
  const main = /** @type {HTMLElement} */ (document.querySelector("main"));
  const game = location.pathname.slice(1);
  main.before(header());
  /** @type {import("./types.js").Games} */
  let games;
  try {
    games = await askGames();
  } catch (error) {
    fill(main, h("p", { class: "toast", role: "alert" }, error instanceof Error ? error.message : t("server.gone")));
    return;
  }
  const info = games.games.find((known) => known.game === game);
  if (info) new GamePage(info, main);
  else if (new URLSearchParams(location.search).get("view") === "tournament") await showTournament(main);
  else {
    showHome(games, main);
    if (game !== "") main.prepend(h("p", { class: "toast", role: "alert" }, t("server.nothing")));
  }
}

void begin();
