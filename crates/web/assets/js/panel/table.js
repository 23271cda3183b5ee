// The tablebase of a solved game: the value of the position, the fate of every move, the longest win as a tour; and
// without one, the offer to build it.

import { fill, h } from "../dom.js";
import { Refused, get, post, stream } from "../api.js";
import { count, known, t } from "../i18n.js";
import { Tree, movesTo } from "../tree.js";

/** @typedef {import("../types.js").TableState} TableState */
/** @typedef {import("../types.js").TableAnswer} TableAnswer */
/** @typedef {import("../types.js").Value} Value */

/** Best for the mover first: fast wins, draws, slow losses. @param {{ value: string, plies: number | null }} move */
const order = (move) => (move.value === "win" ? -1000 + (move.plies ?? 0) : move.value === "draw" ? 0 : 1000 - (move.plies ?? 0));

export class TablePanel {
  /**
   * @param {import("../session.js").Session} session
   * @param {import("./stage.js").Stage} stage
   */
  constructor(session, stage) {
    this.session = session;
    this.stage = stage;
    /** @type {TableState | null} */
    this.state = null;
    /** @type {TableAnswer | null} */
    this.answer = null;
    this.asked = 0;
    /** @type {(() => void) | null} */
    this.watching = null;
    this.body = h("div", { class: "table-body" });
    this.element = h("section", { class: "panel table", "data-testid": "table", "aria-label": t("table") }, h("h2", {}, t("table")), this.body);
    void this.load();
  }

  async load() {
    try {
      this.state = await get(`/${this.session.game}/table`);
    } catch (error) {
      this.element.hidden = error instanceof Refused && error.status === 404;
      return;
    }
    if (this.state?.build?.running) this.watch();
    await this.query();
    this.draw();
  }

  /** @param {import("../session.js").Change} change */
  update(change) {
    if (change === "tree") {
      this.answer = null;
      this.stage.table = null;
    }
    if (change === "position" || change === "options") void this.query();
  }

  /** Whether exact values may be shown: not during a game that the reader plays without help. */
  get allowed() {
    const { session } = this;
    return session.mode === "analyse" || session.showValuesInPlay || session.over;
  }

  async query() {
    const { session } = this;
    const token = (this.asked += 1);
    if (!this.state?.present || !session.position || session.over || !this.allowed) {
      this.answer = null;
      this.stage.table = null;
      this.draw();
      return;
    }
    const node = session.shown;
    try {
      const answer = await post(`/${session.game}/table/query`, { ...(session.tree.start ? { position: session.tree.start } : {}), moves: movesTo(node) });
      if (token !== this.asked || session.shown !== node) return;
      this.answer = answer;
      this.stage.table = new Map([...answer.moves].filter((/** @type {any} */ move) => !move.forbidden).sort((a, b) => order(a) - order(b)).map((move) => [move.move, valueOf(move)]));
    } catch {
      // Outside the tablebase (more pieces than it holds): the search plays on.
      this.answer = null;
      this.stage.table = null;
    }
    this.draw();
    this.stage.draw();
  }

  draw() {
    const { state, answer, session } = this;
    if (!state) return;
    if (!state.present) {
      this.drawOffer(state);
      return;
    }
    if (!this.allowed) {
      fill(this.body, h("p", { class: "about" }, t("table.hidden")));
      return;
    }
    const moves = answer ? [...answer.moves].filter((move) => !move.forbidden).sort((a, b) => order(a) - order(b)) : [];
    fill(
      this.body,
      answer ? h("p", { class: "verdict", "data-testid": "table-verdict" }, verdict(answer.value, answer.plies)) : h("p", { class: "about" }, session.over ? t("table.over") : t("table.outside")),
      moves.length > 0
        ? h("ul", { class: "fates" }, moves.map((move) => h("li", { class: move.value }, h("button", { type: "button", "data-move": move.move, onclick: () => void session.play(move.move) }, h("span", { class: "text" }, move.move), h("span", { class: "fate" }, verdict(move.value, move.plies))))))
        : null,
      h("div", { class: "actions" }, h("button", { type: "button", "data-testid": "table-tour", onclick: () => void this.tour() }, t("table.longest"))),
      state.boards ? h("p", { class: "about" }, t("table.size", { boards: count(state.boards) })) : null,
      state.complete === false && !answer && !session.over ? this.offers(state) : null,
    );
  }

  /** @param {TableState} state */
  drawOffer(state) {
    fill(this.body, h("p", { class: "about" }, t("table.absent")), this.offers(state));
  }

  /** What can be built, or how far a build is. @param {TableState} state */
  offers(state) {
    const { build } = state;
    if (build?.running) {
      return [
        h("progress", { max: 100, value: build.percent, "aria-label": t("table.building") }),
        h("p", { class: "about", "data-testid": "table-progress" }, `${build.percent.toFixed(1)} %`, " ", build.pieces === undefined ? build.text : t("table.solving", { pieces: build.pieces, plies: build.plies })),
        h("button", { type: "button", "data-testid": "table-cancel", onclick: () => void this.cancel() }, t("table.cancel")),
      ];
    }
    return [
      build?.error ? h("p", { class: "message bad" }, build.error) : null,
      // The smallest one is there already where there is any.
      (state.offers ?? []).slice(state.present ? 1 : 0).map((offer, index) => [
        h("p", { class: "about" }, known(`table.offer.${offer.pieces ?? "all"}`) ?? offer.about),
        h("button", { type: "button", class: index === 0 ? "primary" : "", "data-testid": "table-build", onclick: () => void this.build(offer.pieces) },
          offer.pieces ? t("table.build.pieces", { pieces: offer.pieces }) : t("table.build")),
      ]),
    ];
  }

  /** @param {number | null} pieces */
  async build(pieces) {
    try {
      await post(`/${this.session.game}/table/build`, { pieces: pieces ?? 0 });
      this.state = { ...(this.state ?? { present: false }), build: { running: true, percent: 0, text: "" } };
      this.draw();
      this.watch();
    } catch (error) {
      this.session.fail(error instanceof Error ? error.message : String(error));
    }
  }

  async cancel() {
    await post(`/${this.session.game}/table/cancel`, {});
    this.watching?.();
    this.watching = null;
    await this.load();
  }

  watch() {
    if (this.watching) return;
    this.watching = stream(`/${this.session.game}/table/build`, {}, {
      progress: (data) => {
        if (this.state) this.state.build = { ...data, running: true };
        this.draw();
      },
      done: () => {},
      closed: () => {
        this.watching = null;
        void this.load();
      },
    });
  }

  /** The longest win: its position, and best play from there in the tree. */
  async tour() {
    const { session } = this;
    try {
      const answer = await get(`/${session.game}/table/longest`);
      const longest = answer.positions?.[0];
      if (!longest) return;
      const line = await post(`/${session.game}/table/query`, { position: longest.position, line: true });
      const tree = new Tree(longest.position);
      for (const step of line.line ?? []) if (step.move) tree.play(step.move);
      tree.cursor = tree.root;
      await session.replaceTree(tree);
      session.notice = t("table.tour", { plies: line.line?.length ?? 0 });
      session.tell("notice");
    } catch (error) {
      session.fail(error instanceof Error ? error.message : String(error));
    }
  }
}

/** @param {string} value @param {number | null} plies */
function verdict(value, plies) {
  if (value === "draw") return t("value.draw");
  return plies === null || plies === undefined ? t(`value.${value}`) : t(`value.${value}.in`, { plies });
}

/** @param {import("../types.js").TableMove} move @returns {Value} */
function valueOf(move) {
  const proven = { result: move.value, ...(move.plies === null ? {} : { plies: move.plies }) };
  return { value: move.value === "draw" ? 0 : null, unit: "pieces", exact: true, proven };
}
