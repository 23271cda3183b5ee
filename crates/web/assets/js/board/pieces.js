// The look of what lies on a cell, in a square of 100 by 100 units whose top left corner is the origin.

import { s } from "../dom.js";

/** @typedef {import("../types.js").Cell} Cell */
/** @typedef {import("../types.js").Side} Side */

/**
 * @param {Cell} cell
 * @param {{ pieces: "kanji" | "western", flipped: boolean }} look
 * @returns {SVGGElement | null}
 */
export function drawCell(cell, look) {
  if (cell === "empty") return null;
  if (cell === "hole") return drawHole();
  if ("disc" in cell) return drawDisc(cell.disc);
  if ("tile" in cell) return drawTile(cell.tile, look.flipped);
  return drawPiece(cell.piece, look);
}

/** @param {Side} side */
function drawDisc(side) {
  return s(
    "g",
    { class: `disc ${side}` },
    s("circle", { class: "shadow", cx: 51, cy: 54, r: 40 }),
    s("circle", { class: "body", cx: 50, cy: 50, r: 40 }),
    s("circle", { class: "rim", cx: 50, cy: 50, r: 39 }),
  );
}

function drawHole() {
  return s(
    "g",
    { class: "hole" },
    s("circle", { class: "edge", cx: 50, cy: 50, r: 40 }),
    s("circle", { class: "well", cx: 50, cy: 51, r: 36 }),
  );
}

const CURVES = {
  nw: "M50 0A50 50 0 0 1 0 50",
  ne: "M50 0A50 50 0 0 0 100 50",
  se: "M100 50A50 50 0 0 0 50 100",
  sw: "M0 50A50 50 0 0 1 50 100",
};

/**
 * The two tracks of a tile: the second is drawn over the first where they cross.
 * @param {[Side, Side, Side, Side]} edges north, east, south, west
 * @returns {{ side: Side, d: string }[]}
 */
export function tracks([north, east, south, west]) {
  if (north === south) {
    return [
      { side: east, d: "M0 50H100" },
      { side: north, d: "M50 0V100" },
    ];
  }
  if (north === west) {
    return [
      { side: north, d: CURVES.nw },
      { side: south, d: CURVES.se },
    ];
  }
  return [
    { side: north, d: CURVES.ne },
    { side: south, d: CURVES.sw },
  ];
}

/**
 * @param {[Side, Side, Side, Side]} edges
 * @param {boolean} flipped
 */
export function drawTile(edges, flipped) {
  const turned = /** @type {[Side, Side, Side, Side]} */ (flipped ? [edges[2], edges[3], edges[0], edges[1]] : edges);
  const crossing = edges[0] === edges[2];
  return s(
    "g",
    { class: "tile" },
    s("rect", { class: "body", x: 0.75, y: 0.75, width: 98.5, height: 98.5, rx: 5 }),
    tracks(turned).map(({ side, d }, index) => [
      crossing && index === 1 ? s("path", { class: "gap", d: "M50 30V70" }) : null,
      s("path", { class: `glow ${side}`, d }),
      s("path", { class: `track ${side}`, d }),
    ]),
  );
}

/** The steps of each piece for the western set: [dx, dy, far]; forward is up. */
/** @type {Record<string, [number, number, boolean][]>} */
const STEPS = {
  P: [[0, -1, false]],
  L: [[0, -1, true]],
  N: [[-0.5, -1, false], [0.5, -1, false]],
  S: [[0, -1, false], [-1, -1, false], [1, -1, false], [-1, 1, false], [1, 1, false]],
  G: [[0, -1, false], [-1, -1, false], [1, -1, false], [-1, 0, false], [1, 0, false], [0, 1, false]],
  B: [[-1, -1, true], [1, -1, true], [-1, 1, true], [1, 1, true]],
  R: [[0, -1, true], [0, 1, true], [-1, 0, true], [1, 0, true]],
  K: [[0, -1, false], [-1, -1, false], [1, -1, false], [-1, 0, false], [1, 0, false], [0, 1, false], [-1, 1, false], [1, 1, false]],
};
const orthogonal = STEPS.R ?? [];
const diagonal = STEPS.B ?? [];
for (const minor of ["P", "L", "N", "S"]) STEPS[`+${minor}`] = STEPS.G ?? [];
STEPS["+B"] = [...diagonal, ...orthogonal.map(([x, y]) => /** @type {[number, number, boolean]} */ ([x, y, false]))];
STEPS["+R"] = [...orthogonal, ...diagonal.map(([x, y]) => /** @type {[number, number, boolean]} */ ([x, y, false]))];

/** Larger pieces are more valuable, as in a real set. @type {Record<string, number>} */
const SCALE = { K: 1, R: 0.98, B: 0.98, G: 0.95, S: 0.95, N: 0.92, L: 0.9, P: 0.87 };

/**
 * A pentagon that points to the other side.
 * @param {{ side: Side, sign: string, letters: string }} piece
 * @param {{ pieces: "kanji" | "western", flipped: boolean }} look
 */
export function drawPiece({ side, sign, letters }, look) {
  const promoted = letters.startsWith("+");
  const scale = SCALE[letters.replace("+", "")] ?? 0.95;
  const away = (side === "second") !== look.flipped;
  const turn = `translate(50 50) scale(${scale})${away ? " rotate(180)" : ""} translate(-50 -50)`;
  const outline = "M50 5L80 18L90 94H10L20 18Z";
  return s(
    "g",
    { class: `piece ${side}${promoted ? " promoted" : ""} ${look.pieces}` },
    s(
      "g",
      { transform: turn },
      s("path", { class: "shadow", d: outline, transform: `translate(1.5 ${away ? -3 : 3})` }),
      s("path", { class: "body", d: outline }),
      s("path", { class: "facet", d: "M50 5L80 18L90 94H84L75 21L50 10L25 21L16 94H10L20 18Z" }),
      look.pieces === "kanji"
        ? s("text", { class: "sign", x: 50, y: 78 }, sign)
        : [
            (STEPS[letters] ?? []).map(([dx, dy, far]) => step(dx, dy, far)),
            s("text", { class: "letters", x: 50, y: 74 }, letters.replace("+", "")),
          ],
    ),
  );
}

/**
 * @param {number} dx
 * @param {number} dy
 * @param {boolean} far
 */
function step(dx, dy, far) {
  const [x, y] = [50 + dx * 24, 57 + dy * 29];
  return far
    ? s("path", { class: "reach", d: `M${50 + dx * 18} ${57 + dy * 21}L${50 + dx * 27} ${57 + dy * 33}` })
    : s("circle", { class: "step", cx: x, cy: y, r: 3.6 });
}
