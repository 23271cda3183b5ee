// Playing: mode, side, level, engine, and the actions of a game.

import { fill, h, icon } from "../dom.js";
import { playerName } from "../describe.js";
import { known, t } from "../i18n.js";
import { change, settings } from "../settings.js";

/** @typedef {import("../session.js").Session} Session */

/** Not chosen by name: levels have a slider, and a tablebase is used wherever there is one. */
const HIDDEN = ["human", "level", "table"];

export class PlayPanel {
  /** @param {Session} session */
  constructor(session) {
    this.session = session;
    const { info } = session;
    const mode = (/** @type {"play" | "analyse"} */ name) =>
      h("button", { type: "button", "data-mode": name, onclick: () => session.setMode(name) }, t(`mode.${name}`));
    this.modes = h("div", { class: "segments", role: "group", "aria-label": t("mode") }, mode("play"), mode("analyse"));
    this.toggle = h(
      "button",
      { type: "button", class: "switch", role: "switch", "data-testid": "engine-toggle", onclick: () => session.toggleEngine() },
      h("span", { class: "knob", "aria-hidden": "true" }),
      h("span", { class: "switch-text" }, t("engine")),
    );
    const side = (/** @type {"first" | "second" | "both" | "none"} */ name, /** @type {string} */ text) =>
      h("button", { type: "button", "data-side": name, onclick: () => session.chooseSide(name) }, text);
    this.sides = h(
      "div",
      { class: "segments", role: "group", "aria-label": t("side"), "data-testid": "side" },
      side("first", playerName(info, "first")), side("second", playerName(info, "second")),
      side("both", t("side.both")), side("none", t("side.none")),
    );
    const top = Math.max(info.levels.length, 1);
    this.slider = h("input", {
      type: "range", id: "level", "data-testid": "level", min: 1, max: top, step: 1, value: session.level,
      oninput: () => {
        session.level = Number(this.slider.value);
      },
    });
    this.levelName = h("output", { class: "level-name", for: "level" });
    this.levelAbout = h("p", { class: "level-about" });
    this.engine = h(
      "select",
      { id: "engine", "data-testid": "engine", onchange: () => (session.engine = this.engine.value) },
      h("option", { value: "" }, t("engine.default", { name: engineName(info.default_engine) })),
      info.engines.filter((engine) => !HIDDEN.includes(engine.name) && engine.name !== info.default_engine).map((engine) => h("option", { value: engine.name }, engineName(engine.name))),
    );
    this.engine.value = session.engine;
    const action = (/** @type {string} */ id, /** @type {string} */ symbol, /** @type {() => void} */ run) =>
      h("button", { type: "button", class: "action", "data-testid": id, onclick: run }, icon(symbol), h("span", {}, t(`action.${id}`)));
    this.undo = action("undo", "undo", () => void session.undo());
    this.redo = action("redo", "redo", () => void session.redo());
    this.hint = action("hint", "hint", () => void session.showHint());
    this.move = action("engine-move", "play", () => void session.engineMove());
    this.resign = action("resign", "flag", () => session.end("resign"));
    this.declare = action("declare", "flag", () => session.end("claim"));
    this.options = h(
      "div",
      { class: "play-options" },
      h("div", { class: "field" }, h("span", { class: "field-name" }, t("side")), this.sides),
      h("div", { class: "field" }, h("label", { class: "field-name", for: "level" }, t("level")), h("div", { class: "level" }, this.slider, this.levelName), this.levelAbout),
    );
    this.element = h(
      "section",
      { class: "panel play", "aria-label": t("mode.play") },
      h("div", { class: "panel-head" }, this.modes, this.toggle),
      this.options,
      h("div", { class: "field engine-field" }, h("label", { class: "field-name", for: "engine" }, t("engine")), this.engine),
      this.analysisOptions(),
      h(
        "div",
        { class: "actions" },
        action("new-game", "plus", () => void session.newGame()),
        this.undo, this.redo, this.hint, this.move, this.resign, this.declare,
      ),
    );
  }

  analysisOptions() {
    const { session } = this;
    /** @param {"lines" | "seconds"} name @param {number[]} choices */
    const select = (name, choices) => {
      const box = h(
        "select",
        {
          id: `choose-${name}`, "data-testid": `choose-${name}`,
          onchange: () => {
            change({ [name]: Number(box.value) });
            session.analyser.restart();
          },
        },
        choices.map((choice) => h("option", { value: choice }, t(`${name}.choice`, { count: choice }))),
      );
      box.value = String(settings[name]);
      return h("div", { class: "field" }, h("label", { class: "field-name", for: `choose-${name}` }, t(`${name}.name`)), box);
    };
    this.analysis = h("div", { class: "pair" }, select("lines", [1, 2, 3, 5, 8]), select("seconds", [2, 5, 10, 30, 60]));
    return this.analysis;
  }

  /** @param {import("../session.js").Change} change */
  update(change) {
    if (change === "analysis" || change === "review") return;
    const { session } = this;
    const playing = session.mode === "play";
    for (const button of this.modes.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(button.dataset.mode === session.mode));
    }
    this.toggle.setAttribute("aria-checked", String(session.engineOn));
    for (const button of this.sides.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(button.dataset.side === session.you));
    }
    this.options.hidden = !playing;
    if (this.analysis) this.analysis.hidden = playing;
    const level = session.info.levels.find((known) => known.level === session.level);
    this.slider.value = String(session.level);
    const name = level ? known(`level.${level.level}`) ?? capital(level.name) : "";
    fill(this.levelName, h("strong", {}, t("level.number", { level: session.level })), ` ${name}`);
    const chosen = session.engine !== "";
    this.slider.disabled = chosen;
    const about = chosen ? t("level.engine") : level ? known(`level.about.${level.level}`) ?? sentence(level.about) : "";
    const rating = level?.rating && !chosen ? ` ${t("level.rating", { rating: Math.round(level.rating) })}` : "";
    this.levelAbout.textContent = `${about}${rating}`;
    this.slider.setAttribute("aria-valuetext", `${session.level}, ${name}`);
    this.undo.disabled = session.tree.cursor.parent === null && session.claimed === null;
    this.redo.disabled = session.tree.cursor.children.length === 0;
    this.hint.disabled = session.over || session.engineToMove;
    this.move.disabled = session.over || session.thinking;
    this.resign.hidden = !playing || session.tree.cursor.ply < 1;
    this.resign.disabled = session.over || session.engineToMove;
    this.declare.hidden = session.position?.declare !== true || session.over;
  }
}

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {string} text */
const sentence = (text) => (/[.!?]$/u.test(text) ? capital(text) : `${capital(text)}.`);

/** @param {string} name */
export const engineName = (name) => known(`engine.${name}`) ?? name;
