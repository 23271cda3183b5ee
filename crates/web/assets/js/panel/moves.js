// The variation tree as a list of moves: the main line in numbered pairs, variations below the move they replace.

import { fill, h, icon } from "../dom.js";
import { moveText, openingName } from "../describe.js";
import { t } from "../i18n.js";
import { lossText, severity } from "../values.js";

/** @typedef {import("../tree.js").Node} Node */

export class MoveList {
  /** @param {import("../session.js").Session} session */
  constructor(session) {
    this.session = session;
    /** @type {Map<Node, HTMLButtonElement>} */
    this.buttons = new Map();
    /** What the list shows. */
    this.drawn = "-";
    this.list = h("div", { class: "move-list", "data-testid": "move-list", role: "group", "aria-label": t("moves"), tabindex: 0 });
    this.prune = h("button", { type: "button", class: "tool", "aria-label": t("variation.delete"), title: t("variation.delete"), onclick: () => this.remove() }, icon("trash"));
    this.raise = h("button", { type: "button", class: "tool", "aria-label": t("variation.promote"), title: t("variation.promote"), onclick: () => this.promote() }, icon("up"));
    this.opening = h("span", { class: "opening" });
    this.element = h(
      "section",
      { class: "panel moves", "aria-label": t("moves") },
      h("div", { class: "panel-head" }, h("h2", {}, t("moves")), this.opening, h("div", { class: "pruning" }, this.raise, this.prune)),
      this.list,
    );
  }

  /** @param {import("../session.js").Change} change */
  update(change) {
    if (change === "tree" || change === "review" || change === "position") this.draw();
  }

  remove() {
    const { session } = this;
    const node = session.tree.cursor;
    if (!node.parent) return;
    session.tree.remove(node);
    void session.visit(session.tree.cursor, { push: true });
  }

  promote() {
    const { session } = this;
    session.tree.promote(session.tree.cursor);
    session.save(true);
    session.tell("tree");
  }

  draw() {
    const { session } = this;
    const cursor = session.tree.cursor;
    const look = this.look();
    if (look !== this.drawn) {
      this.drawn = look;
      this.buttons.clear();
      const empty = session.tree.root.children.length === 0;
      fill(this.list, ...(empty ? [h("p", { class: "nothing" }, t("moves.none"))] : this.line(session.tree.root, true)));
    }
    for (const [node, button] of this.buttons) {
      if (node === cursor) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
    const opening = session.position ? openingName(session.position) : "";
    if (this.opening.textContent !== opening) this.opening.textContent = opening;
    this.prune.disabled = cursor.parent === null;
    this.raise.disabled = session.tree.mainLine().includes(cursor) || cursor.parent === null;
    this.scrollTo(this.buttons.get(cursor) ?? null);
  }

  /** A text that changes whenever the list must be drawn anew. */
  look() {
    /** @param {Node} node @returns {string} */
    const of = (node) => `${node.move}${moveText(node)}${node.analysis?.loss ?? ""}${node.comment ?? ""}(${node.children.map(of).join()})`;
    return of(this.session.tree.root);
  }

  /** Scrolls the list only, never the page. @param {HTMLElement | null} button */
  scrollTo(button) {
    const list = this.list;
    if (!button) {
      list.scrollTop = 0;
      return;
    }
    const top = button.getBoundingClientRect().top - list.getBoundingClientRect().top + list.scrollTop;
    const bottom = top + button.offsetHeight;
    if (top < list.scrollTop + 8) list.scrollTop = top - 40;
    else if (bottom > list.scrollTop + list.clientHeight - 8) list.scrollTop = bottom - list.clientHeight + 40;
  }

  /**
   * The moves behind a node, with the variations at each.
   * @param {Node} from
   * @param {boolean} main
   * @returns {HTMLElement[]}
   */
  line(from, main) {
    /** @type {HTMLElement[]} */
    const items = [];
    let numbered = false;
    for (let node = from; ; ) {
      const [next, ...others] = node.children;
      if (!next) break;
      const first = next.ply % 2 === 1;
      items.push(first || !numbered ? this.numbered(next) : this.move(next));
      numbered = true;
      if (next.comment) {
        items.push(h("span", { class: "comment" }, next.comment));
        numbered = false;
      }
      if (others.length > 0) {
        items.push(h("div", { class: "variations" }, others.map((other) => this.variation(other))));
        numbered = false;
      }
      node = next;
    }
    return main ? [h("div", { class: "main-line" }, ...items)] : items;
  }

  /** @param {Node} start */
  variation(start) {
    return h("div", { class: "variation" }, this.numbered(start), ...this.line(start, false));
  }

  /** A move with its number, never parted at the end of a line. @param {Node} node */
  numbered(node) {
    const number = node.ply % 2 === 1 ? `${(node.ply + 1) / 2}.` : `${node.ply / 2}…`;
    return h("span", { class: "numbered" }, h("span", { class: "number" }, number), this.move(node));
  }

  /** @param {Node} node */
  move(node) {
    const { analysis } = node;
    const level = severity(analysis?.mark);
    const lost = analysis && level > 0 ? lossText(analysis.loss, analysis.unit) : "";
    const loss = lost ? `\u2212${lost.split(" ")[0]}` : "";
    const label = [moveText(node), lost ? t("move.loss", { loss: lost }) : ""].filter(Boolean).join(", ");
    const button = h(
      "button",
      {
        type: "button", class: `move ${node.ply % 2 === 1 ? "first" : "second"} severity-${level}`,
        "data-ply": node.ply, "aria-label": label, onclick: () => void this.session.visit(node),
      },
      h("span", { class: "text" }, moveText(node)),
      level > 0 ? h("span", { class: "glyph" }, analysis?.mark ?? "") : null,
      loss ? h("span", { class: "loss" }, loss) : null,
    );
    this.buttons.set(node, button);
    return button;
  }
}
