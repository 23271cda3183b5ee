// The best lines of the running analysis. Resting on a move of a line shows the position behind it on the board.

import { fill, h } from "../dom.js";
import { position as askPosition } from "../api.js";
import { count, known, language, t } from "../i18n.js";
import { settings } from "../settings.js";
import { movesTo } from "../tree.js";
import { isExact, unitName, unitless, words } from "../values.js";

/** A line on the page is at most this long; the rest is rarely read. */
const SHOWN_MOVES = 14;

export class Lines {
  /**
   * @param {import("../session.js").Session} session
   * @param {(position: import("../types.js").Position | null) => void} preview
   */
  constructor(session, preview) {
    this.session = session;
    this.preview = preview;
    this.hovered = 0;
    this.head = h("div", { class: "lines-head" });
    this.list = h("ol", { class: "lines", "data-testid": "lines", "aria-label": t("lines") });
    this.list.addEventListener("pointerleave", () => this.leave());
    this.element = h("section", { class: "panel analysis", "aria-label": t("analysis") }, this.head, this.list);
  }

  update() {
    const { session } = this;
    const { analyser } = session;
    const update = analyser.update;
    this.element.hidden = !analyser.wanted && !update;
    const source = update?.source && update.source !== "search" ? t(`source.${update.source}`) : null;
    const unit = update?.lines[0]?.unit;
    fill(
      this.head,
      analyser.waiting !== null ? h("span", {}, t("analysis.waiting", { place: analyser.waiting })) : null,
      update ? h("span", {}, source ?? depthText(update)) : null,
      update && !source ? h("span", {}, t("analysis.nodes", { nodes: count(update.nodes) })) : null,
      !update && analyser.waiting === null && analyser.running ? h("span", {}, t("analysis.begins")) : null,
      unit ? h("span", { class: "unit" }, unit === "policy" ? t("analysis.policy") : known(`analysis.unit.${unit}`) ?? t("analysis.unit", { unit: unitName(unit) })) : null,
    );
    this.list.dataset.position = update?.position ?? "";
    const lines = (update?.lines ?? []).slice(0, settings.lines);
    fill(this.list, ...lines.map((line, rank) => this.line(line, rank)));
  }

  /**
   * @param {import("../types.js").Line} line
   * @param {number} rank
   */
  line(line, rank) {
    const { session } = this;
    const native = language() === "ja" ? line.native : undefined;
    const moves = line.pv.slice(0, SHOWN_MOVES).map((move, index) =>
      h(
        "button",
        {
          type: "button", class: "pv-move", "data-pv": index,
          onclick: () => {
            this.leave();
            void session.playLine(line.pv.slice(0, index + 1));
          },
          onpointerenter: () => void this.show(line.pv.slice(0, index + 1)),
          onfocus: () => void this.show(line.pv.slice(0, index + 1)),
          onblur: () => this.leave(),
        },
        native?.[index] ?? move,
      ),
    );
    return h(
      "li",
      { class: `line rank-${rank}${isExact(line) ? " exact" : ""}` },
      h("span", { class: "line-value", title: words(line) }, unitless(line), isExact(line) ? h("span", { class: "tag" }, t("value.exact")) : null),
      h("span", { class: "pv" }, ...moves),
    );
  }

  /** @param {string[]} moves */
  async show(moves) {
    const { session } = this;
    const token = (this.hovered += 1);
    const node = session.shown;
    try {
      const described = await askPosition(session.game, session.tree.start, [...movesTo(node), ...moves]);
      if (token === this.hovered && session.shown === node) this.preview(described);
    } catch {
      // A line that the rules end early is shown as far as the pointer has been.
    }
  }

  leave() {
    this.hovered += 1;
    this.preview(null);
  }
}

/** The depth of the search, or of the proof once all that is shown is certain. @param {import("../types.js").Update} update */
function depthText(update) {
  const solved = update.lines.length > 0 && update.lines.every(isExact);
  return t(solved ? "analysis.solved" : "analysis.depth", { depth: update.depth });
}
