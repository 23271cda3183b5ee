// The evaluation over the game, with a cursor that moves the board, and what each move lost below it.

import { fill, h, s } from "../dom.js";
import { playerName } from "../describe.js";
import { t } from "../i18n.js";
import { reversed, severity, share, short, words } from "../values.js";

/** @typedef {import("../tree.js").Node} Node */

const [WIDTH, HEIGHT, LOSSES] = [600, 120, 34];

export class Graph {
  /** @param {import("../session.js").Session} session */
  constructor(session) {
    this.session = session;
    this.plot = s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT + LOSSES}`, preserveAspectRatio: "none", "aria-hidden": "true" });
    this.caption = h("div", { class: "graph-caption" });
    this.slider = h("input", { type: "range", class: "graph-slider", min: 0, max: 0, value: 0, step: 1, "aria-label": t("graph.cursor"), oninput: () => this.moveTo(Number(this.slider.value)) });
    this.element = h(
      "section",
      { class: "panel graph", "data-testid": "graph", "aria-label": t("graph") },
      h("div", { class: "graph-plot" }, this.plot, this.slider),
      this.caption,
    );
  }

  /** @param {number} ply */
  moveTo(ply) {
    const { session } = this;
    const line = [session.tree.root, ...session.tree.currentLine()];
    const node = line[ply];
    if (node && node !== session.tree.cursor) void session.visit(node);
  }

  update() {
    const { session } = this;
    const line = [session.tree.root, ...session.tree.currentLine()];
    const last = Math.max(line.length - 1, 1);
    const x = (/** @type {number} */ ply) => (ply / last) * WIDTH;
    const y = (/** @type {number} */ part) => HEIGHT - 6 - part * (HEIGHT - 12);
    const points = line.flatMap((node) => {
      const value = valueOf(node);
      return value ? [{ node, value, part: share(value) }] : [];
    });
    const d = points.map(({ node, part }, index) => `${index === 0 ? "M" : "L"}${x(node.ply).toFixed(1)} ${y(part).toFixed(1)}`).join("");
    const [first, end] = [points[0], points.at(-1)];
    const middle = y(0.5);
    const worst = Math.max(...line.map((node) => node.analysis?.loss ?? 0), 1e-9);
    const width = Math.max(WIDTH / last - 1, 1.5);
    fill(
      this.plot,
      s("rect", { class: "upper", x: 0, y: 0, width: WIDTH, height: middle }),
      first && end ? s("path", { class: "area", d: `${d}L${x(end.node.ply)} ${middle}L${x(first.node.ply)} ${middle}Z` }) : null,
      s("path", { class: "axis", d: `M0 ${middle}H${WIDTH}` }),
      s("path", { class: "axis low", d: `M0 ${HEIGHT + LOSSES / 2}H${WIDTH}` }),
      s("path", { class: "curve", d }),
      line.map((node) => {
        const loss = node.analysis?.loss ?? 0;
        if (loss <= 0) return null;
        const height = Math.max(1.5, Math.sqrt(loss / worst) * (LOSSES / 2 - 1));
        const up = node.analysis?.mover === "first";
        return s("rect", {
          class: `loss severity-${severity(node.analysis?.mark)}`, x: x(node.ply) - width / 2, width, height,
          y: up ? HEIGHT + LOSSES / 2 - height : HEIGHT + LOSSES / 2,
        });
      }),
      points.map(({ node, part }) => (severity(node.analysis?.mark) > 1
        ? s("path", { class: `dot severity-${severity(node.analysis?.mark)}`, d: `M${x(node.ply)} ${y(part)}h0.01` })
        : null)),
      s("path", { class: "cursor", d: `M${x(session.tree.cursor.ply)} 0V${HEIGHT + LOSSES}` }),
    );
    // A line without a curve needs no room for one.
    this.element.classList.toggle("flat", points.length < 2 && !session.review.running);
    this.slider.max = String(line.length - 1);
    this.slider.value = String(session.tree.cursor.ply);
    this.slider.disabled = line.length < 2;
    this.describe(line);
  }

  /** @param {Node[]} line */
  describe(line) {
    const { session } = this;
    const node = session.tree.cursor;
    const value = valueOf(node);
    const text = value ? t("graph.value", { player: playerName(session.info, "first"), value: words(value) }) : "";
    this.slider.setAttribute("aria-valuetext", t("graph.ply", { ply: node.ply, plies: line.length - 1, value: text }));
    const review = session.review;
    const progress = review.running ? t("review.progress", { done: review.done, total: review.total }) : "";
    fill(
      this.caption,
      h("span", {}, line.length < 2 ? t("graph.start") : t("graph.ply.short", { ply: node.ply, plies: line.length - 1 })),
      text ? h("span", {}, text) : null,
      progress ? h("span", { class: "progress" }, progress) : null,
      line.length > 1 && !review.running && line.filter((known) => valueOf(known)).length < 2 ? h("span", { class: "nothing" }, t("graph.none")) : null,
    );
  }
}

/** The value of a node seen by the first player. @param {Node} node */
export function valueOf(node) {
  if (node.analysis) return node.analysis.mover === "first" ? node.analysis : reversed(node.analysis);
  return node.value ?? null;
}

export { short };
