// What a whole-game analysis says: accuracy in plain numbers, the biggest losses, and the way to the next mistake.

import { fill, h, icon } from "../dom.js";
import { moveText, playerName } from "../describe.js";
import { language, t } from "../i18n.js";
import { lossText, severity, unitName } from "../values.js";

/** The move that would have been better. @param {import("../tree.js").Node} node */
function betterMove(node) {
  const { best = null, best_native: native } = node.analysis ?? {};
  return (language() === "ja" ? native : null) ?? best ?? "";
}

export class Summary {
  /** @param {import("../session.js").Session} session */
  constructor(session) {
    this.session = session;
    this.body = h("div", { class: "summary-body" });
    const jump = (/** @type {number} */ by, /** @type {string} */ id) =>
      h("button", { type: "button", class: "action", "data-testid": id, onclick: () => session.review.jump(by) }, icon(by > 0 ? "forward" : "back"), h("span", {}, t(`action.${id}`)));
    this.jumps = h("div", { class: "actions" }, jump(-1, "previous-mistake"), jump(1, "next-mistake"));
    this.element = h("section", { class: "panel summary", "data-testid": "summary", "aria-label": t("summary"), hidden: true }, h("h2", {}, t("summary")), this.body, this.jumps);
  }

  /** @param {import("../session.js").Change} change */
  update(change) {
    if (change !== "review" && change !== "tree") return;
    const { session } = this;
    const { review, info } = session;
    const sides = review.summary;
    this.element.hidden = sides === null;
    if (!sides) return;
    const unit = review.unit;
    const marks = (/** @type {"first" | "second"} */ side, /** @type {number} */ level) =>
      review.line.filter((node) => node.analysis?.mover === side && severity(node.analysis.mark) === level).length;
    const best = (/** @type {"first" | "second"} */ side) => {
      const own = review.line.filter((node) => node.analysis?.mover === side);
      const good = own.filter((node) => severity(node.analysis?.mark) === 0);
      return own.length === 0 ? "–" : `${Math.round((100 * good.length) / own.length)}%`;
    };
    const row = (/** @type {string} */ name, /** @type {string | number} */ first, /** @type {string | number} */ second) =>
      h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, first), h("td", {}, second));
    const [first, second] = sides;
    const average = (/** @type {import("../types.js").SideLosses | undefined} */ side) => (side && side.moves > 0 ? (lossText(side.total / side.moves, unit).split(" ")[0] ?? "") : "–");
    const worst = [...review.line].filter((node) => severity(node.analysis?.mark) > 0)
      .sort((a, b) => (b.analysis?.loss ?? 0) - (a.analysis?.loss ?? 0)).slice(0, 5);
    fill(
      this.body,
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, h("td", {}), h("th", { scope: "col" }, playerName(info, "first")), h("th", { scope: "col" }, playerName(info, "second")))),
        h(
          "tbody",
          {},
          row(t("summary.good"), best("first"), best("second")),
          row(t("summary.average", { unit: unitName(unit) }), average(first), average(second)),
          row(t("summary.inaccuracies"), marks("first", 1), marks("second", 1)),
          row(t("summary.mistakes"), marks("first", 2), marks("second", 2)),
          row(t("summary.blunders"), marks("first", 3), marks("second", 3)),
        ),
      ),
      worst.length > 0 ? h("h3", {}, t("summary.worst")) : null,
      worst.length > 0
        ? h("ul", { class: "worst" }, worst.map((node) => h("li", {}, h(
            "button",
            { type: "button", class: "link", onclick: () => void session.visit(node) },
            t("summary.loss", {
              ply: node.ply, move: moveText(node), loss: lossText(node.analysis?.loss ?? 0, unit), better: betterMove(node),
            }),
          ))))
        : null,
    );
    this.jumps.hidden = worst.length === 0;
  }
}
