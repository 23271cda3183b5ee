// The analysis of a whole game: one event per move, then what each side lost.

import { stream } from "./api.js";
import { language } from "./i18n.js";
import { movesTo } from "./tree.js";
import { asRate, severity } from "./values.js";

/** @typedef {import("./tree.js").Node} Node */

export class GameReview {
  /** @param {import("./session.js").Session} session */
  constructor(session) {
    this.session = session;
    /** @type {(() => void) | null} */
    this.close = null;
    /** @type {import("./types.js").SideLosses[] | null} */
    this.summary = null;
    this.unit = "";
    this.done = 0;
    this.total = 0;
    /** The nodes that were analysed. @type {Node[]} */
    this.line = [];
  }

  clear() {
    this.stop();
    this.summary = null;
    this.unit = "";
    this.done = 0;
    this.total = 0;
    this.line = [];
  }

  stop() {
    this.close?.();
    this.close = null;
  }

  get running() {
    return this.close !== null;
  }

  /** Analyses the line through the cursor. */
  start() {
    const { session } = this;
    this.clear();
    const line = session.tree.currentLine();
    if (line.length === 0) return;
    this.line = line;
    this.total = line.length;
    for (const node of line) delete node.analysis;
    let unit = "";
    this.close = stream(
      `/${session.game}/game-analysis`,
      { position: session.tree.start, moves: movesTo(/** @type {Node} */ (line.at(-1))).join(" "), engine: session.engine, time: "150ms", native: language() === "ja" && session.info.capabilities.native ? "true" : null },
      {
        start: (data) => {
          unit = data.unit;
          this.unit = data.unit === "wins" ? "win %" : data.unit;
          session.tell("review");
        },
        move: (/** @type {import("./types.js").MoveAnalysis} */ data) => {
          const node = line[data.ply - 1];
          if (!node || node.move !== data.move) return;
          node.analysis = data.unit === "wins" ? { ...asRate(data), loss: 50 * data.loss } : data;
          this.done = data.ply;
          session.tell("review");
        },
        done: (data) => {
          /** @type {import("./types.js").SideLosses[]} */
          const sides = data.summary.sides;
          this.summary = sides.map((side) => (unit === "wins" ? { ...side, total: 50 * side.total } : side));
        },
        closed: (message) => {
          this.close = null;
          if (message) session.fail(message);
          session.tell("review");
        },
      },
    );
    session.tell("review");
  }

  /** Goes to the next or previous move that lost much. @param {number} by */
  jump(by) {
    const { session } = this;
    const line = session.tree.currentLine();
    const at = session.tree.cursor.ply;
    const marked = line.filter((node) => severity(node.analysis?.mark) > 0);
    const next = by > 0 ? marked.find((node) => node.ply > at) : marked.reverse().find((node) => node.ply < at);
    if (next) void session.visit(next);
    return next !== undefined;
  }
}
