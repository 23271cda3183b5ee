// Plays on a page as a person would: presses cells, pieces in hand and choices.

import { PATIENCE_MS } from "./harness.mjs";

/** Waits until a condition in the page holds. */
export const until = (page, condition, argument) => page.waitForFunction(condition, argument, { timeout: PATIENCE_MS, polling: 20 });

export const byTest = (page, id) => page.locator(`[data-testid="${id}"]`);

/** Waits for the first board; returns its driver. */
export async function board(page) {
  await page.waitForSelector('[data-testid="board"][data-ply]');
  return page;
}

/** What the page shows: the ply, the position key, whose turn it is, the result. */
export const state = (page) =>
  page.evaluate(() => {
    const svg = document.querySelector('[data-testid="board"]');
    return {
      ply: Number(svg.dataset.ply),
      position: svg.dataset.position,
      result: document.querySelector('[data-testid="result"]').textContent,
      mover: document.querySelector('[data-testid="mover"]').textContent,
      thinking: document.querySelector(".mover.thinking") !== null,
    };
  });

/** The moves that lead to the board, from the address. */
export const movesOf = (page) => {
  const query = new URL(page.url()).searchParams;
  return { position: query.get("position") ?? undefined, moves: (query.get("moves") ?? "").split(" ").filter(Boolean) };
};

/** The server's description of a position, for choosing moves. */
export async function describe(address, game, request) {
  const response = await fetch(`${address}/api/v1/${game}/position`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
  });
  if (!response.ok) throw new Error(`position: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Presses what a move needs: its cells or its piece in hand, then the choice when there is one. */
export async function playMove(page, described, text) {
  const { view } = described;
  const move = view.moves.find((known) => known.move === text);
  if (!move) throw new Error(`${text} is not legal here`);
  const cell = (index) => page.locator(`[data-cell="${view.names[index]}"]`);
  const press = (locator) => locator.click({ force: true });
  if (move.drop !== undefined) await press(page.locator(`[data-hand="${described.mover === "first" ? "b" : "w"}-${move.drop}"]`));
  else if (move.from !== undefined) await press(cell(move.from));
  if (move.to === undefined) {
    await press(page.locator(`[data-choice="${text}"]`));
    return;
  }
  await press(cell(move.to));
  const rivals = view.moves.filter((other) => other.to === move.to && other.from === move.from && other.drop === move.drop);
  if (rivals.length > 1) await press(page.locator(`[data-choice=${JSON.stringify(text)}]`));
}

/** Waits until the board shows at least this ply and nobody thinks. */
export const settled = (page, ply) =>
  until(page, (wanted) => {
    const svg = document.querySelector('[data-testid="board"]');
    return Number(svg?.dataset.ply) >= wanted && !document.querySelector(".mover.thinking");
  }, ply);

/** A small generator with a seed, so that every run plays the same game. */
export function random(seed) {
  let value = seed >>> 0;
  return (below) => {
    value = (Math.imul(value, 1664525) + 1013904223) >>> 0;
    return Math.floor((value / 2 ** 32) * below);
  };
}

export const setLevel = (page, level) =>
  byTest(page, "level").evaluate((slider, value) => {
    slider.value = String(value);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }, level);
