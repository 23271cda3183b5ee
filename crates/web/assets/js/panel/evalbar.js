// The evaluation bar: the first player's share of the expected result, with the value written on it.

import { h } from "../dom.js";
import { playerName } from "../describe.js";
import { t } from "../i18n.js";
import { brief, isExact, reversed, share, words } from "../values.js";

export class EvalBar {
  /** @param {import("../session.js").Session} session */
  constructor(session) {
    this.session = session;
    this.filled = h("span", { class: "filled" });
    this.text = h("span", { class: "text" });
    this.element = h("div", { class: "eval-bar", "data-testid": "eval-bar", role: "img" }, this.filled, this.text);
  }

  update() {
    const { session } = this;
    const value = this.value();
    const leading = value ? share(value) : 0.5;
    this.element.style.setProperty("--share", String(leading));
    this.element.classList.toggle("flipped", session.flipped);
    this.element.classList.toggle("empty", value === null);
    this.element.classList.toggle("behind", leading < 0.5);
    const text = value ? brief(value) : "";
    if (this.text.textContent !== text) this.text.textContent = text;
    this.text.classList.toggle("long", text.length > 4);
    this.element.dataset.position = value ? session.position?.position ?? "" : "";
    const first = playerName(session.info, "first");
    const label = value
      ? t(isExact(value) ? "bar.exact" : "bar.value", { player: first, value: words(value) })
      : t("bar.none");
    this.element.setAttribute("aria-label", label);
    this.element.title = label;
  }

  /** The value of the position on the board, seen by the first player; null without one. */
  value() {
    const { session } = this;
    const { shown } = session;
    if (shown !== session.tree.cursor) return null;
    const playing = session.mode === "play" && !session.over && !session.showValuesInPlay;
    if (playing) return null;
    if (shown.value) return shown.value;
    const analysis = shown.analysis;
    if (!analysis) return null;
    return analysis.mover === "first" ? analysis : reversed(analysis);
  }
}
