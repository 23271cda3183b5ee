// The board with what belongs to it: players, hands, evaluation bar, choice dialogue, status.

import { fill, h, icon, s } from "../dom.js";
import { Board } from "../board/board.js";
import { DIRECTIONS } from "../board/geometry.js";
import { arrowOf } from "../board/marks.js";
import { drawPiece } from "../board/pieces.js";
import { Input } from "../input.js";
import { contentName, moverText, playerName, resultText } from "../describe.js";
import { settings } from "../settings.js";
import { language, t } from "../i18n.js";
import { isExact, short, words } from "../values.js";
import { Choice } from "./choice.js";
import { EvalBar } from "./evalbar.js";

/** @typedef {import("../types.js").Position} Position */
/** @typedef {import("../types.js").MoveOnBoard} MoveOnBoard */
/** @typedef {import("../types.js").Side} Side */
/** @typedef {import("../types.js").Value} Value */

/**
 * The step of a move that pushes what is in its way, or leaves the board; null for all others.
 * @param {MoveOnBoard} move
 * @param {number} columns
 * @returns {[number, number] | null}
 */
function stepOf(move, columns) {
  if (move.from === undefined || !move.fills) return null;
  if (move.to === undefined) return DIRECTIONS[move.direction ?? "up"] ?? null;
  return [(move.to % columns) - (move.from % columns), Math.floor(move.to / columns) - Math.floor(move.from / columns)];
}

export class Stage {
  /** @param {import("../session.js").Session} session */
  constructor(session) {
    this.session = session;
    /** A line that the pointer rests on. @type {Position | null} */
    this.preview = null;
    /** A choice that the pointer rests on. @type {MoveOnBoard | null} */
    this.ghost = null;
    /** Exact values of every move, from a tablebase. @type {Map<string, Value> | null} */
    this.table = null;
    /** Another user of the board, such as the editor. @type {import("./editor.js").Editor | null} */
    this.editor = null;
    /** @type {import("../board/marks.js").Arrow[]} */
    this.extraArrows = [];
    /** A cell that was pressed and has no legal move. @type {number | null} */
    this.refused = null;
    // Without its selection: a move that is not played, such as a wrong answer to a puzzle, leaves none behind.
    const play = (/** @type {string} */ move) => {
      this.input.clear();
      void session.play(move);
    };
    this.input = new Input({
      play,
      choose: (moves, cell) => this.choose(moves, cell),
      changed: () => this.draw(),
      refuse: (cell) => this.refuse(cell),
    });
    this.choice = new Choice({
      play,
      preview: (move) => {
        this.ghost = move;
        this.draw();
      },
    });
    this.board = new Board({
      press: (cell) => this.press(cell),
      rim: play,
      drag: (from, to) => (this.editor ? this.editor.drag(from, to) : this.input.drag(from, to)),
    });
    this.bar = new EvalBar(session);
    this.top = h("div", { class: "strip top" });
    this.bottom = h("div", { class: "strip bottom" });
    this.mover = h("span", { class: "mover", "data-testid": "mover" });
    this.result = h("strong", { class: "result", "data-testid": "result" });
    this.notice = h("span", { class: "notice" });
    this.frame = h("div", { class: "board-frame", onfocusin: (/** @type {FocusEvent} */ event) => this.board.focusMoved(event) }, this.board.svg, this.choice.element,
      h("p", { class: "board-help", id: "board-help" }, t("board.help")));
    this.board.svg.setAttribute("aria-describedby", "board-help");
    this.element = h(
      "section",
      { class: "stage", "aria-label": t("board") },
      this.top,
      h("div", { class: "board-row" }, this.bar.element, this.frame),
      this.bottom,
      h("div", { class: "status" }, h("div", { class: "words" }, this.mover, this.result, this.notice), this.steps()),
    );
  }

  /** Buttons that step through the game, within reach of a thumb. */
  steps() {
    const { session } = this;
    const button = (/** @type {string} */ name, /** @type {number} */ by) =>
      h("button", { type: "button", class: "tool", "aria-label": t(`step.${name}`), title: t(`step.${name}`), "data-step": name, onclick: () => session.step(by) }, icon(name));
    return h("div", { class: "steps", role: "group", "aria-label": t("steps") }, button("first", -100000), button("back", -1), button("forward", 1), button("last", 100000));
  }

  /** @param {import("../session.js").Change} change */
  update(change) {
    const { session } = this;
    if (change === "tree") {
      this.preview = null;
      this.forgive();
    }
    if (change === "position" || change === "tree") {
      this.choice.close();
      this.ghost = null;
      const enabled = session.shown === session.tree.cursor && !session.engineToMove;
      this.input.reset(session.over ? [] : session.position?.view.moves ?? [], enabled);
    }
    if (change === "options" || change === "engine") this.input.enabled = !session.engineToMove && !session.thinking;
    this.bar.update();
    if (session.position) this.draw(change === "position");
  }

  /** @param {number} cell */
  press(cell) {
    if (this.editor) {
      this.editor.press(cell);
      return;
    }
    if (this.preview) return;
    this.forgive();
    if (this.choice.cell === cell) {
      this.choice.next();
      return;
    }
    this.choice.close();
    this.input.press(cell);
  }

  /**
   * @param {MoveOnBoard[]} moves
   * @param {number} cell
   */
  choose(moves, cell) {
    const anchor = this.board.elementOf(cell);
    const position = this.session.position;
    if (anchor && position) this.choice.open(moves, cell, anchor, position, this.session.flipped);
  }

  /** Says that there is no legal move, and where. @param {number} cell */
  refuse(cell) {
    this.refused = cell;
    this.session.notice = t("notice.illegal", { cell: this.session.position?.view.names[cell] ?? "" });
    this.session.tell("notice");
  }

  forgive() {
    if (this.refused === null) return;
    this.refused = null;
    this.session.notice = null;
  }

  /** Values by move: the tablebase's, else the analysis's; none while a line is previewed. @returns {Map<string, Value>} */
  moveValues() {
    if (this.table) return this.table;
    const update = this.session.analyser.update;
    return new Map((update?.lines ?? []).filter((line) => line.value !== null || line.proven).map((line) => [line.move, line]));
  }

  /** @param {boolean} [animate] */
  draw(animate = false) {
    const { session } = this;
    const position = this.preview ?? session.position;
    if (!position) return;
    if (this.editor) {
      this.board.show(this.editor.scene());
      this.showStrips(position);
      return;
    }
    const native = language() === "ja" ? session.info.capabilities.native : null;
    const view = native ? { ...position.view, rows: native.rows } : position.view;
    const live = this.preview === null;
    const showValues = live && (settings.values || this.table !== null) && !session.over;
    const values = showValues ? this.moveValues() : new Map();
    const selection = this.input.selection;
    const selected = live && selection && "cell" in selection ? selection.cell : null;
    const targets = live ? this.input.targets() : [];
    const placed = this.placeValues(view, values, targets);
    this.board.show({
      view,
      flipped: session.flipped,
      pieces: settings.pieces,
      title: t("board.title", { game: t(`game.${session.game}`), mover: moverText(session) || resultText(session) || "" }),
      label: (index) => this.label(position, index, placed.spoken),
      selected,
      refused: live ? this.refused : null,
      targets,
      values: placed.cells,
      edges: placed.edges,
      // Where values stand at every piece, more than the best arrow would hide them.
      arrows: live ? this.arrows(position).filter((arrow) => placed.edges.length === 0 || arrow.rank === 0 || arrow.rank === 9) : [],
      ghosts: live && this.ghost?.fills ? this.ghost.fills : [],
      rims: live ? this.input.rims() : [],
      highlights: settings.highlights,
      animate: animate && session.animate,
      preview: !live,
      dots: live && this.input.enabled && !session.thinking,
    });
    const { svg } = this.board;
    svg.dataset.position = position.position;
    if (live) svg.dataset.ply = String(session.shown.ply);
    if (performance.getEntriesByName("first-board").length === 0) requestAnimationFrame(() => setTimeout(() => performance.mark("first-board")));
    this.showStrips(position);
    this.showStatus(position);
  }

  /**
   * Where the values of moves are written: on the target of placing moves and of the selection's, else, where a piece
   * has few moves, at the edge it would cross.
   * @param {import("../types.js").View} view
   * @param {Map<string, Value>} values
   * @param {number[]} targets
   */
  placeValues(view, values, targets) {
    /** @type {Map<number, import("../board/marks.js").CellValue>} */
    const cells = new Map();
    /** @type {import("../board/marks.js").EdgeValue[]} */
    const edges = [];
    /** What a cell's name tells: the value of the move there, or of the best move from there. @type {Map<number, import("../board/marks.js").CellValue>} */
    const spoken = new Map();
    const chosen = new Set(this.input.selected().map((move) => move.move));
    const best = [...values.values()][0];
    let rank = 0;
    for (const [name, value] of values) {
      const move = view.moves.find((known) => known.move === name);
      if (!move) continue;
      const tied = best !== undefined && short(value) === short(best);
      const shown = { text: short(value), exact: isExact(value), rank: tied ? 0 : Math.min(rank, 4) };
      rank += 1;
      const step = stepOf(move, view.columns.length);
      if (step) {
        if (chosen.size > 0 && !chosen.has(name)) continue;
        edges.push({ ...shown, cell: move.from ?? 0, dx: step[0], dy: step[1] });
        const at = chosen.size > 0 ? move.to : move.from;
        if (at !== undefined && !spoken.has(at)) spoken.set(at, shown);
      } else if (move.to !== undefined) {
        const placing = move.from === undefined && move.drop === undefined;
        if ((placing || (chosen.has(name) && targets.includes(move.to))) && !cells.has(move.to)) cells.set(move.to, shown);
      }
    }
    for (const [cell, shown] of cells) spoken.set(cell, shown);
    return { cells, edges, spoken };
  }

  /** Arrows of the best lines and of a hint. @param {Position} position */
  arrows(position) {
    const { session } = this;
    /** @type {import("../board/marks.js").Arrow[]} */
    const arrows = [...this.extraArrows];
    const add = (/** @type {string} */ name, /** @type {number} */ rank) => {
      const move = position.view.moves.find((known) => known.move === name);
      if (move) arrows.push(arrowOf(move, rank));
    };
    if (session.hint) add(session.hint, 0);
    else if (session.mode === "analyse" || session.showValuesInPlay) {
      const lines = session.analyser.update?.lines.slice(0, 3) ?? [];
      lines.forEach((line, rank) => add(line.move, rank));
      arrows.reverse();
    }
    return arrows;
  }

  /**
   * @param {Position} position
   * @param {number} index
   * @param {Map<number, import("../board/marks.js").CellValue>} values
   */
  label(position, index, values) {
    const { view } = position;
    const parts = [view.names[index] ?? "", contentName(view.cells[index] ?? "empty", this.session.info)];
    if (view.playable.includes(index) || this.input.targets().includes(index)) parts.push(t("cell.legal"));
    const value = values.get(index);
    if (value) parts.push(value.exact ? t("cell.exact", { value: value.text }) : value.text);
    const kind = settings.highlights ? this.session.info.capabilities.highlights : null;
    for (const { side, cells } of view.highlights ?? []) {
      if (kind && cells.includes(index)) parts.push(t(`cell.${kind}`, { player: playerName(this.session.info, side) }));
    }
    if (view.check === index) parts.push(t("cell.check"));
    if (view.last.includes(index)) parts.push(t("cell.last"));
    if (view.winning?.cells.includes(index)) parts.push(t("cell.winning"));
    if (view.forbidden?.cells.at(-1) === index) parts.push(t("cell.forbidden", { move: view.forbidden.move }));
    const selection = this.input.selection;
    if (selection && "cell" in selection && selection.cell === index) parts.push(t("cell.selected"));
    return parts.join(", ");
  }

  /** @param {Position} position */
  showStatus(position) {
    const { session } = this;
    const result = resultText(session) ?? "";
    if (this.result.textContent !== result) this.result.textContent = result;
    const mover = session.thinking ? t("thinking") : moverText(session);
    if (this.mover.textContent !== mover) this.mover.textContent = mover;
    this.mover.dataset.player = position.mover;
    this.mover.classList.toggle("thinking", session.thinking);
    const repetition = position.view.repetition;
    const notice = session.notice ?? (repetition && repetition.times > 1 ? t("notice.repetition", { times: repetition.times }) : "");
    if (this.notice.textContent !== notice) this.notice.textContent = notice;
  }

  /** @param {Position} position */
  showStrips(position) {
    const flipped = this.session.flipped;
    this.showStrip(this.top, flipped ? "first" : "second", position);
    this.showStrip(this.bottom, flipped ? "second" : "first", position);
  }

  /**
   * @param {HTMLElement} strip
   * @param {Side} side
   * @param {Position} position
   */
  showStrip(strip, side, position) {
    const { session } = this;
    const number = side === "first" ? 0 : 1;
    const engine = session.mode === "play" && session.engineOn && session.you !== "both" && session.you !== side;
    const role = session.mode !== "play" ? "" : engine ? t("role.engine", { level: session.level }) : session.you === side ? t("role.you") : "";
    const view = this.editor ? this.editor.view() : position.view;
    const counts = view.counts;
    const count = counts ? t(`count.${counts.noun}`, { count: counts.sides[number] ?? 0 }) : "";
    const key = JSON.stringify([side, role, count, view.hands[number], settings.pieces, session.flipped, position.mover, session.over, this.input.selection, session.info.game, !!this.editor]);
    if (strip.dataset.look === key) return;
    strip.dataset.look = key;
    strip.classList.toggle("to-move", position.mover === side && !session.over);
    const focused = strip.contains(document.activeElement) ? document.activeElement?.getAttribute("data-hand") : null;
    fill(
      strip,
      h("span", { class: `swatch ${side} ${session.info.variant_of ?? session.game}`, "aria-hidden": "true" }),
      h("span", { class: "name" }, playerName(session.info, side), role ? h("span", { class: "role" }, role) : null),
      this.hand(side, number, view, position),
      count ? h("span", { class: "count" }, count) : null,
    );
    if (focused) /** @type {HTMLElement | null} */ (strip.querySelector(`[data-hand="${focused}"]`))?.focus();
  }

  /**
   * @param {Side} side
   * @param {number} number
   * @param {import("../types.js").View} view
   * @param {Position} position
   */
  hand(side, number, view, position) {
    if (this.session.game !== "shogi") return null;
    const letter = side === "first" ? "b" : "w";
    const pieces = (view.hands[number] ?? []).map((piece) => {
      const { selection } = this.input;
      const own = position.mover === side && !this.editor;
      const pressed = own && selection !== null && "drop" in selection && selection.drop === piece.letters;
      const name = t(`piece.${piece.letters}`);
      return h(
        "button",
        {
          type: "button", class: "held", "data-hand": `${letter}-${piece.letters}`, "aria-pressed": String(pressed),
          "aria-label": t("hand.piece", { player: playerName(this.session.info, side), piece: name, count: piece.count }),
          onclick: () => (this.editor ? this.editor.pressHand(number, piece.letters) : own ? this.input.pressHand(piece.letters) : null),
        },
        s("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" },
          drawPiece({ side, sign: piece.sign, letters: piece.letters }, { pieces: settings.pieces, flipped: this.session.flipped })),
        piece.count > 1 ? h("span", { class: "badge", "aria-hidden": "true" }, piece.count) : null,
      );
    });
    return h("span", { class: "hand", role: "group", "aria-label": t("hand", { player: playerName(this.session.info, side) }) },
      pieces.length > 0 ? pieces : h("span", { class: "nothing" }, t("hand.empty")));
  }

  /** Words for a value beside the board. @param {Value} value */
  static words(value) {
    return words(value);
  }
}
