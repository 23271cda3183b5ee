// Mates in shogi: finds one and plays it out.

import { fill, h, icon } from "../dom.js";
import { post } from "../api.js";
import { t } from "../i18n.js";
import { Tree } from "../tree.js";

/** Long enough to see each move of a mate. */
const STEP_MS = 600;

export class MatePanel {
  /** @param {import("../session.js").Session} session */
  constructor(session) {
    this.session = session;
    this.answer = h("p", { class: "about", role: "status", "data-testid": "mate-answer" });
    this.button = h("button", { type: "button", class: "action", "data-testid": "mate", onclick: () => void this.search() }, icon("search"), h("span", {}, t("mate.search")));
    this.element = h("section", { class: "panel mate", "aria-label": t("mate") }, h("h2", {}, t("mate")), h("div", { class: "actions" }, this.button), this.answer);
  }

  /** @param {import("../session.js").Change} change */
  update(change) {
    if (change === "tree") fill(this.answer);
    this.button.disabled = this.session.over;
  }

  async search() {
    const { session } = this;
    const node = session.shown;
    this.button.disabled = true;
    fill(this.answer, t("mate.searching"));
    try {
      const { engine, ...at } = session.request();
      void engine;
      const found = await post(`/${session.game}/mate`, { ...at, limits: { time: "10s" } });
      if (session.shown !== node || session.tree.cursor !== node) return;
      if (found.mate === null || found.mate === undefined) {
        fill(this.answer, t(found.proven ? "mate.none" : "mate.unknown"));
        return;
      }
      fill(
        this.answer,
        h("strong", {}, t("mate.found", { plies: found.mate })), " ", found.moves.join(" "), " ",
        h("button", { type: "button", class: "link", "data-testid": "mate-play", onclick: () => void this.playOut(found.moves) }, t("mate.play")),
      );
    } catch (error) {
      fill(this.answer, error instanceof Error ? error.message : String(error));
    } finally {
      this.button.disabled = session.over;
    }
  }

  /** Plays the mate move by move, until the reader goes elsewhere. @param {string[]} moves */
  async playOut(moves) {
    const { session } = this;
    for (const move of moves) {
      const node = Tree.child(session.tree.cursor, move);
      await session.visit(node, { animate: true, push: move === moves[0] });
      if (move === moves.at(-1)) return;
      await new Promise((resolve) => setTimeout(resolve, STEP_MS));
      if (session.tree.cursor !== node) return;
    }
  }
}
