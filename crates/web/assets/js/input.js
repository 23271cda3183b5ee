// From presses on cells and hands to moves. The legal moves come from the server; nothing here knows a rule.

/** @typedef {import("./types.js").MoveOnBoard} MoveOnBoard */

/**
 * What is chosen and not yet played: a cell, or a piece in hand.
 * @typedef {{ cell: number } | { drop: string }} Selection
 */

export class Input {
  /**
   * @param {{ play: (move: string) => void, choose: (moves: MoveOnBoard[], cell: number) => void, changed: () => void, refuse: (cell: number) => void }} actions
   */
  constructor(actions) {
    this.actions = actions;
    /** @type {Selection | null} */
    this.selection = null;
    /** @type {MoveOnBoard[]} */
    this.moves = [];
    this.enabled = true;
  }

  /**
   * Another position: the selection is gone.
   * @param {MoveOnBoard[]} moves
   * @param {boolean} enabled
   */
  reset(moves, enabled) {
    this.selection = null;
    this.moves = moves;
    this.enabled = enabled;
  }

  /** Moves of the selection. */
  selected() {
    const selection = this.selection;
    if (!selection) return [];
    return this.moves.filter((move) =>
      "cell" in selection ? move.from === selection.cell : move.drop === selection.drop && move.from === undefined,
    );
  }

  /** Cells where the selection may go. */
  targets() {
    return this.selected().flatMap((move) => (move.to === undefined ? [] : [move.to]));
  }

  /** Moves of the selection that leave the board. */
  rims() {
    const moves = this.selected().filter((move) => move.to === undefined && move.direction !== undefined);
    return moves.map((move) => ({ cell: move.from ?? 0, direction: move.direction ?? "up", move: move.move }));
  }

  /** @param {number} cell */
  press(cell) {
    if (!this.enabled) return;
    if (this.selection) {
      const found = this.selected().filter((move) => move.to === cell);
      const same = "cell" in this.selection && this.selection.cell === cell;
      if (found.length > 0) {
        this.offer(found, cell);
        return;
      }
      this.selection = null;
      if (same) {
        this.actions.changed();
        return;
      }
    }
    const placed = this.moves.filter((move) => move.to === cell && move.from === undefined && move.drop === undefined);
    if (placed.length > 0) {
      this.offer(placed, cell);
      return;
    }
    if (this.moves.some((move) => move.from === cell)) this.selection = { cell };
    else if (this.moves.length > 0) this.actions.refuse(cell);
    this.actions.changed();
  }

  /** @param {string} letters */
  pressHand(letters) {
    if (!this.enabled) return;
    const same = this.selection && "drop" in this.selection && this.selection.drop === letters;
    const possible = this.moves.some((move) => move.drop === letters && move.from === undefined);
    this.selection = same || !possible ? null : { drop: letters };
    this.actions.changed();
  }

  /**
   * @param {number} from
   * @param {number} to
   */
  drag(from, to) {
    if (!this.enabled) return false;
    const found = this.moves.filter((move) => move.from === from && move.to === to);
    if (found.length === 0) return false;
    this.selection = { cell: from };
    this.offer(found, to);
    return true;
  }

  clear() {
    if (!this.selection) return false;
    this.selection = null;
    this.actions.changed();
    return true;
  }

  /**
   * Plays the only move, or asks which.
   * @param {MoveOnBoard[]} moves
   * @param {number} cell
   */
  offer(moves, cell) {
    const [only] = moves;
    if (moves.length === 1 && only) this.actions.play(only.move);
    else this.actions.choose(moves, cell);
  }
}
