// The board editor. The server writes the position in the game's notation, and says when it is impossible.

import { fill, h, s } from "../dom.js";
import { position as askPosition, post } from "../api.js";
import { drawCell } from "../board/pieces.js";
import { contentName, playerName } from "../describe.js";
import { language, t } from "../i18n.js";
import { settings } from "../settings.js";
import { Tree } from "../tree.js";
import { messageLine } from "./dialog.js";
import { PROMOTED } from "./choice.js";

/** @typedef {import("../types.js").Cell} Cell */
/** @typedef {import("../types.js").View} View */
/** @typedef {import("../types.js").Side} Side */

const SHOGI = /** @type {const} */ ([["P", "歩"], ["L", "香"], ["N", "桂"], ["S", "銀"], ["G", "金"], ["B", "角"], ["R", "飛"], ["K", "玉"]]);

export class Editor {
  /**
   * @param {import("../session.js").Session} session
   * @param {import("./stage.js").Stage} stage
   */
  constructor(session, stage) {
    this.session = session;
    this.stage = stage;
    const position = /** @type {import("../types.js").Position} */ (session.position);
    this.base = position.view;
    /** @type {Cell[]} */
    this.cells = [...position.view.cells];
    this.hands = position.view.hands.map((hand) => hand.map((piece) => ({ ...piece })));
    /** @type {Side} */
    this.mover = position.mover;
    /** @type {Cell} */
    this.brush = this.palette()[1] ?? "empty";
    /** Counts questions to the server: only the latest answer is shown. */
    this.checks = 0;
    this.message = messageLine();
    this.tools = h("div", { class: "palette", role: "group", "aria-label": t("editor.palette") });
    this.done = h("button", { type: "button", class: "primary", "data-testid": "editor-done", onclick: () => void this.finish() }, t("editor.done"));
    this.text = h("input", { type: "text", id: "editor-text", "data-testid": "editor-text", spellcheck: "false", onchange: () => void this.read() });
    this.element = h(
      "section",
      { class: "panel editor", "data-testid": "editor", "aria-label": t("editor") },
      h("h2", {}, t("editor")),
      h("p", { class: "about" }, t(session.game === "shogi" ? "editor.about.shogi" : "editor.about")),
      this.tools,
      h("div", { class: "field" }, h("span", { class: "field-name" }, t("editor.mover")), this.movers()),
      h("div", { class: "field" }, h("label", { class: "field-name", for: "editor-text" }, t("share.position")), this.text),
      this.message.element,
      h("div", { class: "actions" },
        h("button", { type: "button", onclick: () => this.clear() }, t("editor.clear")),
        h("button", { type: "button", onclick: () => stage.editor && this.close() }, t("cancel")),
        this.done),
    );
    this.refresh();
  }

  /** What can be put on a cell. @returns {Cell[]} */
  palette() {
    if (this.session.game !== "shogi") {
      /** @type {Cell[]} */
      const discs = ["empty", { disc: "first" }, { disc: "second" }];
      return this.session.game === "ostle" ? [...discs, "hole"] : discs;
    }
    const sides = /** @type {Side[]} */ (["first", "second"]);
    return ["empty", ...sides.flatMap((side) => SHOGI.map(([letters, sign]) => ({ piece: { side, letters, sign: letters === "K" && side === "second" ? "王" : sign } })))];
  }

  movers() {
    const group = h("div", { class: "segments", role: "group", "aria-label": t("editor.mover") });
    const draw = () => fill(group, ...(/** @type {Side[]} */ (["first", "second"])).map((side) =>
      h("button", { type: "button", "data-mover": side, "aria-pressed": String(this.mover === side), onclick: () => { this.mover = side; draw(); this.refresh(); } }, playerName(this.session.info, side))));
    draw();
    return group;
  }

  /** @returns {View} */
  view() {
    return { ...this.base, cells: this.cells, hands: this.hands, last: [], playable: [], moves: [], ...without(this.base) };
  }

  /** @returns {import("../board/board.js").Scene} */
  scene() {
    const own = this.view();
    const native = language() === "ja" ? this.session.info.capabilities.native : null;
    const view = native ? { ...own, rows: native.rows } : own;
    return {
      view, flipped: this.session.flipped, pieces: settings.pieces, title: t("editor"), selected: null, targets: [],
      label: (index) => `${view.names[index]}, ${contentName(view.cells[index] ?? "empty", this.session.info)}`,
      values: new Map(), edges: [], arrows: [], ghosts: [], rims: [], animate: false, preview: false, dots: false,
    };
  }

  /** The same brush again takes the piece off; in shogi it promotes it first. @param {number} index */
  press(index) {
    const there = this.cells[index] ?? "empty";
    const same = JSON.stringify(there) === JSON.stringify(this.brush);
    if (typeof there === "object" && "piece" in there && typeof this.brush === "object" && "piece" in this.brush) {
      const promoted = { piece: { ...this.brush.piece, letters: `+${this.brush.piece.letters}`, sign: PROMOTED[this.brush.piece.sign] ?? "" } };
      if (same && promoted.piece.sign) this.cells[index] = promoted;
      else if (JSON.stringify(there) === JSON.stringify(promoted) || same) this.cells[index] = "empty";
      else this.cells[index] = this.brush;
    } else {
      this.cells[index] = same ? "empty" : this.brush;
    }
    // There is one hole.
    if (this.brush === "hole") this.cells = this.cells.map((cell, at) => (cell === "hole" && at !== index ? "empty" : cell));
    this.refresh();
  }

  /** @param {number} from @param {number} to */
  drag(from, to) {
    [this.cells[to], this.cells[from]] = [this.cells[from] ?? "empty", "empty"];
    this.refresh();
    return true;
  }

  /** A press on a piece in hand takes one away. @param {number} side @param {string} letters */
  pressHand(side, letters) {
    this.changeHand(side, letters, -1);
  }

  /** @param {number} side @param {string} letters @param {number} by */
  changeHand(side, letters, by) {
    const hand = this.hands[side] ?? [];
    const held = hand.find((piece) => piece.letters === letters);
    const sign = SHOGI.find(([known]) => known === letters)?.[1] ?? letters;
    if (held) held.count += by;
    else if (by > 0) hand.push({ letters, sign, count: by });
    this.hands[side] = hand.filter((piece) => piece.count > 0);
    this.refresh();
  }

  clear() {
    this.cells = this.cells.map(() => /** @type {Cell} */ ("empty"));
    this.hands = [[], []];
    this.refresh();
  }

  refresh() {
    this.drawTools();
    this.stage.draw();
    void this.check();
  }

  drawTools() {
    const game = this.session.game;
    fill(this.tools, ...this.palette().map((cell) => {
      const name = contentName(cell, this.session.info);
      return h(
        "button",
        { type: "button", class: "brush", "aria-pressed": String(JSON.stringify(cell) === JSON.stringify(this.brush)), "aria-label": name, title: name, onclick: () => { this.brush = cell; this.drawTools(); } },
        s("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, cell === "empty" ? s("path", { class: "eraser", d: "M28 28L72 72M72 28L28 72" }) : drawCell(cell, { pieces: settings.pieces, flipped: this.session.flipped })),
      );
    }), game === "shogi" ? this.handTools() : null);
  }

  handTools() {
    const brush = this.brush;
    if (typeof brush !== "object" || !("piece" in brush) || brush.piece.letters === "K") return null;
    const side = brush.piece.side === "first" ? 0 : 1;
    return h("button", { type: "button", class: "to-hand", "data-testid": "editor-hand", onclick: () => this.changeHand(side, brush.piece.letters, 1) },
      t("editor.hand", { player: playerName(this.session.info, brush.piece.side), piece: t(`piece.${brush.piece.letters}`) }));
  }

  /** Asks the server whether this is a position. */
  async check() {
    const token = (this.checks += 1);
    this.done.disabled = true;
    try {
      const described = await post(`/${this.session.game}/edit`, { cells: this.cells, hands: this.hands, mover: this.mover });
      if (token !== this.checks) return;
      this.text.value = described.position;
      this.message.show(described.outcome ? t("editor.over") : t("editor.valid", { count: described.moves.length }));
      this.done.disabled = false;
    } catch (error) {
      if (token === this.checks) this.message.show(error instanceof Error ? error.message : String(error), true);
    }
  }

  /** A position typed as text. */
  async read() {
    try {
      const described = await askPosition(this.session.game, this.text.value, []);
      this.cells = [...described.view.cells];
      this.hands = described.view.hands.map((hand) => hand.map((piece) => ({ ...piece })));
      this.mover = described.mover;
      this.refresh();
    } catch (error) {
      this.message.show(error instanceof Error ? error.message : String(error), true);
    }
  }

  async finish() {
    const text = this.text.value;
    this.close();
    await this.session.replaceTree(new Tree(text));
  }

  close() {
    this.stage.editor = null;
    this.element.remove();
    this.stage.board.scene = null;
    this.session.tell("position");
  }
}

/** @param {View} _view @returns {Partial<View>} */
function without(_view) {
  return /** @type {Partial<View>} */ ({ winning: undefined, forbidden: undefined, check: undefined, counts: undefined, repetition: undefined });
}
