// The running analysis of the position on the board. Every event names its position; one that belongs to another
// position than the board's is dropped, so that no stale value is ever shown.

import { stream } from "./api.js";
import { language } from "./i18n.js";
import { settings } from "./settings.js";
import { movesTo } from "./tree.js";
import { asRate, isExact, reversed } from "./values.js";

/** @typedef {import("./types.js").Update} Update */

export class Analyser {
  /** @param {import("./session.js").Session} session */
  constructor(session) {
    this.session = session;
    /** The latest completed iteration. @type {Update | null} */
    this.update = null;
    /** The place in the queue. @type {number | null} */
    this.waiting = null;
    this.running = false;
    /** Looks at the position as if the other side were to move. */
    this.threat = false;
    /** @type {(() => void) | null} */
    this.close = null;
    /** @type {number | undefined} */
    this.timer = undefined;
  }

  /** Whether the reader wants values now. */
  get wanted() {
    const { session } = this;
    if (session.over || !session.position || session.intercept) return false;
    if (session.mode === "analyse") return session.engineOn;
    return settings.values && session.showValuesInPlay && !session.engineToMove;
  }

  stop() {
    clearTimeout(this.timer);
    this.close?.();
    this.close = null;
    this.running = false;
    this.waiting = null;
    this.update = null;
  }

  /** Analyses the position on the board, if it should be. Fast steps through a game start no search at all. */
  restart() {
    this.stop();
    if (this.wanted) {
      this.running = true;
      this.timer = setTimeout(() => this.begin(), 25);
    }
    this.session.tell("analysis");
  }

  begin() {
    const { session } = this;
    const node = session.shown;
    const key = node.position?.position;
    if (key === undefined) return;
    /** @param {{ position: string }} data */
    const current = (data) => session.tree.cursor === node && session.shown === node && data.position === key;
    const parameters = {
      position: session.tree.start,
      moves: movesTo(node).join(" "),
      engine: session.engine,
      // Every legal move has its value on the board; without them the best lines are searched deeper.
      lines: settings.values ? "all" : settings.lines,
      native: language() === "ja" && session.info.capabilities.native ? "true" : null,
      time: `${settings.seconds}s`,
    };
    /** @type {Update | null} */
    let bare = null;
    this.close = stream(`/${session.game}/analysis`, parameters, {
      waiting: (data) => {
        if (!current(data)) return;
        this.waiting = data.place;
        session.tell("analysis");
      },
      start: () => {
        this.waiting = null;
      },
      update: (/** @type {Update} */ data) => {
        if (!current(data)) return;
        // Before its first iteration is complete a search has a move and no value; that is shown only if nothing follows.
        bare = isBare(data) ? data : null;
        if (!bare) this.take(node, data);
      },
      done: (data) => {
        if (bare && current(data)) this.take(node, bare);
      },
      closed: (message) => {
        if (session.shown !== node) return;
        this.running = false;
        this.waiting = null;
        if (message) session.fail(message);
        session.tell("analysis");
      },
    });
  }

  /**
   * @param {import("./tree.js").Node} node
   * @param {Update} data
   */
  take(node, data) {
    this.waiting = null;
    const lines = data.lines.map(asRate);
    this.update = { ...data, lines: lines.map(asShare) };
    const best = lines[0];
    if (best && (best.value !== null || best.proven)) {
      const { value, unit, proven, bound } = best;
      /** @type {import("./types.js").NodeValue} */
      const seen = { value, unit, depth: data.depth, exact: isExact(best), ...(proven ? { proven } : {}), ...(bound ? { bound } : {}) };
      node.value = data.mover === "first" ? seen : reversed(seen);
    }
    this.session.tell("analysis");
  }
}

/** Whether a search has not evaluated anything yet. @param {Update} data */
const isBare = (data) => data.depth === 0 && (data.source ?? "search") === "search" && data.lines.every((line) => line.value === null && !line.proven && line.prior === undefined);

/** A move of a policy has a share instead of a value: the value is that of the position. @param {import("./types.js").Line} line */
const asShare = (line) => (line.prior === undefined ? line : { ...line, value: 100 * line.prior, unit: "policy", exact: false, proven: undefined, bound: undefined });
