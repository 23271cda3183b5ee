// The empty board: felt, wood or a table, with lines and labels.

import { s } from "../dom.js";
import { CELL } from "./geometry.js";

/** @typedef {import("../types.js").View} View */
/** @typedef {import("./geometry.js").Geometry} Geometry */

/**
 * @param {View} view
 * @param {Geometry} geometry
 * @returns {SVGElement[]}
 */
export function drawGround(view, geometry) {
  const [x = 0, y = 0, width = 0, height = 0] = geometry.viewBox();
  const frame = s("rect", { class: "frame", x, y, width, height, rx: 14 });
  // As large on the screen for few cells as for many.
  const size = Math.min(26, 3 * Math.min(geometry.window.width, 8));
  const labels = geometry.labels(view).map((label) => s("text", { class: "label", x: label.x, y: label.y + size * 0.35, "font-size": size }, label.text));
  if (view.ground === "table") return [frame, table(geometry), ...labels];
  return [frame, ...ruled(view), ...labels];
}

/** @param {View} view */
function ruled(view) {
  const columns = view.columns.length;
  const rows = view.rows.length;
  const [width, height] = [columns * CELL, rows * CELL];
  const lines = [];
  for (let column = 0; column <= columns; column += 1) lines.push(`M${column * CELL} 0V${height}`);
  for (let row = 0; row <= rows; row += 1) lines.push(`M0 ${row * CELL}H${width}`);
  // Othello's dots are on the third lines from the edges, shogi's mark the promotion zones.
  const dots = columns === 8 ? [2, 6] : columns === 9 ? [3, 6] : [];
  return [
    s("rect", { class: "surface", x: 0, y: 0, width, height }),
    s("path", { class: "lines", d: lines.join("") }),
    ...dots.flatMap((dx) => dots.map((dy) => s("circle", { class: "dot", cx: dx * CELL, cy: dy * CELL, r: 5 }))),
  ];
}

/** A table has no lines; faint corners show where cells are. @param {Geometry} geometry */
function table(geometry) {
  const { x, y, width, height } = geometry.window;
  const marks = [];
  for (let column = Math.ceil(x); column <= x + width; column += 1) {
    for (let row = Math.ceil(y); row <= y + height; row += 1) marks.push(`M${column * CELL - 5} ${row * CELL}h10m-5 -5v10`);
  }
  return s("path", { class: "crosses", d: marks.join("") });
}
