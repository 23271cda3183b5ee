// The query of the page's address. It holds the whole tree, so that a copied address shares it and a reload restores it:
//   position=…      the start, when it is not the usual one
//   moves=f5 d6 c3  the main line
//   var=0.1 f6 e6   a variation: line 0, after 1 move; lines are counted in this order, the main line is 0
//   at=1.2          the cursor: line 1, after 2 moves; absent at the end of the main line
//   play=first      the side the reader plays against the engine
// Blanks become %20 and a plus sign %2B: a bare + would be read as a blank, and Trax and shogi moves contain it.

import { Tree, lineFrom, path } from "./tree.js";

/** @typedef {"first" | "second" | "both" | "none"} PlayedSide */

/** @param {[string, string][]} pairs */
const query = (pairs) => pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");

/**
 * @param {Tree} tree
 * @param {{ play?: string | null }} [extra]
 */
export function writeQuery(tree, extra = {}) {
  /** @type {[string, string][]} */
  const pairs = [];
  if (tree.start) pairs.push(["position", tree.start]);
  const lines = tree.lines();
  const [main, ...variations] = lines;
  if (main && main.nodes.length > 0) pairs.push(["moves", main.nodes.map((node) => node.move).join(" ")]);
  for (const line of variations) {
    pairs.push(["var", [`${line.from}.${line.ply}`, ...line.nodes.map((node) => node.move)].join(" ")]);
  }
  const last = main?.nodes.at(-1) ?? tree.root;
  if (tree.cursor !== last) {
    const at = lines.findIndex((line) => line.nodes.includes(tree.cursor));
    pairs.push(["at", `${Math.max(at, 0)}.${tree.cursor.ply}`]);
  }
  if (extra.play) pairs.push(["play", extra.play]);
  return pairs.length > 0 ? `?${query(pairs)}` : "";
}

/**
 * @param {string} search
 * @returns {{ tree: Tree, play: string | null }}
 */
export function readQuery(search) {
  const parameters = new URLSearchParams(search);
  const tree = new Tree(parameters.get("position") ?? "");
  /** @param {string} text */
  const words = (text) => text.split(/[\s,]+/u).filter((word) => word !== "");
  for (const move of words(parameters.get("moves") ?? "")) tree.play(move);
  /** @type {import("./tree.js").Node[][]} */
  const lines = [[tree.root, ...tree.mainLine()]];
  /** @param {string} place */
  const find = (place) => {
    const [line, ply] = place.split(".").map(Number);
    const nodes = lines[line ?? 0] ?? lines[0] ?? [];
    const end = nodes.at(-1) ?? tree.root;
    return [...path(end), ...lineFrom(end)].find((node) => node.ply === ply) ?? tree.root;
  };
  for (const text of parameters.getAll("var")) {
    const [place = "0.0", ...moves] = words(text);
    let node = find(place);
    const line = [];
    for (const move of moves) {
      node = Tree.child(node, move);
      line.push(node);
    }
    lines.push(line);
  }
  const at = parameters.get("at");
  tree.cursor = at === null ? tree.mainLine().at(-1) ?? tree.root : find(at);
  return { tree, play: parameters.get("play") };
}
