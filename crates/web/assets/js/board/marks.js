// Marks under the pieces and arrows over them. Nothing is told by colour alone: every mark has a shape of its own.

import { fill, s } from "../dom.js";
import { CELL, DIRECTIONS } from "./geometry.js";

/** @typedef {import("./geometry.js").Geometry} Geometry */
/** @typedef {{ text: string, rank: number, exact: boolean }} CellValue rank 0 is best; 9 for moves without one */
/** @typedef {CellValue & { cell: number, dx: number, dy: number }} EdgeValue */
/** @typedef {{ cells: number[], direction?: [number, number], rank: number }} Arrow */

/**
 * @param {SVGGElement} layer
 * @param {import("./board.js").Scene} scene
 * @param {Geometry} geometry
 */
export function drawMarks(layer, scene, geometry) {
  const { view } = scene;
  /** @param {number} index @param {string} kind */
  const square = (index, kind) => {
    const [x, y] = geometry.at(index);
    return s("rect", { class: `mark ${kind}`, x: x * CELL, y: y * CELL, width: CELL, height: CELL, "data-mark": `${kind} ${view.names[index] ?? ""}` });
  };
  // Tiles cover their cells: their marks lie over them.
  const marks = view.ground === "table" ? [] : view.last.map((index) => square(index, "last"));
  if (view.check !== undefined) marks.push(square(view.check, "check"));
  if (scene.selected !== null) marks.push(square(scene.selected, "chosen"));
  /** @type {SVGElement[]} */
  const shapes = [...marks];
  if (scene.refused !== null && scene.refused !== undefined) {
    const [x, y] = geometry.centre(scene.refused);
    shapes.push(s("path", { class: "mark refused", d: `M${x - 34} ${y - 34}L${x + 34} ${y + 34}M${x + 34} ${y - 34}L${x - 34} ${y + 34}`, "data-mark": `refused ${view.names[scene.refused] ?? ""}` }));
  }
  const dots = new Set([...scene.targets, ...(scene.dots && scene.selected === null ? view.playable : [])]);
  for (const index of dots) {
    if (scene.values.has(index)) continue;
    const [x, y] = geometry.centre(index);
    if (view.ground === "table") {
      shapes.push(s("rect", { class: "target open", x: x - 46, y: y - 46, width: 92, height: 92, rx: 8 }));
    } else if (view.cells[index] === "empty") {
      shapes.push(s("circle", { class: "target", cx: x, cy: y, r: view.ground === "felt" ? 11 : 14 }));
    } else {
      shapes.push(s("rect", { class: "target taken", x: x - 46, y: y - 46, width: 92, height: 92, rx: 10 }));
    }
  }
  if (view.forbidden) {
    const [from, to] = view.forbidden.cells;
    const [x, y] = geometry.centre(to ?? from ?? 0);
    shapes.push(
      s("g", { class: "ko", "data-mark": `ko ${view.forbidden.move}` },
        s("circle", { cx: x, cy: y, r: 20 }),
        s("path", { d: `M${x - 14} ${y + 14}L${x + 14} ${y - 14}` })),
    );
  }
  fill(layer, ...shapes);
}

/**
 * The tiles of the last turn: the chosen one first, in a solid frame, then those it forced, in dashed ones.
 * @param {import("./board.js").Scene} scene
 * @param {Geometry} geometry
 */
export function drawTurn(scene, geometry) {
  if (scene.view.ground !== "table") return [];
  return scene.view.last.map((index, order) => {
    const [x, y] = geometry.at(index);
    const name = scene.view.names[index] ?? "";
    return s("rect", { class: `turn${order === 0 ? "" : " forced"}`, x: x * CELL + 4, y: y * CELL + 4, width: CELL - 8, height: CELL - 8, rx: 4, "data-mark": `${order === 0 ? "last" : "forced"} ${name}` });
  });
}

/**
 * A ring on each stable disc, a target where a side would win at once.
 * @param {import("./board.js").Scene} scene
 * @param {Geometry} geometry
 */
export function drawHighlights(scene, geometry) {
  if (!scene.highlights) return [];
  const { view } = scene;
  return (view.highlights ?? []).flatMap(({ side, cells }) => cells.map((index) => {
    const [x, y] = geometry.centre(index);
    const name = `highlight ${side} ${view.names[index] ?? ""}`;
    // Where both sides have one, neither hides the other.
    const radius = view.ground === "table" ? (side === "first" ? 30 : 40) : 17;
    return s("circle", { class: `highlight ${side}`, cx: x, cy: y, r: radius, "data-mark": name });
  }));
}

/** The arrow of a move: from its origin to its target, or a ring on its target. @param {import("../types.js").MoveOnBoard} move @param {number} rank @returns {Arrow} */
export function arrowOf(move, rank) {
  const cells = [move.from, move.to].filter((cell) => cell !== undefined);
  const direction = move.to === undefined && move.direction ? DIRECTIONS[move.direction] : undefined;
  return { cells, rank, ...(direction ? { direction } : {}) };
}

/**
 * @param {Arrow} arrow
 * @param {Geometry} geometry
 */
export function drawArrow(arrow, geometry) {
  const [from, to] = arrow.cells;
  if (from === undefined) return null;
  const sign = geometry.flipped ? -1 : 1;
  const [x1, y1] = geometry.centre(from);
  if (to === undefined && !arrow.direction) {
    return s("circle", { class: `arrow ring rank-${arrow.rank}`, cx: x1, cy: y1, r: 44 - arrow.rank * 3 });
  }
  const [dx, dy] = arrow.direction ?? [0, 0];
  const [x2, y2] = to === undefined ? [x1 + dx * CELL * sign, y1 + dy * CELL * sign] : geometry.centre(to);
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const width = [13, 10, 8][arrow.rank] ?? 8;
  const head = width * 2.1;
  const [sx, sy] = [x1 + ux * 12, y1 + uy * 12];
  const [ex, ey] = [x2 - ux * (head + 8), y2 - uy * (head + 8)];
  const [tx, ty] = [x2 - ux * 8, y2 - uy * 8];
  const side = head * 0.75;
  return s(
    "g",
    { class: `arrow rank-${arrow.rank}` },
    s("path", { class: "shaft", d: `M${sx} ${sy}L${ex} ${ey}`, "stroke-width": width }),
    s("path", { class: "head", d: `M${tx} ${ty}L${ex - uy * side} ${ey + ux * side}L${ex + uy * side} ${ey - ux * side}Z` }),
  );
}
