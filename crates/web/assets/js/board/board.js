// A board on the page: cells that can be focused and pressed, what lies on them, marks, values and arrows.

import { attribute, fill, reducedMotion, s } from "../dom.js";
import { CELL, DIRECTIONS, Geometry } from "./geometry.js";
import { drawCell } from "./pieces.js";
import { drawGround } from "./ground.js";
import { drawArrow, drawHighlights, drawMarks, drawTurn } from "./marks.js";

/** @typedef {import("../types.js").View} View */
/** @typedef {import("../types.js").Cell} Cell */

/**
 * What to show.
 * @typedef {object} Scene
 * @property {View} view
 * @property {boolean} flipped
 * @property {"kanji" | "western"} pieces
 * @property {(index: number) => string} label the accessible name of a cell
 * @property {string} title of the board
 * @property {number | null} selected a cell
 * @property {number | null} [refused] a cell that was pressed in vain
 * @property {number[]} targets cells where the selection may go
 * @property {Map<number, import("./marks.js").CellValue>} values
 * @property {import("./marks.js").EdgeValue[]} edges values of moves in a direction
 * @property {import("./marks.js").Arrow[]} arrows
 * @property {[number, Cell][]} ghosts translucent contents
 * @property {{ cell: number, direction: string, move: string }[]} rims moves off the board
 * @property {boolean} [highlights] whether stable discs and attacks are marked
 * @property {boolean} animate
 * @property {boolean} preview a line is shown, not the position
 * @property {boolean} dots whether playable cells are marked
 * @property {boolean} [fit] a picture of the tiles only
 */

const FLIP_MS = 180;
const SLIDE_MS = 140;

export class Board {
  /**
   * @param {{ press: (cell: number) => void, rim: (move: string) => void, drag?: (from: number, to: number) => boolean }} actions
   */
  constructor(actions) {
    this.actions = actions;
    this.ground = s("g", { class: "ground", "aria-hidden": "true" });
    this.cellLayer = s("g", { class: "cells" });
    this.marks = s("g", { class: "marks", "aria-hidden": "true" });
    this.pieceLayer = s("g", { class: "pieces", "aria-hidden": "true" });
    this.overlay = s("g", { class: "overlay", "aria-hidden": "true" });
    this.rimLayer = s("g", { class: "rims" });
    this.svg = s(
      "svg",
      { class: "board", "data-testid": "board", role: "group", preserveAspectRatio: "xMidYMid meet" },
      this.ground, this.cellLayer, this.marks, this.pieceLayer, this.overlay, this.rimLayer,
    );
    /** @type {Map<string, { element: SVGGElement, rect: SVGRectElement, index: number }>} */
    this.cells = new Map();
    /** @type {Map<string, { element: SVGGElement, look: string, cell: Cell }>} */
    this.contents = new Map();
    /** @type {Geometry | null} */
    this.geometry = null;
    /** @type {Scene | null} */
    this.scene = null;
    this.focused = 0;
    this.groundLook = "";
    this.listen();
  }

  /** @param {Scene} scene */
  show(scene) {
    const { view } = scene;
    const before = this.geometry;
    const geometry = new Geometry(view, scene.flipped, before, scene.fit);
    const moved = before && this.scene ? before : null;
    this.geometry = geometry;
    const animate = scene.animate && !reducedMotion();
    this.showWindow(geometry, animate && moved !== null);
    this.showGround(scene, geometry);
    this.showCells(scene, geometry);
    this.showContents(scene, geometry, animate);
    drawMarks(this.marks, scene, geometry);
    this.showOverlay(scene, geometry);
    this.showRims(scene, geometry);
    attribute(this.svg, "aria-label", scene.title);
    this.svg.classList.toggle("preview", scene.preview);
    this.scene = scene;
  }

  /**
   * @param {Geometry} geometry
   * @param {boolean} animate
   */
  showWindow(geometry, animate) {
    const box = geometry.viewBox().join(" ");
    if (this.svg.getAttribute("viewBox") === box) return;
    if (animate && geometry.grows) this.glide(geometry.viewBox());
    else {
      cancelAnimationFrame(this.gliding ?? 0);
      this.svg.setAttribute("viewBox", box);
    }
    this.svg.setAttribute("data-window", box);
  }

  /** Moves the window smoothly, so that the eye can follow the tiles. @param {number[]} target */
  glide(target) {
    cancelAnimationFrame(this.gliding ?? 0);
    const from = (this.svg.getAttribute("viewBox") ?? target.join(" ")).split(" ").map(Number);
    const begin = performance.now();
    const frame = (/** @type {number} */ now) => {
      const part = Math.min(1, (now - begin) / SLIDE_MS);
      const eased = part * (2 - part);
      this.svg.setAttribute("viewBox", target.map((to, i) => (from[i] ?? to) + (to - (from[i] ?? to)) * eased).join(" "));
      if (part < 1) this.gliding = requestAnimationFrame(frame);
    };
    this.gliding = requestAnimationFrame(frame);
  }

  /**
   * @param {Scene} scene
   * @param {Geometry} geometry
   */
  showGround(scene, geometry) {
    const look = JSON.stringify([geometry.viewBox(), scene.view.columns, scene.view.rows, scene.view.ground, scene.flipped, geometry.origin]);
    if (look === this.groundLook) return;
    this.groundLook = look;
    fill(this.ground, ...drawGround(scene.view, geometry));
    this.svg.setAttribute("data-ground", scene.view.ground);
  }

  /**
   * @param {Scene} scene
   * @param {Geometry} geometry
   */
  showCells(scene, geometry) {
    const { view } = scene;
    const wanted = new Set();
    view.cells.forEach((_, index) => {
      const key = geometry.key(index);
      wanted.add(key);
      let cell = this.cells.get(key);
      if (!cell) {
        const [x, y] = geometry.at(index);
        const rect = s("rect", { class: "hit", x: x * CELL, y: y * CELL, width: CELL, height: CELL });
        const element = s("g", { class: "cell", role: "button", tabindex: -1 }, rect);
        cell = { element, rect, index };
        this.cells.set(key, cell);
      }
      cell.index = index;
      attribute(cell.element, "data-cell", view.names[index] ?? String(index));
      attribute(cell.element, "aria-label", scene.label(index));
      const pressable = scene.targets.includes(index) || view.playable.includes(index);
      cell.element.classList.toggle("playable", pressable);
      cell.element.classList.toggle("selected", scene.selected === index);
      cell.element.classList.toggle("tiled", view.cells[index] !== "empty");
      // In reading order, so that a screen reader meets the cells row by row.
      if (this.cellLayer.children[wanted.size - 1] !== cell.element) {
        this.cellLayer.insertBefore(cell.element, this.cellLayer.children[wanted.size - 1] ?? null);
      }
    });
    for (const [key, cell] of this.cells) {
      if (wanted.has(key)) continue;
      cell.element.remove();
      this.cells.delete(key);
    }
    if (this.focused >= view.cells.length) this.focused = 0;
    this.updateTabStop();
  }

  updateTabStop() {
    for (const cell of this.cells.values()) {
      attribute(cell.element, "tabindex", cell.index === this.focused ? "0" : "-1");
    }
  }

  /**
   * @param {Scene} scene
   * @param {Geometry} geometry
   * @param {boolean} animate
   */
  showContents(scene, geometry, animate) {
    const { view } = scene;
    const style = `${scene.pieces}${scene.flipped}`;
    const old = new Map(this.contents);
    const wanted = new Set();
    const winning = new Set(view.winning?.cells ?? []);
    view.cells.forEach((cell, index) => {
      const key = geometry.key(index);
      if (cell === "empty") return;
      wanted.add(key);
      const look = JSON.stringify(cell) + style;
      const known = this.contents.get(key);
      if (known?.look !== look) {
        const element = /** @type {SVGGElement} */ (drawCell(cell, scene));
        const [x, y] = geometry.at(index);
        const place = s("g", { transform: `translate(${x * CELL} ${y * CELL})`, "data-content": view.names[index] ?? "" }, element);
        this.pieceLayer.append(place);
        if (animate) this.animateContent(place, element, known, cell, index, geometry, old, scene);
        known?.element.remove();
        this.contents.set(key, { element: place, look, cell });
      }
      const place = this.contents.get(key)?.element;
      place?.classList.toggle("winning", winning.has(index));
      if (place && view.winning) place.setAttribute("data-winner", view.winning.side);
    });
    for (const [key, content] of this.contents) {
      if (wanted.has(key)) continue;
      content.element.remove();
      this.contents.delete(key);
    }
  }

  /**
   * A disc turns over in place; a piece slides from where the same piece stood; anything else appears.
   * @param {SVGGElement} place
   * @param {SVGGElement} element
   * @param {{ element: SVGGElement, cell: Cell } | undefined} known
   * @param {Cell} cell
   * @param {number} index
   * @param {Geometry} geometry
   * @param {Map<string, { cell: Cell }>} old
   * @param {Scene} scene
   */
  animateContent(place, element, known, cell, index, geometry, old, scene) {
    const { view } = scene;
    const discs = typeof cell === "object" && "disc" in cell;
    if (discs && known && typeof known.cell === "object" && "disc" in known.cell && view.ground === "felt") {
      const ghost = /** @type {SVGGElement} */ (known.element.firstElementChild?.cloneNode(true));
      place.append(ghost);
      const half = { duration: FLIP_MS, easing: "linear" };
      element.animate([{ transform: "scaleX(0)" }, { transform: "scaleX(0)", offset: 0.5 }, { transform: "scaleX(1)" }], half);
      ghost.animate([{ transform: "scaleX(1)" }, { transform: "scaleX(0)", offset: 0.5 }, { transform: "scaleX(0)" }], half)
        .finished.then(() => ghost.remove(), () => ghost.remove());
      return;
    }
    if (view.ground === "wood" && view.last.length === 2) {
      const [from = 0, to = 0] = view.last;
      const [fx, fy] = geometry.at(from);
      const [tx, ty] = geometry.at(to);
      const [x, y] = geometry.at(index);
      const slides = discs || cell === "hole" || index === to;
      const behind = old.get(`${x - Math.sign(tx - fx)},${y - Math.sign(ty - fy)}`);
      const pushed = discs || cell === "hole" ? JSON.stringify(behind?.cell) === JSON.stringify(cell) : true;
      if (slides && pushed) {
        const [dx, dy] = discs || cell === "hole" ? [Math.sign(tx - fx), Math.sign(ty - fy)] : [tx - fx, ty - fy];
        const start = `translate(${-dx * CELL}px, ${-dy * CELL}px)`;
        element.animate([{ transform: start }, { transform: "none" }], { duration: SLIDE_MS, easing: "ease-out" });
        return;
      }
    }
    element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 90 });
  }

  /**
   * @param {Scene} scene
   * @param {Geometry} geometry
   */
  showOverlay(scene, geometry) {
    const ghosts = scene.ghosts.map(([index, cell]) => {
      const element = drawCell(cell, scene);
      const [x, y] = geometry.at(index);
      return element && s("g", { class: "ghost", transform: `translate(${x * CELL} ${y * CELL})` }, element);
    });
    const values = [...scene.values].map(([index, value]) => {
      const [x, y] = geometry.centre(index);
      const occupied = scene.view.cells[index] !== "empty";
      return s(
        "g",
        { class: `value rank-${value.rank}${value.exact ? " exact" : ""}${occupied ? " over" : ""}`, transform: `translate(${x} ${y})` },
        value.exact || occupied ? s("rect", { class: "pill", x: -42, y: -21, width: 84, height: 42, rx: 21 }) : null,
        s("text", { y: 10, "font-size": value.text.length > 5 ? 24 : value.text.length > 3 ? 29 : 33 }, value.text),
      );
    });
    const edges = scene.edges.map((edge) => {
      const [x, y] = geometry.centre(edge.cell);
      const sign = scene.flipped ? -1 : 1;
      return s(
        "g",
        { class: `value edge rank-${edge.rank}${edge.exact ? " exact" : ""}`, transform: `translate(${x + edge.dx * 25.5 * sign} ${y + edge.dy * 36 * sign})` },
        s("rect", { class: "pill", x: -22, y: -11, width: 44, height: 22, rx: 11 }),
        s("text", { y: 6, "font-size": edge.text.length > 4 ? 13 : edge.text.length > 2 ? 15.5 : 17.5 }, edge.text),
      );
    });
    fill(this.overlay, ...drawTurn(scene, geometry), ...drawHighlights(scene, geometry), ...ghosts, ...scene.arrows.map((arrow) => drawArrow(arrow, geometry)), ...values, ...edges);
  }

  /**
   * @param {Scene} scene
   * @param {Geometry} geometry
   */
  showRims(scene, geometry) {
    const rims = scene.rims.map(({ cell, direction, move }) => {
      const [cx, cy] = geometry.centre(cell);
      const [dx, dy] = DIRECTIONS[direction] ?? [0, 0];
      const sign = scene.flipped ? -1 : 1;
      const turn = Math.atan2(dy * sign, dx * sign) * (180 / Math.PI);
      return s(
        "g",
        {
          class: "rim-move", role: "button", tabindex: 0, "data-choice": move, "aria-label": move,
          transform: `translate(${cx + dx * sign * 71} ${cy + dy * sign * 71})`,
          onclick: () => this.actions.rim(move),
          onkeydown: (/** @type {KeyboardEvent} */ event) => {
            if (event.key !== "Enter" && event.key !== " ") return;
            event.preventDefault();
            event.stopPropagation();
            this.actions.rim(move);
          },
        },
        s("rect", { x: -30, y: -30, width: 60, height: 60 }),
        s("circle", { r: 18 }),
        s("path", { d: "M-7 -10L11 0L-7 10Z", transform: `rotate(${turn})` }),
      );
    });
    fill(this.rimLayer, ...rims);
  }

  /** The cell of an event's target. @param {EventTarget | null} target */
  cellOf(target) {
    const element = target instanceof Element ? target.closest(".cell") : null;
    for (const cell of this.cells.values()) if (cell.element === element) return cell.index;
    return null;
  }

  /** The cell under a point of the screen. @param {number} clientX @param {number} clientY */
  cellAt(clientX, clientY) {
    for (const element of document.elementsFromPoint(clientX, clientY)) {
      const index = this.cellOf(element);
      if (index !== null) return index;
    }
    return null;
  }

  /** @param {number} index */
  elementOf(index) {
    for (const cell of this.cells.values()) if (cell.index === index) return cell.element;
    return null;
  }

  /** @param {number} index */
  focus(index) {
    this.focused = index;
    this.updateTabStop();
    this.elementOf(index)?.focus();
  }

  /** For the element round the board: Chromium lets Tab stop at an SVG that listens to focus events itself. @param {FocusEvent} event */
  focusMoved(event) {
    const cell = this.cellOf(event.target);
    if (cell === null || cell === this.focused) return;
    this.focused = cell;
    this.updateTabStop();
  }

  /** Moves the focus by a step on the screen. @param {number} dx @param {number} dy */
  moveFocus(dx, dy) {
    const geometry = this.geometry;
    if (!geometry) return;
    const [x, y] = geometry.at(this.focused);
    const next = this.cells.get(`${x + dx},${y + dy}`);
    if (next) this.focus(next.index);
  }

  listen() {
    /** @type {{ from: number, x: number, y: number, moving: SVGGElement | null } | null} */
    let drag = null;
    let dragged = false;
    this.svg.addEventListener("click", (event) => {
      const cell = this.cellOf(event.target);
      if (cell === null || dragged) return;
      this.focused = cell;
      this.updateTabStop();
      this.actions.press(cell);
    });
    this.svg.addEventListener("pointerdown", (event) => {
      dragged = false;
      const from = this.cellOf(event.target);
      drag = from === null || event.button !== 0 ? null : { from, x: event.clientX, y: event.clientY, moving: null };
    });
    this.svg.addEventListener("pointermove", (event) => {
      if (!drag || !this.actions.drag || !this.geometry || event.pointerType === "touch") return;
      const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
      if (!drag.moving && Math.hypot(dx, dy) > 8) {
        drag.moving = this.contents.get(this.geometry.key(drag.from))?.element ?? null;
        if (drag.moving) this.pieceLayer.append(drag.moving);
      }
      const scale = this.geometry.viewBox()[2] ?? 1;
      const unit = scale / this.svg.getBoundingClientRect().width;
      const inner = /** @type {SVGGElement | null} */ (drag.moving?.firstElementChild ?? null);
      if (inner) inner.style.transform = `translate(${dx * unit}px, ${dy * unit}px)`;
    });
    const drop = (/** @type {PointerEvent} */ event) => {
      if (drag?.moving) {
        dragged = true;
        const inner = /** @type {SVGGElement | null} */ (drag.moving.firstElementChild);
        if (inner) inner.style.transform = "";
        const to = event.type === "pointerup" ? this.cellAt(event.clientX, event.clientY) : null;
        if (to !== null && to !== drag.from) this.actions.drag?.(drag.from, to);
      }
      drag = null;
    };
    this.svg.addEventListener("pointerup", drop);
    this.svg.addEventListener("pointerleave", drop);
  }
}
