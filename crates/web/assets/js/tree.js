// The variation tree: a start position and moves behind it. The first child of a node continues its line.

/**
 * A move in the tree.
 * @typedef {object} Node
 * @property {string} move empty at the root
 * @property {Node | null} parent
 * @property {Node[]} children
 * @property {number} ply moves from the start
 * @property {string} [native] the move in the notation of the country where the game is at home
 * @property {string} [comment]
 * @property {import("./types.js").Position} [position] what the server said about it
 * @property {import("./types.js").NodeValue} [value] the latest completed iteration, seen by the first player
 * @property {import("./types.js").MoveAnalysis} [analysis] of the whole-game analysis
 */

/**
 * @param {string} move
 * @param {Node | null} parent
 * @returns {Node}
 */
const newNode = (move, parent) => ({ move, parent, children: [], ply: parent ? parent.ply + 1 : 0 });

export class Tree {
  /** @param {string} [start] the start position in the game's notation; empty for the usual one */
  constructor(start = "") {
    this.start = start;
    this.root = newNode("", null);
    this.cursor = this.root;
  }

  /**
   * Goes to the child with this move, which is added when it is new.
   * @param {string} move
   * @returns {Node}
   */
  play(move) {
    this.cursor = Tree.child(this.cursor, move);
    return this.cursor;
  }

  /**
   * @param {Node} parent
   * @param {string} move
   */
  static child(parent, move) {
    let child = parent.children.find((known) => known.move === move);
    if (!child) {
      child = newNode(move, parent);
      parent.children.push(child);
    }
    return child;
  }

  /** Removes a node with all that follows; the cursor leaves it. @param {Node} node */
  remove(node) {
    const parent = node.parent;
    if (!parent) return;
    if (path(this.cursor).includes(node)) this.cursor = parent;
    parent.children = parent.children.filter((child) => child !== node);
  }

  /** Makes the line of a node the main line. @param {Node} node */
  promote(node) {
    for (const step of path(node)) {
      const siblings = step.parent?.children ?? [];
      const at = siblings.indexOf(step);
      siblings.unshift(...siblings.splice(at, 1));
    }
  }

  /** The main line from the root, without the root. */
  mainLine() {
    return lineFrom(this.root);
  }

  /** The line through the cursor: the moves to it, then its continuation. */
  currentLine() {
    return [...path(this.cursor), ...lineFrom(this.cursor)];
  }

  /**
   * The lines of the tree: the main line first, each with the line and ply where it branches off.
   * @returns {{ from: number, ply: number, nodes: Node[] }[]}
   */
  lines() {
    /** @type {{ from: number, ply: number, nodes: Node[] }[]} */
    const lines = [];
    /** @type {Map<Node, number>} */
    const lineOf = new Map([[this.root, 0]]);
    /** @type {Node[]} */
    const starts = [this.root];
    while (starts.length > 0) {
      const start = /** @type {Node} */ (starts.shift());
      const nodes = start === this.root ? lineFrom(start) : [start, ...lineFrom(start)];
      const parent = start.parent ?? this.root;
      lines.push({ from: lineOf.get(parent) ?? 0, ply: parent.ply, nodes });
      for (const node of start === this.root ? [this.root, ...nodes] : nodes) {
        lineOf.set(node, lines.length - 1);
        starts.push(...node.children.slice(1));
      }
    }
    return lines;
  }
}

/**
 * The nodes from the first move to a node, which comes last.
 * @param {Node} node
 */
export function path(node) {
  /** @type {Node[]} */
  const nodes = [];
  for (let at = node; at.parent; at = at.parent) nodes.unshift(at);
  return nodes;
}

/** The continuation of a node by first children. @param {Node} node */
export function lineFrom(node) {
  /** @type {Node[]} */
  const nodes = [];
  for (let at = node.children[0]; at; at = at.children[0]) nodes.push(at);
  return nodes;
}

/** The moves that lead to a node. @param {Node} node */
export const movesTo = (node) => path(node).map((step) => step.move);
