// The small dialogue beside a cell: which tile, promote or not. Pressing the cell again goes to the next choice.

import { fill, h, s } from "../dom.js";
import { drawCell } from "../board/pieces.js";
import { settings } from "../settings.js";
import { t } from "../i18n.js";

/** @typedef {import("../types.js").MoveOnBoard} MoveOnBoard */

export class Choice {
  /** @param {{ play: (move: string) => void, preview: (move: MoveOnBoard | null) => void }} actions */
  constructor(actions) {
    this.actions = actions;
    this.element = h("div", { class: "choice", role: "dialog", "aria-modal": "false", hidden: true });
    /** @type {number | null} */
    this.cell = null;
    /** @type {HTMLButtonElement[]} */
    this.buttons = [];
    /** The choice that has, or last had, the focus: a press on the board takes it away. */
    this.at = 0;
    this.element.addEventListener("keydown", (event) => this.key(event));
  }

  /**
   * @param {MoveOnBoard[]} moves
   * @param {number} cell
   * @param {Element} anchor the cell's element
   * @param {import("../types.js").Position} position
   * @param {boolean} flipped
   */
  open(moves, cell, anchor, position, flipped) {
    const tiles = position.view.ground === "table";
    this.cell = cell;
    this.element.setAttribute("aria-label", t(tiles ? "choice.tile" : "choice.promotion"));
    this.at = 0;
    this.buttons = moves.map((move, index) => {
      const promotes = !tiles && move.move.endsWith("+");
      const text = tiles ? move.move : t(promotes ? "choice.promote" : "choice.stay");
      const picture = tiles ? this.tilePicture(move, cell, flipped) : this.piecePicture(move, position, promotes, flipped);
      return h(
        "button",
        {
          type: "button", "data-choice": move.move, "aria-label": tiles ? move.move : `${text}, ${move.move}`,
          onclick: () => {
            this.close();
            this.actions.play(move.move);
          },
          onfocus: () => {
            this.at = index;
            this.actions.preview(move);
          },
          onpointerenter: () => this.actions.preview(move),
        },
        picture,
        tiles ? null : h("span", {}, text),
      );
    });
    fill(this.element, ...this.buttons);
    this.element.hidden = false;
    this.place(anchor);
    this.buttons[0]?.focus({ preventScroll: true });
  }

  /** Beside the cell, within the board. @param {Element} anchor */
  place(anchor) {
    const parent = this.element.offsetParent ?? document.body;
    const frame = parent.getBoundingClientRect();
    const cell = anchor.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.element;
    const left = Math.min(Math.max(cell.left + cell.width / 2 - width / 2 - frame.left, 4), frame.width - width - 4);
    const below = cell.bottom - frame.top + 6;
    const top = below + height <= frame.height ? below : cell.top - frame.top - height - 6;
    this.element.style.left = `${Math.max(left, 0)}px`;
    this.element.style.top = `${Math.max(top, 4)}px`;
  }

  close() {
    if (this.element.hidden) return false;
    this.element.hidden = true;
    this.cell = null;
    this.actions.preview(null);
    return true;
  }

  /** The next choice, for a second press on the same cell. */
  next() {
    this.buttons[(this.at + 1) % this.buttons.length]?.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const by = event.key === "ArrowRight" || event.key === "ArrowDown" ? 1 : event.key === "ArrowLeft" || event.key === "ArrowUp" ? -1 : 0;
    if (by !== 0) this.buttons[(this.at + by + this.buttons.length) % this.buttons.length]?.focus({ preventScroll: true });
    if (by !== 0 || event.key === "Enter" || event.key === " ") event.stopPropagation();
    if (by !== 0) event.preventDefault();
  }

  /**
   * @param {MoveOnBoard} move
   * @param {number} cell
   * @param {boolean} flipped
   */
  tilePicture(move, cell, flipped) {
    const own = move.fills?.find(([index]) => index === cell)?.[1];
    return s("svg", { viewBox: "0 0 100 100", class: "picture", "aria-hidden": "true" }, own ? drawCell(own, { pieces: settings.pieces, flipped }) : null);
  }

  /**
   * @param {MoveOnBoard} move
   * @param {import("../types.js").Position} position
   * @param {boolean} promotes
   * @param {boolean} flipped
   */
  piecePicture(move, position, promotes, flipped) {
    const filled = move.fills?.find(([index]) => index === move.to)?.[1];
    const cell = filled ?? position.view.cells[move.from ?? 0] ?? "empty";
    const shown = typeof cell === "object" && "piece" in cell && promotes && !cell.piece.letters.startsWith("+")
      ? { piece: { ...cell.piece, letters: `+${cell.piece.letters}`, sign: PROMOTED[cell.piece.sign] ?? cell.piece.sign } }
      : cell;
    return s("svg", { viewBox: "0 0 100 100", class: "picture", "aria-hidden": "true" }, drawCell(shown, { pieces: settings.pieces, flipped }));
  }
}

/** @type {Record<string, string>} */
export const PROMOTED = { 歩: "と", 香: "杏", 桂: "圭", 銀: "全", 角: "馬", 飛: "龍" };
