// Where cells are drawn. A unit is a hundredth of a cell. Boards that grow keep their tiles in place: cells have
// coordinates on a fixed plane, and only the window over the plane changes.

/** @typedef {import("../types.js").View} View */

export const CELL = 100;

/** Steps on the board, as the server names them. @type {Record<string, [number, number]>} */
export const DIRECTIONS = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] };

/** Cells that a growing board shows at least: 7 of them are 45 px wide on the narrowest phone. */
const GROWING_MINIMUM = 7;

/** @typedef {{ x: number, y: number, width: number, height: number }} Box */

export class Geometry {
  /**
   * @param {View} view
   * @param {boolean} flipped
   * @param {Geometry | null} before keeps its window when the new board fits into it
   * @param {boolean} [fit] shows the tiles only, for a picture
   */
  constructor(view, flipped, before, fit = false) {
    this.columns = view.columns.length;
    this.rows = view.rows.length;
    this.flipped = flipped;
    this.grows = view.ground === "table";
    this.origin = view.origin ?? [0, 0];
    this.margin = this.grows ? 36 : 40;
    /** @type {Box} in cells, in drawing coordinates */
    this.window = fit && this.grows ? this.tileWindow() : this.grows ? this.growingWindow(before) : { x: 0, y: 0, width: this.columns, height: this.rows };
  }

  /**
   * The cell's top left corner in cells.
   * @param {number} index
   * @returns {[number, number]}
   */
  at(index) {
    const column = index % this.columns;
    const row = Math.floor(index / this.columns);
    if (!this.grows) return this.flipped ? [this.columns - 1 - column, this.rows - 1 - row] : [column, row];
    const [x, y] = [column + this.origin[0], row + this.origin[1]];
    return this.flipped ? [-x, -y] : [x, y];
  }

  /** A name of a place that stays the same while the board grows. @param {number} index */
  key(index) {
    return this.at(index).join(",");
  }

  /** The centre of a cell in units. @param {number} index @returns {[number, number]} */
  centre(index) {
    const [x, y] = this.at(index);
    return [(x + 0.5) * CELL, (y + 0.5) * CELL];
  }

  /** The cells that the board covers, ring included. @returns {Box} */
  extent() {
    const [x1, y1] = this.at(0);
    const [x2, y2] = this.at(this.columns * this.rows - 1);
    const [x, y] = [Math.min(x1, x2), Math.min(y1, y2)];
    return { x, y, width: this.columns, height: this.rows };
  }

  /** A square window round the tiles, without the ring of empty cells. @returns {Box} */
  tileWindow() {
    const { x, y, width, height } = this.extent();
    const size = Math.max(width, height) - 1;
    return { x: x + width / 2 - size / 2, y: y + height / 2 - size / 2, width: size, height: size };
  }

  /**
   * A square window that holds the board. An old one is kept while it suffices; otherwise it grows to the sides where
   * it must, so that the tiles move as little as possible.
   * @param {Geometry | null} before
   * @returns {Box}
   */
  growingWindow(before) {
    const extent = this.extent();
    const kept = before?.grows && before.flipped === this.flipped ? before.window : null;
    const half = (GROWING_MINIMUM - 1) / 2;
    const old = kept ?? { x: -half, y: -half, width: GROWING_MINIMUM, height: GROWING_MINIMUM };
    const left = Math.min(old.x, extent.x);
    const top = Math.min(old.y, extent.y);
    const right = Math.max(old.x + old.width, extent.x + extent.width);
    const bottom = Math.max(old.y + old.height, extent.y + extent.height);
    const size = Math.max(right - left, bottom - top);
    // The shorter side is centred, which moves tiles by half a cell rather than a whole one.
    const x = left - (size - (right - left)) / 2;
    const y = top - (size - (bottom - top)) / 2;
    return { x, y, width: size, height: size };
  }

  /** The `viewBox`, with room for labels. */
  viewBox() {
    const { x, y, width, height } = this.window;
    const m = this.margin;
    return [x * CELL - m, y * CELL - m, width * CELL + 2 * m, height * CELL + 2 * m];
  }

  /** Window coordinates of labels. @returns {{ text: string, x: number, y: number }[]} */
  labels(/** @type {View} */ view) {
    const { window, margin } = this;
    const middle = margin / 2;
    const left = window.x * CELL - middle;
    const top = window.y * CELL - middle;
    const right = (window.x + window.width) * CELL + middle;
    const shogi = view.columns[0] === "9";
    const columns = view.columns.map((text, column) => ({ text, x: this.centre(column)[0], y: top }));
    const rows = view.rows.map((text, row) => ({
      text,
      x: shogi ? right : left,
      y: this.centre(row * this.columns)[1],
    }));
    return [...columns, ...rows];
  }
}
